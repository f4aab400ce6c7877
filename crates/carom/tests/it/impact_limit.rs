//! The compliant limit: a stiffer and stiffer contact tends to the rigid impact.

use carom::dynamics::Mechanism;
use carom::impact::laws::{ImpactMemory, Newton};
use carom::impact::{Strike, StrikeWishes};
use carom::model::ContactTreatment::Continuous;

use crate::simulate::{model, run, wishes};

#[test]
fn a_stiff_contact_tends_to_newton_with_the_duration_of_the_impact() {
    // While the contact lasts, ∝ K^(−2/5) for n = 3/2, the pose changes; nothing else parts the two.
    let mut missed = Vec::new();
    for stiffness in ["1e8 N/m^1.5", "1e10 N/m^1.5", "1e12 N/m^1.5"] {
        let given = [("contacts.tip.restitution", "0.5"), ("contacts.tip.stiffness", stiffness)];
        let opened = model("002/double-pendulum.toml", &given);
        let mut mechanism = Mechanism::new(opened.model());
        let at = mechanism.at(&opened.assembled.state).unwrap();
        let strike = Strike::new(at, None, &StrikeWishes::default()).unwrap();
        let rigid = strike.resolve(&Newton, &mut ImpactMemory::default()).unwrap();
        let out = run(&opened, &wishes("exact", Continuous, 2e-2, 1e-12));
        let soft = out.impacts[0].separation_speed.unwrap();
        missed.push((soft - rigid.solution.after[0]).abs());
    }
    for pair in missed.windows(2) {
        let rate = (pair[0] / pair[1]).log10() / 2.0;
        assert!((rate - 0.4).abs() < 0.01, "rate {rate} of {missed:?}");
    }
}
