//! What the sheet of all laws draws: what they deliver, their loops, and the figures of Moreira et al.

use std::f64::consts::PI;

use super::CurvePoint;
use crate::contact::catalogue::{self, LAWS};
use crate::contact::impact1d::Impact1D;
use crate::contact::law::{Entry, Indentation, LawError, Parting, Settings};

/// The restitution at which loops are compared.
const LOOPS_AT: f64 = 0.5;
/// Moments of a curve.
const SAMPLES: usize = 241;
/// Points of a curve over the restitution.
const POINTS: u32 = 50;
/// Restitutions and ratios to the elastic impact: curves that nowhere differ by more are drawn as one.
const ONE_CURVE: f64 = 1e-6;

/// R \[m\] of each sphere of Moreira et al.
const RADIUS: f64 = 0.05;
/// \[kg/m³\]; the paper has none.
const DENSITY: f64 = 7850.0;
/// \[m/s\], the other sphere is at rest.
const SPEED: f64 = 0.5;
/// K \[N/m\] of figs. 1 and 3.
const LINEAR: f64 = 2.4e9;
/// K \[N/m^1.5\] of figs. 2 and 4.
const HERTZ: f64 = 2.4e10;
/// D \[N s/m\] of fig. 3.
const DAMPER: f64 = 3000.0;
/// c_r of fig. 4.
const RESTITUTION: f64 = 0.8;
/// The laws of figs. 4 and 7d.
const THREE: [&str; 3] = ["hunt-crossley", "lankarani-nikravesh", "flores"];

/// Laws with one and the same curve.
#[derive(Clone, Debug, PartialEq)]
pub struct LawGroup {
    /// Their names.
    pub names: Vec<&'static str>,
    /// The curve.
    pub points: Vec<(f64, f64)>,
}

/// All laws that take a restitution, compared, and the figures of Moreira et al.
#[derive(Clone, Debug)]
pub struct LawSheet {
    /// The restitution delivered over the one asked for.
    pub delivered: Vec<LawGroup>,
    /// F/F_el over δ/δ_el at e = 0.5.
    pub loops: Vec<LawGroup>,
    /// Figures 1 to 4, impacts of two equal steel spheres over time: the number of each with its laws, and one curve for each law.
    pub figures: Vec<(&'static str, Vec<Vec<CurvePoint>>)>,
    /// Figure 7d: the restitution that the laws of figure 4 deliver over the one asked for, in the order of its curves.
    pub figure_7d: Vec<LawGroup>,
    /// m_eff \[kg\] of the two spheres of the figures.
    pub effective_mass: f64,
}

impl LawSheet {
    /// Computes all curves.
    pub fn new() -> Result<Self, LawError> {
        let linear = Settings { stiffness: Some(LINEAR), ..Settings::default() };
        let hertz = Settings { stiffness: Some(HERTZ), ..Settings::default() };
        // Drawn to zero indentation, as in the paper.
        let parting = Some(Parting::ZeroIndentation);
        let damped = Settings { damping: Some(DAMPER), parting, ..linear.clone() };
        let lossy = Settings { restitution: Some(RESTITUTION), ..hertz.clone() };
        let figure = |title, laws: &[&str], settings: &Settings| {
            let curves = laws.iter().map(|name| impact(name, settings));
            Ok::<_, LawError>((title, curves.collect::<Result<_, _>>()?))
        };
        let group = |name: &&'static str| {
            let points = delivered(catalogue::find(name)?)?;
            Ok::<_, LawError>(LawGroup { names: vec![*name], points })
        };
        Ok(Self {
            delivered: grouped(delivered)?,
            loops: grouped(looped)?,
            figures: vec![
                figure("Fig. 1: Hooke", &["hooke"], &linear)?,
                figure("Fig. 2: Hertz", &["hertz"], &hertz)?,
                figure("Fig. 3: Kelvin-Voigt", &["kelvin-voigt"], &damped)?,
                figure("Fig. 4: three laws with hysteresis, c_r = 0.8", &THREE, &lossy)?,
            ],
            figure_7d: THREE.iter().map(group).collect::<Result<_, _>>()?,
            effective_mass: effective_mass(),
        })
    }
}

/// m_eff \[kg\] of the two spheres: half of one.
fn effective_mass() -> f64 {
    0.5 * DENSITY * 4.0 / 3.0 * PI * RADIUS.powi(3)
}

fn impact(name: &str, settings: &Settings) -> Result<Vec<CurvePoint>, LawError> {
    let law = catalogue::find(name)?.make(settings)?;
    let struck = Impact1D::new(law.as_ref(), effective_mass(), SPEED)?;
    Ok(struck.curve(SAMPLES).iter().map(CurvePoint::new).collect())
}

/// What a law delivers over the restitutions that it takes.
fn delivered(entry: &Entry) -> Result<Vec<(f64, f64)>, LawError> {
    (1..=POINTS)
        .map(|k| f64::from(k) / f64::from(POINTS))
        .filter_map(|e| Some((e, entry.delivered(e, None)?)))
        .map(|(e, found)| Ok((e, found?.restitution)))
        .collect()
}

/// F/F_el over δ/δ_el.
fn looped(entry: &Entry) -> Result<Vec<(f64, f64)>, LawError> {
    let settings =
        Settings { stiffness: Some(1.0), restitution: Some(LOOPS_AT), ..Settings::default() };
    let law = entry.make(&settings)?;
    let impact = Impact1D::new(law.as_ref(), 1.0, 1.0)?;
    let depth = law.elastic_depth(0.5, impact.onset()).unwrap_or(1.0);
    let force = law.force(&Indentation { delta: depth, delta_dot: 0.0 }, impact.onset());
    Ok(impact.curve(SAMPLES).iter().map(|s| (s.delta / depth, s.force / force)).collect())
}

/// The curves of all laws that take a restitution; equal ones are one.
fn grouped(
    points: impl Fn(&Entry) -> Result<Vec<(f64, f64)>, LawError>,
) -> Result<Vec<LawGroup>, LawError> {
    let mut out: Vec<LawGroup> = Vec::new();
    // `exact` first, so that others are said to be equal to it.
    let all = || LAWS.iter().filter(|entry| entry.restitution.is_some());
    let is_exact = |entry: &&Entry| entry.name == "exact";
    for entry in all().filter(is_exact).chain(all().filter(|entry| !is_exact(entry))) {
        let points = points(entry)?;
        match out.iter_mut().find(|group| same(&group.points, &points)) {
            Some(group) => group.names.push(entry.name),
            None => out.push(LawGroup { names: vec![entry.name], points }),
        }
    }
    Ok(out)
}

fn same(a: &[(f64, f64)], b: &[(f64, f64)]) -> bool {
    let near = |x: f64, y: f64| (x - y).abs() <= ONE_CURVE;
    a.len() == b.len() && a.iter().zip(b).all(|(p, q)| near(p.0, q.0) && near(p.1, q.1))
}
