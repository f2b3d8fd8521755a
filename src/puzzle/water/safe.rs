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
//! Needless under every rule, for a single color: a uniform tube into an empty one, which only
//! relabels tubes, and a complete tube anywhere, which has all of its color and would have to be
//! filled again.
//!
//! Needless under `max` and `whole`: a run of c into an empty tube while a uniform tube of c is
//! there. Afterwards the two would merge (rule 1), and one pour onto that tube leads straight to
//! where these two pours lead.
//!
//! The arguments for 1 and 3 are sketches; what carries the rules is `tests/safe_moves.rs`, which
//! holds them against exact distances on every position of all small sizes, for each pour rule, also
//! beside colors of several tubes and under goal `uniform`.

use super::PourRule;
use super::contents::{EMPTY, Facts};
use super::pours::{Pour, Pours, ones};
use super::space::Slot;

/// A safe pour, if there is one.
pub(super) fn safe_pour<T: Slot, const N: usize>(pours: &Pours<'_, T, N>) -> Option<Pour> {
    ones(pours.growing).find_map(|target| {
        let onto = pours.facts(target);
        let source = pours
            .sources(onto.top, target)
            .find(|&source| is_safe(pours, pours.facts(source), onto))?;
        let units = match pours.space.pour {
            PourRule::Unit => 1,
            PourRule::Max | PourRule::Whole => pours.facts(source).run,
        };
        Some(Pour { source, target, units })
    })
}

/// Whether pouring onto a uniform tube of the same single color is safe.
fn is_safe<T: Slot, const N: usize>(pours: &Pours<'_, T, N>, from: &Facts, onto: &Facts) -> bool {
    let completes = from.run == onto.room;
    match pours.space.pour {
        PourRule::Unit => completes && (!from.is_uniform() || from.run <= onto.run),
        PourRule::Max | PourRule::Whole => {
            from.is_uniform() || completes || room_above(pours, onto) < onto.run.into()
        }
    }
}

/// The sum of (capacity - height of top) over all blocks of a uniform tube's color that are not at
/// a bottom.
fn room_above<T: Slot, const N: usize>(pours: &Pours<'_, T, N>, tube: &Facts) -> u32 {
    let contents = &pours.space.contents;
    let mut sum = 0;
    for content in pours.space.tubes(pours.state) {
        let mut facts = contents.facts(content);
        while facts.upper_bits & tube.bottom_bit != 0 {
            if facts.top == tube.top {
                sum += u32::from(facts.room);
            }
            facts = contents.facts(facts.below);
        }
    }
    sum
}

/// Whether a pour is one that no shortest solution needs.
pub(super) fn is_needless<T: Slot, const N: usize>(pours: &Pours<'_, T, N>, pour: Pour) -> bool {
    let from = pours.facts(pour.source);
    let opens = pours.content(pour.target) == EMPTY;
    if from.is_uniform() && from.bottom_bit & pours.space.single != 0 {
        return opens || from.room == 0;
    }
    let begun = pours.growing_colors & from.top.bit() != 0;
    opens && begun && pours.space.pour != PourRule::Unit
}
