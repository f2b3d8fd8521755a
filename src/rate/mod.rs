//! How hard a level is.
//!
//! A rating belongs to the level, not to its drawing: the rating search starts from the canonical
//! form, with one engine, one bound and one order, whatever proved the level elsewhere; the
//! analysis follows the solution found there, and the simulated players draw from streams named
//! after that form.
//!
#![doc = include_str!("evidence.md")]

mod calibrate;
mod distances;
mod features;
mod graph;
mod metrics;
mod mistakes;
mod model;
mod players;
mod statistics;
mod words;

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::puzzle::{Level, LowerBound, Move, Puzzle, Visitor};
use crate::search::{Algorithm, Limits, Outcome, Proof, Stats, Verdict, astar};
use distances::Distances;
use graph::{Graph, Moves};
use mistakes::Surveyor;
use players::{Effort, Simulation};

pub use calibrate::{
    Calibration, Interval, Measure, Observation, Sample, Scores, TelemetryError, calibrate,
};
pub use features::{FEATURES, Feature, features};
pub use mistakes::{Analysis, Mistakes, UnknownAnalysis};
pub use model::{MODEL_VERSION, Model, ModelError};
pub use players::{Player, Plays};
pub use statistics::{rank_correlation, rank_correlation_within, root_mean_square_error};

/// The engine of the rating search.
pub const RATING_ALGORITHM: Algorithm = Algorithm::Astar;

/// How much a rating looks at.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How far each search may go.
    pub limits: Limits,
    /// Which positions are analyzed.
    pub analysis: Analysis,
    /// Plays of each simulated player.
    pub plays: NonZeroU32,
    /// What weighs the figures.
    pub model: Model,
}

impl Options {
    /// Plays of each player unless told otherwise.
    pub const DEFAULT_PLAYS: NonZeroU32 = NonZeroU32::new(1000).unwrap();
    /// Most plays: a player's memory grows with them.
    pub const MOST_PLAYS: u32 = 1_000_000;
    /// How far the looking player looks ahead.
    pub const LOOKAHEAD: u32 = 3;
    /// A player gives up after this many times the optimal length.
    pub const PATIENCE: u32 = 5;
}

impl Default for Options {
    fn default() -> Self {
        let (limits, analysis) = (Limits::default(), Analysis::default());
        let (plays, model) = (Self::DEFAULT_PLAYS, Model::embedded().clone());
        Self { limits, analysis, plays, model }
    }
}

/// The figures of a solved level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rating {
    /// Least number of moves, proven.
    pub optimal_length: u32,
    /// Nodes that the rating search expanded.
    pub nodes_expanded: u64,
    /// How broken up the level is; see [`crate::puzzle::Board::disorder`].
    pub disorder: u32,
    /// Which positions were analyzed.
    pub analysis: Analysis,
    /// What can go wrong, if it was analyzed.
    pub mistakes: Option<Mistakes>,
    /// How simulated players fare.
    pub players: Players,
    /// From 0 to 100, with two decimals.
    pub difficulty: f64,
    /// Share of attempts that players are expected to win.
    pub predicted_win_rate: f64,
    /// Attempts that a player is expected to need.
    pub predicted_attempts: f64,
    /// Points of difficulty by feature.
    pub contributions: BTreeMap<String, f64>,
}

impl Rating {
    /// The rating with its figures weighed by a model.
    #[must_use]
    pub fn weighed_by(mut self, model: &Model) -> Self {
        let prediction = model.predict(&self);
        self.difficulty = prediction.difficulty;
        self.predicted_win_rate = prediction.win_rate;
        self.predicted_attempts = rounded(1.0 / prediction.win_rate);
        self.contributions = prediction.contributions;
        self
    }
}

/// How the simulated players fare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Players {
    /// [`Player::Random`].
    pub random: Plays,
    /// [`Player::Greedy`].
    pub greedy: Plays,
    /// [`Player::Lookahead`].
    pub lookahead: Plays,
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
pub fn rate(level: &Level, options: &Options) -> Rated {
    let canonical = level.canonical();
    // Names the streams of the level's players.
    let seed = canonical.board.drawing_fingerprint();
    let Explored { proof, stats, mistakes, players } =
        canonical.board.explore(Explore { options, seed });
    let drawn =
        |moves: Vec<Move>| moves.into_iter().map(|action| canonical.drawn(action)).collect();
    let proof = match proof {
        Proof::Solved(moves) => Proof::Solved(drawn(moves)),
        Proof::Unsolvable => Proof::Unsolvable,
        Proof::Unknown { lower_bound, best } => {
            Proof::Unknown { lower_bound, best: best.map(drawn) }
        }
    };
    let rating = proof.optimal_length().map(|optimal_length| {
        let figures = Rating {
            optimal_length,
            nodes_expanded: stats.expanded,
            disorder: level.disorder(),
            analysis: options.analysis,
            mistakes,
            players,
            difficulty: 0.0,
            predicted_win_rate: 1.0,
            predicted_attempts: 1.0,
            contributions: BTreeMap::new(),
        };
        figures.weighed_by(&options.model)
    });
    Rated { proof, stats, rating }
}

/// Six significant digits: enough for any figure here, and written and read back exactly.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

struct Explored {
    proof: Proof,
    stats: Stats,
    mistakes: Option<Mistakes>,
    players: Players,
}

struct Explore<'a> {
    options: &'a Options,
    seed: u64,
}

impl Visitor for Explore<'_> {
    type Output = Explored;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Explored {
        let bound = puzzle.bound(P::RATING_BOUND).expect("every puzzle has its rating bound");
        let Outcome { verdict, stats } = astar(puzzle, &*bound, &self.options.limits);
        let (mut mistakes, mut players) = (None, Players::default());
        let proof = match verdict {
            Verdict::Solved(path) => {
                (mistakes, players) = self.examine(puzzle, &*bound, &path);
                Proof::Solved(puzzle.moves(&path))
            }
            Verdict::Unsolvable => Proof::Unsolvable,
            Verdict::Unknown { lower_bound, best } => {
                Proof::Unknown { lower_bound, best: best.map(|path| puzzle.moves(&path)) }
            }
        };
        Explored { proof, stats, mistakes, players }
    }
}

impl Explore<'_> {
    /// Looks at what can go wrong off a shortest solution, and has players try.
    fn examine<P: Puzzle>(
        &self,
        puzzle: &P,
        bound: &dyn LowerBound<P::State>,
        solution: &[P::State],
    ) -> (Option<Mistakes>, Players) {
        let length = solution.len() as u32 - 1;
        let mut graph = Graph::new(puzzle, Moves::All);
        let mut distances = Distances::new(puzzle, bound, self.options.limits.max_states);
        distances.learn(solution);
        let mut surveyor = Surveyor { graph: &mut graph, distances: &mut distances, bound };
        let survey = match self.options.analysis {
            Analysis::None => None,
            Analysis::Line => Some(surveyor.line(solution)),
            Analysis::Full => Some(surveyor.full(length)),
        };
        let effort = Effort {
            plays: self.options.plays,
            patience: Options::PATIENCE * length,
            seed: self.seed,
        };
        let mut simulation = Simulation::new(&mut graph, bound, effort);
        let mut random = simulation.play(Player::Random);
        random.win_rate = random.win_rate.max(simulation.chance_of(solution));
        let greedy = simulation.play(Player::Greedy);
        let lookahead = simulation.play(Player::Lookahead { moves: Options::LOOKAHEAD });
        (survey.as_ref().map(Mistakes::of), Players { random, greedy, lookahead })
    }
}
