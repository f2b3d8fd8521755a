//! Levels of sorting puzzles: generated, solved to a proven optimum, rated.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod puzzle;
pub mod random;
pub mod search;
