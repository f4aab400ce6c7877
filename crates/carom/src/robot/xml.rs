//! XML with places: elements, attributes and numbers, each fault at its bytes of the text.

use std::borrow::Cow;
use std::ops::Range;

use roxmltree::{Attribute, Document, Error, Node as Element, ParsingOptions};

use crate::robot::{Fault, Note};

/// Elements, texts and comments that a file may have; the largest humanoids have some 10⁴.
const MOST_NODES: u32 = 1_000_000;
/// Undeclared prefixes that are declared on behalf of the file.
const MOST_PREFIXES: usize = 8;
/// Numbers beyond this overflow where they are multiplied; the model file has the same limit.
const LARGEST: f64 = 1e60;
/// Letters of a name: the model file has a limit of 200 for its keys, and some keys are made of two names and a number.
const LONGEST_NAME: usize = 90;
/// Letters of the file that a message repeats.
const MOST_LETTERS: usize = 60;

/// A text that is XML, as far as it was made so: prefixes without a declaration (`drake:gear_ratio`) are common in URDF, and are declared.
pub(in crate::robot) struct Prepared<'t> {
    pub text: Cow<'t, str>,
    /// Where declarations were inserted, and how many bytes.
    inserted: (usize, usize),
    /// The prefixes.
    pub prefixes: Vec<String>,
}

impl<'t> Prepared<'t> {
    /// Finds the declarations that a text lacks.
    pub(in crate::robot) fn new(text: &'t str) -> Self {
        let mut out = Self { text: Cow::Borrowed(text), inserted: (0, 0), prefixes: Vec::new() };
        while out.prefixes.len() < MOST_PREFIXES {
            let Err(Error::UnknownNamespace(prefix, _)) = parse(&out.text) else { break };
            let Some(at) = root_start(text, "robot") else { break };
            if out.prefixes.contains(&prefix) || prefix.is_empty() {
                break;
            }
            out.prefixes.push(prefix);
            let declare = |p: &String| format!(" xmlns:{p}=\"undeclared:{p}\"");
            let declared = out.prefixes.iter().map(declare).collect::<Vec<_>>().concat();
            out.inserted = (at, declared.len());
            out.text = Cow::Owned(format!("{}{declared}{}", &text[..at], &text[at..]));
        }
        out
    }

    /// Bytes of the original text.
    pub(in crate::robot) fn original(&self, span: Range<usize>) -> Range<usize> {
        let (at, length) = self.inserted;
        let back = |x: usize| if x >= at + length { x - length } else { x.min(at) };
        if length == 0 { span } else { back(span.start)..back(span.end) }
    }
}

/// The byte behind `<NAME` of the root element, if that is its name: behind declarations and comments.
pub(in crate::robot) fn root_start(text: &str, name: &str) -> Option<usize> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else {
            let behind = rest.strip_prefix('<')?.strip_prefix(name)?;
            let ends = behind.starts_with(|c: char| c.is_whitespace() || c == '>' || c == '/');
            return ends.then(|| text.len() - behind.len());
        };
        rest = rest.split_once(end)?.1.trim_start();
    }
}

/// The document of a text. DTDs are refused: they are the way to entity bombs and to files from elsewhere.
pub(in crate::robot) fn parse(text: &str) -> Result<Document<'_>, Error> {
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..Default::default() };
    Document::parse_with_options(text, options)
}

/// Names that are too long: where they stand, and what is wrong.
pub(in crate::robot) fn long_names(document: &Document<'_>) -> Vec<(Range<usize>, String)> {
    let names = document.descendants().filter_map(|node| node.attribute_node("name"));
    let long = names.filter(|name| name.value().chars().nth(LONGEST_NAME).is_some());
    let fault = |name: Attribute<'_, '_>| {
        let found = name.value().chars().count();
        let message = format!("a name of {found} letters: at most {LONGEST_NAME} are expected");
        (name.range_value(), message)
    };
    long.map(fault).collect()
}

/// Refuses a text in which nothing stands; `root` is the element that was expected.
pub(in crate::robot) fn not_empty(text: &str, root: &str) -> Result<(), Vec<Fault>> {
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        let message = format!("the file is empty: expected XML with the root element {root}");
        return Err(vec![Fault::of_all(message)]);
    }
    Ok(())
}

/// What is wrong with a text that is no XML; `root` is the element that was expected.
pub(in crate::robot) fn syntax_fault(text: &str, error: &Error, root: &str) -> Fault {
    let message = match error {
        Error::DtdDetected => {
            "a document type (DTD) is not read: it may define entities without end or fetch files; take `<!DOCTYPE …>` out".to_owned()
        }
        Error::NodesLimitReached => format!("more than {MOST_NODES} elements"),
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            "the text ends inside an element: the file is truncated, or a closing tag is missing".to_owned()
        }
        Error::NoRootNode => format!("no element: expected XML with the root element {root}"),
        Error::UnknownNamespace(prefix, _) if prefix == "xacro" => XACRO.to_owned(),
        other => {
            let mut text = other.to_string();
            if let Some(at) = text.rfind(" at ") {
                text.truncate(at);
            }
            format!("not XML: {}", cut(&text))
        }
    };
    let position = error.pos();
    let mut start = 0;
    for (k, line) in text.split_inclusive('\n').enumerate() {
        if k + 1 == position.row as usize {
            let column = (position.col as usize).saturating_sub(1);
            start += line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
            break;
        }
        start += line.len();
    }
    let start = start.min(text.len());
    Fault::at(&(start..(start + 1).min(text.len().max(start))), message)
}

/// What to do about xacro.
pub(in crate::robot) const XACRO: &str = "this is a xacro file, not a URDF: write the URDF first with `xacro robot.urdf.xacro > robot.urdf`";

/// The first letters of a text.
pub(in crate::robot) fn cut(text: &str) -> String {
    let mut out: String = text.chars().take(MOST_LETTERS).collect();
    if text.chars().nth(MOST_LETTERS).is_some() {
        out.push('…');
    }
    out
}

/// Collects what is wrong and what was decided.
pub(in crate::robot) struct Reader<'t> {
    pub prepared: &'t Prepared<'t>,
    pub faults: Vec<Fault>,
    pub notes: Vec<Note>,
}

impl Reader<'_> {
    /// The bytes of an element's start: `<mass`.
    pub(in crate::robot) fn span(&self, element: Element<'_, '_>) -> Range<usize> {
        let start = element.range().start;
        let end = start + 1 + element.tag_name().name().len();
        self.prepared.original(start..end)
    }

    pub(in crate::robot) fn value_span(&self, attribute: &Attribute<'_, '_>) -> Range<usize> {
        self.prepared.original(attribute.range_value())
    }

    pub(in crate::robot) fn refuse<T>(
        &mut self,
        span: &Range<usize>,
        message: impl Into<String>,
    ) -> Option<T> {
        self.faults.push(Fault::at(span, message));
        None
    }

    pub(in crate::robot) fn note(&mut self, message: impl Into<String>) {
        self.notes.push(Note::new(message));
    }

    /// The only child element of that name; a second one is refused, because readers differ in which of them counts.
    pub(in crate::robot) fn child<'a, 'i>(
        &mut self,
        element: Element<'a, 'i>,
        name: &str,
    ) -> Option<Element<'a, 'i>> {
        let mut found = element.children().filter(|c| c.has_tag_name(name));
        let first = found.next()?;
        if let Some(second) = found.next() {
            let span = self.span(second);
            let owner = element.tag_name().name();
            self.refuse::<()>(
                &span,
                format!("a second <{name}> in this <{owner}>: one is expected"),
            );
        }
        Some(first)
    }

    /// A text that must be there and not be empty.
    pub(in crate::robot) fn name<'a>(
        &mut self,
        element: Element<'a, '_>,
        key: &str,
    ) -> Option<&'a str> {
        let what = element.tag_name().name();
        let Some(attribute) = element.attribute_node(key) else {
            let span = self.span(element);
            return self.refuse(&span, format!("<{what}> has no `{key}`"));
        };
        if attribute.value().trim().is_empty() {
            let span = self.value_span(&attribute);
            return self
                .refuse(&span, format!("the `{key}` of <{what}> is empty: expected a name"));
        }
        element.attribute(key)
    }

    /// The number of an attribute that must be there.
    pub(in crate::robot) fn number(&mut self, element: Element<'_, '_>, key: &str) -> Option<f64> {
        if element.attribute_node(key).is_none() {
            let (what, span) = (element.tag_name().name(), self.span(element));
            return self.refuse(&span, format!("<{what}> has no `{key}`: expected a number"));
        }
        self.optional(element, key)?
    }

    /// The number of an attribute; `Some(None)` if it is not there, `None` if it is none.
    #[allow(clippy::option_option, reason = "absent and faulty are told apart")]
    pub(in crate::robot) fn optional(
        &mut self,
        element: Element<'_, '_>,
        key: &str,
    ) -> Option<Option<f64>> {
        let Some(attribute) = element.attribute_node(key) else { return Some(None) };
        let span = self.value_span(&attribute);
        self.parsed(attribute.value(), &span, key).map(Some)
    }

    /// The numbers of an attribute; the default if it is not there.
    pub(in crate::robot) fn vector<const N: usize>(
        &mut self,
        element: Element<'_, '_>,
        key: &str,
        default: [f64; N],
    ) -> Option<[f64; N]> {
        let Some(attribute) = element.attribute_node(key) else { return Some(default) };
        let span = self.value_span(&attribute);
        let words: Vec<&str> = attribute.value().split_ascii_whitespace().take(N + 1).collect();
        if words.len() != N {
            let count = attribute.value().split_ascii_whitespace().count();
            let found = cut(attribute.value());
            return self.refuse(
                &span,
                format!("`{key}`: found {count} number(s) (\"{found}\") where {N} are expected"),
            );
        }
        let mut out = [0.0; N];
        for (out, word) in out.iter_mut().zip(words) {
            *out = self.parsed(word, &span, key)?;
        }
        Some(out)
    }

    /// A number of a text.
    pub(in crate::robot) fn parsed(
        &mut self,
        text: &str,
        span: &Range<usize>,
        key: &str,
    ) -> Option<f64> {
        if text.contains("${") || text.contains("$(") {
            return self.refuse(span, XACRO);
        }
        number(text, key).map_err(|message| self.refuse::<()>(span, message)).ok()
    }
}

/// The number that a text is, or what it is instead.
pub(in crate::robot) fn number(text: &str, key: &str) -> Result<f64, String> {
    let word = text.trim();
    let found = cut(word);
    match word.parse::<f64>() {
        Ok(x) if x.is_finite() && x.abs() <= LARGEST => Ok(x),
        Ok(_) => Err(format!("`{key}`: {found} is not a finite number up to 1e60")),
        Err(_) if word.contains(',') => Err(format!(
            "`{key}`: \"{found}\" is not a number; decimals have a point: 0.5, not 0,5"
        )),
        Err(_) => Err(format!("`{key}`: \"{found}\" is not a number")),
    }
}
