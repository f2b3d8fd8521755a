#![doc = include_str!("guide.md")]

mod astar;
mod auto;
mod bfs;
mod bidirectional;
mod greedy;
mod idastar;
mod store;

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::puzzle::{BoundError, Level, Move, Puzzle, Visitor};
pub use astar::astar;
pub use auto::auto;
pub use bfs::bfs;
pub use bidirectional::bidirectional;
pub use greedy::greedy;
pub use idastar::idastar;

/// A search engine by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// The engine and bound that are fastest for the level's size.
    Auto,
    /// A* with a bucket queue.
    #[default]
    Astar,
    /// Iterative deepening A* with a transposition table of a fixed size.
    Idastar,
    /// Breadth-first search.
    Bfs,
    /// Breadth-first search from both ends.
    Bidirectional,
    /// Depth-first search, the most promising move first: a solution fast, rarely a shortest one.
    Greedy,
}

impl Algorithm {
    /// All engines.
    pub const ALL: [Self; 6] =
        [Self::Auto, Self::Astar, Self::Idastar, Self::Bfs, Self::Bidirectional, Self::Greedy];

    /// The engine's name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Astar => "astar",
            Self::Idastar => "idastar",
            Self::Bfs => "bfs",
            Self::Bidirectional => "bidirectional",
            Self::Greedy => "greedy",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A search engine that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown algorithm `{name}`; known are {}", Algorithm::ALL.map(Algorithm::name).join(", "))]
pub struct UnknownAlgorithm {
    /// What was asked for.
    pub name: String,
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, UnknownAlgorithm> {
        let known = Self::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        known.ok_or_else(|| UnknownAlgorithm { name: name.to_owned() })
    }
}

/// How far a search may go. Limits count what is the same on every machine, never time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most states stored at once.
    pub max_states: usize,
    /// Most nodes that iterative deepening expands.
    pub max_nodes: u64,
    /// Places of iterative deepening's transposition table.
    pub table_states: usize,
}

impl Limits {
    /// States that a search may store unless told otherwise: some hundred megabytes.
    pub const DEFAULT_STATES: usize = 5_000_000;

    /// A limit on states, a table of as many, and twenty times as many nodes.
    pub fn states(max_states: usize) -> Self {
        let max_nodes = (max_states as u64).saturating_mul(20);
        Self { max_states, max_nodes, table_states: max_states }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::states(Self::DEFAULT_STATES)
    }
}

/// What a search did. The same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Positions whose successors were made.
    pub expanded: u64,
    /// Successors made.
    pub generated: u64,
    /// States stored at the end, or in the table.
    pub stored: u64,
    /// Bytes taken by the stored states and the queue.
    pub bytes: u64,
}

/// What a search proved, about canonical positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<S> {
    /// A shortest solution: its positions, the start first.
    Solved(Vec<S>),
    /// There is no solution: everything reachable was searched.
    Unsolvable,
    /// A limit was reached.
    Unknown {
        /// No solution is shorter.
        lower_bound: u32,
        /// The best solution seen, not proven shortest.
        best: Option<Vec<S>>,
    },
}

/// A verdict with the search that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<S> {
    /// What was proven.
    pub verdict: Verdict<S>,
    /// What it took.
    pub stats: Stats,
}

/// What a search found out, and which engine and bound found it.
#[derive(Clone, Debug)]
pub struct Found<S> {
    /// The outcome.
    pub outcome: Outcome<S>,
    /// The engine that ran last; never [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// Its bound.
    pub bound: String,
    /// How long preparing the bound took.
    pub bound_time: Duration,
}

/// Runs one engine on a prepared level; without a bound, with the puzzle's own default.
///
/// # Errors
/// The puzzle does not have the bound, or not under the level's rules.
pub fn search<P: Puzzle>(
    puzzle: &P,
    algorithm: Algorithm,
    bound: Option<&str>,
    limits: &Limits,
) -> Result<Found<P::State>, BoundError> {
    if algorithm == Algorithm::Auto {
        return auto(puzzle, bound, limits);
    }
    let name = bound.unwrap_or(P::RATING_BOUND);
    let begin = Instant::now();
    let bound = puzzle.bound(name)?;
    let bound_time = begin.elapsed();
    let outcome = match algorithm {
        Algorithm::Auto | Algorithm::Astar => astar(puzzle, &*bound, limits),
        Algorithm::Idastar => idastar(puzzle, &*bound, limits),
        Algorithm::Bfs => bfs(puzzle, limits),
        Algorithm::Bidirectional => bidirectional(puzzle, limits),
        Algorithm::Greedy => greedy(puzzle, &*bound, limits),
    };
    Ok(Found { outcome, algorithm, bound: name.to_owned(), bound_time })
}

/// What is proven about a level as drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A shortest solution.
    Solved(Vec<Move>),
    /// There is no solution.
    Unsolvable,
    /// A limit was reached.
    Unknown {
        /// No solution is shorter.
        lower_bound: u32,
        /// The best solution seen, not proven shortest.
        best: Option<Vec<Move>>,
    },
}

impl Proof {
    /// `solved`, `unsolvable` or `unknown`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Solved(_) => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Unknown { .. } => "unknown",
        }
    }

    /// The proven least number of moves.
    pub fn optimal_length(&self) -> Option<u32> {
        match self {
            Self::Solved(moves) => Some(moves.len() as u32),
            Self::Unsolvable | Self::Unknown { .. } => None,
        }
    }
}

/// A proof about a level with the search that found it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was proven.
    pub proof: Proof,
    /// The engine that ran; never [`Algorithm::Auto`].
    pub algorithm: Algorithm,
    /// Whether `auto` picked it.
    pub auto: bool,
    /// Its lower bound.
    pub bound: String,
    /// What it took, the same on every machine.
    pub stats: Stats,
    /// How long preparing the bound took.
    pub bound_time: Duration,
    /// How long it took with all preparation, for people to see; nothing depends on it.
    pub time: Duration,
}

/// What to search with.
#[derive(Clone, Debug)]
pub struct Method<'a> {
    /// The engine.
    pub algorithm: Algorithm,
    /// The lower bound; the puzzle's own default without one.
    pub bound: Option<&'a str>,
    /// How far to go.
    pub limits: Limits,
}

/// Solves a level.
///
/// # Errors
/// The puzzle does not have the bound.
///
/// ```
/// use pourfect::{puzzle::Level, search::{self, Method}};
/// let level = Level::water("RGRG|GRGR||")?;
/// let method = Method { algorithm: Default::default(), bound: None, limits: Default::default() };
/// assert_eq!(search::solve(&level, &method)?.proof.optimal_length(), Some(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(level: &Level, method: &Method<'_>) -> Result<Answer, BoundError> {
    struct Solve<'a>(&'a Method<'a>, Instant);
    impl Visitor for Solve<'_> {
        type Output = Result<Answer, BoundError>;

        fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
            let Self(Method { algorithm, bound, limits }, begin) = self;
            let found = search(puzzle, *algorithm, *bound, limits)?;
            let Outcome { verdict, stats } = found.outcome;
            let proof = match verdict {
                Verdict::Solved(path) => Proof::Solved(puzzle.moves(&path)),
                Verdict::Unsolvable => Proof::Unsolvable,
                Verdict::Unknown { lower_bound, best } => {
                    Proof::Unknown { lower_bound, best: best.map(|path| puzzle.moves(&path)) }
                }
            };
            Ok(Answer {
                proof,
                algorithm: found.algorithm,
                auto: *algorithm == Algorithm::Auto,
                bound: found.bound,
                bound_time: found.bound_time,
                stats,
                time: begin.elapsed(),
            })
        }
    }
    level.explore(Solve(method, Instant::now()))
}
