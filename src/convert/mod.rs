//! Levels in the formats of games, one file per format behind one trait.
//!
//! A format that cannot carry something of a level (a pour rule, say) names it as a [`Loss`]; what
//! a file leaves open (whether 0 is a color) the caller says in [`Options`]. Nothing is guessed.
//!
//! ```
//! use pourfect::convert::{self, Options};
//! let text = convert::format("text")?;
//! let unity = convert::format("unity")?;
//! let mut file = text.read("ABAB|BABA||", &Options::default())?;
//! file.prove(&Default::default())?;
//! let mut json = Vec::new();
//! unity.write(&file, &Options::default(), &mut json)?;
//! assert!(String::from_utf8(json)?.contains(r#"{"capacity":4,"colorsBottomToTop":[0,1,0,1]}"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![doc = include_str!("engines.md")]

mod arrays;
mod cells;
mod engine;
mod grid;
mod json_lines;
mod loss;
mod pack;
mod text;
mod unity;

use std::io::{self, BufRead, Write};

use rayon::prelude::*;

use crate::pack::PackError;
use crate::puzzle::water::{Color, Water};
use crate::puzzle::{Board, BoundError, Fields, Level, LevelError};
use crate::read::{self, ReadError};
use crate::search::{self, Algorithm, Limits, Method};

pub use cells::Zero;
pub use json_lines::record;
pub use loss::{Loss, losses};

/// A level of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, if the file gives one.
    pub id: Option<String>,
    /// The level.
    pub level: Level,
    /// Its optimal length, if the file proves one.
    pub optimal_length: Option<u32>,
}

impl From<Level> for Entry {
    fn from(level: Level) -> Self {
        Self { id: None, level, optimal_length: None }
    }
}

/// The levels of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// The levels, in order.
    pub entries: Vec<Entry>,
    /// The names of the colors, if the file names them: the first is color A.
    pub names: Vec<String>,
}

impl File {
    /// Proves the optimal lengths that the file does not give.
    ///
    /// # Errors
    /// A level that has no solution, or none that was found within the limits.
    pub fn prove(&mut self, limits: &Limits) -> Result<(), ConvertError> {
        self.entries.par_iter_mut().enumerate().try_for_each(|(level, entry)| {
            if entry.optimal_length.is_none() {
                let method = Method { algorithm: Algorithm::Astar, bound: None, limits: *limits };
                let proof = search::solve(&entry.level, &method)?.proof;
                let verdict = proof.name();
                entry.optimal_length =
                    Some(proof.optimal_length().ok_or(ConvertError::NoPar { level, verdict })?);
            }
            Ok(())
        })
    }
}

/// What files leave open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Rules of levels that do not say their own: `capacity`, `pour`, `goal`.
    pub rules: Fields,
    /// What 0 stands for in lists of numbers.
    pub zero: Option<Zero>,
    /// Whether lists of units begin at the top of the tube.
    pub top_first: bool,
    /// The names of the colors, the first being color A.
    pub names: Vec<String>,
    /// When a player earns stars.
    pub stars: Stars,
}

/// Moves that earn stars, in percent of the optimal length, rounded up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stars {
    /// The moves of a good player.
    pub par: u32,
    /// Most moves for three stars.
    pub three: u32,
    /// Most moves for two stars; any solution earns one.
    pub two: u32,
}

impl Default for Stars {
    fn default() -> Self {
        Self { par: 120, three: 110, two: 140 }
    }
}

impl Stars {
    fn moves(percent: u32, optimal_length: u32) -> u64 {
        (u64::from(percent) * u64::from(optimal_length)).div_ceil(100)
    }
}

/// A source of text.
pub trait Source: BufRead + Send {}

impl<S: BufRead + Send> Source for S {}

/// A format of level files.
pub trait Format: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Whether the format can carry what would be lost.
    fn carries(&self, loss: Loss, options: &Options) -> bool;

    /// Whether the format says how many moves earn stars, so that every level needs a proof.
    fn has_stars(&self) -> bool {
        false
    }

    /// Reads the levels of a file.
    ///
    /// # Errors
    /// What is wrong, with the place.
    fn read(&self, text: &str, options: &Options) -> Result<File, ConvertError>;

    /// Reads the levels of a source; a format of lines does not hold its text in memory.
    ///
    /// # Errors
    /// What is wrong, with the place.
    fn read_from(&self, source: &mut dyn Source, options: &Options) -> Result<File, ConvertError> {
        self.read(&read::text(source)?, options)
    }

    /// Writes levels.
    ///
    /// # Errors
    /// The output fails, or the format cannot hold such levels at all.
    fn write(
        &self,
        file: &File,
        options: &Options,
        out: &mut dyn Write,
    ) -> Result<(), ConvertError>;
}

/// All formats.
pub const FORMATS: [&dyn Format; 10] = [
    &text::Text { name: "text", separator: '|' },
    &text::Text { name: "semicolons", separator: ';' },
    &json_lines::JsonLines,
    &pack::PackFile,
    &arrays::Arrays { named: false },
    &arrays::Arrays { named: true },
    &grid::Grid,
    &unity::Unity,
    &engine::Engine { name: "godot", three_stars: "three_stars", two_stars: "two_stars" },
    &engine::Engine { name: "phaser", three_stars: "threeStars", two_stars: "twoStars" },
];

/// The format of a name.
///
/// # Errors
/// There is none of that name.
pub fn format(name: &str) -> Result<&'static dyn Format, ConvertError> {
    let known = FORMATS.into_iter().find(|format| format.name() == name);
    known.ok_or_else(|| ConvertError::UnknownFormat(name.to_owned()))
}

fn known_names() -> String {
    FORMATS.map(|format| format.name()).join(", ")
}

/// A conversion that cannot be done.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// A format that does not exist.
    #[error("unknown format `{0}`; known are {list}", list = known_names())]
    UnknownFormat(String),
    /// A format that is only read.
    #[error("{0} is only read: {1}")]
    OnlyRead(&'static str, &'static str),
    /// A format that is only written.
    #[error("{0} is only written")]
    OnlyWritten(&'static str),
    /// A text that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Not JSON, or not of the format's form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A pack that cannot be read.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The search has no bound for the level.
    #[error(transparent)]
    Bound(#[from] BoundError),
    /// A level in a line that is not well formed.
    #[error("line {line}: {source}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        source: LevelError,
    },
    /// A line that is no record.
    #[error("line {line}: {reason}")]
    Record {
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// A level that is not well formed.
    #[error("level {level}: {source}")]
    Level {
        /// Its place in the file, from 0.
        level: usize,
        /// What is wrong.
        source: LevelError,
    },
    /// A value that is not what the format has there.
    #[error("level {level}, tube {tube}: {reason}")]
    Tube {
        /// The level's place in the file, from 0.
        level: usize,
        /// The tube, from 0.
        tube: usize,
        /// What is wrong.
        reason: String,
    },
    /// Something in a level that is not supported, or that the format cannot hold.
    #[error("level {level}: {reason}")]
    Refused {
        /// Its place in the file, from 0.
        level: usize,
        /// What it is.
        reason: String,
    },
    /// A file that is not of the format's form.
    #[error("{0}")]
    Form(&'static str),
    /// Nobody said what 0 is.
    #[error("0 is a color in some files and a hole in others: say which with --zero")]
    Zero,
    /// A color without a name.
    #[error("color {} has no name: --names says the names in order", .0.symbol())]
    NoName(Color),
    /// A level without a proven optimum.
    #[error("level {level} is {verdict}: it has no par")]
    NoPar {
        /// Its place in the file, from 0.
        level: usize,
        /// `unsolvable` or `unknown`.
        verdict: &'static str,
    },
    /// The output fails.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

/// The level as one of water, for formats of its games.
fn water(level: usize, entry: &Entry) -> Result<Water, ConvertError> {
    let puzzle = entry.level.puzzle();
    if puzzle != Water::NAME {
        let reason = format!("the format holds levels of {}, not of {puzzle}", Water::NAME);
        return Err(ConvertError::Refused { level, reason });
    }
    Water::from_fields(entry.level.fields())
        .map_err(|error| ConvertError::Level { level, source: error.into() })
}

/// The optimal length, for par and stars.
fn proven_length(level: usize, entry: &Entry) -> Result<u32, ConvertError> {
    entry.optimal_length.ok_or(ConvertError::NoPar { level, verdict: "not proven" })
}

/// The name of a level: its own, or its number from 1.
fn id(number: usize, entry: &Entry) -> String {
    entry.id.clone().unwrap_or_else(|| (number + 1).to_string())
}

/// Writes a list with one item a line.
fn write_list<T>(
    out: &mut dyn Write,
    open: &str,
    items: impl IntoIterator<Item = Result<T, ConvertError>>,
    close: &str,
) -> Result<(), ConvertError>
where
    T: serde::Serialize,
{
    write!(out, "{open}")?;
    for (index, item) in items.into_iter().enumerate() {
        writeln!(out, "{}", if index > 0 { "," } else { "" })?;
        serde_json::to_writer(&mut *out, &item?)?;
    }
    Ok(writeln!(out, "\n{close}")?)
}
