//! Lower bounds for cups.
//!
//! A cup that is not in place moves at least once ([`Misplaced`]), and at least twice when it must
//! leave its column before it can go in place ([`Twice`]). Both are consistent: a move changes the
//! share of one cup only, by at most 1 downwards. [`Conflicts`](super::conflicts::Conflicts) adds
//! what cups cost each other.

use super::conflicts::Conflicts;
use super::pattern::Pattern;
use super::space::{Arrangement, CupSet, Met, Space};
use crate::puzzle::{BoundError, LowerBound};

/// The bounds' names, weakest first.
pub(super) const NAMES: &[&str] = &["half", "misplaced", "twice", "pattern", "conflicts"];

/// The bound of a name.
pub(super) fn named<'a, const N: usize>(
    space: &'a Space<N>,
    name: &str,
) -> Result<Box<dyn LowerBound<Arrangement<N>> + 'a>, BoundError> {
    Ok(match name {
        "half" => Box::new(Misplaced { space, per_move: 2 }),
        "misplaced" => Box::new(Misplaced { space, per_move: 1 }),
        "twice" => Box::new(Twice(Order::new(space))),
        "pattern" => Box::new(Pattern::new(Order::new(space))),
        "conflicts" => Box::new(Conflicts(Order::new(space))),
        _ => return Err(BoundError::Unknown { name: name.to_owned(), known: NAMES }),
    })
}

/// The cups not in place: a move puts at most one in place. Tutorials divide by 2, which is weaker
/// and kept for comparison.
struct Misplaced<'a, const N: usize> {
    space: &'a Space<N>,
    per_move: u32,
}

impl<const N: usize> LowerBound<Arrangement<N>> for Misplaced<'_, N> {
    fn estimate(&self, state: &Arrangement<N>) -> u32 {
        let mut misplaced = 0;
        self.space.walk(state, |met| misplaced += u32::from(!met.settled));
        misplaced.div_ceil(self.per_move)
    }
}

/// What the goal says about which cup waits for which.
pub(super) struct Order<'a, const N: usize> {
    pub space: &'a Space<N>,
    /// For each cup, itself and the cups above it in the goal: none of them can go in place before
    /// it.
    pub from_up: [CupSet; N],
    /// For each floor, the cups that end on its columns: none of them can go in place before the
    /// cups that are out of place there have left.
    pub ending_on: Vec<CupSet>,
}

impl<'a, const N: usize> Order<'a, N> {
    pub fn new(space: &'a Space<N>) -> Self {
        let (mut from_up, mut ending_on) = ([0; N], vec![0; space.floors.len()]);
        let mut under: CupSet = 0;
        space.walk(&space.goal, |Met { cup, floor, first, .. }| {
            under = if first { 1 << cup } else { under | 1 << cup };
            members(under).for_each(|lower| from_up[lower] |= 1 << cup);
            ending_on[floor] |= 1 << cup;
        });
        Self { space, from_up, ending_on }
    }

    /// Tells of every cup not in place whether it moves at least once or twice.
    pub fn least_moves(&self, state: &Arrangement<N>, mut tell: impl FnMut(usize, u32)) {
        let mut delayed = 0;
        self.space.walk(state, |Met { cup, floor, first, settled }| {
            if first {
                delayed = self.ending_on[floor];
            }
            if !settled {
                tell(cup, 1 + (delayed >> cup & 1) as u32);
                delayed |= self.from_up[cup];
            }
        });
    }
}

/// The cups of a set, in order.
pub(super) fn members(mut set: CupSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cup = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(cup)
    })
}

/// A cup not in place moves twice when it stands in its goal column already, or over a cup that
/// goes in place before it: its first move comes before that of the cups under it, so it cannot be
/// the one that puts it in place.
struct Twice<'a, const N: usize>(Order<'a, N>);

impl<const N: usize> LowerBound<Arrangement<N>> for Twice<'_, N> {
    fn estimate(&self, state: &Arrangement<N>) -> u32 {
        let mut sum = 0;
        self.0.least_moves(state, |_, moves| sum += moves);
        sum
    }
}
