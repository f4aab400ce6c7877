//! A step that ends just before an event, and its tangent, which leads there.

use super::event::TANGENT;
use super::stride::Stride;
use super::tableau::END;

/// Where the step that is held stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Nowhere,
    /// It was taken again, and nothing came of it yet.
    Trial,
    /// It is the last step, continued along its tangent.
    Last,
}

/// A step taken again: its length, where it leads, and the slope there.
#[derive(Clone, Debug)]
pub(super) struct Held {
    place: Place,
    pub h: f64,
    pub y: Vec<f64>,
    pub slope: Vec<f64>,
    /// How far the tangent is followed.
    reach: f64,
    /// Whether the trial is this step, continued.
    continued: bool,
}

impl Held {
    pub fn new(dimension: usize) -> Self {
        let nothing = vec![0.0; dimension];
        Self {
            place: Place::Nowhere,
            h: 0.0,
            y: nothing.clone(),
            slope: nothing,
            reach: 0.0,
            continued: false,
        }
    }

    /// Keeps a step whose slope at the end is known, taken again in the place of one of length `of`.
    pub fn keep(&mut self, step: &Stride, of: f64) {
        self.h = step.h;
        self.y.copy_from_slice(&step.y);
        self.slope.copy_from_slice(step.k.row(END));
        self.reach = TANGENT * of.abs();
        (self.place, self.continued) = (Place::Trial, false);
    }

    /// There is no such step.
    pub fn release(&mut self) {
        (self.place, self.continued) = (Place::Nowhere, false);
    }

    /// The trial is about to be another step.
    pub fn leave_trial(&mut self) {
        self.continued = false;
        if self.place == Place::Trial {
            self.place = Place::Nowhere;
        }
    }

    /// The trial becomes the last step.
    pub fn follow_trial(&mut self) {
        self.place = if self.continued { Place::Last } else { Place::Nowhere };
        self.continued = false;
    }

    /// Whether the last step is this one, continued along its tangent.
    pub fn is_last(&self) -> bool {
        self.place == Place::Last
    }

    /// Writes where the tangent is after a step of length h.
    pub fn along(&self, h: f64, out: &mut [f64]) {
        let δ = h - self.h;
        for (out, (y, slope)) in out.iter_mut().zip(self.y.iter().zip(&self.slope)) {
            *out = y + δ * slope;
        }
    }

    /// Lets the trial be this step, continued to length h; false if the tangent does not reach as far.
    pub fn continues(&mut self, trial: &mut Stride, last: &Stride, h: f64) -> bool {
        if self.place == Place::Nowhere || (h - self.h).abs() > self.reach {
            return false;
        }
        if self.place == Place::Last {
            trial.repeat(last);
        }
        self.along(h, &mut trial.y);
        (trial.h, trial.t, trial.end_known) = (h, trial.t_old + h, h == self.h);
        if h == self.h {
            trial.know_end(&self.slope);
        }
        self.continued = true;
        true
    }
}
