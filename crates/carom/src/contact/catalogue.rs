//! Every contact law there is, by its name.

use super::impact1d::Impact1D;
use super::law::{self, Entry, LawError, Parting, Settings};
use crate::maths::nearest::nearest;

/// The laws: elastic ones, linear damping, hysteresis, engineering.
pub const LAWS: [Entry; 22] = [
    law::hooke::ENTRY,
    law::hertz::ENTRY,
    law::kelvin_voigt::ENTRY,
    law::anagnostopoulos::ENTRY,
    law::poursina_nikravesh::ENTRY,
    law::poursina_nikravesh_general::ENTRY,
    law::exact_linear::ENTRY,
    law::hunt_crossley::ENTRY,
    law::herbert_mcwhannell::ENTRY,
    law::lee_wang::ENTRY,
    law::lankarani_nikravesh::ENTRY,
    law::gonthier_approximate::ENTRY,
    law::zhiying_qishao::ENTRY,
    law::flores::ENTRY,
    law::ye::ENTRY,
    law::hu_guo::ENTRY,
    law::carvalho_martins::ENTRY,
    law::exact::ENTRY,
    law::gonthier::ENTRY,
    law::zhang_sharf::ENTRY,
    law::impact::ENTRY,
    law::expression::ENTRY,
];

/// The law of that name.
pub fn find(name: &str) -> Result<&'static Entry, LawError> {
    LAWS.iter().find(|entry| entry.name == name).ok_or_else(|| {
        let hint = match nearest(name, LAWS.iter().map(|entry| entry.name)) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => "; `carom laws` lists them".to_owned(),
        };
        LawError::UnknownLaw { name: name.chars().take(60).collect(), hint }
    })
}

/// What a law delivers when a restitution is asked for, against the elastic impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivered {
    /// The restitution on parting at zero force.
    pub at_zero_force: f64,
    /// The restitution on parting at zero indentation; the same for laws with hysteresis.
    pub at_zero_indentation: f64,
    /// The one of the rule the law's formula was derived for.
    pub restitution: f64,
    /// The peak force by that of the elastic impact.
    pub peak_force: f64,
    /// The greatest depth by that of the elastic impact.
    pub max_indentation: f64,
    /// The duration by that of the elastic impact.
    pub duration: f64,
}

impl Entry {
    /// What the law delivers when e is asked for, with the exponent n (its own if none); none for a law that takes no e.
    ///
    /// Mass, stiffness and speed do not matter.
    pub fn delivered(&self, e: f64, n: Option<f64>) -> Option<Result<Delivered, LawError>> {
        self.restitution.as_ref()?;
        Some(self.delivered_by_both(e, n))
    }

    fn delivered_by_both(&self, e: f64, n: Option<f64>) -> Result<Delivered, LawError> {
        let settings = Settings {
            stiffness: Some(1.0),
            restitution: Some(e),
            exponent: n,
            ..Settings::default()
        };
        let law = self.make(&settings)?;
        let own = Impact1D::new(law.as_ref(), 1.0, 1.0)?;
        let restitution = |rule: Parting| {
            if rule == own.parting() {
                return Ok(own.factors().restitution);
            }
            let other = Impact1D::parting_at(law.as_ref(), 1.0, 1.0, rule)?;
            Ok::<f64, LawError>(other.factors().restitution)
        };
        let n = n.or(self.exponent.map(|x| x.1)).unwrap_or(1.5);
        let elastic = super::impact1d::Damped::new(n, 0.0);
        let f = own.factors();
        Ok(Delivered {
            at_zero_force: restitution(Parting::ZeroForce)?,
            at_zero_indentation: restitution(Parting::ZeroIndentation)?,
            restitution: f.restitution,
            peak_force: f.peak_force,
            max_indentation: f.max_indentation,
            duration: f.duration / elastic.factors().duration,
        })
    }
}
