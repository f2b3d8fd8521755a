//! Breadth-first search over canonical positions: the plain reference.

use super::store::{NodeId, Store, Stored};
use super::{Limits, Outcome, Stats, Verdict};
use crate::puzzle::Puzzle;

/// Breadth-first search, without bounds and without safe moves.
///
/// Stores every position up to the optimal length. A limit reached while positions at depth d are
/// expanded proves that no solution has d moves or fewer.
pub fn bfs<P: Puzzle>(puzzle: &P, limits: &Limits) -> Outcome<P::State> {
    let mut stats = Stats::default();
    let mut store = Store::new(limits.max_states);
    let verdict = run(puzzle, &mut store, &mut stats);
    stats.stored = store.len() as u64;
    stats.bytes = store.bytes();
    Outcome { verdict, stats }
}

fn run<P: Puzzle>(puzzle: &P, store: &mut Store<P::State>, stats: &mut Stats) -> Verdict<P::State> {
    let start = puzzle.start();
    if puzzle.is_solved(&start) {
        return Verdict::Solved(vec![start]);
    }
    let unknown = |lower_bound| Verdict::Unknown { lower_bound, best: None };
    if let Stored::Full = store.insert(start, 0, 0) {
        return unknown(1);
    }
    let mut successors = Vec::new();
    let mut next: NodeId = 0;
    while (next as usize) < store.len() {
        let (parent, node) = (next, *store.node(next));
        next += 1;
        stats.expanded += 1;
        puzzle.successors(&node.state, &mut successors);
        stats.generated += successors.len() as u64;
        for successor in &successors {
            match store.insert(*successor, parent, node.depth + 1) {
                Stored::New(id) if puzzle.is_solved(successor) => {
                    return Verdict::Solved(store.path(id));
                }
                Stored::New(_) | Stored::Known(_) => {}
                Stored::Full => return unknown(u32::from(node.depth) + 1),
            }
        }
    }
    Verdict::Unsolvable
}
