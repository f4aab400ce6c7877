//! STL, both kinds (3D Systems, StereoLithography Interface Specification, 1988).
//!
//! Binary: 80 bytes of header, the number of triangles as a little-endian 32-bit integer, then 50 bytes for each triangle: a normal and three
//! corners of three 32-bit floats, and two bytes that carry nothing of geometry. Text: `solid`, `facet normal`, `outer loop`, three `vertex`,
//! `endloop`, `endfacet`, `endsolid`. The stated normals are not used: the order of the corners tells the outer side.

use super::{Gatherer, MOST_TRIANGLES, Mesh, MeshError};

/// Bytes before the triangles of a binary file.
const HEAD: usize = 84;
/// Bytes of a triangle.
const TRIANGLE: usize = 50;
/// Bytes of a triangle's normal.
const NORMAL: usize = 12;

/// Reads either kind. A file whose length is that of the triangles its header announces is binary, also if it begins with `solid`, as many do.
pub(super) fn read(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let announced = bytes.get(80..HEAD).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]));
    let length = announced.map(|n| HEAD as u64 + TRIANGLE as u64 * u64::from(n));
    if length == Some(bytes.len() as u64) {
        return binary(bytes);
    }
    if is_text(bytes) {
        return text(bytes);
    }
    let found = bytes.len();
    Err(match (announced, length) {
        (Some(triangles), Some(expected)) => MeshError::Length { triangles, expected, found },
        _ => MeshError::NoStl { found },
    })
}

/// Whether the first word is `solid`.
fn is_text(bytes: &[u8]) -> bool {
    let first = bytes.split(u8::is_ascii_whitespace).find(|word| !word.is_empty());
    first.is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

fn binary(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let mut out = Gatherer::default();
    if (bytes.len() - HEAD) / TRIANGLE > MOST_TRIANGLES {
        return Err(MeshError::TooLarge);
    }
    for (k, record) in bytes[HEAD..].chunks_exact(TRIANGLE).enumerate() {
        let mut corners = [0; 3];
        for (c, corner) in corners.iter_mut().enumerate() {
            let mut p = [0.0; 3];
            for (i, x) in p.iter_mut().enumerate() {
                let at = NORMAL + 12 * c + 4 * i;
                let four = [record[at], record[at + 1], record[at + 2], record[at + 3]];
                *x = f64::from(f32::from_le_bytes(four));
                if !x.is_finite() {
                    let byte = HEAD + TRIANGLE * k + at;
                    return Err(MeshError::Coordinate {
                        byte,
                        triangle: k + 1,
                        found: x.to_string(),
                    });
                }
            }
            *corner = out.point(p);
        }
        out.triangle(corners)?;
    }
    out.finished()
}

/// The lines of a text.
type Lines<'a> = std::slice::Split<'a, u8, fn(&u8) -> bool>;

/// The words of a text with their lines.
struct Words<'a> {
    lines: std::iter::Enumerate<Lines<'a>>,
    rest: &'a [u8],
    line: usize,
}

impl<'a> Words<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let newline: fn(&u8) -> bool = |b| *b == b'\n';
        Self { lines: bytes.split(newline).enumerate(), rest: &[], line: 0 }
    }

    /// The next word; empty at the end of the file.
    fn next(&mut self) -> &'a [u8] {
        loop {
            let start = self.rest.iter().position(|b| !b.is_ascii_whitespace());
            if let Some(start) = start {
                let rest = &self.rest[start..];
                let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                self.rest = &rest[end..];
                return &rest[..end];
            }
            match self.lines.next() {
                Some((k, line)) => (self.rest, self.line) = (line, k + 1),
                None => return &[],
            }
        }
    }

    /// Leaves the rest of the line, such as a name.
    fn skip_line(&mut self) {
        self.rest = &[];
    }

    fn expect(&mut self, word: &'static str) -> Result<(), MeshError> {
        let found = self.next();
        if found.eq_ignore_ascii_case(word.as_bytes()) {
            return Ok(());
        }
        Err(self.wrong(found, word))
    }

    fn wrong(&self, found: &[u8], expected: &'static str) -> MeshError {
        if found.is_empty() {
            let found = "the end of the file".to_owned();
            return MeshError::Line { line: self.line, found, expected };
        }
        MeshError::line(self.line, found, expected)
    }

    fn number(&mut self) -> Result<f64, MeshError> {
        let word = self.next();
        let found = std::str::from_utf8(word).ok().and_then(|text| text.parse::<f64>().ok());
        found.filter(|x| x.is_finite()).ok_or_else(|| self.wrong(word, "a finite number"))
    }
}

fn text(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let mut words = Words::new(bytes);
    let mut out = Gatherer::default();
    // `solid` is known to be there; further ones may follow its end.
    words.expect("solid")?;
    words.skip_line();
    let mut open = true;
    loop {
        let word = words.next();
        match word.to_ascii_lowercase().as_slice() {
            b"facet" if open => {
                words.expect("normal")?;
                // Many files state no number here (`-nan`, `1.#QNAN`), and it is not used.
                for _ in 0..3 {
                    words.next();
                }
                words.expect("outer")?;
                words.expect("loop")?;
                let mut corners = [0; 3];
                for corner in &mut corners {
                    words.expect("vertex")?;
                    *corner = out.point([words.number()?, words.number()?, words.number()?]);
                }
                words.expect("endloop")?;
                words.expect("endfacet")?;
                out.triangle(corners)?;
            }
            b"endsolid" if open => {
                words.skip_line();
                open = false;
            }
            b"solid" if !open => {
                words.skip_line();
                open = true;
            }
            b"" if !open => return out.finished(),
            _ if open => return Err(words.wrong(word, "`facet` or `endsolid`")),
            _ => return Err(words.wrong(word, "`solid` or the end of the file")),
        }
    }
}
