//! `<worldbody>` and `<body>`: the tree of links, joints and sites.

use nalgebra::{Rotation3, UnitQuaternion};

use super::attributes::{Item, Read};
use super::compiler::FromGeoms;
use super::document::Element;
use super::geom::Geom;
use super::inertia::{Heavy, bounded, together};
use super::joint::Moving;
use super::{Reader, known};
use crate::maths::spatial::rotation_from_z;
use crate::maths::{Mat3, Pose, Vec3};
use crate::robot::xml::cut;
use crate::robot::{Geometry, Inertial, Joint, JointMotion, Link, Note, Shape};

/// The link that everything stands on.
const WORLD: usize = 0;

/// A body that is still to be read.
struct Open<'a> {
    element: Element<'a>,
    /// The link it stands on.
    parent: usize,
    /// The frame around it in that link's.
    frame: Pose,
    /// The class around it.
    class: usize,
    /// Whether what it stands on moves.
    moves: bool,
}

/// What stands in a body.
#[derive(Default)]
struct Inside<'a> {
    inertial: Option<(Item<'a>, Pose)>,
    joints: Vec<Moving>,
    geoms: Vec<Geom<'a>>,
    sites: Vec<(Item<'a>, Pose)>,
    bodies: Vec<(Element<'a>, Pose, usize)>,
}

impl<'a> Reader<'a> {
    /// Reads the tree. Bodies stand inside each other as deep as they like, so the way back is a list and not the stack.
    pub(super) fn read_world(&mut self, worlds: &[Element<'a>]) {
        self.rest.push(Pose::identity());
        let span = worlds[0].span();
        self.robot.links.push(link("world", span));
        self.bodies.insert("world", WORLD);
        let mut open = Vec::new();
        for world in worlds.iter().rev() {
            self.check_attributes(*world, &[]);
            let inside = self.inside(*world, 0, "world");
            if let Some((item, _)) = &inside.inertial {
                let _ = self.refuse::<()>(&item.span.clone(), "the world has no mass");
            }
            if let Some(moving) = inside.joints.first() {
                let _ = self.refuse::<()>(&moving.joint.span.clone(), "the world has no joints");
            }
            let world = &mut self.robot.links[WORLD];
            world.shapes.extend(shapes(&inside.geoms));
            world.visuals.extend(visuals(&inside.geoms));
            self.add_sites(WORLD, &inside.sites);
            let bodies = inside.bodies.into_iter().rev();
            open.extend(bodies.map(|(element, frame, class)| Open {
                element,
                parent: WORLD,
                frame,
                class,
                moves: false,
            }));
        }
        while let Some(next) = open.pop() {
            // A body with a fault is left out; its own bodies could not be judged.
            let _ = self.read_body(&next, &mut open);
        }
        self.scale_masses();
    }

    fn read_body(&mut self, body: &Open<'a>, open: &mut Vec<Open<'a>>) -> Read<()> {
        let item = Item::alone(body.element);
        self.count += 1;
        let name = match item.name() {
            Some(name) => name.to_owned(),
            None => self.names.fresh_link(&format!("body_{}", self.count)),
        };
        if let Some(known) = known::attributes("body") {
            self.check_attributes(body.element, known);
        }
        let class = self.class(body.element, "childclass").unwrap_or(body.class);
        let inside = self.inside(body.element, class, &name);
        let pose = body.frame.then(&self.pose(&item)?);
        let rest = self.rest[body.parent].then(&pose);
        let moves = body.moves || !inside.joints.is_empty();
        let inertial = self.mass_in(&inside, &name, &item, moves)?;
        self.note_body(&item, &name)?;
        self.check_joints(&inside.joints, body.parent, &name)?;
        let at = self.add_body(&name, item.span.clone(), body.parent, pose, rest, inside.joints);
        if let Some(own) = item.name()
            && self.bodies.insert(own, at).is_some()
        {
            let message = format!("a second body `{}`: names are unique", cut(own));
            return self.refuse(&item.span, message);
        }
        self.robot.links[at].inertial = inertial;
        self.robot.links[at].shapes = shapes(&inside.geoms);
        self.robot.links[at].visuals = visuals(&inside.geoms);
        self.add_sites(at, &inside.sites);
        let bodies = inside.bodies.into_iter().rev();
        open.extend(bodies.map(|(element, frame, class)| Open {
            element,
            parent: at,
            frame,
            class,
            moves,
        }));
        Ok(())
    }

    /// All elements of a body, those in frames included, in the order of the text.
    fn inside(&mut self, body: Element<'a>, class: usize, name: &str) -> Inside<'a> {
        let mut out = Inside::default();
        let elements = self.elements;
        let here = |of, pose, class| {
            let all = elements.children(of).into_iter().rev();
            all.map(move |e| (e, pose, class)).collect::<Vec<_>>()
        };
        let mut open = here(body, Pose::identity(), class);
        let mut count = 0;
        while let Some((element, frame, class)) = open.pop() {
            if let Some(known) = known::attributes(element.tag()) {
                self.check_attributes(element, known);
            }
            match element.tag() {
                "frame" => {
                    let inner = self.class(element, "childclass").unwrap_or(class);
                    if let Ok(pose) = self.pose(&Item::alone(element)) {
                        open.extend(here(element, frame.then(&pose), inner));
                    }
                }
                "body" => out.bodies.push((element, frame, class)),
                "inertial" if out.inertial.is_some() => {
                    let message = "a second <inertial> in this body: one is expected";
                    let _ = self.refuse::<()>(&element.span(), message);
                }
                "inertial" => out.inertial = Some((Item::alone(element), frame)),
                "joint" | "freejoint" => {
                    let item = if element.tag() == "joint" {
                        self.item(element, class)
                    } else {
                        Item::alone(element)
                    };
                    count += 1;
                    let own = self.joint_name(&item, name, count);
                    out.joints.extend(self.read_joint(&item, &own, &frame));
                }
                "geom" => {
                    let item = self.item(element, class);
                    out.geoms.extend(self.read_geom(item, &frame));
                }
                "site" => out.sites.push((self.item(element, class), frame)),
                "camera" | "light" | "plugin" => self.unread(element.tag()),
                "attach" | "replicate" | "composite" | "flexcomp" => {
                    let message = format!(
                        "<{}> makes bodies that are not in the file and is not read: let MuJoCo write the whole model (mj_saveLastXML) and read that",
                        element.tag()
                    );
                    let _ = self.refuse::<()>(&element.span(), message);
                }
                other => {
                    let message = format!("<{}> is no element of a body", cut(other));
                    let _ = self.refuse::<()>(&element.span(), message);
                }
            }
        }
        out
    }

    fn joint_name(&mut self, item: &Item<'a>, body: &str, count: usize) -> String {
        match item.name() {
            Some(name) => name.to_owned(),
            None if count == 1 => self.names.fresh_joint(&format!("{body}_joint")),
            None => self.names.fresh_joint(&format!("{body}_joint_{count}")),
        }
    }

    /// Which joints may stand together in a body.
    fn check_joints(&mut self, joints: &[Moving], parent: usize, body: &str) -> Read<()> {
        let mut turned = false;
        for Moving { joint, .. } in joints {
            let span = joint.span.clone();
            if joint.motion == JointMotion::Free && (joints.len() > 1 || parent != WORLD) {
                let message = format!(
                    "body `{}`: a free joint is the only joint of a body that stands in the world",
                    cut(body)
                );
                return self.refuse(&span, message);
            }
            if turned && matches!(joint.motion, JointMotion::Turn | JointMotion::Ball) {
                let message = format!(
                    "body `{}`: a ball joint turns in every direction; expected no joint that turns behind it",
                    cut(body)
                );
                return self.refuse(&span, message);
            }
            turned |= joint.motion == JointMotion::Ball;
        }
        Ok(())
    }

    /// Adds the link of a body and its joints; between several joints stand links without mass. Gives the link.
    fn add_body(
        &mut self,
        name: &str,
        span: std::ops::Range<usize>,
        parent: usize,
        pose: Pose,
        rest: Pose,
        joints: Vec<Moving>,
    ) -> usize {
        let (mut below, mut origin) = (parent, pose);
        let last = joints.len().saturating_sub(1);
        if joints.is_empty() {
            let own = self.names.fresh_joint(&format!("fixed_{name}"));
            let ends = [parent, self.robot.links.len()];
            let fixed = Joint::new(&own, span.clone(), JointMotion::Fixed, ends);
            self.robot.joints.push(Joint { origin: pose, ..fixed });
        }
        for (k, Moving { mut joint, reference }) in joints.into_iter().enumerate() {
            let child = self.robot.links.len();
            (joint.parent, joint.child, joint.origin) = (below, child, origin);
            match joint.motion {
                JointMotion::Free => {
                    joint.origin = Pose::identity();
                    joint.start.position = position_of(&rest);
                }
                // The coordinate is that of the file: at its reference position the body stands where its element says.
                JointMotion::Turn | JointMotion::Slide => {
                    joint.origin = joint.placed(&[-reference]);
                }
                _ => {}
            }
            if k < last {
                let own = self.names.fresh_link(&format!("{name}_{}", joint.name));
                self.robot.links.push(Link { between: true, ..link(&own, span.clone()) });
                self.rest.push(rest);
            }
            self.robot.joints.push(joint);
            (below, origin) = (child, Pose::identity());
        }
        self.robot.links.push(link(name, span));
        self.rest.push(rest);
        self.robot.links.len() - 1
    }

    /// Sites are frames: links without mass that are fixed to the body.
    fn add_sites(&mut self, body: usize, sites: &[(Item<'a>, Pose)]) {
        for (item, frame) in sites {
            let Some(name) = item.name() else {
                self.unread("site without a name");
                continue;
            };
            let Ok(geom) = self.read_site(item, frame) else { continue };
            let own = if self.names.has_link(name) {
                let other = self.names.fresh_link(&format!("{name}_site"));
                self.notes.push(Note::new(format!(
                    "site `{}` has the name of a body and is called `{other}`",
                    cut(name)
                )));
                other
            } else {
                self.names.fresh_link(name)
            };
            let at = self.robot.links.len();
            if self.sites.insert(name, at).is_some() {
                let message = format!("a second site `{}`: names are unique", cut(name));
                let _ = self.refuse::<()>(&item.span, message);
                continue;
            }
            let fixed = self.names.fresh_joint(&format!("fixed_{own}"));
            let joint = Joint::new(&fixed, item.span.clone(), JointMotion::Fixed, [body, at]);
            self.robot.joints.push(Joint { origin: geom, ..joint });
            self.robot.links.push(link(&own, item.span.clone()));
            self.rest.push(self.rest[body].then(&geom));
        }
    }

    /// The frame of a site.
    fn read_site(&mut self, item: &Item<'a>, frame: &Pose) -> Read<Pose> {
        if let Some([x, y, z, u, v, w]) = self.vector::<6>(item, "fromto")? {
            let span = item.get("fromto").map_or(item.span.clone(), |found| found.1);
            let (from, to) = (Vec3::new(x, y, z), Vec3::new(u, v, w));
            let axis = self.direction((from - to).into(), &span, "fromto")?;
            let rotation = rotation_from_z(&axis);
            return Ok(frame.then(&Pose { rotation, position: (from + to) / 2.0 }));
        }
        Ok(frame.then(&self.pose(item)?))
    }

    /// Mass and inertia of a body. Of what does not move they do not matter, unless the masses are scaled to a total.
    fn mass_in(
        &mut self,
        inside: &Inside<'a>,
        name: &str,
        item: &Item<'a>,
        moves: bool,
    ) -> Read<Option<Inertial>> {
        let mut span = item.span.clone();
        let mut heavy = None;
        if let Some((element, frame)) = &inside.inertial {
            span = element.span.clone();
            heavy = Some(self.read_inertial(element, frame, name)?);
        }
        let geoms = match self.settings.from_geoms {
            FromGeoms::Never => false,
            FromGeoms::Always => !inside.geoms.is_empty(),
            FromGeoms::Otherwise => inside.inertial.is_none(),
        };
        if geoms && (moves || self.settings.total_mass.is_some()) {
            let mut parts = Vec::new();
            let mut sound = true;
            for geom in &inside.geoms {
                match self.mass_of(geom) {
                    Ok(part) => parts.extend(part),
                    Err(_) => sound = false,
                }
            }
            if !sound {
                return Err(super::attributes::Refused);
            }
            heavy = together(&parts);
            span = inside.geoms.first().map_or(span, |geom| geom.item.span.clone());
        }
        let settings = &self.settings;
        let bound = settings.least_mass > 0.0 || settings.least_inertia > 0.0;
        if heavy.is_none() && !bound {
            return Ok(None);
        }
        let none = Heavy { mass: 0.0, center: Vec3::zeros(), inertia: Mat3::zeros() };
        let Heavy { mass, center, inertia } = bounded(heavy.unwrap_or(none), settings);
        let (mass_span, inertia_span) = (span.clone(), span);
        Ok(Some(Inertial { mass, center, inertia, mass_span, inertia_span }))
    }

    fn read_inertial(&mut self, item: &Item<'a>, frame: &Pose, body: &str) -> Read<Heavy> {
        let span = item.span.clone();
        self.required(item, "pos")?;
        self.required(item, "mass")?;
        let mass = self.scalar(item, "mass")?.unwrap_or(0.0);
        if mass < 0.0 {
            let message = format!("body `{}`: {mass} is not a positive mass [kg]", cut(body));
            return self.refuse(&span, message);
        }
        let diagonal = self.vector::<3>(item, "diaginertia")?;
        let full = self.vector::<6>(item, "fullinertia")?;
        let turned = known::orientations().iter().any(|key| item.get(key).is_some());
        if full.is_some() && (diagonal.is_some() || turned) {
            let message = "`fullinertia` stands in the axes of the body: expected neither `diaginertia` nor an orientation beside it";
            return self.refuse(&span, message);
        }
        let pose = frame.then(&self.pose(item)?);
        let J = match (full, diagonal) {
            (Some([xx, yy, zz, xy, xz, yz]), _) => Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
            (None, Some(diagonal)) => Mat3::from_diagonal(&Vec3::from(diagonal)),
            (None, None) => Mat3::zeros(),
        };
        let R = pose.rotation;
        Ok(Heavy { mass, center: pose.position, inertia: R * J * R.transpose() })
    }

    /// What of a body is not read.
    fn note_body(&mut self, item: &Item<'a>, name: &str) -> Read<()> {
        if self.scalar(item, "gravcomp")?.unwrap_or(0.0) != 0.0 {
            self.notes.push(Note::doubt(format!(
                "`gravcomp` of body `{}` is not read: its whole weight acts",
                cut(name)
            )));
        }
        if self.flag(item, "mocap")? == Some(true) {
            self.notes.push(Note::new(format!(
                "body `{}` is moved from outside (`mocap`): it is fixed where the file puts it",
                cut(name)
            )));
        }
        Ok(())
    }

    /// Scales all masses to the total that the file asks for.
    fn scale_masses(&mut self) {
        let Some(total) = self.settings.total_mass else { return };
        let all = self.robot.links.iter_mut().filter_map(|link| link.inertial.as_mut());
        let mut all: Vec<&mut Inertial> = all.collect();
        let sum: f64 = all.iter().map(|i| i.mass).sum();
        if !(sum > 0.0) {
            return;
        }
        for inertial in &mut all {
            inertial.mass *= total / sum;
            inertial.inertia *= total / sum;
        }
        self.notes.push(Note::new(format!(
            "all masses are scaled to a total of {total} kg (`settotalmass`)"
        )));
    }
}

/// A link without mass or shapes.
fn link(name: &str, span: std::ops::Range<usize>) -> Link {
    Link {
        name: name.to_owned(),
        span,
        inertial: None,
        shapes: Vec::new(),
        visuals: Vec::new(),
        between: false,
    }
}

fn shapes(geoms: &[Geom<'_>]) -> Vec<Shape> {
    geoms.iter().filter(|geom| geom.collides).filter_map(Geom::shape).collect()
}

/// What is drawn; a plane has no end and stays a contact shape.
fn visuals(geoms: &[Geom<'_>]) -> Vec<Shape> {
    let shown = geoms.iter().filter(|geom| geom.shown && geom.geometry != Some(Geometry::Plane));
    shown.filter_map(Geom::shape).collect()
}

/// A pose as the position of a floating joint: x, y, z and a quaternion w, x, y, z.
fn position_of(pose: &Pose) -> Vec<f64> {
    let turn = Rotation3::from_matrix_unchecked(pose.rotation);
    let q = UnitQuaternion::from_rotation_matrix(&turn);
    let p = pose.position;
    vec![p.x, p.y, p.z, q.w, q.i, q.j, q.k]
}
