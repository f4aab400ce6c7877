//! Impacts for people: one column a law.

use std::fmt::Write as _;

use carom::impact::laws::Uniqueness;
use carom::impact::{StrikePoint, Struck};

use super::Grid;
use crate::commands::impact::Report;
use crate::json::coordinate_names;
use crate::json::impact::mode;
use crate::number::{six, three};

/// Numbers below this part of the largest of their kind are round-off.
const ROUND_OFF: f64 = 1e-13;

/// The whole text.
pub(crate) fn text(report: &Report<'_>) -> String {
    let model = report.opened.model();
    let mut out = String::new();
    let points = report.strike.points.len();
    let _ = writeln!(
        out,
        "{}: impact at {points} {}",
        report.opened.loaded.source.name(),
        if points == 1 { "contact point" } else { "contact points" }
    );
    if !model.title.is_empty() {
        let _ = writeln!(out, "{}", model.title);
    }
    out.push('\n');
    out += &grid(report).text(4);
    for (name, answer) in &report.laws {
        if let Err(why) = answer {
            let _ = writeln!(out, "\n  {name} refuses: {why}");
        }
    }
    out
}

/// All laws side by side.
pub(crate) fn grid(report: &Report<'_>) -> Grid {
    let answers: Vec<(&str, &Struck)> = report
        .laws
        .iter()
        .filter_map(|(name, answer)| Some((*name, answer.as_ref().ok()?)))
        .collect();
    let mut head = vec!["", "", "before"];
    head.extend(answers.iter().map(|(name, _)| *name));
    let mut grid = Grid::new(&head);
    for (k, point) in report.strike.points.iter().enumerate() {
        contact(&mut grid, report, &answers, (k, point));
    }
    velocities(&mut grid, report, &answers);
    audit(&mut grid, &answers);
    reactions(&mut grid, report, &answers);
    grid
}

/// The largest speed of a contact, and the largest impulse: what round-off is told by.
fn sizes(report: &Report<'_>, answers: &Answers<'_>) -> (f64, f64) {
    let largest = |list: &[f64]| list.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let blow = answers.iter().map(|(_, s)| largest(&s.solution.impulses)).fold(0.0, f64::max);
    (largest(&report.strike.u), blow)
}

type Answers<'a> = [(&'a str, &'a Struck)];

/// One line: what, unit, a size of its kind, before, and a cell a law.
fn line(
    grid: &mut Grid,
    (what, unit, least): (&str, &str, f64),
    before: Option<f64>,
    answers: &Answers<'_>,
    of: impl Fn(&Struck) -> Option<f64>,
) {
    let values: Vec<Option<f64>> = answers.iter().map(|(_, s)| of(s)).collect();
    let size = values.iter().chain([&before]).flatten().fold(least, |m, x| m.max(x.abs()));
    let cell = |x: Option<f64>| {
        x.map_or_else(String::new, |x| six(if x.abs() <= ROUND_OFF * size { 0.0 } else { x }))
    };
    let mut cells = vec![what.to_owned(), unit.to_owned(), cell(before)];
    cells.extend(values.into_iter().map(cell));
    grid.row(cells);
}

fn words(grid: &mut Grid, what: &str, answers: &Answers<'_>, of: impl Fn(&Struck) -> String) {
    let mut cells = vec![what.to_owned(), String::new(), String::new()];
    cells.extend(answers.iter().map(|(_, s)| of(s)));
    grid.row(cells);
}

fn contact(
    grid: &mut Grid,
    report: &Report<'_>,
    answers: &Answers<'_>,
    (k, point): (usize, &StrikePoint),
) {
    let strike = &report.strike;
    let contact = &strike.contacts[k];
    let rough = contact.tangents > 0;
    let friction = match contact.friction {
        _ if !rough => "no friction".to_owned(),
        carom::impact::laws::ImpactFriction::Stick => "sticking".to_owned(),
        other => format!("μ = {}", three(other.coefficient())),
    };
    let (speed, blow) = sizes(report, answers);
    grid.heading(format!("{}: e = {}, {friction}", point.name, three(contact.restitution)));
    let row = point.row;
    let units = report.opened.model().contacts[point.contact].units();
    line(grid, ("normal velocity u_n", units.velocity, speed), Some(strike.u[row]), answers, |s| {
        Some(s.solution.after[row])
    });
    let names = if contact.tangents == 2 { ["u_t1", "u_t2"] } else { ["u_t", ""] };
    for (x, name) in names.iter().enumerate().take(contact.tangents) {
        let what = format!("slip {name}");
        line(grid, (&what, units.velocity, speed), Some(strike.u[row + 1 + x]), answers, |s| {
            Some(s.solution.after[row + 1 + x])
        });
    }
    line(grid, ("normal impulse p_n", units.impulse, blow), None, answers, |s| {
        Some(s.solution.impulses[row])
    });
    let names = if contact.tangents == 2 { ["p_t1", "p_t2"] } else { ["p_t", ""] };
    for (x, name) in names.iter().enumerate().take(contact.tangents) {
        let what = format!("friction {name}");
        line(grid, (&what, units.impulse, blow), None, answers, |s| {
            Some(s.solution.impulses[row + 1 + x])
        });
    }
    words(grid, "it", answers, |s| mode(s.solution.notes.modes[k]).to_owned());
}

fn velocities(grid: &mut Grid, report: &Report<'_>, answers: &Answers<'_>) {
    let model = report.opened.model();
    let after = answers.iter().flat_map(|(_, s)| s.velocities.iter());
    let speed = after.fold(0.0_f64, |m, v| m.max(v.abs()));
    grid.heading("velocities");
    let q = report.opened.assembled.state.q.as_slice();
    let mut units = Vec::with_capacity(model.nv);
    for joint in model.bodies.iter().map(|b| &b.joint) {
        let columns = joint.kind.columns(&q[joint.positions()]);
        let moves = columns.iter().take(joint.kind.velocities());
        units.extend(moves.map(|c| if c.angular { "rad/s" } else { "m/s" }));
    }
    for (c, name) in coordinate_names(model).iter().enumerate() {
        let before = report.opened.assembled.state.v[c];
        let unit = units.get(c).copied().unwrap_or("");
        line(grid, (name, unit, speed), Some(before), answers, |s| Some(s.velocities[c]));
    }
}

fn audit(grid: &mut Grid, answers: &Answers<'_>) {
    grid.heading("audit");
    let before = answers.first().map(|(_, s)| s.audit.kinetic_before);
    let energy = before.unwrap_or(0.0);
    // Where a drive moves, T and T_a are those of one frame.
    let driven = answers.iter().any(|(_, s)| s.audit.driven);
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
    if answers.iter().any(|(_, s)| s.audit.drive_work != 0.0) {
        line(grid, ("drives νᵀσ", "J", energy), None, answers, |s| Some(s.audit.drive_work));
    }
    // Slip that a drive gives is no motion that impulses change.
    let slip = answers.iter().any(|(_, s)| s.audit.driven_slip);
    let with_slip = |what: &str| {
        if slip { format!("{what} (with slip that a drive gives)") } else { what.to_owned() }
    };
    line(grid, (&with_slip("T_c⁻ of the rows struck"), "J", energy), None, answers, |s| {
        Some(s.audit.constrained_before)
    });
    line(grid, (&with_slip("T_c⁺"), "J", energy), None, answers, |s| {
        // What is left of T_c⁻ by round-off is nothing.
        let a = &s.audit;
        let least = ROUND_OFF * a.constrained_before;
        Some(if a.constrained_after.abs() <= least { 0.0 } else { a.constrained_after })
    });
    line(grid, (&named("T_a⁻"), "J", energy), None, answers, |s| Some(s.audit.admissible_before));
    line(grid, (&named("T_a⁺"), "J", energy), None, answers, |s| Some(s.audit.admissible_after));
    words(grid, &with_slip("e* delivered"), answers, |s| {
        s.audit
            .restitution
            .map_or_else(|| "no impulse".to_owned(), |e| three(if e < 1e-6 { 0.0 } else { e }))
    });
    words(grid, "energy", answers, |s| {
        if s.solution.notes.creates_energy { "CREATED" } else { "not created" }.to_owned()
    });
    words(grid, "impulses", answers, |s| {
        match s.solution.notes.uniqueness {
            Uniqueness::Unique => "unique",
            Uniqueness::LeastNorm => "shortest of many",
            Uniqueness::NotUnique => "one of many",
        }
        .to_owned()
    });
    words(grid, "repeats", answers, |s| s.solution.notes.repeats.to_string());
    words(grid, "residual |M Δv − Aᵀp − Dᵀσ|", answers, |s| {
        format!("{:.0e}", s.audit.momentum_residual)
    });
}

fn reactions(grid: &mut Grid, report: &Report<'_>, answers: &Answers<'_>) {
    let model = report.opened.model();
    let (_, blow) = sizes(report, answers);
    let mut headed = false;
    let mut head = |grid: &mut Grid| {
        if !std::mem::replace(&mut headed, true) {
            grid.heading("reaction impulses of joints and closures");
        }
    };
    for (b, body) in model.bodies.iter().enumerate() {
        let name = &body.joint.name;
        let nothing = |s: &Struck| {
            let w = &s.joints[b];
            w.force.norm() <= ROUND_OFF * blow && w.moment.norm() <= ROUND_OFF * blow
        };
        if answers.iter().all(|(_, s)| nothing(s)) {
            continue;
        }
        head(grid);
        line(grid, (&format!("{name}, force"), "N s", blow), None, answers, |s| {
            Some(s.joints[b].force.norm())
        });
        line(grid, (&format!("{name}, moment"), "N m s", blow), None, answers, |s| {
            Some(s.joints[b].moment.norm())
        });
    }
    let mut row = 0;
    for closure in &model.closures {
        for k in 0..closure.rows.len() {
            head(grid);
            let at = row + k;
            let what = format!("{}, row {}", closure.name, k + 1);
            line(grid, (&what, "", blow), None, answers, |s| s.multipliers.get(at).copied());
        }
        row += closure.rows.len();
    }
}
