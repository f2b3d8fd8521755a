//! What is on disk: packs of levels.

use serde::{Deserialize, Serialize};

use crate::config::Settings;
use crate::generate::GENERATOR_VERSION;
use crate::puzzle::{Level, Move};
use crate::rate::{MODEL_VERSION, Rating};

/// Version of the pack's JSON.
pub const SCHEMA_VERSION: u32 = 1;

/// A pack of levels, each with its proof and rating. It holds every level in full, so it outlives
/// its generator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pack {
    /// Version of this format.
    pub schema_version: u32,
    /// What made the pack.
    pub generator: Generator,
    /// The settings it was made with.
    pub settings: Settings,
    /// The seed, as text: JavaScript rounds large numbers.
    #[serde(with = "text")]
    pub seed: u64,
    /// The levels, in order.
    pub levels: Vec<PackLevel>,
}

/// The program that made a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Generator {
    /// Its name.
    pub name: String,
    /// Version of everything that decides a pack's bytes.
    pub version: u32,
    /// Version of the difficulty model.
    pub model_version: u32,
}

impl Generator {
    /// This program.
    pub fn current() -> Self {
        Self {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: GENERATOR_VERSION,
            model_version: MODEL_VERSION,
        }
    }
}

/// A level of a pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PackLevel {
    /// A name that says how to make the level again; see [`level_id`].
    pub id: String,
    /// Its place in the pack, from 0.
    pub index: u64,
    /// The candidate it was drawn as.
    pub candidate: u64,
    /// The attempt at that candidate.
    pub attempt: u32,
    /// The level itself.
    #[serde(flatten)]
    pub level: Level,
    /// Its figures.
    #[serde(flatten)]
    pub rating: Rating,
    /// The band of its difficulty.
    pub band: String,
    /// A shortest solution.
    pub solution: Vec<Move>,
}

/// Numbers as JSON strings.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
