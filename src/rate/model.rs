//! The difficulty model: weights of features, read from a file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::features::FEATURES;
use super::{Rating, rounded};

/// Version of the embedded model and of the figures that it weighs; part of what decides a pack's
/// bytes.
pub const MODEL_VERSION: u32 = 2;

/// Weights of the features, with where they come from.
///
/// ```
/// use pourfect::rate::Model;
/// let text = "name = 'ours'\ncalibration = 'beta test'\n[weights]\nrandom_player = 0.3";
/// assert_eq!(Model::parse(text)?.name, "ours");
/// assert!(Model::parse("name = 'a'\ncalibration = 'b'\n[weights]\nrandom_player = -1.0").is_err());
/// # Ok::<(), pourfect::rate::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The model's name, which stands in every pack.
    pub name: String,
    /// Where the weights come from.
    pub calibration: String,
    /// Weights by feature, and `base`; those left out are 0.
    pub weights: BTreeMap<String, f64>,
}

/// A model that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// Not TOML, or not a model.
    #[error("the model cannot be read: {0}")]
    Syntax(String),
    /// A weight for something that is no feature.
    #[error("weights.{name}: no such feature; known are {BASE}, {}", names())]
    UnknownFeature {
        /// What was weighed.
        name: String,
    },
    /// A weight that would count backward.
    #[error("weights.{name} = {weight}: a weight is 0 or more")]
    Weight {
        /// The feature.
        name: String,
        /// Its weight.
        weight: f64,
    },
}

fn names() -> String {
    FEATURES.iter().map(|feature| feature.name).collect::<Vec<_>>().join(", ")
}

/// The weight that every level has.
pub(super) const BASE: &str = "base";

/// What a model says of a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Prediction {
    pub difficulty: f64,
    pub win_rate: f64,
    /// Points of difficulty by feature, in the order of [`FEATURES`]; they and those of the base
    /// add up to the difficulty.
    pub contributions: BTreeMap<String, f64>,
}

impl Model {
    /// The model that ships with the program.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Model> = LazyLock::new(|| {
            Model::parse(include_str!("model.toml")).expect("a test parses the embedded model")
        });
        &EMBEDDED
    }

    /// Reads a model.
    ///
    /// # Errors
    /// The text is not TOML, or weighs what it may not.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let model: Self =
            toml::from_str(text).map_err(|error| ModelError::Syntax(error.to_string()))?;
        for (name, &weight) in &model.weights {
            let is_known = name == BASE || FEATURES.iter().any(|feature| feature.name == name);
            if !is_known {
                return Err(ModelError::UnknownFeature { name: name.clone() });
            }
            if !(weight >= 0.0 && weight.is_finite()) {
                return Err(ModelError::Weight { name: name.clone(), weight });
            }
        }
        Ok(model)
    }

    pub(super) fn weight(&self, name: &str) -> f64 {
        self.weights.get(name).copied().unwrap_or(0.0)
    }

    pub(super) fn predict(&self, rating: &Rating) -> Prediction {
        let terms: Vec<f64> = FEATURES
            .iter()
            .map(|feature| self.weight(feature.name) * (feature.value)(rating))
            .collect();
        let total = self.weight(BASE) + terms.iter().sum::<f64>();
        let win_rate = libm::exp(-total);
        let difficulty = 100.0 * (1.0 - win_rate);
        let points = |term: f64| if total > 0.0 { difficulty * term / total } else { 0.0 };
        let contribution = |(feature, &term): (&super::features::Feature, &f64)| {
            (feature.name.to_owned(), rounded(points(term)))
        };
        Prediction {
            difficulty: (difficulty * 100.0).round() / 100.0,
            win_rate: rounded(win_rate),
            contributions: FEATURES.iter().zip(&terms).map(contribution).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_model_weighs_only_what_there_is() {
        assert_eq!(Model::embedded().name, format!("embedded-{MODEL_VERSION}"));
    }

    #[test]
    fn a_model_with_a_wrong_weight_is_refused() {
        let model = |weight: &str| format!("name = 'x'\ncalibration = ''\n[weights]\n{weight}");
        let error = Model::parse(&model("luck = 1.0")).unwrap_err().to_string();
        assert!(error.contains("weights.luck") && error.contains("random_player"), "{error}");
        let error = Model::parse(&model("base = -0.5")).unwrap_err();
        assert_eq!(error, ModelError::Weight { name: "base".into(), weight: -0.5 });
        assert!(Model::parse(&model("base = nan")).is_err());
    }
}
