//! Pattern databases over groups of cups.
//!
//! Take all cups but a group off the board: what remains is a smaller level, and every solution of
//! the whole level contains one of the smaller. So the exact distance of the smaller position is a
//! lower bound on the moves of the group's cups. A move moves one cup, so the bounds of disjoint
//! groups add up (Korf and Felner, 2002). Lower columns only make more moves legal, so all this
//! holds with a height limit too.

use std::collections::HashMap;

use super::bounds::Order;
use super::space::{Arrangement, Met, Space};
use super::{Column, Cup, Cups, MAX_CUPS};
use crate::puzzle::{LowerBound, Puzzle};

/// Most cups of a group: the size of a state of the smaller levels.
const MAX_GROUP: usize = 16;

/// Most positions of a group's smaller level, before symmetry.
const MAX_POSITIONS: usize = 200_000;

/// The bound `pattern`: for each group the exact distance, or the share that the bound `twice`
/// gives its cups if that is more (it knows of cups outside the group).
pub(super) struct Pattern<'a, const N: usize> {
    order: Order<'a, N>,
    groups: Vec<Group>,
    /// For each cup its group.
    group_of: [usize; N],
}

/// The exact distances of some cups' positions.
struct Group {
    /// Each cup's index in the smaller level, if it is in the group.
    index_of: [Option<u8>; MAX_CUPS],
    space: Space<MAX_GROUP>,
    /// For each floor of the level the floor of the smaller level.
    floor_of: Vec<usize>,
    distances: HashMap<Arrangement<MAX_GROUP>, u8>,
}

impl<'a, const N: usize> Pattern<'a, N> {
    pub fn new(order: Order<'a, N>) -> Self {
        let size = group_size(order.space.level.columns.len());
        Self::with_groups_of(size, order)
    }

    /// Groups of cups that follow each other in the goal.
    fn with_groups_of(size: usize, order: Order<'a, N>) -> Self {
        let cups: Vec<Cup> = order.space.level.goal.iter().flatten().copied().collect();
        let mut group_of = [0; N];
        for (place, cup) in cups.iter().enumerate() {
            group_of[cup.index()] = place / size;
        }
        let groups = cups.chunks(size).map(|group| Group::new(order.space, group)).collect();
        Self { order, groups, group_of }
    }
}

/// The most cups that have at most [`MAX_POSITIONS`] positions: k cups on c columns have
/// c (c + 1) ... (c + k - 1).
fn group_size(columns: usize) -> usize {
    let mut positions = 1;
    let fits = |&cups: &usize| {
        positions *= columns + cups;
        positions <= MAX_POSITIONS
    };
    (0..MAX_GROUP).take_while(fits).count().max(1)
}

impl Group {
    /// Searches the whole smaller level backward, breadth first.
    fn new<const N: usize>(whole: &Space<N>, cups: &[Cup]) -> Self {
        let mut index_of = [None; MAX_CUPS];
        for (index, cup) in (0..).zip(cups) {
            index_of[cup.index()] = Some(index);
        }
        let keep = |columns: &[Column]| {
            let kept = |column: &Column| {
                column.iter().filter_map(|cup| index_of[cup.index()].map(Cup)).collect()
            };
            columns.iter().map(kept).collect()
        };
        let Cups { height, goal, columns } = &whole.level;
        let space = Space::new(&Cups { height: *height, goal: keep(goal), columns: keep(columns) });
        let mut floor_of = vec![0; whole.floors.len()];
        for (&floor, &smaller) in whole.floor_of.iter().zip(&space.floor_of) {
            floor_of[floor] = smaller;
        }
        let distances = distances(&space);
        Self { index_of, space, floor_of, distances }
    }

    /// The distance of the group's cups; `None` if they can never reach their places.
    fn distance<const N: usize>(&self, whole: &Space<N>, state: &Arrangement<N>) -> Option<u32> {
        let (mut under, mut support) = ([0; MAX_GROUP], 0);
        whole.walk(state, |Met { cup, floor, first, .. }| {
            if first {
                support = Space::<N>::floor(self.floor_of[floor]);
            }
            if let Some(index) = self.index_of[cup] {
                under[usize::from(index)] = support;
                support = index;
            }
        });
        let smaller = Arrangement::new(under, self.space.cups);
        self.distances.get(&smaller).map(|&distance| distance.into())
    }
}

fn distances(space: &Space<MAX_GROUP>) -> HashMap<Arrangement<MAX_GROUP>, u8> {
    let mut distances = HashMap::from([(space.goal, 0)]);
    let mut queue = std::collections::VecDeque::from([space.goal]);
    let mut before = Vec::new();
    while let Some(state) = queue.pop_front() {
        // At most 16 cups.
        let distance = distances[&state] + 1;
        space.predecessors(&state, &mut before);
        for &state in &before {
            distances.entry(state).or_insert_with(|| {
                queue.push_back(state);
                distance
            });
        }
    }
    distances
}

impl<const N: usize> LowerBound<Arrangement<N>> for Pattern<'_, N> {
    fn estimate(&self, state: &Arrangement<N>) -> u32 {
        let mut shares = vec![0; self.groups.len()];
        self.order.least_moves(state, |cup, moves| shares[self.group_of[cup]] += moves);
        let cost = |(group, share): (&Group, u32)| {
            // Cups that can never get there are no reason for a number; the search finds out.
            group.distance(self.order.space, state).map_or(share, |distance| distance.max(share))
        };
        self.groups.iter().zip(shares).map(cost).sum()
    }

    fn bytes(&self) -> u64 {
        let entries: usize = self.groups.iter().map(|group| group.distances.capacity()).sum();
        (entries * size_of::<(Arrangement<MAX_GROUP>, u8)>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_as_large_as_the_limit_allows() {
        assert_eq!([1, 3, 4, 5, 16, 64].map(group_size), [8, 7, 6, 6, 4, 2]);
    }

    #[test]
    fn groups_of_any_size_add_up_to_no_more_than_the_distance() {
        let cases = [("1,2,3,4,5||", None), ("2,1|5,4,3|", Some(4)), ("1,2|3|", Some(2))];
        for (goal, height) in cases {
            let space = Space::<16>::new(&Cups::parse(goal, Some(goal), height).unwrap());
            let exact = distances(&space);
            let mean = |size| {
                let pattern = Pattern::with_groups_of(size, Order::new(&space));
                let estimates = exact.iter().map(|(state, &distance)| {
                    let estimate = pattern.estimate(state);
                    assert!(estimate <= distance.into(), "{goal} by {size}: {state:?}");
                    estimate
                });
                f64::from(estimates.sum::<u32>()) / exact.len() as f64
            };
            let means = [1, 2, space.cups].map(mean);
            assert!(means[0] <= means[1] && means[1] < means[2], "{goal}: {means:?}");
        }
    }
}
