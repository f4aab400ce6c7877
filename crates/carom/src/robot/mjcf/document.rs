//! The texts of a robot: its file and those it includes, and their elements in the order in which they count.

use std::collections::HashMap;
use std::ops::Range;

use roxmltree::{Document, Node};

use crate::robot::Fault;
use crate::robot::xml;

/// Files that a robot may be made of; those of large suites have some 10.
const MOST_FILES: usize = 100;
/// Bytes that all files may have together; one model file may have as many.
const MOST_BYTES: usize = 64 << 20;
/// What the root element is called; the second word is that of files which are only included.
pub(super) const ROOTS: [&str; 2] = ["mujoco", "mujocoinclude"];

/// A file: its name for messages, and its text.
pub type File = (String, String);
/// Gives the file that an `<include>` names, or says why it cannot.
pub type Load<'l> = &'l mut dyn FnMut(&str) -> Result<File, String>;

/// An element and the text it stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'a> {
    pub node: Node<'a, 'a>,
    /// First byte of its text among all texts.
    base: usize,
}

impl<'a> Element<'a> {
    /// `joint` of `<joint …>`.
    pub(super) fn tag(self) -> &'a str {
        self.node.tag_name().name()
    }

    /// The bytes of its start: `<joint`.
    pub(super) fn span(self) -> Range<usize> {
        let start = self.base + self.node.range().start;
        start..start + 1 + self.tag().len()
    }

    /// The value of an attribute and its bytes.
    pub(super) fn attribute(self, key: &str) -> Option<(&'a str, Range<usize>)> {
        let attribute = self.node.attribute_node(key)?;
        let range = attribute.range_value();
        let value = self.node.attribute(key)?;
        Some((value, self.base + range.start..self.base + range.end))
    }
}

/// The texts, the included ones in the order in which they were found and the robot's own file last.
pub(super) struct Texts {
    files: Vec<File>,
    /// Text and first byte of an `<include>` to the text that stands in its place.
    targets: HashMap<(usize, usize), usize>,
    /// Faults of the includes.
    faults: Vec<(usize, Range<usize>, String)>,
}

impl Texts {
    /// Reads a file and all that it includes.
    pub(super) fn gather(name: &str, text: &str, load: Load<'_>) -> Self {
        let mut out = Self {
            files: vec![(name.to_owned(), text.to_owned())],
            targets: HashMap::new(),
            faults: Vec::new(),
        };
        let mut next = 0;
        while next < out.files.len() && out.faults.is_empty() {
            let wanted = out.wanted(next);
            for (at, span, file) in wanted {
                match out.fetched(&file, load) {
                    Ok(found) => {
                        out.files.push(found);
                        out.targets.insert((next, at), out.files.len() - 1);
                    }
                    Err(message) => out.faults.push((next, span, message)),
                }
            }
            next += 1;
        }
        out
    }

    /// The includes of a text: first byte, place and name of the file.
    fn wanted(&mut self, text: usize) -> Vec<(usize, Range<usize>, String)> {
        let mut out = Vec::new();
        let own = &self.files[text].1;
        let document = match xml::parse(own) {
            Ok(document) => document,
            Err(error) => {
                let fault = xml::syntax_fault(own, &error, "<mujoco>");
                self.faults.push((text, fault.span.unwrap_or(0..0), fault.message));
                return out;
            }
        };
        let root = document.root_element();
        if !ROOTS.contains(&root.tag_name().name()) {
            let found = xml::cut(root.tag_name().name());
            let span = root.range().start..root.range().start + 1 + root.tag_name().name().len();
            let message = format!("found the root element <{found}>: expected <mujoco>");
            self.faults.push((text, span, message));
            return out;
        }
        let long = xml::long_names(&document).into_iter();
        self.faults.extend(long.map(|(span, message)| (text, span, message)));
        for node in document.descendants().filter(|n| n.has_tag_name("include")) {
            let start = node.range().start;
            let file = node.attribute_node("file").filter(|a| !a.value().trim().is_empty());
            if let Some(file) = file {
                out.push((start, file.range_value(), file.value().to_owned()));
            } else {
                let message = "<include> has no `file`: expected the name of a file".to_owned();
                self.faults.push((text, start..start + 8, message));
            }
        }
        out
    }

    fn fetched(&self, file: &str, load: Load<'_>) -> Result<File, String> {
        if self.files.len() >= MOST_FILES {
            return Err(format!("more than {MOST_FILES} files are included"));
        }
        let (name, text) = load(file)?;
        if self.files.iter().any(|(known, _)| *known == name) {
            return Err(format!("`{}` is included twice, or includes itself", xml::cut(file)));
        }
        let bytes: usize = self.files.iter().map(|f| f.1.len()).sum();
        if bytes + text.len() > MOST_BYTES {
            return Err("the included files have more than 64 MB together".to_owned());
        }
        Ok((name, text))
    }

    /// First byte of a text among all: the included ones stand first, the robot's own file last.
    fn base(&self, text: usize) -> usize {
        let included = self.files.iter().enumerate().skip(1);
        let before = included.filter(|(k, _)| text == 0 || *k < text);
        before.map(|(_, (_, text))| text.len() + 1).sum()
    }

    /// What is wrong with the includes, or with a text that is no XML.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let at = |(text, span, message): &(usize, Range<usize>, String)| {
            let base = self.base(*text);
            Fault::at(&(base + span.start..base + span.end), message.clone())
        };
        self.faults.iter().map(at).collect()
    }

    /// The documents; one that is no XML has a fault, and the robot is not read further.
    pub(super) fn parsed(&self) -> Vec<Document<'_>> {
        self.files.iter().filter_map(|(_, text)| xml::parse(text).ok()).collect()
    }

    /// The included files.
    pub(super) fn into_included(mut self) -> Vec<File> {
        self.files.split_off(1)
    }
}

/// All elements of a robot.
pub(super) struct Elements<'a> {
    documents: &'a [Document<'a>],
    bases: Vec<usize>,
    targets: &'a HashMap<(usize, usize), usize>,
}

impl<'a> Elements<'a> {
    pub(super) fn new(texts: &'a Texts, documents: &'a [Document<'a>]) -> Self {
        let bases = (0..documents.len()).map(|k| texts.base(k)).collect();
        Self { documents, bases, targets: &texts.targets }
    }

    /// The root element.
    pub(super) fn root(&self) -> Element<'a> {
        Element { node: self.documents[0].root_element(), base: self.bases[0] }
    }

    /// The elements inside another; in the place of an `<include>` stand those of its file.
    pub(super) fn children(&self, of: Element<'a>) -> Vec<Element<'a>> {
        let mut out = Vec::new();
        self.add_children(of, &mut out);
        out
    }

    /// Recursion is as deep as files include each other, at most [`MOST_FILES`].
    fn add_children(&self, of: Element<'a>, out: &mut Vec<Element<'a>>) {
        for node in of.node.children().filter(Node::is_element) {
            if !node.has_tag_name("include") {
                out.push(Element { node, base: of.base });
                continue;
            }
            let text = self.bases.iter().position(|base| *base == of.base).unwrap_or(0);
            if let Some(&target) = self.targets.get(&(text, node.range().start)) {
                let (node, base) = (self.documents[target].root_element(), self.bases[target]);
                self.add_children(Element { node, base }, out);
            }
        }
    }
}
