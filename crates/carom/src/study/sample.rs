//! Points of the unit cube: where a sample has its points.
//!
//! A sample may consist of [`SECTIONS`] independent samples of the same kind and size, point by point in turn. Every beginning of it consists of
//! them, too, and their scatter tells how far whatever is computed from all of them may be off.

use super::chance;
use super::sobol::Sobol;
use crate::model::study::{SECTIONS, Sampling};

/// Values of a coordinate on Morris' grid, and how many of its spaces a step takes: half of the values, so that all are equally probable
/// (Morris, Technometrics 33 (1991) 161-174, section 3).
const MORRIS_LEVELS: u64 = 4;
const MORRIS_STEP: u64 = MORRIS_LEVELS / 2;
/// Streams of random numbers that are not those of an axis.
const OF_SECTION: u64 = 1 << 32;
const OF_ORDER: u64 = 1 << 33;

/// A sample of the unit cube.
#[derive(Clone, Debug)]
pub struct Sample {
    sampling: Sampling,
    seed: u64,
    axes: usize,
    /// Points, or rows of several points.
    rows: u64,
    /// How many samples it consists of.
    sections: u64,
    sobol: Option<Sobol>,
}

impl Sample {
    /// So many points, or rows of points, of a sampling; `None` where Sobol's sequence has not as many dimensions.
    pub fn new(
        (sampling, seed): (Sampling, u64),
        axes: usize,
        rows: u64,
        divided: bool,
    ) -> Option<Self> {
        let sobol = match sampling {
            Sampling::Sobol => Some(Sobol::new(axes, Some(seed))?),
            Sampling::Saltelli => Some(Sobol::new(2 * axes, Some(seed))?),
            _ => None,
        };
        let sections = if divided { SECTIONS as u64 } else { 1 };
        Some(Self { sampling, seed, axes, rows, sections, sobol })
    }

    /// How many samples it consists of.
    pub fn sections(&self) -> u64 {
        self.sections
    }

    /// The row of a point, and its place in the row.
    pub fn row(&self, point: u64) -> (u64, usize) {
        let width = match self.sampling {
            Sampling::Saltelli => self.axes as u64 + 2,
            Sampling::Morris => self.axes as u64 + 1,
            _ => 1,
        };
        // Fewer than 2¹⁶ columns.
        (point / width, usize::try_from(point % width).unwrap_or(0))
    }

    /// The coordinate of a point, from 0 to 1.
    pub fn share(&self, point: u64, axis: usize) -> f64 {
        let stream = axis as u64;
        let (row, column) = self.row(point);
        match (&self.sobol, self.sampling) {
            (Some(sobol), Sampling::Saltelli) => {
                let of_b = column == self.axes + 1 || column == axis + 1;
                self.of_sobol(sobol, row, if of_b { self.axes + axis } else { axis })
            }
            (Some(sobol), _) => self.of_sobol(sobol, row, axis),
            (None, Sampling::MonteCarlo) => chance::unit(chance::bits(self.seed, stream, row)),
            (None, Sampling::Morris) => self.on_trajectory(row, column, axis),
            (None, _) => {
                let seed = self.seed_of(row);
                let (k, n) = (row / self.sections, self.rows / self.sections);
                let slice = chance::shuffled(k, n, chance::bits(seed, stream, 0));
                let inside = chance::unit(chance::bits(seed, stream, k + 1));
                (slice as f64 + inside) / n as f64
            }
        }
    }

    /// The seed of the section that a row belongs to.
    fn seed_of(&self, row: u64) -> u64 {
        match self.sections {
            1 => self.seed,
            n => chance::bits(self.seed, OF_SECTION, row % n),
        }
    }

    fn of_sobol(&self, sobol: &Sobol, row: u64, dimension: usize) -> f64 {
        match self.sections {
            1 => sobol.coordinate(row, dimension),
            n => sobol.scrambled(row / n, dimension, self.seed_of(row)),
        }
    }

    /// A point of a trajectory: its first place, and the axes that have taken their step.
    fn on_trajectory(&self, trajectory: u64, step: usize, axis: usize) -> f64 {
        let axes = self.axes as u64;
        let drawn = chance::bits(self.seed, axis as u64, trajectory);
        let upwards = drawn & 1 == 1;
        // A start from which the step stays within the grid.
        let free = MORRIS_LEVELS - MORRIS_STEP;
        let start = (drawn >> 1) % free + if upwards { 0 } else { MORRIS_STEP };
        let turn =
            chance::shuffled(axis as u64, axes, chance::bits(self.seed, OF_ORDER, trajectory));
        let taken = turn < step as u64;
        let level = match (taken, upwards) {
            (false, _) => start,
            (true, true) => start + MORRIS_STEP,
            (true, false) => start - MORRIS_STEP,
        };
        level as f64 / (MORRIS_LEVELS - 1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_of_a_latin_hypercube_is_one() {
        let n = 4 * SECTIONS as u64;
        let sample = Sample::new((Sampling::LatinHypercube, 3), 2, n, true).unwrap();
        for section in 0..SECTIONS as u64 {
            for axis in 0..2 {
                let own = (0..n).filter(|k| k % SECTIONS as u64 == section);
                let mut slices: Vec<f64> =
                    own.map(|k| (4.0 * sample.share(k, axis)).floor()).collect();
                slices.sort_by(f64::total_cmp);
                assert_eq!(slices, [0.0, 1.0, 2.0, 3.0]);
            }
        }
    }

    #[test]
    fn a_trajectory_of_morris_moves_every_axis_once_by_the_same_step() {
        let axes = 5;
        let sample = Sample::new((Sampling::Morris, 9), axes, 40, false).unwrap();
        for trajectory in 0..40 {
            let at = |step: u64| -> Vec<f64> {
                (0..axes).map(|a| sample.share(trajectory * 6 + step, a)).collect()
            };
            let mut moved = vec![0; axes];
            for step in 0..5 {
                let (before, after) = (at(step), at(step + 1));
                let changed: Vec<usize> = (0..axes).filter(|a| before[*a] != after[*a]).collect();
                assert_eq!(changed.len(), 1);
                moved[changed[0]] += 1;
                assert!(((before[changed[0]] - after[changed[0]]).abs() - 2.0 / 3.0).abs() < 1e-15);
                assert!(after.iter().all(|x| (0.0..=1.0).contains(x)));
            }
            assert_eq!(moved, [1; 5]);
        }
    }
}
