//! `carom import`: a robot's file as a model file.

use std::path::Path;

use carom::Machine;
use carom::answer::CautionCode;

use super::folder::Folder;
use super::remark;
use crate::VerbResult;
use crate::args::Import;

/// Reads the robot, tells every decision on stderr, and writes the model file or prints it.
pub(crate) fn run(wanted: &Import) -> VerbResult {
    let options = carom::Import {
        tip: wanted.tip.clone(),
        out: wanted.out.as_deref().and_then(Path::parent).map(Path::to_owned),
        ..wanted.reading.options()
    };
    let place = wanted.out.as_deref().map(|file| place(file, wanted.overwrite)).transpose()?;
    let machine = Machine::import(&wanted.file, &options).map_err(|error| error.to_string())?;
    let text = machine.files().into_iter().map(|(_, text)| text).collect::<String>();
    let answer = machine.check().map_err(|error| error.to_string())?;
    let decided = [CautionCode::RobotImport, CautionCode::MotorsNotCounted];
    for caution in answer.cautions.iter().filter(|c| decided.contains(&c.code)) {
        remark(&caution.line());
    }
    match place {
        None => Ok(text),
        Some((folder, name)) => {
            folder.write(&[(&name, Some(text))])?;
            Ok(format!("wrote {}\n", folder.path.join(name).display()))
        }
    }
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
