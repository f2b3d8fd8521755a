//! What is on disk: packs of levels.

mod file;
mod manifest;
mod shard;

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::config::Settings;
use crate::generate::GENERATOR_VERSION;
use crate::puzzle::{Level, Move};
use crate::rate::{MODEL_VERSION, Rating};

pub use file::{LinesHeader, PackError, PackLevels};
pub use manifest::{FileSum, MANIFEST, Manifest};
pub use shard::{Part, Shard, ShardSyntaxError};

/// Version of the pack's JSON.
pub const SCHEMA_VERSION: u32 = 1;

/// A pack of more levels is large: it is not searched for near-duplicates and gets no page, and in
/// JSON lines it never comes into memory as a whole.
pub const LARGE: u64 = 10_000;

/// A pack of levels, each with its proof and rating. It holds every level in full, so it outlives
/// its generator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    #[schemars(with = "String")]
    pub seed: u64,
    /// What a designer changed after the first run.
    #[serde(default, skip_serializing_if = "Edits::is_empty")]
    pub edits: Edits,
    /// The levels, in order.
    pub levels: Vec<PackLevel>,
}

/// Everything that decides a pack: the pack without its levels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Header {
    /// Version of the pack's format.
    pub schema_version: u32,
    /// What makes the pack.
    pub generator: Generator,
    /// The settings.
    pub settings: Settings,
    /// The seed, as text.
    #[serde(with = "text")]
    #[schemars(with = "String")]
    pub seed: u64,
    /// What a designer changed after the first run.
    #[serde(default, skip_serializing_if = "Edits::is_empty")]
    pub edits: Edits,
}

impl Header {
    /// The header of a pack that this program makes.
    pub fn new(settings: Settings, seed: u64, edits: Edits) -> Self {
        let (schema_version, generator) = (SCHEMA_VERSION, Generator::current());
        Self { schema_version, generator, settings, seed, edits }
    }

    /// The pack of these levels.
    pub fn with(self, levels: Vec<PackLevel>) -> Pack {
        let Self { schema_version, generator, settings, seed, edits } = self;
        Pack { schema_version, generator, settings, seed, edits, levels }
    }
}

/// What a designer changed after the first run. The pack stays a function of its settings, its seed
/// and these.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Edits {
    /// Levels that keep their slots, in full.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pinned: Vec<PackLevel>,
    /// Candidates that must not stand in the pack.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// Least and most of any metric; levels outside are left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub filter: BTreeMap<String, [f64; 2]>,
    /// Digests of the packs whose levels must not occur; see [`Known::digests`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known: Vec<String>,
}

/// A candidate that a designer rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rejected {
    /// The candidate's number.
    pub candidate: u64,
    /// The attempt at it.
    pub attempt: u32,
}

impl Edits {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a candidate was rejected.
    pub fn rejects(&self, candidate: u64, attempt: u32) -> bool {
        self.rejected.contains(&Rejected { candidate, attempt })
    }

    /// Whether the filter lets a level through.
    pub fn admits(&self, rating: &Rating) -> bool {
        rating.is_within(&self.filter)
    }
}

impl Pack {
    /// The JSON schema of a pack, as text.
    pub fn schema() -> String {
        let schema = schemars::schema_for!(Self);
        serde_json::to_string_pretty(&schema).expect("a schema is plain JSON")
    }

    /// The pack without its levels.
    pub fn header(&self) -> Header {
        Header {
            schema_version: self.schema_version,
            generator: self.generator.clone(),
            settings: self.settings.clone(),
            seed: self.seed,
            edits: self.edits.clone(),
        }
    }
}

/// The levels of packs beside which another is made: none of them occurs in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// A digest of each pack: SHA-256 over the fingerprints of its levels, in hexadecimal.
    pub digests: Vec<String>,
    /// The fingerprints of all levels.
    pub fingerprints: HashSet<u64>,
}

impl Known {
    /// Adds a pack.
    ///
    /// # Errors
    /// It cannot be read to its end.
    pub fn add(&mut self, pack: PackLevels<'_>) -> Result<(), PackError> {
        let mut hash = Sha256::new();
        for level in pack {
            let fingerprint = level?.level.fingerprint();
            hash.update(fingerprint.to_le_bytes());
            self.fingerprints.insert(fingerprint);
        }
        self.digests.push(hex(hash));
        Ok(())
    }
}

/// A checksum in hexadecimal.
fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The program that made a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackLevel {
    /// A name that says how to make the level again; see [`crate::id`].
    pub id: String,
    /// Its place in the pack, from 0.
    pub index: u64,
    /// The candidate it was drawn as.
    pub candidate: u64,
    /// The attempt at that candidate.
    pub attempt: u32,
    /// Whether a designer pinned it: it keeps its slot whatever the settings say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// The level itself.
    #[serde(flatten)]
    pub level: Level,
    /// Its figures.
    #[serde(flatten)]
    pub rating: Rating,
    /// The band of its difficulty.
    pub band: String,
    /// The difficulty that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<f64>,
    /// The first earlier level that is nearly the same: a single move in each can lead to the same
    /// position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<u64>,
    /// A shortest solution.
    pub solution: Vec<Move>,
}

/// Numbers as JSON strings.
pub(crate) mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
