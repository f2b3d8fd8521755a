//! What a run keeps of a level that it accepted.

use serde::{Deserialize, Serialize};

use crate::puzzle::{Level, Move};
use crate::rate::Rating;

/// A level accepted as a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Its number.
    pub index: u64,
    /// The attempt that was accepted.
    pub attempt: u32,
    /// The level.
    pub level: Level,
    /// Its fingerprint.
    pub fingerprint: u64,
    /// Its figures.
    pub rating: Rating,
    /// A shortest solution.
    pub solution: Vec<Move>,
}
