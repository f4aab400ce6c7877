//! The judged path as CSV: one line per sample.

use std::fmt::Write as _;

use carom::answer::robot::{NearAnswer, PathAnswer};

use super::quoted;

/// The allowed speed and all forces, sample by sample; of several points one after the other.
pub(crate) fn text(answer: &NearAnswer) -> String {
    let mut out = String::new();
    let several = !answer.other_paths.is_empty();
    for (k, path) in answer.path.iter().chain(&answer.other_paths).enumerate() {
        if k == 0 {
            heading(&mut out, answer, path, several);
        }
        samples(&mut out, answer, path, several);
    }
    out
}

fn heading(out: &mut String, answer: &NearAnswer, path: &PathAnswer, several: bool) {
    *out += if several { "point," } else { "" };
    *out += "sample,t [s],speed [m/s],m_R [kg],T_c [J],allowed speed [m/s],utilisation,static push [N],region";
    for &r in &path.judged {
        // Writing to a text cannot fail.
        let _ = write!(out, ",{}", quoted(&format!("F {} [N]", answer.regions[r].region)));
    }
    out.push('\n');
}

fn samples(out: &mut String, answer: &NearAnswer, path: &PathAnswer, several: bool) {
    let width = path.judged.len();
    out.reserve(path.samples * (64 + 12 * width));
    for k in 0..path.samples {
        if several {
            let _ = write!(out, "{},", quoted(&path.point));
        }
        let _ = write!(out, "{},", k + 1);
        if let Some(t) = path.t.get(k) {
            let _ = write!(out, "{t}");
        }
        let numbers = [
            &path.speed,
            &path.robot_mass,
            &path.impact_energy,
            &path.allowed_speed,
            &path.utilisation,
        ];
        for column in numbers {
            let _ = write!(out, ",{:.6}", column[k]);
        }
        let push = path.static_push[k];
        if push.is_finite() {
            let _ = write!(out, ",{push:.6}");
        } else {
            out.push(',');
        }
        let _ = write!(out, ",{}", quoted(&answer.regions[path.governing[k]].region));
        for force in &path.force[k * width..(k + 1) * width] {
            let _ = write!(out, ",{force:.3}");
        }
        out.push('\n');
    }
}
