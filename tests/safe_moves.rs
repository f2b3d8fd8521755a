//! Safe moves, and moves left out as needless, never cost the optimum: held against exact distances
//! on every position of small levels.

mod support;

use pourfect::puzzle::water::{Goal, PourRule};
use pourfect::puzzle::{Level, Puzzle, Visitor};
use support::enumerate::{Size, loose_classes};
use support::positions::Positions;

/// Checks that one of the useful successors is nearer; counts the positions where some were left
/// out.
struct KeepsOptimum;

impl Visitor for KeepsOptimum {
    type Output = usize;

    fn visit<P: Puzzle>(self, puzzle: &P) -> usize {
        let positions = Positions::new(puzzle);
        let (mut all, mut useful) = (Vec::new(), Vec::new());
        let mut pruned = 0;
        for position in &positions.all {
            puzzle.successors(&position.state, &mut all);
            puzzle.useful_successors(&position.state, &mut useful);
            pruned += usize::from(useful.len() < all.len());
            if let Some(distance @ 1..) = position.distance {
                let nearest =
                    useful.iter().filter_map(|successor| positions.distance(successor)).min();
                assert_eq!(nearest, Some(distance - 1), "{:?}", position.state);
            }
        }
        pruned
    }
}

/// Checks levels; they must be such that something is left out at all.
fn check(levels: impl IntoIterator<Item = Level>) {
    let pruned: usize = levels.into_iter().map(|level| level.explore(KeepsOptimum)).sum();
    assert!(pruned > 100, "only {pruned} positions have safe or needless moves");
}

/// Units of each color, tubes, capacity.
type LooseSize = (&'static [usize], usize, u8);

fn loose(sizes: &[LooseSize], goal: Goal) -> impl Iterator<Item = Level> {
    let sizes =
        PourRule::ALL.into_iter().flat_map(move |pour| sizes.iter().map(move |&size| (pour, size)));
    sizes.flat_map(move |(pour, (units, tubes, capacity))| {
        loose_classes(units, tubes, capacity, pour, goal)
    })
}

fn all_sizes(pour: PourRule) -> impl Iterator<Item = Level> {
    let sizes = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4), (4, 2)];
    let sizes = sizes
        .into_iter()
        .flat_map(|(colors, capacity)| [1, 2].map(|empty| Size::new(colors, capacity, empty)));
    sizes.flat_map(move |size| size.classes(pour))
}

#[test]
fn safe_moves_keep_the_optimum_under_max() {
    check(all_sizes(PourRule::Max));
}

#[test]
fn safe_moves_keep_the_optimum_under_whole() {
    check(all_sizes(PourRule::Whole));
}

#[test]
fn safe_moves_keep_the_optimum_under_unit() {
    check(all_sizes(PourRule::Unit));
}

#[test]
fn safe_moves_keep_the_optimum_from_the_middle_of_a_game() {
    let sizes: [LooseSize; 4] =
        [(&[2, 2, 2], 4, 2), (&[3, 3], 3, 3), (&[3, 3], 4, 3), (&[4, 4], 3, 4)];
    check(loose(&sizes, Goal::Sorted));
}

#[test]
fn safe_moves_keep_the_optimum_beside_colors_of_several_tubes() {
    let sizes: [LooseSize; 4] =
        [(&[4, 2], 4, 2), (&[4, 2, 2], 5, 2), (&[6, 3], 4, 3), (&[4, 4], 5, 2)];
    check(loose(&sizes, Goal::Sorted));
}

#[test]
fn safe_moves_keep_the_optimum_where_colors_do_not_fill_tubes() {
    let sizes: [LooseSize; 4] =
        [(&[3, 2], 4, 2), (&[1, 3], 3, 3), (&[5, 3], 4, 3), (&[2, 3, 2], 4, 3)];
    check(loose(&sizes, Goal::Uniform));
}
