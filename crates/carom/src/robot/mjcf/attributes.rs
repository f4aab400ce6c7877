//! Attributes of an element over those of its default classes.

use std::ops::Range;

use super::Reader;
use super::document::Element;
use crate::maths::nearest::nearest;
use crate::robot::Fault;
use crate::robot::xml::{cut, number};

/// A fault was noted, and what was asked for has no value.
#[derive(Debug)]
pub(super) struct Refused;
/// A value, or a fault that was noted.
pub(super) type Read<T> = Result<T, Refused>;

/// An element and the defaults below it, the outermost class first and the element last.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    pub layers: Vec<Element<'a>>,
    pub span: Range<usize>,
    pub tag: &'a str,
}

impl<'a> Item<'a> {
    /// An element without defaults.
    pub(super) fn alone(element: Element<'a>) -> Self {
        Self { layers: vec![element], span: element.span(), tag: element.tag() }
    }

    /// The value that counts: the element's own, or that of the innermost class.
    pub(super) fn get(&self, key: &str) -> Option<(&'a str, Range<usize>)> {
        self.layers.iter().rev().find_map(|layer| layer.attribute(key))
    }

    /// Its name, if it has one.
    pub(super) fn name(&self) -> Option<&'a str> {
        self.layers.last()?.attribute("name").map(|(name, _)| name).filter(|n| !n.trim().is_empty())
    }
}

impl<'a> Reader<'a> {
    pub(super) fn refuse<T>(&mut self, span: &Range<usize>, message: impl Into<String>) -> Read<T> {
        self.faults.push(Fault::at(span, message));
        Err(Refused)
    }

    /// Numbers of a text, at most `most` of them.
    pub(super) fn numbers(
        &mut self,
        (text, span): (&str, Range<usize>),
        key: &str,
        most: usize,
    ) -> Read<Vec<f64>> {
        let count = text.split_ascii_whitespace().take(most + 1).count();
        if count > most || count == 0 {
            let found = cut(text);
            let message = format!("`{key}`: \"{found}\": expected at most {most} number(s)");
            return self.refuse(&span, message);
        }
        let mut out = Vec::with_capacity(count);
        for word in text.split_ascii_whitespace() {
            match number(word, key) {
                Ok(x) => out.push(x),
                Err(message) => return self.refuse(&span, message),
            }
        }
        Ok(out)
    }

    /// As many numbers as the attribute must have.
    pub(super) fn vector<const N: usize>(
        &mut self,
        item: &Item<'a>,
        key: &str,
    ) -> Read<Option<[f64; N]>> {
        let Some((text, span)) = item.get(key) else { return Ok(None) };
        let count = text.split_ascii_whitespace().count();
        if count != N {
            let found = cut(text);
            let message = format!(
                "`{key}`: found {count} number(s) (\"{found}\") where {N} {} expected",
                if N == 1 { "is" } else { "are" }
            );
            return self.refuse(&span, message);
        }
        let found = self.numbers((text, span), key, N)?;
        Ok(found.try_into().ok())
    }

    pub(super) fn scalar(&mut self, item: &Item<'a>, key: &str) -> Read<Option<f64>> {
        Ok(self.vector::<1>(item, key)?.map(|[x]| x))
    }

    /// A number of at least zero; zero if it is missing.
    pub(super) fn not_negative(&mut self, item: &Item<'a>, key: &str) -> Read<f64> {
        let x = self.scalar(item, key)?.unwrap_or(0.0);
        if x < 0.0 {
            let span = item.get(key).map_or(item.span.clone(), |found| found.1);
            return self.refuse(&span, format!("`{key}`: {x}: at least 0 is expected"));
        }
        Ok(x)
    }

    /// Numbers that the layers overwrite one by one from the first on, as the format does with `size`: a class may give three and the element
    /// replace the first.
    pub(super) fn overlaid<const N: usize>(
        &mut self,
        item: &Item<'a>,
        key: &str,
        default: [f64; N],
    ) -> Read<[f64; N]> {
        let mut out = default;
        for layer in &item.layers {
            let Some(found) = layer.attribute(key) else { continue };
            for (out, x) in out.iter_mut().zip(self.numbers(found, key, N)?) {
                *out = x;
            }
        }
        Ok(out)
    }

    /// Which of several words stands there.
    pub(super) fn word(
        &mut self,
        item: &Item<'a>,
        key: &str,
        words: &[&str],
    ) -> Read<Option<usize>> {
        let Some((text, span)) = item.get(key) else { return Ok(None) };
        if let Some(k) = words.iter().position(|w| *w == text.trim()) {
            return Ok(Some(k));
        }
        let known = words.join(", ");
        self.refuse(&span, format!("`{key}`: \"{}\": expected one of {known}", cut(text)))
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, item: &Item<'a>, key: &str) -> Read<Option<bool>> {
        Ok(self.word(item, key, &["false", "true"])?.map(|k| k == 1))
    }

    /// A name that must be there.
    pub(super) fn required(&mut self, item: &Item<'a>, key: &str) -> Read<(&'a str, Range<usize>)> {
        match item.get(key) {
            Some((text, span)) if !text.trim().is_empty() => Ok((text, span)),
            Some((_, span)) => {
                self.refuse(&span, format!("the `{key}` of <{}> is empty", item.tag))
            }
            None => {
                let span = item.span.clone();
                self.refuse(&span, format!("<{}> has no `{key}`", item.tag))
            }
        }
    }

    /// Refuses attributes that the format does not have: a mistyped `mass` would change the answer silently.
    pub(super) fn check_attributes(&mut self, element: Element<'a>, known: &[&str]) {
        let tag = element.tag();
        for attribute in element.node.attributes() {
            let name = attribute.name();
            if attribute.namespace().is_some() || known.contains(&name) {
                continue;
            }
            let hint = nearest(name, known.iter().copied())
                .map_or_else(String::new, |near| format!("; is `{near}` meant?"));
            let message = format!("`{}` is no attribute of <{tag}>{hint}", cut(name));
            let span = element.span();
            self.faults.push(Fault::at(&span, message));
        }
    }
}
