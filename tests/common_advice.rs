//! What is often advised for water sort and is wrong, each with its small counterexample.

mod support;

use pourfect::puzzle::water::{Goal, PourRule, Water};
use pourfect::puzzle::{Level, Puzzle, Visitor};
use pourfect::search::{self, Algorithm, Limits, Method, Proof};

fn level(text: &str, capacity: u8) -> Level {
    Water::parse(text, Some(capacity), PourRule::Max, Goal::Sorted).unwrap().into()
}

fn optimal_length(text: &str, capacity: u8, algorithm: Algorithm, bound: &str) -> Option<u32> {
    let method = Method { algorithm, bound: Some(bound), limits: Limits::states(100_000) };
    search::solve(&level(text, capacity), &method).unwrap().proof.optimal_length()
}

/// The length that breadth-first search finds, and A* and IDA* with every bound too.
fn agreed_length(text: &str, capacity: u8) -> Option<u32> {
    let length = optimal_length(text, capacity, Algorithm::Bfs, "blocks");
    for bound in ["blocks", "bottoms", "pattern", "borders"] {
        for algorithm in [Algorithm::Astar, Algorithm::Idastar] {
            assert_eq!(optimal_length(text, capacity, algorithm, bound), length, "{bound}");
        }
    }
    assert_eq!(optimal_length(text, capacity, Algorithm::Bidirectional, "blocks"), length);
    length
}

#[test]
fn a_penalty_for_missing_empty_tubes_is_not_admissible() {
    let (colors, empty, blocks, solved_blocks) = (4, 1, 6, 4);
    let advised = blocks - solved_blocks + (colors - 1 - empty);
    assert_eq!(agreed_length("AA|BB|CD|CD|", 2), Some(3));
    assert!(advised > 3);
}

#[test]
fn a_color_that_shows_once_without_an_empty_tube_is_not_dead() {
    assert_eq!(agreed_length("A|B|AB", 2), Some(2));
}

#[test]
fn forward_pours_from_the_solved_position_lead_nowhere() {
    struct Neighbors;
    impl Visitor for Neighbors {
        type Output = (usize, usize);
        fn visit<P: Puzzle>(self, puzzle: &P) -> (usize, usize) {
            let goal = puzzle.goals().next().unwrap();
            let (mut after, mut before) = (Vec::new(), Vec::new());
            puzzle.successors(&goal, &mut after);
            puzzle.predecessors(&goal, &mut before);
            (after.len(), before.len())
        }
    }
    let (after, before) = level("ABAB|BABA||", 4).explore(Neighbors);
    assert_eq!(after, 0);
    assert!(before > 0);
}

#[test]
fn closing_a_state_when_it_is_generated_makes_solutions_too_long() {
    assert_eq!(agreed_length("BAB|CCA|ABC|", 3), Some(6));
}

#[test]
fn entries_of_an_earlier_limit_do_not_prune_the_root() {
    assert_eq!(agreed_length("|AB|AB", 2), Some(3));
}

#[test]
fn cut_off_pours_make_cycles_that_end() {
    for text in ["A|AAB|ABBB", "A|ABB|AABB"] {
        agreed_length(text, 4);
    }
}

#[test]
fn tubes_per_color_are_no_bound_where_a_color_fills_several() {
    let error = level("AA|AA|", 2);
    let method =
        Method { algorithm: Algorithm::Astar, bound: Some("spread"), limits: Limits::states(100) };
    assert!(search::solve(&error, &method).is_err());
    assert_eq!(agreed_length("AA|AA|", 2), Some(0));
}

#[test]
fn gray_that_moves_only_in_whole_runs_would_overestimate() {
    assert!(agreed_length("|ABB|ABC|CCA", 3).is_some());
}

#[test]
fn room_above_each_block_alone_does_not_make_a_pour_safe() {
    assert_eq!(agreed_length("AA|DCA|DDA|BBCB|CDCB", 4), Some(12));
    let mut after = level("AA|DCA|DDA|BBCB|CDCB", 4);
    after.play("2>0".parse().unwrap()).unwrap();
    let method = Method { algorithm: Algorithm::Bfs, bound: None, limits: Limits::states(100_000) };
    assert_eq!(search::solve(&after, &method).unwrap().proof, Proof::Unsolvable);
}

#[test]
fn merging_uniform_tubes_costs_a_move_where_a_color_fills_several() {
    assert_eq!(agreed_length("A|A|AB|BA", 2), Some(3));
}

#[test]
fn a_complete_tube_of_a_color_of_several_may_have_to_be_poured_again() {
    assert_eq!(agreed_length("BA|BA|AAAA|AABC|BCCC", 4), Some(10));
}
