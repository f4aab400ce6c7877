//! Where expressions of time change their course: corners and jumps of |x|, sign, min and max.

use super::{Function, Jet, Operator, Step, Tape, Variable};
use crate::maths::maximum::maximum;

/// A stretch of time is looked at in so many parts; between two looks an expression turns once at most.
const LOOKS: u32 = 10_000;
/// Most switches within one part.
const MOST: usize = 64;
/// The place of a turn, in parts of a part.
const WIDTH: f64 = 1e-9;
/// Round-off may leave a zero of a few last digits wide.
const DIGITS: f64 = 4.0 * f64::EPSILON;
/// Times below this part of the stretch have no digits of their own.
const EARLY: f64 = 1e-6;

impl Tape {
    /// Expressions of time alone whose signs decide how it goes on: x of |x| and sign x, x − y of min and max.
    pub fn switches(&self) -> Vec<Self> {
        let (mut begins, mut out) = (Vec::new(), Vec::new());
        for (at, step) in self.steps().iter().enumerate() {
            let mut decides = None;
            match step {
                Step::Number(_) | Step::Variable(_) => begins.push(at),
                Step::Function(f) => {
                    let decided = matches!(f, Function::Abs | Function::Sign);
                    decides =
                        begins.last().filter(|_| decided).map(|&x| self.steps()[x..at].to_vec());
                }
                Step::Operator(o) => {
                    begins.pop();
                    let decided = matches!(o, Operator::Min | Operator::Max);
                    decides = begins.last().filter(|_| decided).map(|&x| {
                        let both = self.steps()[x..at].iter().copied();
                        both.chain([Step::Operator(Operator::Subtract)]).collect()
                    });
                }
            }
            let of_time = |steps: &Vec<Step>| {
                let mut variables = steps.iter().filter_map(|s| match s {
                    Step::Variable(variable) => Some(*variable),
                    _ => None,
                });
                variables.next() == Some(Variable::Time) && variables.all(|v| v == Variable::Time)
            };
            let tape = decides.filter(of_time).and_then(Self::new);
            out.extend(tape.filter(|tape| !out.contains(tape)));
        }
        out
    }

    /// When the sign of an expression of time changes, between two times: the last instant before, and the first after.
    pub fn sign_changes(&self, [begin, end]: [f64; 2]) -> Vec<[f64; 2]> {
        let mut out = Vec::new();
        let at = |part: u32| begin + (end - begin) * f64::from(part) / f64::from(LOOKS);
        let early = EARLY * (end - begin);
        let mut a = (begin, self.jet(begin));
        for part in 1..=LOOKS {
            let b = (at(part), self.jet(at(part)));
            let side = side(a.1.value);
            let falls = |jet: &Jet, way: f64| way * side * jet.rate < 0.0;
            if side == self::side(b.1.value) && falls(&a.1, 1.0) && falls(&b.1, -1.0) {
                let (turn, _) =
                    maximum(|t| -side * self.jet(t).value, [a.0, b.0], WIDTH * (b.0 - a.0));
                self.changes_within([a.0, turn], early, &mut out);
                self.changes_within([turn, b.0], early, &mut out);
            } else {
                self.changes_within([a.0, b.0], early, &mut out);
            }
            a = b;
        }
        joined(out)
    }

    /// Those in a stretch at whose ends signs differ.
    fn changes_within(&self, [mut begin, end]: [f64; 2], early: f64, out: &mut Vec<[f64; 2]>) {
        let side = |t: f64| side(self.jet(t).value);
        for _ in 0..MOST {
            let is = side(begin);
            if begin >= end || is == side(end) {
                return;
            }
            let (mut before, mut after) = (begin, end);
            loop {
                let middle = before + 0.5 * (after - before);
                if middle <= before || middle >= after {
                    break;
                }
                if side(middle) == is {
                    before = middle;
                } else {
                    after = middle;
                }
            }
            let beyond = before + DIGITS * before.abs().max(early);
            if side(after) == 0.0 || beyond > after && after < early {
                after = after.max(beyond);
            }
            out.push([before, after]);
            begin = after;
        }
    }
}

fn side(x: f64) -> f64 {
    Function::Sign.value(x)
}

/// Stretches in the order of time; those that meet are one.
pub fn joined(mut all: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    all.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut out: Vec<[f64; 2]> = Vec::with_capacity(all.len());
    for [before, after] in all {
        match out.last_mut() {
            Some(last) if before <= last[1] => last[1] = last[1].max(after),
            _ => out.push([before, after]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::maths::expression::{Binding, Expression, Scope, Tape, Variable};

    fn tape(text: &str) -> Tape {
        let found = Expression::parse(text, Scope::Motion).unwrap().resolve(|name| match name {
            "t" => Ok(Binding::Variable(Variable::Time)),
            _ => Ok(Binding::Variable(Variable::Position(0))),
        });
        found.unwrap().tape
    }

    fn times(text: &str, end: f64) -> Vec<f64> {
        let switches = tape(text).switches();
        let changes = switches.iter().flat_map(|x| x.sign_changes([0.0, end]));
        let mut times: Vec<f64> = changes
            .map(|[before, after]| {
                assert!(before < after && after - before < 1e-15 * end, "{before} {after}");
                0.5 * (before + after)
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times
    }

    fn agree(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
    }

    #[test]
    fn corners_and_jumps_of_time_are_found_to_the_last_digit() {
        agree(&times("5*(1+sign(t-1.234567))/2", 2.0), &[1.234_567]);
        agree(&times("min(t, 1)", 2.0), &[1.0]);
        agree(&times("max(0, abs(t - 0.5) - 0.25)", 2.0), &[0.25, 0.5, 0.75]);
        let turns: Vec<f64> = (1..=6).map(|k| f64::from(k) * std::f64::consts::PI).collect();
        agree(&times("sign(sin(t))", 20.0), &[&[1e-15][..], &turns].concat());
    }

    #[test]
    fn a_short_pulse_between_two_looks_is_found() {
        // 1.4e-5 s long in 10 s, looked at every 1e-3 s.
        let found = times("max(1 - ((t-1.0003)/1e-5)^2, 0.5)", 10.0);
        agree(&found, &[1.0003 - 1e-5 * 0.5_f64.sqrt(), 1.0003 + 1e-5 * 0.5_f64.sqrt()]);
    }

    #[test]
    fn what_depends_on_the_motion_or_on_nothing_is_no_switch_of_time() {
        assert!(tape("sign(q) + abs(t - q) + max(2, 1) + 3*t").switches().is_empty());
        assert_eq!(tape("abs(t-1) + abs(t-1)").switches().len(), 1);
    }
}
