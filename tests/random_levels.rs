//! The engines agree on thousands of random levels that no list of small levels holds.

use pourfect::generate::{Method, draw};
use pourfect::puzzle::{AnyShape, Level};
use pourfect::random::StreamId;
use pourfect::search::{self, Algorithm, Limits, Proof};
use serde_json::{Value, json};

fn random_levels(shape: &Value, count: u64) -> impl Iterator<Item = Level> {
    let shape = AnyShape::from_fields("water", shape.as_object().unwrap().clone()).unwrap();
    (0..count).map(move |index| {
        let stream = StreamId { seed: 17, index, attempt: 0 };
        draw(&shape, Method::Fill, stream, 1).unwrap().level
    })
}

fn proof(level: &Level, algorithm: Algorithm) -> Proof {
    let limits = Limits::states(5_000_000);
    search::solve(level, &search::Method { algorithm, bound: None, limits }).unwrap().proof
}

/// Holds every proving engine against breadth-first search; counts the solvable levels.
fn compare(shape: Value, count: u64) -> usize {
    let engines = [Algorithm::Astar, Algorithm::Idastar, Algorithm::Bidirectional, Algorithm::Auto];
    let agree = |level: &Level| {
        let reference = proof(level, Algorithm::Bfs);
        for engine in engines {
            let found = proof(level, engine);
            assert_eq!(found.name(), reference.name(), "{level} by {engine}");
            assert_eq!(found.optimal_length(), reference.optimal_length(), "{level} by {engine}");
        }
        reference.optimal_length().is_some()
    };
    random_levels(&shape, count).filter(agree).count()
}

#[test]
fn the_engines_agree_on_thousands_of_random_levels() {
    let solvable = compare(json!({ "colors": 4, "empty": 1 }), 1200);
    // Of random fillings of this size about half are solvable.
    assert!((480..720).contains(&solvable), "{solvable}");
    compare(json!({ "colors": 4, "empty": 2 }), 200);
    compare(json!({ "colors": 6, "empty": 1 }), 500);
    compare(json!({ "colors": 5, "capacity": 3, "empty": 1, "pour": "whole" }), 1000);
    compare(json!({ "colors": 3, "empty": 1, "pour": "unit" }), 500);
    compare(json!({ "colors": 2, "tubes_per_color": 2, "capacity": 3, "empty": 1 }), 300);
}
