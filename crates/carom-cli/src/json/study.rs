//! A study for programs.

use carom::study::digest::Driver;
use carom::study::fit::Fit;
use serde_json::{Value, json};

use super::number;
use crate::commands::study::Report;

fn maybe(x: Option<f64>) -> Value {
    x.map_or(Value::Null, number)
}

/// Everything.
pub(crate) fn value(report: &Report) -> Value {
    let Report { study, rows, digest, .. } = report;
    let measure = |k: usize| study.measures[k].name.clone();
    let variable = |k: usize| study.design.variables()[k].name.clone();
    let correlations: Value = digest
        .correlations
        .iter()
        .map(|c| {
            json!({
                "measure": measure(c.measure),
                "variable": variable(c.variable),
                "pearson": maybe(c.pearson),
                "spearman": maybe(c.spearman),
                "infinite": c.infinite,
            })
        })
        .collect();
    let axes: Vec<usize> =
        (0..study.design.variables().len()).filter(|k| study.design.axis(*k).is_some()).collect();
    let indices: Value = digest
        .indices
        .iter()
        .enumerate()
        .flat_map(|(m, all)| all.iter().flatten().zip(&axes).map(move |(i, k)| (m, i, *k)))
        .map(|(m, i, k)| {
            json!({
                "measure": measure(m),
                "variable": variable(k),
                "first": number(i.first),
                "first_error": number(i.errors.0),
                "total": number(i.total),
                "total_error": number(i.errors.1),
            })
        })
        .collect();
    json!({
        "carom": env!("CARGO_PKG_VERSION"),
        "folder": report.folder,
        "action": study.action.name(),
        "contact": study.contact,
        "points": study.design.points(),
        "failed": rows.failed.len(),
        "missing": rows.missing,
        "ranked_by": measure(digest.target),
        "ranking": digest.ranking.iter().take(1000).map(|k| rows.points[*k]).collect::<Value>(),
        "correlations": correlations,
        "energies": digest.drivers.iter().map(|d| driver(report, d)).collect::<Value>(),
        "sensitivities": sensitivities(report),
        "sobol_indices": indices,
    })
}

fn driver(report: &Report, d: &Driver) -> Value {
    let Report { study, rows, digest, .. } = report;
    let fit = |fit: &Option<Fit>| {
        fit.as_ref().map(|f| {
            let c: Value = f.coefficients.iter().map(|c| number(*c)).collect();
            json!({ "coefficients": c, "r_squared": number(f.determination) })
        })
    };
    json!({
        "measure": study.measures[d.measure].name,
        "within": d.group.map(|k| digest.groups[k].label.clone()),
        "pearson": maybe(d.pearson),
        "spearman": maybe(d.spearman),
        "inversions": d.monotony.inversions,
        "worst_inversion": d.monotony.worst.map(|(a, b)| json!([rows.points[a], rows.points[b]])),
        "worst_depth": number(d.monotony.depth),
        "parabola": fit(&d.parabola),
        "power_law": fit(&d.power),
    })
}

fn sensitivities(report: &Report) -> Value {
    let Some(found) = &report.sensitivities else { return Value::Null };
    let study = &report.study;
    let mut out = Vec::new();
    for (k, variable) in study.design.variables().iter().enumerate() {
        for (m, d) in found.derivatives[k].iter().flatten().enumerate() {
            out.push(json!({
                "measure": study.measures[m].name,
                "variable": variable.name,
                "unit": variable.unit.text,
                "at": maybe(found.at[k]),
                "value": number(d.value),
                "error": number(d.error),
                "exact": d.exact,
            }));
        }
    }
    Value::Array(out)
}
