//! The head of a log: what study its records belong to.

use serde_json::{Value, json};

use super::LogError;
use crate::model::study::PlanPart;
use crate::study::checksum::crc32;

/// What a log begins with.
pub const MAGIC: [u8; 8] = *b"caromlog";
/// The number of the layout of records; it changes with what a payload holds.
const LAYOUT: u64 = 2;
/// Heads are a file or two in full; more is none.
const MOST_BYTES: usize = 1 << 28;

/// Part `part` of `of`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// All points.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    /// Its points: shares as equal as can be, one behind the other.
    pub fn range(self, points: u64) -> std::ops::Range<u64> {
        let cut = |k: u64| {
            let wide = u128::from(points) * u128::from(k) / u128::from(self.of);
            // A part of `points`, which fits.
            u64::try_from(wide).unwrap_or(points)
        };
        cut(self.part - 1)..cut(self.part)
    }
}

/// What a log is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The version of carom that wrote it.
    pub version: String,
    /// Number of the model.
    pub model: u64,
    /// Number of the study.
    pub study: u64,
    /// Which part of the file the study stands in.
    pub part: PlanPart,
    /// Points of the whole study.
    pub points: u64,
    /// Which of them.
    pub shard: Shard,
    /// The headings of a point's measures, in their order.
    pub columns: Vec<String>,
    /// Names and texts of the model's files, the lowest first.
    pub files: Vec<(String, String)>,
    /// Edits, as of `--set`.
    pub sets: Vec<(String, String)>,
}

impl Header {
    /// The bytes: magic, length, JSON, checksum.
    pub fn bytes(&self) -> Vec<u8> {
        let text = json!({
            "carom": self.version,
            "model": format!("{:016x}", self.model),
            "study": format!("{:016x}", self.study),
            "part": self.part.name(),
            "points": self.points,
            "shard": [self.shard.part, self.shard.of],
            "layout": LAYOUT,
            "columns": self.columns,
            "files": self.files,
            "sets": self.sets,
        })
        .to_string();
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes();
        let crc = crc32(&[&length, text.as_bytes()]).to_le_bytes();
        [&MAGIC[..], &length, text.as_bytes(), &crc].concat()
    }

    /// Reads a head from the beginning of some bytes, and says how long it is.
    pub fn read(bytes: &[u8]) -> Result<(Self, usize), LogError> {
        let damaged = |what: &'static str| LogError::Header { what };
        if bytes.get(..8) != Some(&MAGIC[..]) {
            return Err(damaged("it does not begin like a log of carom"));
        }
        let length: [u8; 4] = bytes
            .get(8..12)
            .and_then(|b| b.try_into().ok())
            .ok_or(damaged("it ends within its head"))?;
        let n = u32::from_le_bytes(length) as usize;
        let text = bytes.get(12..12 + n).ok_or(damaged("it ends within its head"))?;
        let crc = bytes.get(12 + n..16 + n).ok_or(damaged("it ends within its head"))?;
        if crc != crc32(&[&length, text]).to_le_bytes() {
            return Err(damaged("the checksum of its head is wrong"));
        }
        let value: Value =
            serde_json::from_slice(text).map_err(|_| damaged("its head is no JSON"))?;
        if value["layout"].as_u64() != Some(LAYOUT) {
            return Err(damaged("its records are laid out otherwise: another carom wrote it"));
        }
        let header = Self::from_json(&value).ok_or(damaged("its head lacks something"))?;
        Ok((header, 16 + n))
    }

    /// How many bytes a head has, told by its first twelve.
    pub fn length(first: &[u8]) -> Option<usize> {
        let length: [u8; 4] = first.get(8..12)?.try_into().ok()?;
        let n = u32::from_le_bytes(length) as usize;
        (n <= MOST_BYTES).then_some(16 + n)
    }

    fn from_json(value: &Value) -> Option<Self> {
        let hash = |key: &str| u64::from_str_radix(value[key].as_str()?, 16).ok();
        let pairs = |key: &str| -> Option<Vec<(String, String)>> {
            let pair = |v: &Value| Some((v[0].as_str()?.to_owned(), v[1].as_str()?.to_owned()));
            value[key].as_array()?.iter().map(pair).collect()
        };
        let shard = Shard { part: value["shard"][0].as_u64()?, of: value["shard"][1].as_u64()? };
        Some(Self {
            version: value["carom"].as_str()?.to_owned(),
            model: hash("model")?,
            study: hash("study")?,
            // Logs of studies say so only since there are uncertainties.
            part: match value["part"].as_str() {
                None => PlanPart::Study,
                Some(word) => PlanPart::ALL.into_iter().find(|part| part.name() == word)?,
            },
            points: value["points"].as_u64()?,
            shard: (1..=shard.of).contains(&shard.part).then_some(shard)?,
            columns: value["columns"]
                .as_array()?
                .iter()
                .map(|v| Some(v.as_str()?.to_owned()))
                .collect::<Option<_>>()?,
            files: pairs("files")?,
            sets: pairs("sets")?,
        })
    }

    /// What differs from another head, shards apart; `None` if it is the same study.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        if self.version != other.version {
            Some("another version of carom")
        } else if self.model != other.model {
            Some("another model")
        } else if self.study != other.study
            || self.points != other.points
            || self.part != other.part
        {
            Some("another study")
        } else if self.columns != other.columns {
            Some("other columns")
        } else {
            None
        }
    }
}
