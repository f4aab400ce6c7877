//! A study on a sheet: curves over the main variable and the correlation with energies, or maps of two variables.

use carom::answer::study::StudyReading;

use super::axis::Axis;
use super::legend::{Entry, ROW, legend};
use super::look::{GUIDE, Look, look};
use super::map::{Field, maps};
use super::panel::{Curve, Panel};
use super::{Area, Drawn, WIDTH, mm, sheet, write};
use crate::number::{percent, plain};

/// Height of the panels \[mm\].
const PANELS: f64 = 88.0;
/// Height of the panels of a sample \[mm\], how many stand beside each other, and how many variables are drawn.
const SAMPLED: f64 = 56.0;
const ACROSS: usize = 3;
const MOST_PANELS: usize = 11;
/// Height of the heading \[mm\].
const HEAD: f64 = 7.0;
/// Layout: more marks than this are a blot.
const MOST_MARKS: usize = 1500;

/// The sheet as SVG.
pub(crate) fn draw(report: &StudyReading) -> Result<String, String> {
    if let Some(fields) = fields(report) {
        return maps(&title(report), &fields);
    }
    if report.has_many_axes() {
        return many(report);
    }
    if !report.is_grid() && numeric(report).len() > 1 {
        return sampled(report);
    }
    let entries = entries(report);
    let columns = if entries.iter().all(|(_, name)| name.chars().count() < 30) { 3 } else { 2 };
    let rows = entries.len().div_ceil(columns);
    let height = HEAD + PANELS + 3.0 + rows as f64 * ROW;
    sheet(height, |area| {
        let (head, rest) = area.split_vertically(mm(HEAD));
        write(&head, &title(report), (4.0, 0.6 * HEAD), 3.2)?;
        let (panels_area, foot) = rest.split_vertically(mm(PANELS + 1.0));
        panels(report, &panels_area)?;
        let foot = foot.margin(0, 0, mm(16.0), mm(2.0));
        legend(&foot, &entries, rows, (WIDTH - 20.0) / columns as f64)
    })
}

fn title(report: &StudyReading) -> String {
    let all = report.study.design.points();
    let good = all - report.rows.failed.len() as u64 - report.rows.missing;
    let points = if good == all { all.to_string() } else { format!("{good} of {all}") };
    let title = if report.title().is_empty() { &report.folder } else { report.title() };
    let contact = format!("contact {}, {points} points", report.study.contact);
    plain(&if title.is_empty() { contact } else { format!("{title}: {contact}") })
}

/// The energies of the study, as positions of measures.
fn energies(report: &StudyReading) -> Vec<usize> {
    let mut found: Vec<usize> = report.digest.drivers.iter().map(|d| d.measure).collect();
    found.dedup();
    found
}

/// One group: energies have looks of their own. Several: groups have.
fn entries(report: &StudyReading) -> Vec<Entry> {
    let groups = &report.digest.groups;
    if groups.len() > 1 {
        return groups.iter().enumerate().map(|(k, g)| (look(k), g.label.clone())).collect();
    }
    let measures = &report.study.measures;
    let named = |(k, m): (usize, usize)| (look(k), measures[m].name.clone());
    let mut out: Vec<Entry> = energies(report).into_iter().enumerate().map(named).collect();
    if let (Some(_), Some(driver)) = (parabola(report), report.digest.drivers.first()) {
        let cut = if parabola_is_cut(report) { ", cut off by the axes" } else { "" };
        out.push((GUIDE, format!("parabola over {}{cut}", measures[driver.measure].name)));
    }
    out
}

/// Whether the parabola leaves the picture.
fn parabola_is_cut(report: &StudyReading) -> bool {
    let axis = measure_axis(report, report.digest.target);
    let outside = |y: f64| !(-1e-9..=1.0 + 1e-9).contains(&axis.share(y));
    parabola(report).is_some_and(|curve| curve.points.iter().any(|p| outside(p.1)))
}

fn measure_axis(report: &StudyReading, m: usize) -> Axis {
    let column = &report.study.measures[m];
    named_axis(&column.name, column.formula.unit, &report.rows.measures[m])
}

/// The variables that have numbers, and these.
fn numeric(report: &StudyReading) -> Vec<(usize, Vec<f64>)> {
    let count = report.study.design.variables().len();
    (0..count).filter_map(|k| Some((k, report.rows.numbers(k)?))).collect()
}

/// One panel for each variable, the one that matters most first: all points, the mean and the standard deviation about it.
fn many(report: &StudyReading) -> Result<String, String> {
    let (digest, rows) = (&report.digest, &report.rows);
    let effects = &digest.effects[..digest.effects.len().min(MOST_PANELS)];
    let target = measure_axis(report, digest.target);
    let headings = report.study.variable_headings();
    let energies = energies(report);
    let panels = effects.len() + usize::from(!energies.is_empty());
    let lines = panels.div_ceil(ACROSS);
    let names = ["designs", "mean over the other variables", "mean ± standard deviation"];
    let looks = [look(0).points(), look(1).at_points(), GUIDE];
    let entries: Vec<Entry> = looks.into_iter().zip(names.map(str::to_owned)).collect();
    let height = HEAD + lines as f64 * SAMPLED + 3.0 + ROW;
    sheet(height, |area| {
        let (head, rest) = area.split_vertically(mm(HEAD));
        write(&head, &title(report), (4.0, 0.6 * HEAD), 3.2)?;
        let (body, foot) = rest.split_vertically(mm(lines as f64 * SAMPLED));
        let parts = body.split_evenly((lines, ACROSS));
        for (effect, part) in effects.iter().zip(&parts) {
            let k = effect.variable;
            let line = |shift: f64| -> Vec<(f64, f64)> {
                let spread = effect.means.iter().zip(&effect.deviations);
                let y = spread.map(|(mean, deviation)| mean + shift * deviation);
                effect.values.iter().copied().zip(y).collect()
            };
            let all = thinned(&(0..rows.len()).collect::<Vec<_>>());
            let x = rows.numbers(k);
            let cloud = all
                .iter()
                .filter_map(|row| Some((x.as_ref()?[*row], rows.measures[digest.target][*row])));
            let curves = [
                Curve { points: cloud.collect(), look: looks[0] },
                Curve { points: line(-1.0), look: GUIDE },
                Curve { points: line(1.0), look: GUIDE },
                Curve { points: line(0.0), look: looks[1] },
            ];
            let axis = Axis::over(&headings[k], &effect.values);
            let share = format!("{} of the variance", percent(effect.share));
            Panel { title: &share, x: &axis, y: &target, curves: &curves }.draw(part)?;
        }
        if let (false, Some(part)) = (energies.is_empty(), parts.get(effects.len())) {
            scatter(report, &target, &energies, part)?;
        }
        let foot = foot.margin(0, 0, mm(16.0), mm(2.0));
        legend(&foot, &entries, 1, (WIDTH - 20.0) / ACROSS as f64)
    })
}

/// All designs over the measure that they are ranked by and a second one, and Pareto's front; none if no second one was asked for.
pub(crate) fn front(report: &StudyReading) -> Result<Option<String>, String> {
    let Some(other) = report.against else { return Ok(None) };
    let target = report.digest.target;
    let (x, y) = (&report.rows.measures[target], &report.rows.measures[other]);
    let all = thinned(&(0..report.rows.len()).collect::<Vec<_>>());
    let ends = report.front();
    let points = |rows: &[usize]| rows.iter().map(|k| (x[*k], y[*k])).collect::<Vec<_>>();
    let curves = [
        Curve { points: points(&all), look: look(0).points() },
        Curve { points: points(&ends), look: look(1).at_points() },
    ];
    let axes = [target, other].map(|m| measure_axis(report, m));
    let drawn = sheet(HEAD + PANELS, |area| {
        let (head, body) = area.split_vertically(mm(HEAD));
        write(&head, &title(report), (4.0, 0.6 * HEAD), 3.2)?;
        Panel { title: "", x: &axes[0], y: &axes[1], curves: &curves }.draw(&body)
    });
    drawn.map(Some)
}

/// The target over the two variables that matter most, as a map; none where there are fewer than three, or no grid.
pub(crate) fn interaction(report: &StudyReading) -> Result<Option<String>, String> {
    let Some(found) = report.interaction().filter(|_| report.has_many_axes()) else {
        return Ok(None);
    };
    let headings = report.study.variable_headings();
    let [x, y] = [0, 1].map(|k| Axis::over(&headings[found.variables[k]], &found.values[k]));
    let field = Field {
        title: format!("mean {}", report.study.measures[report.digest.target].heading()),
        x,
        y,
        size: (found.values[0].len(), found.values[1].len()),
        values: found.means,
        extremes: None,
        shared: None,
    };
    maps(&title(report), &[field]).map(Some)
}

/// Points of a sample: the target over each variable, and over the energies.
fn sampled(report: &StudyReading) -> Result<String, String> {
    let (digest, rows) = (&report.digest, &report.rows);
    let (variables, energies) = (numeric(report), energies(report));
    let shown = variables.len().min(MOST_PANELS);
    let panels = shown + usize::from(!energies.is_empty());
    let lines = panels.div_ceil(ACROSS);
    let entries = entries(report);
    let feet = entries.len().div_ceil(ACROSS);
    let height = HEAD + lines as f64 * SAMPLED + 3.0 + feet as f64 * ROW;
    sheet(height, |area| {
        let (head, rest) = area.split_vertically(mm(HEAD));
        let more = variables.len() - shown;
        let left = if more > 0 {
            format!(" ({more} more variables are not drawn)")
        } else {
            String::new()
        };
        write(&head, &format!("{}{left}", title(report)), (4.0, 0.6 * HEAD), 3.2)?;
        let (body, foot) = rest.split_vertically(mm(lines as f64 * SAMPLED));
        let target = measure_axis(report, digest.target);
        let headings = report.study.variable_headings();
        let parts = body.split_evenly((lines, ACROSS));
        for ((k, x), part) in variables.iter().take(shown).zip(&parts) {
            let axis = Axis::over(&headings[*k], x);
            let cloud = |k: usize| Curve {
                points: along(report, k, x, &rows.measures[digest.target]),
                look: look(k).points(),
            };
            let curves: Vec<Curve> = (0..digest.groups.len()).map(cloud).collect();
            Panel { title: "", x: &axis, y: &target, curves: &curves }.draw(part)?;
        }
        if let (false, Some(part)) = (energies.is_empty(), parts.get(shown)) {
            scatter(report, &target, &energies, part)?;
        }
        let foot = foot.margin(0, 0, mm(16.0), mm(2.0));
        legend(&foot, &entries, feet, (WIDTH - 20.0) / ACROSS as f64)
    })
}

fn panels(report: &StudyReading, area: &Area<'_>) -> Drawn {
    let (left, right) = area.split_horizontally(mm(0.5 * WIDTH));
    let (study, digest, rows) = (&report.study, &report.digest, &report.rows);
    let target = measure_axis(report, digest.target);
    let energies = energies(report);
    let Some(x) = digest.main.and_then(|k| rows.numbers(k)) else {
        return scatter(report, &target, &energies, area);
    };
    let heading = &study.variable_headings()[digest.main.unwrap_or(0)];
    let x_axis = Axis::over(heading, &x);
    let sampled = !report.is_grid();
    let over = |m: usize, group: usize, look: Look| {
        let points = along(report, group, &x, &rows.measures[m]);
        Curve { points, look: if sampled { look.points() } else { look.at_points() } }
    };
    let of_target: Vec<Curve> =
        (0..digest.groups.len()).map(|k| over(digest.target, k, look(k))).collect();
    if energies.is_empty() {
        return plainly(report, &x, &x_axis, area);
    }
    let (upper, lower) = left.split_vertically(mm(0.46 * PANELS));
    // Energies do not differ between groups, or the groups are shown by the first of them.
    let of_energies: Vec<Curve> = if digest.groups.len() > 1 {
        (0..digest.groups.len()).map(|k| over(energies[0], k, look(k))).collect()
    } else {
        energies.iter().enumerate().map(|(k, m)| over(*m, 0, look(k))).collect()
    };
    let shown = if digest.groups.len() > 1 { &energies[..1] } else { &energies[..] };
    let values: Vec<f64> = shown.iter().flat_map(|m| rows.measures[*m].iter().copied()).collect();
    let label = if shown.len() > 1 { "energy" } else { &study.measures[shown[0]].name };
    let energy = named_axis(label, "J", &values);
    let muted = x_axis.mute();
    Panel { title: "", x: &muted, y: &energy, curves: &of_energies }.draw(&upper)?;
    Panel { title: "", x: &x_axis, y: &target, curves: &of_target }.draw(&lower)?;
    scatter(report, &target, &energies, &right)
}

/// Each measure over the main variable.
fn plainly(report: &StudyReading, x: &[f64], x_axis: &Axis, area: &Area<'_>) -> Drawn {
    let (study, digest, rows) = (&report.study, &report.digest, &report.rows);
    let count = rows.measures.len().min(3);
    let sampled = !report.is_grid();
    let parts = area.split_evenly((1, count));
    for (m, part) in parts.iter().enumerate().take(count) {
        let column = &study.measures[m];
        let y = named_axis(&column.name, column.formula.unit, &rows.measures[m]);
        let curve = |k: usize| Curve {
            points: along(report, k, x, &rows.measures[m]),
            look: if sampled { look(k).points() } else { look(k).at_points() },
        };
        let curves: Vec<Curve> = (0..digest.groups.len()).map(curve).collect();
        Panel { title: "", x: x_axis, y: &y, curves: &curves }.draw(part)?;
    }
    Ok(())
}

/// The parabola through the target over T_c, where there is one group.
fn parabola(report: &StudyReading) -> Option<Curve> {
    Some(Curve { points: report.parabola()?, look: GUIDE })
}

/// The target against energies.
fn scatter(report: &StudyReading, target: &Axis, energies: &[usize], area: &Area<'_>) -> Drawn {
    let (digest, rows) = (&report.digest, &report.rows);
    let Some(first) = energies.first() else {
        return write(
            area,
            "nothing to draw: the study has no numbers for an axis",
            (10.0, 20.0),
            3.0,
        );
    };
    let shown = if digest.groups.len() > 1 { std::slice::from_ref(first) } else { energies };
    let values: Vec<f64> = shown.iter().flat_map(|m| rows.measures[*m].iter().copied()).collect();
    let label = if shown.len() > 1 { "energy" } else { &report.study.measures[*first].name };
    let x = named_axis(label, "J", &values);
    let against = |m: usize, of: &[usize], k: usize| Curve {
        points: of
            .iter()
            .map(|r| (rows.measures[m][*r], rows.measures[digest.target][*r]))
            .collect(),
        look: look(k).points(),
    };
    let mut curves: Vec<Curve> = parabola(report).into_iter().collect();
    if digest.groups.len() > 1 {
        let each = digest.groups.iter().enumerate();
        curves.extend(each.map(|(k, g)| against(*first, &thinned(&g.rows), k)));
    } else {
        let all = thinned(&digest.groups[0].rows);
        curves.extend(shown.iter().enumerate().map(|(k, m)| against(*m, &all, k)));
    }
    Panel { title: "", x: &x, y: target, curves: &curves }.draw(area)
}

/// An axis of just these values.
pub(crate) fn axis_over(label: &str, values: &[f64]) -> Axis {
    Axis::over(label, values)
}

/// An axis from zero; what is far above the rest is left out of it.
fn named_axis(name: &str, unit: &str, values: &[f64]) -> Axis {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let usual = sorted.get(sorted.len() * 17 / 20).copied().unwrap_or(1.0);
    let most = sorted.last().copied().unwrap_or(1.0);
    let top = if usual > 0.0 && most > 8.0 * usual { 1.5 * usual } else { most };
    let shown = values.iter().copied().filter(|x| *x <= top);
    if !unit.is_empty() && unit != "kg" {
        return Axis::of(name, unit, shown);
    }
    // A thousand kilograms are no kilo-kilogram.
    let all: Vec<f64> = shown.chain([0.0]).collect();
    let label = if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") };
    let axis = Axis::over(&label, &all);
    Axis { high: axis.high + 0.06 * (axis.high - axis.low), ..axis }
}

/// A measure of a group over the main variable; a point that failed has no number there.
fn along(report: &StudyReading, group: usize, x: &[f64], y: &[f64]) -> Vec<(f64, f64)> {
    let group = &report.digest.groups[group];
    let mut out: Vec<(f64, f64)> =
        thinned(&group.rows).into_iter().map(|row| (x[row], y[row])).collect();
    out.extend(group.failed.iter().map(|x| (*x, f64::NAN)));
    out.sort_by(|a, b| a.0.total_cmp(&b.0));
    out
}

/// Every so many rows, if there are too many.
fn thinned(rows: &[usize]) -> Vec<usize> {
    rows.iter().copied().step_by(rows.len().div_ceil(MOST_MARKS).max(1)).collect()
}

/// The measures over a grid of two variables with many values each.
fn fields(report: &StudyReading) -> Option<Vec<Field>> {
    let [x, y] = report.map_variables()?;
    let [ny, nx] = *report.study.design.axes() else { return None };
    let (xs, ys) = (report.rows.numbers(x)?, report.rows.numbers(y)?);
    let headings = report.study.variable_headings();
    let field = |m: usize| {
        let mut values = vec![f64::NAN; nx * ny];
        for (row, point) in report.rows.points.iter().enumerate() {
            if let Ok(at) = usize::try_from(*point) {
                values[at] = report.rows.measures[m][row];
            }
        }
        Field {
            title: report.study.measures[m].heading(),
            x: Axis::over(&headings[x], &xs),
            y: Axis::over(&headings[y], &ys),
            size: (nx, ny),
            values,
            extremes: None,
            shared: None,
        }
    };
    Some((0..report.study.measures.len()).map(field).collect())
}
