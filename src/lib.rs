//! Levels of sorting puzzles: generated, solved to a proven optimum, rated.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod bench;
pub mod config;
pub mod convert;
pub mod diff;
pub mod generate;
pub mod id;
pub mod pack;
pub mod pipeline;
pub mod puzzle;
pub mod random;
pub mod rate;
pub mod read;
pub mod report;
pub mod search;
pub mod verify;
