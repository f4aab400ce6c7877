//! Where expressions of time change their course: corners and jumps of |x|, sign, step, min, max, pulse, comparisons and `if`.

use std::sync::Arc;

use super::{Function, Jet, Operator, Step, Tape, Variable};
use crate::maths::maximum::maximum;

/// A stretch of time is looked at in so many parts; between two looks an expression turns once at most.
const LOOKS: u32 = 10_000;
/// More changes than looks divided by this, and there are so many times more looks, up to a number.
const OFTEN: u32 = 4;
const MORE: u32 = 16;
const MOST_LOOKS: u32 = 2_560_000;
/// The golden section.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// Most switches within one part.
const MOST: usize = 64;
/// The place of a turn, in parts of a part.
const WIDTH: f64 = 1e-9;
/// Round-off may leave a zero of a few last digits wide.
const DIGITS: f64 = 4.0 * f64::EPSILON;
/// An argument of arcsine that turns nearer to ±1 than this turns there.
const AT_ONE: f64 = 1e-12;
/// Times below this part of the stretch have no digits of their own.
const EARLY: f64 = 1e-6;

impl Tape {
    /// Expressions whose signs decide how it goes on: x of |x|, sign x and step x, x − y of min, max and comparisons, c of if(c, x, y). First those of time alone, then
    /// those of the motion.
    pub fn switches(&self) -> [Vec<Self>; 2] {
        let (mut begins, mut out) = (Vec::new(), [Vec::new(), Vec::new()]);
        for (at, step) in self.steps().iter().enumerate() {
            let mut decides: Vec<Option<Vec<Step>>> = Vec::new();
            match step {
                Step::Number(_) | Step::Variable(_) => begins.push(at),
                Step::Corners(_) => {}
                Step::Table(table) => {
                    let begin = begins.last().filter(|_| table.bends());
                    decides.push(begin.map(|&x| {
                        let argument = self.steps()[x..at].iter().cloned();
                        argument.chain([Step::Corners(Arc::clone(table))]).collect()
                    }));
                }
                Step::Function(f) => {
                    let decided = matches!(f, Function::Abs | Function::Sign | Function::Step);
                    let begin = begins.last().filter(|_| decided);
                    decides.push(begin.map(|&x| self.steps()[x..at].to_vec()));
                }
                Step::Operator(o) => {
                    let second = begins.pop();
                    let decided = matches!(
                        o,
                        Operator::Min
                            | Operator::Max
                            | Operator::Less
                            | Operator::Greater
                            | Operator::Pulse
                    );
                    decides.push(begins.last().filter(|_| decided).map(|&x| {
                        let both = self.steps()[x..at].iter().cloned();
                        both.chain([Step::Operator(Operator::Subtract)]).collect()
                    }));
                    // A pulse begins where its first argument passes zero.
                    let begin = begins.last().zip(second).filter(|_| *o == Operator::Pulse);
                    decides.push(begin.map(|(&x, y)| self.steps()[x..y].to_vec()));
                }
                Step::Choose => {
                    let ends = [begins.pop(), begins.pop()];
                    if let (Some(&c), [_, Some(x)]) = (begins.last(), ends) {
                        let condition = self.steps()[c..x].to_vec();
                        // Comparisons have been looked at where they stand.
                        decides.push(Some(condition).filter(|c| c.last().is_some_and(is_number)));
                    }
                }
            }
            for tape in decides.into_iter().flatten().filter_map(Self::new) {
                let variables = || {
                    tape.steps().iter().filter_map(|step| match step {
                        Step::Variable(variable) => Some(*variable),
                        _ => None,
                    })
                };
                let moves = variables().any(|variable| variable != Variable::Time);
                if variables().next().is_some() && !out[usize::from(moves)].contains(&tape) {
                    out[usize::from(moves)].push(tape);
                }
            }
        }
        out
    }

    /// When the sign of an expression of time changes, between two times: the last instant before, and the first after.
    pub fn sign_changes(&self, within: [f64; 2]) -> Vec<[f64; 2]> {
        Self::changes(within, &|t| self.jet(t))
    }

    /// When an arcsine or arccosine of time turns round, since its argument turns at ±1, as in asin(sin t): the same two instants.
    pub fn folds(&self, within: [f64; 2]) -> Vec<[f64; 2]> {
        let (mut begins, mut out) = (Vec::new(), Vec::new());
        for (at, step) in self.steps().iter().enumerate() {
            match step {
                Step::Number(_) | Step::Variable(_) => begins.push(at),
                Step::Operator(_) => {
                    begins.pop();
                }
                Step::Choose => {
                    begins.pop();
                    begins.pop();
                }
                Step::Function(Function::Asin | Function::Acos) => {
                    let argument = begins.last().map(|&x| self.steps()[x..at].to_vec());
                    let Some(x) = argument.and_then(Self::new) else { continue };
                    let of_time = |step: &Step| !matches!(step, Step::Variable(variable) if *variable != Variable::Time);
                    if !x.steps().iter().all(of_time) {
                        continue;
                    }
                    let rate = |t: f64| {
                        let Jet { rate, second, .. } = x.jet(t);
                        Jet { value: rate, rate: second, second: 0.0 }
                    };
                    let mut turns = Self::changes(within, &rate);
                    turns.retain(|[t, _]| 1.0 - x.jet(*t).value.abs() < AT_ONE);
                    out.extend(turns);
                }
                Step::Function(_) | Step::Table(_) | Step::Corners(_) => {}
            }
        }
        out
    }

    fn changes(within: [f64; 2], of: &dyn Fn(f64) -> Jet) -> Vec<[f64; 2]> {
        let mut looks = LOOKS;
        loop {
            let found = Self::changes_seen(within, looks, of);
            if found.len() <= (looks / OFTEN) as usize || looks >= MOST_LOOKS {
                return found;
            }
            looks *= MORE;
        }
    }

    /// Those that a number of looks tell.
    fn changes_seen([begin, end]: [f64; 2], looks: u32, of: &dyn Fn(f64) -> Jet) -> Vec<[f64; 2]> {
        let mut out = Vec::new();
        // Unevenly, so that no oscillation hides.
        let at = |part: u32| {
            let uneven = if part < looks { (f64::from(part) * GOLDEN).fract() - 0.5 } else { 0.0 };
            begin + (end - begin) * (f64::from(part) + 0.5 * uneven) / f64::from(looks)
        };
        let early = EARLY * (end - begin);
        let mut a = (begin, of(begin));
        for part in 1..=looks {
            let b = (at(part), of(at(part)));
            let side = side(a.1.value);
            let falls = |jet: &Jet, way: f64| way * side * jet.rate < 0.0;
            if side == self::side(b.1.value) && falls(&a.1, 1.0) && falls(&b.1, -1.0) {
                let (turn, _) = maximum(|t| -side * of(t).value, [a.0, b.0], WIDTH * (b.0 - a.0));
                changes_within([a.0, turn], early, of, &mut out);
                changes_within([turn, b.0], early, of, &mut out);
            } else {
                changes_within([a.0, b.0], early, of, &mut out);
            }
            a = b;
        }
        joined(out)
    }
}

/// Those in a stretch at whose ends signs differ.
fn changes_within(
    [mut begin, end]: [f64; 2],
    early: f64,
    of: &dyn Fn(f64) -> Jet,
    out: &mut Vec<[f64; 2]>,
) {
    let side = |t: f64| side(of(t).value);
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

/// Whether a step gives any number, not only 0 or 1.
fn is_number(step: &Step) -> bool {
    !matches!(
        step,
        Step::Function(Function::Step | Function::Not)
            | Step::Operator(Operator::Less | Operator::Greater | Operator::Pulse)
    )
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
        let [switches, _] = tape(text).switches();
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
        // As often as it is looked at, and at the same phase.
        let often = times("sign(sin(6283.185307179586*(t + 1e-4)))", 10.0);
        assert_eq!(often.len(), 20_000);
        assert!((often[1] - 0.0009).abs() < 1e-12 && (often[19_999] - 9.9999).abs() < 1e-12);
    }

    #[test]
    fn conditions_steps_and_pulses_are_found_to_the_last_digit() {
        agree(&times("if(t > 0.7, 2, t)", 2.0), &[0.7]);
        agree(&times("if(0.7 - t, 2, t)", 2.0), &[0.7]);
        agree(&times("step(t - 0.3) + pulse(t - 1, 0.25)", 2.0), &[0.3, 1.0, 1.25]);
        agree(&times("(t <= 0.5)*(t >= 0.25)", 2.0), &[0.25, 0.5]);
        let [of_time, of_motion] = tape("if(q < 1, t, if(t > 1, q, 2))").switches();
        assert_eq!((of_time.len(), of_motion.len()), (1, 1));
    }

    #[test]
    fn a_short_pulse_between_two_looks_is_found() {
        // 1.4e-5 s long in 10 s, looked at every 1e-3 s.
        let found = times("max(1 - ((t-1.0003)/1e-5)^2, 0.5)", 10.0);
        agree(&found, &[1.0003 - 1e-5 * 0.5_f64.sqrt(), 1.0003 + 1e-5 * 0.5_f64.sqrt()]);
    }

    #[test]
    fn what_depends_on_the_motion_or_on_nothing_is_no_switch_of_time() {
        let [of_time, of_motion] = tape("sign(q) + abs(t - q) + max(2, 1) + 3*t").switches();
        assert_eq!((of_time.len(), of_motion.len()), (0, 2));
        assert_eq!(of_motion[1].value(0.5, &[0.2], &[]), 0.3);
        assert_eq!(tape("abs(t-1) + abs(t-1)").switches()[0].len(), 1);
    }
}
