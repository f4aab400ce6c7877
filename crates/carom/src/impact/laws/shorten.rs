//! Frictional impulses that are not unique: of all that give the same velocities with the same stands, the shortest.

use super::coulomb::{Cones, Coulomb};
use super::least_norm::LeastNorm;
use super::local::Stand;

impl Coulomb {
    /// Shortens the answer found last: the least |p| with the same velocities of the rows in force, and each sliding contact
    /// on its side of the cone. Written B p = b, that is p = Bᵀ (B Bᵀ)⁺ b. False, and nothing changed, where it would leave
    /// a cone.
    pub fn shorten(&mut self, asked: &Cones<'_>, least: &mut LeastNorm) -> bool {
        let Cones { impact, first, bound, .. } = *asked;
        self.rows.clear();
        for (i, contact) in impact.contacts().iter().enumerate() {
            let from = match self.stands[i] {
                Stand::Open => continue,
                Stand::BoundSticks | Stand::BoundSlides(_) => 1,
                Stand::Sticks | Stand::Slides(_) => 0,
            };
            let to = if contact.mu() > 0.0 { contact.rows() } else { 1 };
            self.rows.extend(first[i] + from..first[i] + to);
        }
        let m = self.rows.len();
        let [B, H, b, y] = &mut self.short;
        B.clear();
        for &row in &self.rows {
            B.extend(self.rows.iter().map(|&other| impact.w(row, other)));
        }
        for (i, contact) in impact.contacts().iter().enumerate() {
            let (Stand::Slides(d) | Stand::BoundSlides(d)) = self.stands[i] else { continue };
            let (at, mu) = (first[i], contact.mu());
            for (x, d) in d.iter().enumerate().take(if mu > 0.0 { contact.tangents } else { 0 }) {
                // p_t + μ p_n d = 0, in velocities so that rows compare
                let unit = impact.w(at + 1 + x, at + 1 + x);
                B.extend(self.rows.iter().map(|&other| match other {
                    other if other == at => unit * mu * d,
                    other if other == at + 1 + x => unit,
                    _ => 0.0,
                }));
            }
        }
        let q = B.len() / m.max(1);
        H.clear();
        b.clear();
        for i in 0..q {
            let row = &B[i * m..(i + 1) * m];
            for j in 0..q {
                H.push(row.iter().zip(&B[j * m..]).map(|(x, y)| x * y).sum());
            }
            b.push(row.iter().zip(&self.rows).map(|(x, &r)| x * self.p[r]).sum());
        }
        y.clear();
        y.resize(q, 0.0);
        least.pseudo_solve(H, b, y);
        self.trial.copy_from_slice(&self.p);
        for (k, &row) in self.rows.iter().enumerate() {
            self.p[row] = (0..q).map(|i| B[i * m + k] * y[i]).sum();
        }
        self.update_u(asked);
        let pulls = first.iter().zip(bound).any(|(&row, b)| self.p[row] < *b);
        if !pulls && self.violation(asked) <= self.tolerance(asked) {
            self.trim(asked);
            return true;
        }
        self.p.copy_from_slice(&self.trial);
        self.update_u(asked);
        false
    }
}
