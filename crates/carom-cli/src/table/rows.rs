//! The rows of a contact, one column each: where, how heavy, which forces.

use carom::contact::impact1d::Outcome;
use carom::impact::{Assessment, ImpactTerms, RowAssessment};
use carom::maths::Vec3;
use carom::model::{ContactDefaults, ContactUnits};

use super::{Grid, stiffness};
use crate::commands::assess::Report;
use crate::number::{components, six, vector, with_unit};
use carom::contact::{Approach as Motion, Standing};

/// A contact and some of its rows.
pub(crate) struct Columns<'a> {
    /// The report it belongs to.
    pub report: &'a Report<'a>,
    /// The contact.
    pub contact: &'a Assessment,
    /// The rows to show.
    pub rows: &'a [RowAssessment],
}

impl Columns<'_> {
    /// Whether the contact has one row.
    pub(super) fn single(&self) -> bool {
        self.contact.rows.len() == 1
    }

    /// The units of the contact.
    pub(crate) fn units(&self) -> ContactUnits {
        let model = self.report.opened.model();
        let contact = model.contact(&self.contact.contact).map(|k| &model.contacts[k]);
        contact.map_or(ContactUnits::LINEAR, carom::model::Contact::units)
    }

    /// One quantity: a cell for each row, and what it means.
    pub(super) fn line(
        &self,
        grid: &mut Grid,
        (what, symbol): (&str, &str),
        value: &dyn Fn(&RowAssessment) -> String,
        meaning: impl Into<String>,
    ) {
        let mut cells = vec![what.to_owned(), symbol.to_owned()];
        cells.extend(self.rows.iter().map(value));
        cells.push(meaning.into());
        grid.row(cells);
    }

    fn motion(&self, row: &RowAssessment) -> Motion {
        row.approach
    }

    /// Gap, point, normal, u.
    pub(crate) fn place(&self, grid: &mut Grid) {
        let gap = |r: &RowAssessment| match r.standing {
            Standing::Touching => format!("0 {}", self.units().gap),
            _ => with_unit(r.point.gap, self.units().gap),
        };
        let meaning = match self.common(false, &|r| r.standing) {
            Some(Standing::Touching) => "touching",
            Some(Standing::Open) => "not touching yet: assessed as if it struck in this pose",
            Some(Standing::Penetrating) => "the shapes penetrate each other",
            None => "",
        };
        self.line(grid, ("gap", "g"), &gap, meaning);
        self.vector(grid, ("point", ""), " m", &|r| r.point.on_a);
        self.vector(grid, ("direction, from i to j", "n"), "", &|r| r.direction);
        let words = match self.common(true, &|r| self.motion(r)) {
            Some(Motion::Closing) => "closing",
            Some(Motion::Separating) => "separating: no impact",
            Some(Motion::Resting) => "resting: no approach, to rounding",
            Some(Motion::Sliding) | None => "of a normal: negative closes, positive separates",
        };
        let rate = |r: &RowAssessment| match self.motion(r) {
            Motion::Resting => format!("0 {}", self.units().velocity),
            _ => with_unit(r.effective.rate, self.units().velocity),
        };
        self.line(grid, ("contact velocity", "u"), &rate, words);
    }

    /// What all rows, or all normals, have in common.
    fn common<T: PartialEq>(&self, normals: bool, of: &dyn Fn(&RowAssessment) -> T) -> Option<T> {
        let mut values = self.rows.iter().filter(|r| r.is_normal || !normals).map(of);
        let first = values.next()?;
        values.all(|x| x == first).then_some(first)
    }

    /// One cell for a single row, one line a component for several.
    fn vector(
        &self,
        grid: &mut Grid,
        (what, symbol): (&str, &str),
        unit: &str,
        of: &dyn Fn(&RowAssessment) -> Vec3,
    ) {
        let model = self.report.opened.model();
        if self.single() {
            let value = |r: &RowAssessment| format!("{}{unit}", vector(model, &of(r)));
            self.line(grid, (what, symbol), &value, "");
            return;
        }
        let axes: &[&str] = if model.is_planar() { &["x", "y"] } else { &["x", "y", "z"] };
        for (k, axis) in axes.iter().enumerate() {
            let value = |r: &RowAssessment| format!("{}{unit}", six(components(model, &of(r))[k]));
            self.line(grid, (&format!("{what}, {axis}"), symbol), &value, "");
        }
    }

    /// m_eff, apparent masses, coupling, others held, locked.
    pub(crate) fn masses(&self, grid: &mut Grid) {
        let model = self.report.opened.model();
        let (i, j) = self.contact.places;
        let kg = |x: f64| with_unit(x, self.units().mass);
        let immobile = self.rows.iter().any(|r| r.effective.is_immobile());
        let meaning = if immobile {
            "∞: nothing can move this way, it is like a wall"
        } else if self.single() {
            "how heavy the contact feels"
        } else {
            "how heavy each row feels alone"
        };
        self.line(grid, ("effective mass", "m_eff"), &|r| kg(r.effective.mass), meaning);
        let lighter = |own: f64, other: f64, place: carom::model::Place| {
            if place.is_none() {
                "the ground does not give way"
            } else if own.is_infinite() {
                "cannot move this way"
            } else if self.single() && own < 0.5 * other && other.is_finite() {
                "the lighter side: it decides"
            } else {
                ""
            }
        };
        let first = &self.rows[0].apparent;
        let side = |place| format!("apparent mass of `{}`", model.place_name(place));
        self.line(grid, (&side(i), "m_i"), &|r| kg(r.apparent.i), lighter(first.i, first.j, i));
        self.line(grid, (&side(j), "m_j"), &|r| kg(r.apparent.j), lighter(first.j, first.i, j));
        let coupled = self.rows.iter().any(|r| !r.apparent.uncoupled);
        let meaning = if coupled {
            "the sides hang together: 1/m_eff is 1/m_i + 1/m_j + 2 W_ij, not 1/m_i + 1/m_j (seed 000, eq. 2)"
        } else {
            "none: 1/m_eff = 1/m_i + 1/m_j"
        };
        let coupling = |r: &RowAssessment| {
            if r.apparent.uncoupled {
                "0".to_owned()
            } else {
                with_unit(r.apparent.coupling, self.units().mobility)
            }
        };
        self.line(grid, ("coupling of the sides", "W_ij"), &coupling, meaning);
        if !self.single() {
            self.line(grid, ("all other rows held", "m_eff"), &|r| kg(r.others_held), "");
            let energy = |r: &RowAssessment| with_unit(r.effective.energy, "J");
            self.line(
                grid,
                ("energy of this row alone", "½m_eff u²"),
                &energy,
                "impact energy if it is a normal that closes",
            );
        }
        self.locked(grid);
    }

    fn locked(&self, grid: &mut Grid) {
        if self.report.locked.is_empty() {
            return;
        }
        let names: Vec<String> = self.report.locked.iter().map(|n| format!("`{n}`")).collect();
        let value = |r: &RowAssessment| {
            r.locked.map_or_else(|| "–".to_owned(), |l| with_unit(l.mass, self.units().mass))
        };
        let first = &self.rows[0];
        let factor = first.locked.map(|l| l.mass / first.effective.mass);
        let meaning = match factor {
            Some(f) if self.single() && f.is_finite() => format!("{} times", six(f)),
            _ => String::new(),
        };
        self.line(grid, (&format!("with {} locked", names.join(", ")), "m_eff"), &value, meaning);
    }

    /// u̇, z_c, τ_c, elastic peak.
    pub(crate) fn forces(&self, grid: &mut Grid) {
        let units = self.units();
        let dash = || "–".to_owned();
        let term = |of: &dyn Fn(&ImpactTerms) -> f64, unit: &str, r: &RowAssessment| {
            r.terms.as_ref().map_or_else(dash, |t| with_unit(of(t), unit))
        };
        let undefined = if self.rows.iter().any(|r| r.is_normal && r.terms.is_none()) {
            "undefined: the contact cannot move"
        } else {
            ""
        };
        let note =
            |text: &str| if undefined.is_empty() { text.to_owned() } else { undefined.to_owned() };
        self.line(
            grid,
            ("rate of u", "u̇"),
            &|r| term(&|t| t.acceleration, units.acceleration, r),
            note("without a contact force"),
        );
        self.line(
            grid,
            ("velocity term", "z_c"),
            &|r| term(&|t| t.velocity, units.force, r),
            note("centrifugal and Coriolis: m_eff u̇ + z_c = τ_c"),
        );
        self.line(
            grid,
            ("load term", "τ_c"),
            &|r| term(&|t| t.force, units.force, r),
            note("gravity, springs, dampers, forces"),
        );
        self.stiffness(grid);
        if self.rows.iter().any(|r| r.elastic_peak.is_some()) {
            let peak =
                |r: &RowAssessment| r.elastic_peak.map_or_else(dash, |f| with_unit(f, units.force));
            self.line(
                grid,
                ("elastic peak force", "F"),
                &peak,
                "if T_c is stored without loss in this stiffness",
            );
        }
        self.area(grid);
        self.prediction(grid);
    }

    /// The impact under the contact's own law.
    fn prediction(&self, grid: &mut Grid) {
        let Some(law) = &self.contact.law else { return };
        if self.rows.iter().all(|r| r.prediction.is_none()) {
            return;
        }
        grid.heading(format!("under its law, {}", law.name));
        let asked = self.contact_defaults().and_then(|d| d.restitution);
        let asked = asked.map_or(String::new(), |e| format!("asked for {}; ", six(e)));
        let rule = format!("{asked}parted at {}", law.parting.name());
        let value = |of: &dyn Fn(&Outcome) -> f64, unit: &str, r: &RowAssessment| {
            let found = r.prediction.as_ref().map(|p| of(&p.outcome));
            found.map_or_else(|| "–".to_owned(), |x| with_unit(x, unit))
        };
        let factor = |r: &RowAssessment| r.prediction.map(|p| six(p.factors.peak_force));
        let factor = self.rows.iter().find_map(factor).unwrap_or_default();
        let mut add = |name, of: fn(&Outcome) -> f64, unit: &str, note: &str| {
            self.line(grid, name, &|r| value(&of, unit, r), note);
        };
        let of_elastic = format!("{factor} of the elastic peak");
        let units = self.units();
        add(("peak force", "F"), |o| o.peak_force, units.force, &of_elastic);
        add(("greatest indentation", "δ_max"), |o| o.max_indentation, units.gap, "");
        add(("duration of the contact", ""), |o| o.duration, "s", "");
        add(("restitution delivered", "e"), |o| o.restitution, "", &rule);
        add(("separation speed", ""), |o| o.separation_speed, units.velocity, "");
        add(("energy lost", ""), |o| o.energy_lost, "J", "");
    }

    fn contact_defaults(&self) -> Option<&ContactDefaults> {
        let model = self.report.opened.model();
        model.contact(&self.contact.contact).map(|k| &model.contacts[k].defaults)
    }

    /// K, n and where they come from.
    fn stiffness(&self, grid: &mut Grid) {
        let model = self.report.opened.model();
        let stated = model.contact(&self.contact.contact).map(|k| &model.contacts[k]);
        let (Some(found), Some(stated)) = (self.contact.stiffness, stated) else { return };
        let normal = |text: String| {
            move |r: &RowAssessment| if r.is_normal { text.clone() } else { "–".to_owned() }
        };
        let value = normal(with_unit(found.stiffness, &stiffness::unit(&found)));
        self.line(grid, ("stiffness", "K"), &value, stiffness::origin(stated, &found));
        let exponent = normal(six(found.exponent));
        self.line(grid, ("exponent", "n"), &exponent, "F = K δⁿ");
    }

    /// The area of contact at the elastic peak.
    fn area(&self, grid: &mut Grid) {
        if self.rows.iter().all(|r| r.elastic_area.is_none()) {
            return;
        }
        let dash = || "–".to_owned();
        let axes = |r: &RowAssessment| {
            r.elastic_area.map_or_else(dash, |area| {
                let [a, b] = area.half_axes;
                format!("{} × {} m", six(a), six(b))
            })
        };
        self.line(grid, ("half axes of the contact", "a, b"), &axes, "at that force");
        let pressure = |r: &RowAssessment| {
            r.elastic_area.map_or_else(dash, |area| with_unit(area.peak_pressure, "Pa"))
        };
        self.line(
            grid,
            ("peak pressure", "p₀"),
            &pressure,
            "at that force; metals yield below the surface from some 1.6 times their yield stress",
        );
    }
}
