//! What no variable of a study changes, as plain numbers: a million points need not read it a million times.

use std::collections::HashSet;

use super::Builder;
use crate::maths::expression::{Expression, Scope};
use crate::maths::units::{Dimension, Measure};
use crate::model::description::{Description, Node, Value};

/// Keys of these sections that hold quantities and nothing else.
const QUANTITIES: [(&str, &[&str]); 3] = [
    ("bodies", &["mass", "inertia", "center"]),
    ("joints", &["at", "position", "guess", "velocity", "orientation", "rotor"]),
    ("closures", &["at", "length"]),
];

/// Dimensions whose loss changes nothing. A stiffness is none of them: its unit says its exponent.
const SIMPLE: [Dimension; 11] = [
    Dimension::NONE,
    Dimension::MASS,
    Dimension::LENGTH,
    Dimension::TIME,
    Dimension::ANGLE,
    Dimension::VELOCITY,
    Dimension::ANGULAR_VELOCITY,
    Dimension::ACCELERATION,
    Dimension::FORCE,
    Dimension::ENERGY,
    Dimension::INERTIA,
];

/// More parameters than this are left as they are.
const MOST_PARAMETERS: usize = 1000;

/// The description with what does not depend on the paths `varied` as numbers. It builds the same models: units were
/// checked before, and a plain number fits anywhere.
pub fn freeze(description: &Description, varied: &[&str]) -> Description {
    let mut out = description.clone();
    let mut builder = Builder::new(description);
    builder.read_functions();
    builder.read_parameters();
    if builder.parameters.len() > MOST_PARAMETERS {
        return out;
    }
    let live = live(description, varied);
    let still = |text: &str| {
        Expression::parse(text, Scope::Constant)
            // What a function of the file uses is not looked into.
            .is_ok_and(|e| e.calls().next().is_none() && e.names().all(|n| !live.contains(n)))
    };
    let simple = |measure: Measure| match measure {
        Measure::Known(d) => SIMPLE.iter().any(|s| s.agrees(d)),
        Measure::Number | Measure::Unknown => true,
    };
    let parameters: Vec<(String, f64)> = builder
        .parameters
        .iter()
        .filter(|(name, _)| !live.contains(**name))
        .filter_map(|(name, found)| {
            found.filter(|(_, m)| simple(*m)).map(|(x, _)| ((*name).to_owned(), x))
        })
        .collect();
    let mut number = |node: &Node| -> Option<f64> {
        let Value::Text { text, .. } = &node.value else { return None };
        let resolved = still(text).then(|| builder.expression(node, "", Scope::Constant))??;
        resolved.tape.as_constant().filter(|x| x.is_finite() && simple(resolved.measure))
    };
    for (section, keys) in QUANTITIES {
        let Some(Value::Table(named)) = out.root.value_mut(section) else { continue };
        for (_, node) in named.nodes_mut() {
            let Value::Table(table) = &mut node.value else { continue };
            for (key, node) in table.nodes_mut() {
                if keys.contains(&key) {
                    replace(node, &mut number);
                }
            }
        }
    }
    if let Some(Value::Table(table)) = out.root.value_mut("parameters") {
        for (name, node) in table.nodes_mut() {
            if let Some((_, x)) = parameters.iter().find(|(p, _)| p == name) {
                node.value = Value::Number(*x);
            }
        }
    }
    out
}

/// Texts of a node or of its lists.
fn replace(node: &mut Node, number: &mut dyn FnMut(&Node) -> Option<f64>) {
    if let Some(x) = number(node) {
        node.value = Value::Number(x);
    } else if let Value::List(list) = &mut node.value {
        for node in list {
            replace(node, number);
        }
    }
}

/// The parameters that depend on the varied paths.
pub(super) fn live(description: &Description, varied: &[&str]) -> HashSet<String> {
    let mut live: HashSet<String> = varied
        .iter()
        .filter_map(|path| path.strip_prefix("parameters."))
        .map(str::to_owned)
        .collect();
    let Some(Value::Table(table)) = description.root.get("parameters").map(|n| &n.value) else {
        return live;
    };
    loop {
        let before = live.len();
        for entry in table.entries() {
            let Value::Text { text, .. } = &entry.node.value else { continue };
            let uses = Expression::parse(text, Scope::Constant)
                .is_ok_and(|e| e.calls().next().is_some() || e.names().any(|n| live.contains(n)));
            if uses {
                live.insert(entry.key.clone());
            }
        }
        if live.len() == before {
            return live;
        }
    }
}
