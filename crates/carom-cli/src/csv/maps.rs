//! Maps as CSV: a line per point of the skin of a robot, per cell of its reach, or per point of a map over two variables.

use std::fmt::Write as _;

use carom::answer::robot::{SkinAnswer, WorkspaceAnswer};
use carom::answer::study::MapAnswer;

use super::quoted;

/// Every point of a map, x the fastest; an empty cell where a measure has no value.
pub(crate) fn over(answer: &MapAnswer) -> String {
    let mut out = format!("{},{}", quoted(&answer.x.variable), quoted(&answer.y.variable));
    for m in &answer.measures {
        let _ = write!(out, ",{}", quoted(&m.measure.heading()));
    }
    out.push('\n');
    let n = answer.count;
    let at = |from: f64, to: f64, k: usize| match k {
        k if k + 1 == n => to,
        k => from + (to - from) * k as f64 / (n - 1) as f64,
    };
    for point in 0..n * n {
        let (x, y) = (&answer.x, &answer.y);
        let _ = write!(out, "{},{}", at(x.from, x.to, point % n), at(y.from, y.to, point / n));
        for m in &answer.measures {
            match m.values[point] {
                value if value.is_nan() => out.push(','),
                value => {
                    let _ = write!(out, ",{value}");
                }
            }
        }
        out.push('\n');
    }
    out
}

/// Every visible point of the skin; `bodies` are the names of the bodies in their order.
pub(crate) fn skin(skin: &SkinAnswer, bodies: &[String]) -> String {
    let mut out =
        String::from("body,x [m],y [m],z [m],n_x,n_y,n_z,m_eff [kg],permitted speed [m/s]\n");
    for k in 0..skin.visible {
        let body = bodies.get(skin.body[k]).map_or("ground", String::as_str);
        let numbers = skin.position[k].iter().chain(&skin.normal[k]).copied();
        let numbers = numbers.chain([skin.effective_mass[k], skin.permitted_speed[k]]);
        // Writing to a text cannot fail.
        let _ = write!(out, "{}", quoted(body));
        for x in numbers {
            let _ = write!(out, ",{x}");
        }
        out.push('\n');
    }
    out
}

/// Every cell of the reach that a pose fell into, by its middle.
pub(crate) fn workspace(found: &WorkspaceAnswer) -> String {
    let mut out = String::from(
        "x [m],y [m],z [m],poses,least m_eff [kg],greatest m_eff [kg],least permitted speed [m/s]\n",
    );
    let [nx, ny, _] = found.cells;
    for (k, poses) in found.cell_poses.iter().enumerate().filter(|(_, n)| **n > 0) {
        let middle = [k % nx, k / nx % ny, k / (nx * ny)];
        for (axis, at) in middle.iter().enumerate() {
            let (low, high) = (found.reach_low[axis], found.reach_high[axis]);
            let x = low + (high - low) * (*at as f64 + 0.5) / found.cells[axis] as f64;
            let _ = write!(out, "{x},");
        }
        let _ = write!(out, "{poses}");
        let greatest = found.greatest_mass[k].unwrap_or(f64::INFINITY);
        for x in [found.least_mass[k], Some(greatest), found.least_speed[k]] {
            match x {
                Some(x) => {
                    let _ = write!(out, ",{x}");
                }
                None => out.push(','),
            }
        }
        out.push('\n');
    }
    out
}
