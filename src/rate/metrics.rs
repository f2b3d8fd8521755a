//! The numbers of a rating by name: for limits, filters and reports.

use std::collections::BTreeMap;

use super::{Mistakes, Rating};

/// A number of a rating.
struct Metric {
    name: &'static str,
    value: fn(&Rating) -> Option<f64>,
}

/// All metrics, in the order of the report's columns.
const METRICS: &[Metric] = &[
    metric("optimal_length", |rating| Some(rating.optimal_length.into())),
    metric("nodes_expanded", |rating| Some(rating.nodes_expanded as f64)),
    metric("disorder", |rating| Some(rating.disorder.into())),
    metric("difficulty", |rating| Some(rating.difficulty)),
    metric("coverage", |rating| of(rating, |mistakes| mistakes.coverage)),
    metric("wrong_move_density", |rating| of(rating, |mistakes| mistakes.wrong_move_density)),
    metric("dead_end_density", |rating| of(rating, |mistakes| mistakes.dead_end_density)),
    metric("dead_end_risk", |rating| of(rating, |mistakes| mistakes.dead_end_risk)),
    metric("largest_detour", |rating| of(rating, |mistakes| mistakes.largest_detour.into())),
    metric("safe_from_move", |rating| of(rating, |mistakes| mistakes.safe_from_move.into())),
    metric("optimal_solutions", |rating| rating.mistakes.as_ref()?.optimal_solutions),
    metric("win_rate_random", |rating| Some(rating.players.random.win_rate)),
    metric("win_rate_random_error", |rating| Some(rating.players.random.standard_error)),
    metric("win_rate_greedy", |rating| Some(rating.players.greedy.win_rate)),
    metric("win_rate_lookahead", |rating| Some(rating.players.lookahead.win_rate)),
    metric("predicted_win_rate", |rating| Some(rating.predicted_win_rate)),
    metric("predicted_attempts", |rating| Some(rating.predicted_attempts)),
];

const fn metric(name: &'static str, value: fn(&Rating) -> Option<f64>) -> Metric {
    Metric { name, value }
}

fn of(rating: &Rating, value: fn(&Mistakes) -> f64) -> Option<f64> {
    rating.mistakes.as_ref().map(value)
}

const NAMES: [&str; METRICS.len()] = {
    let mut names = [""; METRICS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = METRICS[index].name;
        index += 1;
    }
    names
};

impl Rating {
    /// The names of the metrics, by which levels can be limited and filtered.
    pub const METRICS: &'static [&'static str] = &NAMES;

    /// The value of a metric, if there is one of that name and the rating has it.
    pub fn metric(&self, name: &str) -> Option<f64> {
        let metric = METRICS.iter().find(|metric| metric.name == name)?;
        (metric.value)(self)
    }

    /// Whether every limited metric lies between its least and its most; one that the rating does
    /// not have does not.
    pub fn is_within(&self, limits: &BTreeMap<String, [f64; 2]>) -> bool {
        limits.iter().all(|(name, &[least, most])| {
            self.metric(name).is_some_and(|value| (least..=most).contains(&value))
        })
    }
}
