//! Greedy depth-first search.

use super::store::{Store, Stored};
use super::{Limits, Outcome, Stats, Verdict};
use crate::puzzle::{LowerBound, Puzzle};

/// Depth-first search that enters the most promising successor first and no state twice, down to
/// four times the estimate.
///
/// What it finds is a solution, not a shortest one: the verdict is unknown, unless the bound at the
/// start proves the solution shortest, or everything was searched and nothing cut off.
pub fn greedy<P: Puzzle>(
    puzzle: &P,
    bound: &dyn LowerBound<P::State>,
    limits: &Limits,
) -> Outcome<P::State> {
    let mut stats = Stats::default();
    let mut store = Store::new(limits.max_states);
    let mut pending = Vec::new();
    let verdict = run(puzzle, bound, &mut store, &mut pending, &mut stats);
    stats.stored = store.len() as u64;
    let pending = pending.capacity() * size_of::<(P::State, u32, u16)>();
    stats.bytes = store.bytes() + pending as u64 + bound.bytes();
    Outcome { verdict, stats }
}

/// How deep the search goes: far beyond any shortest solution seen, which is at most about twice
/// its estimate.
fn depth_limit(estimate: u32) -> u16 {
    u16::try_from(4 * estimate + 16).unwrap_or(u16::MAX)
}

fn run<P: Puzzle>(
    puzzle: &P,
    bound: &dyn LowerBound<P::State>,
    store: &mut Store<P::State>,
    pending: &mut Vec<(P::State, u32, u16)>,
    stats: &mut Stats,
) -> Verdict<P::State> {
    let start = puzzle.start();
    let Some(lower_bound) = bound.refine(&start) else { return Verdict::Unsolvable };
    let unknown = |best| Verdict::Unknown { lower_bound, best };
    let deepest = depth_limit(lower_bound);
    let mut complete = true;
    let mut successors = Vec::new();
    pending.push((start, 0, 0));
    while let Some((state, parent, depth)) = pending.pop() {
        let id = match store.insert(state, parent, depth) {
            Stored::New(id) => id,
            Stored::Known(_) => continue,
            Stored::Full => return unknown(None),
        };
        if puzzle.is_solved(&state) {
            let path = store.path(id);
            let proven = u32::from(depth) == lower_bound;
            return if proven { Verdict::Solved(path) } else { unknown(Some(path)) };
        }
        if depth == deepest {
            complete = false;
            continue;
        }
        stats.expanded += 1;
        puzzle.useful_successors(&state, &mut successors);
        stats.generated += successors.len() as u64;
        successors.sort_by_cached_key(|successor| std::cmp::Reverse(bound.estimate(successor)));
        pending.extend(successors.iter().map(|&successor| (successor, id, depth + 1)));
    }
    if complete { Verdict::Unsolvable } else { unknown(None) }
}
