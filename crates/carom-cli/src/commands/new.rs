//! `carom new`: a commented model file that runs, to begin with.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::folder::Folder;
use crate::VerbResult;
use crate::args::New;

/// A machine to begin with.
pub(crate) struct Template {
    /// Its name, and that of its file.
    pub name: &'static str,
    /// What it is.
    about: &'static str,
    /// The model file.
    text: &'static str,
    /// A file that it needs beside it.
    beside: Option<(&'static str, &'static str)>,
}

const fn alone(name: &'static str, about: &'static str, text: &'static str) -> Template {
    Template { name, about, text, beside: None }
}

/// All of them.
pub(crate) const TEMPLATES: [Template; 6] = [
    alone(
        "pendulum",
        "a rod swings into a wall, by a force law",
        include_str!("../../templates/pendulum.toml"),
    ),
    alone(
        "four-bar",
        "a four-bar linkage hits a block, by impulses",
        include_str!("../../templates/four-bar.toml"),
    ),
    alone(
        "slider-crank",
        "a motor drives a crank; the slider hits a free block",
        include_str!("../../templates/slider-crank.toml"),
    ),
    alone(
        "arm",
        "an arm of three joints in space comes down on a table",
        include_str!("../../templates/arm.toml"),
    ),
    alone(
        "drop",
        "a box in space falls on the floor, with friction",
        include_str!("../../templates/drop.toml"),
    ),
    Template {
        name: "robot",
        about: "a robot's file (URDF) with a pose and something to hit",
        text: include_str!("../../templates/robot.toml"),
        beside: Some(("robot.urdf", include_str!("../../templates/robot.urdf"))),
    },
];

/// Writes one, or lists them.
pub(crate) fn run(wanted: &New) -> VerbResult {
    let named = |name: &String| TEMPLATES.iter().find(|template| template.name == *name);
    let Some(template) = wanted.template.as_ref().and_then(named) else { return Ok(list()) };
    let file =
        wanted.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.toml", template.name)));
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| format!("{} is not the name of a file", file.display()))?;
    let parent = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files = vec![(name, Some(template.text))];
    files.extend(template.beside.map(|(name, text)| (name, Some(text))));
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    Folder::new(parent, parent.to_owned(), &names, wanted.overwrite)?.write(&files)?;
    let shown = file.display();
    let mut out = format!("wrote {shown}: {}\n\n", template.about);
    for (verb, what) in [
        (format!("check {shown}"), "what was understood"),
        (
            format!("assess {shown}"),
            "how heavy the contact feels, how much energy an impact can use",
        ),
        (format!("run {shown} -o out --open"), "the motion with its impacts, as a page"),
    ] {
        let _ = writeln!(out, "  carom {verb:<36}  {what}");
    }
    Ok(out)
}

fn list() -> String {
    let mut out = String::from("Machines to begin with: `carom new NAME` writes NAME.toml\n\n");
    for template in &TEMPLATES {
        let _ = writeln!(out, "  {:<14}{}", template.name, template.about);
    }
    out
}
