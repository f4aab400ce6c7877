use super::*;

#[test]
fn every_unit_has_the_size_its_definition_gives() {
    // Written from the definitions: SI prefixes, 1 turn = 360° = 2π rad, 1 h = 3600 s, N = kg m/s².
    let table: &[(&str, f64, [f64; 4])] = &[
        ("m", 1.0, [0.0, 1.0, 0.0, 0.0]),
        ("mm", 0.001, [0.0, 1.0, 0.0, 0.0]),
        ("cm", 0.01, [0.0, 1.0, 0.0, 0.0]),
        ("km", 1000.0, [0.0, 1.0, 0.0, 0.0]),
        ("um", 0.000_001, [0.0, 1.0, 0.0, 0.0]),
        ("µm", 0.000_001, [0.0, 1.0, 0.0, 0.0]),
        ("kg", 1.0, [1.0, 0.0, 0.0, 0.0]),
        ("g", 0.001, [1.0, 0.0, 0.0, 0.0]),
        ("t", 1000.0, [1.0, 0.0, 0.0, 0.0]),
        ("mg", 0.000_001, [1.0, 0.0, 0.0, 0.0]),
        ("s", 1.0, [0.0, 0.0, 1.0, 0.0]),
        ("ms", 0.001, [0.0, 0.0, 1.0, 0.0]),
        ("us", 0.000_001, [0.0, 0.0, 1.0, 0.0]),
        ("min", 60.0, [0.0, 0.0, 1.0, 0.0]),
        ("h", 3600.0, [0.0, 0.0, 1.0, 0.0]),
        ("rad", 1.0, [0.0, 0.0, 0.0, 1.0]),
        ("deg", 0.017_453_292_519_943_295, [0.0, 0.0, 0.0, 1.0]),
        ("rev", 2.0 * std::f64::consts::PI, [0.0, 0.0, 0.0, 1.0]),
        ("N", 1.0, [1.0, 1.0, -2.0, 0.0]),
        ("kN", 1000.0, [1.0, 1.0, -2.0, 0.0]),
        ("mN", 0.001, [1.0, 1.0, -2.0, 0.0]),
        ("MN", 1_000_000.0, [1.0, 1.0, -2.0, 0.0]),
        ("Nm", 1.0, [1.0, 2.0, -2.0, 0.0]),
        ("kNm", 1000.0, [1.0, 2.0, -2.0, 0.0]),
        ("mNm", 0.001, [1.0, 2.0, -2.0, 0.0]),
        ("Nmm", 0.001, [1.0, 2.0, -2.0, 0.0]),
        ("J", 1.0, [1.0, 2.0, -2.0, 0.0]),
        ("mJ", 0.001, [1.0, 2.0, -2.0, 0.0]),
        ("kJ", 1000.0, [1.0, 2.0, -2.0, 0.0]),
        ("W", 1.0, [1.0, 2.0, -3.0, 0.0]),
        ("kW", 1000.0, [1.0, 2.0, -3.0, 0.0]),
        ("Pa", 1.0, [1.0, -1.0, -2.0, 0.0]),
        ("kPa", 1000.0, [1.0, -1.0, -2.0, 0.0]),
        ("MPa", 1_000_000.0, [1.0, -1.0, -2.0, 0.0]),
        ("GPa", 1_000_000_000.0, [1.0, -1.0, -2.0, 0.0]),
        ("Hz", 1.0, [0.0, 0.0, -1.0, 0.0]),
        ("kHz", 1000.0, [0.0, 0.0, -1.0, 0.0]),
        ("rpm", 0.104_719_755_119_659_77, [0.0, 0.0, -1.0, 1.0]),
    ];
    assert_eq!(table.len(), UNITS.len(), "every unit is in the table");
    for (word, factor, [mass, length, time, angle]) in table {
        let found = unit(word).unwrap();
        let d = found.dimension;
        assert!((found.factor / factor - 1.0).abs() < 1e-15, "{word}: {}", found.factor);
        assert_eq!([d.mass, d.length, d.time, d.angle], [*mass, *length, *time, *angle], "{word}");
    }
}

#[test]
fn angles_do_not_matter_beside_other_dimensions() {
    let stiffness = Dimension::ENERGY.with_angle(-1.0);
    assert_eq!(Dimension::ENERGY.check(stiffness), Ok(()));
    assert_eq!(stiffness.check(Dimension::ENERGY), Ok(()));
    assert_eq!(Dimension::new(0.0, 0.0, -1.0).check(Dimension::ANGULAR_VELOCITY), Ok(()));
    assert_eq!(Dimension::NONE.check(Dimension::ANGLE), Ok(()), "arc length over radius");
    assert!(matches!(Dimension::ANGLE.check(Dimension::NONE), Err(UnitError::Expected { .. })));
}

#[test]
fn hertz_is_no_angular_velocity_but_two_pi_times_it_is() {
    let hertz = unit("Hz").unwrap().dimension;
    assert_eq!(hertz.check(Dimension::ANGULAR_VELOCITY), Err(UnitError::Hertz));
    assert_eq!(hertz.check(Dimension::new(0.0, 0.0, -1.0)), Ok(()));
    let product = Measure::Number.times(Measure::Known(hertz));
    assert_eq!(product.check(Dimension::ANGULAR_VELOCITY), Ok(()));
}

#[test]
fn dimensions_are_shown_as_one_writes_them() {
    assert_eq!(Dimension::FORCE.to_string(), "N");
    assert_eq!(Dimension::ACCELERATION.to_string(), "m/s^2");
    assert_eq!(Dimension::INERTIA.to_string(), "kg m^2");
    assert_eq!(Dimension::NONE.to_string(), "1");
    assert_eq!(Dimension::FORCE.per(Dimension::LENGTH.power(1.5)).to_string(), "N/m^1.5");
}
