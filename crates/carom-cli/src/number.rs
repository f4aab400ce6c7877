//! Numbers as people read them.

use carom::maths::Vec3;
use carom::model::{ContactUnits, Model};
use carom::simulate::Spot;

/// Components below this part of a vector's length are round-off.
const ROUND_OFF: f64 = 1e-13;

/// Six significant digits, without trailing zeros; ∞ by its sign.
pub(crate) fn six(x: f64) -> String {
    digits(x, 6)
}

/// Ten significant digits, for times of events.
pub(crate) fn ten(x: f64) -> String {
    digits(x, 10)
}

/// Three significant digits, for sentences.
pub(crate) fn three(x: f64) -> String {
    digits(x, 3)
}

fn digits(x: f64, count: i32) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "∞" } else { "−∞" }.to_owned();
    }
    if x.is_nan() {
        return "undefined".to_owned();
    }
    let places = usize::try_from(count - 1).unwrap_or(0);
    // The exponent of the rounded number: 9.9999999 has the one of 10.
    let scientific = format!("{x:.places$e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..=6).contains(&exponent) {
        let decimals = usize::try_from(count - 1 - exponent).unwrap_or(0);
        trimmed(&format!("{x:.decimals$}"))
    } else {
        format!("{}e{exponent}", trimmed(mantissa))
    }
}

fn trimmed(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

/// A number with its unit.
pub(crate) fn with_unit(x: f64, unit: &str) -> String {
    if unit.is_empty() { six(x) } else { format!("{} {unit}", six(x)) }
}

/// A power of a thousand as a factor and its letter, such that a value of this size has one to three digits before the
/// point; 1 beyond the letters.
pub(crate) fn prefix(size: f64) -> (f64, &'static str) {
    const PREFIXES: [(f64, &str); 9] = [
        (1e12, "T"),
        (1e9, "G"),
        (1e6, "M"),
        (1e3, "k"),
        (1.0, ""),
        (1e-3, "m"),
        (1e-6, "µ"),
        (1e-9, "n"),
        (1e-12, "p"),
    ];
    if !(size.abs() < 1e15) {
        return (1.0, "");
    }
    PREFIXES.into_iter().find(|(factor, _)| size.abs() >= *factor).unwrap_or((1.0, ""))
}

/// `92.1 µs`: a number with its unit and a prefix.
pub(crate) fn prefixed(x: f64, unit: &str) -> String {
    let (factor, letter) = prefix(x);
    format!("{} {letter}{unit}", six(x / factor))
}

/// The components of a vector, two in a planar model; round-off becomes zero.
pub(crate) fn components(model: &Model, x: &Vec3) -> Vec<f64> {
    let least = ROUND_OFF * x.norm();
    let count = if model.is_planar() { 2 } else { 3 };
    x.iter().take(count).map(|c| if c.abs() <= least { 0.0 } else { *c }).collect()
}

/// `q.joint.coordinate [rad]` of every position and `v.joint.coordinate [rad/s]` of every velocity.
pub(crate) fn part_names(model: &Model) -> (Vec<String>, Vec<String>) {
    let (mut q, mut v) = (Vec::with_capacity(model.nq), Vec::with_capacity(model.nv));
    for body in &model.bodies {
        let (joint, kind) = (&body.joint, body.joint.kind);
        let turning = kind.quaternion();
        for (k, name) in kind.coordinate_names().iter().enumerate() {
            let unit = if kind.is_angular(k) { "rad" } else { "m" };
            if kind.position_of(k).is_some() {
                q.push(format!("q.{}.{name} [{unit}]", joint.name));
            }
            v.push(format!("v.{}.{name} [{unit}/s]", joint.name));
        }
        if turning.is_some() {
            q.extend(["qw", "qx", "qy", "qz"].map(|name| format!("q.{}.{name}", joint.name)));
        }
    }
    (q, v)
}

/// `joints.pivot` of every joint, then `closures.wrist` of every closure.
pub(crate) fn joint_names(model: &Model) -> Vec<String> {
    let joints = model.bodies.iter().map(|b| format!("joints.{}", b.joint.name));
    joints.chain(model.closures.iter().map(|c| format!("closures.{}", c.name))).collect()
}

/// `strike`, or `strike.2` of a contact with several points.
pub(crate) fn spot_name(model: &Model, spots: &[Spot], spot: Spot) -> String {
    let name = &model.contacts[spot.contact].name;
    let several = spots.iter().any(|s| s.contact == spot.contact && s.point > 0);
    if several { format!("{name}.{}", spot.point) } else { name.clone() }
}

/// `(1, 0)`.
pub(crate) fn vector(model: &Model, x: &Vec3) -> String {
    let parts: Vec<String> = components(model, x).into_iter().map(six).collect();
    format!("({})", parts.join(", "))
}

/// `0.523599 rad (30°)`.
pub(crate) fn angle(x: f64) -> String {
    if x == 0.0 {
        "0 rad".to_owned()
    } else {
        format!("{} rad ({}°)", six(x), six(x.to_degrees()))
    }
}

/// `27.9 %`.
pub(crate) fn percent(share: f64) -> String {
    let x = 100.0 * share;
    let text = if x != 0.0 && x.abs() < 1.0 { three(x) } else { trimmed(&format!("{x:.1}")) };
    format!("{text} %")
}

/// `▕██████      ▏`: a share of one, twenty letters wide.
pub(crate) fn bar(share: f64) -> String {
    const WIDTH: usize = 20;
    // Clamped to 0..=20, so that the cast keeps the value.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let full = (share.clamp(0.0, 1.0) * WIDTH as f64).round() as usize;
    format!("[{}{}]", "#".repeat(full), ".".repeat(WIDTH - full))
}

/// A count with its noun: `1 body`, `4 bodies`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Text without control letters except line ends: names come from files, terminals obey escapes.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// A heading with the unit of the contacts of a model; with both where some turn and some do not.
pub(crate) fn headed(model: &Model, what: &str, of: fn(&ContactUnits) -> &'static str) -> String {
    let mut found: Vec<&str> = Vec::new();
    for contact in &model.contacts {
        let unit = of(&contact.units());
        if !found.contains(&unit) {
            found.push(unit);
        }
    }
    if found.is_empty() {
        found.push(of(&ContactUnits::LINEAR));
    }
    format!("{what} [{}]", found.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_and_no_more() {
        assert_eq!(six(0.801_475_123), "0.801475");
        assert_eq!(six(1.0), "1");
        assert_eq!(six(-0.0), "0");
        assert_eq!(six(9.999_999_9), "10");
        assert_eq!(six(123_456.7), "123457");
        assert_eq!(six(12_345_678.9), "1.23457e7");
        assert_eq!(six(-5.551e-17), "-5.551e-17");
        assert_eq!(six(1e-4), "0.0001");
        assert_eq!(six(f64::INFINITY), "∞");
        assert_eq!(six(f64::NAN), "undefined");
        assert_eq!(six(f64::MAX), "1.79769e308");
    }

    #[test]
    fn prefixes_are_powers_of_a_thousand() {
        assert_eq!(prefixed(9.19e-5, "s"), "91.9 µs");
        assert_eq!(prefixed(-25_000.0, "N"), "-25 kN");
        assert_eq!(prefixed(0.0, "m"), "0 m");
        assert_eq!(prefixed(1e-30, "m"), "1e-30 m");
        assert_eq!(prefixed(f64::INFINITY, "s"), "∞ s");
        assert_eq!(prefixed(2e40, "N"), "2e40 N");
    }

    #[test]
    fn shares_are_percentages() {
        assert_eq!(percent(0.857_3), "85.7 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(1.234e-5), "0.00123 %");
        assert_eq!(bar(0.5).matches('#').count(), 10);
        assert_eq!(bar(f64::NAN).matches('#').count(), 0);
    }

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(plain("a\u{1b}[31m\nb"), "a\u{fffd}[31m\nb");
    }
}
