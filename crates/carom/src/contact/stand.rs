//! From a model to a machine that stands: contacts checked, assembled, sides settled.

use thiserror::Error;

use super::law::{ChosenLaw, LawError};
use super::side::{is_open, settle, settled_sides};
use super::{ContactError, settle_sides, supported};
use crate::dynamics::{Assembled, Assembler, DynamicsError, Layout, assemble};
use crate::kinematics::Frames;
use crate::model::{ContactGeometry, Model};

/// Why a model does not stand.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StandError {
    /// Contacts whose geometry is refused.
    #[error("{}", joined(.0.iter()))]
    Contacts(Vec<ContactError>),
    /// Contacts whose law is refused, by their names.
    #[error("{}", joined(.0.iter().map(|(contact, error)| format!("contacts.{contact}: {error}"))))]
    Laws(Vec<(String, LawError)>),
    /// It cannot be assembled.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
}

fn joined<T: ToString>(errors: impl Iterator<Item = T>) -> String {
    errors.map(|error| error.to_string()).collect::<Vec<_>>().join("; ")
}

/// Assembles a model and settles what its pose decides.
pub fn stand(model: &mut Model) -> Result<Assembled, StandError> {
    check_standing(model)?;
    let assembled = assemble(model)?;
    let mut frames = Frames::new(model);
    frames.update(assembled.state.q.as_slice(), assembled.state.v.as_slice());
    settle_sides(model, &|place| frames.pose(place))
        .map_err(|error| StandError::Contacts(vec![error]))?;
    Ok(assembled)
}

/// The same in memory that is kept, for a model that [`check_standing`] has passed. The assembler then holds the state.
pub fn stand_again(model: &mut Model, assembler: &mut Assembler) -> Result<(), StandError> {
    let frames = assembler.assemble(model)?.frames();
    if model.shapes.iter().any(|s| is_open(&s.kind)) {
        let settled = settled_sides(model, &|place| frames.pose(place))
            .map_err(|error| StandError::Contacts(vec![error]))?;
        settle(model, &settled);
    }
    Ok(())
}

/// Refuses what no pose can mend: contacts without a gap function, laws outside their range, closures without end.
pub fn check_standing(model: &Model) -> Result<(), StandError> {
    let unsupported = unsupported(model);
    if !unsupported.is_empty() {
        return Err(StandError::Contacts(unsupported));
    }
    check_laws(model)?;
    solvable(model)?;
    Ok(())
}

/// Refuses laws whose numbers are outside their range.
pub fn check_laws(model: &Model) -> Result<(), StandError> {
    let unlawful = unlawful(model);
    if unlawful.is_empty() { Ok(()) } else { Err(StandError::Laws(unlawful)) }
}

/// Rows that hang together are eliminated as one dense block; larger ones take minutes.
const MOST_ROWS: usize = 1000;
/// Numbers in all blocks: half a gigabyte.
const MOST_NUMBERS: usize = 1 << 26;

/// Refuses a model whose closures would take memory and time without end.
fn solvable(model: &Model) -> Result<(), DynamicsError> {
    let count: usize = model.closures.iter().map(|c| c.rows.len()).sum();
    // Even if all rows were open at every body.
    if count <= MOST_ROWS && count * count * model.bodies.len() <= MOST_NUMBERS {
        return Ok(());
    }
    let rows = model.closures.iter().flat_map(|c| c.rows.iter().cloned()).collect();
    let (together, numbers) = Layout::new(model, rows, &vec![true; model.nv]).width();
    if together > MOST_ROWS || numbers > MOST_NUMBERS {
        return Err(DynamicsError::TooManyRows { rows: together, most: MOST_ROWS });
    }
    Ok(())
}

/// Contacts whose numbers are outside the range of their law, whatever the pose.
fn unlawful(model: &Model) -> Vec<(String, LawError)> {
    let wrong = |contact: &crate::model::Contact| {
        let error = ChosenLaw::new(&contact.defaults, None).err()?;
        Some((contact.name.clone(), error))
    };
    model.contacts.iter().filter_map(wrong).collect()
}

/// Pairs of shapes that have no gap function.
fn unsupported(model: &Model) -> Vec<ContactError> {
    let refused = |contact: &crate::model::Contact| {
        let ContactGeometry::Shapes { a, b } = contact.geometry else { return None };
        let (a, b) = (&model.shapes[a].kind, &model.shapes[b].kind);
        (!supported(a, b, model.is_planar())).then(|| ContactError::UnsupportedPair {
            contact: contact.name.clone(),
            a: a.name(),
            b: b.name(),
            space: if model.is_planar() { "planar" } else { "spatial" },
        })
    };
    model.contacts.iter().filter_map(refused).collect()
}
