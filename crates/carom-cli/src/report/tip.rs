//! The page of a robot's tip.

use carom::Machine;
use carom::answer::robot::TipAnswer;
use carom::report::{Block, KeyNumber, Page, Section, Widget};

use super::{cautions, key, origin, section, title};
use crate::number::{percent, prefixed, three, vector, with_unit};
use crate::table::tip;

/// What is drawn beside the picture.
pub(crate) struct Drawn {
    /// m_eff over the directions.
    pub directions: String,
    /// Over the reach, if that was asked for.
    pub reach: Option<String>,
}

/// The machine in the pose of an answer, with the skin on it if there is one.
pub(super) fn picture(machine: &Machine, answer: &TipAnswer) -> Result<serde_json::Value, String> {
    let data = match &answer.skin {
        Some(skin) => machine.skin_picture(skin),
        None => machine.picture(),
    };
    data.map_err(|error| error.to_string())
}

/// What a reader has to know: cautions of the answer, and what its maps and the picture lack.
pub(super) fn lacking(machine: &Machine, answer: &TipAnswer) -> Vec<String> {
    if let Some(skin) = &answer.skin {
        return cautions(&answer.head, &skin.cautions);
    }
    let missing = machine.missing_meshes();
    missing.iter().map(|why| format!("warning: a mesh is not drawn: {why}")).collect()
}

/// The picture with its legend, and the worst points of a skin.
pub(super) fn posed(answer: &TipAnswer) -> Section {
    let p = format!("{} m", vector(tip::planar(answer), &answer.tip_position));
    let mut blocks = vec![
        Block::Widget(Widget::Picture),
        Block::Text(format!("The tip `{}` stands at {p}.", answer.tip)),
    ];
    let Some(skin) = &answer.skin else { return section("picture", "The pose", blocks) };
    blocks.push(Block::Text(format!(
        "{} Colours show {} points about {} apart, each along its outward normal; grey does not move. \
         The colours leave out the extreme fiftieth at each end and all beyond 30 times the median or a thirtieth of it: ≥ and ≤ mark such an end. Numbers mark the worst points.",
        skin.sentence,
        skin.visible,
        three(skin.spacing * 1e3) + " mm"
    )));
    let caption = tip::worst_heading(skin);
    blocks.push(Block::Table(tip::worst(skin).sheet(&caption, &[])));
    blocks.push(Block::Text(format!("Ranked by {}.", skin.ranked_by)));
    section("picture", "The skin", blocks)
}

/// The reach in slices.
pub(super) fn reach(answer: &TipAnswer, sheet: Option<String>) -> Option<Section> {
    let (found, svg) = answer.workspace.as_ref().zip(sheet)?;
    let caption = "Slices of equal height through the reach of the tip. A cell shows the extreme over all poses that reach it, with the joints in their ranges; \
                   grey cells were not reached. All slices share their colours, which leave out the extreme fiftieth at each end.";
    let mut blocks = vec![
        Block::Text(found.sentence.clone()),
        Block::Figure { svg, caption: caption.to_owned() },
        Block::Table(tip::ranges(found).sheet("joints that were moved", &[])),
    ];
    if !found.held_joints.is_empty() {
        blocks.push(Block::Text(format!("Held: {}.", found.held_joints.join(", "))));
    }
    Some(section("reach", "Over the workspace", blocks))
}

/// The text of the page; `machine` stands in the pose of the answer.
pub(crate) fn html(
    machine: &Machine,
    answer: &TipAnswer,
    drawn: Drawn,
    command: Option<&str>,
) -> Result<String, String> {
    let data = picture(machine, answer)?;
    let mut warnings = cautions(&answer.head, &answer.cautions);
    warnings.extend(lacking(machine, answer));
    let page = Page {
        title: title(&answer.head),
        kind: "tip",
        question: format!("How heavy is the tip `{}`?", answer.tip),
        answer: answer.sentence.clone(),
        numbers: numbers(answer),
        warnings,
        sections: sections(machine, answer, drawn, command),
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
    if let Some(first) = answer.shares.first() {
        let note = format!("of m_eff along {}", vector(planar, &answer.along.direction));
        out.push(key(&format!("most of it: {}", first.part), percent(first.share), note));
    }
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
    drawn: Drawn,
    command: Option<&str>,
) -> Vec<Section> {
    let Drawn { directions: svg, reach: sheet } = drawn;
    let caption = "m_eff over the directions: the half of the sphere with z ≥ 0 in Lambert's equal-area projection (m_eff is the same \
                   along −n), and cuts along the world's planes. Grey: nothing moves, or outside the sphere.";
    let masses = tip::masses(answer);
    let mut out = vec![
        posed(answer),
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
    out.extend(reach(answer, sheet));
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
