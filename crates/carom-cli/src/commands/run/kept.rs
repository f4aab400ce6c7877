//! Numbers in JSON that come back as the same bits, and a reader that says where something is missing.

use serde_json::Value;

/// A number; JSON has no ∞ and no NaN, so these are words.
pub(super) fn bits(x: f64) -> Value {
    match serde_json::Number::from_f64(x) {
        Some(x) => Value::Number(x),
        None if x.is_nan() => Value::from("nan"),
        None if x > 0.0 => Value::from("inf"),
        None => Value::from("-inf"),
    }
}

/// A number, or null.
pub(super) fn maybe(x: Option<f64>) -> Value {
    x.map_or(Value::Null, bits)
}

/// Numbers.
pub(super) fn row(x: &[f64]) -> Value {
    x.iter().map(|x| bits(*x)).collect()
}

/// A place in a document.
pub(super) struct At<'v> {
    value: &'v Value,
    path: String,
}

impl<'v> At<'v> {
    /// The whole document.
    pub(super) fn new(value: &'v Value) -> Self {
        Self { value, path: String::new() }
    }

    /// The value of a key; null if it is not there.
    pub(super) fn key(&self, key: &str) -> Self {
        Self { value: &self.value[key], path: format!("{}.{key}", self.path) }
    }

    /// An item of a list; null if it is not there.
    pub(super) fn item(&self, k: usize) -> Self {
        Self { value: &self.value[k], path: format!("{}.{k}", self.path) }
    }

    fn wrong(&self, expected: &str) -> String {
        format!("{} is not {expected}", self.path.trim_start_matches('.'))
    }

    pub(super) fn number(&self) -> Result<f64, String> {
        match self.value {
            Value::Number(x) => x.as_f64().ok_or_else(|| self.wrong("a number")),
            Value::String(word) if ["inf", "-inf", "nan"].contains(&word.as_str()) => {
                word.parse().map_err(|_| self.wrong("a number"))
            }
            _ => Err(self.wrong("a number")),
        }
    }

    pub(super) fn count(&self) -> Result<usize, String> {
        let count = self.value.as_u64().and_then(|n| usize::try_from(n).ok());
        count.ok_or_else(|| self.wrong("a count"))
    }

    pub(super) fn flag(&self) -> Result<bool, String> {
        self.value.as_bool().ok_or_else(|| self.wrong("true or false"))
    }

    pub(super) fn word(&self) -> Result<&'v str, String> {
        self.value.as_str().ok_or_else(|| self.wrong("a word"))
    }

    /// What stands here, unless it is null.
    pub(super) fn maybe<T>(
        &self,
        read: impl Fn(&Self) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        if self.value.is_null() { Ok(None) } else { read(self).map(Some) }
    }

    pub(super) fn list<T>(
        &self,
        read: impl Fn(&Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let items = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        (0..items.len()).map(|k| read(&self.item(k))).collect()
    }

    pub(super) fn row(&self) -> Result<Vec<f64>, String> {
        self.list(Self::number)
    }

    /// A list of known length.
    pub(super) fn array<T, const N: usize>(
        &self,
        read: impl Fn(&Self) -> Result<T, String>,
    ) -> Result<[T; N], String> {
        let items = self.list(read)?;
        items.try_into().map_err(|_| self.wrong(&format!("a list of {N}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back_as_it_was() {
        let odd = [0.1 + 0.2, -0.0, f64::MIN_POSITIVE / 8.0, f64::MAX, 1e23, f64::NEG_INFINITY];
        let text = row(&odd).to_string();
        let value: Value = serde_json::from_str(&text).unwrap();
        let back = At::new(&value).row().unwrap();
        assert!(odd.iter().zip(&back).all(|(a, b)| a.to_bits() == b.to_bits()), "{text}");
        let nan = bits(f64::NAN);
        assert!(At::new(&nan).number().unwrap().is_nan());
    }

    #[test]
    fn what_is_missing_is_named() {
        let value = serde_json::json!({ "a": [1, "x"] });
        let at = At::new(&value);
        assert_eq!(at.key("a").item(1).number(), Err("a.1 is not a number".to_owned()));
        assert_eq!(at.key("b").row(), Err("b is not a list".to_owned()));
        let pair: Result<[f64; 3], _> = at.key("c").array(At::number);
        assert_eq!(pair, Err("c is not a list".to_owned()));
    }
}
