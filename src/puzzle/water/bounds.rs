//! Lower bounds for water.

use super::borders::Borders;
use super::contents::EMPTY;
use super::space::{Slot, Space, Tubes};
use super::{MAX_CAPACITY, MAX_COLORS, MAX_TUBES, PourRule};
use crate::puzzle::{BoundError, LowerBound};

/// The bounds' names, weakest first.
pub(super) const NAMES: &[&str] = &["blocks", "spread", "bottoms", "units", "borders"];

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
        let mut bottoms = [[0u8; MAX_CAPACITY as usize + 1]; MAX_COLORS];
        let mut units = 0;
        for mut content in self.0.tubes(state).filter(|&tube| tube != EMPTY) {
            units += u32::from(self.0.capacity - self.0.contents.facts(content).room);
            while self.0.contents.facts(content).blocks > 1 {
                content = self.0.contents.facts(content).below;
            }
            let bottom = self.0.contents.facts(content);
            // At most MAX_TUBES.
            bottoms[bottom.top.index()][usize::from(bottom.run)] += 1;
        }
        let staying = bottoms.iter().zip(&self.0.needed).map(|(runs, &tubes)| {
            let mut left = u32::from(tubes);
            let stay = |(run, &count): (usize, &u8)| {
                let kept = left.min(count.into());
                left -= kept;
                kept * run as u32
            };
            runs.iter().enumerate().rev().map(stay).sum::<u32>()
        });
        units - staying.sum::<u32>()
    }
}

const _: () = assert!(MAX_TUBES <= u8::MAX as usize);
