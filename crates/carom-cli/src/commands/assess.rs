//! `carom assess`: how heavy every contact feels, and how much energy an impact there can use.

use std::path::{Path, PathBuf};

use carom::answer;
use carom::{AssessOptions, ContactId, JointId, Machine};

use super::folder::Folder;
use super::{machine, remark, tell};
use crate::args::{Assess, AssessFormat};
use crate::{VerbResult, csv, report, table};

/// What is written with `-o`.
const FILES: [&str; 3] = [report::FILE, "contacts.csv", "summary.json"];

/// Assesses the contacts asked for.
pub(crate) fn run(wanted: &Assess) -> VerbResult {
    if wanted.gradients && wanted.format == AssessFormat::Csv {
        return Err("--gradients has no CSV form; use --format json or the table".to_owned());
    }
    let folder = |path: &PathBuf| Folder::new(path, path.clone(), &FILES, wanted.overwrite);
    let folder = wanted.out.as_ref().map(folder).transpose()?;
    let machine = machine(&wanted.subject)?;
    let options = options(&machine, wanted)?;
    let answer = machine.assess_with(&options).map_err(|error| error.to_string())?;
    tell(&answer.cautions);
    let text = || answer::json(&answer).map_err(|error| error.to_string());
    if let Some(folder) = folder {
        let [page, sheet, summary] = FILES;
        let page =
            (page, Some(report::assess::html(&machine, &answer, Some(&report::own_command()))?));
        let files = [page, (sheet, Some(csv::text(&answer)?)), (summary, Some(text()?))];
        folder.write(&files)?;
        remark(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        AssessFormat::Table => Ok(table::assess::text(&answer)),
        AssessFormat::Json => text(),
        AssessFormat::Csv => csv::text(&answer),
    }
}

/// What to look at beside the core.
fn options(machine: &Machine, wanted: &Assess) -> Result<AssessOptions, String> {
    let file = wanted.subject.file.display();
    if machine.contact_names().is_empty() {
        return Err(format!(
            "{file}: there is no contact to assess; add one, such as\n\n    [contacts.strike]\n    \
             between = [\"rod.tip\", \"ground.wall\"]\n\nwith shapes `contact.tip` of body `rod` and \
             `contact.wall` of `[ground]` (see docs/model-file.md)"
        ));
    }
    let joint = |name: &String| -> Result<JointId, String> {
        machine.joint(name).map_err(|error| format!("{file}: --lock {name}: {error}"))
    };
    Ok(AssessOptions {
        contacts: contacts(machine, &wanted.subject.file, &wanted.contacts)?,
        cone: Some(wanted.cone.to_radians()),
        locked: wanted.locked.iter().map(joint).collect::<Result<_, _>>()?,
        gradients: wanted.gradients || wanted.all,
        routes: wanted.routes || wanted.all,
        rivals: wanted.rivals || wanted.all,
        projectors: wanted.projectors || wanted.all,
        terms: true,
    })
}

/// The contacts of those names, each once.
pub(super) fn contacts(
    machine: &Machine,
    file: &Path,
    names: &[String],
) -> Result<Vec<ContactId>, String> {
    let mut chosen: Vec<ContactId> = Vec::with_capacity(names.len());
    for name in names {
        let contact = machine
            .contact(name)
            .map_err(|error| format!("{}: --contact {name}: {error}", file.display()))?;
        if !chosen.contains(&contact) {
            chosen.push(contact);
        }
    }
    Ok(chosen)
}
