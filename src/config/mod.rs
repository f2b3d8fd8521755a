//! Settings: from TOML and flags to checked values.
//!
//! A settings file describes a pack: its name and seed, how levels are proven, the bands of
//! difficulty, and stretches of levels. What `[defaults]` says holds for every stretch that does
//! not say otherwise.

mod stretch;
mod target;

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::puzzle::Fields;
use crate::rate::{Analysis, Model, Options};
use crate::search::{Algorithm, Limits};
pub use stretch::{Common, MAX_PAIRS, Order, Stretch, StretchError};
use stretch::{DEFAULT_PUZZLE, PUZZLE};
pub use target::{Curve, Points, Ramp, Target, TargetError};

/// Checked settings of a pack; everything but the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The pack's name, also of its folder.
    pub name: String,
    /// The engine that proves every level.
    #[serde(default)]
    pub algorithm: Algorithm,
    /// States that a search may store.
    #[serde(default = "default_max_states")]
    pub max_states: usize,
    /// Attempts at one level before the run gives up.
    #[serde(default = "default_max_attempts")]
    pub max_attempts: u32,
    /// Which positions the mistake analysis looks at.
    #[serde(default)]
    pub analysis: Analysis,
    /// Plays of each simulated player.
    #[serde(default = "default_plays")]
    pub plays: NonZeroU32,
    /// What weighs the figures of a rating, if not the model that ships.
    #[serde(default = "default_model", skip_serializing_if = "is_default_model")]
    pub model: Model,
    /// Bands of difficulty, the lowest first.
    #[serde(default = "default_bands")]
    pub bands: Vec<Band>,
    /// The stretches, in the order of the pack.
    pub stretches: Vec<Stretch>,
}

fn default_max_states() -> usize {
    Limits::DEFAULT_STATES
}

/// Attempts at one level unless told otherwise.
pub const DEFAULT_ATTEMPTS: u32 = 100_000;

fn default_max_attempts() -> u32 {
    DEFAULT_ATTEMPTS
}

fn default_plays() -> NonZeroU32 {
    Options::DEFAULT_PLAYS
}

fn default_model() -> Model {
    Model::embedded().clone()
}

fn is_default_model(model: &Model) -> bool {
    model == Model::embedded()
}

/// The bands of settings that name none.
pub fn default_bands() -> Vec<Band> {
    let band = |name: &str, from| Band { name: name.to_owned(), from };
    vec![band("easy", 0.0), band("medium", 25.0), band("hard", 50.0), band("expert", 75.0)]
}

/// A named range of difficulty, up to the next band.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// Its name.
    pub name: String,
    /// Its least difficulty.
    pub from: f64,
}

/// The name of the band that a difficulty lies in; nothing without bands.
pub fn band(bands: &[Band], difficulty: f64) -> &str {
    let band = bands.iter().rev().find(|band| band.from <= difficulty);
    band.map_or("", |band| &band.name)
}

/// Most levels of one pack.
pub const MAX_LEVELS: u64 = 10_000_000;

/// What is wrong with settings.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// Not TOML, or a field that is missing, unknown or of the wrong type.
    #[error("{}", .0.trim_end())]
    Syntax(String),
    /// A stretch that cannot be.
    #[error("stretch {number}: {source}")]
    Stretch {
        /// Its number in the file, from 1.
        number: usize,
        /// What is wrong.
        source: StretchError,
    },
    /// No stretches and no size.
    #[error("there are no [[stretches]], and no size is given")]
    Empty,
    /// A name that cannot name a folder.
    #[error(
        "name {0:?} cannot name a folder: letters, digits, `-`, `_` and `.` can, `.` not first"
    )]
    Name(String),
    /// A seed that is no number of 64 bits.
    #[error("seed {0} is not a number from 0 to 18446744073709551615")]
    Seed(String),
    /// A model that was named and not handed over.
    #[error("model = {0:?} is a path: read it, and hand the model over")]
    Model(String),
    /// Bands that do not rise from 0.
    #[error("band {name:?} from {from}: bands start at 0 and rise to at most 100")]
    Bands {
        /// The band.
        name: String,
        /// Where it begins.
        from: f64,
    },
    /// A limit of 0.
    #[error("{field} = 0: it must be at least 1")]
    Zero {
        /// The setting.
        field: &'static str,
    },
    /// More plays than memory is for.
    #[error("plays = {0}: at most {most} are held", most = Options::MOST_PLAYS)]
    Plays(NonZeroU32),
    /// More levels than a pack may have.
    #[error("{levels} levels: a pack has at most {MAX_LEVELS}")]
    TooMany {
        /// Levels in all.
        levels: u64,
    },
}

/// What the command line changes in a settings file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// The seed.
    pub seed: Option<u64>,
    /// Levels in all.
    pub count: Option<u32>,
    /// The engine that proves.
    pub algorithm: Option<Algorithm>,
    /// States that a search may store.
    pub max_states: Option<usize>,
    /// Which positions the mistake analysis looks at.
    pub analysis: Option<Analysis>,
    /// Plays of each simulated player.
    pub plays: Option<NonZeroU32>,
    /// The difficulty model, read.
    pub model: Option<Model>,
    /// The puzzle, if another than the file's.
    pub puzzle: Option<String>,
    /// Fields of a size: they replace all stretches by one.
    pub size: Fields,
    /// Fields that hold in every stretch.
    pub every_stretch: Fields,
}

/// The path of the model that a settings file names, to be read and handed over in [`Overrides`].
///
/// # Errors
/// The file is not TOML, or not settings.
pub fn model_path(toml: &str) -> Result<Option<String>, ConfigError> {
    let file: File =
        toml::from_str(toml).map_err(|error| ConfigError::Syntax(error.to_string()))?;
    Ok(file.model)
}

/// A settings file as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    seed: Option<Value>,
    algorithm: Option<Algorithm>,
    max_states: Option<usize>,
    max_attempts: Option<u32>,
    analysis: Option<Analysis>,
    plays: Option<NonZeroU32>,
    model: Option<String>,
    bands: Option<Vec<Band>>,
    #[serde(default)]
    defaults: Fields,
    #[serde(default)]
    stretches: Vec<Fields>,
}

/// Reads settings and applies the command line's changes; the seed is `None` when neither says one.
///
/// # Errors
/// What is wrong, with the place.
pub fn read(toml: &str, overrides: &Overrides) -> Result<(Settings, Option<u64>), ConfigError> {
    let file: File =
        toml::from_str(toml).map_err(|error| ConfigError::Syntax(error.to_string()))?;
    let seed = match overrides.seed {
        Some(seed) => Some(seed),
        None => file.seed.as_ref().map(read_seed).transpose()?,
    };
    let mut settings = Settings {
        stretches: file.stretches(overrides)?,
        name: file.name,
        algorithm: overrides.algorithm.or(file.algorithm).unwrap_or_default(),
        max_states: overrides.max_states.or(file.max_states).unwrap_or_else(default_max_states),
        max_attempts: file.max_attempts.unwrap_or_else(default_max_attempts),
        analysis: overrides.analysis.or(file.analysis).unwrap_or_default(),
        plays: overrides.plays.or(file.plays).unwrap_or_else(default_plays),
        model: match (&overrides.model, file.model) {
            (Some(model), _) => model.clone(),
            (None, Some(path)) => return Err(ConfigError::Model(path)),
            (None, None) => default_model(),
        },
        bands: file.bands.unwrap_or_else(default_bands),
    };
    if let Some(count) = overrides.count {
        settings.scale_to(count)?;
    }
    settings.check()?;
    Ok((settings, seed))
}

fn read_seed(value: &Value) -> Result<u64, ConfigError> {
    let seed = match value {
        Value::String(text) => text.parse().ok(),
        other => other.as_u64(),
    };
    seed.ok_or_else(|| ConfigError::Seed(value.to_string()))
}

impl File {
    /// The stretches with defaults and overrides applied.
    fn stretches(&self, overrides: &Overrides) -> Result<Vec<Stretch>, ConfigError> {
        let mut written: Vec<Fields> =
            self.stretches.iter().map(|stretch| merged(&self.defaults, stretch)).collect();
        if overrides.puzzle.is_some() || !overrides.size.is_empty() {
            written = vec![self.one_size(&written, overrides)?];
        }
        if written.is_empty() {
            return Err(ConfigError::Empty);
        }
        let stretch = |(index, fields): (usize, &Fields)| {
            Stretch::from_fields(merged(fields, &overrides.every_stretch))
                .map_err(|source| ConfigError::Stretch { number: index + 1, source })
        };
        written.iter().enumerate().map(stretch).collect()
    }

    /// One stretch instead of all: the first one's fields with the asked size, in drawn order.
    fn one_size(&self, written: &[Fields], overrides: &Overrides) -> Result<Fields, ConfigError> {
        let puzzle_of = |fields: &Fields| match fields.get(PUZZLE) {
            Some(Value::String(name)) => name.clone(),
            _ => DEFAULT_PUZZLE.to_owned(),
        };
        let first = written.first().unwrap_or(&self.defaults);
        let levels: u64 = written
            .iter()
            .filter_map(|fields| fields.get("levels").and_then(Value::as_u64))
            .fold(0, u64::saturating_add);
        let mut fields = match &overrides.puzzle {
            Some(puzzle) if *puzzle != puzzle_of(first) => {
                Fields::from_iter([(PUZZLE.to_owned(), puzzle.as_str().into())])
            }
            _ => first.iter().map(|(name, value)| (name.clone(), one_of(value))).collect(),
        };
        // What belongs to a stretch of the file and not to a size.
        for name in ["order", "target", "candidates", "limits"] {
            fields.remove(name);
        }
        fields.insert("levels".to_owned(), levels.max(1).into());
        Ok(merged(&fields, &overrides.size))
    }
}

/// The value itself, or the first of a list.
fn one_of(value: &Value) -> Value {
    value.as_array().and_then(|values| values.first()).unwrap_or(value).clone()
}

fn merged(base: &Fields, over: &Fields) -> Fields {
    let mut fields = base.clone();
    fields.extend(over.clone());
    fields
}

impl Settings {
    /// Levels in all.
    pub fn levels(&self) -> u64 {
        self.stretches.iter().map(|stretch| u64::from(stretch.common.levels)).sum()
    }

    /// Candidates in all.
    pub fn candidates(&self) -> u64 {
        self.stretches.iter().map(Stretch::candidates).sum()
    }

    /// How far levels are rated.
    pub fn rating(&self) -> Options {
        let &Self { analysis, plays, .. } = self;
        Options { limits: self.limits(), analysis, plays, model: self.model.clone() }
    }

    /// The limits of every search.
    pub fn limits(&self) -> Limits {
        Limits::states(self.max_states)
    }

    /// The band of a difficulty.
    pub fn band(&self, difficulty: f64) -> &str {
        band(&self.bands, difficulty)
    }

    /// Whether every level depends only on its index and on earlier levels.
    pub fn is_single_size(&self) -> bool {
        let plain = |common: &Common| {
            common.order == Order::Drawn && common.target.is_none() && common.limits.is_empty()
        };
        match &self.stretches[..] {
            [stretch] => {
                let partly = stretch.common.allow_partly_done;
                stretch.draws.len() == 1 && plain(&stretch.common) && !partly
            }
            _ => false,
        }
    }

    /// A digest of what decides the candidates of a stretch: SHA-256, in hexadecimal. Stretches
    /// after it, the name and the bands do not count.
    pub fn digest(&self, stretch: usize) -> String {
        let rating = (self.max_states, self.analysis, self.plays, &self.model);
        let decides = (rating, self.max_attempts, &self.stretches[..=stretch]);
        let json = serde_json::to_vec(&decides).expect("settings are plain fields");
        Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Shares `count` levels among the stretches in their proportions, by largest remainder.
    fn scale_to(&mut self, count: u32) -> Result<(), ConfigError> {
        let total = self.levels();
        let exact = |levels: u32| u64::from(levels) * u64::from(count);
        let mut rest = count;
        let mut remainders: Vec<(u64, usize)> = Vec::new();
        for (index, stretch) in self.stretches.iter_mut().enumerate() {
            let levels = exact(stretch.common.levels);
            remainders.push((levels % total, index));
            // At most `count`, so it fits.
            stretch.common.levels = (levels / total) as u32;
            rest -= stretch.common.levels;
        }
        remainders.sort_by_key(|&(remainder, index)| (std::cmp::Reverse(remainder), index));
        for &(_, index) in remainders.iter().take(rest as usize) {
            self.stretches[index].common.levels += 1;
        }
        self.stretches.retain(|stretch| stretch.common.levels > 0);
        for (index, stretch) in self.stretches.iter().enumerate() {
            let number = index + 1;
            stretch.common.check().map_err(|source| ConfigError::Stretch { number, source })?;
        }
        Ok(())
    }

    /// Checks what the types do not: settings may come from a file of another program.
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if self.name.is_empty() || self.name.starts_with('.') || !self.name.chars().all(fits) {
            return Err(ConfigError::Name(self.name.clone()));
        }
        for (field, value) in
            [("max_states", self.max_states), ("max_attempts", self.max_attempts as usize)]
        {
            if value == 0 {
                return Err(ConfigError::Zero { field });
            }
        }
        if self.plays.get() > Options::MOST_PLAYS {
            return Err(ConfigError::Plays(self.plays));
        }
        let levels = self.levels();
        if levels > MAX_LEVELS {
            return Err(ConfigError::TooMany { levels });
        }
        self.check_bands()
    }

    fn check_bands(&self) -> Result<(), ConfigError> {
        let mut least = 0.0;
        for (index, Band { name, from }) in self.bands.iter().enumerate() {
            let rises = if index == 0 { *from == 0.0 } else { *from > least && *from <= 100.0 };
            if !rises {
                return Err(ConfigError::Bands { name: name.clone(), from: *from });
            }
            least = *from;
        }
        Ok(())
    }
}
