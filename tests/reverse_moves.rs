//! Looking backward agrees with looking forward.

mod support;

use pourfect::puzzle::water::{Goal, PourRule, Water};
use pourfect::puzzle::{Level, Puzzle, Visitor};
use support::enumerate::Size;
use support::positions::Positions;

/// Checks all positions that a level can reach; counts them.
struct CheckInverse;

impl Visitor for CheckInverse {
    type Output = usize;

    fn visit<P: Puzzle>(self, puzzle: &P) -> usize {
        let positions = Positions::new(puzzle);
        let (mut successors, mut predecessors, mut again) = (vec![], vec![], vec![]);
        for state in positions.all.iter().map(|position| &position.state) {
            puzzle.successors(state, &mut successors);
            for successor in &successors {
                puzzle.predecessors(successor, &mut predecessors);
                assert!(predecessors.contains(state), "{state:?} before {successor:?}");
            }
            puzzle.predecessors(state, &mut predecessors);
            for predecessor in &predecessors {
                assert_ne!(predecessor, state);
                puzzle.successors(predecessor, &mut again);
                assert!(again.contains(state), "{state:?} after {predecessor:?}");
            }
        }
        positions.all.len()
    }
}

#[test]
fn predecessors_are_the_inverse_of_successors() {
    let several_tubes = Size { colors: 2, tubes_per_color: 2, capacity: 2, empty: 1 };
    for pour in PourRule::ALL {
        for size in [Size::new(2, 4, 1), Size::new(3, 3, 1), Size::new(4, 2, 2), several_tubes] {
            let levels = size.classes(pour);
            let states: usize = levels.iter().map(|level| level.explore(CheckInverse)).sum();
            assert!(states > 2 * levels.len(), "{size:?} {pour}");
        }
    }
}

struct Goals;

impl Visitor for Goals {
    type Output = (usize, usize);

    /// Goals that are solved and distinct, and solved positions among the reachable.
    fn visit<P: Puzzle>(self, puzzle: &P) -> (usize, usize) {
        let mut goals: Vec<_> = puzzle.goals().collect();
        assert!(goals.iter().all(|goal| puzzle.is_solved(goal)));
        goals.sort();
        goals.dedup();
        let mut solved: Vec<_> =
            Positions::new(puzzle).all.into_iter().map(|position| position.state).collect();
        solved.retain(|state| puzzle.is_solved(state));
        assert!(solved.iter().all(|state| goals.contains(state)));
        (goals.len(), solved.len())
    }
}

fn goals(text: &str, capacity: u8, goal: Goal) -> (usize, usize) {
    let water = Water::parse(text, Some(capacity), PourRule::Unit, goal).unwrap();
    Level::from(water).explore(Goals)
}

#[test]
fn goal_sorted_has_exactly_one_solved_position() {
    assert_eq!(goals("ABAB|BABA||", 4, Goal::Sorted), (1, 1));
    assert_eq!(goals("ABAB|BABA|AAAA|", 4, Goal::Sorted), (1, 1));
}

#[test]
fn goal_uniform_can_have_several_solved_positions() {
    // Five units of A end as 1 + 4 or 2 + 3; of B there is one tube.
    assert_eq!(goals("ABAB|AAA||", 4, Goal::Uniform), (2, 2));
    assert_eq!(goals("AAAAB|AAAB||", 5, Goal::Uniform), (2, 2));
}

#[test]
fn colors_that_need_more_tubes_than_there_are_have_no_solved_position() {
    assert_eq!(goals("AB", 4, Goal::Uniform), (0, 0));
}
