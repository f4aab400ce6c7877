//! A sample of uncertain numbers for people: intervals, influences, convergence.

use std::fmt::Write as _;

use carom::answer::study::{EstimateAnswer, MeasureSpread, SpreadAnswer, UncertaintyAnswer};

use super::{Grid, page};
use crate::number::{count, percent, six, three};

/// The whole text.
pub(crate) fn text(answer: &UncertaintyAnswer) -> String {
    let points = usize::try_from(answer.points).unwrap_or(usize::MAX);
    let from = match (answer.folder.as_str(), answer.title.as_str()) {
        ("", "") => String::new(),
        ("", shown) | (shown, _) => format!("{shown}: "),
    };
    let mut out = format!(
        "{from}{} of contact {}, {} ({})\n{}\n",
        answer.action,
        answer.contact,
        count(points, "point", "points"),
        answer.sampling,
        answer.headline
    );
    let _ =
        write!(out, "\nmeasures, ± half of the 95 % interval\n{}", measures_grid(answer).text(2));
    for measure in &answer.measures {
        let name = &measure.measure.name;
        if let Some(grid) = influences_grid(measure) {
            let _ = write!(out, "\nwhat {name} depends on\n{}", grid.text(2));
        }
        if let Some((grid, title)) = laws_grid(measure) {
            let _ = write!(out, "\n{title}\n{}", grid.text(2));
        }
    }
    if let Some(first) = answer.measures.first() {
        let name = &first.measure.name;
        let grid = convergence_grid(first).text(2);
        let _ = write!(out, "\nconvergence of {name}, ± standard error\n{grid}");
    }
    let _ = writeln!(out, "\nuncertain numbers");
    for input in &answer.inputs {
        let _ = writeln!(out, "  {input}");
    }
    page(&out)
}

/// An estimate and half of its interval.
fn within(x: &EstimateAnswer) -> String {
    let half = 0.5 * (x.high - x.low);
    if half.is_finite() { format!("{} ± {}", six(x.value), three(half)) } else { there(x.value) }
}

fn there(x: f64) -> String {
    if x.is_nan() { "-".to_owned() } else { six(x) }
}

fn spread(s: &SpreadAnswer) -> [String; 5] {
    [&s.mean, &s.deviation, &s.p5, &s.median, &s.p95].map(within)
}

/// Every measure with its spread.
pub(crate) fn measures_grid(answer: &UncertaintyAnswer) -> Grid {
    let mut grid = Grid::new(&["measure", "given", "mean", "deviation", "p5", "median", "p95"]);
    for m in &answer.measures {
        let given = m.given.map_or_else(|| "-".to_owned(), six);
        let mut row = vec![m.measure.heading(), given];
        row.extend(spread(&m.spread));
        grid.row(row);
    }
    grid
}

/// The uncertain numbers by how much a measure depends on them; none where there are none.
pub(crate) fn influences_grid(measure: &MeasureSpread) -> Option<Grid> {
    let total = measure.influences.iter().any(|i| i.total.is_some());
    let mut heading = vec!["input", "share of the variance", "95 % interval"];
    if total {
        heading.extend(["with others", "95 % interval"]);
    }
    heading.push("rank correlation");
    let mut grid = Grid::new(&heading);
    let interval = |x: &EstimateAnswer| {
        if x.low.is_finite() {
            format!("{} to {}", percent(x.low), percent(x.high))
        } else {
            "-".to_owned()
        }
    };
    for i in &measure.influences {
        let mut row = vec![i.input.clone(), percent(i.share.value), interval(&i.share)];
        if let Some(found) = &i.total {
            row.extend([percent(found.value), interval(found)]);
        }
        row.push(i.spearman.map_or_else(|| "-".to_owned(), |x| format!("{x:.3}")));
        grid.row(row);
    }
    (grid.len() > 1).then_some(grid)
}

/// The spread with each contact law, and what it is; none where one law was used.
pub(crate) fn laws_grid(measure: &MeasureSpread) -> Option<(Grid, String)> {
    let share = measure.law_share.as_ref()?;
    let mut grid = Grid::new(&["law", "mean", "deviation", "p5", "median", "p95"]);
    for law in &measure.laws {
        let mut row = vec![law.law.clone().unwrap_or_default()];
        row.extend(spread(law));
        grid.row(row);
    }
    let title = format!(
        "{} over the contact laws: the choice of the law causes {} of the variance",
        measure.measure.name,
        percent(share.value)
    );
    Some((grid, title))
}

/// Estimates from more and more points with their standard errors.
pub(crate) fn convergence_grid(measure: &MeasureSpread) -> Grid {
    let mut grid = Grid::new(&["points", "mean", "±", "p5", "±", "median", "±", "p95", "±"]);
    for step in &measure.convergence {
        let mut row = vec![step.points.to_string()];
        for x in [&step.mean, &step.p5, &step.median, &step.p95] {
            row.extend([
                there(x.value),
                if x.error.is_nan() { "-".to_owned() } else { three(x.error) },
            ]);
        }
        grid.row(row);
    }
    grid
}
