//! Any bytes as an STL or OBJ file: read or refused, and what is read can be used.
#![no_main]

use carom::maths::mesh::Mesh;
use carom::maths::{Pose, Vec3};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let name = if first % 2 == 0 { "m.stl" } else { "m.obj" };
    if let Ok(mesh) = Mesh::read(name, rest) {
        let n = u32::try_from(mesh.points.len()).expect("fewer than 2³² corners");
        assert!(mesh.triangles.iter().flatten().all(|k| *k < n));
        assert!(mesh.points.iter().all(|p| p.iter().all(|x| x.is_finite())));
        let placed = mesh.placed(&Vec3::new(1e-3, -1e-3, 1e-3), &Pose::identity());
        assert!(placed.coarse(4).0.triangles.len() <= placed.triangles.len());
        let _ = placed.solid();
        let _ = placed.overcounted();
        let _ = placed.hull().map(|hull| hull.solid());
        let _ = Mesh::read_first_object(name, rest);
    }
});
