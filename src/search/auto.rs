//! The engine and bound that suit a level.

use super::{Algorithm, Found, Limits, Stats, Verdict};
use crate::puzzle::{BoundError, Puzzle};

/// A* with the puzzle's fastest bound. If the states run out, A* with its strongest bound, which
/// needs fewer; then IDA* with a table in their place. What all took is counted; memory is the most
/// that any of them took. A bound that is asked for is the only one used.
///
/// # Errors
/// The puzzle does not have the bound asked for, or not under the level's rules.
pub fn auto<P: Puzzle>(
    puzzle: &P,
    bound: Option<&str>,
    limits: &Limits,
) -> Result<Found<P::State>, BoundError> {
    let first = bound.unwrap_or(puzzle.fastest_bound());
    let strongest = bound.unwrap_or(puzzle.strongest_bound());
    let mut ran = run(puzzle, Algorithm::Astar, first, limits)?;
    for (algorithm, bound) in [(Algorithm::Astar, strongest), (Algorithm::Idastar, strongest)] {
        if !matches!(ran.outcome.verdict, Verdict::Unknown { .. }) {
            break;
        }
        if (algorithm, bound) != (Algorithm::Astar, first) {
            ran = follow(ran, run(puzzle, algorithm, bound, limits)?);
        }
    }
    Ok(ran)
}

fn run<P: Puzzle>(
    puzzle: &P,
    algorithm: Algorithm,
    bound: &str,
    limits: &Limits,
) -> Result<Found<P::State>, BoundError> {
    super::search(puzzle, algorithm, Some(bound), limits)
}

/// The later search, with the costs of the earlier one and what it proved.
fn follow<S>(earlier: Found<S>, mut later: Found<S>) -> Found<S> {
    later.outcome.stats = total(earlier.outcome.stats, later.outcome.stats);
    if let (
        Verdict::Unknown { lower_bound: proven, best: seen },
        Verdict::Unknown { lower_bound, best },
    ) = (earlier.outcome.verdict, &mut later.outcome.verdict)
    {
        *lower_bound = proven.max(*lower_bound);
        *best = best.take().or(seen);
    }
    later
}

fn total(earlier: Stats, later: Stats) -> Stats {
    Stats {
        expanded: earlier.expanded + later.expanded,
        generated: earlier.generated + later.generated,
        stored: earlier.stored.max(later.stored),
        bytes: earlier.bytes.max(later.bytes),
    }
}
