//! The page of a robot's tip.

use carom::Machine;
use carom::answer::robot::TipAnswer;
use carom::report::{Block, KeyNumber, Page, Section, Widget};

use super::{cautions, key, origin, section, title};
use crate::number::{prefixed, vector, with_unit};
use crate::table::tip;

/// The text of the page; `machine` stands in the pose of the answer.
pub(crate) fn html(
    machine: &Machine,
    answer: &TipAnswer,
    svg: String,
    command: Option<&str>,
) -> Result<String, String> {
    let data = machine.picture().map_err(|error| error.to_string())?;
    let page = Page {
        title: title(&answer.head),
        kind: "tip",
        question: format!("How heavy is the tip `{}`?", answer.tip),
        answer: answer.sentence.clone(),
        numbers: numbers(answer),
        warnings: cautions(&answer.head, &answer.cautions),
        sections: sections(machine, answer, svg, command),
        data: Some(data),
    };
    Ok(page.html())
}

/// The key numbers of a tip.
pub(super) fn numbers(answer: &TipAnswer) -> Vec<KeyNumber> {
    let planar = tip::planar(answer);
    let mut out = Vec::new();
    let ends = [("lightest", answer.principal.first()), ("heaviest", answer.principal.last())];
    for (name, found) in ends.into_iter().filter_map(|(name, d)| d.map(|d| (name, d))) {
        let note = format!("m_eff along {}", vector(planar, &found.direction));
        out.push(key(name, with_unit(found.effective_mass, "kg"), note));
    }
    let note = "half the moving mass and the payload (ISO/TS 15066)";
    out.push(key("the standard's constant", with_unit(answer.standard_mass, "kg"), note));
    if let (Some(v), Some(energy)) = (answer.tip_speed, answer.impact_energy) {
        let note =
            format!("at {} along {}", with_unit(v, "m/s"), vector(planar, &answer.along.direction));
        out.push(key("impact energy T_c", prefixed(energy, "J"), note));
    }
    out
}

fn sections(
    machine: &Machine,
    answer: &TipAnswer,
    svg: String,
    command: Option<&str>,
) -> Vec<Section> {
    let p = with_unit_vector(answer);
    let caption = "m_eff over the directions: the half of the sphere with z ≥ 0 in Lambert's equal-area projection (m_eff is the same \
                   along −n), and cuts along the world's planes. Grey: nothing moves, or outside the sphere.";
    let masses = tip::masses(answer);
    let mut out = vec![
        section(
            "picture",
            "The pose",
            vec![
                Block::Widget(Widget::Picture),
                Block::Text(format!("The tip `{}` stands at {p}.", answer.tip)),
            ],
        ),
        section(
            "directions",
            "Every direction",
            vec![
                Block::Figure { svg, caption: caption.to_owned() },
                Block::Table(tip::directions(answer).sheet("m_eff along directions", &[])),
            ],
        ),
        section(
            "masses",
            "Three robot masses",
            vec![Block::Table(masses.sheet("the robot mass by three definitions", &[]))],
        ),
        section(
            "inertia",
            "Λ⁻¹ and what it is made of",
            vec![
                Block::Table(tip::matrix(answer).sheet("Λ⁻¹ in world axes, 1/kg", &[])),
                Block::Table(
                    tip::shares(answer).sheet("what m_eff along the direction is made of", &[]),
                ),
            ],
        ),
    ];
    let method = vec![
        "Λ⁻¹ = J Y Jᵀ, with J from joint velocities to the tip's velocity and Y the mobility under closures and locked joints (M⁻¹ of a tree): \
         the inverse of the operational-space inertia (Khatib 1987)."
            .to_owned(),
        "m_eff along n is 1 / (nᵀ Λ⁻¹ n); its extremes over all directions lie along the eigenvectors of Λ⁻¹.".to_owned(),
        "m_eff is homogeneous of degree one in all inertias, so it is the sum of inertia times slope over bodies, rotors and payload.".to_owned(),
        "Bodies are rigid and joints ideal; compliance in a gear or a link would lower the effective mass.".to_owned(),
    ];
    out.push(section("method", "How it was computed", vec![Block::List(method)]));
    out.push(origin(&answer.head, &machine.fingerprint(), command));
    out
}

/// The place of the tip.
fn with_unit_vector(answer: &TipAnswer) -> String {
    format!("{} m", vector(tip::planar(answer), &answer.tip_position))
}
