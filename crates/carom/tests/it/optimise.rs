//! Searches for the best design: known optima, the edges they lie at, and the same digits however a search is run.

use std::path::Path;

use carom::file::parse;
use carom::model::study::Level;
use carom::study::log::Entry;
use carom::study::optimise::{Edge, Optimum, Watch, optimise, search};
use carom::study::{Lack, Study};

/// What the issue asks of value and variables.
const FOUND: f64 = 1e-6;
/// Evaluations that a search has unless it is told otherwise.
const USUAL: usize = 2000;
/// Evaluations of the evolution that stood here before, of two variables: 2000 less what its simplices kept. It never took fewer.
const BEFORE: usize = 1000;

fn of_file(model: &str, text: &str) -> Study {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model);
    let whole = format!("{}\n{text}", std::fs::read_to_string(path).unwrap());
    parse(model, &whole, &[]).unwrap().study().unwrap_or_else(|error| panic!("{error}"))
}

/// Two discs with variables x and y that change nothing of the machine but the radii.
fn of_formula(goal: &str, constraints: &str, range: &str) -> Study {
    let text = format!(
        "[study]\nminimise = \"{goal}\"\nconstraints = [{constraints}]\n[study.variables]\n\
         x = {{ path = \"joints.slide_1.velocity\", range = {range} }}\n\
         y = {{ path = \"joints.slide_2.velocity\", range = {range} }}"
    );
    of_file("002/two-discs.toml", &text)
}

/// A ball that is thrown up against a ceiling: it touches if v² > 2 g h.
fn thrown(study: &str) -> Study {
    let text = format!(
        "carom = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n[parameters]\nv = \"4.5 m/s\"\nh = \"0.8 m\"\n\
         [bodies.ball]\nmass = \"1 kg\"\ncontact.s = {{ circle = 0.1 }}\n\
         [ground]\ncontact.ceiling = {{ plane = [0, -1], at = [0, \"h + 0.1 m\"] }}\n\
         [joints.up]\ntype = \"prismatic\"\nconnects = [\"ground\", \"ball\"]\naxis = [0, 1]\nposition = 0\nvelocity = \"v\"\n\
         [contacts.top]\nbetween = [\"ground.ceiling\", \"ball.s\"]\nrestitution = 0.5\nstiffness = \"1e6 N/m^1.5\"\nlaw = \"flores\"\n\
         [simulation]\nduration = \"1 s\"\ncontact = \"CONTACT\"\n{study}"
    );
    let contact = if study.contains("peak_force") { "continuous" } else { "piecewise" };
    let text = text.replace("CONTACT", contact);
    parse("thrown.toml", &text, &[]).unwrap().study().unwrap_or_else(|error| panic!("{error}"))
}

fn best(found: &Optimum) -> (Vec<f64>, f64) {
    let best = found.best().unwrap();
    let number = |level: &Level| match level {
        Level::Number(x) => *x,
        Level::Word(_) => f64::NAN,
    };
    (best.levels.iter().map(number).collect(), best.value)
}

#[test]
fn a_corner_of_the_box_is_found_with_exact_gradients_and_its_bounds_are_named() {
    let study = of_file(
        "002/two-discs.toml",
        "[study]\nminimise = \"impact_energy\"\n[study.variables]\nmass_1 = { range = [1, 4] }\nmass_2 = { range = [2, 6] }",
    );
    let found = optimise(&study, USUAL, 0).unwrap();
    // T_c = ½ m₁ m₂/(m₁ + m₂) (v₁ − v₂)².
    let (_, value) = best(&found);
    assert!((value - 4.0 / 3.0).abs() < FOUND, "{value}");
    let bound = |variable| Edge::Bound { variable, upper: false };
    assert_eq!(found.edges, [bound(0), bound(1)]);
    assert!(3 * found.evaluations <= BEFORE && found.settled, "{}", found.evaluations);
}

#[test]
fn the_least_apparent_mass_of_the_slider_lies_within_and_at_no_edge() {
    let study = of_file(
        "000/slider-crank.toml",
        "[study]\nminimise = \"apparent_mass_i\"\n[study.variables]\ntheta = { range = [\"0 deg\", \"90 deg\"] }",
    );
    let found = optimise(&study, USUAL, 0).unwrap();
    let (at, value) = best(&found);
    assert!((value - 3.0).abs() < FOUND, "{value}");
    assert!((at[0].to_radians() - 2_f64.atan()).abs() < FOUND, "{at:?}");
    assert!(found.edges.is_empty() && found.settled, "{:?}", found.edges);
    assert!(3 * found.evaluations <= BEFORE, "{}", found.evaluations);
}

#[test]
fn a_curved_constraint_holds_the_best_point_and_is_named() {
    // The approach speed vanishes there, but the goal has nothing to do with it.
    let found = optimise(&of_formula("x + y", "\"x^2 + y^2 <= 2\"", "[-2, 2]"), USUAL, 0).unwrap();
    let (at, value) = best(&found);
    assert!((value + 2.0).abs() < FOUND, "{value}");
    assert!(at.iter().all(|x| (x + 1.0).abs() < FOUND), "{at:?}");
    assert_eq!(found.edges, [Edge::Constraint(0)]);
    assert!(found.best().unwrap().broken == 0.0);
}

#[test]
fn the_deepest_of_many_valleys_is_found() {
    // Rastrigin's function, moved off the middle: some hundred local minima.
    let goal = "20 + (x - 0.3)^2 - 10*cos(2*pi*(x - 0.3)) + (y + 0.7)^2 - 10*cos(2*pi*(y + 0.7))";
    let found = optimise(&of_formula(goal, "", "[-5, 5]"), 4 * USUAL, 0).unwrap();
    let (at, value) = best(&found);
    assert!(value.abs() < FOUND, "{value}");
    assert!((at[0] - 0.3).abs() < FOUND && (at[1] + 0.7).abs() < FOUND, "{at:?}");
    assert!(found.edges.is_empty());
}

#[test]
fn the_softest_blow_is_the_edge_of_no_contact_and_that_is_said() {
    let study = thrown(
        "[study]\naction = \"run\"\nminimise = \"peak_force\"\n[study.variables]\nv = { range = [2, 6] }",
    );
    let found = optimise(&study, USUAL, 0).unwrap();
    let (at, value) = best(&found);
    // Over the last micrometres of the throw the blow is a graze whose force is zero to the run's resolution.
    assert!((at[0] - (2.0 * 9.81 * 0.8_f64).sqrt()).abs() < 1e-5, "{at:?}");
    assert!(value.abs() < FOUND, "{value}");
    let Edge::Beyond { variable: 0, upper: false, lack: Lack::Touch, why } = &found.edges[0] else {
        panic!("{:?}", found.edges)
    };
    assert!(why.contains("does not touch"), "{why}");
    assert!(found.untouched.count > 0);
    let (levels, gap) = found.untouched.farthest.unwrap();
    // The slowest throw stays farthest away: h − v²/2g.
    let Level::Number(v) = levels[0] else { panic!("{levels:?}") };
    assert!((gap - (0.8 - v * v / 19.62)).abs() < 1e-9, "{gap}");
}

#[test]
fn a_best_point_inside_the_edge_of_no_contact_is_found_along_the_edge() {
    // m_eff = 1 kg wherever the ball touches, so the goal is a paraboloid over the throws with h < v²/2g, whose summit lies outside.
    let study = thrown(
        "[study]\naction = \"run\"\nminimise = \"effective_mass*((v - 3)^2 + 4*(h - 1.2)^2)\"\n[study.variables]\n\
         v = { range = [2, 6] }\nh = { range = [0.3, 1.6] }",
    );
    let found = optimise(&study, 3 * USUAL, 0).unwrap();
    let (at, value) = best(&found);
    // Over the edge: v − 3 + 4 (v²/2g − 1.2) v/g = 0, by Newton's method.
    let mut v = 4.0_f64;
    for _ in 0..20 {
        let f = v - 3.0 + 4.0 * (v * v / 19.62 - 1.2) * v / 9.81;
        let slope = 1.0 + 4.0 * (3.0 * v * v / 19.62 - 1.2) / 9.81;
        v -= f / slope;
    }
    let h = v * v / 19.62;
    let wanted = (v - 3.0).powi(2) + 4.0 * (h - 1.2).powi(2);
    assert!((value - wanted).abs() < FOUND, "{value} {wanted} {at:?} {v}");
    assert!((at[1] - at[0] * at[0] / 19.62).abs() < FOUND, "{at:?}");
    let at_contact = |edge: &Edge| matches!(edge, Edge::Beyond { lack: Lack::Touch, .. });
    assert!(at_contact(&found.edges[0]), "{:?}", found.edges);
}

#[test]
fn words_and_numbers_are_chosen_together() {
    // T_c + a penalty that a list of numbers decides: all four combinations have their own best mass.
    let study = of_file(
        "002/two-discs.toml",
        "[study]\nminimise = \"(mass_1 - 2 - r)^2 + 0.01*r\"\n[study.variables]\nmass_1 = { range = [1, 4] }\n\
         r = { path = \"parameters.radius_1\", values = [0.3, 0.1, 0.2] }\n\
         law = { path = \"contacts.rims.law\", values = [\"flores\", \"hunt-crossley\"] }",
    );
    let found = optimise(&study, USUAL, 0).unwrap();
    let (at, value) = best(&found);
    assert!((at[0] - 2.1).abs() < FOUND && at[1] == 0.1 && (value - 0.001).abs() < FOUND, "{at:?}");
}

/// Keeps records, and stops after some.
#[derive(Default)]
struct Kept {
    earlier: Vec<Entry>,
    new: Vec<Entry>,
    most: Option<usize>,
}

impl Watch for Kept {
    fn earlier(&mut self) -> Vec<Entry> {
        self.earlier.clone()
    }
    fn keep(&mut self, number: usize, entry: &Entry) -> bool {
        assert!(number >= self.earlier.len());
        self.new.push(entry.clone());
        self.most.is_none_or(|most| self.new.len() < most)
    }
}

#[test]
fn threads_and_interruptions_change_no_digit() {
    let study = thrown(
        "[study]\naction = \"run\"\nminimise = \"peak_force\"\nconstraints = \"v >= 4.2\"\n[study.variables]\nv = { range = [2, 6] }\n\
         h = { range = [0.5, 0.9] }",
    );
    let run = |threads, watch: &mut Kept| search(&study, (150, threads), 3, watch).unwrap();
    let mut whole = Kept::default();
    let found = run(1, &mut whole);
    let mut other = Kept::default();
    let again = run(3, &mut other);
    let text = |entries: &[Entry]| format!("{entries:?}");
    assert_eq!((format!("{found:?}"), text(&whole.new)), (format!("{again:?}"), text(&other.new)));
    let mut first = Kept { most: Some(57), ..Kept::default() };
    assert!(run(2, &mut first).stopped);
    let mut second = Kept { earlier: first.new.clone(), ..Kept::default() };
    assert_eq!(format!("{:?}", run(2, &mut second)), format!("{found:?}"));
    assert_eq!(text(&[first.new, second.new].concat()), text(&whole.new));
}
