//! `carom import`: a robot's file as a model file.

use std::path::Path;

use carom::Machine;
use carom::answer::CautionCode;
use carom::answer::robot::TipOptions;

use super::complain;
use super::folder::Folder;
use crate::Outcome;
use crate::args::{Base, Import, Limits};

/// Reads the robot, tells every decision on stderr, and writes the model file or prints it.
pub(crate) fn run(wanted: &Import) -> Outcome {
    let options = carom::Import {
        floating: wanted.base == Base::Floating,
        rotors: wanted.rotors.clone(),
        keyframe: wanted.keyframe.clone(),
        stops: wanted.joint_limits == Limits::Stops,
        drop: wanted.drop.clone(),
        weld: wanted.weld.clone(),
        tip: wanted.tip.clone(),
        densities: wanted.densities.iter().map(|text| density(text)).collect::<Result<_, _>>()?,
        out: wanted.out.as_deref().and_then(Path::parent).map(Path::to_owned),
        packages: wanted.packages.clone(),
        ..carom::Import::default()
    };
    let place = wanted.out.as_deref().map(|file| place(file, wanted.overwrite)).transpose()?;
    let machine = Machine::import(&wanted.file, &options).map_err(|error| error.to_string())?;
    let text = machine.files().into_iter().map(|(_, text)| text).collect::<String>();
    let answer = machine.check().map_err(|error| error.to_string())?;
    let decided = [CautionCode::RobotImport, CautionCode::MotorsNotCounted];
    for caution in answer.cautions.iter().filter(|c| decided.contains(&c.code)) {
        complain(&caution.line());
    }
    match place {
        None => Ok(text),
        Some((folder, name)) => {
            folder.write(&[(&name, Some(text))])?;
            Ok(format!("wrote {}\n", folder.path.join(name).display()))
        }
    }
}

/// A density, of a link or of all; the last `=` splits, because names may have one.
fn density(text: &str) -> Result<(String, f64), String> {
    let (link, value) = text.rsplit_once('=').unwrap_or(("", text));
    let found = TipOptions::quantity("--density", value.trim(), "kg/m^3");
    Ok((link.trim().to_owned(), found.map_err(|error| error.to_string())?))
}

/// The folder and the name of the file to write.
fn place(file: &Path, overwrite: bool) -> Result<(Folder, String), String> {
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| format!("{} is not the name of a file", file.display()))?;
    let parent = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !parent.is_dir() {
        return Err(format!("{}: there is no folder `{}`", file.display(), parent.display()));
    }
    let folder = Folder::new(parent, parent.to_owned(), &[name], overwrite)?;
    Ok((folder, name.to_owned()))
}
