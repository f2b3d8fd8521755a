//! Why a run cannot give the asked levels.

use std::fmt;

use super::journal::JournalError;
use crate::generate::Method;
use crate::search;

/// Why the attempts at one level were rejected, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejections {
    /// Walks that ended in another shape.
    pub lost: u32,
    /// Levels that were solved already.
    pub solved: u32,
    /// Levels that were partly done.
    pub partly_done: u32,
    /// Levels proven unsolvable.
    pub unsolvable: u32,
    /// Levels about which a search reached its limit.
    pub unknown: u32,
    /// Levels whose analysis reached its limit, where levels are compared by their figures.
    pub incomplete: u32,
    /// Levels outside the limits on metrics.
    pub outside: u32,
    /// Levels that are known already.
    pub duplicate: u32,
}

impl fmt::Display for Rejections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.lost, "walks that ended in another shape"),
            (self.solved, "solved from the start"),
            (self.partly_done, "partly done from the start"),
            (self.unsolvable, "unsolvable"),
            (self.unknown, "not proven within max_states"),
            (self.incomplete, "not analyzed in full within max_states"),
            (self.outside, "outside the limits on metrics"),
            (self.duplicate, "duplicates"),
        ];
        let given: Vec<String> = reasons
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, reason)| format!("{count} {reason}"))
            .collect();
        f.write_str(&given.join(", "))
    }
}

/// A run that cannot give the asked levels.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GenerateError {
    /// No attempt at a level was accepted.
    #[error(
        "level {index} ({code} by {method}): none of {attempts} attempts was accepted: {rejections}"
    )]
    Exhausted {
        /// The candidate's index.
        index: u64,
        /// The size and rules.
        code: String,
        /// How it was drawn.
        method: Method,
        /// How often.
        attempts: u32,
        /// Why not.
        rejections: Rejections,
    },
    /// Two engines disagree: a fault of the program.
    #[error(
        "level {index}: {algorithm} finds {found}, the rating search {rated}: please report this"
    )]
    Disagreement {
        /// The candidate's index.
        index: u64,
        /// The engine.
        algorithm: search::Algorithm,
        /// Its verdict.
        found: String,
        /// The rating search's verdict.
        rated: String,
    },
    /// A fault of the program while it worked on one candidate.
    #[error("candidate {index}: the program failed ({reason}): please report this")]
    Panic {
        /// The candidate's index.
        index: u64,
        /// What it said.
        reason: String,
    },
    /// The run was asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// Kept candidates that cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}
