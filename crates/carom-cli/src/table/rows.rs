//! The rows of a contact, one column each: where, how heavy, which forces.

use carom::answer::{Approach, ContactUnits, Standing};
use carom::answer::{
    AssessAnswer, ContactAnswer, OutcomeAnswer, RowAnswer, RowKind, SideAnswer, StiffnessAnswer,
    TermsAnswer,
};

use super::Grid;
use crate::number::{components, six, vector, with_unit};

/// A contact and some of its rows.
pub(crate) struct Columns<'a> {
    /// The answer it belongs to.
    pub answer: &'a AssessAnswer,
    /// The contact.
    pub contact: &'a ContactAnswer,
    /// The rows to show.
    pub rows: &'a [RowAnswer],
}

impl Columns<'_> {
    /// Whether the contact has one row.
    pub(super) fn single(&self) -> bool {
        self.contact.rows.len() == 1
    }

    /// A heading of numbers that hold only if the contact touched.
    pub(super) fn if_touched(&self, heading: &str) -> String {
        if self.contact.touching {
            heading.to_owned()
        } else {
            format!("{heading}, if it touched here")
        }
    }

    fn planar(&self) -> bool {
        self.answer.head.space == "planar"
    }

    /// One quantity: a cell for each row, and what it means.
    pub(super) fn line(
        &self,
        grid: &mut Grid,
        (what, symbol): (&str, &str),
        value: &dyn Fn(&RowAnswer) -> String,
        meaning: impl Into<String>,
    ) {
        let mut cells = vec![what.to_owned(), symbol.to_owned()];
        cells.extend(self.rows.iter().map(value));
        cells.push(meaning.into());
        grid.row(cells);
    }

    /// Of rows side by side: which touch, and which are told as if they touched here.
    pub(crate) fn labels(&self, grid: &mut Grid) {
        let open = |r: &RowAnswer| r.standing == Standing::Open;
        if self.contact.touching && self.rows.iter().any(open) {
            let value = |r: &RowAnswer| if open(r) { "if it touched here" } else { "touching" };
            self.line(grid, ("told", ""), &|r| value(r).to_owned(), "");
        }
    }

    /// Gap, point, normal, u.
    pub(crate) fn place(&self, grid: &mut Grid) {
        let units = &self.contact.units;
        let gap = |r: &RowAnswer| match r.standing {
            Standing::Touching => format!("0 {}", units.gap),
            _ => with_unit(r.gap, units.gap),
        };
        let stop = self.contact.sides.struck == "its stop";
        let meaning = match self.common(false, &|r| r.standing) {
            Some(Standing::Touching) => "touching",
            Some(Standing::Open) => {
                "not touching: the numbers below are those it would have if it touched here"
            }
            Some(Standing::Penetrating) if stop => "the joint is beyond its stop",
            Some(Standing::Penetrating) => "the shapes penetrate each other",
            None if self.contact.touching => "those that touch make the energies above",
            None => "",
        };
        self.line(grid, ("gap", "g"), &gap, meaning);
        // The stop of a joint has neither a point nor a direction.
        if !stop {
            self.vector(grid, ("point", ""), " m", &|r| r.on_i);
            self.vector(grid, ("direction, from i to j", "n"), "", &|r| r.direction);
        }
        let words = match self.common(true, &|r| r.motion) {
            Some(Approach::Closing) => "closing",
            Some(Approach::Separating) => "separating: no impact",
            Some(Approach::Resting) => "resting: no approach, to rounding",
            Some(Approach::Sliding) | None => "of a normal: negative closes, positive separates",
        };
        let rate = |r: &RowAnswer| match r.motion {
            Approach::Resting => format!("0 {}", units.velocity),
            _ => with_unit(r.u, units.velocity),
        };
        self.line(grid, ("contact velocity", "u"), &rate, words);
    }

    /// What all rows, or all normals, have in common.
    fn common<T: PartialEq>(&self, normals: bool, of: &dyn Fn(&RowAnswer) -> T) -> Option<T> {
        let shown = self.rows.iter().filter(|r| r.kind == RowKind::Normal || !normals);
        let mut values = shown.map(of);
        let first = values.next()?;
        values.all(|x| x == first).then_some(first)
    }

    /// One cell for a single row, one line a component for several.
    fn vector(
        &self,
        grid: &mut Grid,
        (what, symbol): (&str, &str),
        unit: &str,
        of: &dyn Fn(&RowAnswer) -> [f64; 3],
    ) {
        let planar = self.planar();
        if self.single() {
            let value = |r: &RowAnswer| format!("{}{unit}", vector(planar, &of(r)));
            self.line(grid, (what, symbol), &value, "");
            return;
        }
        let axes: &[&str] = if planar { &["x", "y"] } else { &["x", "y", "z"] };
        for (k, axis) in axes.iter().enumerate() {
            let value = |r: &RowAnswer| format!("{}{unit}", six(components(planar, &of(r))[k]));
            self.line(grid, (&format!("{what}, {axis}"), symbol), &value, "");
        }
    }

    /// m_eff, apparent masses, coupling, others held, locked.
    pub(crate) fn masses(&self, grid: &mut Grid) {
        let units = &self.contact.units;
        let kg = |x: f64| with_unit(x, units.mass);
        let meaning = if self.rows.iter().any(|r| r.immobile) {
            "∞: nothing can move this way, it is like a wall"
        } else if self.single() {
            "how heavy the contact feels"
        } else {
            "how heavy each row feels alone"
        };
        self.line(grid, ("effective mass", "m_eff"), &|r| kg(r.effective_mass), meaning);
        if self.rows.iter().any(|r| r.beside.is_some()) {
            let beside = |r: &RowAnswer| match r
                .beside
                .map(|b| (b.along_motion, b.least_mass, b.most_mass))
            {
                Some((Some(mass), _, _)) => kg(mass),
                Some((None, Some(least), Some(most))) if six(least) == six(most) => kg(most),
                Some((None, Some(least), Some(most))) => format!("{} to {}", six(least), kg(most)),
                _ => "–".to_owned(),
            };
            self.line(
                grid,
                ("beside this singular pose", "m_eff"),
                &beside,
                "the pose is singular: m_eff jumps there",
            );
        }
        let first = &self.rows[0].apparent_masses;
        let lighter = |side: &SideAnswer| {
            if side.body == "ground" {
                "the ground does not give way"
            } else if side.immobile {
                "cannot move this way"
            } else if self.single() && first.lighter.as_ref() == Some(&side.body) {
                "the lighter side: it decides"
            } else {
                ""
            }
        };
        let side = |body: &str| format!("apparent mass of `{body}`");
        let (i, j) = (&first.i, &first.j);
        self.line(grid, (&side(&i.body), "m_i"), &|r| kg(r.apparent_masses.i.mass), lighter(i));
        self.line(grid, (&side(&j.body), "m_j"), &|r| kg(r.apparent_masses.j.mass), lighter(j));
        let meaning = if self.rows.iter().any(|r| !r.apparent_masses.uncoupled) {
            "the sides are coupled: 1/m_eff = 1/m_i + 1/m_j + 2 W_ij (Nikravesh-Poursina eq. 2 omits the last term)"
        } else {
            "none: 1/m_eff = 1/m_i + 1/m_j"
        };
        let coupling = |r: &RowAnswer| {
            if r.apparent_masses.uncoupled {
                "0".to_owned()
            } else {
                with_unit(r.apparent_masses.coupling, units.mobility)
            }
        };
        self.line(grid, ("coupling of the sides", "W_ij"), &coupling, meaning);
        if !self.single() {
            let held = |r: &RowAnswer| kg(r.others_held.effective_mass);
            self.line(grid, ("other rows held", "m_eff"), &held, "");
            self.line(
                grid,
                ("energy of this row alone", "½m_eff u²"),
                &|r| with_unit(r.constrained_energy, "J"),
                "impact energy if it is a normal that closes",
            );
        }
        self.locked(grid);
    }

    fn locked(&self, grid: &mut Grid) {
        if self.answer.locked.is_empty() {
            return;
        }
        let names: Vec<String> = self.answer.locked.iter().map(|n| format!("`{n}`")).collect();
        let value = |r: &RowAnswer| {
            let mass = r.locked.map(|l| with_unit(l.effective_mass, self.contact.units.mass));
            mass.unwrap_or_else(|| "–".to_owned())
        };
        let first = &self.rows[0];
        let times = first.locked.and_then(|l| first.times(l.effective_mass));
        let times = times.filter(|_| self.single());
        let meaning = times.map_or_else(String::new, |f| format!("{} times", six(f)));
        self.line(grid, (&format!("with {} locked", names.join(", ")), "m_eff"), &value, meaning);
    }

    /// u̇, z_c, τ_c, elastic peak.
    pub(crate) fn forces(&self, grid: &mut Grid) {
        let units = &self.contact.units;
        let dash = || "–".to_owned();
        let term = |of: &dyn Fn(&TermsAnswer) -> f64, unit: &str, r: &RowAnswer| {
            r.terms.as_ref().map_or_else(dash, |t| with_unit(of(t), unit))
        };
        let normal_undefined = |r: &RowAnswer| r.kind == RowKind::Normal && r.terms.is_none();
        let undefined = self.rows.iter().any(normal_undefined);
        let note = |text: &str| {
            if undefined { "undefined: the contact cannot move" } else { text }.to_owned()
        };
        self.line(
            grid,
            ("rate of u", "u̇"),
            &|r| term(&|t| t.u_dot, units.acceleration, r),
            note("without a contact force"),
        );
        self.line(
            grid,
            ("velocity term", "z_c"),
            &|r| term(&|t| t.z_c, units.force, r),
            note("centrifugal and Coriolis: m_eff u̇ + z_c = τ_c"),
        );
        self.line(
            grid,
            ("load term", "τ_c"),
            &|r| term(&|t| t.tau_c, units.force, r),
            note("gravity, springs, dampers, forces"),
        );
        self.stiffness(grid);
        if self.rows.iter().any(|r| r.elastic_peak.is_some()) {
            self.line(
                grid,
                ("elastic peak force", "F"),
                &|r| r.elastic_peak.map_or_else(dash, |f| with_unit(f, units.force)),
                "if T_c is stored without loss in this stiffness",
            );
        }
        self.area(grid);
        self.prediction(grid);
    }

    /// The impact under the contact's own law.
    fn prediction(&self, grid: &mut Grid) {
        let Some(law) = &self.contact.law else { return };
        let Some(factors) = self.rows.iter().find_map(|r| r.prediction.as_ref()) else { return };
        grid.heading(format!("under its law, {}", law.name));
        let asked = self.contact.restitution;
        let asked = asked.map_or(String::new(), |e| format!("asked for {}; ", six(e)));
        let rule = format!("{asked}parted at {}", law.parting);
        let value = |of: &dyn Fn(&OutcomeAnswer) -> f64, unit: &str, r: &RowAnswer| {
            let found = r.prediction.as_ref().map(|p| of(&p.outcome));
            found.map_or_else(|| "–".to_owned(), |x| with_unit(x, unit))
        };
        let mut add = |name, of: fn(&OutcomeAnswer) -> f64, unit: &str, note: &str| {
            self.line(grid, name, &|r| value(&of, unit, r), note);
        };
        let of_elastic = format!("{} of the elastic peak", six(factors.factors.peak_force));
        let units = &self.contact.units;
        add(("peak force", "F"), |o| o.peak_force, units.force, &of_elastic);
        add(("greatest indentation", "δ_max"), |o| o.max_indentation, units.gap, "");
        add(("duration of the contact", ""), |o| o.duration, "s", "");
        add(("restitution delivered", "e"), |o| o.restitution, "", &rule);
        add(("separation speed", ""), |o| o.separation_speed, units.velocity, "");
        add(("energy lost", ""), |o| o.energy_lost, "J", "");
    }

    /// K, n and where they come from.
    fn stiffness(&self, grid: &mut Grid) {
        let Some(found) = &self.contact.stiffness else { return };
        let normal = |text: String| {
            move |r: &RowAnswer| match r.kind {
                RowKind::Normal => text.clone(),
                RowKind::Tangent => "–".to_owned(),
            }
        };
        let unit = stiffness_unit(found, &self.contact.units);
        let value = normal(with_unit(found.stiffness, &unit));
        self.line(grid, ("stiffness", "K"), &value, stiffness_origin(found));
        let exponent = normal(six(found.exponent));
        self.line(grid, ("exponent", "n"), &exponent, "F = K δⁿ");
    }

    /// The area of contact at the elastic peak.
    fn area(&self, grid: &mut Grid) {
        if self.rows.iter().all(|r| r.elastic_area.is_none()) {
            return;
        }
        let dash = || "–".to_owned();
        let axes = |r: &RowAnswer| {
            r.elastic_area.map_or_else(dash, |area| {
                let [a, b] = area.half_axes;
                format!("{} × {} m", six(a), six(b))
            })
        };
        self.line(grid, ("half axes of the contact", "a, b"), &axes, "at that force");
        let pressure = |r: &RowAnswer| {
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

/// `N/m^1.5`, `N/m`; `N m/rad` at the stop of an angle.
pub(super) fn stiffness_unit(found: &StiffnessAnswer, units: &ContactUnits) -> String {
    let power =
        if found.exponent == 1.0 { String::new() } else { format!("^{}", six(found.exponent)) };
    format!("{}/{}{power}", units.force, units.gap)
}

/// Where K and n come from.
pub(super) fn stiffness_origin(found: &StiffnessAnswer) -> String {
    let pair = match found.materials.as_deref() {
        Some([i, j]) => format!("{} on {}", i.name, j.name),
        _ => String::new(),
    };
    match (found.relative_curvatures, found.length) {
        (Some([least, most]), _) => format!(
            "Hertz: {pair}, E* = {}, A + B = {}, b/a = {}",
            with_unit(found.contact_modulus.unwrap_or_default(), "Pa"),
            with_unit(least + most, "1/m"),
            six(found.axis_ratio.unwrap_or_default())
        ),
        (None, Some(length)) => format!(
            "Hertz: {pair}, parallel cylinders of {}, matched at {}",
            with_unit(length, "m"),
            with_unit(found.reference_force.unwrap_or_default(), "N")
        ),
        (None, None) => "written in the file".to_owned(),
    }
}
