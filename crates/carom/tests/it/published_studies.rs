//! The studies of the papers, as the files in `models/studies` state them.

use std::path::Path;

use carom::file::load;
use carom::model::study::Level;
use carom::study::digest::Digest;
use carom::study::log::{Entry, Reader};
use carom::study::optimise::optimise;
use carom::study::{Rows, Study, evaluate};
use carom_reference::slider_crank::SliderCrank;

/// What the issue asks of the rank correlation between T_c and the peak force.
const MONOTONE: f64 = 0.999;

fn study(name: &str) -> Study {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/studies").join(name);
    let loaded = load(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
    loaded.study().unwrap_or_else(|error| panic!("{error}"))
}

fn rows(study: &Study) -> Rows {
    let mut rows = Rows::new(study, study.design.points());
    let mut bytes = Vec::new();
    evaluate(study, 0..study.design.points(), 2, &mut |block| {
        bytes.extend(block.bytes);
        Ok::<bool, ()>(true)
    })
    .unwrap();
    for (point, entry) in Reader::records(&bytes, study.measures.len()) {
        assert!(matches!(entry, Entry::Measures(_)), "point {point}: {entry:?}");
        rows.push(study, point, entry);
    }
    rows
}

/// Spearman's correlation of the peak force with T_c and with T, group by group.
fn correlations(name: &str) -> Vec<(f64, Option<f64>)> {
    let study = study(name);
    let rows = rows(&study);
    let digest = Digest::new(&study, &rows, None);
    assert_eq!(study.measures[digest.target].name, "peak_force");
    let of = |measure: &str| -> Vec<Option<f64>> {
        let several = digest.groups.len() > 1;
        let own = digest.drivers.iter().filter(|d| study.measures[d.measure].name == measure);
        own.filter(|d| d.group.is_some() == several).map(|d| d.spearman).collect()
    };
    let (energy, total) = (of("impact_energy"), of("kinetic_energy"));
    assert_eq!(energy.len(), digest.groups.len());
    energy.into_iter().map(Option::unwrap).zip(total).collect()
}

#[test]
fn the_peak_force_follows_the_impact_energy_in_every_figure_of_gonzalez() {
    for figure in ["04", "05", "06", "07", "08", "11", "12-left", "12-right", "16"] {
        for (energy, _) in correlations(&format!("002-fig-{figure}.toml")) {
            assert!(energy >= MONOTONE, "fig. {figure}: {energy}");
        }
    }
}

#[test]
fn friction_bends_the_relation_but_the_ranking_stays() {
    // Fig. 9: T_c of the normal alone does not know friction, which the paper's cloud of points shows, too.
    let found = correlations("002-fig-09.toml");
    assert_eq!(found.len(), 4);
    assert!(found[0].0 >= MONOTONE, "without friction: {found:?}");
    assert!(found.iter().all(|(energy, _)| *energy > 0.998), "{found:?}");
}

#[test]
fn the_total_energy_says_little_or_the_opposite_once_the_tip_slides() {
    let of = |figure: &str| correlations(figure)[0].1.unwrap();
    assert!(of("002-fig-04.toml") > 0.9, "straight down it still does");
    for figure in ["002-fig-05.toml", "002-fig-06.toml"] {
        assert!(of(figure) < 0.3, "{figure}: {}", of(figure));
    }
}

#[test]
fn the_robot_hits_hardest_at_seventy_degrees() {
    let study = study("002-fig-11.toml");
    let rows = rows(&study);
    for measure in [1, 2] {
        let values = &rows.measures[measure];
        let most = (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap();
        assert_eq!(rows.levels[0][most], Level::Number(70.0));
    }
    let total = &rows.measures[0];
    assert!(
        total.iter().all(|t| (t / total[0] - 1.0).abs() < 1e-12),
        "T is the same for all slopes"
    );
}

#[test]
fn the_masses_of_nikravesh_poursina_figure_10_are_the_closed_form_and_the_least_is_three_at_atan_two()
 {
    let study = study("000-fig-10.toml");
    let rows = rows(&study);
    let system = SliderCrank::PAPER;
    for (k, theta) in rows.numbers(0).unwrap().iter().enumerate().skip(1) {
        let theta = theta.to_radians();
        let (m, app) = (system.effective_mass_in_closed_form(theta), system.apparent_mass(theta));
        assert!((rows.measures[0][k] / m - 1.0).abs() < 1e-10, "{theta}");
        assert!((rows.measures[1][k] / app - 1.0).abs() < 1e-9, "{theta}");
    }
    assert_eq!(rows.measures[1][0], f64::INFINITY);
    let found = optimise(&study, 400, 0).unwrap();
    let best = found.best().unwrap();
    let Level::Number(theta) = best.levels[0] else { panic!("{best:?}") };
    // A minimum is flat: the value has all its digits when the place has half of them.
    assert!((best.value - 3.0).abs() < 1e-13, "{}", best.value);
    assert!((theta.to_radians() - 2_f64.atan()).abs() < 1e-6, "{theta}");
    assert!(found.start.unwrap() > 4.0 && found.path.windows(2).all(|p| p[1].value < p[0].value));
}
