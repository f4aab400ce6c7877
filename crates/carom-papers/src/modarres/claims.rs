//! The decomposition, the removal of rows and e* on four mechanisms.

use carom::impact::laws::ImpactFriction;
use carom::impact::{StrikeWishes, Struck};

use super::super::claim::Claim;
use super::super::lab::{Answer, Lab, Sets};
use carom::maths::digits::six;

const BLOCK: &str = "003/rocking-block.toml";
const CRADLE: &str = "003/cradle.toml";
const CORNER: &str = "003/ball-in-corner.toml";
const BIPED: &str = "003/biped.toml";
/// The mechanisms.
const FOUR: [(&str, &str); 4] =
    [("rocking block", BLOCK), ("cradle", CRADLE), ("ball in a corner", CORNER), ("biped", BIPED)];
/// Energies that are equal differ by round-off.
const EQUAL: f64 = 1e-12;
/// e* of the comparison.
const ASKED: f64 = 0.5;

/// An impact without friction, e the same everywhere.
fn smooth<T>(
    lab: &Lab,
    at: (&str, Sets),
    law: &str,
    e: f64,
    look: impl FnOnce(&Struck) -> T,
) -> Answer<T> {
    let wishes = StrikeWishes { restitution: Some(e), friction: Some(ImpactFriction::None) };
    lab.strike(at, law, &wishes, |_, struck| look(struck))
}

/// The block with friction as its file has it.
fn rough<T>(lab: &Lab, file: &str, look: impl FnOnce(&Struck) -> T) -> Answer<T> {
    lab.strike((file, &[]), "plastic", &StrikeWishes::default(), |_, struck| look(struck))
}

fn list(flags: &[bool]) -> String {
    let words: Vec<&str> = flags.iter().map(|k| if *k { "kept" } else { "removed" }).collect();
    words.join(", ")
}

/// All claims.
pub(super) fn claims() -> Vec<Claim> {
    let mut all = decomposition();
    all.extend(removal());
    all.extend(restitution());
    all.extend(examples());
    all
}

fn decomposition() -> Vec<Claim> {
    let claim = |(name, file): (&'static str, &'static str)| {
        let what = format!("losses reduce T_c only, T_a stays: {name}, plastic");
        Claim::words("sec. 2", &what, move |lab| {
            smooth(lab, (file, &[]), "plastic", 0.0, |struck| {
                let a = &struck.audit;
                let off = (a.admissible_after - a.admissible_before).abs();
                let text = format!(
                    "T_c {} → {} J, T_a {} J",
                    six(a.constrained_before),
                    six(clean(a.constrained_after, a.kinetic_before)),
                    six(clean(a.admissible_after, a.kinetic_before))
                );
                (
                    off < EQUAL * a.kinetic_before && a.constrained_after <= a.constrained_before,
                    text,
                )
            })
        })
    };
    FOUR.map(claim).into()
}

/// Round-off of an energy is zero.
fn clean(x: f64, size: f64) -> f64 {
    if x.abs() < EQUAL * size { 0.0 } else { x }
}

fn removal() -> Vec<Claim> {
    const WIDE: Sets<'static> = &[("parameters.width", "1.5 m")];
    let rule = "the generalised momentum is r = W⁺ u⁻, a row is kept if r_i < 0; one pass is the complementarity's answer for two \
                approaching contacts, not always for three or more: carom solves the complementarity and reports both";
    let case =
        |name: &'static str, file: &'static str, sets: Sets<'static>, expected: &'static [bool]| {
            let what = format!("rows without compressive impulse are removed: {name}");
            Claim::words("sec. 2", &what, move |lab| {
                smooth(lab, (file, sets), "plastic", 0.0, |struck| {
                    let notes = &struck.solution.notes;
                    let right = notes.kept == expected && !notes.sets_differ();
                    (right, list(&notes.kept))
                })
            })
            .note(rule)
        };
    vec![
        case("slender block, left and right corner", BLOCK, &[], &[false, true]),
        case("wide block (sin²α > 1/3)", BLOCK, WIDE, &[true, true]),
        case("cradle of three, then two apart", CRADLE, &[], &[true, true, false]),
        case("corner, floor and wall", CORNER, &[], &[true, true]),
        case("biped, stance and swing foot", BIPED, &[], &[false, true]),
    ]
}

fn restitution() -> Vec<Claim> {
    let law = "e* fixes one number, not a direction, for m > 1; the law used is v⁺ = P_a v⁻ − e* P_c v⁻ (`generalised`)";
    let again = "the uniform law leaves the wall, which was parting, closing: it acts a second time, so over both less is given back";
    let claim = |(name, file): (&'static str, &'static str)| {
        let what = format!("e* = √(T_c⁺/T_c⁻): {name}, 0.5 asked for");
        let ours = move |lab: &Lab| {
            let found = smooth(lab, (file, &[]), "generalised", ASKED, |struck| {
                struck.audit.restitution_delivered
            });
            found?.ok_or_else(|| "nothing was struck".to_owned())
        };
        let claim = Claim::formula("sec. 2", &what, "", |_| Ok(ASKED), ours).note(law);
        if file == CORNER { claim.differs(again) } else { claim }
    };
    FOUR.map(claim).into()
}

fn examples() -> Vec<Claim> {
    let sequence = "one after the other (`sequential`), as it is seen; all at once (`newton`) the velocities are −1/3, 2/3, 2/3";
    vec![
        Claim::unstated("rocking block", "part of the rate kept, sticking corners", "", |lab| {
            rough(lab, BLOCK, |struck| struck.velocities[2] / -1.0)
        })
        .note("Housner 1963: 1 − 3/2 sin²α = 0.793103"),
        Claim::unstated("cradle", "speed of the third ball, e = 1", "m/s", |lab| {
            smooth(lab, (CRADLE, &[]), "sequential", 1.0, |struck| struck.velocities[2])
        })
        .note(sequence),
        Claim::unstated("corner", "times the uniform law has to be repeated, e* = 1", "", |lab| {
            smooth(lab, (CORNER, &[]), "generalised", 1.0, |s| s.solution.notes.repeats as f64)
        })
        .note("the uniform law sends the parting wall back into the ball: it acts again"),
        Claim::unstated("biped", "energy lost at the heel strike, sticking feet", "J", |lab| {
            rough(lab, BIPED, |struck| struck.audit.kinetic_before - struck.audit.kinetic_after)
        }),
    ]
}
