//! What it takes to draw a position and to play it, in terms that every puzzle shares.

use serde::Serialize;

/// A position with its rules, for pages and pictures that do not know the puzzles.
///
/// Units are numbers; equal numbers are equal units. A move takes units off the top of one stack
/// and puts them on another that has room for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scene {
    /// What a stack is called.
    pub noun: &'static str,
    /// What stands on each unit, by its number.
    pub labels: Vec<String>,
    /// The units of each stack, bottom first.
    pub stacks: Vec<Vec<usize>>,
    /// Units that a stack can hold.
    pub height: usize,
    /// How much a move takes.
    pub amount: Amount,
    /// What a unit may be put onto, besides an empty stack.
    pub onto: Onto,
    /// When the position is solved.
    pub goal: SceneGoal,
}

/// How much of the top run a move takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Amount {
    /// As much as fits.
    Max,
    /// All of it, and only where it fits.
    Whole,
    /// One unit.
    One,
}

/// What a unit may be put onto, besides an empty stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Onto {
    /// An equal unit.
    Same,
    /// Any unit.
    Any,
}

/// When a position is solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "stacks", rename_all = "lowercase")]
pub enum SceneGoal {
    /// Every stack is empty, or full of equal units.
    Sorted,
    /// Every stack holds equal units, and equal units lie in as few stacks as can hold them.
    Uniform,
    /// The stacks are these, one by one.
    Arrangement(Vec<Vec<usize>>),
}
