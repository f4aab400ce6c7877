//! All laws on one sheet, and the figures of Moreira et al.

use carom::answer::laws::{LawGroup, LawSheet};

use super::axis::Axis;
use super::history::{Track, history};
use super::legend::{self, ROW, legend};
use super::look::{GUIDE, PLAIN, look};
use super::panel::{Curve, Panel};
use super::{Area, Drawn, WIDTH, mm, paper, sheet, write};

/// Heights \[mm\].
const HEAD: f64 = 9.0;
const LARGE: f64 = 92.0;
const SMALL: f64 = 66.0;
const NOTES: f64 = 78.0;
/// Panel b shows errors of the restitution up to this one.
const NEAR: f64 = 0.08;

/// `flores = ye`.
fn name(group: &LawGroup) -> String {
    group.names.join(" = ")
}

/// The sheet as SVG.
pub(crate) fn draw() -> Result<String, String> {
    let LawSheet { delivered, loops, figures, figure_7d, effective_mass } =
        LawSheet::new().map_err(|error| error.to_string())?;
    let count = figures.len() as f64;
    let laws = 2.0 * LARGE + legend_height(&delivered);
    let height = HEAD + laws + count * SMALL + ROW + 2.0 + NOTES;
    sheet(height, |area| {
        let (head, rest) = area.split_vertically(mm(HEAD));
        write(&head, "Contact laws: what they are asked for and what they do", (4.0, 5.5), 4.0)?;
        let (top, rest) = rest.split_vertically(mm(laws));
        compared(&top, &delivered, &loops)?;
        let mut rest = rest;
        for (title, curves) in &figures {
            // One law is drawn plainly, several have looks of their own.
            let one = curves.len() == 1;
            let look = |k: usize| if one { PLAIN } else { look(k) };
            let track = |(k, samples)| Track { samples, look: look(k) };
            let tracks: Vec<Track> = curves.iter().cloned().enumerate().map(track).collect();
            rest = one_figure(&rest, title, &tracks)?;
        }
        let (names, last) = rest.split_vertically(mm(ROW + 2.0));
        legend(&names.margin(0, 0, mm(18.0), 0), &paper::names(&figure_7d), 1, 55.0)?;
        seventh(&last, &figure_7d, effective_mass)
    })
}

/// Panels a to c with their legends: what a law delivers beyond what is asked, all laws and those near zero, and the loops.
fn compared(area: &Area<'_>, delivered: &[LawGroup], loops: &[LawGroup]) -> Drawn {
    let kinds = kinds(delivered, loops);
    let looks = |groups: &[LawGroup]| -> Vec<legend::Entry> {
        let kind =
            |group: &LawGroup| kinds.iter().position(|kind| kind.first() == group.names.first());
        groups.iter().map(|group| (look(kind(group).unwrap_or(0)), name(group))).collect()
    };
    let (first, rest) = area.split_vertically(mm(LARGE));
    let (names, second) = rest.split_vertically(mm(legend_height(delivered)));

    let x = Axis::plain("restitution asked for", 0.0, 1.0);
    let errors: Vec<Vec<(f64, f64)>> = delivered.iter().map(error).collect();
    let all: Vec<f64> = errors.iter().flatten().map(|point| point.1).collect();
    let whole = Axis::over("delivered − asked", &all);
    let near = Axis::plain("delivered − asked", -NEAR, NEAR);
    let (left, right) = first.split_horizontally(mm(0.5 * WIDTH));
    let panels = [
        (left, &whole, "(a) restitution delivered less the one asked for"),
        (right, &near, "(b) the same, enlarged"),
    ];
    for (place, y, title) in panels {
        let inside = |p: &&(f64, f64)| (y.low..=y.high).contains(&p.1);
        let curve = |(points, (look, _)): (&Vec<(f64, f64)>, legend::Entry)| Curve {
            points: points.iter().filter(inside).copied().collect(),
            look,
        };
        let mut curves = vec![Curve { points: vec![(0.0, 0.0), (1.0, 0.0)], look: GUIDE }];
        curves.extend(errors.iter().zip(looks(delivered)).map(curve));
        Panel { title, x: &x, y, curves: &curves }.draw(&place)?;
    }
    let mut entries = looks(delivered);
    entries.push((GUIDE, "delivered as asked".to_owned()));
    let rows = entries.len().div_ceil(2);
    legend(&names.margin(mm(2.0), 0, mm(3.0), 0), &entries, rows, 0.5 * WIDTH)?;

    let values = |pick: fn(&(f64, f64)) -> f64| {
        loops.iter().flat_map(move |group| group.points.iter().map(pick))
    };
    let x = normalised("indentation δ / δ_el", values(|p| p.0));
    let y = normalised("force F / F_el", values(|p| p.1));
    let (left, right) = second.split_horizontally(mm(0.5 * WIDTH));
    let curve = |(group, (look, _)): (&LawGroup, legend::Entry)| Curve {
        points: group.points.clone(),
        look,
    };
    let curves: Vec<Curve> = loops.iter().zip(looks(loops)).map(curve).collect();
    Panel { title: "(c) force over indentation at e = 0.5", x: &x, y: &y, curves: &curves }
        .draw(&left)?;
    legend(&right.margin(mm(8.0), 0, mm(8.0), 0), &looks(loops), loops.len(), 0.0)
}

/// What a law delivers beyond what it is asked for, over what it is asked for.
fn error(group: &LawGroup) -> Vec<(f64, f64)> {
    group.points.iter().map(|(asked, delivered)| (*asked, delivered - asked)).collect()
}

/// The height of the legend of panels a and b \[mm\], which has two columns.
fn legend_height(delivered: &[LawGroup]) -> f64 {
    (delivered.len() + 1).div_ceil(2) as f64 * ROW + 6.0
}

/// Laws that are the same in both panels: each such set has a look of its own.
fn kinds(delivered: &[LawGroup], loops: &[LawGroup]) -> Vec<Vec<&'static str>> {
    let common = |a: &LawGroup, b: &LawGroup| -> Vec<&'static str> {
        a.names.iter().filter(|name| b.names.contains(name)).copied().collect()
    };
    let pairs = delivered.iter().flat_map(|a| loops.iter().map(move |b| common(a, b)));
    pairs.filter(|names| !names.is_empty()).collect()
}

/// An axis of ratios.
fn normalised(label: &str, values: impl Iterator<Item = f64>) -> Axis {
    let axis = Axis::of(label, "", values);
    let (low, high) = (axis.low * axis.factor, axis.high * axis.factor);
    Axis::plain(label, low, high)
}

/// Draws a figure of the paper and gives the rest of the sheet.
fn one_figure<'a>(area: &Area<'a>, title: &str, tracks: &[Track]) -> Result<Area<'a>, String> {
    let (here, rest) = area.split_vertically(mm(SMALL));
    history(&here, [title, "force over indentation"], tracks)?;
    Ok(rest)
}

/// Fig. 7d on the left, what all figures show on the right.
fn seventh(area: &Area<'_>, laws: &[LawGroup], effective_mass: f64) -> Drawn {
    let (curves, entries) = paper::figure_7d(laws);
    let (left, right) = area.split_horizontally(mm(0.5 * WIDTH));
    let [x, y] = paper::restitutions();
    let title = "Fig. 7d: restitution asked for and delivered";
    Panel { title, x: &x, y: &y, curves: &curves }.draw(&left)?;
    let (names, notes) = right.split_vertically(mm(entries.len() as f64 * ROW + 6.0));
    legend(&names.margin(mm(4.0), 0, mm(5.0), 0), &entries, entries.len(), 0.0)?;
    for (k, line) in paper::notes(effective_mass).iter().enumerate() {
        write(&notes, line, (5.0, 2.0 + 3.7 * k as f64), 2.6)?;
    }
    Ok(())
}
