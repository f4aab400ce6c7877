//! What coordinates, joints and contact points are called, wherever they are named: tables, columns, JSON, messages.

use super::Model;

impl Model {
    /// `q.joint.coordinate [rad]` of every position.
    pub fn position_names(&self) -> Vec<String> {
        let mut out = Vec::with_capacity(self.nq);
        for body in &self.bodies {
            let (joint, kind) = (&body.joint, body.joint.kind);
            for (k, name) in kind.coordinate_names().iter().enumerate() {
                if kind.position_of(k).is_some() {
                    let unit = if kind.is_angular(k) { "rad" } else { "m" };
                    out.push(format!("q.{}.{name} [{unit}]", joint.name));
                }
            }
            if kind.quaternion().is_some() {
                out.extend(["qw", "qx", "qy", "qz"].map(|name| format!("q.{}.{name}", joint.name)));
            }
        }
        out
    }

    /// `v.joint.coordinate [rad/s]` of every velocity.
    pub fn velocity_names(&self) -> Vec<String> {
        let mut out = Vec::with_capacity(self.nv);
        for body in &self.bodies {
            let (joint, kind) = (&body.joint, body.joint.kind);
            for (k, name) in kind.coordinate_names().iter().enumerate() {
                let unit = if kind.is_angular(k) { "rad" } else { "m" };
                out.push(format!("v.{}.{name} [{unit}/s]", joint.name));
            }
        }
        out
    }

    /// `joint.coordinate` of every velocity.
    pub fn coordinate_names(&self) -> Vec<String> {
        let of_joint = |body: &super::Body| {
            let joint = &body.joint;
            let names = joint.kind.coordinate_names().iter();
            names.map(|name| format!("{}.{name}", joint.name)).collect::<Vec<_>>()
        };
        self.bodies.iter().flat_map(of_joint).collect()
    }

    /// `m/s` or `rad/s` of every velocity.
    pub fn velocity_units(&self) -> impl Iterator<Item = &'static str> {
        self.bodies.iter().flat_map(|body| {
            let kind = body.joint.kind;
            (0..kind.velocities()).map(move |c| if kind.is_angular(c) { "rad/s" } else { "m/s" })
        })
    }

    /// `joints.pivot` of every joint, then `closures.wrist` of every closure.
    pub fn joint_paths(&self) -> Vec<String> {
        let joints = self.bodies.iter().map(|b| format!("joints.{}", b.joint.name));
        joints.chain(self.closures.iter().map(|c| format!("closures.{}", c.name))).collect()
    }

    /// `strike`, or `strike.2` where the contact has several points; `point` counts from 0, the name from 1.
    pub fn point_name(&self, contact: usize, point: usize, points: usize) -> String {
        let name = &self.contacts[contact].name;
        if points > 1 { format!("{name}.{}", point + 1) } else { name.clone() }
    }
}
