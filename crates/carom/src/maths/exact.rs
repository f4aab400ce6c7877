//! Floating-point numbers in text formats, read back to the last bit: `#[serde(with = "crate::maths::exact")]`.
//!
//! JSON has no ∞ and no NaN; these are written as the strings `"inf"`, `"-inf"` and `"nan"`. Finite numbers need a reader that rounds
//! correctly (`serde_json` with `float_roundtrip`).

use nalgebra::DVector;
use serde::de::{DeserializeOwned, Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

use super::Vec3;

/// One number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            x if x.is_finite() => serializer.serialize_f64(x),
            x if x.is_nan() => serializer.serialize_str("nan"),
            x if x > 0.0 => serializer.serialize_str("inf"),
            _ => serializer.serialize_str("-inf"),
        }
    }
}

struct OneNumber;

impl Visitor<'_> for OneNumber {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"inf\", \"-inf\" or \"nan\"")
    }

    fn visit_f64<E>(self, x: f64) -> Result<Number, E> {
        Ok(Number(x))
    }

    fn visit_u64<E>(self, x: u64) -> Result<Number, E> {
        Ok(Number(x as f64))
    }

    fn visit_i64<E>(self, x: i64) -> Result<Number, E> {
        Ok(Number(x as f64))
    }

    fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<Number, E> {
        match word {
            "nan" => Ok(Number(f64::NAN)),
            "inf" => Ok(Number(f64::INFINITY)),
            "-inf" => Ok(Number(f64::NEG_INFINITY)),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneNumber)
    }
}

/// What consists of numbers.
pub(crate) trait Exact: Sized {
    /// As it is written.
    type Written: Serialize + DeserializeOwned;

    fn write(&self) -> Self::Written;
    fn read(written: Self::Written) -> Result<Self, String>;
}

impl Exact for f64 {
    type Written = Number;

    fn write(&self) -> Number {
        Number(*self)
    }

    fn read(written: Number) -> Result<Self, String> {
        Ok(written.0)
    }
}

impl<T: Exact> Exact for Option<T> {
    type Written = Option<T::Written>;

    fn write(&self) -> Self::Written {
        self.as_ref().map(T::write)
    }

    fn read(written: Self::Written) -> Result<Self, String> {
        written.map(T::read).transpose()
    }
}

impl<T: Exact> Exact for Vec<T> {
    type Written = Vec<T::Written>;

    fn write(&self) -> Self::Written {
        self.iter().map(T::write).collect()
    }

    fn read(written: Self::Written) -> Result<Self, String> {
        written.into_iter().map(T::read).collect()
    }
}

impl<T: Exact, const N: usize> Exact for [T; N] {
    type Written = Vec<T::Written>;

    fn write(&self) -> Self::Written {
        self.iter().map(T::write).collect()
    }

    fn read(written: Self::Written) -> Result<Self, String> {
        let found = written.len();
        Vec::<T>::read(written)?
            .try_into()
            .map_err(|_| format!("{found} numbers where {N} are expected"))
    }
}

impl<A: Exact, B: Exact> Exact for (A, B) {
    type Written = (A::Written, B::Written);

    fn write(&self) -> Self::Written {
        (self.0.write(), self.1.write())
    }

    fn read(written: Self::Written) -> Result<Self, String> {
        Ok((A::read(written.0)?, B::read(written.1)?))
    }
}

impl Exact for Vec3 {
    type Written = Vec<Number>;

    fn write(&self) -> Self::Written {
        self.iter().map(f64::write).collect()
    }

    fn read(written: Self::Written) -> Result<Self, String> {
        <[f64; 3]>::read(written).map(Self::from)
    }
}

impl Exact for DVector<f64> {
    type Written = Vec<Number>;

    fn write(&self) -> Self::Written {
        self.iter().map(f64::write).collect()
    }

    fn read(written: Self::Written) -> Result<Self, String> {
        Vec::read(written).map(Self::from_vec)
    }
}

pub(crate) fn serialize<T: Exact, S: Serializer>(x: &T, serializer: S) -> Result<S::Ok, S::Error> {
    x.write().serialize(serializer)
}

pub(crate) fn deserialize<'de, T: Exact, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    T::read(T::Written::deserialize(deserializer)?).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Odd {
        #[serde(with = "crate::maths::exact")]
        all: Vec<f64>,
        #[serde(with = "crate::maths::exact")]
        pair: Option<[f64; 2]>,
    }

    #[test]
    fn every_number_is_read_back_to_the_last_bit() {
        let all = vec![
            0.1 + 0.2,
            -0.0,
            f64::MIN_POSITIVE / 8.0,
            f64::MAX,
            1e23,
            f64::NEG_INFINITY,
            f64::INFINITY,
            f64::NAN,
            3.0,
        ];
        let text = serde_json::to_string(&Odd { all: all.clone(), pair: Some([1.0, -7.0]) });
        let back: Odd = serde_json::from_str(&text.unwrap()).unwrap();
        assert!(all.iter().zip(&back.all).all(|(a, b)| a.to_bits() == b.to_bits()));
        assert_eq!(back.pair, Some([1.0, -7.0]));
    }

    #[test]
    fn a_wrong_length_or_word_is_refused() {
        let refused = |text: &str| serde_json::from_str::<Odd>(text).err().map(|e| e.to_string());
        let length = refused("{\"all\": [], \"pair\": [1]}").unwrap();
        assert!(length.contains("1 numbers where 2 are expected"), "{length}");
        let word = refused("{\"all\": [\"many\"], \"pair\": null}").unwrap();
        assert!(word.contains("\"-inf\" or \"nan\""), "{word}");
    }
}
