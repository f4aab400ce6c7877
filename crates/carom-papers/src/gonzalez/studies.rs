//! The double pendulum and the wheeled robot: figs. 4 to 9, 11 and 12.

use carom::model::study::Level;

use super::super::claim::Claim;
use super::super::lab::{Answer, Lab};
use carom::answer::study::StudyReading;
use carom::maths::digits::three;

/// Ranks that go together but for neighbours.
const ORDERED: f64 = 0.999;
/// The same with friction, which T_c of the normal alone does not know.
const NEARLY_ORDERED: f64 = 0.998;
/// Below this a rank correlation is no guide.
const LOOSE: f64 = 0.5;

/// The least rank correlation of the peak force with a measure over the groups of a study.
fn ranks(report: &StudyReading, measure: &str) -> Answer<f64> {
    let several = report.digest.groups.len() > 1;
    let own = report.digest.drivers.iter().filter(|d| {
        report.study.measures[d.measure].name == measure && d.group.is_some() == several
    });
    let least = own.filter_map(|d| d.spearman).fold(f64::INFINITY, f64::min);
    if least.is_finite() { Ok(least) } else { Err(format!("`{measure}` does not vary")) }
}

/// A column of a study.
fn column<'a>(report: &'a StudyReading, measure: &str) -> Answer<&'a [f64]> {
    let found = report.study.measures.iter().position(|m| m.name == measure);
    found
        .map(|k| report.rows.measures[k].as_slice())
        .ok_or_else(|| format!("there is no measure `{measure}`"))
}

/// By group, the row at which a measure is greatest.
fn greatest(report: &StudyReading, measure: &str) -> Answer<Vec<usize>> {
    let values = column(report, measure)?;
    let most =
        |rows: &Vec<usize>| rows.iter().copied().max_by(|a, b| values[*a].total_cmp(&values[*b]));
    Ok(report.digest.groups.iter().filter_map(|g| most(&g.rows)).collect())
}

/// The main variable of a row.
fn place(report: &StudyReading, row: usize) -> Answer<f64> {
    let main = report.digest.main.ok_or_else(|| "no variable has numbers".to_owned())?;
    match &report.rows.levels[main][row] {
        Level::Number(x) => Ok(*x),
        Level::Word(word) => Err(format!("`{word}` is no number")),
    }
}

/// The greatest peak force of each group \[N\].
fn peaks(lab: &Lab, study: &str) -> Answer<Vec<f64>> {
    let report = lab.study(study)?;
    let values = column(&report, "peak_force")?;
    Ok(greatest(&report, "peak_force")?.into_iter().map(|row| values[row]).collect())
}

/// Figs. 4 to 9.
pub(super) fn pendulum() -> Vec<Claim> {
    let inputs = "lost input, derived: δ is the penetration −(y₂ + h) > 0 with the rate u⁻ > 0 at the onset (signs); point masses, no \
                  gravity during the impact; monotony in T_c is exact for a frozen pose only";
    let mut all = Vec::new();
    for (place, study, least) in [
        ("fig. 4", "002-fig-04", ORDERED),
        ("fig. 5", "002-fig-05", ORDERED),
        ("fig. 6", "002-fig-06", ORDERED),
        ("fig. 7", "002-fig-07", ORDERED),
        ("fig. 8", "002-fig-08", ORDERED),
        ("fig. 9", "002-fig-09", NEARLY_ORDERED),
    ] {
        let claim = Claim::words(place, "the peak force grows with T_c", move |lab| {
            let found = ranks(&*lab.study(study)?, "impact_energy")?;
            Ok((found >= least, format!("rank correlation {found:.4}")))
        });
        all.push(claim.note(inputs));
    }
    for (place, study) in [("fig. 5", "002-fig-05"), ("fig. 6", "002-fig-06")] {
        all.push(Claim::words(place, "T does not say how the peak force varies", move |lab| {
            let found = ranks(&*lab.study(study)?, "kinetic_energy")?;
            Ok((found < LOOSE, format!("rank correlation {found:.4}")))
        }));
    }
    all.push(
        Claim::words("fig. 4", "T does not say enough, straight down", |lab| {
            let found = ranks(&*lab.study("002-fig-04")?, "kinetic_energy")?;
            Ok((found < LOOSE, format!("rank correlation {found:.4}")))
        })
        .differs("without sliding T orders the peak forces nearly as well as T_c; it is from figs. 5 and 6 that one sees it does not"),
    );
    all.push(Claim::words("fig. 7", "three laws, very similar peak forces", |lab| {
        let peaks = peaks(lab, "002-fig-07")?;
        let (low, high) = ends(&peaks);
        Ok((high / low < 1.1, format!("greatest by least {}", three(high / low))))
    }));
    all
}

fn ends(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, 0.0), |(a, b), x| (x.min(a), x.max(b)))
}

/// Figs. 11 and 12.
pub(super) fn robot() -> Vec<Claim> {
    let sign = "240 kN follow only from a reversed sign of the damping: with the law as printed the peak drops as e does";
    let unit = "printed as N, which is a misprint of kN; k is not given for the robot, and the 10⁹ N/m^1.5 of the pendulum leaves a percent";
    let read = "read from the text: h_G is the chassis' mass centre above the axle line, one wheel of 20 kg an axle, the normal (−sin β, cos β) \
                goes through the front wheel's centre; five free coordinates, no terrain force in M";
    let mut all = Vec::new();
    for (what, measure) in [("T_c", "impact_energy"), ("the peak force", "peak_force")] {
        let what = format!("slope at which {what} is greatest");
        let claim = Claim::printed("fig. 11", &what, ("70", "deg"), move |lab| {
            let report = lab.study("002-fig-11")?;
            let row = greatest(&report, measure)?.first().copied();
            place(&report, row.ok_or_else(|| "no rows".to_owned())?)
        });
        all.push(claim.note(read));
    }
    all.push(
        Claim::printed("sec. 4", "greatest peak force, e = 1", ("132", "kN"), |lab| {
            Ok(1e-3 * peaks(lab, "002-fig-11")?[0])
        })
        .differs(unit),
    );
    all.push(
        Claim::printed("sec. 4", "greatest peak force, e = 0.7", ("240", "kN"), |lab| {
            let peaks = peaks(lab, "002-fig-12-left")?;
            peaks.last().map(|p| 1e-3 * p).ok_or_else(|| "no rows".to_owned())
        })
        .differs(sign),
    );
    all.push(
        Claim::words("sec. 4", "three laws at e = 0.8: peaks vary by more than 25 %", |lab| {
            let (low, high) = ends(&peaks(lab, "002-fig-12-right")?);
            Ok((high / low > 1.25, format!("by {} %", three(100.0 * (high / low - 1.0)))))
        })
        .differs(
            "the same reversed sign: with the laws as printed the three peaks lie close together",
        ),
    );
    for (place_of, study) in
        [("fig. 12 left", "002-fig-12-left"), ("fig. 12 right", "002-fig-12-right")]
    {
        all.push(Claim::words(place_of, "T_c finds the slope of the greatest peak", move |lab| {
            let report = lab.study(study)?;
            let (a, b) = (greatest(&report, "impact_energy")?, greatest(&report, "peak_force")?);
            let slopes: Vec<f64> =
                b.iter().map(|row| place(&report, *row)).collect::<Answer<_>>()?;
            let text: Vec<String> = slopes.iter().map(|s| three(*s)).collect();
            Ok((a == b, format!("{}°", text.join(", "))))
        }));
    }
    all
}
