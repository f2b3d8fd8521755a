//! The rules of each puzzle, and the traits through which every floor above sees them.
//!
//! * [`Board`]: a level as people write and play it. Plain, slow, obviously right; solutions are
//!   replayed on it.
//! * [`Puzzle`]: the same level made ready for search: small canonical states, table look-ups.
//! * [`Shape`]: what a generator draws: a size with its rules, the solved position, its reverse
//!   moves.
//!
//! A new puzzle is one folder beside this file and one line in `registry.rs`.

pub mod cups;
pub(crate) mod hash;
mod registry;
mod scene;
pub mod water;

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::random::Stream;
pub use registry::{
    AnyShape, Level, LevelError, PUZZLES, ShapeError, ShapeVisitor, UnknownPuzzle, level_columns,
};
pub use scene::{Amount, Onto, Scene, SceneGoal};

/// The fields of a level or shape in a file.
pub type Fields = serde_json::Map<String, serde_json::Value>;

/// A stack of the board (a tube, a column), numbered from 0 in the order of the level's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StackIndex(pub u8);

impl StackIndex {
    /// The index into a board's list of stacks.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The index of a stack of a board, whose stacks number 64 at most.
    pub(crate) fn new(index: usize) -> Self {
        debug_assert!(index < 64);
        Self(index as u8)
    }
}

/// One move: take from `source`, put on `target`. The rules say how much goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the move takes from.
    pub source: StackIndex,
    /// Where it puts.
    pub target: StackIndex,
}

impl Move {
    pub(crate) fn new(source: usize, target: usize) -> Self {
        Self { source: StackIndex::new(source), target: StackIndex::new(target) }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}>{}", self.source.0, self.target.0)
    }
}

/// A move that is not written `source>target`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a move: write source>target, such as 3>0")]
pub struct MoveSyntaxError(pub String);

impl FromStr for Move {
    type Err = MoveSyntaxError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || MoveSyntaxError(text.to_owned());
        let (source, target) = text.split_once('>').ok_or_else(error)?;
        let stack = |text: &str| text.parse().map(StackIndex).map_err(|_| error());
        Ok(Self { source: stack(source)?, target: stack(target)? })
    }
}

impl JsonSchema for Move {
    fn schema_name() -> Cow<'static, str> {
        "Move".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A move: from which stack to which, from 0.",
            "type": "string",
            "pattern": "^[0-9]+>[0-9]+$",
        })
    }
}

impl Serialize for Move {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A move that the rules refuse, with the reason in the puzzle's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("move {action} is not legal: {reason}")]
pub struct IllegalMove {
    /// The refused move.
    pub action: Move,
    /// Why, as a half sentence.
    pub reason: &'static str,
}

/// A position of a level as people write and play it.
///
/// Everything here is written plainly and shares no code with [`Puzzle`], so that replaying a
/// solution on a board checks the search.
pub trait Board: Clone + Eq + fmt::Debug + Send + Sync {
    /// The puzzle's name in files and on the command line.
    const NAME: &'static str;

    /// The columns that only this puzzle's levels have in reports.
    const COLUMNS: &'static [&'static str];

    /// Why a level is not well formed.
    type Error;

    /// Reads a level from the fields of a file; fields that are not the level's are ignored.
    ///
    /// # Errors
    /// What is wrong, with the place.
    fn from_fields(fields: Fields) -> Result<Self, Self::Error>;

    /// Reads a level from text; `fields` say what the text does not.
    ///
    /// # Errors
    /// What is wrong, with the place.
    fn from_text(text: &str, fields: Fields) -> Result<Self, Self::Error>;

    /// The level as the fields of a file.
    fn fields(&self) -> Fields;

    /// The JSON schema of [`Board::fields`].
    fn schema(generator: &mut SchemaGenerator) -> Schema;

    /// The stacks as text, without separators; an empty stack is an empty string.
    fn stacks(&self) -> Vec<String>;

    /// The position and its rules for pages and pictures.
    fn scene(&self) -> Scene;

    /// Plays one move.
    ///
    /// # Errors
    /// The move is against the rules; the board is unchanged.
    fn play(&mut self, action: Move) -> Result<(), IllegalMove>;

    /// Every legal move, in order of source and target.
    fn legal_moves(&self) -> Vec<Move>;

    /// Whether the goal is reached.
    fn is_solved(&self) -> bool;

    /// The same level for every drawing of it: names and the order of stacks normalized as far as
    /// the rules cannot tell them apart. Two levels are the same when their canonical forms are
    /// equal.
    fn canonical(&self) -> Canonical<Self>;

    /// A level that no generator should emit unasked, because part of it is done already.
    fn is_partly_done(&self) -> bool;

    /// The values of [`Board::COLUMNS`], in their order.
    fn columns(&self) -> Vec<(&'static str, String)>;

    /// How broken up the position is: blocks in water, misplaced cups in cups.
    fn disorder(&self) -> u32;

    /// Prepares the level for search and hands it to `visitor`; the type of the states depends on
    /// the level's size.
    fn explore<V: Visitor>(&self, visitor: V) -> V::Output;
}

/// A level in canonical form, and how to get back to its drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical<B> {
    /// The canonical form.
    pub board: B,
    /// Entry `i` is the drawn stack that stands at place `i` of the canonical form.
    pub order: Vec<usize>,
}

impl<B> Canonical<B> {
    /// A move of the canonical form as a move of the drawing.
    pub fn drawn(&self, action: Move) -> Move {
        Move::new(self.order[action.source.index()], self.order[action.target.index()])
    }
}

/// Work to be done on a level made ready for search, whatever its puzzle and size.
pub trait Visitor {
    /// What the work yields.
    type Output;
    /// Does the work.
    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output;
}

/// A canonical position: small, fixed in size, compared as a whole.
pub trait State: Copy + Eq + Ord + fmt::Debug + Send + Sync {
    /// A hash that is the same on every machine.
    fn hash(&self) -> u64;
}

/// One level made ready for search.
///
/// Positions are canonical: those that differ only in the order of interchangeable stacks are one
/// state. All moves cost 1. Every order that a method promises is the same on every machine.
pub trait Puzzle: Sync {
    /// A canonical position.
    type State: State;

    /// Names of the lower bounds that [`Puzzle::bound`] knows, weakest first.
    const BOUNDS: &'static [&'static str];

    /// The bound of the rating search.
    const RATING_BOUND: &'static str;

    /// The bound that solves levels of this size and these rules in the least time, as measured.
    fn fastest_bound(&self) -> &'static str {
        Self::RATING_BOUND
    }

    /// The level's own position.
    fn start(&self) -> Self::State;

    /// Whether a position is solved.
    fn is_solved(&self, state: &Self::State) -> bool;

    /// Replaces `out` by every distinct other position one legal move away.
    fn successors(&self, state: &Self::State, out: &mut Vec<Self::State>);

    /// Replaces `out` by enough of the successors: if the position is solvable, one of them lies
    /// on a shortest solution. May repeat a position.
    fn useful_successors(&self, state: &Self::State, out: &mut Vec<Self::State>) {
        self.successors(state, out);
    }

    /// Every solved position, each once. There can be more than memory holds; take what is needed.
    fn goals(&self) -> impl Iterator<Item = Self::State> + '_;

    /// Replaces `out` by every distinct other position from which one legal move leads to `state`.
    /// Positions that the level can never reach may be left out.
    fn predecessors(&self, state: &Self::State, out: &mut Vec<Self::State>);

    /// A lower bound on the moves to a solved position, prepared for this level.
    ///
    /// # Errors
    /// The puzzle has no bound of that name, or not under the level's rules.
    fn bound(&self, name: &str) -> Result<Box<dyn LowerBound<Self::State> + '_>, BoundError>;

    /// The moves of the level, as drawn, that lead along `path` (canonical positions, the start
    /// first, each one move from the last).
    fn moves(&self, path: &[Self::State]) -> Vec<Move>;
}

/// A lower bound on the number of moves from a position to a solved one.
///
/// Admissible: never above the true distance. The engines rely on that alone.
pub trait LowerBound<S>: Sync {
    /// The least number of moves that the bound can prove at once.
    fn estimate(&self, state: &S) -> u32;

    /// A better estimate that takes longer, asked for once a position is about to be expanded;
    /// `None` if the bound proves that there is no solution from here.
    fn refine(&self, state: &S) -> Option<u32> {
        Some(self.estimate(state))
    }

    /// Whether [`LowerBound::refine`] says more than [`LowerBound::estimate`].
    fn refines(&self) -> bool {
        false
    }

    /// Memory that the bound takes besides the level's own.
    fn bytes(&self) -> u64 {
        0
    }
}

/// A bound that cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoundError {
    /// No bound of that name.
    #[error("unknown bound `{name}`; this puzzle knows {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: &'static [&'static str],
    },
    /// A bound that does not hold under the level's rules.
    #[error("the bound `{name}` does not hold here: {reason}")]
    Invalid {
        /// What was asked for.
        name: &'static str,
        /// What it needs.
        reason: &'static str,
    },
}

/// One reverse move with its weight in the random walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<U> {
    /// The reverse move.
    pub unmove: U,
    /// Its share of the choice; 0 is never chosen.
    pub weight: u32,
}

/// A size with its rules: what a generator draws levels of.
pub trait Shape: Clone + fmt::Debug + Send + Sync {
    /// The puzzle's level.
    type Board: Board;
    /// A reverse move.
    type Unmove: Copy;
    /// Why a shape cannot be.
    type Error;

    /// Reads and checks a shape from the fields of a settings file.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    fn from_fields(fields: Fields) -> Result<Self, Self::Error>;

    /// The shape as the fields of a settings file.
    fn fields(&self) -> Fields;

    /// Short code of size and rules for a level's id, such as `w12x4+2.max`.
    fn code(&self) -> String;

    /// The shape of a [`Shape::code`], as far as the code holds it.
    fn from_code(code: &str) -> Option<Self>;

    /// The solved position from which reverse walks start.
    fn solved(&self) -> Self::Board;

    /// Replaces `out` by the legal reverse moves with their weights; `last` is the walk's latest
    /// step.
    fn steps(
        &self,
        board: &Self::Board,
        last: Option<Self::Unmove>,
        out: &mut Vec<Step<Self::Unmove>>,
    );

    /// Applies a reverse move, and returns the move that undoes it.
    fn unplay(&self, board: &mut Self::Board, unmove: Self::Unmove) -> Move;

    /// Where a walk of `length` steps stands.
    fn progress(&self, board: &Self::Board, length: u32) -> Progress;

    /// Puts the stacks of a finished walk in the order in which the level is shown; entry `i` says
    /// which stack becomes stack `i`.
    fn arrange(&self, board: &Self::Board, random: &mut Stream) -> Vec<usize>;

    /// The board with its stacks in another order.
    fn reorder(&self, board: &Self::Board, order: &[usize]) -> Self::Board;

    /// A uniformly random position of the shape, solvable or not.
    fn fill(&self, random: &mut Stream) -> Self::Board;
}

/// Whether a reverse walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The asked shape is not reached yet.
    Walking,
    /// The position has the asked shape.
    Arrived,
    /// The walk can no longer end in the asked shape.
    Lost,
}

/// The fields of a value that serializes as an object.
pub(crate) fn to_fields(value: &impl Serialize) -> Fields {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => unreachable!("the value is a struct of plain fields"),
    }
}
