//! The front door: a machine that owns its model, its state and the memory to evaluate it.
//!
//! ```no_run
//! let mut machine = carom::Machine::open("models/000/slider-crank.toml")?;
//! machine.set("parameters.theta", "30 deg")?;
//! let faces = machine.contact("faces")?;
//! let many = machine.assess_many(faces, &[0.0; 4], &[0.0; 4], Default::default())?;
//! println!("{} kg", many.effective_mass[0]);
//! # Ok::<(), carom::MachineError>(())
//! ```

mod ask;
mod error;
mod fit;
mod ids;
mod kernel;
mod many;
mod matrices;
mod picture;
mod records;
mod robot;
mod rows;
mod run;
mod source;
mod sweep;
mod tips;

pub use ask::AssessOptions;
pub use error::MachineError;
pub use ids::{ContactId, EventId, JointId, PointId};
pub use many::{AssessColumns, AssessCore, ManyOptions};
pub use matrices::Matrix;
pub use records::{StudyLog, StudyRecords};
pub use rows::{By, RowColumns, Slope};
pub use run::{PlannedRun, Runs};
pub use source::FaultPlace;
pub use sweep::SweepColumns;

use std::path::Path;

use self::kernel::Kernel;
use crate::dynamics::{ClosureTest, Memory};
use crate::file::{Loaded, OpenError, Opened, Places, Source, import, open, open_text, stand};
use crate::kinematics::State;
use crate::model::{Description, Model, Parts};
use crate::robot::Options as Import;

/// A machine: model, state and memory in one value. It can be cloned and sent to another thread.
#[derive(Clone, Debug)]
pub struct Machine {
    opened: Opened,
    /// Edits of the file, as of `--set`.
    sets: Vec<(String, String)>,
    memory: Memory,
    /// What its ids are recognised by.
    names: u64,
    /// Memory for single states, one per contact that was asked for.
    kernels: Vec<Option<Kernel>>,
    /// Whether there is a file whose values can be edited.
    editable: bool,
}

impl Machine {
    /// Opens a model file: reads, checks and assembles it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, MachineError> {
        Ok(Self::new(open(path.as_ref(), &[])?, Vec::new(), true))
    }

    /// Opens a model file with edits by path, as of `--set`: `[("parameters.theta", "30 deg")]`.
    pub fn open_with(
        path: impl AsRef<Path>,
        sets: &[(String, String)],
    ) -> Result<Self, MachineError> {
        Ok(Self::new(open(path.as_ref(), sets)?, sets.to_vec(), true))
    }

    /// Reads a robot's file (URDF or MJCF) with options; [`Machine::files`] of the result holds the model file it became, and its notes are cautions of
    /// [`Machine::check`]. [`Machine::open`] does the same with no options.
    pub fn import(path: impl AsRef<Path>, options: &Import) -> Result<Self, MachineError> {
        let loaded = import(path.as_ref(), options).map_err(OpenError::from)?;
        Ok(Self::new(stand(loaded)?, options.sets.clone(), true))
    }

    /// Reads the model from a text in the format of model files.
    pub fn from_text(text: &str) -> Result<Self, MachineError> {
        Ok(Self::new(open_text("text", text, &[])?, Vec::new(), true))
    }

    /// Builds the machine from parts that a program has filled in.
    pub fn from_parts(parts: &Parts) -> Result<Self, MachineError> {
        let model = Model::new(parts).map_err(MachineError::Parts)?;
        let loaded = Loaded {
            model,
            warnings: Vec::new(),
            study: None,
            uncertainty: None,
            description: Description::default(),
            source: Source::new("parts", ""),
            visuals: Vec::new(),
            places: Places::default(),
        };
        Ok(Self::new(stand(loaded)?, Vec::new(), false))
    }

    fn new(opened: Opened, sets: Vec<(String, String)>, editable: bool) -> Self {
        let memory = Memory::new(opened.model());
        let kernels = vec![None; opened.model().contacts.len()];
        let names = ids::names(opened.model());
        Self { opened, sets, memory, names, kernels, editable }
    }

    /// Edits a value of the model file by its path, `set("parameters.theta", "30 deg")`, and assembles the machine anew.
    /// After an error the machine is as it was.
    pub fn set(&mut self, path: &str, value: &str) -> Result<(), MachineError> {
        self.edit(&[(path.to_owned(), value.to_owned())])
    }

    /// A copy with some `[parameters]` changed: `with_parameters(&[("theta", "30 deg")])`.
    pub fn with_parameters(&self, parameters: &[(&str, &str)]) -> Result<Self, MachineError> {
        let mut copy = self.clone();
        let path = |name: &str| format!("parameters.{name}");
        let sets: Vec<_> =
            parameters.iter().map(|(name, value)| (path(name), (*value).to_owned())).collect();
        copy.edit(&sets)?;
        Ok(copy)
    }

    fn edit(&mut self, sets: &[(String, String)]) -> Result<(), MachineError> {
        if !self.editable {
            return Err(MachineError::NoFile);
        }
        let loaded = self.opened.loaded.edited(sets).map_err(OpenError::from)?;
        let opened = stand(loaded)?;
        let mut all = std::mem::take(&mut self.sets);
        all.extend_from_slice(sets);
        *self = Self::new(opened, all, true);
        Ok(())
    }

    /// The model.
    pub fn model(&self) -> &Model {
        self.opened.model()
    }

    /// Time, positions and velocities.
    pub fn state(&self) -> &State {
        &self.opened.assembled.state
    }

    /// The same machine at other positions and velocities, which must keep the closures.
    pub fn with_state(mut self, q: &[f64], v: &[f64]) -> Result<Self, MachineError> {
        let mut state = self.state().clone();
        state.q = nalgebra::DVector::from_column_slice(q);
        state.v = nalgebra::DVector::from_column_slice(v);
        let (model, memory) = (&self.opened.loaded.model, &mut self.memory);
        let at = memory.at(model, &state)?;
        let closures = ClosureTest::new(model);
        let (gap, rate) = (closures.gap(&at), closures.rate(&at));
        if gap > many::OPEN {
            return Err(MachineError::ClosuresOpen { what: "positions", by: gap });
        }
        if rate > many::OPEN {
            return Err(MachineError::ClosuresOpen { what: "velocities", by: rate });
        }
        self.opened.assembled.state = state;
        Ok(self)
    }

    /// The opened file, for what still asks the layers themselves.
    #[cfg(feature = "internals")]
    pub fn opened(&self) -> &Opened {
        &self.opened
    }
}
