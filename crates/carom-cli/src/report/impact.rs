//! The page of an impact by one or several laws.

use carom::impact::Struck;
use carom::report::motion::Mark;
use carom::report::{Block, KeyNumber, Page, Section, Widget};

use super::{PAPERS, key, origin, pair, section, standing, title, warnings};
use crate::commands::impact::Report;
use crate::number::{count, prefixed, six, three};
use crate::table;

/// A velocity, a restitution or an impulse below this, in SI units, is round-off.
const ROUND_OFF: f64 = 1e-12;

/// The text of the page.
pub(crate) fn html(report: &Report<'_>) -> Result<String, String> {
    let opened = report.opened;
    let strike = &report.strike;
    let mark = |p: &carom::impact::StrikePoint| Mark {
        name: p.name.clone(),
        contact: p.contact,
        at: (p.touch.on_a + p.touch.on_b) * 0.5,
        normal: p.touch.normal,
        closing: strike.u.get(p.row).is_some_and(|u| *u < -ROUND_OFF),
    };
    let marks: Vec<Mark> = strike.points.iter().map(mark).collect();
    let data = standing(opened, &marks)?;
    let (question, answer) = lead(report);
    let page = Page {
        title: title(opened),
        kind: "impact",
        question,
        answer,
        numbers: numbers(report),
        warnings: warnings(opened, &report.warnings),
        sections: sections(report),
        data: Some(data),
    };
    Ok(page.html())
}

/// What the laws say that have an answer.
fn answers<'a>(report: &'a Report<'_>) -> Vec<(&'a str, &'a Struck)> {
    let all = report.laws.iter();
    all.filter_map(|(name, answer)| Some((*name, answer.as_ref().ok()?))).collect()
}

/// The least and the greatest of a number over the laws.
fn range(values: impl Iterator<Item = f64>, unit: &str) -> String {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    if !low.is_finite() {
        return "–".to_owned();
    }
    let [low, high] = [low, high].map(|x| if x.abs() < ROUND_OFF { 0.0 } else { x });
    if three(low) == three(high) {
        format!("{} {unit}", six(high))
    } else {
        format!("{} to {} {unit}", three(low), three(high))
    }
}

/// The normal impulses of an answer, point by point.
fn blows<'a>(report: &'a Report<'_>, struck: &'a Struck) -> impl Iterator<Item = f64> + 'a {
    report.strike.points.iter().map(|p| struck.solution.impulses[p.row])
}

fn largest(report: &Report<'_>, struck: &Struck) -> f64 {
    blows(report, struck).fold(0.0, f64::max)
}

fn lead(report: &Report<'_>) -> (String, String) {
    let model = report.opened.model();
    let points = &report.strike.points;
    let question = match points.first() {
        Some(p) if points.iter().all(|q| q.contact == p.contact) => {
            let (striker, struck) = pair(model, p.contact);
            format!("How hard does {striker} hit {struck}?")
        }
        _ => {
            format!("How hard is an impact at {}?", count(points.len(), "point", "points at once"))
        }
    };
    let all = answers(report);
    let blow = range(all.iter().map(|(_, s)| largest(report, s)), "N s");
    let after = range(all.iter().map(|(_, s)| s.audit.kinetic_after), "J");
    let before = all.first().map_or(0.0, |(_, s)| s.audit.kinetic_before);
    let laws = if all.len() == 1 {
        format!("by `{}`", all[0].0)
    } else {
        format!("by {} laws", all.len())
    };
    let answer = format!(
        "With an impulse of {blow} {laws}; of {} of kinetic energy {after} is left.",
        format_args!("{} J", three(before))
    );
    (question, answer)
}

fn numbers(report: &Report<'_>) -> Vec<KeyNumber> {
    let all = answers(report);
    let Some((_, first)) = all.first() else { return Vec::new() };
    let where_ = report.strike.points.iter().enumerate().max_by(|a, b| {
        let of = |k: &usize| first.solution.impulses[report.strike.points[*k].row];
        of(&a.0).total_cmp(&of(&b.0))
    });
    let place = where_.map_or_else(String::new, |(_, p)| format!("at `{}`", p.name));
    let asked: Vec<f64> = report.strike.contacts.iter().map(|c| c.restitution).collect();
    vec![
        key("largest impulse", range(all.iter().map(|(_, s)| largest(report, s)), "N s"), place),
        key(
            "impact energy T_c",
            prefixed(first.audit.constrained_before, "J"),
            "of the rows struck, before",
        ),
        key(
            "restitution delivered e*",
            range(all.iter().filter_map(|(_, s)| s.audit.restitution), ""),
            format!("asked for {}", range(asked.into_iter(), "").trim()),
        ),
        key(
            "kinetic energy after",
            range(all.iter().map(|(_, s)| s.audit.kinetic_after), "J"),
            format!("of {} before", format_args!("{} J", six(first.audit.kinetic_before))),
        ),
    ]
}

fn sections(report: &Report<'_>) -> Vec<Section> {
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
        table::impact::grid(report).sheet("velocities, impulses and audit by each law", &[]),
    )];
    for (name, answer) in &report.laws {
        if let Err(why) = answer {
            blocks.push(Block::Text(format!("`{name}` refuses: {why}")));
        }
    }
    out.push(section("laws", "The laws side by side", blocks));
    let method = vec![
        "M (v⁺ − v⁻) = Aᵀp + Dᵀσ: positions stay, velocities jump; in contact space u⁺ = u⁻ + W p with W = A Y Aᵀ.".to_owned(),
        "Newton: u⁺ ≥ −e u⁻ with complementarity; Poisson: restitution by impulses; energetic: by work (Stronge); generalised: 003; sequential: \
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
    out.push(origin(report.opened, report.sets, None));
    out
}
