//! Limits bite exactly, and never turn into a verdict.

mod support;

use pourfect::puzzle::Level;
use pourfect::search::{self, Algorithm, Answer, Limits, Method, Proof};
use support::cases;

const STORING: [Algorithm; 5] = [
    Algorithm::Auto,
    Algorithm::Astar,
    Algorithm::Bfs,
    Algorithm::Bidirectional,
    Algorithm::Greedy,
];

fn solve(level: &Level, algorithm: Algorithm, limits: Limits) -> Answer {
    search::solve(level, &Method { algorithm, bound: None, limits }).unwrap()
}

/// A level of 12 colors that takes thousands of nodes, with its proven length.
fn hard_level() -> (Level, u32) {
    let case = cases("uniform.jsonl").into_iter().find(|case| case.id == "12-4-2-2").unwrap();
    (case.level, case.optimal.unwrap())
}

fn assert_unknown(answer: &Answer, optimal: u32) {
    let Proof::Unknown { lower_bound, best } = &answer.proof else {
        panic!("{} by {}", answer.proof.name(), answer.algorithm)
    };
    assert!(*lower_bound <= optimal);
    assert!(best.as_ref().is_none_or(|moves| moves.len() as u32 >= optimal));
}

#[test]
fn no_engine_stores_more_states_than_allowed() {
    let (level, optimal) = hard_level();
    for algorithm in STORING {
        for max_states in [0, 1, 2, 30] {
            let answer = solve(&level, algorithm, Limits::states(max_states));
            assert_eq!(answer.stats.stored, max_states as u64, "{algorithm}");
            assert_unknown(&answer, optimal);
        }
    }
}

#[test]
fn iterative_deepening_expands_no_more_nodes_and_fills_no_more_table_than_allowed() {
    let (level, optimal) = hard_level();
    for max_nodes in [0, 1, 1000] {
        let limits = Limits { max_nodes, table_states: 100, ..Limits::default() };
        let answer = solve(&level, Algorithm::Idastar, limits);
        assert_eq!(answer.stats.expanded, max_nodes);
        assert!(answer.stats.stored <= 100);
        assert_unknown(&answer, optimal);
    }
}

#[test]
fn iterative_deepening_needs_no_table() {
    let level = Level::water("ABAB|BABA||").unwrap();
    let limits = Limits { table_states: 0, ..Limits::default() };
    assert_eq!(solve(&level, Algorithm::Idastar, limits).proof.optimal_length(), Some(7));
}

#[test]
fn memory_follows_the_limit() {
    let (level, _) = hard_level();
    let bytes = |states| solve(&level, Algorithm::Bfs, Limits::states(states)).stats.bytes;
    let (few, many) = (bytes(1_000), bytes(100_000));
    assert!(few * 20 < many && many < 100_000 * 200, "{few} {many}");
}

#[test]
fn a_lower_bound_grows_with_the_work_done() {
    let (level, _) = hard_level();
    let proven = |states| match solve(&level, Algorithm::Bfs, Limits::states(states)).proof {
        Proof::Unknown { lower_bound, .. } => lower_bound,
        _ => panic!("solved"),
    };
    assert!(proven(10) < proven(10_000));
}

/// 62 colors in pairs of tubes of two colors each: 217 moves.
fn deep_level() -> Level {
    let symbols: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').collect();
    let pairs =
        symbols.chunks(2).map(|pair| format!("{0}{1}{0}{1}|{0}{1}{0}{1}|", pair[0], pair[1]));
    Level::water(&pairs.collect::<String>()).unwrap()
}

#[test]
fn two_hundred_moves_and_sixty_two_colors_overflow_no_stack() {
    let level = deep_level();
    assert_eq!(level.stacks().len(), 63);
    for algorithm in [Algorithm::Auto, Algorithm::Astar, Algorithm::Idastar] {
        let answer = solve(&level, algorithm, Limits::states(200_000));
        assert_eq!(answer.proof.optimal_length(), Some(217), "{algorithm}");
    }
    let answer = solve(&level, Algorithm::Greedy, Limits::states(200_000));
    assert!(matches!(answer.proof, Proof::Solved(_) | Proof::Unknown { best: Some(_), .. }));
    assert!(answer.stats.stored >= 217);
}

#[test]
fn the_engine_that_auto_picked_is_named() {
    let level = Level::water("ABAB|BABA||").unwrap();
    let answer = solve(&level, Algorithm::Auto, Limits::default());
    assert!(answer.auto && answer.algorithm == Algorithm::Astar && answer.bound == "bottoms");
    assert!(!solve(&level, Algorithm::Astar, Limits::default()).auto);
}
