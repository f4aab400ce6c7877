//! `carom assess`: how heavy every contact feels, and how much energy an impact there can use.

use std::path::{Path, PathBuf};

use carom::dynamics::report::Mobility;
use carom::dynamics::{Mechanism, Posture};
use carom::file::Opened;
use carom::impact::{Assessment, AssessmentError, Options, Together};
use carom::maths::nearest::nearest;
use carom::model::Model;

use super::folder::Folder;
use super::{complain, opened, warn};
use crate::args::{Assess, AssessFormat};
use crate::{Outcome, csv, json, report, table, warnings};

/// Up to this many contacts are also taken together: W grows with the square of their rows.
const MOST_TOGETHER: usize = 30;

/// What is written with `-o`.
const FILES: [&str; 3] = [report::FILE, "contacts.csv", "summary.json"];

/// Everything the printers need.
pub(crate) struct Report<'a> {
    /// The file, its model and state.
    pub opened: &'a Opened,
    /// The edits of the file.
    pub sets: &'a [(String, String)],
    /// The mechanism at that state.
    pub at: Posture<'a>,
    /// Degrees of freedom and redundancy.
    pub constraints: Mobility,
    /// One per contact asked for.
    pub contacts: Vec<Assessment>,
    /// All of them struck at once, where there are several and not too many.
    pub together: Option<Together>,
    /// Names of the joints locked for comparison.
    pub locked: &'a [String],
    /// What may not be meant.
    pub warnings: Vec<String>,
}

/// Assesses the contacts asked for.
pub(crate) fn run(wanted: &Assess) -> Outcome {
    if wanted.gradients && wanted.format == AssessFormat::Csv {
        return Err("--gradients has no CSV form; use --format json or the table".to_owned());
    }
    let folder = |path: &PathBuf| Folder::new(path, path.clone(), &FILES, wanted.overwrite);
    let folder = wanted.out.as_ref().map(folder).transpose()?;
    let opened = opened(&wanted.subject)?;
    let chosen = chosen(opened.model(), wanted)?;
    let options = Options {
        cone: Some(wanted.cone.to_radians()),
        locked: locked(opened.model(), wanted)?,
        gradients: wanted.gradients,
        ..Options::everything()
    };
    let mut mechanism = Mechanism::new(opened.model());
    let at = mechanism
        .at(&opened.assembled.state)
        .map_err(|error| opened.loaded.explain_dynamics(&error))?;
    let explain = |error: AssessmentError| match error {
        AssessmentError::Dynamics(error) => opened.loaded.explain_dynamics(&error),
        AssessmentError::Contact(error) => opened.loaded.explain_contact(&error),
        AssessmentError::Stiffness(error) => opened.loaded.explain_stiffness(&error),
        AssessmentError::Law { contact, error } => opened.loaded.explain_law(&contact, &error),
    };
    let mut contacts = Vec::with_capacity(chosen.len());
    for &contact in &chosen {
        contacts.push(Assessment::new(&at, contact, &options).map_err(explain)?);
    }
    let together = (2..=MOST_TOGETHER)
        .contains(&chosen.len())
        .then(|| Together::new(&at, &chosen).map_err(explain))
        .transpose()?;
    let constraints = at.constraint_report();
    let mut found = warnings::of_file(&opened);
    found.extend(warnings::of_constraints(&constraints));
    for contact in &contacts {
        let normals = contact.rows.iter().filter(|r| r.is_normal);
        let points: Vec<_> = normals.map(|r| (r.standing, r.point.gap)).collect();
        found.extend(warnings::of_points(&contact.contact, &points));
        found.extend(warnings::of_law(contact));
        found.extend(warnings::of_area(contact));
    }
    warn(&found);
    let report = Report {
        opened: &opened,
        sets: &wanted.subject.sets,
        at,
        constraints,
        contacts,
        together,
        locked: &wanted.locked,
        warnings: found,
    };
    if let Some(folder) = folder {
        let [page, sheet, summary] = FILES;
        let summary = (summary, Some(json::text(&json::assess::value(&report))));
        let page = (page, Some(report::assess::html(&report)?));
        folder.write(&[page, (sheet, Some(csv::text(&report)?)), summary])?;
        complain(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        AssessFormat::Table => Ok(table::assess::text(&report)),
        AssessFormat::Json => Ok(json::text(&json::assess::value(&report))),
        AssessFormat::Csv => csv::text(&report),
    }
}

/// The contacts asked for, or all.
fn chosen(model: &Model, wanted: &Assess) -> Result<Vec<usize>, String> {
    let file = wanted.subject.file.display();
    if model.contacts.is_empty() {
        return Err(format!(
            "{file}: there is no contact to assess; add one, such as\n\n    [contacts.strike]\n    \
             between = [\"rod.tip\", \"ground.wall\"]\n\nwith shapes `contact.tip` of body `rod` and \
             `contact.wall` of `[ground]` (see docs/model-file.md)"
        ));
    }
    if wanted.contacts.is_empty() {
        return Ok((0..model.contacts.len()).collect());
    }
    named_contacts(model, &wanted.subject.file, &wanted.contacts)
}

/// The contacts of those names, each once.
pub(super) fn named_contacts(
    model: &Model,
    file: &Path,
    wanted: &[String],
) -> Result<Vec<usize>, String> {
    let file = file.display();
    let names = || model.contacts.iter().map(|c| c.name.as_str());
    let find = |name: &String| {
        model.contact(name).ok_or_else(|| {
            format!("{file}: --contact {name}: {}", unknown("contact", name, names()))
        })
    };
    let mut chosen: Vec<usize> = Vec::with_capacity(wanted.len());
    for contact in wanted {
        let contact = find(contact)?;
        if !chosen.contains(&contact) {
            chosen.push(contact);
        }
    }
    Ok(chosen)
}

/// The bodies whose joints are to be locked.
fn locked(model: &Model, wanted: &Assess) -> Result<Vec<usize>, String> {
    let file = wanted.subject.file.display();
    let names = || model.bodies.iter().map(|b| b.joint.name.as_str());
    let find = |name: &String| {
        names()
            .position(|joint| joint == name)
            .ok_or_else(|| format!("{file}: --lock {name}: {}", unknown("joint", name, names())))
    };
    wanted.locked.iter().map(find).collect()
}

/// How many known names are listed when none is near.
const MOST_NAMES: usize = 12;

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    if let Some(near) = nearest(name, known.clone()) {
        return format!("there is no {what} `{name}`; did you mean `{near}`?");
    }
    let count = known.clone().count();
    let mut list: Vec<String> = known.take(MOST_NAMES).map(|n| format!("`{n}`")).collect();
    if count > MOST_NAMES {
        list.push(format!("and {} more", count - MOST_NAMES));
    }
    format!("there is no {what} `{name}`; there is {}", list.join(", "))
}
