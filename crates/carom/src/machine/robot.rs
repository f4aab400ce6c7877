//! Robots: how heavy the tip is, at one pose and at many, and how fast it may move near a person.

use std::path::{Path, PathBuf};

use super::many::{ManyOptions, parted};
use super::{Machine, MachineError, RowColumns};
use crate::answer::robot::{
    Arm, NearAnswer, NearOptions, SkinAnswer, TipAnswer, TipOptions, WorkspaceAnswer, positions,
};
use crate::dynamics::{Memory, Posture, RowWork, RowWrench};
use crate::file::open_in;
use crate::impact::PointMobility;
use crate::kinematics::State;
use crate::maths::Vec3;
use crate::model::Model;

/// Rows of a tip: its velocity along the world's axes.
const AXES: usize = 3;

impl Machine {
    /// How heavy the tip is: Λ⁻¹ and its ellipsoid, m_eff by directions, three robot masses side by side, and what they are made of.
    pub fn tip(&self, options: &TipOptions) -> Result<TipAnswer, MachineError> {
        Ok(TipAnswer::new(&self.opened, &self.sets, options)?)
    }

    /// How fast the tip may move near a person, by body region, after ISO/TS 15066: an estimate for design.
    pub fn near(&self, options: &NearOptions) -> Result<NearAnswer, MachineError> {
        Ok(NearAnswer::new(&self.opened, &self.sets, options)?)
    }

    /// m_eff and permitted speed over the skin: on about so many visible points of every body, along their outward normals, at the pose of the options.
    pub fn skin(&self, options: &NearOptions, points: usize) -> Result<SkinAnswer, MachineError> {
        Ok(SkinAnswer::new(&self.opened, options, points)?)
    }

    /// m_eff and permitted speed of the tip over its reach, in about so many poses within the joints' ranges.
    pub fn workspace(
        &self,
        options: &NearOptions,
        poses: usize,
    ) -> Result<WorkspaceAnswer, MachineError> {
        Ok(WorkspaceAnswer::new(&self.opened, options, poses)?)
    }

    /// Opens a model file or a robot's file with edits by path, and with folders in which `package://NAME/…` and other mesh files may lie.
    pub fn open_in(
        path: impl AsRef<Path>,
        sets: &[(String, String)],
        packages: &[(String, PathBuf)],
    ) -> Result<Self, MachineError> {
        Ok(Self::new(open_in(path.as_ref(), sets, packages)?, sets.to_vec(), true))
    }

    /// The positions of all joints in their order from a text such as `"20, -60, 80 deg"`; the unit of the last holds for those without.
    pub fn joint_values(&self, option: &str, text: &str) -> Result<Vec<f64>, MachineError> {
        Ok(positions(self.model(), option, text)?)
    }

    /// The same machine where a question about a tip puts it: its pose, its payload.
    pub fn posed(&self, options: &TipOptions) -> Result<Self, MachineError> {
        let arm = Arm::new(&self.opened, options)?;
        Ok(Self::new(arm.opened, self.sets.clone(), self.editable))
    }

    /// Λ⁻¹ of the tip at many positions (`q` holds n × nq of them, state after state): the three rows J along the world's axes, n × 3 × nv,
    /// and the mobilities Λ⁻¹ = J Y Jᵀ, n × 3 × 3 \[1/kg\]. Payload and locked joints are those of the options, their pose is not used.
    /// A state that cannot be evaluated has NaN.
    pub fn tip_many(
        &self,
        options: &TipOptions,
        q: &[f64],
        many: ManyOptions,
    ) -> Result<RowColumns, MachineError> {
        let arm = Arm::new(&self.opened, &TipOptions { q: Vec::new(), ..options.clone() })?;
        let model = arm.model();
        let n = q.len() / model.nq.max(1);
        if q.len() != n * model.nq {
            let expected = format!("states of {}", model.nq);
            return Err(MachineError::WrongLength { what: "q", found: q.len(), expected });
        }
        let width = AXES * model.nv;
        let mut places = vec![[f64::NAN; AXES * AXES]; n];
        let mut rows = vec![f64::NAN; n * width];
        // Both results of a state are written by the thread that computes it.
        let mut cells: Vec<_> =
            places.iter_mut().zip(rows.chunks_exact_mut(width.max(1))).collect();
        let kernel = || Kernel::new(&arm);
        parted(n, many, &mut cells, kernel, |kernel, first, part| {
            for (k, (mobility, rows)) in part.iter_mut().enumerate() {
                let at = first + k;
                kernel.fill(model, &q[at * model.nq..(at + 1) * model.nq], &mut mobility[..], rows);
            }
        });
        let mobility = places.into_iter().flatten().collect();
        Ok(RowColumns { rows: AXES, governing: Vec::new(), jacobian: rows, mobility })
    }
}

/// The memory of one thread; nothing allocates per state.
struct Kernel<'a> {
    arm: &'a Arm,
    memory: Memory,
    state: State,
    work: RowWork,
}

impl<'a> Kernel<'a> {
    fn new(arm: &'a Arm) -> Self {
        let memory = Memory::with_locked(arm.model(), &arm.locked);
        let work = RowWork::new(memory.layout());
        let mut state = State::as_written(arm.model());
        state.v.fill(0.0);
        Self { arm, memory, state, work }
    }

    /// Λ⁻¹ and J of one state; untouched where it cannot be evaluated.
    fn fill(&mut self, model: &Model, q: &[f64], mobility: &mut [f64], rows: &mut [f64]) {
        self.state.q.as_mut_slice().copy_from_slice(q);
        let Ok(at) = self.memory.at(model, &self.state) else { return };
        let p = at.frames().point(&self.arm.anchor);
        let found = PointMobility::of_point(&at, self.arm.anchor.body, p, &mut self.work);
        mobility.copy_from_slice(found.mobility.as_slice());
        for (k, row) in rows.chunks_exact_mut(model.nv.max(1)).enumerate() {
            write_row(&at, self.arm, &p, &Vec3::ith(k, 1.0), row);
        }
    }
}

/// The row of the tip's velocity along n in joint coordinates.
fn write_row(at: &Posture<'_>, arm: &Arm, p: &Vec3, n: &Vec3, out: &mut [f64]) {
    let row = RowWrench::of_normal(at.frames(), (None, *p), (arm.anchor.body, *p), n);
    at.jacobian_row_into(&row, out);
}
