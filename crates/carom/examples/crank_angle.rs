//! Draws how heavy the slider of a slider-crank feels over the crank angle (Nikravesh-Poursina fig. 10):
//!
//! `cargo run --release -p carom --example crank_angle > docs/crank-angle.svg`

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use carom::dynamics::{Mechanism, assemble};
use carom::impact::ImpactRows;

/// The drawing's frame in pixels: left, top, width, height.
const FRAME: [f64; 4] = [70.0, 50.0, 560.0, 300.0];
/// Largest mass drawn \[kg\].
const MOST: f64 = 12.0;

/// m_eff and the slider's apparent mass at a crank angle in degrees.
fn masses(angle: f64) -> Result<(f64, f64), Box<dyn Error>> {
    let sets = [("parameters.theta".to_owned(), format!("{angle} deg"))];
    let loaded = carom::file::load(Path::new("models/000/slider-crank.toml"), &sets)?;
    let state = assemble(&loaded.model)?.state;
    let mut mechanism = Mechanism::new(&loaded.model);
    let at = mechanism.at(&state)?;
    let touch = at.touch(0)?;
    let point = &touch.points()[0];
    let row = at.contact_row(0, point, &point.normal);
    Ok((at.effective_mass(&row).mass, ImpactRows::apparent(&at, &row).i))
}

fn x_of(angle: f64) -> f64 {
    FRAME[0] + FRAME[2] * angle / 90.0
}

fn y_of(mass: f64) -> f64 {
    FRAME[1] + FRAME[3] * (1.0 - mass.min(MOST) / MOST)
}

fn curve(points: &[(f64, f64)], color: &str) -> String {
    let inside = points.iter().filter(|p| p.1 <= MOST);
    let path: Vec<String> =
        inside.map(|(a, m)| format!("{:.1},{:.1}", x_of(*a), y_of(*m))).collect();
    format!(
        "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\" points=\"{}\"/>\n",
        path.join(" ")
    )
}

fn label(x: f64, y: f64, anchor: &str, color: &str, text: &str) -> String {
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{color}\">{text}</text>\n")
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut effective = Vec::new();
    let mut apparent = Vec::new();
    for step in 0..=180 {
        let angle = 0.5 * f64::from(step);
        let (m_eff, m_app) = masses(angle)?;
        effective.push((angle, m_eff));
        apparent.push((angle, m_app));
    }
    let [left, top, width, height] = FRAME;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 420\" font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"660\" height=\"420\" fill=\"white\"/>\n",
    );
    svg += &label(
        left,
        28.0,
        "start",
        "#222",
        "A slider-crank strikes a block: how heavy does the slider feel?",
    );
    for tick in 0..=6 {
        let mass = f64::from(tick) * 2.0;
        let y = y_of(mass);
        writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ddd\"/>",
            left + width
        )?;
        svg += &label(left - 8.0, y + 5.0, "end", "#444", &format!("{mass}"));
    }
    for tick in 0..=6 {
        let angle = f64::from(tick) * 15.0;
        svg += &label(x_of(angle), top + height + 22.0, "middle", "#444", &format!("{angle}°"));
    }
    writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#444\"/>"
    )?;
    svg += &curve(&apparent, "#b4470f");
    svg += &curve(&effective, "#1560a8");
    svg += &label(
        x_of(24.0),
        y_of(6.6),
        "start",
        "#b4470f",
        "apparent mass of the slider (1 kg by itself; ∞ at 0°)",
    );
    svg += &label(
        x_of(24.0),
        y_of(1.3),
        "start",
        "#1560a8",
        "effective mass of the contact with a 1 kg block",
    );
    svg += &label(left + width / 2.0, top + height + 48.0, "middle", "#222", "crank angle");
    writeln!(
        svg,
        "<text transform=\"translate(24 {}) rotate(-90)\" text-anchor=\"middle\" fill=\"#222\">mass [kg]</text>",
        top + height / 2.0
    )?;
    println!("{svg}</svg>");
    Ok(())
}
