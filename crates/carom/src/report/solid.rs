//! Surfaces of bodies for the scripts: facets in a body's own frame as 16-bit numbers, and colours as bytes.

use serde_json::{Value, json};

use super::short;
use super::surface::Facet;

/// Facets of a page that shows no skin: enough to look round, and a third of a megabyte.
pub(crate) const FACETS: usize = 12_000;
/// Steps of a coordinate.
const STEPS: f64 = 65_535.0;
/// Steps of a colour; 0 says that there is no value.
const SHADES: f64 = 254.0;
/// The fraction of the values at each end that is beyond the colours, so that a few extreme points do not take all of them.
const BEYOND: f64 = 0.02;
/// The colours end at this multiple of the median value, and at its reciprocal: the mass of a nearly immobile point has no bound, and where more
/// than a fiftieth of the points are such, a quantile alone would leave no colours for the others.
const SPAN: f64 = 30.0;
/// Digits of numbers beside the facets.
const DIGITS: usize = 6;

/// Corners of facets.
type Corners = [[f64; 3]; 3];

/// Adds the facets of every body, and of the ground, to a scene; outlines that they cover are taken out.
pub(crate) fn add(scene: &mut Value, bodies: &[Vec<Facet>]) {
    for (k, facets) in bodies.iter().enumerate() {
        let corners: Vec<Corners> =
            facets.iter().map(|f| f.corners.map(|p| [p.x, p.y, p.z])).collect();
        put(scene, k, solid(&corners));
    }
}

/// Puts a surface in the place of the outline of a body, or of the ground for the number after the last body.
fn put(scene: &mut Value, body: usize, solid: Option<Value>) {
    let Some(solid) = solid else { return };
    let bodies = scene["bodies"].as_array().map_or(0, Vec::len);
    let outline = if body < bodies { &mut scene["bodies"][body] } else { &mut scene["ground"] };
    outline["solid"] = solid;
    for covered in ["rods", "balls"] {
        outline[covered] = json!([]);
    }
    if let Some(lines) = outline["lines"].as_array_mut() {
        lines.retain(|line| line["kind"] == "stick" || line["kind"] == "edge");
    }
}

/// Facets as numbers from the lowest corner in steps of a common length; none without facets.
fn solid(facets: &[Corners]) -> Option<Value> {
    let all = || facets.iter().flatten();
    let end =
        |k: usize, pick: fn(f64, f64) -> f64, start: f64| all().map(|p| p[k]).fold(start, pick);
    let low = [0, 1, 2].map(|k| end(k, f64::min, f64::INFINITY));
    let high = [0, 1, 2].map(|k| end(k, f64::max, f64::NEG_INFINITY));
    let size = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    if !(size > 0.0 && size.is_finite()) {
        return None;
    }
    let step = size / STEPS;
    let mut bytes = Vec::with_capacity(18 * facets.len());
    for (p, k) in all().flat_map(|p| p.iter().zip(0..3)) {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 0 to 65535"
        )]
        let x = ((p - low[k]) / step).round() as u16;
        bytes.extend(x.to_le_bytes());
    }
    let low: Vec<Value> = low.iter().map(|x| short(*x, DIGITS + 2)).collect();
    Some(json!({ "low": low, "step": short(step, DIGITS + 2), "facets": base64(&bytes) }))
}

/// A skin: the facets of visible points, and quantities as colours on them.
pub(crate) struct Painted<'a> {
    /// The body of each point.
    pub body: &'a [usize],
    /// The facet of each point.
    pub corners: &'a [Corners],
    /// Name, unit and values of what can be shown.
    pub quantities: [(&'static str, &'static str, &'a Vec<f64>); 2],
    /// Place and normal of the worst points, the worst first.
    pub worst: Vec<([f64; 3], [f64; 3])>,
}

impl Painted<'_> {
    /// Adds it to the data of a page.
    pub(crate) fn add(&self, data: &mut Value) {
        let bodies = data["scene"]["bodies"].as_array().map_or(0, Vec::len);
        let shown: Vec<_> = self
            .quantities
            .iter()
            .filter(|(_, _, values)| values.iter().any(|x| x.is_finite()))
            .collect();
        let scales: Vec<Scale> = shown.iter().map(|(_, _, values)| Scale::of(values)).collect();
        for body in 0..=bodies {
            let own: Vec<usize> = (0..self.body.len()).filter(|k| self.body[*k] == body).collect();
            let corners: Vec<Corners> = own.iter().map(|k| self.corners[*k]).collect();
            let Some(mut solid) = solid(&corners) else { continue };
            if body < bodies {
                let shades = shown.iter().zip(&scales).map(|((_, _, values), scale)| {
                    base64(&own.iter().map(|k| scale.shade(values[*k])).collect::<Vec<u8>>())
                });
                solid["shades"] = shades.collect();
            }
            put(&mut data["scene"], body, Some(solid));
        }
        let quantities: Value = shown
            .iter()
            .zip(&scales)
            .map(|((name, unit, values), scale)| {
                let [low, high] = scale.ends.map(|x| short(x.exp(), DIGITS));
                let [below, above] = scale.cut(values);
                json!({ "name": name, "unit": unit, "low": low, "high": high, "below": below, "above": above })
            })
            .collect();
        let vector = |x: &[f64; 3]| x.iter().map(|c| short(*c, DIGITS)).collect::<Value>();
        let worst: Value = self
            .worst
            .iter()
            .map(|(p, n)| json!({ "at": vector(p), "normal": vector(n) }))
            .collect();
        data["skin"] = json!({ "quantities": quantities, "worst": worst });
    }
}

/// The ends of a logarithmic scale of colours.
struct Scale {
    ends: [f64; 2],
}

impl Scale {
    /// Between the values of which some hundredths are smaller or greater, and not farther than [`SPAN`] times from the median.
    fn of(values: &[f64]) -> Self {
        let mut logs: Vec<f64> =
            values.iter().filter(|x| x.is_finite() && **x > 0.0).map(|x| x.ln()).collect();
        logs.sort_by(f64::total_cmp);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a part of the number of values"
        )]
        let cut = (BEYOND * logs.len() as f64) as usize;
        match logs.len() {
            0 => Self { ends: [0.0, 1.0] },
            n => {
                let (middle, most) = (logs[n / 2], SPAN.ln());
                let low = logs[cut].max(middle - most);
                Self { ends: [low, logs[n - 1 - cut].min(middle + most).max(low + 1e-9)] }
            }
        }
    }

    /// Whether finite values lie below the low end, and above the high one.
    fn cut(&self, values: &[f64]) -> [bool; 2] {
        let logs = || values.iter().filter(|x| x.is_finite() && **x > 0.0).map(|x| x.ln());
        [logs().any(|x| x < self.ends[0]), logs().any(|x| x > self.ends[1])]
    }

    /// 1 to 255 from the low end to the high one; 0 where there is no finite value.
    fn shade(&self, x: f64) -> u8 {
        if !(x.is_finite() && x > 0.0) {
            return 0;
        }
        let [low, high] = self.ends;
        let part = ((x.ln() - low) / (high - low)).clamp(0.0, 1.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 255")]
        let shade = (1.0 + SHADES * part).round() as u8;
        shade
    }
}

/// Bytes as text (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for k in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * k) & 63) as usize];
            out.push(if k <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_the_letters_of_the_standard() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn shades_run_from_end_to_end_and_zero_is_no_value() {
        let values: Vec<f64> = (0..=100).map(f64::from).map(|k| 10_f64.powf(k / 50.0)).collect();
        let scale = Scale::of(&values);
        assert_eq!((scale.shade(1.0), scale.shade(100.0), scale.shade(10.0)), (1, 255, 128));
        assert_eq!(
            (scale.shade(f64::INFINITY), scale.shade(f64::NAN), scale.shade(0.0)),
            (0, 0, 0)
        );
    }

    #[test]
    fn nearly_immobile_points_do_not_take_the_colours() {
        // A tenth of the points weighs 3e6 kg: more than any quantile near the end leaves out.
        let mut values = vec![2.0; 900];
        values.extend(vec![3e6; 100]);
        values[0] = 1.0;
        let scale = Scale::of(&values);
        assert!((scale.ends[1].exp() - 2.0 * SPAN).abs() < 1e-9, "{}", scale.ends[1].exp());
        assert_eq!((scale.cut(&values), scale.shade(3e6)), ([true, true], 255));
    }
}
