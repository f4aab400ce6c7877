//! The core of an assessment at one state, in memory that is kept: the kernel of [`super::Machine::assess_many`].

use super::many::OPEN;
use crate::answer::CautionCode;
use crate::contact::{
    Approach, ContactError, IMMOBILE, MOST_POINTS, Resolution, TouchPoint, gap_resolution, places,
    touch,
};
use crate::dynamics::{
    Between, ClosureTest, DynamicsError, LaneRow, Lanes, Memory, Posture, RowWork, RowWrench,
};
use crate::impact::{
    EffectiveMass, ImpactRows, Part, Reach, TouchingRow, strike_out, zero_eigenvalue,
};
use crate::kinematics::State;
use crate::maths::Vec3;
use crate::maths::register::several::MOST as MOST_STATES;
use crate::maths::spatial::tangents;
use crate::model::{ContactGeometry, Friction, Model, Place};

/// Closures that are open by less than this fraction of their natural size are closed to round-off: then the pose itself decides which
/// rows are dependent. Otherwise rows that are nearly dependent are treated as dependent.
pub(super) const CLOSED: f64 = 1e-14;
/// The most rows a contact has: normals, and two tangents each where it sticks.
const MOST_ROWS: usize = 3 * MOST_POINTS;

/// What is found at one state.
pub(super) struct Entry {
    pub gap: f64,
    pub effective: EffectiveMass,
    pub kinetic_energy: f64,
    pub impact_energy: f64,
    pub point: u32,
    pub closure_gap: f64,
    /// Whether a drive moves: T depends on the frame then.
    pub driven: bool,
    pub cautions: u64,
}

impl Entry {
    /// ξ = T_c / T; zero at rest, NaN where a drive moves.
    pub(super) fn share(&self) -> f64 {
        let T = self.kinetic_energy;
        if self.driven {
            f64::NAN
        } else if T == 0.0 {
            0.0
        } else {
            self.impact_energy / T
        }
    }
}

/// The memory of one thread; nothing allocates per state.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    contact: usize,
    sticks: bool,
    memory: Memory,
    /// For states whose loops are not closed to round-off; none without closures.
    coarse: Option<Memory>,
    state: State,
    closures: ClosureTest,
    work: RowWork,
    /// The rows that take part in the last state.
    rows: Rows,
    /// For several states at once; none for machines whose states are evaluated one by one.
    lanes: Option<Lanes>,
}

impl Kernel {
    pub(super) fn new(model: &Model, contact: usize, t: f64) -> Self {
        let memory = Memory::new(model);
        let work = RowWork::new(memory.layout());
        let mut state = State::as_written(model);
        state.t = t;
        let sticks = model.contacts[contact].defaults.friction == Some(Friction::Stick);
        let closures = ClosureTest::new(model);
        let coarse = (!model.closures.is_empty()).then(|| Memory::for_motion(model));
        let rows = Rows::default();
        let of_joint = matches!(model.contacts[contact].geometry, ContactGeometry::Stop(_));
        let lanes = if sticks || of_joint { None } else { Lanes::new(model) };
        Self { contact, sticks, memory, coarse, state, closures, work, rows, lanes }
    }

    /// How many states are evaluated together; none of machines whose states are evaluated one by one.
    pub(super) fn together(&self) -> Option<usize> {
        self.lanes.as_ref().map(Lanes::width)
    }

    /// The core at [`Kernel::together`] states that follow each other, as [`Kernel::assess`] has it at each; `None` if they have to be
    /// evaluated one by one: a contact with several points, a state that is refused.
    pub(super) fn assess_lanes(
        &mut self,
        model: &Model,
        q: &[f64],
        v: &[f64],
        mut take: impl FnMut(usize, &Entry),
    ) -> Option<()> {
        let lanes = self.lanes.as_mut()?;
        if !lanes.place(q, v) {
            return None;
        }
        let rows = match model.contacts[self.contact].geometry {
            ContactGeometry::Points { a, b, normal_in, normal } => {
                lanes.between(&Between { a, b, normal_in, normal })
            }
            _ => rows_of_shapes(model, self.contact, lanes)?,
        };
        let energy = lanes.kinetic_energy();
        for state in 0..lanes.width() {
            let (gap, natural) = (rows.gap[state], rows.natural[state]);
            let (W, T) = (rows.mobility[state], energy[state]);
            let effective = EffectiveMass::from_mobility(W, natural, rows.rate[state], || T);
            let resolution = Resolution::of_row(0.0, natural, T);
            let closes = resolution.approach(true, W, effective.rate) == Approach::Closing;
            let impact_energy = if closes { effective.energy } else { 0.0 };
            let unbounded = impact_energy.is_infinite();
            let entry = Entry {
                gap,
                effective,
                kinetic_energy: T,
                impact_energy,
                point: 0,
                closure_gap: 0.0,
                driven: driven(model, &v[state * model.nv..]),
                cautions: if unbounded { CautionCode::Unbounded.bit() } else { 0 },
            };
            take(state, &entry);
        }
        Some(())
    }

    /// The core at a state of the model that this memory was made for; NaN in all numbers where it cannot be evaluated.
    pub(super) fn assess(&mut self, model: &Model, q: &[f64], v: &[f64]) -> Entry {
        self.state.q.as_mut_slice().copy_from_slice(q);
        self.state.v.as_mut_slice().copy_from_slice(v);
        self.try_assess(model).unwrap_or(Entry {
            gap: f64::NAN,
            effective: EffectiveMass {
                mass: f64::NAN,
                mobility: f64::NAN,
                rate: f64::NAN,
                energy: f64::NAN,
            },
            kinetic_energy: f64::NAN,
            impact_energy: f64::NAN,
            point: 0,
            closure_gap: f64::NAN,
            driven: false,
            cautions: CautionCode::NotEvaluated.bit(),
        })
    }

    fn try_assess(&mut self, model: &Model) -> Result<Entry, Refusal> {
        let mut at = self.memory.at(model, &self.state)?;
        let mut cautions = 0;
        let mut closure_gap = 0.0;
        if let Some(coarse) = &mut self.coarse {
            closure_gap = self.closures.gap(&at);
            if closure_gap > CLOSED {
                at = coarse.at(model, &self.state)?;
            }
            let rate = self.closures.rate(&at);
            if closure_gap > OPEN || rate > OPEN {
                cautions |= CautionCode::ClosureOpen.bit();
            }
        }
        let touch = at.touch(self.contact)?;
        let points = touch.points();
        let T = at.kinetic_energy();
        let (several, least) = (points.len() > 1, touch.gap());
        let length = if several { gap_resolution(&at, self.contact, &points[0]) } else { 0.0 };
        let rows = &mut self.rows;
        let mut found = [None; MOST_POINTS];
        for (found, point) in found.iter_mut().zip(points) {
            let row = at.contact_row(self.contact, point, &point.normal);
            if at.push_without_inertia(&row).is_some() {
                return Err(Refusal);
            }
            let natural = row.free_mobility(model, at.frames());
            let W = at.settled_mobility_in(&row, &mut self.work);
            let effective = EffectiveMass::from_mobility(W, natural, at.rate(&row), || T);
            let resolution = Resolution::of_row(length, natural, T);
            let approach = resolution.approach(true, W, effective.rate);
            *found = Some((row, natural, effective, approach));
        }
        let known =
            || points.iter().zip(&found).filter_map(|(point, found)| Some((point, (*found)?)));
        let part = Part::of(known().map(|(point, found)| (point.gap, length, found.3)));
        rows.count = 0;
        let mut governing: Option<(u32, EffectiveMass)> = None;
        for (k, (point, (row, natural, effective, approach))) in (0_u32..).zip(known()) {
            if several && !part.has(point.gap, length, approach) {
                continue;
            }
            if governing.is_none_or(|(_, best)| effective.energy > best.energy) {
                governing = Some((k, effective));
            }
            rows.push(row, natural, &effective, approach);
            if self.sticks {
                rows.push_tangents(&at, self.contact, point, &mut self.work);
            }
        }
        let (point, effective) = governing.ok_or(Refusal)?;
        let driven = driven(model, self.state.v.as_slice());
        let closes = rows.approach[..rows.count].contains(&Approach::Closing);
        let impact_energy = match rows.count {
            _ if !closes => 0.0,
            1 => rows.alone,
            _ => rows.energy(&at, driven, T, &mut self.work),
        };
        if impact_energy.is_infinite() {
            cautions |= CautionCode::Unbounded.bit();
        }
        let gap = least;
        Ok(Entry {
            gap,
            effective,
            kinetic_energy: T,
            impact_energy,
            point,
            closure_gap,
            driven,
            cautions,
        })
    }
}

/// Whether a drive moves at these velocities.
fn driven(model: &Model, v: &[f64]) -> bool {
    model.drives.iter().any(|drive| v[drive.v] != 0.0)
}

/// The rows of a contact of two shapes, found state by state; none if one of them has not one point, or none at all.
fn rows_of_shapes(model: &Model, contact: usize, lanes: &mut Lanes) -> Option<LaneRow> {
    let (a, b) = places(model, contact);
    let mut out = LaneRow::default();
    let mut rows = [RowWrench::of_couple(a, b, Vec3::zeros()); MOST_STATES];
    for (state, row) in rows.iter_mut().enumerate().take(lanes.width()) {
        let (on_a, on_b) = (lanes.pose(a, state), lanes.pose(b, state));
        // Shapes touch by the poses of their own bodies.
        let at = |place: Place| if place == a { on_a } else { on_b };
        let touch = touch(model, contact, &at).ok()?;
        let [point] = *touch.points() else { return None };
        let origin = |place: Place| at(place).position;
        let normal = &point.normal;
        *row = RowWrench::of_points(&origin, (a, point.on_a), (b, point.on_b), normal);
        out.natural[state] = row.free_mobility_turned(model, &|body| at(Some(body)).rotation);
        out.gap[state] = touch.gap();
    }
    [out.mobility, out.rate] = lanes.mobility(&rows);
    Some(out)
}

/// The rows of the points of one contact that take part in an impact, and their W = A Y Aᵀ.
#[derive(Clone, Debug)]
struct Rows {
    count: usize,
    row: [Option<RowWrench>; MOST_ROWS],
    natural: [f64; MOST_ROWS],
    mobility: [f64; MOST_ROWS],
    rate: [f64; MOST_ROWS],
    approach: [Approach; MOST_ROWS],
    reach: [Reach; MOST_ROWS],
    /// T_c of the first row alone.
    alone: f64,
}

impl Default for Rows {
    fn default() -> Self {
        let none = [0.0; MOST_ROWS];
        Self {
            count: 0,
            row: [None; MOST_ROWS],
            natural: none,
            mobility: none,
            rate: none,
            approach: [Approach::Resting; MOST_ROWS],
            reach: [Reach::default(); MOST_ROWS],
            alone: 0.0,
        }
    }
}

impl Rows {
    /// A normal; tangents follow it.
    fn push(
        &mut self,
        row: RowWrench,
        natural: f64,
        effective: &EffectiveMass,
        approach: Approach,
    ) {
        let k = self.count;
        if k == 0 {
            self.alone = effective.energy;
        }
        self.approach[k] = approach;
        let struck = approach == Approach::Closing;
        self.reach[k] = Reach { point: k, is_normal: true, struck, eliminated: false };
        self.put(row, natural, effective);
        if approach == Approach::Resting {
            self.rate[k] = 0.0;
        }
    }

    fn put(&mut self, row: RowWrench, natural: f64, effective: &EffectiveMass) {
        let k = self.count;
        (self.row[k], self.natural[k]) = (Some(row), natural);
        (self.mobility[k], self.rate[k]) = (effective.mobility, effective.rate);
        self.count += 1;
    }

    /// The tangents of a point that sticks.
    fn push_tangents(
        &mut self,
        at: &Posture<'_>,
        contact: usize,
        point: &TouchPoint,
        work: &mut RowWork,
    ) {
        let (first, second) = tangents(&point.normal);
        let in_plane = [Some(Vec3::z().cross(&point.normal)), None];
        let all = if at.model().is_planar() { in_plane } else { [Some(first), Some(second)] };
        let normal = self.reach[self.count - 1];
        for direction in all.into_iter().flatten() {
            let row = at.contact_row(contact, point, &direction);
            let natural = row.free_mobility(at.model(), at.frames());
            let W = at.settled_mobility_in(&row, work);
            let effective = EffectiveMass::from_mobility(W, natural, at.rate(&row), || 0.0);
            self.reach[self.count] = Reach { is_normal: false, ..normal };
            self.approach[self.count] = Approach::Sliding;
            self.put(row, natural, &effective);
        }
    }

    /// T_c = ½ uᵀ W⁺ u over the struck rows by a pivoted elimination of W, scaled by its diagonal. Where a drive moves a row that depends
    /// on others otherwise than they imply, [`ImpactRows::held`] decides whether the bodies can separate; only that allocates.
    fn energy(&mut self, at: &Posture<'_>, driven: bool, T: f64, work: &mut RowWork) -> f64 {
        let n = self.count;
        let is_mobile = |k: usize| self.mobility[k] > 0.0;
        let scale = |k: usize| if is_mobile(k) { self.mobility[k].sqrt().recip() } else { 0.0 };
        let mobile = (0..n).filter(|k| is_mobile(*k));
        let zero = zero_eigenvalue(n, mobile.map(|k| (self.natural[k], self.mobility[k])));
        let mut W = [0.0; MOST_ROWS * MOST_ROWS];
        let mut u = [0.0; MOST_ROWS];
        for j in 0..n {
            let Some(row) = &self.row[j] else { continue };
            at.response_in(row, work);
            for i in 0..n {
                let Some(other) = &self.row[i] else { continue };
                W[i * n + j] = scale(i) * work.rate(other) * scale(j);
            }
            u[j] = scale(j) * self.rate[j];
        }
        for j in 0..n {
            W[j * n + j] = scale(j) * self.mobility[j] * scale(j);
            for i in 0..j {
                let mean = 0.5 * (W[i * n + j] + W[j * n + i]);
                (W[i * n + j], W[j * n + i]) = (mean, mean);
            }
        }
        let energy = strike_out(&mut W[..n * n], &mut u[..n], &mut self.reach[..n], zero);
        let is_left = |k: usize| {
            let fixed =
                !is_mobile(k) && self.rate[k].powi(2) > 2.0 * T * IMMOBILE * self.natural[k];
            let dependent = !self.reach[k].eliminated
                && W[k * n + k] <= zero
                && u[k] * u[k] > 2.0 * T * zero * n as f64;
            fixed || dependent
        };
        if driven && (0..n).any(is_left) && self.is_held(at) { f64::INFINITY } else { energy }
    }

    /// Whether the touching points cannot separate.
    fn is_held(&self, at: &Posture<'_>) -> bool {
        let rows: Vec<RowWrench> = self.row[..self.count].iter().flatten().copied().collect();
        let touching: Vec<TouchingRow> = (0..rows.len())
            .map(|row| TouchingRow {
                row,
                point: self.reach[row].point,
                is_normal: self.reach[row].is_normal,
                approach: self.approach[row],
            })
            .collect();
        ImpactRows::new(at, &rows).held(at, &touching).is_some()
    }
}

/// A state has no answer; the column of cautions says so.
struct Refusal;

impl From<DynamicsError> for Refusal {
    fn from(_: DynamicsError) -> Self {
        Self
    }
}

impl From<ContactError> for Refusal {
    fn from(_: ContactError) -> Self {
        Self
    }
}
