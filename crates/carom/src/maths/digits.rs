//! Numbers as people read them: significant digits, prefixes, percentages.

/// Relative size of round-off: what a computation with doubles leaves of numbers that cancel is below this part of them.
pub const ROUND_OFF: f64 = 1e-13;

/// A number, or zero where it is within the round-off of numbers of this size.
pub fn clean(x: f64, size: f64) -> f64 {
    if x.abs() <= ROUND_OFF * size { 0.0 } else { x }
}

/// Six significant digits, without trailing zeros; ∞ by its sign.
pub fn six(x: f64) -> String {
    digits(x, 6)
}

/// Ten significant digits, for times of events.
pub fn ten(x: f64) -> String {
    digits(x, 10)
}

/// Three significant digits, for sentences.
pub fn three(x: f64) -> String {
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

/// A power of a thousand as a factor and its letter, such that a value of this size has one to three digits before the
/// point; 1 beyond the letters.
pub fn prefix(size: f64) -> (f64, &'static str) {
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
pub fn prefixed(x: f64, unit: &str) -> String {
    let (factor, letter) = prefix(x);
    format!("{} {letter}{unit}", six(x / factor))
}

/// `27.9 %`.
pub fn percent(share: f64) -> String {
    let x = 100.0 * share;
    let text = if x != 0.0 && x.abs() < 1.0 { three(x) } else { trimmed(&format!("{x:.1}")) };
    format!("{text} %")
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
    }
}
