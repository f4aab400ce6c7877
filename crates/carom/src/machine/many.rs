//! Many states at once: the core of an assessment in columns.

use super::{ContactId, Machine, MachineError};
use crate::answer::CautionCode;
use crate::contact::{
    Approach, ContactError, IMMOBILE, MOST_POINTS, Resolution, TouchPoint, gap_resolution,
};
use crate::dynamics::{ClosureTest, DynamicsError, Memory, Posture, RowWork, RowWrench};
use crate::impact::{EffectiveMass, zero_eigenvalue};
use crate::kinematics::State;
use crate::maths::Vec3;
use crate::maths::spatial::tangents;
use crate::model::{Friction, Model};

/// A state whose closures are open by more than this part of the mechanism's size (or, of velocities, of its speeds) is marked: its
/// numbers are wrong by about as much.
pub(super) const OPEN: f64 = 1e-9;
/// Closures that are open by less than this part of their size are closed to round-off: then the pose itself tells which rows depend on
/// each other. Otherwise rows that nearly do are taken to.
const CLOSED: f64 = 1e-14;
/// The most rows a contact has: normals, and two tangents each where it sticks.
const MOST_ROWS: usize = 3 * MOST_POINTS;
/// Fewer states than this are not worth a thread of their own.
const LEAST_PER_THREAD: usize = 64;

/// How many states are computed side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManyOptions {
    /// Threads; the numbers do not depend on it.
    pub threads: usize,
}

impl Default for ManyOptions {
    /// One thread for each core.
    fn default() -> Self {
        Self { threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get) }
    }
}

/// The core of an assessment at many states, one entry per state. A state that cannot be evaluated has NaN in every column of numbers.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AssessColumns {
    /// The least gap g \[m\].
    pub gap: Vec<f64>,
    /// m_eff of the governing point \[kg\]; ∞ where it cannot move.
    pub effective_mass: Vec<f64>,
    /// u of the governing point \[m/s\]; negative when closing.
    pub contact_velocity: Vec<f64>,
    /// T of the whole machine \[J\].
    pub kinetic_energy: Vec<f64>,
    /// T_c over the closing points \[J\]; ∞ where a drive closes the contact and nothing gives way.
    pub impact_energy: Vec<f64>,
    /// ξ = T_c / T.
    pub share: Vec<f64>,
    /// The governing point, from 0: that with the most energy, the first of equal ones.
    pub point: Vec<u32>,
    /// The largest residual of a closure, divided by its natural size.
    pub closure_gap: Vec<f64>,
    /// Cautions as bits of [`CautionCode::bit`].
    pub cautions: Vec<u64>,
}

impl Machine {
    /// The core of the assessment of a contact (m_eff, u, T, T_c, ξ) at many states: `q` holds n × nq positions and `v` n × nv
    /// velocities, state after state. States are taken as they are; one whose closures are open is marked, not assembled.
    pub fn assess_many(
        &self,
        contact: ContactId,
        q: &[f64],
        v: &[f64],
        options: ManyOptions,
    ) -> Result<AssessColumns, MachineError> {
        let contact = self.own(contact)?;
        let model = self.model();
        let n = count(model, q, v)?;
        let mut out = AssessColumns::new(n);
        let threads = options.threads.clamp(1, n.div_ceil(LEAST_PER_THREAD).max(1));
        let size = n.div_ceil(threads).max(1);
        let t = self.state().t;
        std::thread::scope(|scope| {
            let mut rest = out.slices();
            let mut first = 0;
            while first < n {
                let here = size.min(n - first);
                let (mut part, after) = rest.split_at(here);
                rest = after;
                let of = |width: usize| first * width..(first + here) * width;
                let (q, v) = (&q[of(model.nq)], &v[of(model.nv)]);
                let mut work = move || {
                    let mut kernel = Kernel::new(model, contact, t);
                    for k in 0..here {
                        let q = &q[k * model.nq..(k + 1) * model.nq];
                        let v = &v[k * model.nv..(k + 1) * model.nv];
                        part.put(k, &kernel.assess(q, v));
                    }
                };
                first += here;
                if threads == 1 {
                    work();
                } else {
                    scope.spawn(work);
                }
            }
        });
        Ok(out)
    }
}

/// How many states two flat lists hold.
fn count(model: &Model, q: &[f64], v: &[f64]) -> Result<usize, MachineError> {
    let (width, of) = if model.nv > 0 { (model.nv, v.len()) } else { (model.nq.max(1), q.len()) };
    let n = of / width;
    let lists = [("q", q.len(), model.nq), ("v", v.len(), model.nv)];
    for (what, found, width) in lists {
        if found != n * width {
            let expected = format!("{n} states of {width}");
            return Err(MachineError::WrongLength { what, found, expected });
        }
    }
    Ok(n)
}

/// What is written of one state.
struct Entry {
    gap: f64,
    effective: EffectiveMass,
    kinetic_energy: f64,
    impact_energy: f64,
    point: u32,
    closure_gap: f64,
    cautions: u64,
}

/// The memory of one thread; nothing allocates per state.
struct Kernel<'m> {
    model: &'m Model,
    contact: usize,
    sticks: bool,
    memory: Memory,
    /// For states whose loops are not closed to round-off; none without closures.
    coarse: Option<Memory>,
    state: State,
    closures: ClosureTest,
    work: RowWork,
}

impl<'m> Kernel<'m> {
    fn new(model: &'m Model, contact: usize, t: f64) -> Self {
        let memory = Memory::new(model);
        let work = RowWork::new(memory.layout());
        let mut state = State::as_written(model);
        state.t = t;
        let sticks = model.contacts[contact].defaults.friction == Some(Friction::Stick);
        let closures = ClosureTest::new(model);
        let coarse = (!model.closures.is_empty()).then(|| Memory::for_motion(model));
        Self { model, contact, sticks, memory, coarse, state, closures, work }
    }

    fn assess(&mut self, q: &[f64], v: &[f64]) -> Entry {
        self.state.q.as_mut_slice().copy_from_slice(q);
        self.state.v.as_mut_slice().copy_from_slice(v);
        self.try_assess().unwrap_or(Entry {
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
            cautions: CautionCode::NotEvaluated.bit(),
        })
    }

    fn try_assess(&mut self) -> Result<Entry, Refusal> {
        let mut at = self.memory.at(self.model, &self.state)?;
        let mut cautions = 0;
        let mut closure_gap = 0.0;
        if let Some(coarse) = &mut self.coarse {
            closure_gap = self.closures.gap(&at);
            if closure_gap > CLOSED {
                at = coarse.at(self.model, &self.state)?;
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
        // Points that touch take part, or the nearest ones where none does.
        let nearest = if least <= length { length } else { least + length };
        let mut rows = Rows::default();
        let mut governing: Option<(u32, EffectiveMass)> = None;
        for (k, point) in (0_u32..).zip(points) {
            let row = at.contact_row(self.contact, point, &point.normal);
            if at.push_without_inertia(&row).is_some() {
                return Err(Refusal);
            }
            let natural = row.free_mobility(self.model, at.frames());
            let W = at.settled_mobility_in(&row, &mut self.work);
            let effective = EffectiveMass::from_mobility(W, natural, at.rate(&row), || T);
            if governing.is_none_or(|(_, best)| effective.energy > best.energy) {
                governing = Some((k, effective));
            }
            let resolution = Resolution::of_row(length, natural, T);
            let closes = resolution.approach(true, W, effective.rate) == Approach::Closing;
            if closes && (!several || point.gap <= nearest) {
                rows.push(row, natural, &effective);
                if self.sticks {
                    rows.push_tangents(&at, self.contact, point, &mut self.work);
                }
            }
        }
        let (point, effective) = governing.ok_or(Refusal)?;
        let driven = self.model.drives.iter().any(|d| self.state.v[d.v] != 0.0);
        let impact_energy = match rows.count {
            0 => 0.0,
            1 => rows.alone,
            _ => rows.energy(&at, driven, T, &mut self.work),
        };
        if impact_energy.is_infinite() {
            cautions |= CautionCode::Unbounded.bit();
        }
        let gap = least;
        Ok(Entry { gap, effective, kinetic_energy: T, impact_energy, point, closure_gap, cautions })
    }
}

/// The closing rows of one contact, and their W = A Y Aᵀ.
#[derive(Default)]
struct Rows {
    count: usize,
    row: [Option<RowWrench>; MOST_ROWS],
    natural: [f64; MOST_ROWS],
    mobility: [f64; MOST_ROWS],
    rate: [f64; MOST_ROWS],
    /// T_c of the first row alone.
    alone: f64,
}

impl Rows {
    fn push(&mut self, row: RowWrench, natural: f64, effective: &EffectiveMass) {
        let k = self.count;
        if k == 0 {
            self.alone = effective.energy;
        }
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
        for direction in all.into_iter().flatten() {
            let row = at.contact_row(contact, point, &direction);
            let natural = row.free_mobility(at.model(), at.frames());
            let W = at.settled_mobility_in(&row, work);
            let effective = EffectiveMass::from_mobility(W, natural, at.rate(&row), || 0.0);
            self.push(row, natural, &effective);
        }
    }

    /// T_c = ½ uᵀ W⁺ u by a pivoted Cholesky factorisation of W, scaled by its diagonal: ½ |L⁻¹ u|² over the independent rows. Where
    /// a drive moves a row that depends on these otherwise than they imply, nothing gives way and T_c is unbounded.
    #[allow(clippy::needless_range_loop, reason = "i and j are rows and columns of W")]
    fn energy(&self, at: &Posture<'_>, driven: bool, T: f64, work: &mut RowWork) -> f64 {
        let n = self.count;
        let is_mobile = |k: usize| self.mobility[k] > 0.0;
        let scale = |k: usize| if is_mobile(k) { self.mobility[k].sqrt().recip() } else { 0.0 };
        let mobile = (0..n).filter(|k| is_mobile(*k));
        let zero = zero_eigenvalue(n, mobile.map(|k| (self.natural[k], self.mobility[k])));
        let fixed =
            |k: usize| !is_mobile(k) && self.rate[k].powi(2) > 2.0 * T * IMMOBILE * self.natural[k];
        if driven && (0..n).any(fixed) {
            return f64::INFINITY;
        }
        let mut W = [[0.0; MOST_ROWS]; MOST_ROWS];
        let mut u = [0.0; MOST_ROWS];
        for j in 0..n {
            let Some(row) = &self.row[j] else { continue };
            at.response_in(row, work);
            for i in 0..n {
                let Some(other) = &self.row[i] else { continue };
                W[i][j] = scale(i) * work.rate(other) * scale(j);
            }
            u[j] = scale(j) * self.rate[j];
        }
        for j in 0..n {
            W[j][j] = scale(j) * self.mobility[j] * scale(j);
            for i in 0..j {
                let mean = 0.5 * (W[i][j] + W[j][i]);
                (W[i][j], W[j][i]) = (mean, mean);
            }
        }
        let mut energy = 0.0;
        let mut left: [bool; MOST_ROWS] = [true; MOST_ROWS];
        for _ in 0..n {
            let next = (0..n).filter(|k| left[*k]).max_by(|a, b| W[*a][*a].total_cmp(&W[*b][*b]));
            let Some(k) = next.filter(|k| W[*k][*k] > zero) else { break };
            left[k] = false;
            let d = W[k][k];
            energy += 0.5 * u[k] * u[k] / d;
            for i in (0..n).filter(|i| left[*i]) {
                let factor = W[i][k] / d;
                u[i] -= factor * u[k];
                for j in (0..n).filter(|j| left[*j]) {
                    W[i][j] -= factor * W[k][j];
                }
            }
        }
        let held = |k: usize| left[k] && u[k] * u[k] > 2.0 * T * zero * n as f64;
        if driven && (0..n).any(held) { f64::INFINITY } else { energy }
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

impl AssessColumns {
    fn new(n: usize) -> Self {
        Self {
            gap: vec![0.0; n],
            effective_mass: vec![0.0; n],
            contact_velocity: vec![0.0; n],
            kinetic_energy: vec![0.0; n],
            impact_energy: vec![0.0; n],
            share: vec![0.0; n],
            point: vec![0; n],
            closure_gap: vec![0.0; n],
            cautions: vec![0; n],
        }
    }

    fn slices(&mut self) -> Slices<'_> {
        let numbers = [
            &mut self.gap,
            &mut self.effective_mass,
            &mut self.contact_velocity,
            &mut self.kinetic_energy,
            &mut self.impact_energy,
            &mut self.share,
            &mut self.closure_gap,
        ];
        Slices {
            numbers: numbers.map(Vec::as_mut_slice),
            point: &mut self.point,
            cautions: &mut self.cautions,
        }
    }
}

/// The part of the columns that one thread writes.
struct Slices<'a> {
    numbers: [&'a mut [f64]; 7],
    point: &'a mut [u32],
    cautions: &'a mut [u64],
}

impl Slices<'_> {
    fn put(&mut self, k: usize, entry: &Entry) {
        let T = entry.kinetic_energy;
        let share = if T > 0.0 { entry.impact_energy / T } else { 0.0 };
        let values = [
            entry.gap,
            entry.effective.mass,
            entry.effective.rate,
            T,
            entry.impact_energy,
            if T.is_nan() { T } else { share },
            entry.closure_gap,
        ];
        for (column, value) in self.numbers.iter_mut().zip(values) {
            column[k] = value;
        }
        self.point[k] = entry.point;
        self.cautions[k] = entry.cautions;
    }
}

impl<'a> Slices<'a> {
    fn split_at(self, at: usize) -> (Self, Self) {
        let mut halves = self.numbers.map(|column| Some(column.split_at_mut(at)));
        let (point, later_points) = self.point.split_at_mut(at);
        let (cautions, later_cautions) = self.cautions.split_at_mut(at);
        let mut first: [&'a mut [f64]; 7] = Default::default();
        let mut later: [&'a mut [f64]; 7] = Default::default();
        for ((half, a), b) in halves.iter_mut().zip(&mut first).zip(&mut later) {
            if let Some((left, right)) = half.take() {
                (*a, *b) = (left, right);
            }
        }
        (
            Self { numbers: first, point, cautions },
            Self { numbers: later, point: later_points, cautions: later_cautions },
        )
    }
}
