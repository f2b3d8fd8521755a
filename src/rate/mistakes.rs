//! What can go wrong: every choice along optimal play, classified exactly.
//!
//! Positions are canonical. At each unsolved position of the analysis every distinct next position
//! keeps an optimum, or is a *detour* that costs p = 1 + d(next) - d(now) extra moves, or is *dead*,
//! proven unsolvable; d is the exact distance to the goal.
//!
//! `full` takes all positions that lie on some optimal solution, each weighed by the share of
//! optimal solutions through it; `line` takes those of one optimal solution, each with weight 1.
//! With w the weight and *alternatives* the choices less the move taken:
//!
//! | figure | formula |
//! |---|---|
//! | wrong-move density | sum of w (detours + dead) / sum of w alternatives |
//! | dead-end density | sum of w dead / sum of w alternatives |
//! | dead-end risk | sum of w dead / sum of w (detours + dead) |
//!
//! The densities follow the playtest of laicwben2's water-sort-level-generator, which measured them
//! on one line by sampling.

use std::collections::HashMap;

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::distances::{Distance, Distances};
use super::graph::{Graph, NodeId};
use super::rounded;
use crate::puzzle::{LowerBound, Puzzle};

/// Which positions are analyzed.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Analysis {
    /// None.
    None,
    /// Those of one optimal solution.
    #[default]
    Line,
    /// Those of all optimal solutions.
    Full,
}

/// An analysis that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown analysis `{name}`; known are none, line, full")]
pub struct UnknownAnalysis {
    /// What was asked for.
    pub name: String,
}

impl FromStr for Analysis {
    type Err = UnknownAnalysis;

    fn from_str(name: &str) -> Result<Self, UnknownAnalysis> {
        let known = [Self::None, Self::Line, Self::Full];
        let known = known.into_iter().find(|analysis| analysis.name() == name);
        known.ok_or_else(|| UnknownAnalysis { name: name.to_owned() })
    }
}

impl Analysis {
    /// The analysis' name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Line => "line",
            Self::Full => "full",
        }
    }
}

/// What leads where from one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Optimal,
    Detour(u32),
    Dead,
    Unknown,
}

/// The choices of one position, counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Position {
    /// Moves made before.
    pub depth: u32,
    /// Optimal solutions through the position. Whole numbers, so sums are exact up to 2^53.
    pub weight: f64,
    pub optimal: u32,
    /// What each detour costs.
    pub detours: Vec<u32>,
    pub dead: u32,
    pub unknown: u32,
    /// Whether some dead choice looks no worse, by the lower bound, than every optimal one.
    pub bait: bool,
}

impl Position {
    pub fn choices(&self) -> u32 {
        self.known() + self.unknown
    }

    pub fn wrong(&self) -> u32 {
        self.detours.len() as u32 + self.dead
    }

    fn known(&self) -> u32 {
        self.optimal + self.wrong()
    }
}

/// The analyzed positions of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Survey {
    /// In order of depth.
    pub positions: Vec<Position>,
    /// How many optimal solutions there are, as sequences of canonical positions; exact up to
    /// 2^53. `None` where not all were looked for, or a limit was reached.
    pub optimal_solutions: Option<f64>,
}

/// Classifies choices.
pub(super) struct Surveyor<'a, 'p, P: Puzzle> {
    pub graph: &'a mut Graph<'p, P>,
    pub distances: &'a mut Distances<'p, P>,
    pub bound: &'p dyn LowerBound<P::State>,
}

impl<P: Puzzle> Surveyor<'_, '_, P> {
    /// Looks at the positions of one optimal solution.
    pub fn line(&mut self, solution: &[P::State]) -> Survey {
        let unsolved = &solution[..solution.len().saturating_sub(1)];
        let position = |(depth, &state): (usize, &P::State)| {
            let node = self.graph.id(state);
            let left = (unsolved.len() - depth) as u32;
            let (position, _) = self.position(node, depth as u32, left);
            Position { weight: 1.0, ..position }
        };
        let positions = unsolved.iter().enumerate().map(position).collect();
        Survey { positions, optimal_solutions: None }
    }

    /// Looks at all positions of optimal solutions of `length` moves: layer by layer forward,
    /// counting the ways to each, then backward, counting the ways on.
    pub fn full(&mut self, length: u32) -> Survey {
        let mut layers = vec![vec![OnOptimum::new(Graph::<P>::START, 1.0)]];
        let mut places: HashMap<NodeId, usize> = HashMap::new();
        for depth in 0..length {
            let mut next: Vec<OnOptimum> = Vec::new();
            places.clear();
            for on in layers.last_mut().into_iter().flatten() {
                let (position, onward) = self.position(on.node, depth, length - depth);
                on.position = position;
                for node in onward {
                    let place = *places.entry(node).or_insert_with(|| {
                        next.push(OnOptimum::new(node, 0.0));
                        next.len() - 1
                    });
                    next[place].ways_to += on.ways_to;
                    on.onward.push(place);
                }
            }
            layers.push(next);
        }
        count_ways_on(&mut layers);
        let total = layers[0][0].ways_on;
        let weigh = |on: OnOptimum| Position { weight: on.ways_to * on.ways_on, ..on.position };
        layers.pop();
        let positions: Vec<_> = layers.into_iter().flatten().map(weigh).collect();
        let complete = positions.iter().all(|position| position.unknown == 0);
        Survey { positions, optimal_solutions: complete.then_some(total) }
    }

    /// The choices of a position that is `left` moves from the goal, and the optimal ones.
    fn position(&mut self, node: NodeId, depth: u32, left: u32) -> (Position, Vec<NodeId>) {
        let mut position = Position { depth, ..Position::default() };
        let mut optimal = Vec::new();
        let (mut best_looking, mut dead_looking) = (u32::MAX, u32::MAX);
        for index in 0..self.graph.successors(node).len() {
            let successor = self.graph.successors(node)[index];
            let state = *self.graph.state(successor);
            match self.classify(state, left) {
                Choice::Optimal => {
                    position.optimal += 1;
                    optimal.push(successor);
                    best_looking = best_looking.min(self.bound.estimate(&state));
                }
                Choice::Detour(cost) => position.detours.push(cost),
                Choice::Dead => {
                    position.dead += 1;
                    dead_looking = dead_looking.min(self.bound.estimate(&state));
                }
                Choice::Unknown => position.unknown += 1,
            }
        }
        position.bait = position.dead > 0 && dead_looking <= best_looking;
        (position, optimal)
    }

    fn classify(&mut self, next: P::State, left: u32) -> Choice {
        match self.distances.of(next) {
            Distance::Exact(distance) if distance + 1 == left => Choice::Optimal,
            Distance::Exact(distance) => Choice::Detour(1 + distance - left),
            Distance::Dead => Choice::Dead,
            Distance::Unknown => Choice::Unknown,
        }
    }
}

/// A position on an optimal solution.
struct OnOptimum {
    node: NodeId,
    ways_to: f64,
    ways_on: f64,
    /// Its optimal successors, by place in the next layer.
    onward: Vec<usize>,
    position: Position,
}

impl OnOptimum {
    fn new(node: NodeId, ways_to: f64) -> Self {
        Self { node, ways_to, ways_on: 0.0, onward: Vec::new(), position: Position::default() }
    }
}

fn count_ways_on(layers: &mut [Vec<OnOptimum>]) {
    let mut after: Vec<f64> = Vec::new();
    for (from_end, layer) in layers.iter_mut().rev().enumerate() {
        for on in &mut *layer {
            on.ways_on = match from_end {
                0 => 1.0,
                _ => on.onward.iter().map(|&place| after[place]).sum(),
            };
        }
        after = layer.iter().map(|on| on.ways_on).collect();
    }
}

/// The figures of the analysis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mistakes {
    /// Share of the choices that could be classified; below 1 the figures are of those only.
    pub coverage: f64,
    /// Positions with a choice, as a share of all.
    pub decisions: f64,
    /// Distinct next positions per position.
    pub choices: f64,
    /// Wrong moves over alternatives.
    pub wrong_move_density: f64,
    /// Dead ends over alternatives.
    pub dead_end_density: f64,
    /// Dead ends over wrong moves.
    pub dead_end_risk: f64,
    /// Dead ends over wrong moves, up to the last position with a dead end.
    pub risk_until_safe: f64,
    /// Mean cost of the detours, in moves.
    pub mean_detour: f64,
    /// Nine detours in ten cost no more than this.
    pub high_detour: u32,
    /// Cost of the largest detour.
    pub largest_detour: u32,
    /// After this many moves of optimal play no single mistake is fatal.
    pub safe_from_move: u32,
    /// The first move, from 1, at which a mistake can be fatal.
    pub first_fatal_move: Option<u32>,
    /// The moves, from 1, at which some dead end looks no worse than the right move.
    pub baits: Vec<u32>,
    /// How many optimal solutions there are, where all were looked for.
    pub optimal_solutions: Option<f64>,
}

impl Mistakes {
    /// Whether no limit stopped the analysis.
    pub fn is_complete(&self) -> bool {
        self.coverage >= 1.0
    }

    pub(super) fn of(survey: &Survey) -> Self {
        let positions = &survey.positions;
        let sum = |count: fn(&Position) -> u32| -> f64 {
            positions.iter().map(|position| position.weight * f64::from(count(position))).sum()
        };
        let (all, known) = (sum(Position::choices), sum(Position::known));
        let alternatives = sum(|position| position.known().saturating_sub(1));
        let (wrong, dead) = (sum(Position::wrong), sum(|position| position.dead));
        let weight = sum(|_| 1);
        let fatal = || positions.iter().filter(|position| position.dead > 0);
        let safe_from_move = fatal().map(|position| position.depth + 1).max().unwrap_or(0);
        let early = positions.iter().filter(|position| position.depth < safe_from_move);
        let early_wrong: f64 =
            early.map(|position| position.weight * f64::from(position.wrong())).sum();
        let mut baits: Vec<u32> =
            positions.iter().filter(|position| position.bait).map(|p| p.depth + 1).collect();
        baits.dedup();
        let detours = Detours::of(positions);
        Self {
            coverage: ratio(known, all, 1.0),
            decisions: ratio(sum(|position| u32::from(position.choices() > 1)), weight, 0.0),
            choices: ratio(all, weight, 0.0),
            wrong_move_density: ratio(wrong, alternatives, 0.0),
            dead_end_density: ratio(dead, alternatives, 0.0),
            dead_end_risk: ratio(dead, wrong, 0.0),
            risk_until_safe: ratio(dead, early_wrong, 0.0),
            mean_detour: detours.mean,
            high_detour: detours.high,
            largest_detour: detours.largest,
            safe_from_move,
            first_fatal_move: fatal().map(|position| position.depth + 1).min(),
            baits,
            optimal_solutions: survey.optimal_solutions,
        }
    }
}

fn ratio(part: f64, whole: f64, otherwise: f64) -> f64 {
    if whole > 0.0 { rounded(part / whole) } else { otherwise }
}

#[derive(Default)]
struct Detours {
    mean: f64,
    high: u32,
    largest: u32,
}

impl Detours {
    fn of(positions: &[Position]) -> Self {
        let weigh = |position: &'_ Position| {
            let weight = position.weight;
            position.detours.iter().map(move |&cost| (cost, weight)).collect::<Vec<_>>()
        };
        let mut costs: Vec<(u32, f64)> = positions.iter().flat_map(weigh).collect();
        // Stable, so that weights are always added in the same order.
        costs.sort_by_key(|&(cost, _)| cost);
        let total: f64 = costs.iter().map(|&(_, weight)| weight).sum();
        let Some(&(largest, _)) = costs.last() else { return Self::default() };
        let mut below = 0.0;
        let high = costs.iter().find(|&&(_, weight)| {
            below += weight;
            below * 10.0 >= total * 9.0
        });
        let paid: f64 = costs.iter().map(|&(cost, weight)| f64::from(cost) * weight).sum();
        Self { mean: rounded(paid / total), high: high.map_or(largest, |&(cost, _)| cost), largest }
    }
}
