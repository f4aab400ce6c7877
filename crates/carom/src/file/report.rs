//! Messages that point at a place in a text.

use std::ops::Range;
use std::sync::Arc;

use crate::model::description::Origin;

/// How much of a line is shown.
const MOST_COLUMNS: usize = 100;

/// How much of a path, a message or an edit is shown: names come from files, which may be odd.
const MOST_LETTERS: usize = 600;

/// A text with a name and its lines.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    /// First byte of every line.
    lines: Arc<[usize]>,
    /// First byte and name of every file: of one that completes another, that one stands first.
    files: Arc<[(usize, Arc<str>)]>,
    /// First and last byte of files whose lines no message repeats.
    hidden: Arc<[Range<usize>]>,
}

impl Source {
    /// A text under the name messages call it by.
    pub fn new(name: &str, text: &str) -> Self {
        let starts = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(k, _)| k + 1);
        Self {
            name: name.into(),
            text: text.into(),
            lines: [0].into_iter().chain(starts).collect(),
            files: [(0, name.into())].into(),
            hidden: [].into(),
        }
    }

    /// The same text, of which no message repeats a line: that of a file elsewhere, which may hold what is not for those who read messages.
    pub fn without_excerpts(self) -> Self {
        let all = 0..self.text.len() + 1;
        Self { hidden: [all].into(), ..self }
    }

    /// This text behind that of the file it completes.
    pub fn over(&self, base: &Self) -> Self {
        let text = format!("{}\n{}", base.text, self.text);
        let shift = base.text.len() + 1;
        let behind = self.files.iter().map(|(first, name)| (first + shift, Arc::clone(name)));
        let files = base.files.iter().cloned().chain(behind).collect();
        let own = self.hidden.iter().map(|bytes| bytes.start + shift..bytes.end + shift);
        let hidden = base.hidden.iter().cloned().chain(own).collect();
        Self { files, hidden, ..Self::new(&self.name, &text) }
    }

    /// Names and texts of the files.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().enumerate().map(|(k, (first, name))| {
            let end = self.files.get(k + 1).map_or(self.text.len(), |(next, _)| next - 1);
            (&**name, &self.text[*first..end])
        })
    }

    /// First byte and name of the file that a byte stands in.
    fn file_at(&self, byte: usize) -> (usize, &str) {
        let at = self.files.partition_point(|(first, _)| *first <= byte).max(1);
        let (first, name) = &self.files[at - 1];
        (*first, name)
    }

    /// The name of the file that a byte stands in.
    pub fn file_name_at(&self, byte: usize) -> &str {
        self.file_at(byte).1
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte in its file, both from 1; columns count letters.
    pub fn position(&self, byte: usize) -> (usize, usize) {
        let byte = self.boundary(byte);
        let line = self.lines.partition_point(|start| *start <= byte);
        let start = self.lines[line - 1];
        let before = self.lines.partition_point(|start| *start < self.file_at(byte).0);
        (line - before, self.text[start..byte].chars().count() + 1)
    }

    /// The last boundary between letters that is not behind `byte`.
    fn boundary(&self, byte: usize) -> usize {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        byte
    }

    /// `rod.toml:12:8`, or the edit that wrote a value.
    pub fn place(&self, origin: &Origin) -> String {
        match origin {
            Origin::Set(edit) => format!("--set {}", shortened(edit, MOST_COLUMNS)),
            Origin::Text(span) => {
                let (line, column) = self.position(span.start);
                format!("{}:{line}:{column}", self.file_at(span.start).1)
            }
        }
    }

    /// A message, with line, column and excerpt where there are any.
    ///
    /// ```text
    /// rod.toml:12:8: bodies.rod.mass: 0 is not a positive mass [kg]
    ///    12 | mass = 0
    ///       |        ^
    /// ```
    pub fn render(&self, path: &str, origin: Option<&Origin>, message: &str) -> String {
        let (path, message) = (shortened(path, MOST_LETTERS), shortened(message, MOST_LETTERS));
        let what = if path.is_empty() { message } else { format!("{path}: {message}") };
        match origin {
            None => format!("{}: {what}\n", self.name),
            Some(Origin::Set(edit)) => format!("--set {}: {what}\n", shortened(edit, MOST_COLUMNS)),
            Some(Origin::Text(span)) => {
                let (line, column) = self.position(span.start);
                let excerpt = self.excerpt(span, line);
                format!("{}:{line}:{column}: {what}\n{excerpt}", self.file_at(span.start).1)
            }
        }
    }

    /// The line with a mark under the span.
    fn excerpt(&self, span: &Range<usize>, line: usize) -> String {
        if self.hidden.iter().any(|bytes| bytes.contains(&span.start)) {
            return String::new();
        }
        let first = self.boundary(span.start);
        let start = self.lines[self.lines.partition_point(|start| *start <= first) - 1];
        let whole = self.text[start..].split(['\n', '\r']).next().unwrap_or_default();
        let first = self.text[start..self.boundary(span.start)].chars().count();
        let last = self.boundary(span.end).clamp(start, start + whole.len());
        let length = self.text[start..last].chars().count().saturating_sub(first).max(1);
        // Of a long line the part around the mark is shown.
        let skip = if first + length > MOST_COLUMNS { first.saturating_sub(20) } else { 0 };
        let shown: String = whole
            .chars()
            .skip(skip)
            .take(MOST_COLUMNS)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let blank = " ".repeat(first - skip);
        let tail =
            "~".repeat((length - 1).min(MOST_COLUMNS - (first - skip).min(MOST_COLUMNS - 1) - 1));
        format!("{line:>5} | {}\n      | {blank}^{tail}\n", shown.trim_end())
    }
}

/// The first letters of a text.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_end_is_cut() {
        let source = Source::new("f", "a = 1");
        let name = "φ".repeat(1_000_000);
        let shown = source.render(&name, Some(&Origin::Set(name.clone())), &name);
        assert!(shown.chars().count() < 2000);
    }

    #[test]
    fn a_message_shows_its_line_and_column() {
        let source = Source::new("rod.toml", "carom = 1\nmass = 100 # φ\nx = 2");
        let at = Origin::Text(17..20);
        let shown = source.render("bodies.rod.mass", Some(&at), "too heavy");
        assert_eq!(
            shown,
            "rod.toml:2:8: bodies.rod.mass: too heavy\n    2 | mass = 100 # φ\n      |        ^~~\n"
        );
        assert_eq!(source.render("", None, "odd"), "rod.toml: odd\n");
        let set = Origin::Set("a.b=3".to_owned());
        assert_eq!(source.render("a.b", Some(&set), "odd"), "--set a.b=3: a.b: odd\n");
    }

    #[test]
    fn lines_of_a_file_elsewhere_are_not_shown() {
        let base = Source::new("../secret.toml", "token = abc\nx = 1").without_excerpts();
        let whole = Source::new("own.toml", "mine = 2").over(&base);
        let told = |at: Range<usize>| whole.render("", Some(&Origin::Text(at)), "odd");
        assert_eq!(told(8..11), "../secret.toml:1:9: odd\n");
        assert_eq!(told(16..17), "../secret.toml:2:5: odd\n");
        assert_eq!(told(18..22), "own.toml:1:1: odd\n    1 | mine = 2\n      | ^~~~\n");
        let third = Source::new("third.toml", "a").over(&whole);
        assert!(!third.render("", Some(&Origin::Text(8..11)), "odd").contains("abc"));
    }

    #[test]
    fn positions_outside_the_text_do_not_panic() {
        let long = "x".repeat(1000);
        for text in ["", "φ", "a\nb\n", "a\r\nb", long.as_str()] {
            let source = Source::new("f", text);
            for start in 0..text.len() + 3 {
                for end in [0, start, start + 1, start + 500] {
                    let at = Origin::Text(start..end);
                    assert!(source.render("p", Some(&at), "m").starts_with("f:"));
                }
            }
        }
        let wide = Source::new("f", &long);
        let shown = wide.render("p", Some(&Origin::Text(900..905)), "m");
        assert!(shown.lines().all(|l| l.chars().count() < 120), "{shown}");
    }
}
