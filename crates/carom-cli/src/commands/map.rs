//! `carom map`: measures over two variables, as colours and contour lines.

use carom::file::{Loaded, load};
use carom::maths::expression::is_reserved;
use carom::model::study::Level;
use carom::study::log::{Entry, Reader};
use carom::study::{Study, evaluate};

use crate::Outcome;
use crate::args::Map;
use crate::figure::Target;
use crate::figure::map::{Field, maps};
use crate::figure::study::axis_over;
use crate::number::{plain, six};
use crate::table::Grid;

/// Draws the map.
pub(crate) fn run(wanted: &Map) -> Outcome {
    let target = Target::new(&wanted.out, wanted.overwrite)?;
    let (loaded, study) = study(wanted)?;
    let n = usize::from(wanted.count);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut bytes = Vec::new();
    evaluate(&study, 0..study.design.points(), cores, &mut |block| {
        bytes.extend(block.bytes);
        Ok::<bool, String>(true)
    })?;
    let mut values = vec![vec![f64::NAN; n * n]; study.measures.len()];
    let mut failed: Option<String> = None;
    for (point, entry) in Reader::records(&bytes, study.measures.len()) {
        let (row, error) = match entry {
            Entry::Measures(row) => (row, None),
            Entry::Failed(text) => (Vec::new(), Some(text)),
            Entry::Partial(row, text) => (row, Some(text)),
        };
        failed = failed.or(error);
        if let Ok(at) = usize::try_from(point) {
            values.iter_mut().zip(row).for_each(|(to, x)| to[at] = x);
        }
    }
    if values.iter().flatten().all(|x| x.is_nan()) {
        return Err(format!("no point of the map has a value: {}", failed.unwrap_or_default()));
    }
    let headings = study.variable_headings();
    let ends = |k: usize| -> Vec<f64> {
        let at = |point: u64| match &study.design.levels(point)[k] {
            Level::Number(x) => *x,
            Level::Word(_) => f64::NAN,
        };
        vec![at(0), at(study.design.points() - 1)]
    };
    let fields: Vec<Field> = study
        .measures
        .iter()
        .zip(values)
        .map(|(measure, values)| Field {
            title: measure.heading(),
            x: axis_over(&headings[1], &ends(1)),
            y: axis_over(&headings[0], &ends(0)),
            size: (n, n),
            values,
        })
        .collect();
    let title = if loaded.model.title.is_empty() { "a map" } else { &loaded.model.title };
    let title = plain(&format!("{title}: contact {}", study.contact));
    let written = target.written(&maps(&title, &fields)?)?;
    Ok(format!("{}{written}", extremes(&study, &fields)))
}

/// The file with a study of two variables.
fn study(wanted: &Map) -> Result<(Loaded, Study), String> {
    let mut sets = wanted.subject.sets.clone();
    let mut set = |path: &str, value: &str| sets.push((format!("study.{path}"), value.to_owned()));
    // A study of the file stands in the way of none.
    let [x, y] = names(&wanted.x.0, &wanted.y.0);
    for (name, (path, from, to)) in [(y, &wanted.y), (x, &wanted.x)] {
        let of = |key: &str| format!("variables.{name}.{key}");
        set(&of("path"), path);
        set(&of("range"), &format!("[{from}, {to}]"));
        set(&of("count"), &wanted.count.to_string());
    }
    if let Some(contact) = &wanted.contact {
        set("contact", contact);
    }
    let usual = ["effective_mass".to_owned(), "impact_energy".to_owned()];
    let measures = if wanted.measures.is_empty() { &usual[..] } else { &wanted.measures };
    set("measures", &format!("[{}]", measures.join(", ")));
    let mut loaded = load(&wanted.subject.file, &[]).map_err(|error| error.to_string())?;
    loaded.description.remove("study");
    let loaded = loaded.edited(&sets).map_err(|error| error.to_string())?;
    let study = loaded.study().map_err(|error| error.to_string())?;
    Ok((loaded, study))
}

/// Names for two paths: their last parts, if these are names and differ.
fn names(x: &str, y: &str) -> [String; 2] {
    let last = |path: &str| {
        let name: String = path
            .split_once('.')
            .map_or(path, |(_, rest)| rest)
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect();
        let sound = name.starts_with(char::is_alphabetic) && !is_reserved(&name);
        sound.then_some(name)
    };
    match (last(x), last(y)) {
        (Some(x), Some(y)) if x != y => [x, y],
        _ => ["x".to_owned(), "y".to_owned()],
    }
}

/// Where each measure is least and most.
fn extremes(study: &Study, fields: &[Field]) -> String {
    let mut grid = Grid::default();
    let headings = study.variable_headings();
    grid.row(vec![
        "measure".into(),
        String::new(),
        "value".into(),
        headings[1].clone(),
        headings[0].clone(),
    ]);
    for field in fields {
        let finite = || field.values.iter().enumerate().filter(|(_, x)| x.is_finite());
        let least = finite().min_by(|a, b| a.1.total_cmp(b.1));
        let most = finite().max_by(|a, b| a.1.total_cmp(b.1));
        for (word, found) in [("least", least), ("most", most)] {
            let Some((at, value)) = found else { continue };
            let levels = study.design.levels(at as u64);
            let shown = |k: usize| match &levels[k] {
                Level::Number(x) => six(*x),
                Level::Word(word) => word.clone(),
            };
            grid.row(vec![field.title.clone(), word.into(), six(*value), shown(1), shown(0)]);
        }
    }
    grid.text(2)
}
