//! Simulated players, and how often they win.
//!
//! A player chooses among the distinct next positions that it has not seen in this attempt; with
//! none left, or with its patience at an end, it has lost. How often the random one wins is the one
//! feature found that predicts real win rates among levels of one size; see [`crate::rate`].
//!
//! Hard levels are won once in thousands of attempts, so attempts are not played one by one. A
//! *population* holds up to n unfinished attempts, each with its share of the probability. All of
//! them branch into all choices at once; attempts that have come to one position become one, its
//! past drawn by the shares; and where more than n are left, n are kept by the resampling of
//! Fearnhead and Clifford ("On-line inference for hidden Markov models via particle filters", JRSS
//! B 65, 2003), which loses nothing on average and least in variance. What reaches the goal adds
//! up to the win rate: without bias, exactly where n was never exceeded, and with useful relative
//! precision however small it is.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::graph::{Graph, NodeId};
use super::rounded;
use crate::puzzle::{LowerBound, Puzzle, State};
use crate::random::{Stream, StreamId};

/// How a player chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Evenly among all choices.
    Random,
    /// Evenly among those nearest to the goal by the lower bound.
    Greedy,
    /// Like the greedy one, among those from which it sees a way to go on for some moves more.
    Lookahead {
        /// How many moves.
        moves: u32,
    },
}

/// How much is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// Attempts held in all populations of a player together.
    pub plays: NonZeroU32,
    /// Moves after which an attempt is given up.
    pub patience: u32,
    /// Names the random streams; from the level's canonical form alone.
    pub seed: u64,
}

/// What came of a player's attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plays {
    /// Estimated probability to win an attempt.
    pub win_rate: f64,
    /// Standard error of the win rate; 0 where it is exact.
    pub standard_error: f64,
    /// Mean number of moves of the attempts won; 0 if none was.
    pub moves_when_won: f64,
}

impl Plays {
    /// Expected number of attempts until the first win; infinite if none was won.
    pub fn attempts(&self) -> f64 {
        1.0 / self.win_rate
    }

    /// Probability to lose an attempt.
    pub fn loss_rate(&self) -> f64 {
        1.0 - self.win_rate
    }
}

/// Independent populations of a player; their spread gives the standard error.
const POPULATIONS: u32 = 4;

/// Positions kept from one population to the next: more take more memory than they save time.
const MOST_KEPT: usize = 100_000;

/// Version of the random streams.
const STREAM_VERSION: u32 = 1;

/// Plays one level.
pub(super) struct Simulation<'a, 'p, P: Puzzle> {
    pub graph: &'a mut Graph<'p, P>,
    pub bound: &'p dyn LowerBound<P::State>,
    pub effort: Effort,
    /// Lower bounds by position, as far as they were asked for.
    distances: Vec<Option<u32>>,
}

impl<'a, 'p, P: Puzzle> Simulation<'a, 'p, P> {
    pub fn new(
        graph: &'a mut Graph<'p, P>,
        bound: &'p dyn LowerBound<P::State>,
        effort: Effort,
    ) -> Self {
        Self { graph, bound, effort, distances: Vec::new() }
    }

    /// Lets a player play.
    pub fn play(&mut self, player: Player) -> Plays {
        let size = self.effort.plays.get().div_ceil(POPULATIONS) as usize;
        let mut outcomes = Vec::new();
        for attempt in 0..POPULATIONS {
            if self.graph.len() > MOST_KEPT {
                self.graph.forget();
                self.distances.clear();
            }
            // Each kind of player has streams of its own.
            let index = match player {
                Player::Random => 0,
                Player::Greedy => 1,
                Player::Lookahead { .. } => 2,
            };
            let id = StreamId { seed: self.effort.seed, index, attempt };
            let mut population = Population::new(size, Stream::new(id, STREAM_VERSION));
            population.play(self, player);
            let exact = population.exact;
            outcomes.push(population.outcome);
            if exact {
                break;
            }
        }
        summarize(&outcomes)
    }

    /// The random player's probability to follow one solution, the start first: its win rate is
    /// no less.
    pub fn chance_of(&mut self, solution: &[P::State]) -> f64 {
        let unsolved = &solution[..solution.len().saturating_sub(1)];
        let mut chance = 1.0;
        for &state in unsolved {
            let node = self.graph.id(state);
            chance /= self.graph.successors(node).len() as f64;
        }
        chance
    }

    /// Replaces `choices` by what the player chooses from evenly.
    fn choose(&mut self, player: Player, choices: &mut Vec<NodeId>) {
        if let Player::Lookahead { moves } = player {
            let goes_on: Vec<NodeId> =
                choices.iter().copied().filter(|&node| self.goes_on(node, moves)).collect();
            if !goes_on.is_empty() {
                *choices = goes_on;
            }
        }
        if player != Player::Random {
            let best = choices.iter().map(|&node| self.distance(node)).min();
            choices.retain(|&node| Some(self.distance(node)) == best);
        }
    }

    /// The lower bound on a position's distance, worked out once.
    fn distance(&mut self, node: NodeId) -> u32 {
        let place = node as usize;
        if self.distances.len() <= place {
            self.distances.resize(self.graph.len(), None);
        }
        let (bound, graph) = (self.bound, &*self.graph);
        *self.distances[place].get_or_insert_with(|| bound.estimate(graph.state(node)))
    }

    /// Whether a position is solved, or a player can go on from it for some moves more.
    fn goes_on(&mut self, node: NodeId, moves: u32) -> bool {
        moves == 0
            || self.graph.is_solved(node)
            || (0..self.graph.successors(node).len()).any(|index| {
                let successor = self.graph.successors(node)[index];
                self.goes_on(successor, moves - 1)
            })
    }
}

fn summarize(outcomes: &[Outcome]) -> Plays {
    let count = outcomes.len() as f64;
    let won: f64 = outcomes.iter().map(|outcome| outcome.won).sum();
    let moves: f64 = outcomes.iter().map(|outcome| outcome.moves).sum();
    // Rounding can carry a sum of probabilities over 1.
    let win_rate = (won / count).min(1.0);
    let squares: f64 = outcomes.iter().map(|outcome| square(outcome.won - win_rate)).sum();
    let variance = if count > 1.0 { squares / (count - 1.0) / count } else { 0.0 };
    let moves_when_won = if won > 0.0 { moves / won } else { 0.0 };
    // Populations that differ by nothing but rounding agree.
    let error = libm::sqrt(variance);
    let standard_error = if error < 1e-12 * win_rate { 0.0 } else { rounded(error) };
    Plays { win_rate: rounded(win_rate), standard_error, moves_when_won: rounded(moves_when_won) }
}

fn square(x: f64) -> f64 {
    x * x
}

/// What a population has come to.
#[derive(Clone, Copy, Default)]
struct Outcome {
    /// Probability to win.
    won: f64,
    /// Moves of won attempts, weighed by their probability.
    moves: f64,
}

/// An unfinished attempt.
#[derive(Clone, Copy)]
struct Attempt {
    node: NodeId,
    /// Hash of its position: an order that does not depend on what was looked at before.
    hash: u64,
    /// Its probability.
    share: f64,
    /// The latest entry of its past.
    past: u32,
    /// One bit for each position seen, of 128: most positions not seen are told without a look
    /// into the past.
    seen: u128,
}

/// A position in the past of attempts, and the entry before it; the first is its own.
struct Past {
    node: NodeId,
    before: u32,
}

struct Population {
    size: usize,
    random: Stream,
    attempts: Vec<Attempt>,
    pasts: Vec<Past>,
    outcome: Outcome,
    /// Whether nothing was left to chance.
    exact: bool,
}

impl Population {
    fn new(size: usize, random: Stream) -> Self {
        let (attempts, pasts, outcome) = (Vec::new(), Vec::new(), Outcome::default());
        Self { size, random, attempts, pasts, outcome, exact: true }
    }

    fn play<P: Puzzle>(&mut self, simulation: &mut Simulation<'_, '_, P>, player: Player) {
        let start = Graph::<P>::START;
        if simulation.graph.is_solved(start) {
            self.outcome.won = 1.0;
            return;
        }
        self.pasts.push(Past { node: start, before: 0 });
        let hash = simulation.graph.state(start).hash();
        self.attempts.push(Attempt { node: start, hash, share: 1.0, past: 0, seen: bit(hash) });
        for moves in 1..=simulation.effort.patience {
            self.branch(simulation, player, moves);
            if self.attempts.is_empty() {
                break;
            }
            self.merge();
            self.thin();
            for attempt in &mut self.attempts {
                self.pasts.push(Past { node: attempt.node, before: attempt.past });
                attempt.past = self.pasts.len() as u32 - 1;
                attempt.seen |= bit(attempt.hash);
            }
        }
    }

    /// Replaces every attempt by its continuations.
    fn branch<P: Puzzle>(
        &mut self,
        simulation: &mut Simulation<'_, '_, P>,
        player: Player,
        moves: u32,
    ) {
        let mut choices = Vec::new();
        for attempt in std::mem::take(&mut self.attempts) {
            choices.clear();
            choices.extend_from_slice(simulation.graph.successors(attempt.node));
            choices.retain(|&node| !self.has_seen(&attempt, node, simulation.graph));
            simulation.choose(player, &mut choices);
            let share = attempt.share / choices.len() as f64;
            for &node in &choices {
                if simulation.graph.is_solved(node) {
                    self.outcome.won += share;
                    self.outcome.moves += share * f64::from(moves);
                } else {
                    let hash = simulation.graph.state(node).hash();
                    self.attempts.push(Attempt { node, hash, share, ..attempt });
                }
            }
        }
    }

    fn has_seen<P: Puzzle>(&self, attempt: &Attempt, node: NodeId, graph: &Graph<'_, P>) -> bool {
        if attempt.seen & bit(graph.state(node).hash()) == 0 {
            return false;
        }
        let mut place = attempt.past;
        loop {
            let past = &self.pasts[place as usize];
            if past.node == node {
                return true;
            }
            if past.before == place {
                return false;
            }
            place = past.before;
        }
    }

    /// Makes one attempt of all that have come to the same position.
    fn merge(&mut self) {
        // Positions of equal hash need not stand together: merging is a saving, not a must.
        self.attempts.sort_by_key(|attempt| attempt.hash);
        let mut merged: Vec<Attempt> = Vec::with_capacity(self.attempts.len());
        for attempt in self.attempts.drain(..) {
            match merged.last_mut() {
                Some(last) if last.node == attempt.node => {
                    let share = last.share + attempt.share;
                    self.exact = false;
                    if fraction(&mut self.random) * share < attempt.share {
                        *last = attempt;
                    }
                    last.share = share;
                }
                _ => merged.push(attempt),
            }
        }
        self.attempts = merged;
    }

    /// Keeps `size` attempts: those above a threshold as they are, of the others a systematic
    /// sample, raised to the threshold.
    fn thin(&mut self) {
        if self.attempts.len() <= self.size {
            return;
        }
        self.exact = false;
        let threshold = self.threshold();
        let mut next = fraction(&mut self.random) * threshold;
        self.attempts.retain_mut(|attempt| {
            if attempt.share > threshold {
                return true;
            }
            next -= attempt.share;
            let kept = next < 0.0;
            if kept {
                next += threshold;
                attempt.share = threshold;
            }
            kept
        });
    }

    /// The threshold c with sum of min(share / c, 1) = size.
    fn threshold(&self) -> f64 {
        let mut shares: Vec<f64> = self.attempts.iter().map(|attempt| attempt.share).collect();
        shares.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut rest: f64 = shares.iter().sum();
        let mut left = self.size;
        for share in shares {
            if left <= 1 || share * left as f64 <= rest {
                break;
            }
            rest -= share;
            left -= 1;
        }
        rest / left as f64
    }
}

/// The bit of a position's hash in [`Attempt::seen`].
fn bit(hash: u64) -> u128 {
    1 << (hash >> 57)
}

/// A uniform number from 0 to below 1.
fn fraction(random: &mut Stream) -> f64 {
    f64::from(random.below(u32::MAX)) / f64::from(u32::MAX)
}
