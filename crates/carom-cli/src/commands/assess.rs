//! `carom assess`: how heavy every contact feels, and how much energy an impact there can use.

use std::path::{Path, PathBuf};

use carom::answer::{self, AssessAnswer};
use carom::impact::Options;
use carom::maths::nearest::nearest;
use carom::model::Model;

use super::folder::Folder;
use super::{complain, opened, tell};
use crate::args::{Assess, AssessFormat};
use crate::{Outcome, csv, report, table};

/// What is written with `-o`.
const FILES: [&str; 3] = [report::FILE, "contacts.csv", "summary.json"];

/// Assesses the contacts asked for.
pub(crate) fn run(wanted: &Assess) -> Outcome {
    if wanted.gradients && wanted.format == AssessFormat::Csv {
        return Err("--gradients has no CSV form; use --format json or the table".to_owned());
    }
    let folder = |path: &PathBuf| Folder::new(path, path.clone(), &FILES, wanted.overwrite);
    let folder = wanted.out.as_ref().map(folder).transpose()?;
    let opened = opened(&wanted.subject)?;
    let chosen = chosen(opened.model(), wanted)?;
    let options = options(opened.model(), wanted)?;
    let answer = AssessAnswer::new(&opened, &wanted.subject.sets, &chosen, &options)
        .map_err(|error| error.to_string())?;
    tell(&answer.cautions);
    let text = || answer::json(&answer).map_err(|error| error.to_string());
    if let Some(folder) = folder {
        let [page, sheet, summary] = FILES;
        let page = (page, Some(report::assess::html(&opened, &answer)?));
        let files = [page, (sheet, Some(csv::text(&answer)?)), (summary, Some(text()?))];
        folder.write(&files)?;
        complain(&format!("see {}", folder.path.join(report::FILE).display()));
    }
    match wanted.format {
        AssessFormat::Table => Ok(table::assess::text(&answer)),
        AssessFormat::Json => text(),
        AssessFormat::Csv => csv::text(&answer),
    }
}

/// What to look at beside the core.
fn options(model: &Model, wanted: &Assess) -> Result<Options, String> {
    Ok(Options {
        cone: Some(wanted.cone.to_radians()),
        locked: locked(model, wanted)?,
        gradients: wanted.gradients || wanted.all,
        routes: wanted.routes || wanted.all,
        rivals: wanted.rivals || wanted.all,
        projectors: wanted.projectors || wanted.all,
        terms: true,
        prediction: true,
    })
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
