//! `<compiler>` and `<option>`: how the file is to be understood.

use super::Reader;
use super::attributes::{Item, Read};
use super::document::Element;
use super::known;
use crate::maths::Vec3;
use crate::robot::Note;
use crate::robot::xml::cut;

/// Where masses come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FromGeoms {
    /// From `<inertial>` alone.
    Never,
    /// From the geoms of every body that has some.
    Always,
    /// From the geoms where there is no `<inertial>`.
    Otherwise,
}

/// The settings that masses and kinematics depend on, with the format's defaults.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own in the format")]
pub(super) struct Settings {
    /// Radians in one unit of angles.
    pub angle: f64,
    pub autolimits: bool,
    pub from_geoms: FromGeoms,
    /// Groups of geoms whose masses count.
    pub groups: [f64; 2],
    /// Axes of Euler angles: 0, 1, 2, and whether they are fixed (capital letters).
    pub euler: [(usize, bool); 3],
    pub least_mass: f64,
    pub least_inertia: f64,
    pub balance: bool,
    pub total_mass: Option<f64>,
    pub gravity: Vec3,
    /// Folder of mesh files from the robot's.
    pub mesh_folder: String,
    /// Whether the folders in names of files are left out.
    pub strip: bool,
    /// Whether meshes have the mass of the solid that they enclose, unless they say otherwise.
    pub exact: bool,
    /// Whether primitives are fitted to the box around a mesh, not to its inertia.
    pub fit_bounds: bool,
    /// Whether `<equality>` acts.
    pub equality: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            angle: std::f64::consts::PI / 180.0,
            autolimits: true,
            from_geoms: FromGeoms::Otherwise,
            groups: [0.0, 5.0],
            euler: [(0, false), (1, false), (2, false)],
            least_mass: 0.0,
            least_inertia: 0.0,
            balance: false,
            total_mass: None,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            mesh_folder: String::new(),
            strip: false,
            exact: false,
            fit_bounds: false,
            equality: true,
        }
    }
}

impl<'a> Reader<'a> {
    /// Reads one `<compiler>`; a later one overrides.
    pub(super) fn read_compiler(&mut self, element: Element<'a>) -> Read<()> {
        if let Some(known) = known::attributes("compiler") {
            self.check_attributes(element, known);
        }
        let item = Item::alone(element);
        if let Some(k) = self.word(&item, "angle", &["radian", "degree"])? {
            self.settings.angle = if k == 0 { 1.0 } else { Settings::default().angle };
        }
        if self.word(&item, "coordinate", &["local", "global"])? == Some(1) {
            let span = element.span();
            return self.refuse(&span, "coordinate=\"global\" is not read: expected \"local\"");
        }
        if let Some(on) = self.flag(&item, "autolimits")? {
            self.settings.autolimits = on;
        }
        if let Some(k) = self.word(&item, "inertiafromgeom", &["false", "true", "auto"])? {
            self.settings.from_geoms =
                [FromGeoms::Never, FromGeoms::Always, FromGeoms::Otherwise][k];
        }
        if let Some(range) = self.vector(&item, "inertiagrouprange")? {
            self.settings.groups = range;
        }
        if let Some((text, span)) = item.get("eulerseq") {
            self.settings.euler = self.euler_sequence(text, &span)?;
        }
        if item.get("boundmass").is_some() {
            self.settings.least_mass = self.not_negative(&item, "boundmass")?;
        }
        if item.get("boundinertia").is_some() {
            self.settings.least_inertia = self.not_negative(&item, "boundinertia")?;
        }
        if let Some(on) = self.flag(&item, "balanceinertia")? {
            self.settings.balance = on;
        }
        if let Some(total) = self.scalar(&item, "settotalmass")? {
            self.settings.total_mass = Some(total).filter(|m| *m > 0.0);
        }
        for key in ["assetdir", "meshdir"] {
            if let Some((folder, _)) = item.get(key) {
                folder.clone_into(&mut self.settings.mesh_folder);
            }
        }
        if let Some(on) = self.flag(&item, "strippath")? {
            self.settings.strip = on;
        }
        if let Some(on) = self.flag(&item, "exactmeshinertia")? {
            self.settings.exact = on;
        }
        if let Some(on) = self.flag(&item, "fitaabb")? {
            self.settings.fit_bounds = on;
        }
        if self.flag(&item, "alignfree")? == Some(true) {
            self.notes.push(Note::new(
                "`alignfree` is not applied: coordinates of free joints are those of the body's own frame",
            ));
        }
        Ok(())
    }

    fn euler_sequence(
        &mut self,
        text: &str,
        span: &std::ops::Range<usize>,
    ) -> Read<[(usize, bool); 3]> {
        let axes: Option<Vec<(usize, bool)>> =
            text.chars().map(|c| "xyzXYZ".find(c).map(|k| (k % 3, k > 2))).collect();
        match axes.and_then(|axes| axes.try_into().ok()) {
            Some(axes) => Ok(axes),
            None => self.refuse(
                span,
                format!("`eulerseq`: \"{}\": expected three letters of xyzXYZ", cut(text)),
            ),
        }
    }

    /// Reads one `<option>`: gravity, and what is switched off.
    pub(super) fn read_option(&mut self, element: Element<'a>) -> Read<()> {
        let item = Item::alone(element);
        if let Some(gravity) = self.vector(&item, "gravity")? {
            self.settings.gravity = Vec3::from(gravity);
        }
        for (key, what) in
            [("density", "drag of a medium"), ("viscosity", "drag of a medium"), ("wind", "wind")]
        {
            let Some(found) = item.get(key) else { continue };
            if self.numbers(found, key, 3)?.iter().any(|x| *x != 0.0) {
                self.notes.push(Note::doubt(format!("{what} (`{key}` of <option>) is not read")));
            }
        }
        let flags = self.elements.children(element).into_iter().filter(|e| e.tag() == "flag");
        for flag in flags.map(Item::alone) {
            let words = ["disable", "enable"];
            if self.word(&flag, "gravity", &words)? == Some(0) {
                self.settings.gravity = Vec3::zeros();
            }
            for key in ["constraint", "equality"] {
                if self.word(&flag, key, &words)? == Some(0) {
                    self.settings.equality = false;
                }
            }
        }
        Ok(())
    }
}
