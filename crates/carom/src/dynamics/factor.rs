//! The articulated sweep: from the tips to the base, every joint and every loop eliminated.
//!
//! At a body, the motion of all that hangs on it is minimised away. What remains is a quadratic
//! function of the body's own motion V and of the multipliers λ of the rows open there, eq. (2.3),
//!
//! ```text
//! Φ(V, λ) = ½ Vᵀ I V − (p + K λ)ᵀ V − ½ λᵀ L λ − λᵀ (l − γ)
//! ```
//!
//! A joint column S (unit rotation or translation, rotor inertia r) is eliminated by eqs. (2.4) and (2.5),
//!
//! ```text
//! U = I S   D = Sᵀ U + r   u = Kᵀ S + c      I ← I − U Uᵀ/D   K ← K − U uᵀ/D   L ← L + u uᵀ/D
//! ```
//!
//! and the rows k that close at a body by eq. (2.6),
//!
//! ```text
//! X = L_kk⁻¹ L_ko      I ← I + K_k L_kk⁻¹ K_kᵀ   K_o ← K_o − K_k X   L_oo ← L_oo − L_ok X
//! ```
//!
//! with a rank-revealing L_kk⁻¹: if λ in the null space of L_kk moves nothing, K_k λ = 0 as well.
//! Trees cost O(n); loops cost in proportion to the rows open at each body. M is never formed.
#![allow(
    clippy::inline_always,
    reason = "only what is inlined is compiled for the processor's vector registers"
)]

use super::error::DynamicsError;
use super::layout::{Hand, Layout};
use super::row_factors::RowFactors;
use crate::kinematics::Frames;
use crate::maths::inertia::{Inertia, Pair};
use crate::maths::register::{Padded, Vector, load, turned};
use crate::maths::{ArticulatedInertia, Wrench};
use crate::model::{Model, RigidInertia};

/// Body constants of the sweep, in link axes.
///
/// The inertia about the link origin is kept as J = j 1 + a aᵀ + b bᵀ, with j the smallest principal
/// value. Turning two vectors costs less than turning a matrix from both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mass {
    mass: f64,
    first_moment: Padded,
    smallest: f64,
    axes: [Padded; 2],
    /// Size of the mobility of a unit force and a unit moment on the free body.
    pub natural: [f64; 2],
}

impl Mass {
    pub fn new(inertia: &RigidInertia, scale: &RigidInertia) -> Self {
        let eigen = inertia.about_origin.symmetric_eigen();
        let mut order = [0, 1, 2];
        order.sort_by(|i, j| eigen.eigenvalues[*i].total_cmp(&eigen.eigenvalues[*j]));
        let [least, middle, most] = order;
        let smallest = eigen.eigenvalues[least];
        let mean = scale.about_origin.trace() / 3.0;
        Self {
            mass: inertia.mass,
            first_moment: (inertia.center * inertia.mass).into(),
            smallest,
            axes: [middle, most].map(|k| {
                let excess = (eigen.eigenvalues[k] - smallest).max(0.0);
                (eigen.eigenvectors.column(k) * excess.sqrt()).into()
            }),
            natural: [1.0 / scale.mass, if mean > 0.0 { 1.0 / mean } else { 0.0 }],
        }
    }

    /// Adds the body to an articulated inertia, turned into world axes.
    #[inline(always)]
    pub fn add_to<V: Vector>(&self, I: &mut Inertia<V>, R: &[V; 3]) {
        let axes = [turned(R, &self.axes[0]), turned(R, &self.axes[1])];
        I.add_rigid(self.mass, turned(R, &self.first_moment), self.smallest, axes);
    }
}

/// An eliminated velocity column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eliminated {
    /// U = I S: moment and force.
    pub U: [Padded; 2],
    /// 1/D; zero on a column that may not move.
    pub inverse_D: f64,
    /// Whether S is a rotation.
    pub angular: bool,
    /// Whether nothing with inertia moves along S: then it is held, and nothing may push on it.
    pub inert: bool,
}

impl Eliminated {
    /// U = I S.
    #[inline(always)]
    pub fn U(&self) -> Wrench {
        Wrench { moment: self.U[0].vector(), force: self.U[1].vector() }
    }
}

/// A row's place in the elimination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pivot {
    pub row: usize,
    /// What it keeps beside those taken before it, as part of its natural size; 1 where that is far from zero.
    pub kept: f64,
    /// Whether it counts as dependent on them.
    pub dependent: bool,
}

/// The factors of one state.
#[derive(Clone, Debug)]
pub struct Factor {
    masses: Vec<Mass>,
    /// Inertia that waits at a body for the sweep to come by.
    inertia: Vec<ArticulatedInertia>,
    pub(super) columns: Vec<Eliminated>,
    pub(super) rows: RowFactors,
}

impl Factor {
    /// Memory for a model and its rows.
    ///
    /// `fine` finds ranks down to round-off of the rows themselves (see `row_roots`), for states whose loops are closed.
    pub fn new(model: &Model, layout: &Layout, fine: bool) -> Self {
        Self {
            masses: model.bodies.iter().map(|b| Mass::new(&b.inertia, &b.scale)).collect(),
            inertia: vec![ArticulatedInertia::default(); model.bodies.len()],
            columns: layout
                .columns
                .iter()
                .map(|c| Eliminated {
                    U: [Padded::default(); 2],
                    inverse_D: 0.0,
                    angular: c.angular,
                    inert: false,
                })
                .collect(),
            rows: RowFactors::new(layout, fine),
        }
    }

    /// Takes over the inertias of a model with the same bodies.
    pub(super) fn renew(&mut self, model: &Model) {
        for (mass, body) in self.masses.iter_mut().zip(&model.bodies) {
            *mass = Mass::new(&body.inertia, &body.scale);
        }
    }

    /// Eliminates all joints and loops at the given frames.
    #[inline(always)]
    pub fn update<V: Vector<Number = f64, Stored = Padded>>(
        &mut self,
        k: V,
        model: &Model,
        layout: &Layout,
        frames: &Frames,
    ) -> Result<(), DynamicsError> {
        let Self { masses, inertia, columns: eliminated, rows } = self;
        let ground = layout.slim.len();
        let (masses, slim, links) =
            (&masses[..ground], &layout.slim[..], &frames.links()[..ground]);
        let columns = &layout.columns[..];
        let axes = &frames.axes()[..columns.len()];
        let eliminated = &mut eliminated[..columns.len()];
        if !layout.rows.is_empty() {
            rows.enter(model, layout, frames, masses);
        }
        // At the start of a step: what the body handled last hands to this one.
        let mut I = Inertia::zero(k);
        for n in (0..ground).rev() {
            let (slim, link) = (&slim[n], &links[n]);
            if slim.gathers {
                I.add(&Inertia::load(k, &inertia[n].0));
            }
            masses[n].add_to(&mut I, &load(k, &link.rotation));
            if slim.closes {
                let mut own = ArticulatedInertia(I.stored());
                rows.close(layout, n, (frames, eliminated), &mut own);
                I = Inertia::load(k, &own.0);
            }
            for column in slim.columns().rev() {
                let (axis, shape) = (k.load(&axes[column]), &columns[column]);
                let (w, along) = along(&I, axis, shape.angular);
                let mut inverse = 0.0;
                let D = along + shape.rotor;
                let inert = shape.free && !(D > shape.least);
                if shape.free && !inert {
                    inverse = 1.0 / D;
                    I.add_square(-inverse, &w);
                }
                let own = &mut eliminated[column];
                own.U = [w.moment.stored(), w.force.stored()];
                own.inverse_D = inverse;
                own.inert = inert;
                if slim.opens {
                    rows.eliminate_column(layout, n, column, &axes[column].vector(), own);
                    if inert && rows.push_on(layout, n, column, &masses[n]) {
                        return Err(no_inertia(model, n, column));
                    }
                }
            }
            if slim.hand != Hand::Ground {
                I.shift(k.load(&link.arm));
            }
            if slim.hand != Hand::Next {
                if slim.hand != Hand::Ground {
                    hand_over(&mut I, slim.hand, &mut inertia[slim.parent as usize].0);
                }
                I = Inertia::zero(k);
            }
            if slim.opens {
                rows.hand_up(layout, n, &link.arm());
            }
        }
        if !layout.rows.is_empty() {
            for part in layout.ground().filter(|n| layout.nodes[*n].closing > 0) {
                rows.close(layout, part, (frames, eliminated), &mut ArticulatedInertia::default());
            }
        }
        Ok(())
    }

    /// The columns along which nothing with inertia moves.
    pub fn inert_columns(&self) -> impl Iterator<Item = usize> + '_ {
        self.columns.iter().enumerate().filter(|c| c.1.inert).map(|c| c.0)
    }

    /// How many rows are independent.
    pub fn constraint_rank(&self) -> usize {
        self.rows.rank.iter().sum()
    }

    /// Rows that depend on others at this state.
    pub fn dependent_rows(&self, layout: &Layout) -> Vec<usize> {
        let mut rows = Vec::new();
        for (n, node) in layout.nodes.iter().enumerate() {
            let order = &self.rows.order[node.at_order..node.at_order + node.closing];
            let dependent = &order[self.rows.rank[n]..];
            rows.extend(dependent.iter().map(|&k| node.present[k as usize] as usize));
        }
        rows.sort_unstable();
        rows
    }

    /// What each row keeps beside those taken before it, as part of its natural size.
    pub(super) fn pivots<'a>(&'a self, layout: &'a Layout) -> impl Iterator<Item = Pivot> + 'a {
        layout.nodes.iter().enumerate().flat_map(move |(n, node)| {
            (0..node.closing).map(move |i| {
                let at = node.at_order + i;
                let row = node.present[self.rows.order[at] as usize] as usize;
                Pivot { row, kept: self.rows.kept[at], dependent: i >= self.rows.rank[n] }
            })
        })
    }
}

/// U = I S of a column, and Sᵀ U.
#[inline(always)]
pub(super) fn along<V: Vector>(I: &Inertia<V>, axis: V, angular: bool) -> (Pair<V>, V::Number) {
    if angular {
        let w = I.times_rotation(axis);
        (w, axis.dot(w.moment))
    } else {
        let w = I.times_translation(axis);
        (w, axis.dot(w.force))
    }
}

/// Leaves an inertia with a body further on.
#[inline(always)]
pub(super) fn hand_over<V: Vector>(I: &mut Inertia<V>, hand: Hand, above: &mut [V::Stored; 7]) {
    if hand == Hand::More {
        let mut both = Inertia::load(I.any(), above);
        both.add(I);
        *I = both;
    }
    *above = I.stored();
}

/// The error of a column that is pushed on and moves nothing with inertia.
pub(super) fn no_inertia(model: &Model, n: usize, column: usize) -> DynamicsError {
    let joint = &model.bodies[n].joint;
    DynamicsError::NoInertia {
        joint: joint.name.clone(),
        coordinate: joint.kind.coordinate_names()[column - joint.v].to_owned(),
    }
}
