//! All laws on one sheet, and the figures of seed 001.

use carom::contact::catalogue::LAWS;
use carom::contact::impact1d::Impact1D;
use carom::contact::law::{Entry, Indentation, LawError, Settings};

use super::axis::Axis;
use super::history::{Track, history};
use super::legend::{self, ROW, legend};
use super::look::{GUIDE, look};
use super::panel::{Curve, Panel};
use super::{Area, Drawn, WIDTH, mm, paper, sheet, write};

/// The restitution at which loops are compared.
const LOOPS_AT: f64 = 0.5;
/// Moments of a loop.
const SAMPLES: usize = 241;
/// Curves that nowhere differ by more than this are one.
const SAME: f64 = 1e-6;

/// Heights \[mm\].
const HEAD: f64 = 9.0;
const LARGE: f64 = 92.0;
const SMALL: f64 = 66.0;
const NOTES: f64 = 78.0;

/// Laws with one and the same curve.
struct Group {
    names: Vec<&'static str>,
    points: Vec<(f64, f64)>,
}

impl Group {
    /// `flores = ye`.
    fn name(&self) -> String {
        self.names.join(" = ")
    }
}

/// The sheet as SVG.
pub(crate) fn draw() -> Result<String, String> {
    let explain = |error: LawError| error.to_string();
    let loops = grouped(looped).map_err(explain)?;
    let delivered = grouped(|entry| paper::delivered(entry.name)).map_err(explain)?;
    let rows = loops.len().max(delivered.len() + 1);
    let legend_height = rows as f64 * ROW + 4.0;
    let figures = [
        ("Fig. 1: Hooke", paper::hooke().map_err(explain)?),
        ("Fig. 2: Hertz", paper::hertz().map_err(explain)?),
        ("Fig. 3: Kelvin-Voigt", paper::kelvin_voigt().map_err(explain)?),
    ];
    let fig_4 = paper::damped().map_err(explain)?;
    let fig_7d = paper::figure_7d().map_err(explain)?;
    let count = figures.len() as f64 + 1.0;
    let height = HEAD + LARGE + legend_height + count * SMALL + ROW + 2.0 + NOTES;
    sheet(height, |area| {
        let (head, rest) = area.split_vertically(mm(HEAD));
        write(&head, "Contact laws: what they are asked for and what they do", (4.0, 5.5), 4.0)?;
        let (top, rest) = rest.split_vertically(mm(LARGE + legend_height));
        compared(&top, &delivered, &loops)?;
        let mut rest = rest;
        for (title, tracks) in &figures {
            rest = one_figure(&rest, title, tracks)?;
        }
        rest = one_figure(&rest, "Fig. 4: three laws with hysteresis, c_r = 0.8", &fig_4)?;
        let (names, last) = rest.split_vertically(mm(ROW + 2.0));
        legend(&names.margin(0, 0, mm(18.0), 0), &paper::three(), 1, 55.0)?;
        seventh(&last, &fig_7d)
    })
}

/// Panels a and b with their legends.
fn compared(area: &Area<'_>, delivered: &[Group], loops: &[Group]) -> Drawn {
    let kinds = kinds(delivered, loops);
    let looks = |groups: &[Group]| -> Vec<legend::Entry> {
        let kind =
            |group: &Group| kinds.iter().position(|kind| kind.first() == group.names.first());
        groups.iter().map(|group| (look(kind(group).unwrap_or(0)), group.name())).collect()
    };
    let curves = |groups: &[Group]| -> Vec<Curve> {
        let curve = |(group, (look, _)): (&Group, legend::Entry)| Curve {
            points: group.points.clone(),
            look,
        };
        groups.iter().zip(looks(groups)).map(curve).collect()
    };
    let (left, right) = area.split_horizontally(mm(0.5 * WIDTH));
    let (panel, names) = left.split_vertically(mm(LARGE));
    let [x, y] = paper::restitutions();
    let mut all = vec![paper::diagonal()];
    all.extend(curves(delivered));
    Panel { title: "(a) restitution asked for and delivered", x: &x, y: &y, curves: &all }
        .draw(&panel)?;
    let mut entries = looks(delivered);
    entries.push((GUIDE, "delivered as asked".to_owned()));
    legend(&names.margin(mm(2.0), 0, mm(3.0), 0), &entries, entries.len(), 0.0)?;

    let (panel, names) = right.split_vertically(mm(LARGE));
    let values = |pick: fn(&(f64, f64)) -> f64| {
        loops.iter().flat_map(move |group| group.points.iter().map(pick))
    };
    let x = normalised("indentation δ / δ_el", values(|p| p.0));
    let y = normalised("force F / F_el", values(|p| p.1));
    let title = "(b) force over indentation at e = 0.5";
    Panel { title, x: &x, y: &y, curves: &curves(loops) }.draw(&panel)?;
    legend(&names.margin(mm(2.0), 0, mm(8.0), 0), &looks(loops), loops.len(), 0.0)
}

/// Laws that are the same in both panels: each such set has a look of its own.
fn kinds(delivered: &[Group], loops: &[Group]) -> Vec<Vec<&'static str>> {
    let common = |a: &Group, b: &Group| -> Vec<&'static str> {
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
fn seventh(area: &Area<'_>, (curves, entries): &(Vec<Curve>, Vec<legend::Entry>)) -> Drawn {
    let (left, right) = area.split_horizontally(mm(0.5 * WIDTH));
    let [x, y] = paper::restitutions();
    let title = "Fig. 7d: restitution asked for and delivered";
    Panel { title, x: &x, y: &y, curves }.draw(&left)?;
    let (names, notes) = right.split_vertically(mm(entries.len() as f64 * ROW + 6.0));
    legend(&names.margin(mm(4.0), 0, mm(5.0), 0), entries, entries.len(), 0.0)?;
    for (k, line) in paper::notes().iter().enumerate() {
        write(&notes, line, (5.0, 2.0 + 3.7 * k as f64), 2.6)?;
    }
    Ok(())
}

/// The curves of all laws that take a restitution; equal ones are one.
fn grouped(
    points: impl Fn(&'static Entry) -> Result<Vec<(f64, f64)>, LawError>,
) -> Result<Vec<Group>, LawError> {
    let mut out: Vec<Group> = Vec::new();
    // `exact` first, so that others are said to be equal to it.
    let all = || LAWS.iter().filter(|entry| entry.restitution.is_some());
    let is_exact = |entry: &&&'static Entry| entry.name == "exact";
    for entry in all().filter(|e| is_exact(&e)).chain(all().filter(|e| !is_exact(&e))) {
        let points = points(entry)?;
        match out.iter_mut().find(|group| same(&group.points, &points)) {
            Some(group) => group.names.push(entry.name),
            None => out.push(Group { names: vec![entry.name], points }),
        }
    }
    Ok(out)
}

fn same(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let near = |x: f64, y: f64| (x - y).abs() <= SAME;
    a.len() == b.len() && a.iter().zip(b).all(|(p, q)| near(p.0, q.0) && near(p.1, q.1))
}

/// F/F_el over δ/δ_el.
fn looped(entry: &'static Entry) -> Result<Vec<(f64, f64)>, LawError> {
    let settings =
        Settings { stiffness: Some(1.0), restitution: Some(LOOPS_AT), ..Settings::default() };
    let law = entry.make(&settings)?;
    let impact = Impact1D::new(law.as_ref(), 1.0, 1.0)?;
    let depth = law.elastic_depth(0.5, impact.onset()).unwrap_or(1.0);
    let force = law.force(&Indentation { delta: depth, delta_dot: 0.0 }, impact.onset());
    Ok(impact.curve(SAMPLES).iter().map(|s| (s.delta / depth, s.force / force)).collect())
}
