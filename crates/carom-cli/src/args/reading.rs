//! How a robot's file is read, in every verb that takes one.

use std::path::{Path, PathBuf};

use carom::answer::robot::TipOptions;
use clap::{Args, ValueEnum};

/// Options of a robot's file (URDF or MJCF).
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reading a robot's file (URDF or MJCF)")]
pub(crate) struct Reading {
    /// Whether the root link is ground or free
    #[arg(long, value_enum, value_name = "WHICH")]
    base: Option<Base>,
    /// Reflected rotor inertia of a joint: elbow=0.2, or elbow="0.2 kg m^2" (may be repeated)
    #[arg(long = "rotor", value_name = "JOINT=VALUE", value_parser = rotor)]
    rotors: Vec<(String, f64)>,
    /// The keyframe of an MJCF file in which the robot stands
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// What joint limits become: ranges for maps, or stops that can be struck
    #[arg(long, value_enum, value_name = "WHAT")]
    joint_limits: Option<Limits>,
    /// Leave this link out, with all it carries, or this closure (may be repeated)
    #[arg(long, value_name = "NAME")]
    drop: Vec<String>,
    /// Take this joint as fixed (may be repeated)
    #[arg(long, value_name = "JOINT")]
    weld: Vec<String>,
    /// Mass and inertia from a density, "2700 kg/m^3", of all links without a stated inertia; LINK=DENSITY for one link (may be repeated)
    #[arg(long = "density", value_name = "[LINK=]DENSITY", value_parser = density)]
    densities: Vec<(String, f64)>,
    /// Folder of a package that mesh files are named by, package://NAME/… (may be repeated)
    #[arg(long = "package", value_name = "NAME=DIR", value_parser = package)]
    packages: Vec<(String, PathBuf)>,
}

/// What the root link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Base {
    /// Ground
    Fixed,
    /// A free body
    Floating,
}

/// What joint limits become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Limits {
    /// The `range` of a joint
    Ranges,
    /// Also a contact of the joint's coordinate
    Stops,
}

impl Reading {
    /// The folders of packages, which model files may name meshes by, too.
    pub(crate) fn packages(&self) -> &[(String, PathBuf)] {
        &self.packages
    }

    /// The first option that only a robot's file understands.
    pub(crate) fn named(&self) -> Option<&'static str> {
        let given = [
            ("--base", self.base.is_some()),
            ("--rotor", !self.rotors.is_empty()),
            ("--keyframe", self.keyframe.is_some()),
            ("--joint-limits", self.joint_limits.is_some()),
            ("--drop", !self.drop.is_empty()),
            ("--weld", !self.weld.is_empty()),
            ("--density", !self.densities.is_empty()),
        ];
        given.iter().find(|(_, given)| *given).map(|(name, _)| *name)
    }

    /// The options as the library takes them.
    pub(crate) fn options(&self) -> carom::Import {
        carom::Import {
            floating: self.base == Some(Base::Floating),
            rotors: self.rotors.clone(),
            keyframe: self.keyframe.clone(),
            stops: self.joint_limits == Some(Limits::Stops),
            drop: self.drop.clone(),
            weld: self.weld.clone(),
            densities: self.densities.clone(),
            packages: self.packages.clone(),
            ..carom::Import::default()
        }
    }
}

/// `joint=value`; the last `=` splits, because names may have one.
fn rotor(text: &str) -> Result<(String, f64), String> {
    let expected =
        "expected a joint and an inertia of at least 0, such as elbow=0.2 or elbow=\"0.2 kg m^2\"";
    let (joint, value) = text.rsplit_once('=').ok_or(expected)?;
    let found = ["kg m^2", "kg"].map(|unit| TipOptions::quantity("--rotor", value, unit));
    match found.into_iter().find_map(Result::ok) {
        Some(x) if x.is_finite() && x >= 0.0 && !joint.trim().is_empty() => {
            Ok((joint.trim().to_owned(), x))
        }
        _ => Err(expected.to_owned()),
    }
}

/// A density, of a link or of all; the last `=` splits, because names may have one.
fn density(text: &str) -> Result<(String, f64), String> {
    let (link, value) = text.rsplit_once('=').unwrap_or(("", text));
    let found = TipOptions::quantity("--density", value.trim(), "kg/m^3");
    Ok((link.trim().to_owned(), found.map_err(|error| error.to_string())?))
}

/// `name=folder`.
fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.trim().is_empty() && Path::new(folder).is_dir() => {
            Ok((name.trim().to_owned(), PathBuf::from(folder)))
        }
        Some((name, folder)) if !name.trim().is_empty() => {
            Err(format!("there is no folder `{folder}`"))
        }
        _ => {
            Err("expected a name and a folder, such as ur_description=../ur_description".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotor_has_a_unit_of_its_own_or_none() {
        assert_eq!(rotor("elbow=0.2"), Ok(("elbow".to_owned(), 0.2)));
        let (joint, grams) = rotor("a=b = 2000 g cm^2").unwrap();
        assert_eq!(joint, "a=b");
        assert!((grams - 2e-4).abs() < 1e-18, "{grams}");
        assert_eq!(rotor("slide=3 kg"), Ok(("slide".to_owned(), 3.0)));
        for bad in ["elbow", "elbow=", "elbow=-1", "elbow=nan", "elbow=1 m", "=1"] {
            assert!(rotor(bad).is_err(), "{bad}");
        }
    }
}
