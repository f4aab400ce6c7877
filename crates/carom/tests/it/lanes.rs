//! States side by side have the bits of states one by one.

use carom::machine::ManyOptions;
use carom::maths::spatial::rotation_by;
use carom::maths::{Mat3, Pose, Vec3};
use carom::model::parts::{BodyPart, ContactPart, ContactPlace, JointPart, PointPart};
use carom::model::{ContactDefaults, JointKind, Parts, Space};
use carom::{Machine, MachineError};

use crate::random_mechanism::Random;

/// Not a multiple of four: some states are left over.
const STATES: usize = 67;

/// Every column of every state, by many at once and one by one.
fn compare(name: &str, mut machine: Machine) {
    let contact = machine.contact(machine.contact_names()[0]).unwrap();
    let mut random = Random(5);
    let (nq, nv) = (machine.model().nq, machine.model().nv);
    let mut some = |n: usize| -> Vec<f64> { (0..n).map(|_| random.within(-2.0, 2.0)).collect() };
    let (mut q, v) = (some(STATES * nq), some(STATES * nv));
    // A state without an answer must not touch its neighbours; an angle beyond a million takes the system's sine.
    q[10 * nq] = f64::NAN;
    q[30 * nq] = 3e6;
    let many = |threads| machine.assess_many(contact, &q, &v, ManyOptions { threads }).unwrap();
    let (together, parted) = (many(1), many(3));
    for k in 0..STATES {
        let at = (&q[k * nq..(k + 1) * nq], &v[k * nv..(k + 1) * nv]);
        let one = machine.assess_state(contact, at.0, at.1);
        if k == 10 {
            assert!(matches!(one, Err(MachineError::NotFinite { what: "q", .. })), "{name}");
            continue;
        }
        let one = one.unwrap();
        for many in [&together, &parted] {
            let pairs = [
                (many.gap[k], one.gap),
                (many.effective_mass[k], one.effective_mass),
                (many.contact_velocity[k], one.contact_velocity),
                (many.kinetic_energy[k], one.kinetic_energy),
                (many.impact_energy[k], one.impact_energy),
                (many.share[k], one.share),
            ];
            for (a, b) in pairs {
                assert_eq!(a.to_bits(), b.to_bits(), "{name}, state {k}: {a:e} and {b:e}");
            }
            assert_eq!((many.cautions[k], many.point[k]), (one.cautions, one.point), "{name} {k}");
        }
    }
    assert!(together.effective_mass[10].is_nan() && parted.effective_mass[10].is_nan());
    let sound = together.effective_mass.iter().filter(|m| m.is_finite()).count();
    assert!(sound > STATES / 2, "{name}: most states have an answer, {sound} of {STATES}");
}

#[test]
fn files_of_trees() {
    for name in ["robot-arm.toml", "002/double-pendulum.toml", "000/two-pendulums.toml"] {
        let path = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
        compare(name, Machine::open(path).unwrap());
    }
}

/// A tree with a branch, several kinds of joints, a rotor and a locked joint; its ends strike each other, or the ground.
fn tree(second_end: Option<usize>) -> Parts {
    let kinds = [
        (JointKind::Prismatic, None),
        (JointKind::Universal, Some(0)),
        (JointKind::Revolute, Some(1)),
        (JointKind::Cylindrical, Some(0)),
        (JointKind::Weld, Some(3)),
        (JointKind::Revolute, Some(4)),
    ];
    let mut parts = Parts::new(Space::Spatial);
    for (k, (kind, parent)) in kinds.into_iter().enumerate() {
        parts.bodies.push(BodyPart {
            name: format!("body{k}"),
            mass: 1.0 + 0.3 * k as f64,
            center: Vec3::new(0.2, -0.1, 0.05 * k as f64),
            inertia: Mat3::new(0.2, 0.01, 0.02, 0.01, 0.3, -0.03, 0.02, -0.03, 0.4),
            payload: false,
        });
        let mut joint = JointPart::new(&format!("joint{k}"), kind, parent, k);
        let rotation = rotation_by(&Vec3::new(0.4, 0.3 * k as f64, -0.2));
        joint.in_parent = Pose { rotation, position: Vec3::new(0.5, 0.1, -0.3) };
        if k == 2 {
            joint.rotor = vec![0.3];
        }
        parts.joints.push(joint);
    }
    let end = |body: Option<usize>| PointPart { body, at: Vec3::new(0.3, 0.2, 0.1) };
    parts.contacts.push(ContactPart {
        name: "strike".to_owned(),
        place: ContactPlace::Points {
            a: end(second_end),
            b: end(Some(5)),
            normal_in: Some(1),
            normal: Vec3::new(0.48, 0.64, 0.6),
        },
        defaults: ContactDefaults::default(),
    });
    parts
}

#[test]
fn branches_and_other_joints() {
    for second in [None, Some(2), Some(5)] {
        // Of one body with itself there is no contact.
        let Ok(machine) = Machine::from_parts(&tree(second)) else {
            assert_eq!(second, Some(5));
            continue;
        };
        compare(&format!("{second:?}"), machine);
    }
}

#[test]
fn a_locked_joint_stays_locked() {
    let mut parts = tree(Some(2));
    parts.joints[2].locked = true;
    compare("locked", Machine::from_parts(&parts).unwrap());
}
