//! JSON that people can read and that stays short: a line for each property, arrays on one line.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// The text of an answer, with a line end.
pub(super) fn text<T: Serialize>(answer: &T) -> Result<String, serde_json::Error> {
    let mut out = Vec::new();
    answer.serialize(&mut Serializer::with_formatter(&mut out, Readable::default()))?;
    out.push(b'\n');
    // The serialiser writes UTF-8 only.
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Objects over several lines, indented; arrays on the line they begin on.
#[derive(Default)]
struct Readable {
    depth: usize,
    /// Whether the object that ends has a property.
    filled: bool,
}

impl Readable {
    fn line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Readable {
    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        out.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        self.line(out)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.filled {
            self.line(out)?;
        }
        self.filled = true;
        out.write_all(b"}")
    }
}

#[cfg(test)]
mod tests {
    use super::text;
    use serde_json::{Value, json};

    #[test]
    fn a_property_has_a_line_and_an_array_has_one_too() {
        let value = json!({ "a": [1, 2.5, null], "b": {}, "c": [{ "d": "x" }, { "d": [] }] });
        let expected = "{\n  \"a\": [1, 2.5, null],\n  \"b\": {},\n  \"c\": [{\n    \"d\": \"x\"\n  }, {\n    \"d\": []\n  }]\n}\n";
        assert_eq!(text(&value).unwrap(), expected);
        assert_eq!(serde_json::from_str::<Value>(expected).unwrap(), value);
    }
}
