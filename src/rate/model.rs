//! The first difficulty model: length, search effort and disorder.

/// Version of the model; part of what decides a pack's bytes.
pub const MODEL_VERSION: u32 = 1;

/// A difficulty from 0 to 100, with two decimals: x / (x + 50) of
/// x = optimal length + 2 ln(nodes expanded + 1) + disorder / 2.
pub(super) fn difficulty(optimal_length: u32, nodes_expanded: u64, disorder: u32) -> f64 {
    let nodes = 2.0 * libm::log1p(nodes_expanded as f64);
    let effort = f64::from(optimal_length) + nodes + f64::from(disorder) / 2.0;
    let difficulty = 100.0 * effort / (effort + 50.0);
    (difficulty * 100.0).round() / 100.0
}
