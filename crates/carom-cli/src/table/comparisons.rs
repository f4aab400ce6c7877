//! What the numbers are compared with: other directions, other methods, other routes.

use carom::answer::{ConeAnswer, ExtremesAnswer, RivalAnswer, RowAnswer, RowKind};

use super::Grid;
use super::rows::Columns;
use crate::number::{six, three, with_unit};

impl Columns<'_> {
    /// Extremes over the cone.
    pub(crate) fn cone(&self, grid: &mut Grid) {
        let degrees = self.rows.iter().find_map(|r| r.cone).map(|c| c.half_angle.to_degrees());
        let Some(degrees) = degrees else { return };
        let turned = format!("if the normal were turned by up to {}°", six(degrees));
        grid.heading(self.if_touched(&turned));
        let range = |x: &ExtremesAnswer, unit: &str| {
            let digits = if self.single() { six } else { three };
            if six(x.least) == six(x.most) {
                format!("{} {unit}", digits(x.most))
            } else {
                format!("{} to {} {unit}", digits(x.least), digits(x.most))
            }
        };
        let angles =
            |of: &dyn Fn(&ConeAnswer) -> ExtremesAnswer| match self.rows[0].cone.map(|c| of(&c)) {
                Some(x) if self.single() && six(x.least) != six(x.most) => {
                    let (least, most) = (x.least_at.to_degrees(), x.most_at.to_degrees());
                    format!("least at {least:.1}°, most at {most:.1}° from the normal")
                }
                _ => String::new(),
            };
        let cell = |r: &RowAnswer, of: &dyn Fn(&ConeAnswer) -> ExtremesAnswer, unit: &str| {
            r.cone.map_or_else(|| "–".to_owned(), |c| range(&of(&c), unit))
        };
        let mass = |c: &ConeAnswer| c.effective_mass;
        let energy = |c: &ConeAnswer| c.constrained_energy;
        self.line(
            grid,
            ("effective mass", "m_eff"),
            &|r| cell(r, &mass, self.contact.units.mass),
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
        if self.rows.iter().any(|r| r.kind == RowKind::Normal && r.rivals.is_some()) {
            grid.heading(
                "what other methods would say of m_eff (Nikravesh-Poursina, eqs. 14 and 15)",
            );
            self.rival(grid, "by kinetic energy", "(14)", &|r| {
                r.rivals.map(|x| x.kinetic_energy_eq14)
            });
            self.rival(grid, "by inertial forces", "(15)", &|r| {
                r.rivals.map(|x| x.inertial_force_eq15)
            });
        }
        if self.rows.iter().any(|r| r.routes.is_some()) {
            grid.heading("how sure this is");
            let meaning = "relative difference of the routes in joint and body coordinates (Nikravesh-Poursina eqs. 28, 31, 38, 39)";
            self.line(grid, ("m_eff by other routes", ""), &agreement, meaning);
        }
    }

    fn rival(
        &self,
        grid: &mut Grid,
        what: &str,
        number: &str,
        of: &dyn Fn(&RowAnswer) -> Option<RivalAnswer>,
    ) {
        let unit = &self.contact.units.mass;
        let value = |r: &RowAnswer| match of(r) {
            None => "–".to_owned(),
            Some(RivalAnswer { effective_mass: Some(mass), .. }) => with_unit(mass, unit),
            Some(_) => "undefined".to_owned(),
        };
        let first = &self.rows[0];
        let shared = first.rivals.is_some_and(|x| x.shared_subsystem);
        let meaning = match of(first) {
            _ if shared => "both bodies belong to one connected mechanism".to_owned(),
            Some(rival @ RivalAnswer { effective_mass: None, .. }) => at_rest(&rival, unit),
            Some(RivalAnswer { effective_mass: Some(mass), .. }) if self.single() => {
                first.times(mass).map_or_else(String::new, compared)
            }
            _ => String::new(),
        };
        self.line(grid, (what, number), &value, meaning);
    }
}

/// Why a rival has no m_eff, and what it says of the side that moves.
fn at_rest(rival: &RivalAnswer, unit: &str) -> String {
    match (rival.i, rival.j) {
        (Some(mass), None) => format!("0/0: j is at rest (i alone: {})", with_unit(mass, unit)),
        (None, Some(mass)) => format!("0/0: i is at rest (j alone: {})", with_unit(mass, unit)),
        _ => "0/0: both sides are at rest".to_owned(),
    }
}

/// A rival's m_eff beside ours.
fn compared(factor: f64) -> String {
    if six(factor) == "1" {
        "the same".to_owned()
    } else {
        format!("{} times as much", three(factor))
    }
}

/// The largest relative difference of the routes from m_eff.
fn agreement(row: &RowAnswer) -> String {
    match row.routes {
        Some(routes) => match routes.largest_difference {
            Some(worst) => format!("{worst:.0e} ({} routes)", routes.count),
            None if row.immobile => "–".to_owned(),
            None => "out of digits".to_owned(),
        },
        None => "–".to_owned(),
    }
}
