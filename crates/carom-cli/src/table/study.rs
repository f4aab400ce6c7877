//! A study for people: designs, correlations, fits, sensitivities.

use std::fmt::Write as _;

use carom::answer::study::{
    DesignRow, FitAnswer, LevelValue, MeasureName, SensitivityAnswer, StudyAnswer,
};

use super::{Grid, page};
use crate::number::{count, percent, six, three};

/// The whole text.
pub(crate) fn text(answer: &StudyAnswer) -> String {
    let mut out = head(answer);
    let _ = writeln!(out, "{}", answer.headline);
    let ranking = ranking_grid(answer).text(2);
    let _ = write!(out, "\nby {}, the softest first\n{ranking}", answer.ranked_by);
    if let Some((grid, title)) = front_grid(answer) {
        let _ = write!(out, "\n{title}\n{}", grid.text(2));
    }
    out += &correlations(answer);
    out += &drivers(answer);
    if let Some((grid, assumed)) = sensitivities_grid(answer) {
        let grid = grid.text(2);
        let _ = write!(out, "\nsensitivities at the values of the file{assumed}\n{grid}");
    }
    if let Some(grid) = indices_grid(answer) {
        let title = "Sobol's indices: parts of the variance, ± half of the 95 % interval";
        let _ = write!(out, "\n{title}\n{}", grid.text(2));
    }
    if let Some(grid) = elementary_grid(answer) {
        let title = "Morris' elementary effects: change of the measure over the range of a variable, ± half of the 95 % interval";
        let _ = write!(out, "\n{title}\n{}", grid.text(2));
    }
    page(&out)
}

fn head(answer: &StudyAnswer) -> String {
    let points = usize::try_from(answer.points).unwrap_or(usize::MAX);
    let variables = count(answer.variables.len(), "variable", "variables");
    let mut out = format!(
        "{}: {} of contact {}, {} ({}, {variables})\n",
        answer.folder,
        answer.action,
        answer.contact,
        count(points, "point", "points"),
        answer.sampling,
    );
    if let Some(first) = &answer.first_failed {
        let n = count(answer.failed, "point has an error", "points have an error");
        let text: String = first.error.chars().take(160).collect();
        let _ = writeln!(out, "{n}; the first, {}: {text}", first.point);
    }
    if let Some(first) = &answer.first_untouched {
        let n = count(answer.untouched, "point never touches", "points never touch");
        let _ = writeln!(out, "{n}; the first, {first}");
    }
    out
}

/// A value of a variable.
pub(crate) fn level(level: &LevelValue) -> String {
    match level {
        LevelValue::Number(x) => six(*x),
        LevelValue::Word(word) => word.clone(),
    }
}

/// The heading of a list of designs.
fn designs_heading(answer: &StudyAnswer) -> Vec<String> {
    let mut heading = vec!["point".to_owned()];
    heading.extend(answer.variables.iter().cloned());
    heading.extend(answer.measures.iter().map(MeasureName::heading));
    heading.push(String::new());
    heading
}

/// A design in a list.
fn line(row: &DesignRow) -> Vec<String> {
    let mut cells = vec![row.point.to_string()];
    cells.extend(row.variables.iter().map(level));
    cells.extend(row.measures.iter().map(|x| there(*x)));
    cells.push(if row.untouched { "never touches".to_owned() } else { String::new() });
    cells
}

/// Pareto's front, and what it is of; none if no second measure was asked for.
pub(crate) fn front_grid(answer: &StudyAnswer) -> Option<(Grid, String)> {
    let against = answer.front_against.as_ref()?;
    let mut grid = Grid::default();
    grid.row(designs_heading(answer));
    answer.front.iter().for_each(|row| grid.row(line(row)));
    let n = count(answer.front.len(), "design", "designs");
    Some((
        grid,
        format!(
            "Pareto's front: {n} that no other one beats in {} and {against}",
            answer.ranked_by
        ),
    ))
}

/// The designs from the softest to the hardest, the ends of a long list.
pub(crate) fn ranking_grid(answer: &StudyAnswer) -> Grid {
    let mut grid = Grid::default();
    grid.row(designs_heading(answer));
    answer.softest.iter().for_each(|row| grid.row(line(row)));
    if !answer.hardest.is_empty() {
        let shown = answer.softest.len() + answer.hardest.len();
        grid.heading(format!("  … {} more …", answer.ranked - shown));
        answer.hardest.iter().for_each(|row| grid.row(line(row)));
    }
    grid
}

/// A measure, where there is one.
fn there(x: f64) -> String {
    if x.is_nan() { "-".to_owned() } else { six(x) }
}

fn maybe(x: Option<f64>) -> String {
    x.map_or_else(|| "-".to_owned(), |x| format!("{x:.4}"))
}

fn correlations(answer: &StudyAnswer) -> String {
    if answer.correlations.is_empty() {
        return String::new();
    }
    let grid = correlations_grid(answer);
    let mut out = format!("\ncorrelation of measures with variables\n{}", grid.text(2));
    for measure in &answer.measures {
        let name = &measure.name;
        let found = answer.correlations.iter().find(|c| c.measure == *name);
        let infinite = found.map_or(0, |c| c.infinite);
        if infinite > 0 {
            let n = count(infinite, "point", "points");
            let _ = writeln!(out, "  {name} is infinite at {n}: left out of Pearson's");
        }
    }
    out
}

/// Measures beside variables.
pub(crate) fn correlations_grid(answer: &StudyAnswer) -> Grid {
    let mut grid = Grid::new(&["measure", "variable", "Pearson", "Spearman"]);
    for c in &answer.correlations {
        let (measure, variable) = (c.measure.clone(), c.variable.clone());
        grid.row(vec![measure, variable, maybe(c.pearson), maybe(c.spearman)]);
    }
    grid
}

fn drivers(answer: &StudyAnswer) -> String {
    let energies = &answer.energies;
    if energies.is_empty() {
        return String::new();
    }
    let target = &answer.ranked_by;
    let grid = drivers_grid(answer);
    let mut out = format!(
        "\n{target} against energies (worst: the deepest fall of {target} while the energy grows, of its span)\n{}",
        grid.text(2)
    );
    for d in energies.iter().filter(|d| d.within.is_none() || energies.len() < 4) {
        if let Some(fit) = &d.parabola {
            let x = &d.measure;
            let [a, b, c] = fit.coefficients[..] else { continue };
            let (b, c) = (signed(b), signed(c));
            let _ = writeln!(
                out,
                "  {target} ≈ {} {b} {x} {c} {x}², R² = {:.5}",
                six(a),
                fit.r_squared
            );
        }
    }
    for d in energies.iter().filter(|d| d.within.is_none()) {
        if let Some([a, b]) = d.worst_inversion {
            let _ = writeln!(out, "  worst inversion over {}: points {a} and {b}", d.measure);
        }
    }
    out
}

/// The target against energies.
pub(crate) fn drivers_grid(answer: &StudyAnswer) -> Grid {
    let heading =
        ["measure", "within", "Pearson", "Spearman", "inversions", "worst", "R² of a x^b", "b"];
    let mut grid = Grid::new(&heading);
    for d in &answer.energies {
        let power =
            |f: &dyn Fn(&FitAnswer) -> String| d.power_law.as_ref().map_or("-".to_owned(), f);
        grid.row(vec![
            d.measure.clone(),
            d.within.clone().unwrap_or_else(|| "all".to_owned()),
            maybe(d.pearson),
            maybe(d.spearman),
            d.inversions.to_string(),
            if d.worst_depth > 0.0 { percent(d.worst_depth) } else { "none".to_owned() },
            power(&|f| format!("{:.5}", f.r_squared)),
            power(&|f| format!("{:.4}", f.coefficients[1])),
        ]);
    }
    grid
}

fn signed(x: f64) -> String {
    format!("{} {}", if x < 0.0 { "−" } else { "+" }, six(x.abs()))
}

/// Derivatives, and the words that were assumed; none where there are none.
pub(crate) fn sensitivities_grid(answer: &StudyAnswer) -> Option<(Grid, String)> {
    let grid = slopes_grid(answer.sensitivities.as_ref()?)?;
    let assumed: Vec<String> = answer.assumed.iter().map(|words| format!(", {words}")).collect();
    Some((grid, assumed.concat()))
}

/// Derivatives; none where there are none.
pub(crate) fn slopes_grid(found: &[SensitivityAnswer]) -> Option<Grid> {
    let mut grid = Grid::new(&["measure", "by", "at", "derivative", "±", "% per %", ""]);
    let with = |name: &str, unit: &str| {
        if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
    };
    for d in found {
        let Some(at) = d.at else { continue };
        grid.row(vec![
            with(&d.measure, &d.measure_unit),
            with(&d.variable, &d.unit),
            six(at),
            six(d.value),
            if d.exact { String::new() } else { three(d.error) },
            d.relative.map_or_else(|| "-".to_owned(), three),
            if d.exact { "exact" } else { "" }.to_owned(),
        ]);
    }
    (grid.len() > 1).then_some(grid)
}

/// Sobol's indices with half of their 95 % intervals, of a sample that was made for them.
pub(crate) fn indices_grid(answer: &StudyAnswer) -> Option<Grid> {
    let mut grid = Grid::new(&["measure", "variable", "first order", "±", "total", "±"]);
    for i in &answer.sobol_indices {
        grid.row(vec![
            i.measure.clone(),
            i.variable.clone(),
            format!("{:.4}", i.first),
            half(i.first_interval, &|x| format!("{x:.4}")),
            format!("{:.4}", i.total),
            half(i.total_interval, &|x| format!("{x:.4}")),
        ]);
    }
    (grid.len() > 1).then_some(grid)
}

/// Half of an interval; of a sample that is too small to tell, none.
fn half([low, high]: [f64; 2], shown: &dyn Fn(f64) -> String) -> String {
    let half = 0.5 * (high - low);
    if half.is_finite() { shown(half) } else { "-".to_owned() }
}

/// Morris' elementary effects, of a sample that was made for them.
pub(crate) fn elementary_grid(answer: &StudyAnswer) -> Option<Grid> {
    let mut grid = Grid::new(&["measure", "variable", "μ*", "±", "μ", "σ"]);
    for e in &answer.elementary_effects {
        grid.row(vec![
            e.measure.clone(),
            e.variable.clone(),
            six(e.size),
            half(e.size_interval, &three),
            six(e.mean),
            there(e.deviation),
        ]);
    }
    (grid.len() > 1).then_some(grid)
}
