//! Values of a question: numbers, quantities with a unit, constant expressions.

use crate::maths::expression::{Expression, Scope};
use crate::maths::units::{Dimension, Measure};

/// A value in SI units and what is known about its dimension.
pub(in crate::answer) fn measured(option: &str, text: &str) -> Result<(f64, Measure), String> {
    if text.starts_with("--") {
        return Err(format!("{option}: a value is missing before `{text}`"));
    }
    let resolved = Expression::parse(text, Scope::Constant)
        .and_then(|e| e.resolve(|_| Err("; a number or a quantity is expected".to_owned())))
        .map_err(|error| format!("{option} \"{text}\": {error}"))?;
    let value = resolved.tape.as_constant().filter(|x| x.is_finite());
    let value = value.ok_or_else(|| format!("{option} \"{text}\": not a finite number"))?;
    Ok((value, resolved.measure))
}

/// A value of that dimension, in SI units.
pub(in crate::answer) fn quantity(
    option: &str,
    text: &str,
    expected: Dimension,
) -> Result<f64, String> {
    let (value, measure) = measured(option, text)?;
    measure.check(expected).map_err(|error| format!("{option} \"{text}\": {error}"))?;
    Ok(value)
}

/// A plain number.
pub(in crate::answer) fn number(option: &str, text: &str) -> Result<f64, String> {
    quantity(option, text, Dimension::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_and_checked() {
        assert_eq!(quantity("--speed", "1.8 km/h", Dimension::VELOCITY), Ok(0.5));
        assert_eq!(quantity("--mass", "2", Dimension::MASS), Ok(2.0));
        for bad in ["0.5 kg", "fast", "", "nan", "1e999", "1/0"] {
            let message = quantity("--speed", bad, Dimension::VELOCITY).unwrap_err();
            assert!(message.contains("--speed") && message.contains(bad), "{message}");
        }
        assert!(quantity("--mass", "--speed", Dimension::MASS).unwrap_err().contains("missing"));
    }
}
