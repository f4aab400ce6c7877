//! From a description and the paths that a study varies to a [`Recipe`].
//!
//! Which number of the parts a value of the file becomes is known to the builder's readers alone. So they are asked: each value
//! that depends on a variable is given two other values, the file is read again, and the numbers of the parts that took these very
//! values are where it goes. If anything else in the parts changed as well (an inertia that follows from a length, a direction that
//! is normalised), there is no recipe, and every point reads the file.

use std::collections::HashMap;

use super::Builder;
use super::frozen::live;
use super::reader::{item, joined};
use crate::maths::expression::{Binding, Expression, Scope, Step, Tape, Variable};
use crate::model::Model;
use crate::model::description::{Description, Node, Origin, Table, Value, split_path};
use crate::model::numbers::Item;
use crate::model::parts::Parts;
use crate::model::recipe::{Bounds, Recipe, Write};

/// More values than this that depend on the variables are not worth asking for one by one.
const MOST_LEAVES: usize = 256;
/// Nor are models whose leaves times parts exceed this: each question reads the whole file.
const MOST_WORK: usize = 20_000;
/// How far beyond the sampled values a leaf is tried, as part of their range.
const BEYOND: f64 = 0.1;
/// What a number of the parts may be of its value in the file.
const FACTORS: [f64; 2] = [1.0, 0.5];

/// A value of the file that depends on the variables.
struct Leaf {
    path: String,
    slot: usize,
}

/// The recipe of a description whose variables stand at `paths`; none if there is none.
///
/// `samples` are values of the variables in SI units at some points; the description stands at the first of them.
pub fn compile(description: &Description, paths: &[&str], samples: &[Vec<f64>]) -> Option<Recipe> {
    let mut compiler = Compiler::new(description, paths)?;
    compiler.add_parameters(paths)?;
    compiler.add_leaves(&description.root, "")?;
    let Compiler { tapes, leaves, .. } = compiler;
    let base = sound_parts(description)?;
    let work = leaves.len() * base.items().len();
    if leaves.is_empty() || leaves.len() > MOST_LEAVES || work > MOST_WORK {
        return None;
    }
    let draft = Recipe::new(paths.len(), tapes, Vec::new(), Vec::new(), base.clone());
    let all: Vec<Vec<f64>> = samples.iter().filter_map(|x| slots(&draft, x)).collect();
    let first = slots(&draft, samples.first()?)?;
    // All live values as plain numbers; a unit that says more than a factor (that of a stiffness says n) shows here.
    let mut plain = description.clone();
    for leaf in &leaves {
        put(&mut plain, leaf, first[leaf.slot])?;
    }
    let text = |parts: &Parts| format!("{parts:?}");
    if text(&sound_parts(&plain)?) != text(&base) {
        return None;
    }
    let (mut writes, mut bounds) = (Vec::new(), Vec::new());
    for leaf in &leaves {
        let values = || all.iter().map(|slots| slots[leaf.slot]);
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        let margin = BEYOND * (high - low);
        let found = [margin, 0.0].into_iter().find_map(|margin| {
            let ends = [low - margin, high + margin];
            Some((asked(&plain, &base, leaf, first[leaf.slot], ends)?, ends))
        });
        let (goes, [low, high]) = found?;
        writes.extend(goes);
        bounds.push(Bounds { slot: leaf.slot, low, high });
    }
    Some(Recipe::new(paths.len(), draft.tapes, bounds, writes, base))
}

/// All slots at some values of the variables; none if a number is not finite.
fn slots(recipe: &Recipe, variables: &[f64]) -> Option<Vec<f64>> {
    let mut out = Vec::new();
    recipe.evaluate(variables, &mut out).then_some(out)
}

/// The parts of a description without faults.
fn sound_parts(description: &Description) -> Option<Parts> {
    let mut builder = Builder::new(description);
    builder.read();
    (builder.findings.is_empty() && Model::new(&builder.parts).is_ok()).then_some(builder.parts)
}

/// Replaces a value of the file by a plain number.
fn put(description: &mut Description, leaf: &Leaf, x: f64) -> Option<()> {
    let node = Node { origin: Origin::Set(leaf.path.clone()), value: Value::Number(x) };
    description.set_node(&leaf.path, node).ok()
}

/// Where a value goes, as seen at two values of it; none if that does not explain all that changes.
fn asked(
    plain: &Description,
    base: &Parts,
    leaf: &Leaf,
    here: f64,
    ends: [f64; 2],
) -> Option<Vec<Write>> {
    let mut description = plain.clone();
    let mut seen = Vec::new();
    // A value that is the same at all samples holds at this value alone, and needs not be written.
    if ends[0] == ends[1] {
        return Some(Vec::new());
    }
    for end in ends {
        put(&mut description, leaf, end)?;
        seen.push(sound_parts(&description)?);
    }
    let before = numbers(base);
    let after: Vec<_> = seen.iter().map(numbers).collect();
    if after.iter().any(|all| all.len() != before.len()) {
        return None;
    }
    let mut writes = Vec::new();
    for (k, &(item, number, x)) in before.iter().enumerate() {
        let values = [x, after[0][k].2, after[1][k].2];
        let asked = [here, ends[0], ends[1]];
        let takes = |factor: &&f64| {
            values.iter().zip(asked).all(|(x, y)| x.to_bits() == (y * **factor).to_bits())
        };
        if let Some(&factor) = FACTORS.iter().find(takes) {
            writes.push(Write { item, number, slot: leaf.slot, factor });
        }
    }
    let recipe = Recipe::new(0, Vec::new(), Vec::new(), writes, base.clone());
    for (end, seen) in ends.into_iter().zip(&seen) {
        let mut parts = base.clone();
        let mut slots = vec![f64::NAN; leaf.slot];
        slots.push(end);
        recipe.write(&slots, &mut parts);
        if format!("{parts:?}") != format!("{seen:?}") {
            return None;
        }
    }
    Some(recipe.writes)
}

/// All numbers of the parts by where they stand.
fn numbers(parts: &Parts) -> Vec<(Item, usize, f64)> {
    let mut parts = parts.clone();
    let mut out = Vec::new();
    for item in parts.items() {
        let mut number = 0;
        parts.visit(item, &mut |x| {
            out.push((item, number, *x));
            number += 1;
        });
    }
    out
}

/// The expressions that depend on the variables.
struct Compiler<'d> {
    builder: Builder<'d>,
    /// Parameters that depend on the variables, by their slots.
    live: HashMap<String, usize>,
    /// Variables that are no parameters, by their path.
    direct: HashMap<Vec<String>, usize>,
    variables: usize,
    tapes: Vec<Tape>,
    leaves: Vec<Leaf>,
}

impl<'d> Compiler<'d> {
    fn new(description: &'d Description, paths: &[&str]) -> Option<Self> {
        let mut builder = Builder::new(description);
        builder.read_space();
        builder.read_functions();
        builder.read_parameters();
        let (mut live, mut direct) = (HashMap::new(), HashMap::new());
        for (slot, path) in paths.iter().enumerate() {
            let keys = split_path(path)?;
            match keys.as_slice() {
                [first, name] if first == "parameters" => {
                    live.insert(name.clone(), slot);
                }
                _ => {
                    direct.insert(keys, slot);
                }
            }
        }
        let (tapes, leaves) = (Vec::new(), Vec::new());
        Some(Self { builder, live, direct, variables: paths.len(), tapes, leaves })
    }

    /// A new slot that a tape fills.
    fn push(&mut self, tape: Tape) -> usize {
        self.tapes.push(tape);
        self.variables + self.tapes.len() - 1
    }

    /// An expression over slots; none if it is none of constants and parameters.
    fn tape(&self, text: &str) -> Option<Tape> {
        let expression = Expression::parse(text, Scope::Constant).ok()?;
        let resolved = expression.resolve(|name| match self.live.get(name) {
            Some(slot) => Ok(Binding::Variable(Variable::Position(*slot))),
            None => self.builder.lookup(name, Scope::Constant, &mut false),
        });
        Some(resolved.ok()?.tape)
    }

    /// Parameters that depend on the variables, those first that others use.
    fn add_parameters(&mut self, paths: &[&str]) -> Option<()> {
        let description = self.builder.description;
        let all = live(description, paths);
        let Some(Value::Table(table)) = description.root.get("parameters").map(|n| &n.value) else {
            return Some(());
        };
        let mut waiting: Vec<(&String, &String)> = Vec::new();
        for entry in table.entries() {
            if all.contains(&entry.key) && !self.live.contains_key(&entry.key) {
                let Value::Text { text, .. } = &entry.node.value else { return None };
                waiting.push((&entry.key, text));
            }
        }
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut later = Vec::new();
            for (key, text) in waiting {
                let names = Expression::parse(text, Scope::Constant).ok()?;
                let names = self.builder.names_of(&names);
                let ready = names.iter().all(|n| !all.contains(n) || self.live.contains_key(n));
                if ready {
                    let tape = self.tape(text)?;
                    let slot = self.push(tape);
                    self.live.insert(key.clone(), slot);
                } else {
                    later.push((key, text));
                }
            }
            if later.len() == before {
                return None;
            }
            waiting = later;
        }
        Some(())
    }

    /// Values of a table that depend on the variables; none if one of them is no plain quantity.
    fn add_leaves(&mut self, table: &Table, path: &str) -> Option<()> {
        for entry in table.entries() {
            if path.is_empty()
                && ["parameters", "functions", "study", "title", "uncertainty"]
                    .contains(&entry.key.as_str())
            {
                continue;
            }
            self.add_leaf(&entry.node, joined(path, &entry.key))?;
        }
        Some(())
    }

    fn add_leaf(&mut self, node: &Node, path: String) -> Option<()> {
        if !self.direct.is_empty()
            && let Some(&slot) = self.direct.get(&split_path(&path)?)
        {
            let tape = Tape::new(vec![Step::Variable(Variable::Position(slot))])?;
            let slot = self.push(tape);
            self.leaves.push(Leaf { path, slot });
            return Some(());
        }
        match &node.value {
            Value::Table(table) => self.add_leaves(table, &path),
            Value::List(list) => list
                .iter()
                .enumerate()
                .try_for_each(|(k, node)| self.add_leaf(node, item(&path, k))),
            Value::Text { text, .. } if self.mentions(text) => {
                let tape = self.tape(text)?;
                let slot = self.push(tape);
                self.leaves.push(Leaf { path, slot });
                Some(())
            }
            _ => Some(()),
        }
    }

    /// Whether a word of a text is the name of a parameter that depends on the variables, or of a function, which may use one.
    fn mentions(&self, text: &str) -> bool {
        let depends = |w: &str| self.live.contains_key(w) || self.builder.functions.contains_key(w);
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(depends)
    }
}
