//! What the numbers are compared with: other directions, other methods, other routes.

use carom::impact::{Cone, Extremes, Rival, RowAssessment};

use super::Grid;
use super::rows::Columns;
use crate::number::{percent, six, three, with_unit};

impl Columns<'_> {
    /// Extremes over the cone.
    pub(crate) fn cone(&self, grid: &mut Grid) {
        let degrees = self.rows.iter().find_map(|r| r.cone).map(|c| c.half_angle.to_degrees());
        let Some(degrees) = degrees else { return };
        grid.heading(format!("if the normal were turned by up to {}°", six(degrees)));
        let range = |x: &Extremes, unit: &str| {
            let digits = if self.single() { six } else { three };
            if six(x.least) == six(x.most) {
                format!("{} {unit}", digits(x.most))
            } else {
                format!("{} to {} {unit}", digits(x.least), digits(x.most))
            }
        };
        let angles = |of: &dyn Fn(&Cone) -> Extremes| match self.rows[0].cone.map(|c| of(&c)) {
            Some(x) if self.single() && six(x.least) != six(x.most) => {
                let (least, most) = (x.least_at.to_degrees(), x.most_at.to_degrees());
                format!("least at {least:.1}°, most at {most:.1}° from the normal")
            }
            _ => String::new(),
        };
        let cell = |r: &RowAssessment, of: &dyn Fn(&Cone) -> Extremes, unit: &str| {
            r.cone.map_or_else(|| "–".to_owned(), |c| range(&of(&c), unit))
        };
        let (mass, energy) = (|c: &Cone| c.mass, |c: &Cone| c.energy);
        self.line(
            grid,
            ("effective mass", "m_eff"),
            &|r| cell(r, &mass, self.units().mass),
            angles(&mass),
        );
        self.line(
            grid,
            ("energy along it", "½m_eff u²"),
            &|r| cell(r, &energy, "J"),
            angles(&energy),
        );
    }

    /// Rival methods and the agreement of routes.
    pub(crate) fn checks(&self, grid: &mut Grid) {
        let normals: Vec<&RowAssessment> = self.rows.iter().filter(|r| r.is_normal).collect();
        if !normals.is_empty() {
            grid.heading("what other methods would say of m_eff (seed 000, eqs. 14 and 15)");
            self.rival(grid, "by kinetic energy", "(14)", &|r| r.rivals.map(|x| x.energy));
            self.rival(grid, "by inertial forces", "(15)", &|r| r.rivals.map(|x| x.newton));
        }
        if self.rows.iter().any(|r| r.routes.is_some()) {
            grid.heading("how sure this is");
            let meaning = "relative difference between eqs. 28, 31, 38, 39 (seed 000) in joint and body coordinates";
            self.line(grid, ("m_eff by other routes", ""), &agreement, meaning);
        }
    }

    fn rival(
        &self,
        grid: &mut Grid,
        what: &str,
        number: &str,
        of: &dyn Fn(&RowAssessment) -> Option<Rival>,
    ) {
        let value = |r: &RowAssessment| match of(r) {
            None => "–".to_owned(),
            Some(Rival { effective: Some(mass), .. }) => with_unit(mass, self.units().mass),
            Some(_) => "undefined".to_owned(),
        };
        let first = &self.rows[0];
        let shared = first.rivals.is_some_and(|x| x.shared);
        let meaning = match of(first) {
            _ if shared => "both bodies belong to one connected mechanism".to_owned(),
            Some(rival @ Rival { effective: None, .. }) => at_rest(&rival, self.units().mass),
            Some(Rival { effective: Some(mass), .. })
                if self.single() && mass.is_finite() && !first.effective.is_immobile() =>
            {
                compared(mass / first.effective.mass)
            }
            _ => String::new(),
        };
        self.line(grid, (what, number), &value, meaning);
    }
}

/// Why a rival has no m_eff, and what it says of the side that moves.
fn at_rest(rival: &Rival, unit: &str) -> String {
    match (rival.i, rival.j) {
        (Some(mass), None) => format!("0/0: j is at rest (i alone: {})", with_unit(mass, unit)),
        (None, Some(mass)) => format!("0/0: i is at rest (j alone: {})", with_unit(mass, unit)),
        _ => "0/0: both sides are at rest".to_owned(),
    }
}

/// A rival's m_eff beside ours.
fn compared(factor: f64) -> String {
    let off = factor - 1.0;
    if off.abs() < 1e-9 {
        "the same".to_owned()
    } else if off.abs() < 1.0 {
        format!("off by {}", percent(off))
    } else {
        format!("{} times as much", three(factor))
    }
}

/// The largest relative difference of the routes from m_eff.
fn agreement(row: &RowAssessment) -> String {
    let Some(routes) = &row.routes else { return "–".to_owned() };
    let known: Vec<f64> = routes.iter().flatten().copied().collect();
    let m = row.effective.mass;
    if m.is_infinite() {
        return "–".to_owned();
    }
    let worst = known.iter().map(|x| (x / m - 1.0).abs()).fold(0.0, f64::max);
    if worst.is_infinite() {
        return "out of digits".to_owned();
    }
    format!("{worst:.0e} ({} routes)", known.len())
}
