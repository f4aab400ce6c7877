//! An impact in contact space: what the laws are told, and nothing of the mechanism behind it.

use super::ImpactError;

/// Friction coefficient that stands for sticking: the limit of large μ.
///
/// Where sticking is possible the answer does not depend on it. Where it is not (the impulse would have to pull), the contact
/// slides with a normal impulse that falls with 1/μ.
const STICK: f64 = 1e9;
/// Most tangents of a contact.
pub(super) const TANGENTS: usize = 2;
/// Entries of W that should be equal may differ by this part of the diagonal's size.
const SYMMETRIC: f64 = 1e-8;

/// Friction of a contact during an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ImpactFriction {
    /// No tangential impulse.
    None,
    /// |p_t| ≤ μ p_n.
    Coulomb(f64),
    /// The limit of large μ.
    Stick,
}

impl std::str::FromStr for ImpactFriction {
    type Err = String;

    /// A coefficient, `stick` or `none`.
    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse::<f64>()) {
            ("stick", _) => Ok(Self::Stick),
            ("none", _) => Ok(Self::None),
            (_, Ok(mu)) if mu >= 0.0 && mu.is_finite() => Ok(Self::Coulomb(mu)),
            _ => Err(format!(
                "friction: `{text}`, expected a coefficient of at least 0, `stick` or `none`"
            )),
        }
    }
}

impl ImpactFriction {
    /// μ.
    pub fn coefficient(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Coulomb(mu) => mu,
            Self::Stick => STICK,
        }
    }
}

/// One contact point of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactContact {
    /// Rows beside the normal's: 0, 1 in the plane or 2 in space.
    pub tangents: usize,
    /// e, 0 ≤ e ≤ 1.
    pub restitution: f64,
    /// Friction; it needs tangents.
    pub friction: ImpactFriction,
}

impl ImpactContact {
    /// A contact without friction and tangents.
    pub fn smooth(restitution: f64) -> Self {
        Self { tangents: 0, restitution, friction: ImpactFriction::None }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        1 + self.tangents
    }

    /// μ, zero without tangents.
    pub(super) fn mu(&self) -> f64 {
        if self.tangents == 0 { 0.0 } else { self.friction.coefficient() }
    }
}

/// Contacts, W = A Y Aᵀ and u⁻ = A v⁻, with the rows of each contact together: normal, then tangents.
///
/// Approaching is u < 0; an impulse p changes u by W p. All contacts named here are closed; whether they approach is
/// the laws' business.
#[derive(Clone, Copy, Debug)]
pub struct ImpactProblem<'a> {
    contacts: &'a [ImpactContact],
    W: &'a [f64],
    u: &'a [f64],
    round_off: f64,
}

impl<'a> ImpactProblem<'a> {
    /// Checks sizes, ranges and that all numbers are finite. W is stored by rows.
    pub fn new(
        contacts: &'a [ImpactContact],
        W: &'a [f64],
        u: &'a [f64],
    ) -> Result<Self, ImpactError> {
        let mut rows = 0;
        for (contact, c) in contacts.iter().enumerate() {
            rows += c.rows();
            if c.tangents > TANGENTS {
                return Err(ImpactError::Tangents { contact, found: c.tangents });
            }
            if !(0.0..=1.0).contains(&c.restitution) {
                return Err(ImpactError::Restitution { contact, found: c.restitution });
            }
            if let ImpactFriction::Coulomb(mu) = c.friction
                && !(mu >= 0.0 && mu.is_finite())
            {
                return Err(ImpactError::Friction { contact, found: mu });
            }
        }
        for (of, found, expected) in [("W", W.len(), rows * rows), ("u", u.len(), rows)] {
            if found != expected {
                return Err(ImpactError::Size { of, found, expected });
            }
        }
        for (of, list) in [("W", W), ("u", u)] {
            // 0 · x is 0 for finite numbers and NaN for others.
            if list.iter().map(|x| 0.0 * x).sum::<f64>() != 0.0 {
                let entry = list.iter().position(|x| !x.is_finite()).unwrap_or(0);
                return Err(ImpactError::NotFinite { of, entry, found: list[entry] });
            }
        }
        for (row, entries) in W.chunks_exact(rows.max(1)).enumerate() {
            let own = entries[row];
            if own < 0.0 {
                return Err(ImpactError::NotSymmetric { row, other: row });
            }
            let column = W[row..].iter().step_by(rows);
            for (other, (x, y)) in entries[..row].iter().zip(column).enumerate() {
                let apart = (x - y).abs();
                if apart > SYMMETRIC * own && apart > SYMMETRIC * W[other * rows + other] {
                    return Err(ImpactError::NotSymmetric { row, other });
                }
            }
        }
        Ok(Self { contacts, W, u, round_off: 0.0 })
    }

    /// Tells how far u⁻ may be from velocities that the bodies can have \[m/s\]: conditions are not held against more digits. Small
    /// differences of large velocities need it, where contacts depend on each other.
    pub fn with_round_off(self, round_off: f64) -> Self {
        Self { round_off, ..self }
    }

    /// The contacts.
    pub fn contacts(&self) -> &'a [ImpactContact] {
        self.contacts
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.u.len()
    }

    /// W, by rows.
    pub fn W(&self) -> &'a [f64] {
        self.W
    }

    /// u⁻.
    pub fn u(&self) -> &'a [f64] {
        self.u
    }

    /// How far u⁻ may be from what the bodies can have.
    pub(super) fn round_off(&self) -> f64 {
        self.round_off
    }

    /// W of two rows.
    pub(super) fn w(&self, row: usize, column: usize) -> f64 {
        self.W[row * self.u.len() + column]
    }

    /// Whether some contact has friction.
    pub(super) fn rough(&self) -> bool {
        self.contacts.iter().any(|c| c.mu() > 0.0)
    }
}
