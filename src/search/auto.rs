//! The engine and bound that suit a level.

use super::{Algorithm, Found, Limits, search};
use crate::puzzle::{BoundError, Puzzle};

/// A*, with the bound asked for or else the one that takes the least time at the level's size and
/// rules. Measured against each other (see the table in [`super`]), no engine beats A* at any size,
/// so long as the states fit in memory.
///
/// # Errors
/// The puzzle does not have the bound asked for, or not under the level's rules.
pub fn auto<P: Puzzle>(
    puzzle: &P,
    bound: Option<&str>,
    limits: &Limits,
) -> Result<Found<P::State>, BoundError> {
    let bound = bound.unwrap_or(puzzle.fastest_bound());
    search(puzzle, Algorithm::Astar, Some(bound), limits)
}
