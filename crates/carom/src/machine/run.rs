//! Runs: planned, begun or gone on with, watched, and answered.

use std::path::Path;

use super::{Machine, MachineError};
use crate::answer::{AnswerError, CheckpointError, Ran, RunAnswer, RunError, RunOptions};
use crate::file::read_regular;
use crate::simulate::{Outcome, Progress, Scenario, Stopped, resume, simulate_with};

/// A run that can begin: everything that can be refused has been.
#[derive(Clone, Debug)]
pub struct PlannedRun {
    law: Option<String>,
    scenario: Scenario,
    earlier: Option<Outcome>,
}

impl PlannedRun {
    /// The law asked for instead of the file's.
    pub fn law(&self) -> Option<&str> {
        self.law.as_deref()
    }

    /// Of a run that goes on from a checkpoint: why nothing is left to compute, if that is so.
    pub fn is_over(&self) -> Option<String> {
        let earlier = self.earlier.as_ref()?;
        let t = earlier.state.t;
        if earlier.ended_by.is_some() {
            Some(format!("an event had already ended the run at {t} s"))
        } else if t >= self.scenario.until {
            Some(format!("the run had already reached {t} s"))
        } else {
            None
        }
    }
}

/// Runs of a machine: the answer, and what the engine kept of each, from which pages are drawn.
#[derive(Clone, Debug)]
pub struct Runs {
    /// What the runs answer.
    pub answer: RunAnswer,
    /// What the engine kept, one entry per result of the answer.
    pub ran: Vec<Ran>,
}

impl Machine {
    /// The motion over time with all its impacts. A run that stops early is an error that carries the answer so far.
    pub fn run(&self, options: &RunOptions) -> Result<RunAnswer, MachineError> {
        let Runs { answer, .. } = self.run_watched(options, &mut |_| true)?;
        match answer.runs.iter().find_map(|run| run.stopped.clone()) {
            Some(reason) => Err(MachineError::Stopped { answer: Box::new(answer), reason }),
            None => Ok(answer),
        }
    }

    /// The same, watched: `watch` is told before each step how far the run is, and stops it with `false`. A run that stops early is
    /// an answer here, whose `stopped` says why; laws after it are not begun when it was stopped by `watch`.
    pub fn run_watched(
        &self,
        options: &RunOptions,
        watch: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Runs, MachineError> {
        let mut ran = Vec::new();
        let mut goes_on = true;
        for planned in self.plan_runs(options)? {
            if !goes_on {
                break;
            }
            let mut asked = |progress: &Progress| {
                goes_on = goes_on && watch(progress);
                goes_on
            };
            ran.push(self.perform(planned, &mut asked)?);
        }
        Ok(Runs { answer: self.answer_runs(&ran, options)?, ran })
    }

    /// One run for each law that is asked for, or one with the laws of the file; nothing is computed yet.
    pub fn plan_runs(&self, options: &RunOptions) -> Result<Vec<PlannedRun>, MachineError> {
        let explain = |error: RunError| MachineError::Run(error.explain(&self.opened));
        let scenarios = options.scenarios(&self.opened).map_err(explain)?;
        let planned = |(law, scenario)| PlannedRun { law, scenario, earlier: None };
        Ok(scenarios.into_iter().map(planned).collect())
    }

    /// The run goes on from the text of a checkpoint file, if that belongs to the same machine and options.
    pub fn go_on_from(&self, run: &mut PlannedRun, path: &Path) -> Result<(), CheckpointError> {
        let text = read_regular(path).map_err(CheckpointError::Unreadable)?;
        run.earlier = Some(RunOptions::earlier(&self.opened, &self.sets, &run.scenario, &text)?);
        Ok(())
    }

    /// Computes one run, watched as [`Machine::run_watched`] is.
    pub fn perform(
        &self,
        run: PlannedRun,
        watch: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Ran, MachineError> {
        let over = run.is_over().is_some();
        let PlannedRun { law, scenario, earlier } = run;
        let done = match earlier {
            Some(earlier) if over => Ok(earlier),
            Some(earlier) => resume(self.model(), &scenario, earlier, watch),
            None => simulate_with(self.model(), self.state(), &scenario, watch),
        };
        let (outcome, stopped) = match done {
            Ok(outcome) => (outcome, None),
            Err(Stopped { reason, outcome: Some(outcome) }) => (*outcome, Some(reason)),
            Err(Stopped { reason, outcome: None }) => {
                return Err(MachineError::Run(self.opened.loaded.explain_simulation(&reason)));
            }
        };
        Ok(Ran { law, scenario, outcome, stopped })
    }

    /// What runs answer together.
    pub fn answer_runs(
        &self,
        ran: &[Ran],
        options: &RunOptions,
    ) -> Result<RunAnswer, MachineError> {
        let answer = RunAnswer::new(&self.opened, &self.sets, ran, options);
        Ok(answer.map_err(|error| AnswerError::dynamics(&self.opened, error))?)
    }

    /// The text of the checkpoint of a run, from which [`Machine::go_on_from`] goes on; none of a run that failed.
    pub fn checkpoint(&self, ran: &Ran) -> Result<Option<String>, CheckpointError> {
        ran.checkpoint(&self.opened, &self.sets).map_err(CheckpointError::Damaged)
    }
}
