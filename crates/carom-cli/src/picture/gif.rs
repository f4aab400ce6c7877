//! Pictures as an animated GIF (GIF89a): one palette for all, of each picture the part that changed.

use std::collections::HashMap;

use super::canvas::{Canvas, Colour};

/// Colours of a palette.
const COLOURS: usize = 256;
/// Bits of a code that stands for a colour.
const BITS: u8 = 8;
/// Codes that end the table and the data.
const CLEAR: u16 = 1 << BITS;
const END: u16 = CLEAR + 1;
/// The table is begun anew before it has more codes than this.
const MOST_CODES: u16 = 4095;
/// Bytes of a block of data.
const BLOCK: usize = 255;

/// The file; `rate` pictures a second, over and over.
pub(super) fn encode(frames: &[Canvas], rate: f64) -> Vec<u8> {
    let Some(first) = frames.first() else { return Vec::new() };
    let (width, height) = (first.width, first.height);
    let palette = Palette::new(frames);
    let mut out = b"GIF89a".to_vec();
    out.extend(short(width));
    out.extend(short(height));
    // A global palette of 256 colours.
    out.extend([0b1111_0111, 0, 0]);
    out.extend(palette.bytes());
    out.extend([0x21, 0xff, 11]);
    out.extend(b"NETSCAPE2.0");
    out.extend([3, 1, 0, 0, 0]);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundredths")]
    let delay = (100.0 / rate).round() as usize;
    let mut before: Option<Vec<u8>> = None;
    for frame in frames {
        let picture: Vec<u8> = frame.pixels.iter().map(|pixel| palette.index(*pixel)).collect();
        let [left, top, right, bottom] =
            changed(before.as_deref(), &picture, width).unwrap_or([0, 0, 1, 1]);
        out.extend([0x21, 0xf9, 4, 0b0000_0100]);
        out.extend(short(delay));
        out.extend([0, 0, 0x2c]);
        for number in [left, top, right - left, bottom - top] {
            out.extend(short(number));
        }
        out.push(0);
        let rows = (top..bottom).flat_map(|y| &picture[y * width + left..y * width + right]);
        let data = compressed(rows.copied());
        out.push(BITS);
        for block in data.chunks(BLOCK) {
            // A block has at most 255 bytes.
            out.push(u8::try_from(block.len()).unwrap_or(u8::MAX));
            out.extend(block);
        }
        out.push(0);
        before = Some(picture);
    }
    out.push(0x3b);
    out
}

/// A number of two bytes; pictures are smaller than 65536 pixels.
fn short(x: usize) -> [u8; 2] {
    u16::try_from(x).unwrap_or(u16::MAX).to_le_bytes()
}

/// Left, top, right and bottom of the pixels that differ; all of the first picture, nothing if none differs.
fn changed(before: Option<&[u8]>, picture: &[u8], width: usize) -> Option<[usize; 4]> {
    let Some(before) = before else { return Some([0, 0, width, picture.len() / width]) };
    let differ = (0..picture.len()).filter(|k| before[*k] != picture[*k]);
    differ.fold(None, |found, k| {
        let (x, y) = (k % width, k / width);
        let [l, t, r, b] = found.unwrap_or([x, y, x + 1, y + 1]);
        Some([l.min(x), t.min(y), r.max(x + 1), b.max(y + 1)])
    })
}

/// The colours that occur most, and the nearest of them for each one.
struct Palette {
    colours: Vec<[u8; 3]>,
    index: HashMap<[u8; 3], u8>,
}

/// Colours that differ by less than a step are the same: 32 steps.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn step(colour: Colour) -> [u8; 3] {
    colour.map(|x| {
        let k = (x.clamp(0.0, 1.0) * 31.0).round() as u8;
        k << 3 | k >> 2
    })
}

impl Palette {
    fn new(frames: &[Canvas]) -> Self {
        let mut count: HashMap<[u8; 3], usize> = HashMap::new();
        for pixel in frames.iter().flat_map(|frame| &frame.pixels) {
            *count.entry(step(*pixel)).or_default() += 1;
        }
        let mut found: Vec<([u8; 3], usize)> = count.into_iter().collect();
        // The same file from the same pictures: equal counts in the order of the colours.
        found.sort_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
        let all: Vec<[u8; 3]> = found.into_iter().map(|(colour, _)| colour).collect();
        let colours: Vec<[u8; 3]> = all.iter().take(COLOURS).copied().collect();
        let distance = |a: [u8; 3], b: [u8; 3]| -> u32 {
            a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
        };
        let nearest = |colour: [u8; 3]| {
            let at = (0..colours.len()).min_by_key(|k| distance(colours[*k], colour));
            at.and_then(|at| u8::try_from(at).ok()).unwrap_or(0)
        };
        let index = all.iter().map(|colour| (*colour, nearest(*colour))).collect();
        Self { colours, index }
    }

    fn index(&self, colour: Colour) -> u8 {
        self.index.get(&step(colour)).copied().unwrap_or(0)
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out: Vec<u8> = self.colours.iter().flatten().copied().collect();
        out.resize(3 * COLOURS, 0);
        out
    }
}

/// LZW with codes of growing width, lowest bits first.
fn compressed(pixels: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut bits = Bits::default();
    let mut table: HashMap<(u16, u8), u16> = HashMap::new();
    let (mut next, mut width) = (END + 1, BITS + 1);
    bits.push(CLEAR, width);
    let mut word: Option<u16> = None;
    for pixel in pixels {
        let Some(prefix) = word else {
            word = Some(u16::from(pixel));
            continue;
        };
        if let Some(longer) = table.get(&(prefix, pixel)) {
            word = Some(*longer);
            continue;
        }
        bits.push(prefix, width);
        if next > MOST_CODES {
            bits.push(CLEAR, width);
            table.clear();
            (next, width) = (END + 1, BITS + 1);
        } else {
            table.insert((prefix, pixel), next);
            // The reader knows a code one step later: codes widen when the next one needs it.
            if next == 1 << width {
                width += 1;
            }
            next += 1;
        }
        word = Some(u16::from(pixel));
    }
    if let Some(word) = word {
        bits.push(word, width);
    }
    bits.push(END, width);
    bits.bytes()
}

/// Codes as bytes.
#[derive(Default)]
struct Bits {
    out: Vec<u8>,
    held: u32,
    count: u8,
}

impl Bits {
    fn push(&mut self, code: u16, width: u8) {
        self.held |= u32::from(code) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.out.push(self.held.to_le_bytes()[0]);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn bytes(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.out.push(self.held.to_le_bytes()[0]);
        }
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pixels of compressed data, by the rules of the format.
    fn expanded(data: &[u8]) -> Vec<u8> {
        let (mut at, mut width) = (0_usize, BITS + 1);
        let mut read = |width: u8| {
            let code = (0..usize::from(width)).map(|k| {
                let bit = at + k;
                u16::from(data[bit / 8] >> (bit % 8) & 1) << k
            });
            let code = code.sum::<u16>();
            at += usize::from(width);
            code
        };
        let fresh = || (0..=END).map(|k| vec![k.to_le_bytes()[0]]).collect::<Vec<_>>();
        let (mut table, mut out, mut last) = (fresh(), Vec::new(), Vec::<u8>::new());
        loop {
            let code = read(width);
            if code == END {
                return out;
            }
            if code == CLEAR {
                (table, width, last) = (fresh(), BITS + 1, Vec::new());
                continue;
            }
            let word = table.get(usize::from(code)).cloned().unwrap_or_else(|| {
                let mut word = last.clone();
                word.push(last[0]);
                word
            });
            out.extend(&word);
            if !last.is_empty() && table.len() <= usize::from(MOST_CODES) {
                last.push(word[0]);
                table.push(last);
            }
            if table.len() == 1 << width && width < 12 {
                width += 1;
            }
            last = word;
        }
    }

    #[test]
    fn a_reader_of_the_format_finds_the_pixels_again() {
        let mut x = 7_u32;
        let mut random = |colours: u32| {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((x >> 16) % colours).to_le_bytes()[0]
        };
        for (n, colours) in [(0, 1), (1, 1), (5000, 1), (300, 256), (60_000, 3), (60_000, 256)] {
            let pixels: Vec<u8> = (0..n).map(|_| random(colours)).collect();
            assert_eq!(expanded(&compressed(pixels.iter().copied())), pixels, "{n} {colours}");
        }
    }
}
