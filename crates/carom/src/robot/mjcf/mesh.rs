//! `<asset>`: meshes, what they weigh, and primitives that are fitted to them.
//!
//! Source: MuJoCo's XML reference, asset/mesh. A point p of the file stands at S Rᵀ (p − r) in the frame of a geom, with the scale S, `refquat` R and
//! `refpos` r. MuJoCo moves the frame of such a geom to the mesh's centre and principal axes and its points with it, so that they stand in the
//! body where `pos` and `quat` of the geom put the frame of the file.

use std::rc::Rc;

use super::attributes::{Item, Read};
use super::document::Element;
use super::{Reader, known};
use crate::maths::mesh::{Mesh, Solid};
use crate::maths::nearest::nearest;
use crate::maths::{Mat3, Pose, Vec3};
use crate::model::joint::quaternion_rotation;
use crate::robot::xml::cut;
use crate::robot::{Geometry, Note};

/// Gives a mesh file by its path from the robot's folder, and how many triangles of it do not count; or says why it cannot.
pub type LoadMesh<'l> = &'l dyn Fn(&str) -> Result<(Mesh, usize), String>;

/// How a mesh has mass, by the words of `inertia`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inertia {
    /// Its convex hull.
    Convex,
    /// The solid that it encloses.
    Exact,
    /// The tetrahedra of its triangles, all counted as positive.
    Legacy,
    /// Its surface.
    Shell,
}
const INERTIAS: [&str; 4] = ["convex", "exact", "legacy", "shell"];
const MEANINGS: [Inertia; 4] = [Inertia::Convex, Inertia::Exact, Inertia::Legacy, Inertia::Shell];

/// A volume below this fraction of the cube of the mesh's size is that of a flat mesh.
const FLAT: f64 = 1e-12;

/// Where the points of a mesh come from.
#[derive(Clone, Debug)]
enum Points<'a> {
    /// A file, by its path from the robot's folder.
    File(String),
    /// Attributes of the element itself.
    Stated(Item<'a>),
    /// Made by MuJoCo: what makes it.
    Made(&'static str),
}

/// A mesh in the frame of a geom, and its volume (area of a shell), centre and inertia at density one.
pub(super) type Weighed = Rc<(Mesh, Solid)>;

/// A mesh of `<asset>`.
#[derive(Clone, Debug)]
pub(super) struct Asset<'a> {
    points: Points<'a>,
    scale: Vec3,
    /// r and R.
    reference: Pose,
    inertia: Inertia,
    /// Whether the hull has a limited number of corners.
    limited: bool,
    /// What it weighs, once that was asked for.
    known: Option<Result<Weighed, String>>,
}

impl<'a> Reader<'a> {
    /// Reads one `<asset>`: its meshes; the rest is listed.
    pub(super) fn read_assets(&mut self, element: Element<'a>) {
        for child in self.elements.children(element) {
            if child.tag() == "mesh" {
                let _ = self.read_asset(child);
            } else {
                self.unread(child.tag());
            }
        }
    }

    fn read_asset(&mut self, element: Element<'a>) -> Read<()> {
        if let Some(known) = known::attributes("mesh") {
            self.check_attributes(element, known);
        }
        let item = self.item(element, 0);
        let file = item.get("file").filter(|found| !found.0.trim().is_empty());
        let plugin = self.elements.children(element).iter().any(|e| e.tag() == "plugin");
        let points = match file {
            Some((file, _)) => Points::File(self.mesh_path(file)),
            None if item.get("vertex").is_some() => Points::Stated(item.clone()),
            None if item.get("builtin").is_some() => Points::Made("`builtin`"),
            None if plugin => Points::Made("a plugin"),
            None => {
                return self.refuse(&item.span, "<mesh> has neither a `file` nor a `vertex`");
            }
        };
        let name = match (item.name(), file) {
            (Some(name), _) => name.to_owned(),
            (None, Some((file, _))) => stem(file).to_owned(),
            (None, None) => return self.refuse(&item.span, "<mesh> has no `name`"),
        };
        let scale = Vec3::from(self.vector(&item, "scale")?.unwrap_or([1.0; 3]));
        if scale.iter().any(|x| *x == 0.0) {
            let span = item.get("scale").map_or(item.span.clone(), |found| found.1);
            return self.refuse(&span, "`scale`: a factor of 0: three others are expected");
        }
        let position = Vec3::from(self.vector(&item, "refpos")?.unwrap_or_default());
        let q = self.vector(&item, "refquat")?.unwrap_or([1.0, 0.0, 0.0, 0.0]);
        let largest = q.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        if !(largest > 0.0) {
            return self.refuse(&item.span, "`refquat`: a quaternion of zeros is no orientation");
        }
        let rotation = quaternion_rotation(&q.map(|x| x / largest));
        let inertia = match self.word(&item, "inertia", &INERTIAS)? {
            Some(k) => MEANINGS[k],
            None if self.settings.exact => Inertia::Exact,
            None => Inertia::Legacy,
        };
        let limited = self.scalar(&item, "maxhullvert")?.unwrap_or(-1.0) >= 0.0;
        let reference = Pose { rotation, position };
        let asset = Asset { points, scale, reference, inertia, limited, known: None };
        if self.assets.insert(name.clone(), asset).is_some() {
            let message = format!("a second mesh `{}`: names are unique", cut(&name));
            return self.refuse(&item.span, message);
        }
        Ok(())
    }

    /// A file of a mesh from the robot's folder.
    fn mesh_path(&self, file: &str) -> String {
        let file = if self.settings.strip { base(file) } else { file };
        let folder = self.settings.mesh_folder.trim_end_matches('/');
        if folder.is_empty() || file.starts_with('/') {
            return file.to_owned();
        }
        format!("{folder}/{file}")
    }

    /// The name of the mesh that a geom states.
    pub(super) fn mesh_of(&mut self, item: &Item<'a>) -> Read<String> {
        let (name, span) = self.required(item, "mesh")?;
        if self.assets.contains_key(name) {
            return Ok(name.to_owned());
        }
        let hint = nearest(name, self.assets.keys().map(String::as_str))
            .map_or_else(String::new, |near| format!("; is `{}` meant?", cut(near)));
        self.refuse(&span, format!("there is no mesh `{}`{hint}", cut(name)))
    }

    /// The file that shows a mesh in the frame of a geom: its frame, and its factors of lengths. `None` if it is in no file, or turned before it is
    /// stretched, which a picture of the model file does not have.
    pub(super) fn picture(
        &mut self,
        name: &str,
        span: &std::ops::Range<usize>,
    ) -> Option<(Pose, Geometry)> {
        let Asset { points, scale, reference, .. } = self.assets.get(name)?;
        let Points::File(file) = points else {
            self.unread("mesh that is in no file");
            return None;
        };
        let even = scale.x == scale.y && scale.y == scale.z;
        if !(even || reference.rotation == Mat3::identity()) {
            self.unread("mesh that is turned and stretched");
            return None;
        }
        let rotation = reference.rotation.transpose();
        let position = -(rotation * reference.position).component_mul(scale);
        let (file, scale, span) = (file.clone(), (*scale).into(), span.clone());
        Some((Pose { rotation, position }, Geometry::Mesh { file, scale, span }))
    }

    /// What a mesh weighs; its file is read once.
    pub(super) fn weighed(&mut self, name: &str, item: &Item<'a>) -> Read<Weighed> {
        // The caller has found the mesh by `mesh_of`.
        let Some(asset) = self.assets.get(name).cloned() else {
            return Err(super::attributes::Refused);
        };
        let found = asset.known.clone().unwrap_or_else(|| self.weigh(&asset).map(Rc::new));
        if let Some(asset) = self.assets.get_mut(name) {
            asset.known = Some(found.clone());
        }
        found.or_else(|why| {
            let message = format!(
                "mesh `{}`: {why}; state the body's <inertial>, or mass=\"0\" if the mesh is for the picture",
                cut(name)
            );
            let span = item.get("mesh").map_or(item.span.clone(), |found| found.1);
            self.refuse(&span, message)
        })
    }

    fn weigh(&mut self, asset: &Asset<'a>) -> Result<(Mesh, Solid), String> {
        let mesh = match &asset.points {
            Points::Made(by) => return Err(format!("it is made by {by}, which is not read")),
            Points::Stated(item) => stated(item)?,
            Points::File(file) => {
                let (mesh, others) = (self.load_mesh)(file)?;
                if others > 0 {
                    self.notes.push(Note::doubt(format!(
                        "`{}`: of its objects only the first has mass, as in MuJoCo; {others} triangles of others have none",
                        cut(file)
                    )));
                }
                mesh
            }
        };
        let rotation = asset.reference.rotation.transpose();
        let turned = Pose { rotation, position: -(rotation * asset.reference.position) };
        let mesh = mesh.placed(&Vec3::repeat(1.0), &turned).placed(&asset.scale, &Pose::identity());
        let solid = asset.weigh(&mesh)?;
        Ok((mesh, solid))
    }

    /// The primitive that is fitted to a mesh: its frame in that of the mesh's file, and its three sizes as the format states them.
    pub(super) fn fitted(&mut self, kind: usize, item: &Item<'a>) -> Read<(Pose, [f64; 3])> {
        let name = self.mesh_of(item)?;
        let weighed = self.weighed(&name, item)?;
        let (mesh, solid) = &*weighed;
        let factor = self.scalar(item, "fitscale")?.unwrap_or(1.0);
        if !(factor > 0.0) {
            return self
                .refuse(&item.span, format!("`fitscale`: {factor}: expected a positive factor"));
        }
        let (axes, principal) = principal(&solid.inertia);
        let mut pose = Pose { rotation: axes, position: solid.center };
        let sizes = if self.settings.fit_bounds {
            let own = mesh.placed(&Vec3::repeat(1.0), &pose.inverse());
            let (low, high) = own.bounds();
            pose.position = pose.point(&((low + high) / 2.0));
            bounds_sizes(kind, (high - low) / 2.0)
        } else {
            // The box with the same volume density has (a² + b²) / 12 … as its inertias per volume.
            let sum = principal.sum();
            let halves = principal.map(|j| (1.5 * (sum - 2.0 * j) / solid.volume).max(0.0).sqrt());
            box_sizes(kind, halves)
        };
        Ok((pose, sizes.map(|x| x * factor)))
    }
}

impl Asset<'_> {
    /// Whether its mass counts, and by the rule that counts parts twice.
    pub(super) fn is_overcounted(&self) -> bool {
        self.inertia == Inertia::Legacy && matches!(self.known, Some(Ok(_)))
    }

    fn weigh(&self, mesh: &Mesh) -> Result<Solid, String> {
        let (low, high) = mesh.bounds();
        let least = FLAT * (high - low).norm().powi(3);
        let solid = match self.inertia {
            Inertia::Shell => return mesh.shell().ok_or_else(|| "it has no surface".to_owned()),
            Inertia::Legacy => mesh.overcounted(),
            Inertia::Exact => {
                let solid = mesh.solid().map_err(|error| error.to_string())?;
                if solid.inside_out {
                    return Err(
                        "all its triangles face inwards, expected outwards with inertia=\"exact\""
                            .to_owned(),
                    );
                }
                Some(solid)
            }
            Inertia::Convex if self.limited => {
                return Err("a hull with `maxhullvert` is not read".to_owned());
            }
            Inertia::Convex => mesh.hull().and_then(|hull| hull.solid().ok()),
        };
        solid.filter(|solid| solid.volume > least).ok_or_else(|| {
            "it is flat and has no volume; inertia=\"shell\" gives its surface a mass".to_owned()
        })
    }
}

/// Principal axes as columns of a rotation, and the inertias about them, the largest first.
fn principal(inertia: &Mat3) -> (Mat3, Vec3) {
    let eigen = inertia.symmetric_eigen();
    let mut order = [0, 1, 2];
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let column = |k: usize| eigen.eigenvectors.column(order[k]).into_owned();
    let (x, y) = (column(0), column(1));
    let axes = Mat3::from_columns(&[x, y, x.cross(&y)]);
    (axes, Vec3::from(order.map(|k| eigen.eigenvalues[k])))
}

/// The mesh of the attributes `vertex` and `face`; without faces the hull of its corners. MuJoCo rounds coordinates to 32 bits.
fn stated(item: &Item<'_>) -> Result<Mesh, String> {
    let words = |key: &str| item.get(key).map_or("", |found| found.0).split_ascii_whitespace();
    let mut numbers = Vec::new();
    for word in words("vertex") {
        let x = word.parse::<f32>().ok().filter(|x| x.is_finite());
        let wrong = || format!("`vertex`: found \"{}\", expected a finite number", cut(word));
        numbers.push(f64::from(x.ok_or_else(wrong)?));
    }
    let (points, rest) = numbers.as_chunks::<3>();
    if points.len() < 4 || !rest.is_empty() {
        return Err(format!(
            "`vertex` has {} numbers, expected three for each of four corners or more",
            numbers.len()
        ));
    }
    let points: Vec<Vec3> = points.iter().map(|p| Vec3::from(*p)).collect();
    let mut corners = Vec::new();
    for word in words("face") {
        let k = word.parse::<u32>().ok().filter(|k| (*k as usize) < points.len());
        let wrong = || {
            format!(
                "`face`: found \"{}\", expected a corner from 0 to {}",
                cut(word),
                points.len() - 1
            )
        };
        corners.push(k.ok_or_else(wrong)?);
    }
    let (triangles, rest) = corners.as_chunks::<3>();
    if !rest.is_empty() {
        return Err(format!(
            "`face` has {} corners, expected three for each triangle",
            corners.len()
        ));
    }
    let mesh = Mesh { points, triangles: triangles.to_vec() };
    if mesh.triangles.is_empty() {
        return mesh.hull().ok_or_else(|| "its corners lie in a plane".to_owned());
    }
    Ok(mesh)
}

/// Sizes of a primitive from half the edges of the box with the mesh's inertia; the kinds as in `geom`.
fn box_sizes(kind: usize, halves: Vec3) -> [f64; 3] {
    let across = f64::midpoint(halves.x, halves.y);
    match kind {
        2 => [halves.mean(), 0.0, 0.0],
        3 => [across, (halves.z - across / 2.0).max(0.0), 0.0],
        5 => [across, halves.z, 0.0],
        _ => halves.into(),
    }
}

/// Sizes of a primitive from half the edges of the box around the mesh.
fn bounds_sizes(kind: usize, halves: Vec3) -> [f64; 3] {
    let across = halves.x.max(halves.y);
    match kind {
        2 => [halves.max(), 0.0, 0.0],
        3 => [across, (halves.z - across).max(0.0), 0.0],
        5 => [across, halves.z, 0.0],
        _ => halves.into(),
    }
}

/// A path without its folders.
fn base(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// The name of a file without its folders and its last ending.
fn stem(file: &str) -> &str {
    let base = base(file);
    base.rsplit_once('.').map_or(base, |(stem, _)| stem)
}
