//! A tip along chosen directions at many states: how heavy it is, how fast it moves, and the energy of an impact there.

use super::kernel::CLOSED;
use super::many::{AssessColumns, ManyOptions, OPEN, count, parted};
use super::{Machine, MachineError};
use crate::answer::CautionCode;
use crate::answer::robot::{Arm, RobotMass, TipOptions};
use crate::dynamics::{ClosureTest, DynamicsError, Memory, Posture, RowWork, RowWrench};
use crate::impact::EffectiveMass;
use crate::kinematics::{Frames, State};
use crate::maths::Vec3;
use crate::model::Model;

impl Machine {
    /// The tip along directions n at many states: m_eff = 1 / (nᵀ Λ⁻¹ n), its velocity u = nᵀ J v, and T_c = ½ m_eff u² whatever the sign of
    /// u. `q` holds n × nq positions and `v` n × nv velocities; every direction is the number of its state and a vector of any length in
    /// world axes. Consecutive directions of one state share one sweep over the machine.
    ///
    /// Payload and locked joints are those of the options (the mass [`RobotMass::Free`] leaves the joints free), their pose is not used.
    /// Nothing is struck, so the gap of every entry is zero. A state that cannot be evaluated has NaN and its caution.
    pub fn tip_along_many(
        &self,
        options: &TipOptions,
        (q, v): (&[f64], &[f64]),
        directions: &[(usize, [f64; 3])],
        many: ManyOptions,
    ) -> Result<AssessColumns, MachineError> {
        let arm = self.arm_in_own_pose(options)?;
        let model = arm.model();
        let n = count(model, q, v)?;
        let mut units = Vec::with_capacity(directions.len());
        for (state, direction) in directions {
            if *state >= n {
                let expected = format!("at most {n}");
                return Err(MachineError::WrongLength {
                    what: "states",
                    found: state + 1,
                    expected,
                });
            }
            units.push((*state, arm.unit(direction)?));
        }
        let (held, t) = (options.mass != Some(RobotMass::Free), self.state().t);
        let mut found = vec![Along::not_evaluated(); units.len()];
        let kernel = || TipKernel::new(&arm, held, t);
        parted(units.len(), many, &mut found, kernel, |kernel, first, part| {
            let mut done = 0;
            while done < part.len() {
                let rest = &units[first + done..first + part.len()];
                let state = rest[0].0;
                let same = rest.iter().take_while(|(other, _)| *other == state).count();
                let q = &q[state * model.nq..(state + 1) * model.nq];
                let v = &v[state * model.nv..(state + 1) * model.nv];
                kernel.fill(model, (q, v), &rest[..same], &mut part[done..done + same]);
                done += same;
            }
        });
        let column = |of: fn(&Along) -> f64| found.iter().map(of).collect::<Vec<f64>>();
        Ok(AssessColumns {
            gap: vec![0.0; found.len()],
            effective_mass: column(|along| along.effective.mass),
            contact_velocity: column(|along| along.effective.rate),
            kinetic_energy: column(|along| along.kinetic_energy),
            impact_energy: column(|along| along.effective.energy),
            share: column(Along::share),
            point: vec![0; found.len()],
            closure_gap: column(|along| along.closure_gap),
            cautions: found.iter().map(|along| along.cautions).collect(),
        })
    }

    /// Where the tip is in the world at many positions (`q` holds n × nq of them): n × 3 \[m\].
    pub fn tip_positions(&self, options: &TipOptions, q: &[f64]) -> Result<Vec<f64>, MachineError> {
        let arm = self.arm_in_own_pose(options)?;
        let model = arm.model();
        let n = q.len() / model.nq.max(1);
        if q.len() != n * model.nq {
            let expected = format!("states of {}", model.nq);
            return Err(MachineError::WrongLength { what: "q", found: q.len(), expected });
        }
        let mut frames = Frames::new(model);
        let still = vec![0.0; model.nv];
        let mut out = Vec::with_capacity(3 * n);
        for q in q.chunks_exact(model.nq.max(1)) {
            frames.update(q, &still);
            out.extend(frames.point(&arm.anchor).iter());
        }
        Ok(out)
    }

    /// Tip, payload and locked joints of the options in the machine's own pose.
    pub(super) fn arm_in_own_pose(&self, options: &TipOptions) -> Result<Arm, MachineError> {
        Ok(Arm::new(&self.opened, &TipOptions { q: Vec::new(), ..options.clone() })?)
    }
}

/// The tip along one direction at one state.
#[derive(Clone, Copy)]
struct Along {
    effective: EffectiveMass,
    kinetic_energy: f64,
    closure_gap: f64,
    cautions: u64,
}

impl Along {
    /// A state without an answer.
    fn not_evaluated() -> Self {
        let none = f64::NAN;
        Self {
            effective: EffectiveMass { mass: none, mobility: none, rate: none, energy: none },
            kinetic_energy: none,
            closure_gap: none,
            cautions: CautionCode::NotEvaluated.bit(),
        }
    }

    /// ξ = T_c / T; zero at rest.
    fn share(&self) -> f64 {
        if self.kinetic_energy == 0.0 { 0.0 } else { self.effective.energy / self.kinetic_energy }
    }
}

/// The memory of one thread; nothing allocates per state.
struct TipKernel<'a> {
    arm: &'a Arm,
    memory: Memory,
    /// For states whose loops are not closed to round-off; none without closures.
    coarse: Option<Memory>,
    closures: ClosureTest,
    state: State,
    work: RowWork,
}

impl<'a> TipKernel<'a> {
    fn new(arm: &'a Arm, held: bool, t: f64) -> Self {
        let model = arm.model();
        let locked: &[usize] = if held { &arm.locked } else { &[] };
        let memory = Memory::with_locked(model, locked);
        let coarse =
            (!model.closures.is_empty()).then(|| Memory::for_motion_with_locked(model, locked));
        let work = RowWork::new(memory.layout());
        let mut state = State::as_written(model);
        state.t = t;
        Self { arm, memory, coarse, closures: ClosureTest::new(model), state, work }
    }

    /// All directions of one state; entries stay as they are where it cannot be evaluated.
    fn fill(
        &mut self,
        model: &Model,
        (q, v): (&[f64], &[f64]),
        directions: &[(usize, Vec3)],
        out: &mut [Along],
    ) {
        self.state.q.as_mut_slice().copy_from_slice(q);
        self.state.v.as_mut_slice().copy_from_slice(v);
        // A state without an answer has its caution already.
        let _ = self.try_fill(model, directions, out);
    }

    fn try_fill(
        &mut self,
        model: &Model,
        directions: &[(usize, Vec3)],
        out: &mut [Along],
    ) -> Result<(), DynamicsError> {
        let mut at = self.memory.at(model, &self.state)?;
        let (mut closure_gap, mut cautions) = (0.0, 0);
        if let Some(coarse) = &mut self.coarse {
            closure_gap = self.closures.gap(&at);
            if closure_gap > CLOSED {
                at = coarse.at(model, &self.state)?;
            }
            if closure_gap > OPEN || self.closures.rate(&at) > OPEN {
                cautions |= CautionCode::ClosureOpen.bit();
            }
        }
        let T = at.kinetic_energy();
        for ((_, n), entry) in directions.iter().zip(out) {
            let effective = along(&at, self.arm, n, T, &mut self.work)?;
            let unbounded =
                if effective.energy.is_infinite() { CautionCode::Unbounded.bit() } else { 0 };
            let cautions = cautions | unbounded;
            *entry = Along { effective, kinetic_energy: T, closure_gap, cautions };
        }
        Ok(())
    }
}

/// m_eff, u and T_c of the tip along n.
fn along(
    at: &Posture<'_>,
    arm: &Arm,
    n: &Vec3,
    T: f64,
    work: &mut RowWork,
) -> Result<EffectiveMass, DynamicsError> {
    let p = at.frames().point(&arm.anchor);
    let row = RowWrench::of_normal(at.frames(), (None, p), (arm.anchor.body, p), n);
    if let Some(error) = at.push_without_inertia(&row) {
        return Err(error);
    }
    let natural = row.free_mobility(at.model(), at.frames());
    let W = at.settled_mobility_in(&row, work);
    let u = at.rate(&row);
    // An impact closes with the speed |u|: the obstacle lies on the side to which the tip moves.
    let closing = EffectiveMass::from_mobility(W, natural, -u.abs(), || T);
    Ok(EffectiveMass { rate: u, ..closing })
}
