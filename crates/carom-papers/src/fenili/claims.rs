//! The velocities after the impact, the contacts of figs. 4 to 9, and the authors' next steps.

use carom::impact::StrikeWishes;
use carom::impact::laws::ImpactFriction;

use super::super::claim::Claim;
use super::super::lab::{Answer, Lab, Sets};
use super::formula::Bar;
use super::runs::{CASES, FILE, NEXT_STEPS, TABLE_2, around, next_step, run, without_reset};
use carom::maths::digits::three;

/// The velocities before the impacts of the comparison: v_s \[m/s\], ω \[rad/s\], v_w \[m/s\].
const BEFORE: [f64; 3] = [-0.5, 4.4, 0.3];
/// The same at θ = 90°, where the bar adds nothing to the approach.
const ACROSS: [f64; 3] = [0.5, 4.4, 0.1];
/// Joint coordinates in the order of the paper's velocities.
const NAMES: [&str; 3] = ["v_s⁺", "ω_b⁺", "v_w⁺"];
const UNITS: [&str; 3] = ["m/s", "rad/s", "m/s"];

/// All claims.
pub(super) fn claims() -> Vec<Claim> {
    let mut all = velocities();
    all.extend(special());
    all.extend(motion());
    all.extend(intervals());
    all.extend(next_steps());
    all
}

/// Velocities after an impact under a law, from given ones before.
fn after(lab: &Lab, extra: Sets, before: [f64; 3], law: (&str, f64)) -> Answer<[f64; 3]> {
    let texts = before.map(|x| x.to_string());
    let mut sets = vec![
        ("parameters.support_rate", texts[0].as_str()),
        ("parameters.bar_rate", &texts[1]),
        ("parameters.wall_rate", &texts[2]),
    ];
    sets.extend_from_slice(extra);
    let wishes = StrikeWishes { restitution: Some(law.1), friction: None };
    let found = lab.strike((FILE, &sets), law.0, &wishes, |_, struck| struck.velocities.clone());
    let found = found?;
    Ok([found[0], found[1], found[2]])
}

fn velocities() -> Vec<Claim> {
    let inputs =
        "misprints: eq. 2.1 line 3 needs ÿ_s; eq. 4.16 means ẏ_w; k is in N/m and I in kg m²";
    let theta = 0.6_f64.asin();
    let mut all = Vec::new();
    for (table, bar, sets) in
        [("table 1", Bar::TABLE_1, &[][..]), ("table 2", Bar::TABLE_2, TABLE_2)]
    {
        for k in 0..3 {
            let what = format!("{} after a plastic impact, {table}", NAMES[k]);
            let theirs = move |_: &Lab| Ok(bar.after(theta, BEFORE)[k]);
            let ours = move |lab: &Lab| Ok(after(lab, sets, BEFORE, ("plastic", 0.0))?[k]);
            all.push(Claim::formula("eq. 4.33", &what, UNITS[k], theirs, ours).note(inputs));
        }
        let ours =
            move |lab: &Lab| Ok(bar.denominator_of(theta, lab.normal(FILE, sets)?.effective.mass));
        let what = format!("denominator, ours m_w det M/m_eff, {table}");
        all.push(Claim::formula(
            "eq. 4.34",
            &what,
            "kg² m²",
            move |_| Ok(bar.denominator(theta)),
            ours,
        ));
    }
    all
}

fn special() -> Vec<Claim> {
    const UPRIGHT: Sets<'static> = &[("parameters.distance", "1 m")];
    let bar = Bar::TABLE_1;
    let ours = |k: usize| move |lab: &Lab| Ok(after(lab, UPRIGHT, ACROSS, ("plastic", 0.0))?[k]);
    let [v_s, w_b, v_w] = ACROSS;
    let [m_b, m_s, m_w] = bar.masses;
    vec![
        // (m_s + m_b) v_s + m_w v_w over m_tot.
        Claim::formula(
            "eq. 4.35",
            "v_s⁺ at θ = 90°",
            "m/s",
            move |_| Ok(((m_s + m_b) * v_s + m_w * v_w) / (m_s + m_b + m_w)),
            ours(0),
        ),
        // (I + m_b a²)/I_tot, and I_tot is that at 90°.
        Claim::formula("eq. 4.35", "ω_b⁺ at θ = 90°", "rad/s", move |_| Ok(w_b), ours(1)),
    ]
}

fn motion() -> Vec<Claim> {
    let mut all = vec![
        Claim::words(
            "sec. 5.1",
            "at the first contact the wall is at rest, at a second it moves",
            |lab| {
                let ran = run(lab, 4)?;
                let (first, second) =
                    (around(&ran, 0)?.0.state.v[2], around(&ran, 1)?.0.state.v[2]);
                Ok((
                    first == 0.0 && second != 0.0,
                    format!("{} m/s, {} m/s", three(first), three(second)),
                ))
            },
        ),
        Claim::words("sec. 5.1", "F_N at the impact is not always its greatest value", |lab| {
            let mut rising = Vec::new();
            for (k, case) in CASES.iter().enumerate() {
                if run(lab, k)?.outcome.stays.iter().any(|s| s.peak_force > 1.001 * s.first_force) {
                    rising.push(case.figure);
                }
            }
            Ok((!rising.is_empty(), format!("it grows on in {}", rising.join(", "))))
        }),
        Claim::words("sec. 5.1", "velocities jump where the contact begins", |lab| {
            let ran = run(lab, 0)?;
            let (before, after) = around(&ran, 0)?;
            let jump = after.state.v[1] - before.state.v[1];
            Ok((jump < 0.0, format!("θ̇ by {} rad/s in fig. 4", three(jump))))
        }),
        Claim::words("sec. 6", "without eq. 4.33 the system gains energy", |lab| {
            let mut least = f64::INFINITY;
            let mut opens = Vec::new();
            for (k, case) in CASES.iter().enumerate() {
                least = least.min(gained(lab, k)?);
                let free = without_reset(lab, k)?.outcome;
                let start = free.samples.first().map(|s| s.state.t);
                if free.stays.first().is_none_or(|stay| Some(stay.from) != start) {
                    opens.push(case.figure);
                }
            }
            let text = format!("{} J and more; {} open at once", three(least), opens.join(", "));
            Ok((least > 0.0, text))
        })
        .note(
            "run on from the first contact with the velocities of support and bar as they are, and the wall's from eq. 2.2: what eq. 3.1 \
             does when nothing resets its states; where F_N is then negative the contact opens at once",
        ),
    ];
    let plastic = "the plastic impact takes T_c, all of it and nothing else";
    for (k, case) in CASES.iter().enumerate() {
        // Plastic: all of T_c, whatever the pose.
        let what = format!("T + V lost at the first contact with eq. 4.33, {}", case.name);
        let first = move |lab: &Lab| {
            let found =
                run(lab, k)?.outcome.impacts.first().map(|i| (i.impact_energy, i.energy_lost));
            found.ok_or_else(|| "no impact".to_owned())
        };
        let (theirs, ours) =
            (move |lab: &Lab| Ok(first(lab)?.0), move |lab: &Lab| Ok(first(lab)?.1));
        all.push(Claim::formula("sec. 6", &what, "J", theirs, ours).not_printed().note(plastic));
        let what = format!("T + V gained at the first contact without eq. 4.33, {}", case.name);
        all.push(Claim::unstated("sec. 6", &what, "J", move |lab| gained(lab, k)));
    }
    let opens = "where F_N right after the plastic impact is negative the contact opens at once and does not stay";
    for (k, case) in CASES.iter().enumerate() {
        let what = format!("impacts in 5 s, {}", case.name);
        let count = move |lab: &Lab| Ok(run(lab, k)?.outcome.impacts.len() as f64);
        all.push(Claim::unstated(case.figure, &what, "", count).note(opens));
    }
    all
}

/// Energy that appears at the first contact if eq. 4.33 is left out \[J\].
fn gained(lab: &Lab, case: usize) -> Answer<f64> {
    let ran = run(lab, case)?;
    let before = &around(&ran, 0)?.0.ledger;
    let free = without_reset(lab, case)?;
    let after = free.outcome.samples.first().ok_or_else(|| "no samples".to_owned())?;
    let after = &after.ledger;
    Ok(after.kinetic + after.potential - before.kinetic - before.potential)
}

/// F_N at the first onset by eqs. 3.1 and 2.1 \[N\], at the state of the run.
fn by_equations(lab: &Lab, case: usize) -> Answer<f64> {
    let ran = run(lab, case)?;
    let from = ran.outcome.stays.first().map(|s| s.from);
    let at = ran.outcome.samples.iter().rev().find(|s| Some(s.state.t) == from);
    let state = &at.ok_or_else(|| "no contact stays".to_owned())?.state;
    let (bar, on) = &CASES[case].bar;
    Ok(bar.normal_force(on, [state.q[0], state.q[1]], [state.v[0], state.v[1]]))
}

fn intervals() -> Vec<Claim> {
    let lost = "lost in print: a1 = I + m_b a², a2 = m_b a + m_w ℓ, a3 = m_t m_w ℓ² − a2², m_t = m_b + m_s + m_w, with a = d_Acmb";
    let mut all = Vec::new();
    for (k, case) in CASES.iter().enumerate() {
        let stay = move |lab: &Lab| {
            let found = run(lab, k)?.outcome.stays.first().copied();
            found.ok_or_else(|| "no contact stays".to_owned())
        };
        let quantity = |what: &str, unit, ours: fn(&carom::simulate::Stay) -> f64| {
            let what = format!("{what}, {}", case.name);
            Claim::unstated(case.figure, &what, unit, move |lab| Ok(ours(&stay(lab)?)))
        };
        all.push(quantity("first contact from", "s", |s| s.from));
        all.push(quantity("first contact to", "s", |s| s.to.unwrap_or(f64::INFINITY)));
        let what = format!("F_N at the onset, {}", case.name);
        let place = format!("{}, eqs. 3.1, 2.1", case.figure);
        let theirs = move |lab: &Lab| by_equations(lab, k);
        let ours = move |lab: &Lab| Ok(stay(lab)?.first_force);
        all.push(Claim::formula(&place, &what, "N", theirs, ours).note(lost));
        all.push(quantity("greatest F_N", "N", |s| s.peak_force));
    }
    all
}

fn next_steps() -> Vec<Claim> {
    const GUIDES: &str = "impacts/bar-in-guides.toml";
    let theta = 0.6_f64.asin();
    let any = "the authors' next step: v⁺(e) = v⁺ + e (v⁺ − v⁻) with v⁺ of eq. 4.33";
    let mut all: Vec<Claim> = (0..3)
        .map(|k| {
            let theirs = move |_: &Lab| {
                let plastic = Bar::TABLE_1.after(theta, BEFORE)[k];
                Ok(plastic + 0.5 * (plastic - BEFORE[k]))
            };
            let ours = move |lab: &Lab| Ok(after(lab, &[], BEFORE, ("newton", 0.5))?[k]);
            let what = format!("{} for e = 0.5, table 1", NAMES[k]);
            Claim::formula("sec. 6", &what, UNITS[k], theirs, ours).not_printed().note(any)
        })
        .collect();
    let stepped = "fig. 8 again, to 1.5 s: e at the tip; then Poisson's law, friction 0.2 at the tip and 0.1 in the guides, too";
    for (k, (name, _)) in NEXT_STEPS.iter().enumerate() {
        let what = format!("impacts in 1.5 s, M_θ = 10 N m, {name}");
        let count = move |lab: &Lab| Ok(next_step(lab, k)?.outcome.impacts.len() as f64);
        all.push(Claim::unstated("sec. 6", &what, "", count).note(stepped));
        let what = format!("energy lost in them and in friction, {name}");
        all.push(Claim::unstated("sec. 6", &what, "J", move |lab| {
            let ran = next_step(lab, k)?;
            let last = ran.outcome.samples.last().ok_or_else(|| "no samples".to_owned())?;
            Ok(last.ledger.impulse_loss + last.ledger.friction_loss)
        }));
    }
    let rough = "the authors' next step: friction 0.2 at the tip and 0.1 in the guides, e = 0.5, Poisson's law; Newton's may \
                 create energy with friction";
    for (what, friction) in [("with friction", None), ("without", Some(ImpactFriction::None))] {
        let what = format!("T lost in the impact {what}, e = 0.5");
        all.push(
            Claim::unstated("sec. 6", &what, "J", move |lab| {
                let wishes = StrikeWishes { restitution: None, friction };
                lab.strike((GUIDES, &[]), "poisson", &wishes, |_, struck| {
                    struck.audit.kinetic_before - struck.audit.kinetic_after
                })
            })
            .note(rough),
        );
    }
    all
}
