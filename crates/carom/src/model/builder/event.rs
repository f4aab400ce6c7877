//! `[events]`: expressions whose zeros a run finds.

use super::Builder;
use super::finding::Mistake;
use super::keys::{CONSEQUENCES, CROSSINGS, EVENT};
use super::reader::Place;
use crate::maths::expression::{Scope, Tape};
use crate::model::event::{Consequence, Crossing, UserEvent};

impl<'d> Builder<'d> {
    pub(super) fn read_events(&mut self) {
        for (name, place) in self.named("events") {
            self.check_keys(&place, &EVENT);
            let when = match place.get("when") {
                Some((node, path)) => self
                    .choice(node, &path, &CROSSINGS, "way to cross zero")
                    .map(|k| Crossing::ALL[k]),
                None => Some(Crossing::Crosses),
            };
            let then = match place.get("then") {
                Some((node, path)) => self
                    .choice(node, &path, &CONSEQUENCES, "consequence of an event")
                    .map(|k| Consequence::ALL[k]),
                None => Some(Consequence::Record),
            };
            let expression = self.event_expression(&place);
            if let (Some(when), Some(then), Some(expression)) = (when, then, expression) {
                let name = name.to_owned();
                self.parts.events.push(UserEvent { name, expression, when, then });
            }
        }
    }

    /// An expression that may move; of any dimension, since only its zero counts.
    fn event_expression(&mut self, place: &Place<'d>) -> Option<Tape> {
        let (node, path) = place.get("expression")?;
        let tape = self.expression(node, &path, Scope::Event)?.tape;
        if tape.as_constant().is_some() {
            let why = "it depends on nothing that moves: use t, q.…, v.… or gap.…".to_owned();
            self.note(&path, Some(&node.origin), Mistake::Conflict(why));
            return None;
        }
        Some(tape)
    }
}
