//! How what is seen of contacts changes with time.

use super::{MotionError, indentation};
use crate::contact::law::ContactLaw;
use crate::dynamics::{Posture, RowWrench};
use crate::maths::Twist;
use crate::model::Place;
use crate::simulate::mode::{Grip, Observation, Spot, Status};
use crate::simulate::resolve::friction_mode;
use crate::simulate::system::constraint::Held;
use crate::simulate::system::tangent::TangentFrame;

/// How what is seen of a spot changes.
pub(in crate::simulate) struct Rates<'a> {
    pub at: &'a Posture<'a>,
    pub row: &'a RowWrench,
    pub tangent_frames: &'a [Option<TangentFrame>],
    pub bodies: &'a [Twist],
}

impl Rates<'_> {
    pub fn see(
        &self,
        k: usize,
        (spot, status): (Spot, Status),
        law: Option<&dyn ContactLaw>,
        see: &mut Observation,
    ) -> Result<(), MotionError> {
        if see.vacant {
            return Ok(());
        }
        let u_dot = acceleration(self.at, spot, self.row, self.bodies)?;
        see.acceleration = u_dot;
        if let (Status::Touching(onset) | Status::Parted(onset), Some(law)) = (status, law) {
            let [stiffness, damping] = law.slopes(&indentation(see), &onset);
            see.force_rate = -stiffness * see.rate - damping * u_dot;
        }
        if let (Status::Staying(Grip::Slides(began) | Grip::Breaks(began)), Some(tangent)) =
            (status, &self.tangent_frames[k])
        {
            for (part, along) in began.iter().enumerate() {
                let held = Held::tangent(k, part + 1, tangent.rows[part]);
                see.slip_rate += along
                    * friction_mode::free(self.at, spot, &held, self.tangent_frames, self.bodies)?;
            }
        }
        Ok(())
    }
}

/// u̇ = A v̇ + Ȧ v under these accelerations of the bodies.
pub(in crate::simulate) fn acceleration(
    at: &Posture<'_>,
    spot: Spot,
    row: &RowWrench,
    bodies: &[Twist],
) -> Result<f64, MotionError> {
    let of = |place: Place| place.map_or_else(Twist::zero, |b| bodies[b.index()]);
    let moving = |place: Place| at.frames().twist(place);
    let turning = at.contact_variation(spot.contact, spot.point, &moving)?;
    Ok(row.rate(&of(row.a), &of(row.b)) + at.rate(&turning))
}
