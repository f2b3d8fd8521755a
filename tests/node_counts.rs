//! How many nodes the rating search expands. Ratings and generated packs depend on these counts, so
//! a change here is a new generator version.

mod support;

use std::collections::BTreeMap;

use pourfect::search::{self, Algorithm, Limits, Method};
use support::{Case, cases};

fn expanded(case: &Case) -> u64 {
    let limits = Limits::states(1_000_000);
    let method = Method { algorithm: Algorithm::Astar, bound: None, limits };
    search::solve(&case.level, &method).unwrap().stats.expanded
}

/// Nodes of each level, in order, by size: the level's id without its number.
fn by_size() -> BTreeMap<String, Vec<u64>> {
    let mut sizes: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for case in cases("uniform.jsonl") {
        let (size, _) = case.id.rsplit_once('-').unwrap();
        sizes.entry(size.to_owned()).or_default().push(expanded(&case));
    }
    sizes
}

fn median(nodes: &[u64]) -> f64 {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    let middle = nodes.len() / 2;
    (nodes[middle] + nodes[nodes.len() - 1 - middle]) as f64 / 2.0
}

#[test]
fn the_rating_search_is_pinned_and_within_its_budget() {
    let sizes = by_size();
    let budget = [("12-4-2", 250.0), ("14-4-2", 550.0), ("12-4-3", 130.0), ("20-4-2", 22_000.0)];
    for (size, most) in budget {
        assert!(median(&sizes[size]) <= most, "{size}: {}", median(&sizes[size]));
    }
    assert_eq!(sizes["12-4-2"], [253, 206, 3797, 41, 52, 1049, 883, 53, 36, 168]);
    let all: u64 = sizes.values().flatten().sum();
    assert_eq!(all, 857098);
}
