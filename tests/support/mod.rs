//! What several tests share: the levels under `tests/data`, with their proven answers.

#![allow(dead_code, reason = "every test file uses some of it")]

pub mod enumerate;
pub mod positions;

use std::path::PathBuf;

use pourfect::puzzle::Level;
use serde::Deserialize;

/// A level with its proven answer.
#[derive(Deserialize)]
pub struct Case {
    pub id: String,
    #[serde(flatten)]
    pub level: Level,
    pub verdict: String,
    pub optimal: Option<u32>,
}

/// The path of a file under `tests/data`.
pub fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The cases of a file of JSON lines under `tests/data`.
pub fn cases(name: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(data(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
