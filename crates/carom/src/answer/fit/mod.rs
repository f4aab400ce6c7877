//! What `fit` answers: the parameters of contact laws from measured impacts or forces over time, and which law the data ask for.

mod candidate;
mod cases;
mod options;
mod rank;
mod sheet;
mod table;
mod verdict;

pub use options::FitOptions;
pub use sheet::ContactFit;

use self::candidate::Candidate;
use self::cases::Cases;
pub(crate) use self::cases::Posed;
use self::options::Asked;
use self::sheet::{FitCase, FitPoint, FittedParameter, LawFit};
use self::table::Table;
use super::{AnswerError, Caution, CautionCode, Head};
use crate::contact::catalogue::{LAWS, find};
use crate::contact::fit::{Damping, QUANTITIES, Slot};
use crate::file::Opened;
use crate::maths::digits::six;
use crate::model::{ContactGeometry, ContactUnits};

/// Intervals below and above this confidence are not asked for.
const LEVELS: (f64, f64) = (0.5, 0.9999);

impl ContactFit {
    /// Fits a text in CSV; `posed` says m_eff and u of the contact with edits of the file.
    pub(crate) fn new(
        opened: &Opened,
        sets: &[(String, String)],
        contact: usize,
        (name, text): (&str, &str),
        options: &FitOptions,
        posed: &mut Posed<'_>,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Self, AnswerError> {
        let model = opened.model();
        let own = &model.contacts[contact];
        if own.units() != ContactUnits::LINEAR {
            let message =
                "a stop that turns is measured in rad and N m; fits are of contacts in m and N";
            return Err(AnswerError::asked(format!("contact {}", own.name), message));
        }
        if !(options.level >= LEVELS.0 && options.level <= LEVELS.1) {
            let message = format!("{}; expected {} to {}", options.level, LEVELS.0, LEVELS.1);
            return Err(AnswerError::asked("level", message));
        }
        let table = Table::read(name, text)?;
        let asked = Asked::new(options)?;
        let mut cases = Cases::new(&table, &asked, posed)?;
        let (candidates, mut not_fitted) = candidates(&cases, &asked)?;
        let (fitted, without) = rank::fit(&candidates, options.threads, goes_on);
        if !goes_on() {
            return Err(AnswerError::asked(name, "the fit was stopped"));
        }
        let refused = "no parameters were found with which it describes an impact of these data";
        not_fitted.extend(without.iter().map(|law| ((*law).to_owned(), refused.to_owned())));
        let Some(best) = fitted.first() else {
            let why = not_fitted.iter().map(|(law, why)| format!("{law}: {why}"));
            let message = format!("no law could be fitted; {}", why.collect::<Vec<_>>().join("; "));
            return Err(AnswerError::asked(name, message));
        };
        for (k, case) in cases.cases.iter_mut().enumerate().take(cases.signals.len()) {
            let (from, unit) = cases.signals[k].onset;
            case.onset = Some(from + best.found.minimum.x[Slot::ONSETS + k] * unit);
        }
        let points = best.found.residuals.iter().map(|r| point(&cases, r)).collect();
        let mut cautions = Vec::new();
        if let Damping::Restitution { reference, .. } = best.candidate.problem.damping
            && options.over_speed
        {
            let message = format!(
                "e = 1 − (1 − e_ref) (v/v_ref)^β with v_ref = {} m/s; the block states e_ref, since a model file takes one restitution",
                six(reference)
            );
            cautions.push(Caution::note(CautionCode::ModelFile, &own.name, message));
        }
        let laws: Vec<LawFit> = fitted.iter().map(|f| f.law.clone()).collect();
        let between = match own.geometry {
            ContactGeometry::Shapes { a, b } => {
                Some([model.shapes[a].name.as_str(), model.shapes[b].name.as_str()])
            }
            _ => None,
        };
        Ok(Self {
            head: Head::new(opened, sets),
            contact: own.name.clone(),
            data: name.to_owned(),
            kind: if cases.signals.is_empty() { "impacts" } else { "force over time" }.to_owned(),
            verdict: verdict::verdict(&laws, &cases.cases),
            block: laws.first().and_then(|law| verdict::block(&own.name, between, law)),
            cautions,
            level: options.level,
            robust: options.robust,
            measurements: best.found.count,
            cases: cases.cases,
            laws,
            not_fitted,
            points,
        })
    }
}

/// Laws that are not fitted, and why.
type Refusals = Vec<(String, String)>;

/// The laws that are fitted, and why the others are not.
fn candidates(cases: &Cases, asked: &Asked<'_>) -> Result<(Vec<Candidate>, Refusals), AnswerError> {
    let wrong = |error: crate::contact::law::LawError| AnswerError::asked("law", error.to_string());
    let options = asked.options;
    let mut entries = Vec::new();
    if options.laws.is_empty() {
        entries.extend(&LAWS);
    }
    for law in &options.laws {
        entries.push(find(law).map_err(wrong)?);
    }
    for (name, value) in &options.given {
        let all = crate::contact::law::Parameter::ALL;
        let names: Vec<&str> = all.iter().map(|p| p.name()).filter(|n| *n != "force").collect();
        if !names.contains(&name.as_str()) {
            let message = format!("`{name}` is no parameter; expected one of {}", names.join(", "));
            return Err(AnswerError::asked("fix", message));
        }
        let least = f64::from(u8::from(name == "stiffness" || name == "exponent"));
        if !(value.is_finite() && *value >= 0.0 && (*value > 0.0 || least == 0.0)) {
            return Err(AnswerError::asked(
                "fix",
                format!("{name} = {value}; expected a positive number"),
            ));
        }
    }
    let (mut out, mut refused) = (Vec::new(), Vec::new());
    for entry in entries {
        match Candidate::new(entry, cases, asked) {
            Ok(candidate) => out.push(candidate),
            Err(why) => refused.push((entry.name.to_owned(), why)),
        }
    }
    Ok((out, refused))
}

fn point(cases: &Cases, r: &crate::contact::fit::Residual) -> FitPoint {
    let (quantity, unit) = QUANTITIES.get(r.quantity).map_or(("force", "N"), |q| (q.0, q.2));
    let (line, at) = if r.quantity < QUANTITIES.len() {
        (cases.cases[r.row].line, cases.cases[r.row].approach_speed)
    } else {
        (cases.lines[r.row][r.sample], cases.signals[r.row].times[r.sample])
    };
    FitPoint {
        line,
        quantity: quantity.to_owned(),
        unit: unit.to_owned(),
        at,
        observed: r.observed,
        predicted: r.predicted,
        deviation: r.error,
    }
}
