//! What a difficulty model weighs.

use super::Rating;

/// A figure of a level from which its difficulty is put together: 0 where nothing can go wrong,
/// never negative, and larger on harder levels.
pub struct Feature {
    /// The feature's name in models.
    pub name: &'static str,
    /// The report's column of the points that it contributes.
    pub column: &'static str,
    /// What it is, in a line.
    pub formula: &'static str,
    /// Its value; 0 where the rating does not have what it needs.
    pub value: fn(&Rating) -> f64,
}

/// All features, in the order of the report's columns.
///
/// Length and search effort count by the random player's chance to lose: a long level on which
/// nothing can go wrong is a long walk, not a hard one.
pub const FEATURES: &[Feature] = &[
    Feature {
        name: "random_player",
        column: "points_random_player",
        formula: "-ln P(win) of the random player",
        value: |rating| libm::log(1.0 / rating.players.random.win_rate),
    },
    Feature {
        name: "optimal_length",
        column: "points_optimal_length",
        formula: "optimal length x P(loss) of the random player",
        value: |rating| f64::from(rating.optimal_length) * rating.players.random.loss_rate(),
    },
    Feature {
        name: "nodes_expanded",
        column: "points_nodes_expanded",
        formula: "ln(1 + nodes expanded) x P(loss) of the random player",
        value: |rating| {
            libm::log1p(rating.nodes_expanded as f64) * rating.players.random.loss_rate()
        },
    },
    Feature {
        name: "wrong_move_density",
        column: "points_wrong_move_density",
        formula: "wrong moves over alternatives along optimal play",
        value: |rating| {
            rating.mistakes.as_ref().map_or(0.0, |mistakes| mistakes.wrong_move_density)
        },
    },
    Feature {
        name: "dead_end_density",
        column: "points_dead_end_density",
        formula: "dead ends over alternatives along optimal play",
        value: |rating| rating.mistakes.as_ref().map_or(0.0, |mistakes| mistakes.dead_end_density),
    },
    Feature {
        name: "greedy_player",
        column: "points_greedy_player",
        formula: "P(loss) of the greedy player",
        value: |rating| rating.players.greedy.loss_rate(),
    },
    Feature {
        name: "lookahead_player",
        column: "points_lookahead_player",
        formula: "P(loss) of the player who looks ahead",
        value: |rating| rating.players.lookahead.loss_rate(),
    },
];

/// The values of all features, in their order.
pub fn features(rating: &Rating) -> Vec<f64> {
    FEATURES.iter().map(|feature| (feature.value)(rating)).collect()
}
