//! A model whose numbers follow from the variables of a study, changed in place.

use std::sync::Arc;

use super::body::{NO_MASS, scale_by_what_is_carried};
use super::check::check_body;
use super::compile::{Compiler, moved_shape};
use super::numbers::Item;
use super::parts::Parts;
use super::recipe::Recipe;
use super::tree::{order_tree, planar_kind};
use super::{Model, ShapeKind};

/// Parts and model of one design point after the other.
#[derive(Clone, Debug)]
pub struct Draft {
    recipe: Arc<Recipe>,
    parts: Parts,
    order: Vec<usize>,
    model: Model,
    /// Variables, then what follows from them.
    slots: Vec<f64>,
    /// Segments whose outer side the pose decides, which it does anew at every point.
    open_segments: Vec<usize>,
}

impl Draft {
    /// The model of the recipe's own point; none if it has faults.
    pub fn new(recipe: &Arc<Recipe>) -> Option<Self> {
        let parts = recipe.parts.clone();
        let mut faults = Vec::new();
        let order = order_tree(&parts, &mut faults);
        let model = Model::new(&parts).ok().filter(|_| faults.is_empty())?;
        let open =
            |s: &usize| matches!(parts.shapes[*s].kind, ShapeKind::Segment { side: None, .. });
        let open_segments = (0..parts.shapes.len()).filter(open).collect();
        let recipe = Arc::clone(recipe);
        Some(Self { recipe, parts, order, model, slots: Vec::new(), open_segments })
    }

    /// The recipe.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model, for what its pose decides.
    pub fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Gives the variables their values in SI units. False if the recipe does not hold there: then the model is of no use, and the
    /// file has to be read again to say whether it has a fault.
    pub fn set(&mut self, variables: &[f64]) -> bool {
        let Self { recipe, parts, slots, .. } = self;
        if !recipe.evaluate(variables, slots) {
            return false;
        }
        recipe.write(slots, parts);
        if !self.recipe.items.iter().all(|item| self.is_sound(*item)) {
            return false;
        }
        let compiler = Compiler::new(&self.parts, &self.order);
        let moves_links = self.recipe.items.iter().any(|i| matches!(i, Item::Link(_)));
        let without_mass = || self.model.bodies.iter().any(|b| b.inertia.mass <= NO_MASS);
        if moves_links || self.recipe.change.bodies && without_mass() {
            for item in self.parts.items() {
                compiler.renew(item, &mut self.model);
            }
            scale_by_what_is_carried(&mut self.model.bodies);
        } else {
            for item in &self.recipe.items {
                compiler.renew(*item, &mut self.model);
            }
        }
        for &shape in &self.open_segments {
            compiler.renew(Item::Shape(shape), &mut self.model);
        }
        true
    }

    /// Whether numbers that are sound one by one are so together.
    fn is_sound(&self, item: Item) -> bool {
        match item {
            Item::Body(b) => {
                let mut faults = Vec::new();
                check_body(&self.parts.bodies[b], self.parts.space, &mut faults);
                faults.is_empty()
            }
            Item::State(j) => {
                let joint = &self.parts.joints[j];
                let moves = joint.velocity.iter().flatten().any(|v| *v != 0.0);
                let turned = planar_kind(joint.kind, self.parts.space).quaternion();
                let no_rotation = |q: &Vec<f64>| {
                    turned.clone().is_some_and(|range| q[range].iter().all(|x| *x == 0.0))
                };
                let stands =
                    ![&joint.position, &joint.guess].into_iter().flatten().any(no_rotation);
                stands && !(joint.locked && moves)
            }
            Item::Shape(s) => {
                !matches!(self.parts.shapes[s].kind, ShapeKind::Segment { start, end, .. } if start == end)
            }
            _ => true,
        }
    }
}

impl Compiler<'_> {
    /// Takes the numbers of a place into the model that was compiled before.
    fn renew(&self, item: Item, model: &mut Model) {
        let parts = self.parts;
        match item {
            Item::Gravity => model.gravity = parts.gravity,
            Item::Energy => {
                model.initial.kinetic_energy = parts.initial.rest.kinetic_energy;
            }
            Item::Body(b) => {
                let row = self.id[b].index();
                model.bodies[row] = self.body(self.order[row]);
            }
            Item::Joint(j) | Item::Link(j) => {
                model.bodies[self.id[parts.joints[j].child].index()] = self.body(j);
            }
            Item::State(j) => {
                let joint = &mut model.bodies[self.id[parts.joints[j].child].index()].joint;
                (joint.position, joint.velocity) = self.written_state(j);
            }
            Item::Closure(c) => model.closures[c].rows = self.closure(&parts.closures[c]).rows,
            Item::Marker(m) => {
                model.markers[m] = self.marker(m);
                let targets = model.initial.points.iter_mut().zip(&parts.initial.points);
                for (target, _) in targets.filter(|(_, part)| part.0 == m) {
                    target.anchor = model.markers[m].anchor;
                }
            }
            Item::Shape(s) => {
                let shape = &parts.shapes[s];
                model.shapes[s].kind = moved_shape(&shape.kind, &self.frame_of(shape.body));
            }
            Item::Contact(c) => {
                model.contacts[c].geometry = self.contact(&parts.contacts[c].place);
                model.contacts[c].defaults.clone_from(&parts.contacts[c].defaults);
            }
            Item::Load(l) => {
                model.loads[l] = self.load(&parts.loads[l].name, &parts.loads[l].kind);
            }
            Item::Place(p) => model.initial.points[p].at = parts.initial.points[p].1,
            Item::Velocity(p) => model.initial.points[p].velocity = parts.initial.points[p].2,
        }
    }
}
