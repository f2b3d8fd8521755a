//! Levels of sorting puzzles: generated, solved to a proven optimum, rated.
//!
//! Data flows one way, and each floor knows only those below it:
//!
//! | floor | what it does |
//! |---|---|
//! | [`report`], [`convert`], [`verify`], [`diff`], [`bench`](mod@bench) | files for people and programs, and checks |
//! | [`pipeline`] | generate, solve, rate, select, in index order over all cores; long runs and shards |
//! | [`pack`], [`id`] | what is on disk, and what a level is called |
//! | [`config`] | settings, from TOML and flags to checked values |
//! | [`rate`] | mistakes, simulated players, and the model that weighs them |
//! | [`generate`], [`search`] | draws levels; solves them to a proof |
//! | [`puzzle`] | the rules of each puzzle; nothing above asks which one it has |
//! | [`random`], [`read`] | streams that are the same everywhere; readers that are bounded |
//!
//! From a seed to a rated level:
//!
//! ```
//! use pourfect::generate::{self, Method};
//! use pourfect::puzzle::{AnyShape, Fields};
//! use pourfect::random::StreamId;
//! use pourfect::rate;
//!
//! let fields: Fields = serde_json::from_str(r#"{ "colors": 5, "empty": 1 }"#)?;
//! let shape = AnyShape::from_fields("water", fields)?;
//! let drawn = (0..100)
//!     .find_map(|attempt| {
//!         generate::draw(&shape, Method::Reverse, StreamId { seed: 42, index: 0, attempt }, 1000)
//!     })
//!     .expect("some walk ends in the asked shape");
//! let rated = rate::rate(&drawn.level, &rate::Options::default());
//! let rating = rated.rating.expect("a walk leads back to the solved position");
//! assert!(rating.optimal_length > 0);
//! assert!((0.0..=100.0).contains(&rating.difficulty));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
