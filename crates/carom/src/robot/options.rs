//! What is asked for when a robot is read.

/// How a robot of another format becomes a machine. Links and joints are called as in the robot's own file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The root link is free; otherwise it is ground.
    pub floating: bool,
    /// Reflected rotor inertias by joint \[kg m² or kg\].
    pub rotors: Vec<(String, f64)>,
    /// The pose of the file in which the robot stands (MJCF); where its joints have their reference positions if it is missing.
    pub keyframe: Option<String>,
    /// Joint limits become stops (contacts); otherwise they are ranges only.
    pub stops: bool,
    /// Links that are left out, with everything they carry.
    pub drop: Vec<String>,
    /// Joints that are taken as fixed.
    pub weld: Vec<String>,
    /// Joints that are held, at these positions.
    pub locked: Vec<(String, f64)>,
    /// The link whose origin becomes the marker `tip`.
    pub tip: Option<String>,
    /// A point mass \[kg\] and where it is held in the frame of the tip \[m\].
    pub payload: Option<(f64, [f64; 3])>,
    /// Densities \[kg/m³\] by link, which then has the mass and inertia of its solids; an empty name stands for every link without a stated inertia.
    pub densities: Vec<(String, f64)>,
    /// The folder in which the model file will stand; mesh files are then named from there, otherwise from the folder of the robot's file.
    pub out: Option<std::path::PathBuf>,
    /// Edits of the model file it becomes, by path, as of `--set`.
    pub sets: Vec<(String, String)>,
    /// Folders of `package://NAME/…` in names of mesh files.
    pub packages: Vec<(String, std::path::PathBuf)>,
}
