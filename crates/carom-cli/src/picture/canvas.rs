//! Pixels: shapes with smooth edges, by their distance from the middle of a pixel.

/// Red, green and blue from 0 to 1.
pub(super) type Colour = [f64; 3];

/// What can be drawn; lengths in metres on the paper, widths of strokes in pixels.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A stroke from point to point.
    Line { points: Vec<[f64; 2]>, width: f64 },
    /// A bar with round ends, as thick as it is \[m\].
    Bar { ends: [[f64; 2]; 2], radius: f64 },
    /// A disc; only its rim if it is hollow.
    Disc { center: [f64; 2], radius: f64, hollow: bool },
    /// A dot of a few pixels with a rim.
    Joint([f64; 2]),
    /// A filled polygon.
    Face(Vec<[f64; 2]>),
}

/// A picture that is drawn into.
#[derive(Clone, Debug)]
pub(super) struct Canvas {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<Colour>,
    /// Pixels per metre, and the place of the origin \[pixels\].
    scale: f64,
    origin: [f64; 2],
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, paper: Colour) -> Self {
        let pixels = vec![paper; width * height];
        Self { width, height, pixels, scale: 1.0, origin: [0.0; 2] }
    }

    /// What the picture shows: a window of this size \[m\] around a point.
    pub(super) fn look_at(&mut self, center: [f64; 2], size: [f64; 2]) {
        let (width, height) = (self.width as f64, self.height as f64);
        self.scale = (width / size[0]).min(height / size[1]);
        self.origin = [width / 2.0 - self.scale * center[0], height / 2.0 + self.scale * center[1]];
    }

    fn place(&self, at: [f64; 2]) -> [f64; 2] {
        [self.origin[0] + self.scale * at[0], self.origin[1] - self.scale * at[1]]
    }

    pub(super) fn draw(&mut self, shape: &Shape, colour: Colour, opacity: f64) {
        match shape {
            Shape::Line { points, width } => {
                let points: Vec<[f64; 2]> = points.iter().map(|p| self.place(*p)).collect();
                let reach = width / 2.0;
                let far = |p: [f64; 2]| {
                    let parts = points.windows(2).map(|ends| from_segment(p, ends[0], ends[1]));
                    parts.fold(f64::INFINITY, f64::min) - reach
                };
                self.fill(&points, reach, far, colour, opacity);
            }
            Shape::Bar { ends, radius } => {
                let [a, b] = ends.map(|end| self.place(end));
                let reach = (radius * self.scale).max(1.0);
                self.fill(&[a, b], reach, |p| from_segment(p, a, b) - reach, colour, opacity);
            }
            Shape::Disc { center, radius, hollow } => {
                let (c, r) = (self.place(*center), radius * self.scale);
                let far = |p: [f64; 2]| {
                    let d = (p[0] - c[0]).hypot(p[1] - c[1]) - r;
                    if *hollow { d.abs() - 1.0 } else { d }
                };
                self.fill(&[c], r + 1.0, far, colour, opacity);
            }
            Shape::Joint(at) => {
                let c = self.place(*at);
                let disc = |r: f64| move |p: [f64; 2]| (p[0] - c[0]).hypot(p[1] - c[1]) - r;
                self.fill(&[c], 4.0, disc(3.6), colour, opacity);
                self.fill(&[c], 3.0, disc(2.1), [1.0; 3], opacity);
            }
            Shape::Face(points) => {
                let points: Vec<[f64; 2]> = points.iter().map(|p| self.place(*p)).collect();
                self.fill(&points, 1.0, |p| from_polygon(p, &points), colour, opacity);
            }
        }
    }

    /// A ring of this radius \[pixels\] around a point.
    pub(super) fn ring(&mut self, at: [f64; 2], radius: f64, colour: Colour, opacity: f64) {
        let c = self.place(at);
        let far = |p: [f64; 2]| ((p[0] - c[0]).hypot(p[1] - c[1]) - radius).abs() - 1.2;
        self.fill(&[c], radius + 2.0, far, colour, opacity);
    }

    /// How far the motion is: a line at the lower edge.
    pub(super) fn bar(&mut self, part: f64, colour: Colour) {
        let y = self.height as f64 - 1.5;
        let (a, b) = ([0.0, y], [part * self.width as f64, y]);
        self.fill(&[a, b], 1.5, |p| from_segment(p, a, b) - 1.5, colour, 1.0);
    }

    /// Mixes a colour into the pixels that a shape covers; `far` is the distance of a point from the shape, negative inside.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    fn fill(
        &mut self,
        points: &[[f64; 2]],
        reach: f64,
        far: impl Fn([f64; 2]) -> f64,
        colour: Colour,
        opacity: f64,
    ) {
        let bounds = |k: usize, most: usize| {
            let (low, high) = points
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p[k]), h.max(p[k])));
            let within = |x: f64| x.clamp(0.0, most as f64) as usize;
            within(low - reach - 1.0)..within((high + reach + 2.0).ceil())
        };
        for y in bounds(1, self.height) {
            for x in bounds(0, self.width) {
                let covered = (0.5 - far([x as f64 + 0.5, y as f64 + 0.5])).clamp(0.0, 1.0);
                if covered > 0.0 {
                    let pixel = &mut self.pixels[y * self.width + x];
                    for (mixed, own) in pixel.iter_mut().zip(colour) {
                        *mixed += (own - *mixed) * covered * opacity;
                    }
                }
            }
        }
    }
}

/// The distance of a point from a segment.
fn from_segment(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let length = along[0] * along[0] + along[1] * along[1];
    let part = if length > 0.0 { (along[0] * to[0] + along[1] * to[1]) / length } else { 0.0 };
    let part = part.clamp(0.0, 1.0);
    (to[0] - part * along[0]).hypot(to[1] - part * along[1])
}

/// The distance of a point from a polygon, negative inside.
fn from_polygon(p: [f64; 2], points: &[[f64; 2]]) -> f64 {
    let (mut inside, mut least) = (false, f64::INFINITY);
    for (k, a) in points.iter().enumerate() {
        let b = &points[(k + 1) % points.len()];
        least = least.min(from_segment(p, *a, *b));
        if (a[1] > p[1]) != (b[1] > p[1]) {
            let x = a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
            inside ^= p[0] < x;
        }
    }
    if inside { -least } else { least }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_the_shapes() {
        assert_eq!(from_segment([3.0, 4.0], [0.0, 0.0], [0.0, 0.0]), 5.0);
        assert_eq!(from_segment([1.0, 2.0], [0.0, 0.0], [5.0, 0.0]), 2.0);
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        assert_eq!(from_polygon([1.0, 0.5], &square), -0.5);
        assert_eq!(from_polygon([1.0, 3.0], &square), 1.0);
    }

    #[test]
    fn a_disc_covers_its_area() {
        let mut canvas = Canvas::new(40, 40, [1.0; 3]);
        canvas.look_at([0.0, 0.0], [4.0, 4.0]);
        let disc = Shape::Disc { center: [0.0, 0.0], radius: 1.0, hollow: false };
        canvas.draw(&disc, [0.0; 3], 1.0);
        let dark: f64 = canvas.pixels.iter().map(|p| 1.0 - p[0]).sum();
        // 10 pixels a metre; edges are smooth to a part of a pixel.
        assert!((dark / (100.0 * std::f64::consts::PI) - 1.0).abs() < 0.01, "{dark}");
    }
}
