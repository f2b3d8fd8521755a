//! Every level whose answer is known gets that answer from every engine that is fit for its size.

mod support;

use pourfect::puzzle::Level;
use pourfect::search::{self, Algorithm, Limits, Method, Proof};
use support::{Case, cases};

fn proof(level: &Level, algorithm: Algorithm, bound: &str) -> Proof {
    let method = Method { algorithm, bound: Some(bound), limits: Limits::states(3_000_000) };
    search::solve(level, &method).unwrap().proof
}

fn assert_answer(case: &Case, algorithm: Algorithm, bound: &str) {
    let proof = proof(&case.level, algorithm, bound);
    let verdict = if proof.name() == "solved" { "solvable" } else { proof.name() };
    assert_eq!(verdict, case.verdict, "{} by {algorithm} with {bound}", case.id);
    assert_eq!(proof.optimal_length(), case.optimal, "{} by {algorithm} with {bound}", case.id);
    if let Proof::Solved(moves) = proof {
        let mut level = case.level.clone();
        moves.iter().for_each(|&action| level.play(action).unwrap());
        assert!(level.is_solved(), "{}", case.id);
    }
}

#[test]
fn the_hard_cases_are_answered_by_every_engine() {
    for case in cases("cases.jsonl") {
        for bound in ["blocks", "bottoms"] {
            assert_answer(&case, Algorithm::Astar, bound);
        }
        assert_answer(&case, Algorithm::Idastar, "bottoms");
        if case.level.stacks().len() <= 8 {
            assert_answer(&case, Algorithm::Bfs, "blocks");
        }
    }
}

#[test]
fn random_fillings_of_all_sizes_are_answered() {
    for case in cases("uniform.jsonl") {
        for algorithm in [Algorithm::Astar, Algorithm::Idastar, Algorithm::Auto] {
            assert_answer(&case, algorithm, "bottoms");
        }
    }
}

#[test]
fn random_fillings_are_answered_with_the_strongest_bounds() {
    for case in cases("uniform.jsonl") {
        if case.level.stacks().len() <= 12 {
            assert_answer(&case, Algorithm::Astar, "borders");
            assert_answer(&case, Algorithm::Idastar, "borders");
        }
    }
}

#[test]
fn random_fillings_of_small_sizes_are_answered_from_both_ends() {
    for case in cases("uniform.jsonl") {
        if case.level.stacks().len() <= 6 {
            assert_answer(&case, Algorithm::Bfs, "blocks");
        }
        if case.level.stacks().len() <= 8 {
            assert_answer(&case, Algorithm::Bidirectional, "blocks");
        }
    }
}

#[test]
fn every_published_level_is_answered() {
    for case in cases("public.jsonl") {
        assert_answer(&case, Algorithm::Astar, "bottoms");
    }
}
