//! What a posture's constraints are like: degrees of freedom, redundancy, conditioning.

use super::mechanism::Posture;
use super::row;
use super::solve::Excitation;
use crate::maths::Wrench;
use crate::model::Row;

/// Condition numbers are computed up to this many rows and velocities; above they cost too much.
const DENSE_LIMIT: usize = 300;
/// A reaction whose share in a self-stress is below this part of the largest is unique.
const UNIQUE: f64 = 1e-9;

/// Degrees of freedom and redundancy at a posture.
#[derive(Clone, Debug, PartialEq)]
pub struct Mobility {
    /// Velocities that may move (neither locked nor driven nor without inertia).
    pub velocities: usize,
    /// Coordinates along which nothing with inertia moves, such as a slender rod's spin about its own
    /// line; they are held.
    pub inert: Vec<String>,
    /// Closure rows.
    pub rows: usize,
    /// Independent closure rows at this posture.
    pub rank: usize,
    /// Degrees of freedom: velocities − rank.
    pub freedom: usize,
    /// Degrees of freedom if every row that may depend on others does: `freedom`, unless rows are undecided.
    pub freedom_here: usize,
    /// Degrees of freedom in the poses beside this one; fewer than `freedom` where the pose is singular.
    pub freedom_beside: usize,
    /// Closures that hold a row which depends on others here and in the poses beside this one, by name.
    pub redundant: Vec<String>,
    /// Closures that hold a row which depends on others in this pose only, by name: the pose is singular, and masses and
    /// energies hold for this pose only ([`Posture::singularity`] tells those beside it).
    pub singular: Vec<String>,
    /// Of the singular closures those whose rank the pose does not fix within its round-off, by name.
    pub undecided: Vec<String>,
    /// Joints and closures whose reaction is not unique, by path.
    pub not_unique: Vec<String>,
    /// Condition number of D M⁻¹ Dᵀ; `None` where it was not computed.
    pub condition: Option<f64>,
}

impl Posture<'_> {
    /// Counts freedoms and finds redundant rows and reactions that are not unique.
    pub fn constraint_report(&self) -> Mobility {
        let velocities = (0..self.model.nv).filter(|c| !self.is_held(*c)).count();
        let inert = self.model.bodies.iter().flat_map(|b| {
            let names = b.joint.kind.coordinate_names();
            let columns = b.joint.velocities().zip(names);
            let inert = columns.filter(|(c, _)| self.factor.columns[*c].inert);
            inert.map(|(_, name)| format!("{}.{name}", b.joint.name))
        });
        let inert = inert.collect();
        let rank = self.factor.constraint_rank();
        let dependent = self.factor.dependent_rows(self.layout);
        let sorted = self.sorted_rows();
        let rows = self.layout.rows.len();
        let small = rows <= DENSE_LIMIT && self.model.nv <= DENSE_LIMIT;
        let condition = if rows == 0 {
            Some(1.0)
        } else {
            small.then(|| self.matrices().condition()).flatten()
        };
        Mobility {
            velocities,
            inert,
            rows,
            rank,
            freedom: velocities - rank,
            freedom_here: velocities
                - (rows - sorted.redundant.len() - sorted.singular.len()).min(velocities),
            // Rows that are undecided may count in `rank` or not; here they do.
            freedom_beside: velocities - (rows - sorted.redundant.len()).min(velocities),
            redundant: self.names_of(&sorted.redundant),
            singular: self.names_of(&sorted.singular),
            undecided: self.names_of(&sorted.undecided),
            not_unique: self.not_unique(&dependent),
            condition,
        }
    }

    /// The closures that own the rows, each once.
    fn names_of(&self, rows: &[usize]) -> Vec<String> {
        let mut names = Vec::new();
        let mut first = 0;
        for closure in &self.model.closures {
            let range = first..first + closure.rows.len();
            if rows.iter().any(|r| range.contains(r)) {
                names.push(closure.name.clone());
            }
            first = range.end;
        }
        names
    }

    /// Joints and closures without a unique reaction, by path.
    fn not_unique(&self, dependent: &[usize]) -> Vec<String> {
        let [in_joint, in_closure] = self.stressed(dependent);
        let joints = self.model.bodies.iter().zip(in_joint).filter(|x| x.1);
        let closures = self.model.closures.iter().zip(in_closure).filter(|x| x.1);
        joints
            .map(|(b, _)| format!("joints.{}", b.joint.name))
            .chain(closures.map(|(c, _)| format!("closures.{}", c.name)))
            .collect()
    }

    /// Joints and closures whose reaction is not unique, by path; none where all closure rows are independent.
    pub fn reactions_not_unique(&self) -> Vec<String> {
        self.not_unique(&self.factor.dependent_rows(self.layout))
    }

    /// Whether the reaction of each joint, then of each closure, is the only one in balance with the motion.
    pub fn unique_reactions(&self) -> Vec<bool> {
        let dependent = self.factor.dependent_rows(self.layout);
        let [in_joint, in_closure] = self.stressed(&dependent);
        in_joint.into_iter().chain(in_closure).map(|stressed| !stressed).collect()
    }

    /// Every dependent row gives a self-stress: multipliers that balance each other. Joints and
    /// closures that take part in one have no unique reaction.
    fn stressed(&self, dependent: &[usize]) -> [Vec<bool>; 2] {
        let mut in_closure = vec![false; self.model.closures.len()];
        let mut in_joint = vec![false; self.model.bodies.len()];
        for &r in dependent {
            let stress = self.self_stress(r);
            let largest = stress.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let mut first = 0;
            for (k, closure) in self.model.closures.iter().enumerate() {
                let range = first..first + closure.rows.len();
                in_closure[k] |= stress[range.clone()].iter().any(|x| x.abs() > UNIQUE * largest);
                first = range.end;
            }
            let carried = self.carried(&stress);
            let most = carried.iter().map(size).fold(0.0, f64::max);
            for (flag, w) in in_joint.iter_mut().zip(&carried) {
                *flag |= size(w) > UNIQUE * most;
            }
        }
        [in_joint, in_closure]
    }

    /// Multipliers with Dᵀ λ = 0 and 1 on the dependent row.
    fn self_stress(&self, r: usize) -> Vec<f64> {
        let mut wrenches = vec![Wrench::zero(); self.model.bodies.len()];
        let mut efforts = vec![0.0; self.model.nv];
        match (&self.layout.rows[r], row::wrench(&self.layout.rows[r], self.frames)) {
            (_, Some(w)) => w.add_to(&mut wrenches, 1.0),
            (Row::Coupling { terms, .. }, None) => {
                for t in terms {
                    efforts[t.v] += t.coefficient;
                }
            }
            _ => {}
        }
        let given = Excitation { wrenches: &wrenches, efforts: &efforts, ..Excitation::default() };
        let mut stress = self.solve(&given).multipliers;
        stress[r] = 1.0;
        stress
    }

    /// What each tree joint carries under multipliers, bodies without inertia.
    fn carried(&self, multipliers: &[f64]) -> Vec<Wrench> {
        let mut out = vec![Wrench::zero(); self.model.bodies.len()];
        for (r, lambda) in self.layout.rows.iter().zip(multipliers) {
            if let Some(w) = row::wrench(r, self.frames) {
                w.add_to(&mut out, *lambda);
            }
        }
        for n in (0..out.len()).rev() {
            if let Some(parent) = self.model.bodies[n].parent {
                let w = out[n];
                let arm = self.frames.links()[n].arm();
                out[parent.index()].moment += w.moment + arm.cross(&w.force);
                out[parent.index()].force += w.force;
            }
        }
        out
    }
}

fn size(w: &Wrench) -> f64 {
    w.moment.norm() + w.force.norm()
}
