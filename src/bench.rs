//! Measures engines and bounds against each other, size by size.

use std::time::Duration;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::puzzle::{AnyShape, Board, BoundError, Fields, Level, Shape, ShapeError, ShapeVisitor};
use crate::random::{Stream, StreamId};
use crate::search::{self, Algorithm, Answer, Limits, Method, Proof};

/// What is measured when nothing else is asked for.
pub const DEFAULT_SETTINGS: &str = include_str!("../configs/bench.toml");

/// Names the random streams of a benchmark's levels; another number, other levels.
const STREAM_VERSION: u32 = 1;

/// What to measure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Names the random levels.
    pub seed: u64,
    /// Levels of each size.
    pub levels: u64,
    /// States that a search may store.
    #[serde(default = "default_max_states")]
    pub max_states: usize,
    /// Engines and bounds.
    pub runs: Vec<Run>,
    /// Sizes, as in the settings of a pack; `puzzle` is water unless it says otherwise.
    #[serde(default)]
    pub sizes: Vec<Fields>,
}

fn default_max_states() -> usize {
    Limits::DEFAULT_STATES
}

/// An engine with the bounds to try.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The engine.
    pub algorithm: Algorithm,
    /// The bounds; without any, the engine's own.
    #[serde(default)]
    pub bounds: Vec<String>,
}

/// Settings that cannot be.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// No TOML, or not of this form.
    #[error(transparent)]
    Syntax(#[from] toml::de::Error),
    /// A size that cannot be.
    #[error("sizes[{index}]: {source}")]
    Size {
        /// Which one, from 0.
        index: usize,
        /// What is wrong with it.
        source: ShapeError,
    },
}

/// Reads settings.
///
/// # Errors
/// What is wrong with them.
pub fn read(text: &str) -> Result<Settings, BenchError> {
    Ok(toml::from_str(text)?)
}

/// Levels of one size.
#[derive(Clone, Debug)]
pub struct Group {
    /// The size's code.
    pub size: String,
    /// The levels.
    pub levels: Vec<Level>,
}

impl Settings {
    /// Draws uniformly random levels of every size, the same on every machine.
    ///
    /// # Errors
    /// A size that cannot be.
    pub fn groups(&self) -> Result<Vec<Group>, BenchError> {
        let group = |(index, fields): (usize, &Fields)| {
            let mut fields = fields.clone();
            let puzzle = match fields.remove("puzzle") {
                Some(name) => name.as_str().unwrap_or_default().to_owned(),
                None => crate::puzzle::water::Water::NAME.to_owned(),
            };
            let shape = AnyShape::from_fields(&puzzle, fields)
                .map_err(|source| BenchError::Size { index, source })?;
            let levels = (0..self.levels)
                .map(|index| shape.visit(Fill(StreamId { seed: self.seed, index, attempt: 0 })))
                .collect();
            Ok(Group { size: shape.code(), levels })
        };
        self.sizes.iter().enumerate().map(group).collect()
    }

    /// The engines and bounds, one by one.
    pub fn methods(&self) -> Vec<(Algorithm, Option<&str>)> {
        let mut methods = Vec::new();
        for Run { algorithm, bounds } in &self.runs {
            if bounds.is_empty() {
                methods.push((*algorithm, None));
            }
            methods.extend(bounds.iter().map(|bound| (*algorithm, Some(bound.as_str()))));
        }
        methods
    }
}

struct Fill(StreamId);

impl ShapeVisitor for Fill {
    type Output = Level;

    fn visit<S: Shape>(self, shape: &S) -> Level
    where
        Level: From<S::Board>,
    {
        shape.fill(&mut Stream::new(self.0, STREAM_VERSION)).into()
    }
}

/// The figures of one engine and bound on the levels of one size.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// The size's code.
    pub size: String,
    /// The engine that was asked for.
    pub algorithm: Algorithm,
    /// The bound that it used.
    pub bound: String,
    /// Levels tried.
    pub levels: usize,
    /// Levels solved to a proven optimum.
    pub solved: usize,
    /// Levels proven unsolvable.
    pub unsolvable: usize,
    /// Median of the nodes expanded.
    pub nodes_median: u64,
    /// Most nodes expanded.
    pub nodes_max: u64,
    /// Median of the time with all preparation, in seconds.
    pub seconds_median: f64,
    /// Longest time in seconds.
    pub seconds_max: f64,
    /// Median of the time that preparing the bound took, in seconds.
    pub bound_seconds_median: f64,
    /// Most states stored.
    pub stored_max: u64,
    /// Most memory taken by states, queue and bound.
    pub bytes_max: u64,
    /// Mean optimal length of the levels solved.
    pub mean_optimal_length: Option<f64>,
    /// Nodes of all levels over their time.
    pub nodes_per_second: f64,
}

/// Measures one engine and bound on the levels of one size, on the current thread pool.
///
/// # Errors
/// The puzzle does not have the bound, or not under these rules.
pub fn measure(
    group: &Group,
    algorithm: Algorithm,
    bound: Option<&str>,
    max_states: usize,
) -> Result<Figures, BoundError> {
    let method = Method { algorithm, bound, limits: Limits::states(max_states) };
    let answers: Result<Vec<Answer>, BoundError> =
        group.levels.par_iter().map(|level| search::solve(level, &method)).collect();
    let answers = answers?;
    let lengths: Vec<u32> =
        answers.iter().filter_map(|answer| answer.proof.optimal_length()).collect();
    let nodes = answers.iter().map(|answer| answer.stats.expanded);
    let times = answers.iter().map(|answer| answer.time);
    let total: Duration = times.clone().sum();
    let mean = lengths.iter().map(|&length| f64::from(length)).sum::<f64>() / lengths.len() as f64;
    Ok(Figures {
        size: group.size.clone(),
        algorithm,
        bound: answers.first().map(|answer| answer.bound.clone()).unwrap_or_default(),
        levels: answers.len(),
        solved: lengths.len(),
        unsolvable: answers.iter().filter(|answer| answer.proof == Proof::Unsolvable).count(),
        nodes_median: median(nodes.clone()),
        nodes_max: nodes.clone().max().unwrap_or_default(),
        seconds_median: median(times.clone()).as_secs_f64(),
        seconds_max: times.max().unwrap_or_default().as_secs_f64(),
        bound_seconds_median: median(answers.iter().map(|answer| answer.bound_time)).as_secs_f64(),
        stored_max: answers.iter().map(|answer| answer.stats.stored).max().unwrap_or_default(),
        bytes_max: answers.iter().map(|answer| answer.stats.bytes).max().unwrap_or_default(),
        mean_optimal_length: (!lengths.is_empty()).then_some(mean),
        nodes_per_second: nodes.sum::<u64>() as f64 / total.as_secs_f64().max(f64::MIN_POSITIVE),
    })
}

/// The lower of the two middle values; of nothing, nothing.
fn median<T: Ord + Copy + Default>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_settings_are_well_formed() {
        let settings = Settings { levels: 1, ..read(DEFAULT_SETTINGS).unwrap() };
        let groups = settings.groups().unwrap();
        assert_eq!(groups.len(), settings.sizes.len());
        assert_eq!(groups[0].size, "w3x4+3.max");
        assert_eq!(settings.methods().len(), 5);
    }

    #[test]
    fn figures_count_what_was_proven() {
        let levels = ["AB|AB|", "AB|BA"].map(|text| Level::water(text).unwrap()).to_vec();
        let group = Group { size: "two".into(), levels };
        let figures = measure(&group, Algorithm::Auto, None, 1000).unwrap();
        assert_eq!((figures.levels, figures.solved, figures.unsolvable), (2, 1, 1));
        assert_eq!(figures.mean_optimal_length, Some(3.0));
        assert!(measure(&group, Algorithm::Astar, Some("units"), 1000).is_err());
    }

    #[test]
    fn medians_are_values_that_occurred() {
        assert_eq!(median([5u64, 1, 9].into_iter()), 5);
        assert_eq!(median([5u64, 1].into_iter()), 1);
        assert_eq!(median(std::iter::empty::<u64>()), 0);
    }
}
