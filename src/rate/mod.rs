//! How hard a level is.
//!
//! A rating belongs to the level, not to its drawing: the rating search starts from the canonical
//! form, with one engine, one bound and one order, whatever proved the level elsewhere.

mod model;

use serde::{Deserialize, Serialize};

use crate::puzzle::{Level, Puzzle, Visitor};
use crate::search::{Algorithm, Limits, Outcome, Proof, Stats, Verdict, astar};

pub use model::MODEL_VERSION;

/// The engine of the rating search.
pub const RATING_ALGORITHM: Algorithm = Algorithm::Astar;

/// The figures of a solved level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rating {
    /// Least number of moves, proven.
    pub optimal_length: u32,
    /// Nodes that the rating search expanded.
    pub nodes_expanded: u64,
    /// How broken up the level is; see [`crate::puzzle::Board::disorder`].
    pub disorder: u32,
    /// From 0 to 100, with two decimals.
    pub difficulty: f64,
}

impl Rating {
    /// The metrics by which levels can be limited and filtered: columns of the report.
    pub const METRICS: &'static [&'static str] =
        &["optimal_length", "nodes_expanded", "disorder", "difficulty"];

    /// The value of a metric.
    pub fn metric(&self, name: &str) -> Option<f64> {
        match name {
            "optimal_length" => Some(self.optimal_length.into()),
            "nodes_expanded" => Some(self.nodes_expanded as f64),
            "disorder" => Some(self.disorder.into()),
            "difficulty" => Some(self.difficulty),
            _ => None,
        }
    }
}

/// What the rating search found.
#[derive(Clone, Debug)]
pub struct Rated {
    /// The proof, in moves of the level as drawn.
    pub proof: Proof,
    /// What the rating search took.
    pub stats: Stats,
    /// The figures, if the level is solved.
    pub rating: Option<Rating>,
}

/// Rates a level.
pub fn rate(level: &Level, limits: &Limits) -> Rated {
    let canonical = level.canonical();
    let (proof, stats) = canonical.board.explore(RatingSearch(limits));
    let drawn = |moves: Vec<_>| moves.into_iter().map(|action| canonical.drawn(action)).collect();
    let proof = match proof {
        Proof::Solved(moves) => Proof::Solved(drawn(moves)),
        Proof::Unsolvable => Proof::Unsolvable,
        Proof::Unknown { lower_bound, best } => {
            Proof::Unknown { lower_bound, best: best.map(drawn) }
        }
    };
    let rating = proof.optimal_length().map(|optimal_length| {
        let (nodes_expanded, disorder) = (stats.expanded, level.disorder());
        let difficulty = model::difficulty(optimal_length, nodes_expanded, disorder);
        Rating { optimal_length, nodes_expanded, disorder, difficulty }
    });
    Rated { proof, stats, rating }
}

struct RatingSearch<'a>(&'a Limits);

impl Visitor for RatingSearch<'_> {
    type Output = (Proof, Stats);

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let bound = puzzle.bound(P::RATING_BOUND).expect("every puzzle has its rating bound");
        let Outcome { verdict, stats } = astar(puzzle, &*bound, self.0);
        let proof = match verdict {
            Verdict::Solved(path) => Proof::Solved(puzzle.moves(&path)),
            Verdict::Unsolvable => Proof::Unsolvable,
            Verdict::Unknown { lower_bound, best } => {
                Proof::Unknown { lower_bound, best: best.map(|path| puzzle.moves(&path)) }
            }
        };
        (proof, stats)
    }
}
