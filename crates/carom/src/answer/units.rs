//! The units of all quantities in answers: one table for documentation, CSV heads, JSON Schema and columns.

use crate::study::QUANTITIES;

/// A quantity of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The name of the field or column.
    pub name: &'static str,
    /// Its SI unit; empty for a plain number. Contacts that are stops of turning joints have angular units, given beside them.
    pub unit: &'static str,
}

const fn of(name: &'static str, unit: &'static str) -> Unit {
    Unit { name, unit }
}

/// All quantities, by the name that they have in every answer; where one name means several things, by struct and name.
pub const UNITS: &[Unit] = &[
    of("t", "s"),
    of("time_of_peak", "s"),
    of("time_of_max_indentation", "s"),
    of("duration", "s"),
    of("gravity", "m/s^2"),
    of("center_acceleration", "m/s^2"),
    of("q", "m or rad"),
    of("position", "m or rad"),
    of("residual", "m or rad"),
    of("gap", "m or rad"),
    of("max_indentation", "m or rad"),
    of("parting_indentation", "m or rad"),
    of("v", "m/s or rad/s"),
    of("velocity", "m/s or rad/s"),
    of("v_after", "m/s or rad/s"),
    of("u", "m/s or rad/s"),
    of("u_before", "m/s or rad/s"),
    of("u_after", "m/s or rad/s"),
    of("separation_speed", "m/s or rad/s"),
    of("law_residual", "m/s or rad/s"),
    of("least_velocity", "m/s or rad/s"),
    of("velocity_residual", "m/s or rad/s"),
    of("closure_residual", "m/s or rad/s"),
    of("largest_velocity_change", "m/s or rad/s"),
    of("acceleration", "m/s^2 or rad/s^2"),
    of("u_dot", "m/s^2 or rad/s^2"),
    of("on_i", "m"),
    of("on_j", "m"),
    of("half_axes", "m"),
    of("effective_radius", "m"),
    of("length", "m"),
    of("depth", "m"),
    of("center", "m"),
    of("center_velocity", "m/s"),
    of("angular_velocity", "rad/s"),
    of("half_angle", "rad"),
    of("least_at", "rad"),
    of("most_at", "rad"),
    of("mass", "kg"),
    of("i", "kg"),
    of("j", "kg"),
    of("effective_mass", "kg or kg m^2"),
    of("rotor", "kg or kg m^2"),
    of("eq28", "kg or kg m^2"),
    of("eq31", "kg or kg m^2"),
    of("eq38", "kg or kg m^2"),
    of("eq39", "kg or kg m^2"),
    of("inertia", "kg m^2"),
    of("mobility", "1/kg or 1/(kg m^2)"),
    of("coupling", "1/kg or 1/(kg m^2)"),
    of("W", "1/kg or 1/(kg m^2)"),
    of("kinetic_energy", "J"),
    of("potential_energy", "J"),
    of("constrained_energy", "J"),
    of("admissible_energy", "J"),
    of("impact_energy", "J"),
    of("energy", "J"),
    of("energy_lost", "J"),
    of("kinetic_before", "J"),
    of("kinetic_after", "J"),
    of("contact_work", "J"),
    of("drive_work", "J"),
    of("energy_residual", "J"),
    of("constrained_before", "J"),
    of("constrained_after", "J"),
    of("admissible_before", "J"),
    of("admissible_after", "J"),
    of("z_c", "N or N m"),
    of("tau_c", "N or N m"),
    of("elastic_peak", "N or N m"),
    of("peak_force", "N or N m"),
    of("reference_force", "N"),
    of("force", "N"),
    of("moment", "N m"),
    of("multipliers", "N or N m, of each closure row"),
    of("impulse", "N s or N m s"),
    of("impulses", "N s or N m s"),
    of("least_impulse", "N s or N m s"),
    of("cone", "N s or N m s"),
    of("momentum_residual", "N s or N m s"),
    of("peak_pressure", "Pa"),
    of("contact_modulus", "Pa"),
    of("young", "Pa"),
    of("density", "kg/m^3"),
    of("relative_curvatures", "1/m"),
    of("K", "N/m^n"),
    of("linear_momentum", "kg m/s"),
    of("angular_momentum", "kg m^2/s"),
    of("condition_number", ""),
    // A contact law and an impact under it.
    of("stiffness", "N/m^n"),
    of("exponent", ""),
    of("damping", "N s/m"),
    of("max_damping", "N s/m"),
    of("damping_depth", "m"),
    of("radii", "m"),
    of("delta", "m"),
    of("delta_dot", "m/s"),
    of("share_lost", ""),
    of("peak_by_elastic", ""),
    of("indentation_by_elastic", ""),
    of("duration_by_elastic", ""),
    of("peak_by_elastic_peak", ""),
    of("normal", ""),
    of("direction", ""),
    of("tangents", ""),
    of("xi", ""),
    of("impact_share", ""),
    of("restitution", ""),
    of("restitution_delivered", ""),
    of("relative_size", ""),
    of("axis_ratio", ""),
    of("n", ""),
    of("poisson", ""),
    of("largest_difference", ""),
    of("effect_of_one_per_cent", ""),
    of("admissible_motion", "by coordinates"),
    of("P_c", "by coordinates"),
    of("P_a", "by coordinates"),
    of("effective_mass_matrix", "by coordinates"),
    of("B_a", "by coordinates"),
    of("value", "of the parameter"),
    of("constrained_energy_per_effective_mass", "m^2/s^2"),
    of("until", "s"),
    of("onset", "s"),
    of("parting", "s"),
    of("time", "s"),
    of("moment_time", "s"),
    of("from", "s"),
    of("to", "s"),
    of("accumulation", "s"),
    of("tolerance", ""),
    of("least_onset_speed", "m/s"),
    of("closure_gap", "m or rad"),
    of("drift", "J"),
    of("largest_energy", "J"),
    of("relative_drift", ""),
    of("kinetic", "J"),
    of("potential", "J"),
    of("contact_elastic", "J"),
    of("contact_loss", "J"),
    of("impulse_loss", "J"),
    of("friction_loss", "J"),
    of("damper_loss", "J"),
    of("load_work", "J"),
    of("projection_loss", "J"),
    of("balance", "J"),
    of("approach_speed", "m/s or rad/s"),
    of("shared_energy", "J"),
    of("energy_share", ""),
    of("compression_work", "J"),
    of("compression_share", ""),
    of("restitution_work", "J"),
    of("restitution_asked", ""),
    of("energetic_restitution", ""),
    of("speed_change_by_other_forces", ""),
    of("parting_effective_mass", "kg or kg m^2"),
    of("free_acceleration", "m/s^2 or rad/s^2"),
    of("first_force", "N or N m"),
    of("JointLoad.force", "N or N s"),
    of("JointLoad.magnitude", "N or N s"),
    of("JointLoad.moment", "N m or N m s"),
    of("JointLoad.moment_magnitude", "N m or N m s"),
    of("Spread.spread", "of the quantity"),
    of("Spread.relative", ""),
    of("Column.values", "given beside it"),
    of("WrenchImpulse.force", "N s"),
    of("WrenchImpulse.moment", "N m s"),
    of("Changed.by", "m, rad, m/s or rad/s"),
    of("SideAnswer.mass", "kg or kg m^2"),
    of("BesideAnswer.along_motion", "kg or kg m^2"),
    of("BesideAnswer.least_mass", "kg or kg m^2"),
    of("BesideAnswer.most_mass", "kg or kg m^2"),
    of("ExtremesAnswer.least", "kg or J"),
    of("ExtremesAnswer.most", "kg or J"),
    of("FactorsAnswer.restitution", ""),
    of("FactorsAnswer.peak_force", ""),
    of("FactorsAnswer.time_of_peak", ""),
    of("FactorsAnswer.max_indentation", ""),
    of("FactorsAnswer.time_of_max_indentation", ""),
    of("FactorsAnswer.duration", ""),
    of("FactorsAnswer.parting_indentation", ""),
    of("InertialGradient.mass", "kg or J per unit of the parameter"),
    of("InertialGradient.center", "kg or J per unit of the parameter"),
    of("InertialGradient.inertia", "kg or J per unit of the parameter"),
    of("RotorGradient.effective_mass", "kg per unit of the parameter"),
    of("RotorGradient.constrained_energy", "J per unit of the parameter"),
    of("CoordinateGradient.effective_mass", "kg per unit of the parameter"),
    of("CoordinateGradient.constrained_energy", "J per unit of the parameter"),
    of("CoordinateGradient.constrained_energy_at_fixed_v", "J per unit of the parameter"),
    of("ParameterGradient.effective_mass", "kg per unit of the parameter"),
    of("ParameterGradient.constrained_energy", "J per unit of the parameter"),
];

/// The unit of a field or column: of this table, or of the measures of studies.
pub fn unit(name: &str) -> Option<&'static str> {
    let of_study = || QUANTITIES.iter().find(|q| q.name == name).map(|q| q.unit);
    UNITS.iter().find(|entry| entry.name == name).map(|entry| entry.unit).or_else(of_study)
}

/// The unit of a field of a struct: its own, or that of its name.
pub fn unit_in(owner: &str, field: &str) -> Option<&'static str> {
    let own = |entry: &&Unit| entry.name.split_once('.') == Some((owner, field));
    UNITS.iter().find(own).map(|entry| entry.unit).or_else(|| unit(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_has_one_unit_in_answers_and_studies() {
        for (k, entry) in UNITS.iter().enumerate() {
            let again = UNITS[..k].iter().find(|e| e.name == entry.name);
            assert!(again.is_none(), "`{}` stands twice", entry.name);
        }
        for q in &QUANTITIES {
            // Contacts that turn have angular units, which studies give beside the measure.
            let found = unit(q.name).and_then(|unit| unit.split(" or ").next());
            assert_eq!(found, Some(q.unit), "{}", q.name);
        }
    }
}
