//! Safe moves: where one exists, it alone keeps an optimum, and the other moves need no look.
//!
//! Let N be the capacity and c a *single* color: one whose units fill exactly one tube. Every color
//! whose units fill several tubes, or less than one, is left alone: `A|A|AB|BA` (capacity 2) takes
//! 3 moves, and 4 once its uniform tubes are merged.
//!
//! # Under `max` and `whole`
//!
//! Let tube u be uniform of c with k units, and let tube t show c with a run of r. Let K be k + r if
//! t is uniform too, else k. Let S be the sum of (N - height of the block's top) over all blocks of
//! c that are not at a bottom, the run of t among them if it is one. **If S < K, pouring the run of
//! t onto u is safe.** (It fits: all of c fits into one tube.) Two uniform tubes that have all of c
//! but what lies covered, and a run that completes c, are cases of this.
//!
//! *There is always a tube of nothing but c.* A unit of c comes to lie on another color only on a
//! block of c that lies there already, for c is poured onto c or into an empty tube. The blocks not
//! at a bottom can take in S more units in all, however they are split and poured together: their
//! bases stay where they are. Covered bottom blocks take in none. So of the K units at least K - S
//! are always in tubes of nothing but c.
//!
//! *The pour loses nothing.* Let a shortest solution lead from the position before the pour, P, and
//! follow it from P', the position after. Call a tube of nothing but c the heap; in P' it is u. Keep
//! this true: the tubes are the same but for the heap and but for top runs of c, which may be
//! shorter in P', down to nothing; what they lack lies on the heap of P'. At first only t lacks its
//! run. Each move of the solution is answered by at most one:
//!
//! - A pour of another color has the same source and the same target in P', and is played there.
//! - A pour of c from a tube that is not the heap: if P' has a run of c left there, it is poured onto
//!   the heap, where there is always room, in whole; otherwise nothing is done.
//! - A pour of c from the heap: nothing is done, unless it empties the heap. Then some other tube of
//!   nothing but c becomes the heap, there always being one; if P' has units left there, they are
//!   poured onto the heap of P', and the two tubes of P' change their names.
//!
//! In the end all of c is in one tube, the heap, and the others are equal: P' is solved. Every pour
//! of c lowers the number of blocks of c by at most 1, so the solution has at least one less of them
//! than P has blocks of c; every answer of c lowers it by exactly 1, and P' has one block less than P.
//! So at least one move was not answered, and P' is solved in one move less than P.
//!
//! A condition on each block alone is wrong: `AA|DCA|DDA|BBCB|CDCB` (N = 4).
//!
//! # Under `unit`
//!
//! A unit of a run of r onto a uniform tube u of k units is safe **if k + r = N**, from a mixed tube,
//! or from a uniform tube that is no larger. Then all of c lies in these two tubes.
//!
//! *From a mixed tube.* Its run stands on at least one unit of another color, so it never takes in
//! all of u, and again there is always a tube of nothing but c. From P' a unit of c that leaves the
//! mixed tube is answered by one that leaves it for the heap, as long as P' has one there; other
//! moves of c by none. A solution takes all r units off the mixed tube, P' has one less to take.
//!
//! *From a uniform tube.* All of c is in uniform tubes, and one of them must become empty: that takes
//! r moves of c or more, whichever it is, since r <= k. The first r - 1 of them are answered by the
//! units that P' still has to move, the others by none; when the solution has all of c in one tube
//! for the first time, P' has, too.
//!
//! # Needless moves
//!
//! For a single color, under every rule: a uniform tube into an empty one, which relabels tubes or
//! splits a heap; and a complete tube anywhere. Take the tube for the heap: by the argument above
//! the position before such a move is solved as soon as the one after it.
//!
//! `tests/safe_moves.rs` holds all this against exact distances on every position of all small sizes,
//! for each pour rule, also beside colors of several tubes and under goal `uniform`.

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
    match pours.space.pour {
        PourRule::Unit => from.run == onto.room && (!from.is_uniform() || from.run <= onto.run),
        PourRule::Max | PourRule::Whole => {
            let gathered = onto.run + if from.is_uniform() { from.run } else { 0 };
            room_above(pours, onto) < gathered.into()
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
    let single = from.is_uniform() && from.bottom_bit & pours.space.single != 0;
    single && (pours.content(pour.target) == EMPTY || from.room == 0)
}
