//! A study for people: designs, correlations, fits, sensitivities.

use std::fmt::Write as _;

use carom::model::study::Level;
use carom::study::digest::Driver;
use carom::study::fit::Fit;

use super::Grid;
use crate::commands::study::Report;
use crate::number::{count, percent, plain, six, three};

/// The whole text.
pub(crate) fn text(report: &Report) -> String {
    let mut out = head(report);
    out += &ranking(report);
    out += &correlations(report);
    out += &drivers(report);
    out += &sensitivities(report);
    out += &indices(report);
    plain(&out)
}

fn head(report: &Report) -> String {
    let Report { study, rows, .. } = report;
    let design = &study.design;
    let points = usize::try_from(design.points()).unwrap_or(usize::MAX);
    let variables = count(design.variables().len(), "variable", "variables");
    let mut out = format!(
        "{}: {} of contact {}, {} ({}, {variables})\n",
        report.folder,
        study.action.name(),
        study.contact,
        count(points, "point", "points"),
        design.sampling().name(),
    );
    if let Some((point, text)) = rows.failed.first() {
        let n = count(rows.failed.len(), "point has an error", "points have an error");
        let text: String = text.chars().take(160).collect();
        let _ = writeln!(out, "{n}; the first, {point}: {text}");
    }
    out
}

fn level(level: &Level) -> String {
    match level {
        Level::Number(x) => six(*x),
        Level::Word(word) => word.clone(),
    }
}

fn ranking(report: &Report) -> String {
    let target = &report.study.measures[report.digest.target];
    format!("\nby {}, the softest first\n{}", target.name, ranking_grid(report).text(2))
}

/// The designs from the softest to the hardest, the ends of a long list.
pub(crate) fn ranking_grid(report: &Report) -> Grid {
    let Report { study, rows, digest, top, .. } = report;
    let mut heading = vec!["point".to_owned()];
    heading.extend(study.variable_headings());
    heading.extend(study.measures.iter().map(carom::study::Column::heading));
    let mut grid = Grid::default();
    grid.row(heading);
    let line = |row: usize| {
        let mut cells = vec![rows.points[row].to_string()];
        cells.extend(rows.levels.iter().map(|levels| level(&levels[row])));
        cells.extend(rows.measures.iter().map(|values| there(values[row])));
        cells
    };
    let n = digest.ranking.len();
    if n <= 2 * top + 1 {
        digest.ranking.iter().for_each(|row| grid.row(line(*row)));
    } else {
        digest.ranking[..*top].iter().for_each(|row| grid.row(line(*row)));
        grid.heading(format!("  … {} more …", n - 2 * top));
        digest.ranking[n - top..].iter().for_each(|row| grid.row(line(*row)));
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

fn correlations(report: &Report) -> String {
    let Report { study, digest, .. } = report;
    if digest.correlations.is_empty() {
        return String::new();
    }
    let grid = correlations_grid(report);
    let mut out = format!("\ncorrelation of measures with variables\n{}", grid.text(2));
    for (k, measure) in study.measures.iter().enumerate() {
        let infinite =
            digest.correlations.iter().find(|c| c.measure == k).map_or(0, |c| c.infinite);
        if infinite > 0 {
            let (name, n) = (&measure.name, count(infinite, "point", "points"));
            let _ =
                writeln!(out, "  {name} is infinite at {n}: last by rank, left out of Pearson's");
        }
    }
    out
}

/// Measures beside variables.
pub(crate) fn correlations_grid(report: &Report) -> Grid {
    let Report { study, digest, .. } = report;
    let mut grid = Grid::new(&["measure", "variable", "Pearson", "Spearman"]);
    for c in &digest.correlations {
        let variable = &study.design.variables()[c.variable].name;
        let measure = study.measures[c.measure].name.clone();
        grid.row(vec![measure, variable.clone(), maybe(c.pearson), maybe(c.spearman)]);
    }
    grid
}

fn drivers(report: &Report) -> String {
    let Report { study, digest, .. } = report;
    if digest.drivers.is_empty() {
        return String::new();
    }
    let target = &study.measures[digest.target].name;
    let grid = drivers_grid(report);
    let mut out = format!(
        "\n{target} against energies (worst: the deepest fall of {target} while the energy grows, of its span)\n{}",
        grid.text(2)
    );
    let overall = digest.drivers.iter().filter(|d| d.group.is_none() || digest.drivers.len() < 4);
    for Driver { measure, parabola, .. } in overall {
        if let Some(fit) = parabola {
            let x = &study.measures[*measure].name;
            let [a, b, c] = fit.coefficients[..] else { continue };
            let (b, c) = (signed(b), signed(c));
            let _ = writeln!(
                out,
                "  {target} ≈ {} {b} {x} {c} {x}², R² = {:.5}",
                six(a),
                fit.determination
            );
        }
    }
    for d in digest.drivers.iter().filter(|d| d.group.is_none()) {
        if let Some((a, b)) = d.monotony.worst {
            let points = &report.rows.points;
            let x = &study.measures[d.measure].name;
            let _ =
                writeln!(out, "  worst inversion over {x}: points {} and {}", points[a], points[b]);
        }
    }
    out
}

/// The target against energies.
pub(crate) fn drivers_grid(report: &Report) -> Grid {
    let Report { study, digest, .. } = report;
    let heading =
        ["measure", "within", "Pearson", "Spearman", "inversions", "worst", "R² of a x^b", "b"];
    let mut grid = Grid::new(&heading);
    for d in &digest.drivers {
        let within = d.group.map_or("all", |k| digest.groups[k].label.as_str());
        let power = |f: &dyn Fn(&Fit) -> String| d.power.as_ref().map_or("-".to_owned(), f);
        grid.row(vec![
            study.measures[d.measure].name.clone(),
            within.to_owned(),
            maybe(d.pearson),
            maybe(d.spearman),
            d.monotony.inversions.to_string(),
            if d.monotony.depth > 0.0 { percent(d.monotony.depth) } else { "none".to_owned() },
            power(&|f| format!("{:.5}", f.determination)),
            power(&|f| format!("{:.4}", f.coefficients[1])),
        ]);
    }
    grid
}

fn signed(x: f64) -> String {
    format!("{} {}", if x < 0.0 { "−" } else { "+" }, six(x.abs()))
}

fn sensitivities(report: &Report) -> String {
    let Some((grid, assumed)) = sensitivities_grid(report) else { return String::new() };
    format!("\nsensitivities at the values of the file{assumed}\n{}", grid.text(2))
}

/// Derivatives, and the words that were assumed; none where there are none.
pub(crate) fn sensitivities_grid(report: &Report) -> Option<(Grid, String)> {
    let found = report.sensitivities.as_ref()?;
    let mut grid = Grid::new(&["measure", "by", "at", "derivative", "±", "% per %", ""]);
    for (k, variable) in report.study.variable_headings().iter().enumerate() {
        let (Some(at), Some(derivatives)) = (found.at[k], &found.derivatives[k]) else { continue };
        for (m, d) in derivatives.iter().enumerate() {
            let elastic = d.value * at / found.measures[m];
            grid.row(vec![
                report.study.measures[m].heading(),
                variable.clone(),
                six(at),
                six(d.value),
                if d.exact { String::new() } else { three(d.error) },
                if elastic.is_finite() { three(elastic) } else { "-".to_owned() },
                if d.exact { "exact" } else { "" }.to_owned(),
            ]);
        }
    }
    if grid.len() == 1 {
        return None;
    }
    let variables = report.study.design.variables();
    let assumed: Vec<String> = found
        .assumed
        .iter()
        .map(|(k, word)| format!(", {} = {word}", variables[*k].name))
        .collect();
    Some((grid, assumed.concat()))
}

fn indices(report: &Report) -> String {
    indices_grid(report).map_or_else(String::new, |grid| {
        format!("\nSobol's indices: parts of the variance\n{}", grid.text(2))
    })
}

/// Sobol's indices, of a sample that was made for them.
pub(crate) fn indices_grid(report: &Report) -> Option<Grid> {
    let mut grid = Grid::new(&["measure", "variable", "first order", "±", "total", "±"]);
    let design = &report.study.design;
    let names: Vec<&str> = (0..design.variables().len())
        .filter(|k| design.axis(*k).is_some())
        .map(|k| design.variables()[k].name.as_str())
        .collect();
    for (m, all) in report.digest.indices.iter().enumerate() {
        for (i, name) in all.iter().flatten().zip(&names) {
            grid.row(vec![
                report.study.measures[m].name.clone(),
                (*name).to_owned(),
                format!("{:.4}", i.first),
                format!("{:.4}", i.errors.0),
                format!("{:.4}", i.total),
                format!("{:.4}", i.errors.1),
            ]);
        }
    }
    if grid.len() == 1 {
        return None;
    }
    Some(grid)
}
