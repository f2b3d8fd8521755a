//! Lower bounds for water.

use super::space::{Slot, Space, Tubes};
use crate::puzzle::{BoundError, LowerBound};

/// The bounds' names, weakest first.
pub(super) const NAMES: &[&str] = &["blocks", "bottoms"];

/// The bound of a name.
pub(super) fn named<'a, T: Slot, const N: usize>(
    space: &'a Space<T, N>,
    name: &str,
) -> Result<Box<dyn LowerBound<Tubes<T, N>> + 'a>, BoundError> {
    match name {
        "blocks" => Ok(Box::new(Blocks(space))),
        "bottoms" => Ok(Box::new(Bottoms(space))),
        _ => Err(BoundError::Unknown { name: name.to_owned(), known: NAMES }),
    }
}

/// Every pour merges at most two blocks.
struct Blocks<'a, T, const N: usize>(&'a Space<T, N>);

impl<T: Slot, const N: usize> LowerBound<Tubes<T, N>> for Blocks<'_, T, N> {
    fn estimate(&self, state: &Tubes<T, N>) -> u32 {
        self.0.blocks(state) - self.0.solved_blocks
    }
}

/// Besides the merges, every tube that a color needs and does not lie at the bottom of takes a pour
/// into an empty tube, which merges nothing.
struct Bottoms<'a, T, const N: usize>(&'a Space<T, N>);

impl<T: Slot, const N: usize> LowerBound<Tubes<T, N>> for Bottoms<'_, T, N> {
    fn estimate(&self, state: &Tubes<T, N>) -> u32 {
        self.0.blocks(state) - self.0.solved_blocks + self.0.missing_bottoms(state)
    }
}
