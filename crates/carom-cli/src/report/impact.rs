//! The page of an impact by one or several laws.

use carom::Machine;
use carom::answer::{ImpactAnswer, StruckAnswer};
use carom::report::{Block, KeyNumber, Page, Section, Widget};

use super::{PAPERS, cautions, key, origin, section, title};
use crate::number::{count, prefixed, six, three, with_unit};
use crate::table;

/// The text of the page; the command that made it is none of another front end.
pub(crate) fn html(
    machine: &Machine,
    answer: &ImpactAnswer,
    command: Option<&str>,
) -> Result<String, String> {
    let data = machine.impact_picture(answer).map_err(|error| error.to_string())?;
    let (question, sentence) = lead(answer);
    let page = Page {
        title: title(&answer.head),
        kind: "impact",
        question,
        answer: sentence,
        numbers: numbers(answer),
        warnings: cautions(&answer.head, &answer.cautions),
        sections: sections(machine, answer, command),
        data: Some(data),
    };
    Ok(page.html())
}

/// The least and the greatest of a number over the laws.
fn range(values: impl Iterator<Item = f64>, unit: &str) -> String {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if !low.is_finite() {
        return "–".to_owned();
    }
    if three(low) == three(high) {
        with_unit(high, unit)
    } else {
        format!("{} to {}", three(low), with_digits(high, unit))
    }
}

fn with_digits(x: f64, unit: &str) -> String {
    if unit.is_empty() { three(x) } else { format!("{} {unit}", three(x)) }
}

/// The largest normal impulse of a law; zero where none acts.
fn largest(answer: &ImpactAnswer, struck: &StruckAnswer) -> f64 {
    answer.hardest(struck).map_or(0.0, |(_, impulse)| impulse)
}

fn lead(answer: &ImpactAnswer) -> (String, String) {
    let points = &answer.contacts;
    let question = match points.first() {
        Some(p) if points.iter().all(|q| q.contact == p.contact) => {
            let (striker, struck) = p.sides.quoted();
            format!("How hard does {striker} hit {struck}?")
        }
        _ => {
            format!("How hard is an impact at {}?", count(points.len(), "point", "points at once"))
        }
    };
    let all: Vec<&StruckAnswer> = answer.answered().collect();
    let blow = range(all.iter().map(|s| largest(answer, s)), "N s");
    let after = range(all.iter().map(|s| s.audit.kinetic_after), "J");
    let before = all.first().map_or(0.0, |s| s.audit.kinetic_before);
    let laws = match all.as_slice() {
        [one] => format!("by `{}`", one.law),
        all => format!("by {} laws", all.len()),
    };
    let sentence = format!(
        "With an impulse of {blow} {laws}; of {} J of kinetic energy {after} is left.",
        three(before)
    );
    (question, sentence)
}

fn numbers(answer: &ImpactAnswer) -> Vec<KeyNumber> {
    let all: Vec<&StruckAnswer> = answer.answered().collect();
    let Some(first) = all.first() else { return Vec::new() };
    let place = answer.hardest(first).map_or_else(String::new, |(p, _)| format!("at `{}`", p.name));
    let asked = range(answer.contacts.iter().map(|p| p.restitution), "");
    vec![
        key("largest impulse", range(all.iter().map(|s| largest(answer, s)), "N s"), place),
        key(
            "impact energy T_c",
            prefixed(first.audit.constrained_before, "J"),
            "of the rows struck, before",
        ),
        key(
            "restitution delivered e*",
            range(all.iter().filter_map(|s| s.audit.restitution_delivered), ""),
            format!("asked for {asked}"),
        ),
        key(
            "kinetic energy after",
            range(all.iter().map(|s| s.audit.kinetic_after), "J"),
            format!("of {} J before", six(first.audit.kinetic_before)),
        ),
    ]
}

fn sections(machine: &Machine, answer: &ImpactAnswer, command: Option<&str>) -> Vec<Section> {
    let mut out = vec![section(
        "picture",
        "The pose",
        vec![
            Block::Widget(Widget::Picture),
            Block::Text(
                "Dashed: the normals of the contacts. An arrow where they close.".to_owned(),
            ),
        ],
    )];
    let mut blocks = vec![Block::Table(
        table::impact::grid(answer).sheet("velocities, impulses and audit by each law", &[]),
    )];
    for (law, why) in answer.refusals() {
        blocks.push(Block::Text(format!("`{law}` refuses: {why}")));
    }
    out.push(section("laws", "The laws side by side", blocks));
    let method = vec![
        "M (v⁺ − v⁻) = Aᵀp + Dᵀσ: positions stay, velocities jump; in contact space u⁺ = u⁻ + W p with W = A Y Aᵀ.".to_owned(),
        "Newton: u⁺ ≥ −e u⁻ with complementarity; Poisson: restitution by impulses; energetic: by work (Stronge); generalised: Modarres Najafabadi et al.; sequential: \
         one contact after the other; plastic: e = 0."
            .to_owned(),
        "The audit recomputes energies and momentum from the velocities: contact work is ½ pᵀ(u⁺ + u⁻), and the residual of the \
         momentum balance is round-off."
            .to_owned(),
        "Bodies are rigid and joints ideal. The impact takes no time.".to_owned(),
    ];
    out.push(section(
        "method",
        "How it was computed",
        vec![Block::List(method), Block::Text(PAPERS.to_owned())],
    ));
    out.push(origin(&answer.head, &machine.fingerprint(), command));
    out
}
