//! Which shapes may touch which.

use crate::model::ShapeKind;

/// A pair of shapes that may touch, in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupportedPair {
    /// One kind, the word of the file.
    pub a: &'static str,
    /// The other.
    pub b: &'static str,
    /// Whether in planar models.
    pub planar: bool,
    /// Whether in spatial models.
    pub spatial: bool,
    /// What touches, and how many points it gives.
    pub points: &'static str,
}

const fn pair(
    a: &'static str,
    b: &'static str,
    [planar, spatial]: [bool; 2],
    points: &'static str,
) -> SupportedPair {
    SupportedPair { a, b, planar, spatial, points }
}

const BOTH: [bool; 2] = [true, true];
const PLANAR: [bool; 2] = [true, false];
const SPATIAL: [bool; 2] = [false, true];

const PAIRS: [SupportedPair; PAIR_COUNT] = [
    pair("point", "sphere", BOTH, "1"),
    pair("point", "plane", BOTH, "1"),
    pair("point", "segment", PLANAR, "1, one-sided"),
    pair("point", "hollow", BOTH, "1, from inside"),
    pair("point", "box", BOTH, "1"),
    pair("point", "capsule", BOTH, "1"),
    pair("point", "cylinder", SPATIAL, "1"),
    pair("sphere", "sphere", BOTH, "1"),
    pair("sphere", "plane", BOTH, "1"),
    pair("sphere", "segment", BOTH, "1; one-sided in the plane"),
    pair("sphere", "hollow", BOTH, "1, from inside"),
    pair("sphere", "box", BOTH, "1"),
    pair("sphere", "capsule", BOTH, "1"),
    pair("sphere", "cylinder", SPATIAL, "1"),
    pair("segment", "plane", BOTH, "2: the ends"),
    pair("segment", "capsule", BOTH, "1 in space; 1 or 2 in the plane"),
    pair("segment", "box", BOTH, "1 or 2"),
    pair("segment", "polygon", PLANAR, "1 or 2: the ends of the common stretch"),
    pair("segment", "polyhedron", SPATIAL, "1 or 2"),
    pair("box", "capsule", BOTH, "1 or 2"),
    pair("box", "box", BOTH, OVERLAP),
    pair("polygon", "point", PLANAR, "1"),
    pair("polygon", "sphere", PLANAR, "1"),
    pair("polygon", "plane", PLANAR, "2: the ends of the lowest side"),
    pair("polygon", "box", PLANAR, "1 or 2: the ends of the common stretch"),
    pair("polygon", "capsule", PLANAR, "1 or 2: the ends of the common stretch"),
    pair("polygon", "polygon", PLANAR, "1 or 2: the ends of the common stretch"),
    pair("polyhedron", "point", SPATIAL, "1"),
    pair("polyhedron", "sphere", SPATIAL, "1"),
    pair("polyhedron", "plane", SPATIAL, "the vertices of the lowest face"),
    pair("polyhedron", "box", SPATIAL, "1 to 8: the corners of the overlap"),
    pair("polyhedron", "capsule", SPATIAL, "1 or 2"),
    pair("polyhedron", "polyhedron", SPATIAL, "1 to 8: the corners of the overlap"),
    pair("capsule", "plane", BOTH, "2: the ends"),
    pair("capsule", "capsule", BOTH, "1; parallel: in the middle of the common stretch"),
    pair("box", "plane", BOTH, "of each diagonal the nearer end: 2 in the plane, 4 in space"),
    pair("cylinder", "plane", SPATIAL, "2: the lowest of each rim"),
    pair("profile", "point", PLANAR, MINIMA),
    pair("profile", "sphere", PLANAR, MINIMA),
    pair("profile", "segment", PLANAR, MINIMA),
    pair("profile", "capsule", PLANAR, MINIMA),
    pair("profile", "box", PLANAR, MINIMA),
    pair("profile", "polygon", PLANAR, MINIMA),
    pair("profile", "plane", PLANAR, MINIMA),
];

const MINIMA: &str = "1 to 4: the nearest local minima of the distance";

const OVERLAP: &str =
    "1 or 2 ends of the common stretch in the plane, 1 to 8 corners of the overlap in space";

/// How many there are.
const PAIR_COUNT: usize = 44;

/// All pairs of shapes that may touch.
pub fn supported_pairs() -> &'static [SupportedPair] {
    &PAIRS
}

/// Whether two kinds of shapes may touch, in either order.
pub fn supported(a: &ShapeKind, b: &ShapeKind, planar: bool) -> bool {
    let (a, b) = (a.name(), b.name());
    PAIRS.iter().any(|pair| {
        let same = (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
        same && if planar { pair.planar } else { pair.spatial }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::proof_tests::{Dice, KINDS, scene};
    use crate::contact::{ContactError, touch};

    #[test]
    fn the_table_lists_exactly_the_pairs_that_give_points() {
        let mut dice = Dice::new(1);
        for planar in [true, false] {
            for a in KINDS {
                for b in KINDS {
                    let scene = scene(&mut dice, a, b, planar);
                    let [kind_a, kind_b] = [0, 1].map(|i| scene.model.shapes[i].kind.clone());
                    let refused = matches!(
                        touch(&scene.model, 0, &|p| scene.pose(p, 0.0)),
                        Err(ContactError::UnsupportedPair { .. })
                    );
                    assert_eq!(supported(&kind_a, &kind_b, planar), !refused, "{a} {b} {planar}");
                    let swapped = supported(&kind_b, &kind_a, planar);
                    assert_eq!(supported(&kind_a, &kind_b, planar), swapped, "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn the_manual_has_the_same_table() {
        let manual = include_str!("../../../../docs/model-file.md");
        for pair in supported_pairs() {
            let mark = |yes: bool| if yes { "yes" } else { "no" };
            let row = format!(
                "| {}–{} | {} | {} | {} |",
                pair.a,
                pair.b,
                mark(pair.planar),
                mark(pair.spatial),
                pair.points
            );
            assert!(manual.contains(&row), "docs/model-file.md lacks the row\n{row}");
        }
    }
}
