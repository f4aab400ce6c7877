//! A figure of a paper as data: panels of series, drawn as SVG and written as CSV from the same numbers.

use std::rc::Rc;

use carom::model::study::Level;

use carom::answer::study::StudyReading;

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// A line.
    Line,
    /// A mark at each point.
    Marks,
    /// What others are compared with.
    Guide,
}

/// A series of a panel; series of one name look alike in all panels.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points in SI units or those of the axis.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub stroke: Stroke,
}

impl Series {
    /// A line.
    pub fn line(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, stroke: Stroke::Line }
    }

    /// Marks.
    pub fn marks(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, stroke: Stroke::Marks }
    }

    /// A line to compare with.
    pub fn guide(name: &str, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.to_owned(), points, stroke: Stroke::Guide }
    }
}

/// What an axis shows, and its unit; the empty text for a plain number.
pub type Quantity = (&'static str, &'static str);

/// One panel.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Above it.
    pub title: &'static str,
    /// The level axis.
    pub x: Quantity,
    /// The upright axis.
    pub y: Quantity,
    /// From where to where the upright axis goes, if not over all values from zero.
    pub window: Option<(f64, f64)>,
    /// The series.
    pub series: Vec<Series>,
}

impl Plot {
    /// A panel.
    pub fn new(title: &'static str, x: Quantity, y: Quantity, series: Vec<Series>) -> Self {
        Self { title, x, y, window: None, series }
    }
}

/// A sheet of panels.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its heading.
    pub title: String,
    /// The panels, row by row.
    pub plots: Vec<Plot>,
    /// How many stand beside each other.
    pub columns: usize,
    /// The height of a row \[mm\].
    pub height: f64,
}

/// What a figure is made of.
pub enum Drawing {
    /// Panels of series.
    Chart(Chart),
    /// A study.
    Study(Rc<StudyReading>),
}

impl Drawing {
    /// Its numbers as CSV.
    pub fn csv(&self) -> Result<String, String> {
        let mut table = ::csv::Writer::from_writer(Vec::new());
        let flaw = |error: ::csv::Error| error.to_string();
        match self {
            Self::Chart(chart) => {
                table.write_record(["panel", "series", "x", "y"]).map_err(flaw)?;
                for plot in &chart.plots {
                    let axes = format!("{} over {}", labelled(plot.y), labelled(plot.x));
                    let panel = match plot.title {
                        "" => axes,
                        title => format!("{title}: {axes}"),
                    };
                    for series in &plot.series {
                        for (x, y) in &series.points {
                            let row = [&panel, &series.name, &x.to_string(), &y.to_string()];
                            table.write_record(row).map_err(flaw)?;
                        }
                    }
                }
            }
            Self::Study(report) => {
                let (study, rows) = (&report.study, &report.rows);
                let measures = study.measures.iter().map(carom::study::Column::heading);
                table
                    .write_record(study.variable_headings().into_iter().chain(measures))
                    .map_err(flaw)?;
                for k in 0..rows.len() {
                    let levels = rows.levels.iter().map(|column| level(&column[k]));
                    let values = rows.measures.iter().map(|column| column[k].to_string());
                    table.write_record(levels.chain(values)).map_err(flaw)?;
                }
            }
        }
        let bytes = table.into_inner().map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|error| error.to_string())
    }
}

fn level(level: &Level) -> String {
    match level {
        Level::Number(x) => x.to_string(),
        Level::Word(word) => word.clone(),
    }
}

/// A quantity with its unit.
pub fn labelled((name, unit): Quantity) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} [{unit}]") }
}
