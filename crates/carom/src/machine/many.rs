//! Many states at once: the core of an assessment in columns.

use std::sync::{Mutex, PoisonError};

use super::kernel::{Entry, Kernel};
use super::{ContactId, Machine, MachineError};
use crate::model::Model;

/// A state whose closures are open by more than this part of the mechanism's size (or, of velocities, of its speeds) is marked: its
/// numbers are wrong by about as much.
pub(super) const OPEN: f64 = 1e-9;
/// Fewer states than this are not worth a thread of their own; a multiple of the states that are computed side by side.
const LEAST_TOGETHER: usize = 64;
/// How often each thread takes some of the states: one that is held up by other programs leaves its share to the others.
const TURNS: usize = 64;

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
    /// T_c over the points that an impact strikes \[J\]; ∞ where a drive closes the contact and nothing gives way.
    pub impact_energy: Vec<f64>,
    /// ξ = T_c / T; zero at rest, NaN where a drive moves.
    pub share: Vec<f64>,
    /// The governing point, from 0: that with the most energy, the first of equal ones.
    pub point: Vec<u32>,
    /// The largest residual of a closure, divided by its natural size.
    pub closure_gap: Vec<f64>,
    /// Cautions as bits of [`CautionCode::bit`](crate::CautionCode::bit).
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
        let (threads, size) = share(n, options);
        let t = self.state().t;
        let (mut rest, mut first) = (Some(out.slices()), 0);
        let parts = std::iter::from_fn(|| {
            let here = size.min(n - first);
            let (part, after) = rest.take().filter(|_| here > 0)?.split_at(here);
            rest = Some(after);
            first += here;
            Some((first - here..first, part))
        });
        let kernel = || Kernel::new(model, contact, t);
        in_threads(threads, parts, kernel, |kernel, (states, mut part)| {
            let (start, count) = (states.start, states.len());
            let states = |k: usize, n: usize| {
                let (q, v) = (&q[(start + k) * model.nq..], &v[(start + k) * model.nv..]);
                (&q[..n * model.nq], &v[..n * model.nv])
            };
            let width = kernel.together();
            let mut k = 0;
            while k < count {
                if let Some(width) = width.filter(|width| k + width <= count) {
                    let (q, v) = states(k, width);
                    let put = |i: usize, entry: &Entry| part.put(k + i, entry);
                    if kernel.assess_lanes(model, q, v, put).is_some() {
                        k += width;
                        continue;
                    }
                }
                // One by one, also those that would be together: each answers for itself.
                for _ in 0..width.unwrap_or(1).min(count - k) {
                    let (q, v) = states(k, 1);
                    part.put(k, &kernel.assess(model, q, v));
                    k += 1;
                }
            }
        });
        Ok(out)
    }
}

/// The core of an assessment at one state, as [`AssessColumns`] has it at many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssessCore {
    /// The least gap g \[m\].
    pub gap: f64,
    /// m_eff of the governing point \[kg\]; ∞ where it cannot move.
    pub effective_mass: f64,
    /// u of the governing point \[m/s\]; negative when closing.
    pub contact_velocity: f64,
    /// T of the whole machine \[J\].
    pub kinetic_energy: f64,
    /// T_c over the points that an impact strikes \[J\]; ∞ where a drive closes the contact and nothing gives way.
    pub impact_energy: f64,
    /// ξ = T_c / T; zero at rest, NaN where a drive moves.
    pub share: f64,
    /// The governing point, from 0.
    pub point: u32,
    /// The largest residual of a closure, divided by its natural size.
    pub closure_gap: f64,
    /// Cautions as bits of [`CautionCode::bit`](crate::CautionCode::bit).
    pub cautions: u64,
}

impl Machine {
    /// The core of an assessment at one state, in memory that the machine keeps: nothing is allocated but at the first call.
    pub fn assess_state(
        &mut self,
        contact: ContactId,
        q: &[f64],
        v: &[f64],
    ) -> Result<AssessCore, MachineError> {
        let contact = self.own(contact)?;
        let model = &self.opened.loaded.model;
        for (what, found, width) in [("q", q.len(), model.nq), ("v", v.len(), model.nv)] {
            if found != width {
                let expected = width.to_string();
                return Err(MachineError::WrongLength { what, found, expected });
            }
        }
        for (what, given) in [("q", q), ("v", v)] {
            if let Some(at) = given.iter().position(|x| !x.is_finite()) {
                return Err(MachineError::NotFinite { what, at, found: given[at] });
            }
        }
        let t = self.opened.assembled.state.t;
        let kernel = self.kernels[contact].get_or_insert_with(|| Kernel::new(model, contact, t));
        let entry = kernel.assess(model, q, v);
        Ok(AssessCore {
            gap: entry.gap,
            effective_mass: entry.effective.mass,
            contact_velocity: entry.effective.rate,
            kinetic_energy: entry.kinetic_energy,
            impact_energy: entry.impact_energy,
            share: entry.share(),
            point: entry.point,
            closure_gap: entry.closure_gap,
            cautions: entry.cautions,
        })
    }
}

/// Splits the places of n states among threads; `work` fills those from the state `first` on, in `memory` that each thread makes once. What
/// it writes may not depend on the split.
pub(super) fn parted<T: Send, M>(
    n: usize,
    options: ManyOptions,
    places: &mut [T],
    memory: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, usize, &mut [T]) + Sync,
) {
    let (threads, size) = share(n, options);
    let parts = places.chunks_mut(size).enumerate();
    in_threads(threads, parts, memory, |memory, (k, part)| work(memory, k * size, part));
}

/// Works on parts, each thread on the next one as soon as it has done with another; the caller's is one of the threads. `memory` makes what
/// a thread keeps from one part to the next.
fn in_threads<P, M>(
    threads: usize,
    parts: impl Iterator<Item = P> + Send,
    memory: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, P) + Sync,
) {
    let parts = Mutex::new(parts);
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let all = || {
        let mut memory = memory();
        while let Some(part) = next() {
            work(&mut memory, part);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(all);
        }
        all();
    });
}

/// How many threads compute n states, and how many states they take at once.
fn share(n: usize, options: ManyOptions) -> (usize, usize) {
    let threads = options.threads.clamp(1, n.div_ceil(LEAST_TOGETHER).max(1));
    if threads == 1 {
        return (1, n.max(1));
    }
    (threads, n.div_ceil(threads * TURNS).next_multiple_of(LEAST_TOGETHER))
}

/// How many states two flat lists hold.
pub(super) fn count(model: &Model, q: &[f64], v: &[f64]) -> Result<usize, MachineError> {
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
        ];
        Slices {
            numbers: numbers.map(Vec::as_mut_slice),
            closure_gap: &mut self.closure_gap,
            point: &mut self.point,
            cautions: &mut self.cautions,
        }
    }
}

/// The part of the columns that one thread writes.
struct Slices<'a> {
    numbers: [&'a mut [f64]; 6],
    closure_gap: &'a mut [f64],
    point: &'a mut [u32],
    cautions: &'a mut [u64],
}

impl Slices<'_> {
    /// Writes the entry of a state. The columns begin as zeros in memory that the system has not given yet: pages of the columns that
    /// stay zero (no caution, the first point, no closure) are never touched.
    fn put(&mut self, k: usize, entry: &Entry) {
        let values = [
            entry.gap,
            entry.effective.mass,
            entry.effective.rate,
            entry.kinetic_energy,
            entry.impact_energy,
            entry.share(),
        ];
        for (column, value) in self.numbers.iter_mut().zip(values) {
            column[k] = value;
        }
        if entry.closure_gap != 0.0 {
            self.closure_gap[k] = entry.closure_gap;
        }
        if entry.point != 0 {
            self.point[k] = entry.point;
        }
        if entry.cautions != 0 {
            self.cautions[k] = entry.cautions;
        }
    }
}

impl<'a> Slices<'a> {
    fn split_at(self, at: usize) -> (Self, Self) {
        let mut halves = self.numbers.map(|column| Some(column.split_at_mut(at)));
        let (closure_gap, later_gaps) = self.closure_gap.split_at_mut(at);
        let (point, later_points) = self.point.split_at_mut(at);
        let (cautions, later_cautions) = self.cautions.split_at_mut(at);
        let mut first: [&'a mut [f64]; 6] = Default::default();
        let mut later: [&'a mut [f64]; 6] = Default::default();
        for ((half, a), b) in halves.iter_mut().zip(&mut first).zip(&mut later) {
            if let Some((left, right)) = half.take() {
                (*a, *b) = (left, right);
            }
        }
        (
            Self { numbers: first, closure_gap, point, cautions },
            Self {
                numbers: later,
                closure_gap: later_gaps,
                point: later_points,
                cautions: later_cautions,
            },
        )
    }
}
