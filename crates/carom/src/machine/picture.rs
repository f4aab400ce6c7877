//! What a page draws of a machine: its scene, and where it is in an answer.

use serde_json::{Value, json};

use super::{Machine, MachineError, Runs};
use crate::answer::{AssessAnswer, ImpactAnswer, Ran, RunResult};
use crate::contact::Approach;
use crate::maths::Vec3;
use crate::report::motion::{Mark, RunData, pose};
use crate::report::scene::scene;
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
        self.standing(&[])
    }

    /// The data of a page of runs: the machine, energies, speeds and contacts over time.
    pub fn run_picture(&self, runs: &Runs) -> Result<Value, MachineError> {
        let both = runs.answer.runs.iter().zip(&runs.ran);
        let series = both.map(|(run, ran)| self.series(run, ran));
        let series = series.collect::<Result<Vec<Value>, MachineError>>()?;
        Ok(json!({ "scene": self.scene(), "runs": series }))
    }

    fn scene(&self) -> Value {
        scene(self.model(), Some(&self.opened.loaded.description))
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
        let contact = self.contact(contact)?.0;
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
