//! Impacts for people: one column a law.

use std::fmt::Write as _;

use carom::answer::digits::clean;
use carom::answer::{FrictionAnswer, ImpactAnswer, StrikePointAnswer, StruckAnswer};

use super::{Grid, page};
use crate::number::{six, three};

/// The whole text.
pub(crate) fn text(answer: &ImpactAnswer) -> String {
    let mut out = String::new();
    let points = answer.contacts.len();
    let _ = writeln!(
        out,
        "{}: impact at {points} {}",
        answer.head.file,
        if points == 1 { "contact point" } else { "contact points" }
    );
    if !answer.head.title.is_empty() {
        let _ = writeln!(out, "{}", answer.head.title);
    }
    out.push('\n');
    out += &grid(answer).text(4);
    for (law, why) in answer.refusals() {
        let _ = writeln!(out, "\n  {law} refuses: {why}");
    }
    page(&out)
}

type Answers<'a> = [&'a StruckAnswer];

/// All laws side by side.
pub(crate) fn grid(answer: &ImpactAnswer) -> Grid {
    let answers: Vec<&StruckAnswer> = answer.answered().collect();
    let mut head = vec!["", "", "before"];
    head.extend(answers.iter().map(|s| s.law.as_str()));
    let mut grid = Grid::new(&head);
    for (k, point) in answer.contacts.iter().enumerate() {
        contact(&mut grid, answer, &answers, (k, point));
    }
    velocities(&mut grid, answer, &answers);
    audit(&mut grid, &answers);
    reactions(&mut grid, &answers);
    grid
}

/// The largest impulse of all laws: round-off is told by it.
fn blow(answers: &Answers<'_>) -> f64 {
    answers.iter().map(|s| s.largest_impulse()).fold(0.0, f64::max)
}

/// One line: what, unit, a size of its kind, before, and a cell a law.
fn line(
    grid: &mut Grid,
    (what, unit, least): (&str, &str, f64),
    before: Option<f64>,
    answers: &Answers<'_>,
    of: impl Fn(&StruckAnswer) -> Option<f64>,
) {
    let values: Vec<Option<f64>> = answers.iter().map(|s| of(s)).collect();
    let size = values.iter().chain([&before]).flatten().fold(least, |m, x| m.max(x.abs()));
    let cell = |x: Option<f64>| x.map_or_else(String::new, |x| six(clean(x, size)));
    let mut cells = vec![what.to_owned(), unit.to_owned(), cell(before)];
    cells.extend(values.into_iter().map(cell));
    grid.row(cells);
}

fn words(grid: &mut Grid, what: &str, answers: &Answers<'_>, of: impl Fn(&StruckAnswer) -> String) {
    let mut cells = vec![what.to_owned(), String::new(), String::new()];
    cells.extend(answers.iter().map(|s| of(s)));
    grid.row(cells);
}

fn contact(
    grid: &mut Grid,
    answer: &ImpactAnswer,
    answers: &Answers<'_>,
    (k, point): (usize, &StrikePointAnswer),
) {
    let friction = match &point.friction {
        _ if point.tangents.is_empty() => "no friction".to_owned(),
        FrictionAnswer::Word(_) => "sticking".to_owned(),
        FrictionAnswer::Coefficient(mu) => format!("μ = {}", three(*mu)),
    };
    let u = &answer.u_before;
    let speed = u.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let blow = blow(answers);
    grid.heading(format!("{}: e = {}, {friction}", point.name, three(point.restitution)));
    let (row, units) = (point.row, &point.units);
    line(grid, ("normal velocity u_n", units.velocity, speed), Some(u[row]), answers, |s| {
        Some(s.u_after[row])
    });
    let two = point.tangents.len() == 2;
    let names = if two { ["u_t1", "u_t2"] } else { ["u_t", ""] };
    for (x, name) in names.iter().enumerate().take(point.tangents.len()) {
        let (what, at) = (format!("slip {name}"), row + 1 + x);
        line(grid, (&what, units.velocity, speed), Some(u[at]), answers, |s| Some(s.u_after[at]));
    }
    line(grid, ("normal impulse p_n", units.impulse, blow), None, answers, |s| {
        Some(s.impulses[row])
    });
    let names = if two { ["p_t1", "p_t2"] } else { ["p_t", ""] };
    for (x, name) in names.iter().enumerate().take(point.tangents.len()) {
        let (what, at) = (format!("friction {name}"), row + 1 + x);
        line(grid, (&what, units.impulse, blow), None, answers, |s| Some(s.impulses[at]));
    }
    words(grid, "contact mode", answers, |s| s.modes[k].clone());
}

fn velocities(grid: &mut Grid, answer: &ImpactAnswer, answers: &Answers<'_>) {
    let after = answers.iter().flat_map(|s| s.v_after.iter());
    let speed = after.fold(0.0_f64, |m, v| m.max(v.abs()));
    grid.heading("velocities");
    let state = &answer.state;
    for (c, (name, unit)) in state.velocities.iter().zip(&state.velocity_units).enumerate() {
        line(grid, (name, unit, speed), Some(state.v[c]), answers, |s| Some(s.v_after[c]));
    }
}

fn audit(grid: &mut Grid, answers: &Answers<'_>) {
    grid.heading("audit");
    let before = answers.first().map(|s| s.audit.kinetic_before);
    let energy = before.unwrap_or(0.0);
    // Where a drive moves, T and T_a are those of one frame.
    let driven = answers.iter().any(|s| s.audit.frame_dependent);
    let named = |what: &str| {
        if driven {
            format!("{what} (depends on the frame: a drive moves)")
        } else {
            what.to_owned()
        }
    };
    line(grid, (&named("kinetic energy T"), "J", energy), before, answers, |s| {
        Some(s.audit.kinetic_after)
    });
    line(grid, ("contact work ½ pᵀ(u⁺ + u⁻)", "J", energy), None, answers, |s| {
        Some(s.audit.contact_work)
    });
    if answers.iter().any(|s| s.audit.drive_work != 0.0) {
        line(grid, ("drives νᵀσ", "J", energy), None, answers, |s| Some(s.audit.drive_work));
    }
    // Slip that a drive gives is no motion that impulses change.
    let slip = answers.iter().any(|s| s.audit.driven_slip);
    let with_slip = |what: &str| {
        if slip { format!("{what} (with slip that a drive gives)") } else { what.to_owned() }
    };
    line(grid, (&with_slip("T_c⁻ of the rows struck"), "J", energy), None, answers, |s| {
        Some(s.audit.constrained_before)
    });
    line(grid, (&with_slip("T_c⁺"), "J", energy), None, answers, |s| {
        Some(s.audit.constrained_after)
    });
    line(grid, (&named("T_a⁻"), "J", energy), None, answers, |s| Some(s.audit.admissible_before));
    line(grid, (&named("T_a⁺"), "J", energy), None, answers, |s| Some(s.audit.admissible_after));
    words(grid, &with_slip("e* delivered"), answers, |s| {
        s.audit.restitution_delivered.map_or_else(|| "no impulse".to_owned(), three)
    });
    words(grid, "energy", answers, |s| {
        if s.creates_energy { "CREATED" } else { "not created" }.to_owned()
    });
    words(grid, "impulses", answers, |s| {
        let which = match s.impulses_unique.as_str() {
            "unique" if s.uniqueness.only_answer => "unique",
            "unique" => "unique nearby",
            "least-norm" => "shortest of many",
            _ => "one of many",
        };
        format!("{which}{}", if s.uniqueness.undecided { " (undecided)" } else { "" })
    });
    if answers.iter().any(|s| !s.uniqueness.velocities) {
        words(grid, "velocities after", answers, |s| {
            if s.uniqueness.velocities { "unique" } else { "one of many" }.to_owned()
        });
    }
    words(grid, "struck again", answers, |s| s.repeats.to_string());
    words(grid, "residual |M Δv − Aᵀp − Dᵀσ|", answers, |s| {
        let residual = s.audit.momentum_residual;
        if residual == 0.0 { "0".to_owned() } else { format!("{residual:.0e}") }
    });
}

/// The length of a vector.
fn length(x: &[f64; 3]) -> f64 {
    x.iter().fold(0.0, |s: f64, x| s.hypot(*x))
}

fn reactions(grid: &mut Grid, answers: &Answers<'_>) {
    let Some(first) = answers.first() else { return };
    let blow = blow(answers);
    let mark = |unique: bool| if unique { "" } else { " (not unique: one of many)" };
    let mut headed = false;
    let mut head = |grid: &mut Grid| {
        if !std::mem::replace(&mut headed, true) {
            grid.heading("reaction impulses of joints and closures");
        }
    };
    for (b, joint) in first.joints.iter().enumerate() {
        if answers.iter().all(|s| s.is_idle(b, blow)) {
            continue;
        }
        head(grid);
        let (name, mark) = (&joint.joint, mark(joint.unique));
        line(grid, (&format!("{name}, force{mark}"), "N s", blow), None, answers, |s| {
            Some(length(&s.joints[b].on_body.force))
        });
        if joint.transmits_moment {
            line(grid, (&format!("{name}, moment{mark}"), "N m s", blow), None, answers, |s| {
                Some(length(&s.joints[b].on_body.moment))
            });
        }
    }
    for (c, closure) in first.closures.iter().enumerate() {
        for k in 0..closure.impulses.len() {
            head(grid);
            let what = format!("{}, row {}{}", closure.closure, k + 1, mark(closure.unique));
            line(grid, (&what, &closure.units[k], blow), None, answers, |s| {
                s.closures[c].impulses.get(k).copied()
            });
        }
    }
}
