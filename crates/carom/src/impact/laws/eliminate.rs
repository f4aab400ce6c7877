//! Linear equations whose rows may depend on each other.

/// A pivot below this part of the largest entry depends on those before it.
const DEPENDENT: f64 = 1e-13;

/// F ← a solution of J x = F by elimination; unknowns that depend on others are zero. Returns the rank.
pub(super) fn eliminate(J: &mut [f64], F: &mut [f64], pivots: &mut Vec<usize>) -> usize {
    let m = F.len();
    let size = largest(J.iter()).1;
    let mut rank = 0;
    pivots.clear();
    for column in 0..m {
        let (best, value) = largest(J[rank * m + column..].iter().step_by(m));
        let best = rank + best;
        if value <= DEPENDENT * size {
            continue;
        }
        if best != rank {
            for y in 0..m {
                J.swap(best * m + y, rank * m + y);
            }
            F.swap(best, rank);
        }
        let (above, below) = J.split_at_mut((rank + 1) * m);
        let pivot = &above[rank * m..];
        for row in rank + 1..m {
            let own = &mut below[(row - rank - 1) * m..(row - rank) * m];
            let share = own[column] / pivot[column];
            if share == 0.0 {
                continue;
            }
            for (x, y) in own[column..].iter_mut().zip(&pivot[column..]) {
                *x -= share * y;
            }
            F[row] -= share * F[rank];
        }
        pivots.push(column);
        rank += 1;
    }
    // Back: the rows of the echelon give the pivots' unknowns.
    for r in (0..rank).rev() {
        let column = pivots[r];
        let mut x = F[r];
        for s in r + 1..rank {
            x -= J[r * m + pivots[s]] * F[s];
        }
        F[r] = x / J[r * m + column];
    }
    F[rank..m].fill(0.0);
    // From the order of pivots to that of unknowns, last first: a pivot never stands before its place.
    for r in (0..rank).rev() {
        if pivots[r] != r {
            F[pivots[r]] = F[r];
            F[r] = 0.0;
        }
    }
    rank
}

/// The place and the size of the largest number.
fn largest<'a>(numbers: impl Iterator<Item = &'a f64>) -> (usize, f64) {
    let mut most = (0, 0.0);
    for (place, x) in numbers.enumerate() {
        if x.abs() > most.1 {
            most = (place, x.abs());
        }
    }
    most
}
