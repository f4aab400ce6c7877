//! The page of a robot near a person.

use carom::Machine;
use carom::answer::robot::NearAnswer;
use carom::report::{Block, KeyNumber, Page, Section};

use super::tip as tip_page;
use super::{cautions, key, origin, section, title};
use crate::number::{percent, with_unit};
use crate::table::{near, tip};

/// What is drawn beside the picture.
pub(crate) struct Drawn {
    /// The strip chart of a path.
    pub strip: Option<String>,
    /// Over the reach, if that was asked for.
    pub reach: Option<String>,
}

/// The text of the page; `machine` stands in the pose of the answer.
pub(crate) fn html(
    machine: &Machine,
    answer: &NearAnswer,
    drawn: Drawn,
    command: Option<&str>,
) -> Result<String, String> {
    let data = tip_page::picture(machine, &answer.robot)?;
    let head = &answer.robot.head;
    let mut warnings = cautions(head, &answer.cautions);
    warnings.extend(tip_page::lacking(machine, &answer.robot));
    let page = Page {
        title: title(head),
        kind: "near",
        question: format!("How fast may `{}` move near a person?", answer.robot.tip),
        answer: format!("{} This is a {}.", answer.sentence, answer.standing),
        numbers: numbers(answer),
        warnings,
        sections: sections(machine, answer, drawn, command),
        data: Some(data),
    };
    Ok(page.html())
}

/// The static push and the joint that limits it.
fn pushed(answer: &NearAnswer) -> KeyNumber {
    let at = answer.static_push_sample.map_or_else(String::new, |k| format!("sample {k}, "));
    let by = answer.static_push_by.as_ref();
    let note =
        by.map_or_else(|| answer.push_unknown.clone(), |by| format!("{at}until `{by}` gives way"));
    let force = answer.static_push.map_or_else(|| "unknown".to_owned(), |f| with_unit(f, "N"));
    key("static push", force, note)
}

fn numbers(answer: &NearAnswer) -> Vec<KeyNumber> {
    let used = with_unit(answer.robot.robot_mass(), "kg");
    let mut out = vec![pushed(answer), key("robot mass m_R", used, "the one that is used")];
    if let Some(path) = answer.worst_path() {
        let note = format!("`{}`, sample {}, `{}`", path.point, path.greatest_at, path.greatest_in);
        out.push(key("largest force / limit", percent(path.greatest_utilisation), note));
        out.push(key("stretches that are too fast", path.slow.len().to_string(), "see below"));
        return out;
    }
    let slowest = |of: fn(&carom::answer::robot::RegionAnswer) -> Option<f64>| {
        let all = answer.regions.iter().filter_map(|r| of(r).map(|v| (v, r.region.clone())));
        all.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    if let Some((v, region)) = slowest(|r| r.speed_clamped) {
        out.push(key("v_max, clamped", with_unit(v, "m/s"), format!("`{region}`, quasi-static")));
    }
    if let Some((v, region)) = slowest(|r| r.speed_free) {
        out.push(key("v_max, free", with_unit(v, "m/s"), format!("`{region}`, transient")));
    }
    out
}

fn sections(
    machine: &Machine,
    answer: &NearAnswer,
    drawn: Drawn,
    command: Option<&str>,
) -> Vec<Section> {
    let Drawn { strip, reach } = drawn;
    let mut out = Vec::new();
    if let (Some(path), Some(svg)) = (&answer.path, strip) {
        let caption = "Speed of the tip and the speed that all regions allow; predicted force divided by its limit in the region that governs; \
                       robot mass along the motion.";
        let mut blocks = vec![Block::Figure { svg, caption: caption.to_owned() }];
        let all = answer.path.iter().chain(&answer.other_paths);
        for slow in all.filter(|p| !p.slow.is_empty()) {
            blocks.push(Block::Text(format!("Too fast at `{}`:", slow.point)));
            blocks.push(Block::Table(near::slow(slow).sheet("where the path is too fast", &[])));
        }
        let worst = near::worst(answer).sheet("the worst sample of every region", &[]);
        blocks.extend([Block::Text(near::heading(path)), Block::Table(worst)]);
        out.push(section("path", "The path", blocks));
    }
    let robot = &answer.robot;
    let masses = tip::masses(robot);
    out.extend([
        section(
            "regions",
            "By body region",
            vec![
                Block::Text(near::limits(answer)),
                Block::Table(near::regions(answer).sheet("regions of the body", &[])),
            ],
        ),
        section(
            "masses",
            "Three robot masses",
            vec![Block::Table(masses.sheet("the robot mass by three definitions", &[]))],
        ),
        tip_page::posed(robot),
    ]);
    out.extend(tip_page::reach(robot, reach));
    let method = vec![
        "μ = 1/(1/m_H + 1/m_R) and v_max = min(F, p A)/√(μ k) (ISO/TS 15066, now in ISO 10218-2:2025): T_c = ½ μ v² may not exceed F²/(2k).".to_owned(),
        "A clamped person cannot give way: m_H → ∞, judged by the quasi-static limits. A free one is judged by the transient limits.".to_owned(),
        "The static push is the least of effort / |J_n| over the joints, without gravity.".to_owned(),
        "The pressure form holds for an area of about 1 cm².".to_owned(),
        format!("This is a {}.", answer.standing),
    ];
    out.push(section("method", "How it was computed", vec![Block::List(method)]));
    out.push(origin(&robot.head, &machine.fingerprint(), command));
    out
}
