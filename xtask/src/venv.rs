//! Virtual environments of Python under `target/python`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::step::{program, succeeds};
use crate::{Failure, Outcome};

/// What an environment was made from, inside it; it is made anew when this differs.
const STAMP: &str = "made-from.txt";
/// The least version of Python that the package supports.
const LEAST: (u32, u32) = (3, 10);

/// A virtual environment.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment with these requirements (lines of a requirements file): the one that is there if it was made from
    /// the same, or a new one.
    pub(crate) fn with(folder: PathBuf, requirements: &str) -> Result<Self, Failure> {
        let there = Self { folder };
        if there.is_made_from(requirements) {
            return Ok(there);
        }
        let made = Self::empty(there.folder)?;
        let list = made.folder.join("requirements.txt");
        write(&list, requirements)?;
        made.pip(&["install", "--quiet", "-r", &list.to_string_lossy()])?;
        write(&made.folder.join(STAMP), requirements)?;
        Ok(made)
    }

    /// A new environment with nothing but pip in it.
    pub(crate) fn empty(folder: PathBuf) -> Result<Self, Failure> {
        let python = interpreter()?;
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| cannot("remove", &folder, &error))?;
        }
        program(Command::new(&python).args(["-m", "venv"]).arg(&folder)).map_err(|_| {
            Failure::CouldNotRun(format!(
                "`{python} -m venv` makes no environment; install the module, on Debian with: apt-get install python3-venv"
            ))
        })?;
        Ok(Self { folder })
    }

    /// Whether it stands, and was made from these requirements.
    fn is_made_from(&self, requirements: &str) -> bool {
        let stamp = fs::read_to_string(self.folder.join(STAMP));
        stamp.is_ok_and(|text| text == requirements)
            && succeeds(Command::new(self.program("python")).arg("--version"))
    }

    /// A program of the environment.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.folder.join(folder).join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// A call of a program of the environment; modules are looked for in it alone.
    pub(crate) fn call(&self, name: &str) -> Command {
        let mut command = Command::new(self.program(name));
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        command
    }

    /// Runs pip.
    pub(crate) fn pip(&self, arguments: &[&str]) -> Outcome {
        let mut pip = self.call("python");
        pip.args(["-m", "pip", "--disable-pip-version-check"]).args(arguments);
        program(&mut pip)
    }
}

/// The name of a Python that is new enough: `python3`, or what the variable PYTHON names.
fn interpreter() -> Result<String, Failure> {
    let name = env::var("PYTHON")
        .unwrap_or_else(|_| if cfg!(windows) { "python".to_owned() } else { "python3".to_owned() });
    let output = Command::new(&name).arg("--version").output();
    let text = match output {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
        _ => {
            return Err(Failure::CouldNotRun(format!(
                "there is no `{name}`: install Python {}.{} or newer (on Debian: apt-get install python3 python3-venv), or name \
                 one by the variable PYTHON",
                LEAST.0, LEAST.1
            )));
        }
    };
    match version(&text) {
        Some(found) if found >= LEAST => Ok(name),
        _ => Err(Failure::CouldNotRun(format!(
            "`{name}` is {}, expected Python {}.{} or newer; name another by the variable PYTHON",
            text.trim(),
            LEAST.0,
            LEAST.1
        ))),
    }
}

/// Major and minor version in what `python --version` prints.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().strip_prefix("Python ")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn write(path: &Path, text: &str) -> Outcome {
    fs::write(path, text).map_err(|error| cannot("write", path, &error))
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::CouldNotRun(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert_eq!(version("Python 3.11.7\n"), Some((3, 11)));
        assert!(version("Python 3.9.2").unwrap() < LEAST);
        assert!(version("Python 3.10.0rc1").unwrap() >= LEAST);
        assert_eq!(version("pyenv: no such command"), None);
    }

    #[test]
    fn an_environment_that_was_made_from_something_else_is_not_used() {
        let folder = env::temp_dir().join(format!("carom-xtask-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(STAMP), "numpy>=1\n").unwrap();
        let environment = Environment { folder: folder.clone() };
        assert!(!environment.is_made_from("numpy>=2\n"));
        // The stamp alone is no environment: there is no interpreter.
        assert!(!environment.is_made_from("numpy>=1\n"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
