//! Stretches: levels that follow each other and are drawn alike.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::target::{Target, TargetError};
use crate::generate::Method;
use crate::puzzle::{AnyShape, Fields, ShapeError};
use crate::rate::Rating;

/// How the levels of a stretch without a target are put in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they were drawn.
    #[default]
    Drawn,
    /// By rising difficulty.
    Rising,
}

/// Levels that follow each other and are drawn alike.
///
/// In a settings file a field of the size, or the method, may be a list: the candidates then take
/// its values in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// How many levels, how chosen, in which order.
    pub common: Common,
    /// What is drawn and how, in turn; at least one.
    pub draws: Vec<(AnyShape, Method)>,
    /// The fields of the draws.
    written: Fields,
}

/// The fields of a stretch that are the same for every puzzle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Common {
    /// Levels.
    pub levels: u32,
    /// Candidates drawn for each level; more than one needs a target to choose by.
    #[serde(default = "one")]
    pub candidates: u32,
    /// The difficulties asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// How levels without a target are put in order.
    #[serde(default)]
    pub order: Order,
    /// Least and most of any metric; a level outside is not accepted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, [f64; 2]>,
    /// Whether a level may start partly done (in water: with a complete tube).
    #[serde(default)]
    pub allow_partly_done: bool,
}

fn one() -> u32 {
    1
}

const COMMON: [&str; 6] =
    ["levels", "candidates", "target", "order", "limits", "allow_partly_done"];
const METHOD: &str = "method";
pub(super) const PUZZLE: &str = "puzzle";
pub(super) const DEFAULT_PUZZLE: &str = "water";
/// Most pairs of level and candidate among which a target is met: the assignment holds a table of
/// them.
pub const MAX_PAIRS: u64 = 4_000_000;
/// Most combinations of sizes and methods in one stretch.
const MAX_DRAWS: usize = 1_000;

/// What is wrong with one stretch.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StretchError {
    /// A field that is missing, unknown or of the wrong type.
    #[error("{0}")]
    Field(String),
    /// A size that cannot be.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// A target that cannot be.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A limit that no level can meet.
    #[error("limits: {metric} from {least} to {most} is empty")]
    EmptyLimit {
        /// The metric.
        metric: String,
        /// Its least value.
        least: f64,
        /// Its most.
        most: f64,
    },
    /// A metric that does not exist.
    #[error("limits: unknown metric `{metric}`; known are {}", Rating::METRICS.join(", "))]
    Metric {
        /// What was asked for.
        metric: String,
    },
    /// Too many candidates for the assignment.
    #[error(
        "a target over {levels} levels with {candidates} candidates each makes too many pairs: \
         levels x levels x candidates is at most {MAX_PAIRS}"
    )]
    Pairs {
        /// Levels.
        levels: u32,
        /// Candidates for each.
        candidates: u32,
    },
}

fn field_error(reason: impl ToString) -> StretchError {
    StretchError::Field(reason.to_string())
}

impl Stretch {
    pub(super) fn from_fields(mut fields: Fields) -> Result<Self, StretchError> {
        let mut common = Fields::new();
        for name in COMMON {
            common.extend(fields.remove_entry(name));
        }
        let common: Common = serde_json::from_value(common.into()).map_err(field_error)?;
        common.check()?;
        let draws = combinations(&fields)?
            .into_iter()
            .map(one_draw)
            .collect::<Result<Vec<_>, StretchError>>()?;
        // A single draw is written in full, so that a pack says what its defaults were.
        if let [(shape, method)] = &draws[..] {
            fields.extend(shape.fields());
            fields.insert(METHOD.to_owned(), method.name().into());
            fields.insert(PUZZLE.to_owned(), shape.puzzle().into());
        }
        Ok(Self { common, draws, written: fields })
    }

    fn fields(&self) -> Fields {
        let mut fields = crate::puzzle::to_fields(&self.common);
        fields.extend(self.written.clone());
        fields
    }

    /// What the candidate of a number within the stretch is drawn as.
    pub fn draw(&self, number: u64) -> &(AnyShape, Method) {
        let count = self.draws.len() as u64;
        &self.draws[(number % count) as usize]
    }

    /// Candidates in all.
    pub fn candidates(&self) -> u64 {
        u64::from(self.common.levels) * u64::from(self.common.candidates)
    }
}

impl Common {
    pub(super) fn check(&self) -> Result<(), StretchError> {
        let &Self { levels, candidates, .. } = self;
        if levels == 0 || candidates == 0 {
            return Err(field_error("levels and candidates must be at least 1"));
        }
        match &self.target {
            Some(target) => {
                let pairs = u64::from(levels) * u64::from(levels);
                if pairs.saturating_mul(candidates.into()) > MAX_PAIRS {
                    return Err(StretchError::Pairs { levels, candidates });
                }
                target.difficulties(levels)?;
                if self.order != Order::Drawn {
                    return Err(field_error("a stretch has a target or an order, not both"));
                }
            }
            None if candidates > 1 => {
                return Err(field_error("candidates above 1 need a target to choose by"));
            }
            None => {}
        }
        self.check_limits()
    }

    fn check_limits(&self) -> Result<(), StretchError> {
        for (metric, &[least, most]) in &self.limits {
            let metric = metric.clone();
            if !Rating::METRICS.contains(&metric.as_str()) {
                return Err(StretchError::Metric { metric });
            }
            // A bound that is no number is as empty as one that is too low.
            if least.is_nan() || most.is_nan() || least > most {
                return Err(StretchError::EmptyLimit { metric, least, most });
            }
        }
        Ok(())
    }
}

/// One draw for every combination of the values that are lists, the last name turning fastest.
fn combinations(fields: &Fields) -> Result<Vec<Fields>, StretchError> {
    let mut all = vec![Fields::new()];
    for (name, value) in fields {
        let values = match value {
            Value::Array(values) if values.is_empty() => {
                return Err(field_error(format!("{name} is an empty list")));
            }
            Value::Array(values) => values.clone(),
            single => vec![single.clone()],
        };
        if all.len().saturating_mul(values.len()) > MAX_DRAWS {
            return Err(field_error(format!(
                "the lists make more than {MAX_DRAWS} combinations of sizes and methods"
            )));
        }
        let with = |fields: &Fields, value: &Value| {
            let mut fields = fields.clone();
            fields.insert(name.clone(), value.clone());
            fields
        };
        all =
            all.iter().flat_map(|fields| values.iter().map(|value| with(fields, value))).collect();
    }
    Ok(all)
}

fn one_draw(mut fields: Fields) -> Result<(AnyShape, Method), StretchError> {
    let mut name = |field: &str, default: &str| match fields.remove(field) {
        None => Ok(default.to_owned()),
        Some(Value::String(name)) => Ok(name),
        Some(other) => Err(field_error(format!("{field} = {other} is no name"))),
    };
    let puzzle = name(PUZZLE, DEFAULT_PUZZLE)?;
    let method = name(METHOD, Method::default().name())?.parse().map_err(field_error)?;
    Ok((AnyShape::from_fields(&puzzle, fields)?, method))
}

/// The fields of the size and the method depend on the puzzle, and may be lists.
impl JsonSchema for Stretch {
    fn schema_name() -> Cow<'static, str> {
        "Stretch".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Common::json_schema(generator)
    }
}

impl Serialize for Stretch {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Stretch {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_fields(Fields::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
