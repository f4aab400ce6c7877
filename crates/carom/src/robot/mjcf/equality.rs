//! `<equality>`: closures between bodies, sites and joints; and fixed tendons, which couple joints.

use std::collections::HashMap;
use std::ops::Range;

use super::Reader;
use super::attributes::{Item, Read};
use super::document::Element;
use crate::maths::nearest::nearest;
use crate::maths::{Pose, Vec3};
use crate::model::joint::quaternion_rotation;
use crate::robot::xml::cut;
use crate::robot::{Closure, ClosureKind, JointMotion, Note};

/// A tendon: its length is Σ c q over joints, or `None` if it runs through space.
pub(super) type Tendon = Option<Vec<(usize, f64)>>;

impl<'a> Reader<'a> {
    /// Reads tendons: fixed ones may couple joints; inertia of any would change the mass matrix.
    pub(super) fn read_tendons(&mut self, section: Element<'a>) -> Read<()> {
        for element in self.elements.children(section) {
            let item = self.item(element, 0);
            let name = item.name().unwrap_or_default();
            let armature = self.not_negative(&item, "armature")?;
            let mut tendon = None;
            if element.tag() == "fixed" {
                let mut terms = Vec::new();
                for part in self.elements.children(element) {
                    let part = Item::alone(part);
                    let (joint, span) = self.required(&part, "joint")?;
                    let joint = self.single_joint(joint, &span)?;
                    terms.push((joint, self.scalar(&part, "coef")?.unwrap_or(1.0)));
                }
                tendon = Some(terms);
            }
            match (&tendon, armature > 0.0) {
                (_, false) => {}
                // M + a c cᵀ of one joint is a rotor of c² a there.
                (Some(terms), true) if terms.len() == 1 => {
                    self.robot.joints[terms[0].0].rotor += terms[0].1.powi(2) * armature;
                }
                _ => {
                    let message = format!(
                        "tendon `{}` has an `armature`, which couples the inertia of several joints and is not read",
                        cut(name)
                    );
                    return self.refuse(&item.span, message);
                }
            }
            self.tendons.insert(name, tendon);
            self.unread(element.tag());
        }
        Ok(())
    }

    /// A joint with one coordinate, by its name.
    pub(super) fn single_joint(&mut self, name: &str, span: &Range<usize>) -> Read<usize> {
        let joint = self.named("joint", name, span)?;
        if !matches!(self.robot.joints[joint].motion, JointMotion::Turn | JointMotion::Slide) {
            return self.refuse(span, format!("joint `{}` has not one coordinate", cut(name)));
        }
        Ok(joint)
    }

    /// Something by its name.
    pub(super) fn named(&mut self, what: &str, name: &str, span: &Range<usize>) -> Read<usize> {
        let map: &HashMap<&'a str, usize> = match what {
            "joint" => &self.joints,
            "site" => &self.sites,
            _ => &self.bodies,
        };
        if let Some(&found) = map.get(name) {
            return Ok(found);
        }
        let hint = nearest(name, map.keys().copied())
            .map_or_else(String::new, |near| format!("; is `{}` meant?", cut(near)));
        self.refuse(span, format!("there is no {what} `{}`{hint}", cut(name)))
    }

    /// Reads the closures of one `<equality>`.
    pub(super) fn read_equalities(&mut self, section: Element<'a>) {
        for element in self.elements.children(section) {
            // A closure with a fault is told; the others are still judged.
            let _ = self.read_equality(element);
        }
    }

    fn read_equality(&mut self, element: Element<'a>) -> Read<()> {
        let item = self.equality_item(element);
        let number = self.robot.closures.len();
        let name = item.name().map_or_else(|| format!("{}_{number}", item.tag), str::to_owned);
        if !self.settings.equality || self.flag(&item, "active")? == Some(false) {
            self.notes.push(Note::new(format!(
                "equality `{}` is switched off in the file and does not hold anything",
                cut(&name)
            )));
            return Ok(());
        }
        let kind = match item.tag {
            "connect" => self.connect(&item)?,
            "weld" => self.weld(&item)?,
            "joint" => match self.joint_equality(&item)? {
                Some(kind) => kind,
                None => return Ok(()),
            },
            "tendon" => self.tendon_equality(&item)?,
            other => ClosureKind::Unknown(format!("<{}> of <equality> is not read", cut(other))),
        };
        self.robot.closures.push(Closure { name, span: item.span, kind });
        Ok(())
    }

    /// An equality with the defaults of its class, which stand under the name `equality` there.
    fn equality_item(&mut self, element: Element<'a>) -> Item<'a> {
        let class = self.class(element, "class").unwrap_or(0);
        let mut layers = self.classes.layers(class, "equality");
        layers.push(element);
        Item { layers, span: element.span(), tag: element.tag() }
    }

    /// The two sites of a closure, if it states sites.
    fn two_sites(&mut self, item: &Item<'a>) -> Read<Option<[usize; 2]>> {
        if item.get("site1").is_none() && item.get("site2").is_none() {
            return Ok(None);
        }
        let (first, at) = self.required(item, "site1")?;
        let first = self.named("site", first, &at)?;
        let (second, at) = self.required(item, "site2")?;
        Ok(Some([first, self.named("site", second, &at)?]))
    }

    /// The two bodies of a closure; the second is the world if it is missing.
    fn two_bodies(&mut self, item: &Item<'a>) -> Read<[usize; 2]> {
        let (first, at) = self.required(item, "body1")?;
        let first = self.named("body", first, &at)?;
        let second = match item.get("body2") {
            Some((second, at)) => self.named("body", second, &at)?,
            None => 0,
        };
        Ok([first, second])
    }

    /// Two points that stay together: the anchor in the first body, and where it is in the second at the reference positions.
    fn connect(&mut self, item: &Item<'a>) -> Read<ClosureKind> {
        if let Some([a, b]) = self.two_sites(item)? {
            return Ok(ClosureKind::Point([(a, Vec3::zeros()), (b, Vec3::zeros())]));
        }
        let [a, b] = self.two_bodies(item)?;
        self.required(item, "anchor")?;
        let anchor = Vec3::from(self.vector::<3>(item, "anchor")?.unwrap_or_default());
        let there = self.rest[b].inverse().point(&self.rest[a].point(&anchor));
        Ok(ClosureKind::Point([(a, anchor), (b, there)]))
    }

    /// Two frames that stay together. `relpose` states where the anchor, a point of the second body, is in the first, and how the second is turned
    /// there; with a quaternion of zeros both are those of the reference positions.
    fn weld(&mut self, item: &Item<'a>) -> Read<ClosureKind> {
        if let Some([a, b]) = self.two_sites(item)? {
            return Ok(ClosureKind::Weld([(a, Pose::identity()), (b, Pose::identity())]));
        }
        let [a, b] = self.two_bodies(item)?;
        let anchor = Vec3::from(self.vector::<3>(item, "anchor")?.unwrap_or_default());
        let own = Pose::translation(anchor);
        let stated = self.vector::<7>(item, "relpose")?.unwrap_or_default();
        let there = if stated[3..].iter().all(|x| *x == 0.0) {
            self.rest[a].inverse().then(&self.rest[b]).then(&own)
        } else {
            let position = Vec3::new(stated[0], stated[1], stated[2]);
            Pose { rotation: quaternion_rotation(&stated[3..]), position }
        };
        Ok(ClosureKind::Weld([(a, there), (b, own)]))
    }

    /// The constant and the factor of a polynomial, which must be of first degree.
    fn polynomial(&mut self, item: &Item<'a>) -> Read<Result<[f64; 2], ClosureKind>> {
        let [constant, factor, rest @ ..] =
            self.overlaid(item, "polycoef", [0.0, 1.0, 0.0, 0.0, 0.0])?;
        if rest.iter().all(|x| *x == 0.0) {
            return Ok(Ok([constant, factor]));
        }
        let why = "`polycoef` has terms above the first degree; a coupling of a model is linear";
        Ok(Err(ClosureKind::Unknown(why.to_owned())))
    }

    /// q₁ − q₁₀ = a₀ + a₁ (q₂ − q₂₀), with the reference positions q₁₀ and q₂₀; of one joint alone, it is held.
    fn joint_equality(&mut self, item: &Item<'a>) -> Read<Option<ClosureKind>> {
        let (first, at) = self.required(item, "joint1")?;
        let first = self.single_joint(first, &at)?;
        let [constant, factor] = match self.polynomial(item)? {
            Ok(linear) => linear,
            Err(unknown) => return Ok(Some(unknown)),
        };
        let offset = self.reference(first) + constant;
        let Some((second, at)) = item.get("joint2") else {
            self.robot.joints[first].locked = Some(offset);
            self.notes.push(Note::new(format!(
                "joint `{}` is held at {offset} by an equality",
                cut(&self.robot.joints[first].name)
            )));
            return Ok(None);
        };
        let second = self.single_joint(second, &at)?;
        let offset = offset - factor * self.reference(second);
        let joints = vec![(first, 1.0), (second, -factor)];
        Ok(Some(ClosureKind::Coupling { joints, offset }))
    }

    /// L₁ − L₁₀ = a₀ + a₁ (L₂ − L₂₀) with L = Σ c q of fixed tendons.
    fn tendon_equality(&mut self, item: &Item<'a>) -> Read<ClosureKind> {
        let [constant, factor] = match self.polynomial(item)? {
            Ok(linear) => linear,
            Err(unknown) => return Ok(unknown),
        };
        let mut joints: Vec<(usize, f64)> = Vec::new();
        for (key, scale) in [("tendon1", 1.0), ("tendon2", -factor)] {
            if key == "tendon2" && item.get(key).is_none() {
                continue;
            }
            let (name, span) = self.required(item, key)?;
            match self.tendons.get(name) {
                Some(Some(terms)) => joints.extend(terms.iter().map(|(j, c)| (*j, c * scale))),
                Some(None) => {
                    let name = cut(name);
                    let why = format!(
                        "the length of tendon `{name}`, which runs through space, is not read"
                    );
                    return Ok(ClosureKind::Unknown(why));
                }
                None => {
                    return self.refuse(&span, format!("there is no tendon `{}`", cut(name)));
                }
            }
        }
        let at_reference: f64 = joints.iter().map(|(j, c)| c * self.reference(*j)).sum();
        Ok(ClosureKind::Coupling { joints, offset: constant + at_reference })
    }

    /// The reference position of a joint with one coordinate.
    fn reference(&self, joint: usize) -> f64 {
        self.robot.joints[joint].start.position.first().copied().unwrap_or(0.0)
    }
}
