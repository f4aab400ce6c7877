//! `<default>`: classes of attributes, one inside the other.

use std::collections::HashMap;

use super::attributes::Item;
use super::document::{Element, Elements};
use super::{ACTUATORS, Reader, known};
use crate::robot::xml::cut;

/// The class that everything is in.
const MAIN: &str = "main";

/// A class.
#[derive(Debug)]
struct Class<'a> {
    parent: Option<usize>,
    elements: Vec<Element<'a>>,
}

/// All classes; the first is `main`.
#[derive(Debug)]
pub(super) struct Classes<'a> {
    list: Vec<Class<'a>>,
    names: HashMap<&'a str, usize>,
}

impl<'a> Classes<'a> {
    pub(super) fn new() -> Self {
        let main = Class { parent: None, elements: Vec::new() };
        Self { list: vec![main], names: HashMap::from([(MAIN, 0)]) }
    }

    /// The attributes of all elements of that kind from the outermost class to this one.
    pub(super) fn layers(&self, class: usize, tag: &str) -> Vec<Element<'a>> {
        let mut out = Vec::new();
        let mut at = Some(class);
        while let Some(k) = at {
            let own = self.list[k].elements.iter().filter(|e| kind_of(e.tag()) == kind_of(tag));
            out.extend(own.rev());
            at = self.list[k].parent;
        }
        out.reverse();
        out
    }
}

/// Elements that share their defaults.
fn kind_of(tag: &str) -> &str {
    match tag {
        "spatial" | "fixed" => "tendon",
        actuator if ACTUATORS.contains(&actuator) => "general",
        other => other,
    }
}

impl<'a> Reader<'a> {
    /// Reads all classes.
    pub(super) fn read_classes(&mut self, elements: &Elements<'a>, root: Element<'a>) {
        let top = elements.children(root).into_iter().filter(|e| e.tag() == "default");
        let mut open: Vec<(Element<'a>, Option<usize>)> = top.map(|e| (e, None)).collect();
        // The last is taken first; of several parts of `main` the later one counts.
        open.reverse();
        while let Some((element, parent)) = open.pop() {
            let name = element.attribute("class").map(|found| found.0);
            let class = match (parent, name) {
                (None, None | Some(MAIN)) => 0,
                (None, Some(other)) => {
                    let span = element.span();
                    let message = format!(
                        "the outermost class is called `main`, not `{}`: put this class into a <default>",
                        cut(other)
                    );
                    let _ = self.refuse::<()>(&span, message);
                    continue;
                }
                (Some(_), None) => {
                    let span = element.span();
                    let _ = self.refuse::<()>(&span, "a <default> inside another has no `class`");
                    continue;
                }
                (Some(parent), Some(name)) => {
                    let new = self.classes.list.len();
                    if self.classes.names.insert(name, new).is_some() {
                        let span = element.span();
                        let message = format!("a second class `{}`: names are unique", cut(name));
                        let _ = self.refuse::<()>(&span, message);
                    }
                    self.classes.list.push(Class { parent: Some(parent), elements: Vec::new() });
                    new
                }
            };
            for child in elements.children(element) {
                if child.tag() == "default" {
                    open.push((child, Some(class)));
                    continue;
                }
                if let Some(known) = known::attributes(child.tag()) {
                    self.check_attributes(child, known);
                }
                self.classes.list[class].elements.push(child);
            }
        }
    }

    /// The number of a class that an element names, or `None` if it names none.
    pub(super) fn class(&mut self, element: Element<'a>, key: &str) -> Option<usize> {
        let (name, span) = element.attribute(key)?;
        let found = self.classes.names.get(name).copied();
        if found.is_none() {
            let _ = self.refuse::<()>(&span, format!("there is no class `{}`", cut(name)));
        }
        found
    }

    /// An element with its defaults: of its own class, or of that around it.
    pub(super) fn item(&mut self, element: Element<'a>, around: usize) -> Item<'a> {
        let class = self.class(element, "class").unwrap_or(around);
        let mut layers = self.classes.layers(class, element.tag());
        layers.push(element);
        Item { layers, span: element.span(), tag: element.tag() }
    }
}
