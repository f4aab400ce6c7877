//! Numbers as people read them.

use carom::Model;
use carom::answer::ContactUnits;
use carom::answer::digits::clean;
pub(crate) use carom::answer::digits::{percent, prefix, prefixed, six, ten, three};

/// A number with its unit.
pub(crate) fn with_unit(x: f64, unit: &str) -> String {
    if unit.is_empty() { six(x) } else { format!("{} {unit}", six(x)) }
}

/// The components of a vector, two in a planar model; round-off becomes zero.
pub(crate) fn components(planar: bool, x: &[f64; 3]) -> Vec<f64> {
    let size = x.iter().fold(0.0_f64, |s, x| s.hypot(*x));
    x.iter().take(if planar { 2 } else { 3 }).map(|c| clean(*c, size)).collect()
}

/// `(1, 0)`.
pub(crate) fn vector(planar: bool, x: &[f64; 3]) -> String {
    let parts: Vec<String> = components(planar, x).into_iter().map(six).collect();
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
    fn shares_are_percentages() {
        assert_eq!(bar(0.5).matches('#').count(), 10);
        assert_eq!(bar(f64::NAN).matches('#').count(), 0);
    }

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(plain("a\u{1b}[31m\nb"), "a\u{fffd}[31m\nb");
    }
}
