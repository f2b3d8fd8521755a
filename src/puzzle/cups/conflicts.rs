//! What cups cost each other: the strongest bound.
//!
//! # The order of moves
//!
//! Let F(x) be the first move of a cup x that is not in place, and L(x) the one that puts it in
//! place for good. In every solution
//!
//! * F(x) <= L(x), and F(x) < F(y) when x stands above y;
//! * L(x) < L(y) when x is below y in the goal;
//! * F(x) < L(y) when x stands, out of place, in the goal column of y.
//!
//! x *delays* y when F(x) < L(y) follows from these. A cup that delays itself moves at least twice;
//! that is the bound `twice`. Say that a cup is *spared* in a solution when it moves no more often
//! than that bound says: once (a *direct* cup, F = L) or twice (a *resting* one: F takes it to a
//! column where it rests, L puts it in place). Every cup that is not spared costs another move.
//!
//! # Conflicts
//!
//! A conflict is a set of cups of which one at least is not spared. Conflicts that share no cup
//! add up, so the bound is `twice` and the number of disjoint conflicts that it finds:
//!
//! * **Deadlocks**: two or three direct cups that delay each other in a ring. With x and y that is
//!   F(x) < L(y) = F(y) < L(x) = F(x), which is absurd.
//! * **Cups with nowhere to rest.** A resting cup x rests neither on the column that it leaves nor
//!   on its goal column, from where its second move could not put it in place. Another column is
//!   *shut* to it by a direct cup w that stands or ends on it, if x and w delay each other: then
//!   the one move of w falls between F(x) and L(x), while x rests there, and x lies on w or where w
//!   has to go. And of two resting cups of one column, x above y, only one can have a column, if
//!   y delays x and x is below y in the goal: x arrives before y, F(x) < F(y), is still under it
//!   when y arrives, F(y) < L(x), and has to leave first, L(x) < L(y). If the resting cups of one
//!   column cannot all be given a column on which they can rest, then one of them or of the cups
//!   that shut columns to them is not spared.
//!
//! Deadlocks are known from blocks world (Gupta and Nau, 1992; Slaney and Thiebaux, 2001); the
//! second kind sharpens the bounds of the container relocation problem (Zhu et al., 2012; Tanaka and
//! Takii, 2016). Nothing is said about height limits, which only make solutions longer.
//!
//! Which conflicts are found depends on the position, so the bound is admissible but **not
//! consistent**: it can fall by 2 along a move.

use super::MAX_COLUMNS;
use super::bounds::{Order, members};
use super::space::{Arrangement, CupSet, Met};
use crate::puzzle::LowerBound;

/// A set of columns, by their index in [`View::columns`].
type ColumnSet = u64;

/// Most resting cups that are looked at together. More find little more and cost time.
const MAX_GROUP: usize = 5;

/// The bound `conflicts`.
pub(super) struct Conflicts<'a, const N: usize>(pub Order<'a, N>);

impl<const N: usize> LowerBound<Arrangement<N>> for Conflicts<'_, N> {
    fn estimate(&self, state: &Arrangement<N>) -> u32 {
        let view = View::new(&self.0, state);
        let mut free = view.direct;
        let deadlocks = view.deadlocks(&mut free);
        let crowds = view.crowds(&mut free);
        view.direct.count_ones() + 2 * view.resting.count_ones() + deadlocks + crowds
    }
}

/// A column, empty or not.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Its cups that are not in place.
    cups: CupSet,
    /// The cups that end on it.
    ending: CupSet,
}

/// A resting cup, with where it can rest and the direct cups that shut the other columns to it.
#[derive(Clone, Copy)]
struct Resting {
    cup: usize,
    open: ColumnSet,
    shut_by: CupSet,
}

/// A position with who delays whom.
struct View<'a, const N: usize> {
    from_up: &'a [CupSet; N],
    /// For each cup not in place, the cups that it delays.
    delays: [CupSet; N],
    /// For each cup not in place, the direct cups that it delays and that delay it.
    mutual: [CupSet; N],
    direct: CupSet,
    resting: CupSet,
    /// All columns, the empty ones last.
    columns: [Place; MAX_COLUMNS],
    count: usize,
    /// The resting cups, each with its column, every column's from the bottom up.
    stacked: [(u8, u8); N],
}

impl<'a, const N: usize> View<'a, N> {
    fn new(order: &'a Order<'a, N>, state: &Arrangement<N>) -> Self {
        let mut view = Self {
            from_up: &order.from_up,
            delays: [0; N],
            mutual: [0; N],
            direct: 0,
            resting: 0,
            columns: [Place::default(); MAX_COLUMNS],
            count: 0,
            stacked: [(0, 0); N],
        };
        let (mut delayed, mut used) = (0, [0; MAX_COLUMNS]);
        order.space.walk(state, |Met { cup, floor, first, settled }| {
            if first {
                delayed = order.ending_on[floor];
                view.columns[view.count].ending = delayed;
                view.count += 1;
                used[floor] += 1;
            }
            if !settled {
                view.columns[view.count - 1].cups |= 1 << cup;
                if delayed >> cup & 1 == 1 {
                    view.stacked[view.resting.count_ones() as usize] =
                        (cup as u8, view.count as u8 - 1);
                    view.resting |= 1 << cup;
                } else {
                    view.direct |= 1 << cup;
                }
                view.delays[cup] = delayed | order.from_up[cup] & !(1 << cup);
                delayed |= order.from_up[cup];
            }
        });
        for (floor, (&columns, used)) in order.space.floors.iter().zip(used).enumerate() {
            for _ in used..columns {
                view.columns[view.count].ending = order.ending_on[floor];
                view.count += 1;
            }
        }
        for cup in members(view.direct) {
            for other in
                members(view.delays[cup]).filter(|&other| view.delays[other] >> cup & 1 == 1)
            {
                view.mutual[other] |= 1 << cup;
            }
        }
        view
    }

    /// Counts disjoint rings of direct cups that delay each other, and takes them out of `free`.
    fn deadlocks(&self, free: &mut CupSet) -> u32 {
        let pair = |cup: usize, free: CupSet| {
            let others = self.mutual[cup] & free;
            (others != 0).then(|| 1 << cup | 1 << others.trailing_zeros())
        };
        let triple = |cup: usize, free: CupSet| {
            let delaying = |last: usize| self.delays[last] >> cup & 1 == 1;
            let ring = |next: usize| {
                let last = members(self.delays[next] & free).find(|&last| delaying(last))?;
                Some(1 << cup | 1 << next | 1 << last)
            };
            members(self.delays[cup] & free).find_map(ring)
        };
        self.rings(free, pair) + self.rings(free, triple)
    }

    /// Counts what `ring` finds, from each cup in turn, among the cups still in `free`.
    fn rings(&self, free: &mut CupSet, ring: impl Fn(usize, CupSet) -> Option<CupSet>) -> u32 {
        let mut found = 0;
        for cup in members(self.direct) {
            if *free >> cup & 1 == 1
                && let Some(ring) = ring(cup, *free)
            {
                *free &= !ring;
                found += 1;
            }
        }
        found
    }

    /// Counts disjoint groups of cups with nowhere to rest, and takes those that shut columns to
    /// them out of `free`.
    fn crowds(&self, free: &mut CupSet) -> u32 {
        let mut found = 0;
        let mut group: Vec<Resting> = Vec::new();
        let mut group_column = 0;
        let resting = self.resting.count_ones() as usize;
        for &(cup, column) in self.stacked[..resting].iter().rev() {
            if group_column != column {
                group.clear();
                group_column = column;
            }
            let next = self.resting(cup.into(), column.into(), *free);
            if next.open.count_ones() as usize >= MAX_GROUP {
                continue;
            }
            if group.len() == MAX_GROUP {
                group.remove(0);
            }
            group.push(next);
            if !self.can_rest(&group) {
                self.shrink(&mut group);
                *free = group.iter().fold(*free, |free, cup| free & !cup.shut_by);
                group.clear();
                found += 1;
            }
        }
        found
    }

    /// Where a resting cup of a column can rest, if only the direct cups of `free` can shut
    /// columns.
    fn resting(&self, cup: usize, column: usize, free: CupSet) -> Resting {
        let mut resting = Resting { cup, open: 0, shut_by: 0 };
        for (index, place) in self.columns[..self.count].iter().enumerate() {
            let shutting = (place.cups | place.ending) & self.mutual[cup] & free;
            if index == column || place.ending >> cup & 1 == 1 {
                continue;
            }
            if shutting == 0 {
                resting.open |= 1 << index;
            } else {
                resting.shut_by |= 1 << shutting.trailing_zeros();
            }
        }
        resting
    }

    /// Whether cups of one column, given from the top down, can all be given a column to rest on.
    fn can_rest(&self, group: &[Resting]) -> bool {
        self.give_columns(group, &mut [0; MAX_GROUP], 0)
    }

    fn give_columns(
        &self,
        group: &[Resting],
        given: &mut [ColumnSet; MAX_GROUP],
        index: usize,
    ) -> bool {
        let Some(next) = group.get(index) else { return true };
        let taken = |taken, (above, &column): (&Resting, &ColumnSet)| {
            if self.clash(above.cup, next.cup) { taken | column } else { taken }
        };
        let taken = group[..index].iter().zip(&*given).fold(0, taken);
        members(next.open & !taken).any(|column| {
            given[index] = 1 << column;
            self.give_columns(group, given, index + 1)
        })
    }

    /// Whether two resting cups, `above` standing over `below`, cannot rest on one column.
    fn clash(&self, above: usize, below: usize) -> bool {
        self.delays[below] >> above & 1 == 1 && self.from_up[above] >> below & 1 == 1
    }

    /// Drops the cups without which the others have nowhere to rest still.
    fn shrink(&self, group: &mut Vec<Resting>) {
        for index in (0..group.len()).rev() {
            let cup = group.remove(index);
            if self.can_rest(group) {
                group.insert(index, cup);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::puzzle::Puzzle;
    use crate::puzzle::cups::{Cups, Space};

    /// The bounds `twice` and `conflicts`.
    fn bounds(position: &str, goal: &str) -> (u32, u32) {
        let space = Space::<16>::new(&Cups::parse(position, Some(goal), None).unwrap());
        let estimate = |name| space.bound(name).unwrap().estimate(&space.start());
        (estimate("twice"), estimate("conflicts"))
    }

    #[test]
    fn two_cups_that_wait_for_each_other_cost_a_move() {
        assert_eq!(bounds("2|1|", "1|2|"), (2, 3));
        assert_eq!(bounds("2|1|4|3|", "1|2|3|4|"), (4, 6));
    }

    #[test]
    fn three_cups_in_a_ring_cost_one_move() {
        assert_eq!(bounds("2|3|1|", "1|2|3|"), (3, 4));
    }

    #[test]
    fn a_cup_that_can_rest_nowhere_costs_a_move() {
        // Cup 3 lies over 1, and 2 stands on the one other column.
        assert_eq!(bounds("|1,3|2", "1,2,3||"), (4, 5));
        assert_eq!(bounds("|1,3|2|", "1,2,3|||"), (4, 4));
    }

    #[test]
    fn cups_that_cannot_share_a_column_cost_a_move() {
        // Cup 3 would come to rest on 2, which has to leave before it.
        assert_eq!(bounds("|1,3,2|", "1,2,3||"), (5, 6));
        assert_eq!(bounds("|1,2,3|", "1,2,3||"), (5, 5));
    }

    #[test]
    fn a_cup_cannot_rest_where_a_cup_that_it_waits_for_ends() {
        // Cup 2 may not go onto 3, nor into the column where 3 has to be before 1 and 2.
        assert_eq!(bounds("4,2||1,3", "1,2|4,3|"), (5, 6));
        assert_eq!(bounds("4,2||1,3|", "1,2|4,3||"), (5, 5));
    }
}
