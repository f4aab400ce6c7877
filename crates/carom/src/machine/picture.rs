//! What a page draws of a machine: its scene, and where it is in an answer.

use serde_json::{Value, json};

use super::{Machine, MachineError, Runs};
use crate::answer::robot::SkinAnswer;
use crate::answer::{AssessAnswer, ImpactAnswer, Ran, RunResult};
use crate::contact::Approach;
use crate::maths::Vec3;
use crate::report::motion::{Mark, RunData, pose};
use crate::report::scene::scene;
use crate::report::solid;
use crate::report::surface::facets;
use crate::study::hashes;

impl Machine {
    /// A hash of the model and its edits, `fnv1a64:…`: of values, not of how or where they are written.
    pub fn fingerprint(&self) -> String {
        let (model, _) = hashes(&self.opened.loaded.description);
        format!("fnv1a64:{model:016x}")
    }

    /// The data of a page ([`crate::report::Page::data`]) of an assessment: the machine at its state, the contact points marked.
    pub fn assess_picture(&self, answer: &AssessAnswer) -> Result<Value, MachineError> {
        let mut marks = Vec::new();
        for contact in &answer.contacts {
            let several = contact.normals().count() > 1;
            for row in contact.normals() {
                let name = if several {
                    // Points are called as in runs: `floor.1`.
                    row.label.strip_prefix("n.").map_or_else(
                        || format!("{} {}", contact.name, row.label),
                        |point| format!("{}.{point}", contact.name),
                    )
                } else {
                    contact.name.clone()
                };
                let closing = row.motion == Approach::Closing;
                marks.push(self.mark(
                    name,
                    &contact.name,
                    [row.on_i, row.on_j],
                    row.normal,
                    closing,
                )?);
            }
        }
        self.standing(&marks)
    }

    /// The data of a page of an impact: the machine at its state, the contact points marked.
    pub fn impact_picture(&self, answer: &ImpactAnswer) -> Result<Value, MachineError> {
        let mark = |p: &crate::answer::StrikePointAnswer| {
            let closing = p.motion == Approach::Closing;
            self.mark(p.name.clone(), &p.contact, [p.on_i, p.on_j], p.normal, closing)
        };
        let marks = answer.contacts.iter().map(mark).collect::<Result<Vec<_>, _>>()?;
        self.standing(&marks)
    }

    /// The same of the machine alone, without marks.
    pub fn picture(&self) -> Result<Value, MachineError> {
        let posed = pose(self.model(), self.state(), &[])?;
        Ok(json!({ "scene": self.solid_scene(true), "pose": posed }))
    }

    /// The meshes that a picture lacks, each with the reason.
    pub fn missing_meshes(&self) -> Vec<String> {
        self.opened.loaded.looks().1.into_iter().map(|(_, why)| why).collect()
    }

    /// The data of a page of runs: the machine, energies, speeds and contacts over time.
    pub fn run_picture(&self, runs: &Runs) -> Result<Value, MachineError> {
        let both = runs.answer.runs.iter().zip(&runs.ran);
        let series = both.map(|(run, ran)| self.series(run, ran));
        let series = series.collect::<Result<Vec<Value>, MachineError>>()?;
        Ok(json!({ "scene": self.scene(), "runs": series }))
    }

    /// The same with the skin of an answer as colour on the bodies: the numbers from which they are mixed, and the worst points.
    pub fn skin_picture(&self, skin: &SkinAnswer) -> Result<Value, MachineError> {
        let mut out = json!({
            "scene": scene(self.model(), Some(&self.opened.loaded.description)),
            "pose": pose(self.model(), self.state(), &[])?,
        });
        let columns = solid::Painted {
            body: &skin.body,
            corners: &skin.corners,
            quantities: [
                ("m_eff", "kg", &skin.effective_mass),
                ("permitted speed", "m/s", &skin.permitted_speed),
            ],
            worst: skin.worst.iter().map(|w| (w.position, w.normal)).collect(),
        };
        columns.add(&mut out);
        Ok(out)
    }

    /// The scene with meshes on the bodies that have some.
    fn scene(&self) -> Value {
        self.solid_scene(!self.opened.loaded.visuals.is_empty())
    }

    /// The scene; with the surfaces of bodies as facets if they are asked for.
    fn solid_scene(&self, solids: bool) -> Value {
        let mut out = scene(self.model(), Some(&self.opened.loaded.description));
        if solids && !self.model().is_planar() {
            let (looks, _) = self.opened.loaded.looks();
            let (bodies, ..) = facets(&looks, solid::FACETS);
            solid::add(&mut out, &bodies);
        }
        out
    }

    fn standing(&self, marks: &[Mark]) -> Result<Value, MachineError> {
        let posed = pose(self.model(), self.state(), marks)?;
        Ok(json!({ "scene": self.scene(), "pose": posed }))
    }

    /// A contact point between its places on both bodies; the contact may be one of another machine's answer.
    fn mark(
        &self,
        name: String,
        contact: &str,
        [on_i, on_j]: [[f64; 3]; 2],
        normal: [f64; 3],
        closing: bool,
    ) -> Result<Mark, MachineError> {
        let contact = self.contact(contact)?.at;
        let at = (Vec3::from(on_i) + Vec3::from(on_j)) * 0.5;
        Ok(Mark { name, contact, at, normal: Vec3::from(normal), closing })
    }

    fn series(&self, run: &RunResult, ran: &Ran) -> Result<Value, MachineError> {
        let points = run.columns.iter().flat_map(|c| &c.contacts);
        let data = RunData {
            model: self.model(),
            outcome: &ran.outcome,
            name: run.law.clone().unwrap_or_default(),
            spots: points.map(|c| c.name.clone()).collect(),
            asked: run.impacts.iter().map(|i| i.restitution_asked).collect(),
            by_impulse: run.by_impulse(),
        };
        Ok(data.value()?)
    }
}
