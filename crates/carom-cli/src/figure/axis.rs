//! An axis: what it shows, in which unit, from where to where.

use crate::number::prefix;

/// Room beyond the data, as a part of its span.
const ROOM: f64 = 0.06;

/// An axis.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// What stands beside it; an axis without a label has no numbers either.
    pub label: String,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// What values are divided by.
    pub factor: f64,
}

impl Axis {
    /// An axis without unit.
    pub(super) fn plain(label: &str, low: f64, high: f64) -> Self {
        Self { label: label.to_owned(), low, high, factor: 1.0 }
    }

    /// An axis of just these values, as they are.
    pub(super) fn over(label: &str, values: &[f64]) -> Self {
        let finite = values.iter().filter(|x| x.is_finite());
        let (low, high) =
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (x.min(a), x.max(b)));
        let (low, high) = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
        if low.is_finite() { Self::plain(label, low, high) } else { Self::plain(label, 0.0, 1.0) }
    }

    /// An axis that begins at zero, or below where the values do; the unit gets the prefix that fits.
    pub(super) fn of(quantity: &str, unit: &str, values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = span(values);
        let (factor, unit) = scaled(low.abs().max(high), unit);
        let (low, high) = (low / factor, high / factor);
        let room = ROOM * (high - low);
        let low = if low < 0.0 { low - room } else { 0.0 };
        Self { label: format!("{quantity} [{unit}]"), low, high: high + room, factor }
    }

    /// The same without its numbers.
    pub(super) fn mute(&self) -> Self {
        Self { label: String::new(), ..self.clone() }
    }

    /// Where a value stands on it, as a part of its length.
    pub(super) fn share(&self, value: f64) -> f64 {
        (value / self.factor - self.low) / (self.high - self.low)
    }
}

/// A factor that brings a value of this size between 1 and 1000, and the unit with it: a prefix, or a power of ten beyond
/// the prefixes.
fn scaled(size: f64, unit: &str) -> (f64, String) {
    let (factor, letter) = prefix(size);
    if (1.0..1000.0).contains(&(size / factor)) {
        return (factor, format!("{letter}{unit}"));
    }
    // Not below the least number whose inverse is finite.
    let factor = 10_f64.powf(size.log10().floor().max(-300.0));
    (factor, format!("{factor:e} {unit}"))
}

/// From zero or the least value to the greatest; 0 to 1 if there is nothing to show.
fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|x| x.is_finite());
    let (low, high) = finite.fold((0.0, 0.0), |(a, b), x| (x.min(a), x.max(b)));
    if high > low { (low, high) } else { (0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_the_prefix_of_its_largest_value() {
        let axis = Axis::of("δ", "m", [0.0, 2e-6, 1.5e-5].into_iter());
        assert_eq!((axis.label.as_str(), axis.low), ("δ [µm]", 0.0));
        assert!((axis.share(1.5e-5) - 1.0 / 1.06).abs() < 1e-12);
        let axis = Axis::of("F", "N", [-2000.0, 500.0].into_iter());
        assert!(axis.label.contains("[kN]") && axis.low < -2.0 && axis.share(500.0) < 1.0);
        let tiny = Axis::of("F", "N", [2.5e-40].into_iter());
        assert!(tiny.label.contains("e-40 N]") && (2.5..3.0).contains(&tiny.high), "{tiny:?}");
        let nothing = Axis::of("F", "N", [f64::NAN, f64::INFINITY].into_iter());
        assert_eq!((nothing.low, nothing.high > 1.0), (0.0, true));
    }
}
