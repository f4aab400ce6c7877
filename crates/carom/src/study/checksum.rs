//! Checksums: CRC-32 for records, FNV-1a for what a study is made of.

use crate::model::Description;
use crate::model::description::{Node, Table, Value};
use crate::model::study::PlanPart;

/// CRC-32 of IEEE 802.3 (polynomial 0x04c11db7, reflected): it finds every error within 32 neighbouring bits.
pub fn crc32(parts: &[&[u8]]) -> u32 {
    let mut crc = !0_u32;
    for byte in parts.iter().copied().flatten() {
        let at = (crc ^ u32::from(*byte)) & 0xff;
        crc = (crc >> 8) ^ TABLE[at as usize];
    }
    !crc
}

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let (mut k, mut number) = (0, 0_u32);
    while k < 256 {
        let mut crc = number;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[k] = crc;
        k += 1;
        number += 1;
    }
    table
}

/// What FNV-1a over 64 bits begins with.
const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a over 64 bits of some texts, each with an end that no text holds.
pub fn fnv1a<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash = Fnv(FNV_BASIS);
    for text in texts {
        hash.bytes(text.as_bytes());
        hash.bytes(&[0xff]);
    }
    hash.0
}

/// FNV-1a over 64 bits.
struct Fnv(u64);

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// A text and an end that no text holds.
    fn text(&mut self, tag: u8, text: &str) {
        self.bytes(&[tag]);
        self.bytes(text.as_bytes());
        self.bytes(&[0xff]);
    }

    fn table(&mut self, table: &Table) {
        for entry in table.entries() {
            self.text(b'k', &entry.key);
            self.node(&entry.node);
        }
        self.bytes(b"}");
    }

    fn node(&mut self, node: &Node) {
        match &node.value {
            Value::Number(x) => self.text(b'n', &format!("{:x}", x.to_bits())),
            Value::Text { text, .. } => self.text(b't', text),
            Value::Bool(b) => self.text(b'b', if *b { "true" } else { "false" }),
            Value::Foreign(what) => self.text(b'f', what),
            Value::Table(table) => {
                self.bytes(b"{");
                self.table(table);
            }
            Value::List(list) => {
                self.bytes(b"[");
                for node in list {
                    self.node(node);
                }
                self.bytes(b"]");
            }
        }
    }
}

/// A number of a model and one of its study: of values, not of how or where they are written.
pub fn hashes(description: &Description) -> (u64, u64) {
    let (mut model, mut study) = (Fnv(FNV_BASIS), Fnv(FNV_BASIS));
    for entry in description.root.entries() {
        let asked = PlanPart::ALL.iter().any(|part| part.name() == entry.key);
        let to = if asked { &mut study } else { &mut model };
        to.text(b'k', &entry.key);
        to.node(&entry.node);
    }
    // A table is part of the model as if its rows stood in the file.
    for (name, table) in &description.tables {
        model.text(b'c', name);
        for x in table.iter().flat_map(|samples| samples.x.iter().chain(&samples.y)) {
            model.bytes(&x.to_bits().to_le_bytes());
        }
    }
    (model.0, study.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_standard_comes_out() {
        assert_eq!(crc32(&[b"1234", b"56789"]), 0xcbf4_3926);
    }
}
