//! Meshes of MJCF files: what they weigh, where they stand, and what is refused. MuJoCo itself is asked in the Python tests.

use carom::{Import, Machine};

use crate::robot_urdf::Folder;

/// Round-off of sums over some triangles. All lengths are multiples of 1/16, which 32 bits hold exactly.
const ROUND_OFF: f64 = 1e-13;

/// A block from 0 to (2, 3, 4) / 8 m, with square polygons.
const BLOCK: &str = "o block\nv 0 0 0\nv 0 0 0.5\nv 0 0.375 0\nv 0 0.375 0.5\nv 0.25 0 0\nv 0.25 0 0.5\nv 0.25 0.375 0\nv 0.25 0.375 0.5\n\
    f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
/// A prism of height 1 over an L: a square of edge 1 without the quarter x, y > 0.5.
const L: &str = "v 0 0 0\nv 1 0 0\nv 1 0.5 0\nv 0.5 0.5 0\nv 0.5 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 0.5 1\nv 0.5 0.5 1\nv 0.5 1 1\nv 0 1 1\n\
    f 4 3 2 1\nf 1 6 5 4\nf 7 8 9 10\nf 10 11 12 7\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";

/// A body with a free joint, and what stands before the world.
fn model(before: &str, geoms: &str) -> String {
    format!(
        "<mujoco>{before}<worldbody><body name=\"b\"><freejoint name=\"f\"/>{geoms}</body></worldbody></mujoco>"
    )
}

fn opened(test: &str, xml: &str) -> Result<Machine, String> {
    let folder = Folder::new(&format!("mesh-{test}"));
    folder.write("block.obj", BLOCK);
    folder.write("l.obj", L);
    let path = folder.write("r.xml", xml);
    Machine::import(path, &Import::default()).map_err(|error| error.to_string())
}

/// M of the free body at its own frame: mass, centre and inertia in one.
fn mass_matrix(test: &str, xml: &str) -> Vec<f64> {
    let mut machine = opened(test, xml).unwrap();
    machine.mass_matrix_many(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], &[0.0; 6]).unwrap()
}

fn same(test: &str, mesh: (&str, &str), wanted: &str) {
    let found = mass_matrix(test, &model(mesh.0, mesh.1));
    let wanted = mass_matrix(test, &model("", wanted));
    let size = wanted.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    for (f, w) in found.iter().zip(&wanted) {
        assert!((f - w).abs() <= ROUND_OFF * size, "{test}: {found:?} instead of {wanted:?}");
    }
}

#[test]
fn a_mesh_weighs_what_the_solid_it_is_weighs() {
    let block = r#"<asset><mesh file="block.obj"/></asset>"#;
    let of = |more: &str| format!(r#"<asset><mesh name="m" file="block.obj" {more}/></asset>"#);
    let geom = r#"<geom type="mesh" mesh="m" density="800"/>"#;
    // By default and by every word of `inertia` a block is a block.
    same(
        "name",
        (block, r#"<geom type="mesh" mesh="block"/>"#),
        r#"<geom type="box" size="0.125 0.1875 0.25" pos="0.125 0.1875 0.25"/>"#,
    );
    let solid =
        r#"<geom type="box" density="800" size="0.125 0.1875 0.25" pos="0.125 0.1875 0.25"/>"#;
    for word in ["legacy", "exact", "convex"] {
        same(word, (&of(&format!("inertia=\"{word}\"")), geom), solid);
    }
    same(
        "shell",
        (&of("inertia=\"shell\""), geom),
        &solid.replace("size", "shellinertia=\"true\" size"),
    );
    same(
        "mass",
        (&of(""), r#"<geom type="mesh" mesh="m" mass="3"/>"#),
        r#"<geom type="box" mass="3" size="0.125 0.1875 0.25" pos="0.125 0.1875 0.25"/>"#,
    );
    // The geom's own frame is that of the file.
    same(
        "pose",
        (&of(""), r#"<geom type="mesh" mesh="m" pos="1 2 3" zaxis="0 1 0"/>"#),
        // z goes to y and y to −z by the shortest turn.
        r#"<geom type="box" size="0.125 0.25 0.1875" pos="1.125 2.25 2.8125"/>"#,
    );
    // S Rᵀ (p − r): R turns by 90° about x, so that Rᵀ takes (x, y, z) to (x, z, −y). A negative factor mirrors.
    same(
        "reference",
        (
            &of(r#"refpos="0.25 0 0.5" refquat="1 1 0 0" scale="2 1 -1""#),
            r#"<geom type="mesh" mesh="m"/>"#,
        ),
        r#"<geom type="box" size="0.25 0.25 0.1875" pos="-0.25 -0.25 0.1875"/>"#,
    );
    // Corners in the file itself; without faces they are those of their hull.
    let corners = "0 0 0 0 0 0.5 0 0.375 0 0 0.375 0.5 0.25 0 0 0.25 0 0.5 0.25 0.375 0 0.25 0.375 0.5 0.125 0.125 0.125";
    let own = format!(r#"<asset><mesh name="m" vertex="{corners}"/></asset>"#);
    same("corners", (&own, geom), solid);
}

#[test]
fn words_of_inertia_differ_where_a_mesh_is_not_convex() {
    let volume = |word: &str| {
        let asset = format!(r#"<asset><mesh name="m" file="l.obj" inertia="{word}"/></asset>"#);
        mass_matrix(word, &model(&asset, r#"<geom type="mesh" mesh="m" density="1"/>"#))[0]
    };
    assert!((volume("exact") - 0.75).abs() < ROUND_OFF);
    // The hull cuts the missing quarter by its diagonal.
    assert!((volume("convex") - 0.875).abs() < ROUND_OFF);
    // Two faces of L, 0.75 m² each, and sides of 4 m by 1 m.
    assert!((volume("shell") - 5.5).abs() < ROUND_OFF);
    // The inner corner of the L is seen from the centroid: it is star-shaped about it, and nothing counts twice.
    assert!((volume("legacy") - 0.75).abs() < ROUND_OFF);
}

#[test]
fn a_primitive_is_fitted_to_a_mesh() {
    let asset = r#"<asset><mesh name="m" file="block.obj"/></asset>"#;
    let bounds = format!("<compiler fitaabb=\"true\"/>{asset}");
    // The box with the inertia of a block is the block, and so is the box around it.
    let block = r#"<geom type="box" size="0.25 0.375 0.5" pos="0.125 0.1875 0.25"/>"#;
    let fitted = r#"<geom type="box" mesh="m" fitscale="2"/>"#;
    same("fit box", (asset, fitted), block);
    same("fit bounds", (&bounds, fitted), block);
    // Half edges 1/8, 3/16 and 1/4: MuJoCo's capsule by inertia is (a + b)/2 wide and c − r/2 long, that of bounds max(a, b) and c − r.
    let capsule = r#"<geom type="capsule" mesh="m"/>"#;
    same(
        "fit capsule",
        (asset, capsule),
        r#"<geom type="capsule" size="0.15625 0.171875" pos="0.125 0.1875 0.25"/>"#,
    );
    same(
        "fit capsule bounds",
        (&bounds, capsule),
        r#"<geom type="capsule" size="0.1875 0.0625" pos="0.125 0.1875 0.25"/>"#,
    );
}

#[test]
fn meshes_are_found_in_the_folder_of_the_compiler() {
    let folder = Folder::new("mesh-folders");
    let sub = folder.folder("sub");
    sub.write("a.obj", BLOCK);
    let geom = r#"<geom type="mesh" mesh="a"/>"#;
    let read = |compiler: &str, file: &str| {
        let xml =
            model(&format!("<compiler {compiler}/><asset><mesh file=\"{file}\"/></asset>"), geom);
        let machine = Machine::import(folder.write("r.xml", &xml), &Import::default());
        machine.map(|machine| machine.missing_meshes()).map_err(|error| error.to_string())
    };
    for (compiler, file) in [
        ("", "sub/a.obj"),
        ("meshdir=\"sub\"", "a.obj"),
        ("meshdir=\"./sub/\"", "a.obj"),
        ("assetdir=\"sub\"", "a.obj"),
        ("assetdir=\"nothing\" meshdir=\"sub\"", "a.obj"),
        ("meshdir=\"sub\" strippath=\"true\"", "C:\\robots/meshes/a.obj"),
    ] {
        assert_eq!(read(compiler, file), Ok(Vec::new()), "{compiler}");
    }
    let outside = Folder::new("mesh-outside");
    outside.write("a.obj", BLOCK);
    let name = outside.path().file_name().unwrap().to_str().unwrap().to_owned();
    for (compiler, file, wanted) in [
        ("", "a.obj", "r.xml:1:"),
        ("", "a.obj", "mesh `a`: `a.obj`: there is no such file; state the body's <inertial>"),
        (
            &*format!("meshdir=\"../{name}\""),
            "a.obj",
            "it lies outside the folder of the model file",
        ),
        ("", "https://example.org/a.obj", "`https://` is not read"),
        ("", "sub/a.dae", ".stl and .obj files only"),
    ] {
        let found = read(compiler, file).unwrap_err();
        assert!(found.contains(wanted), "{found} instead of {wanted}");
    }
    // A mesh without a mass is only missing in the picture, which a caution says.
    let xml = model(
        "<asset><mesh file=\"none.stl\"/></asset>",
        "<geom type=\"mesh\" mesh=\"none\" mass=\"0\"/><geom size=\"1\"/>",
    );
    let machine = Machine::import(folder.write("r.xml", &xml), &Import::default()).unwrap();
    assert_eq!(machine.missing_meshes().len(), 1);
}

#[test]
fn bad_meshes_are_refused_with_their_place() {
    let geom = r#"<geom type="mesh" mesh="m"/>"#;
    let flat = "vertex=\"0 0 0 1 0 0 0 1 0 1 1 0\"";
    for (asset, geom, wanted) in [
        ("<mesh/>", "", "<mesh> has neither a `file` nor a `vertex`"),
        ("<mesh vertex=\"0\"/>", "", "<mesh> has no `name`"),
        (
            "<mesh name=\"m\" fil=\"block.obj\"/>",
            "",
            "`fil` is no attribute of <mesh>; is `file` meant?",
        ),
        ("<mesh name=\"m\" file=\"block.obj\" scale=\"1 0 1\"/>", "", "`scale`: a factor of 0"),
        ("<mesh name=\"m\" file=\"block.obj\" refquat=\"0 0 0 0\"/>", "", "is no orientation"),
        (
            "<mesh name=\"m\" file=\"block.obj\" inertia=\"solid\"/>",
            "",
            "expected one of convex, exact, legacy, shell",
        ),
        (
            "<mesh name=\"m\" file=\"block.obj\"/><mesh name=\"m\" file=\"l.obj\"/>",
            "",
            "a second mesh `m`",
        ),
        ("<mesh name=\"n\" file=\"block.obj\"/>", geom, "there is no mesh `m`; is `n` meant?"),
        ("", "<geom type=\"mesh\"/>", "<geom> has no `mesh`"),
        (
            "<mesh name=\"m\" builtin=\"sphere\" params=\"2\"/>",
            geom,
            "it is made by `builtin`, which is not read",
        ),
        ("<mesh name=\"m\" vertex=\"0 0 0 1\"/>", geom, "`vertex` has 4 numbers"),
        ("<mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 x\"/>", geom, "`vertex`: found \"x\""),
        (
            "<mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 4\"/>",
            geom,
            "`face`: found \"4\", expected a corner from 0 to 3",
        ),
        (
            "<mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 2 3\"/>",
            geom,
            "`face` has 4 corners",
        ),
        (&*format!("<mesh name=\"m\" {flat}/>"), geom, "its corners lie in a plane"),
        (
            &*format!("<mesh name=\"m\" {flat} face=\"0 1 2 1 3 2\"/>"),
            geom,
            "it is flat and has no volume",
        ),
        (
            &*format!("<mesh name=\"m\" {flat} face=\"0 1 2 1 3 2\" inertia=\"exact\"/>"),
            geom,
            "the mesh is open",
        ),
        (
            "<mesh name=\"m\" file=\"l.obj\" inertia=\"convex\" maxhullvert=\"8\"/>",
            geom,
            "`maxhullvert` is not read",
        ),
        (
            "<mesh name=\"m\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 2 0 3 1 0 2 3 1 3 2\" inertia=\"exact\"/>",
            geom,
            "face inwards",
        ),
        (
            "<mesh name=\"m\" file=\"l.obj\"/>",
            "<geom type=\"mesh\" mesh=\"m\" shellinertia=\"true\"/>",
            "inertia=\"shell\" in its <mesh>",
        ),
        (
            "<mesh name=\"m\" file=\"l.obj\"/>",
            "<geom type=\"box\" mesh=\"m\" fitscale=\"0\"/>",
            "`fitscale`: 0",
        ),
    ] {
        let geom = format!("<geom size=\"1\"/>{geom}");
        let error = opened("bad", &model(&format!("\n<asset>{asset}</asset>"), &geom)).unwrap_err();
        assert!(error.contains(wanted), "{error}\ninstead of {wanted}");
        assert!(error.contains("r.xml:2:"), "{error}");
    }
}
