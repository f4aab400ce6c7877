//! One file over another: what stands in the upper one holds.

use super::{Description, Entry, Node, Origin, Table, Value};

impl Description {
    /// This description over another one: tables are joined key by key, everything else is replaced; so is a `study`, whose variables
    /// belong together. `shift` is added to the places of this description, whose text stands behind that of the other.
    pub fn over(mut self, mut base: Description, shift: usize) -> Description {
        shift_table(&mut self.root, shift);
        if self.root.position("study").is_some() {
            base.remove("study");
        }
        let mut root = base.root;
        join(&mut root, self.root);
        Description { root, ..Description::default() }
    }

    /// Takes a key of the top level out.
    pub fn remove(&mut self, key: &str) -> Option<Node> {
        self.remove_from(&[], key)
    }

    /// Takes a key out of the table that some keys lead to.
    pub fn remove_from(&mut self, path: &[&str], key: &str) -> Option<Node> {
        let mut table = &mut self.root;
        for step in path {
            let Some(Value::Table(inner)) = table.value_mut(step) else { return None };
            table = inner;
        }
        let at = table.position(key)?;
        let entry = table.entries.remove(at);
        table.reindex();
        Some(entry.node)
    }
}

fn join(lower: &mut Table, upper: Table) {
    for Entry { key, origin, node } in upper.entries {
        let place = lower.position(&key).map(|k| &mut lower.entries[k]);
        match (place, node.value) {
            (
                Some(Entry { node: Node { value: Value::Table(below), .. }, .. }),
                Value::Table(inner),
            ) => {
                join(below, inner);
            }
            (_, value) => {
                let node = Node { origin: node.origin, value };
                lower.insert(Entry { key, origin, node });
            }
        }
    }
}

fn shift_table(table: &mut Table, by: usize) {
    for entry in &mut table.entries {
        shift_origin(&mut entry.origin, by);
        shift_node(&mut entry.node, by);
    }
}

fn shift_node(node: &mut Node, by: usize) {
    shift_origin(&mut node.origin, by);
    match &mut node.value {
        Value::Text { verbatim: Some(first), .. } => *first += by,
        Value::List(list) => list.iter_mut().for_each(|node| shift_node(node, by)),
        Value::Table(table) => shift_table(table, by),
        _ => {}
    }
}

fn shift_origin(origin: &mut Origin, by: usize) {
    if let Origin::Text(span) = origin {
        *span = span.start + by..span.end + by;
    }
}
