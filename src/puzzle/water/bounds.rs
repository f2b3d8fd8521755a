//! Lower bounds for water.

use std::cmp::Reverse;

use super::borders::Borders;
use super::contents::EMPTY;
use super::pattern::Pattern;
use super::space::{Slot, Space, Tubes};
use super::{MAX_COLORS, PourRule};
use crate::puzzle::{BoundError, LowerBound};

/// The bounds' names, weakest first.
pub(super) const NAMES: &[&str] = &["blocks", "spread", "bottoms", "units", "pattern", "borders"];

/// The bound of a name.
pub(super) fn named<'a, T: Slot, const N: usize>(
    space: &'a Space<T, N>,
    name: &str,
) -> Result<Box<dyn LowerBound<Tubes<T, N>> + 'a>, BoundError> {
    let invalid = |name, reason| Err(BoundError::Invalid { name, reason });
    match name {
        "blocks" => Ok(Box::new(Blocks(space))),
        "spread" if !space.one_tube_each => {
            invalid("spread", "every color must end in a single tube")
        }
        "spread" => Ok(Box::new(Spread(space))),
        "bottoms" => Ok(Box::new(Bottoms(space))),
        "units" if space.pour != PourRule::Unit => invalid("units", "the pour rule must be `unit`"),
        "units" => Ok(Box::new(Units(space))),
        "pattern" => Ok(Box::new(Pattern::new(space))),
        "borders" => Ok(Box::new(Borders::new(space))),
        _ => Err(BoundError::Unknown { name: name.to_owned(), known: NAMES }),
    }
}

/// The bound that takes the least time.
pub(super) fn fastest<T: Slot, const N: usize>(space: &Space<T, N>) -> &'static str {
    match space.pour {
        PourRule::Unit => "units",
        PourRule::Max | PourRule::Whole => "bottoms",
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

/// The larger of: borders, the sum over tubes of (blocks - 1), of which a pour removes at most one;
/// and the sum over colors of (tubes holding it - 1), of which a pour removes at most one too.
///
/// Only where every color ends in one tube. Never better than [`Blocks`], which counts both: here
/// because others use it.
struct Spread<'a, T, const N: usize>(&'a Space<T, N>);

impl<T: Slot, const N: usize> LowerBound<Tubes<T, N>> for Spread<'_, T, N> {
    fn estimate(&self, state: &Tubes<T, N>) -> u32 {
        let tubes = self.0.tubes(state).filter(|&tube| tube != EMPTY);
        let facts = tubes.map(|tube| self.0.contents.facts(tube));
        let borders = facts.clone().map(|facts| u32::from(facts.blocks) - 1).sum();
        let holding: u32 =
            facts.map(|facts| (facts.upper_bits | facts.bottom_bit).count_ones()).sum();
        (holding - self.0.solved_blocks).max(borders)
    }
}

/// Under `unit`: every unit above a bottom block moves at least once, and of a color's bottom blocks
/// all but as many as the tubes it ends in, so at least those but the largest.
struct Units<'a, T, const N: usize>(&'a Space<T, N>);

impl<T: Slot, const N: usize> LowerBound<Tubes<T, N>> for Units<'_, T, N> {
    fn estimate(&self, state: &Tubes<T, N>) -> u32 {
        let mut units = 0;
        // Of each color the bottom blocks that may stay.
        let mut staying = [0u8; MAX_COLORS];
        let mut several = Vec::new();
        for tube in self.0.tubes(state).filter(|&tube| tube != EMPTY) {
            let facts = self.0.contents.facts(tube);
            units += u32::from(self.0.capacity - facts.room);
            let color = facts.bottom.index();
            if self.0.needed[color] == 1 {
                staying[color] = staying[color].max(facts.bottom_run);
            } else {
                several.push((color, facts.bottom_run));
            }
        }
        units -= staying.iter().map(|&run| u32::from(run)).sum::<u32>();
        several.sort_unstable_by_key(|&(color, run)| (color, Reverse(run)));
        for same in several.chunk_by(|a, b| a.0 == b.0) {
            let tubes = self.0.needed[same[0].0].into();
            units -= same.iter().take(tubes).map(|&(_, run)| u32::from(run)).sum::<u32>();
        }
        units
    }
}
