//! Names of links and joints: those of the file, and others that are made up for what has none.

use std::collections::HashSet;

use crate::robot::names::mapped;

/// Names of links and joints that are taken.
#[derive(Debug, Default)]
pub(super) struct Names {
    links: HashSet<String>,
    joints: HashSet<String>,
}

impl Names {
    /// Takes the names of all bodies and joints, so that a made-up name is none of them.
    pub(super) fn reserve(&mut self, tag: &str, name: &str) {
        match tag {
            "body" => self.links.insert(mapped(name)),
            "joint" | "freejoint" => self.joints.insert(mapped(name)),
            _ => false,
        };
    }

    pub(super) fn has_link(&self, name: &str) -> bool {
        self.links.contains(&mapped(name))
    }

    pub(super) fn fresh_link(&mut self, wish: &str) -> String {
        fresh(&mut self.links, wish)
    }

    pub(super) fn fresh_joint(&mut self, wish: &str) -> String {
        fresh(&mut self.joints, wish)
    }
}

fn fresh(taken: &mut HashSet<String>, wish: &str) -> String {
    let mut name = wish.to_owned();
    let mut count = 1;
    while !taken.insert(mapped(&name)) {
        count += 1;
        name = format!("{wish}_{count}");
    }
    name
}
