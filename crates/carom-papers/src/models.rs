//! The model files of the papers, carried along so that the command works anywhere.

use std::path::{Component, Path, PathBuf};

use carom::file::{Source, describe};
use carom::model::description::Value;

use super::lab::Answer;

/// The files, by their path under `models/`.
const FILES: [(&str, &str); 31] = [
    (
        "000/double-pendulum-strikes-pendulum.toml",
        include_str!("../../../models/000/double-pendulum-strikes-pendulum.toml"),
    ),
    ("000/rod-on-wall.toml", include_str!("../../../models/000/rod-on-wall.toml")),
    ("000/slider-crank.toml", include_str!("../../../models/000/slider-crank.toml")),
    ("000/sliding-mass.toml", include_str!("../../../models/000/sliding-mass.toml")),
    ("000/two-pendulums.toml", include_str!("../../../models/000/two-pendulums.toml")),
    ("001/ball-on-table.toml", include_str!("../../../models/001/ball-on-table.toml")),
    ("001/two-spheres.toml", include_str!("../../../models/001/two-spheres.toml")),
    ("002/double-pendulum.toml", include_str!("../../../models/002/double-pendulum.toml")),
    ("002/pantograph.toml", include_str!("../../../models/002/pantograph.toml")),
    ("002/two-discs.toml", include_str!("../../../models/002/two-discs.toml")),
    (
        "002/wheeled-robot-on-terrain.toml",
        include_str!("../../../models/002/wheeled-robot-on-terrain.toml"),
    ),
    ("002/wheeled-robot.toml", include_str!("../../../models/002/wheeled-robot.toml")),
    ("003/ball-in-corner.toml", include_str!("../../../models/003/ball-in-corner.toml")),
    ("003/biped.toml", include_str!("../../../models/003/biped.toml")),
    ("003/cradle.toml", include_str!("../../../models/003/cradle.toml")),
    ("003/rocking-block.toml", include_str!("../../../models/003/rocking-block.toml")),
    ("004/bar.toml", include_str!("../../../models/004/bar.toml")),
    ("impacts/bar-in-guides.toml", include_str!("../../../models/impacts/bar-in-guides.toml")),
    ("robot-arm.toml", include_str!("../../../models/robot-arm.toml")),
    ("studies/000-fig-10.toml", include_str!("../../../models/studies/000-fig-10.toml")),
    ("studies/002-fig-04.toml", include_str!("../../../models/studies/002-fig-04.toml")),
    ("studies/002-fig-05.toml", include_str!("../../../models/studies/002-fig-05.toml")),
    ("studies/002-fig-06.toml", include_str!("../../../models/studies/002-fig-06.toml")),
    ("studies/002-fig-07.toml", include_str!("../../../models/studies/002-fig-07.toml")),
    ("studies/002-fig-08.toml", include_str!("../../../models/studies/002-fig-08.toml")),
    ("studies/002-fig-09.toml", include_str!("../../../models/studies/002-fig-09.toml")),
    ("studies/002-fig-11.toml", include_str!("../../../models/studies/002-fig-11.toml")),
    ("studies/002-fig-12-left.toml", include_str!("../../../models/studies/002-fig-12-left.toml")),
    (
        "studies/002-fig-12-right.toml",
        include_str!("../../../models/studies/002-fig-12-right.toml"),
    ),
    ("studies/002-fig-16.toml", include_str!("../../../models/studies/002-fig-16.toml")),
    ("two-ends-of-one-chain.toml", include_str!("../../../models/two-ends-of-one-chain.toml")),
];

/// A file and those it completes, the lowest first.
pub(crate) fn files(name: &str) -> Answer<Vec<(String, String)>> {
    let mut out = Vec::new();
    let mut next = Some(name.to_owned());
    while let Some(name) = next {
        let (_, text) = FILES
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| format!("models/{name} is not carried along"))?;
        let shown = format!("models/{name}");
        let description = describe(&Source::new(&shown, text)).map_err(|e| e.to_string())?;
        next = match description.node("model").map(|node| &node.value) {
            Some(Value::Text { text, .. }) => Some(beside(&name, text)),
            _ => None,
        };
        out.push((shown, (*text).to_owned()));
    }
    out.reverse();
    Ok(out)
}

/// The path of a file that another names from its own folder.
fn beside(name: &str, other: &str) -> String {
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::new();
    for part in folder.join(other).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    // A key of the list above on every system.
    path.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_carried_along_finds_those_it_completes() {
        for (name, _) in FILES {
            let found = files(name).unwrap();
            assert_eq!(found.last().unwrap().0, format!("models/{name}"));
            assert_eq!(
                found.len(),
                if name.starts_with("studies/") || name.contains("terrain") { 2 } else { 1 }
            );
        }
        assert!(files("none.toml").is_err());
    }
}
