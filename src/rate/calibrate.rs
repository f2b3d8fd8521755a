//! Fits a model's weights to what players did.

use std::collections::BTreeMap;

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::storage::Owned;
use nalgebra::{DMatrix, DVector, Dyn};
use serde::Deserialize;
use serde_json::Value;

use super::model::{BASE, Model};
use super::statistics::{rank_correlation, rank_correlation_within, root_mean_square_error};
use super::{FEATURES, Rating, features, rounded};
use crate::puzzle::{Fields, Level};
use crate::random::{Stream, StreamId};

/// What players did on a level, as one line of telemetry says it.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The level.
    pub level: Level,
    /// What was measured.
    pub measure: Measure,
}

/// A measured difficulty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// Share of attempts won, from 0 to 1.
    WinRate(f64),
    /// Mean number of attempts until a win, 1 or more.
    Attempts(f64),
    /// How hard players found it, on any scale, higher being harder.
    Rating(f64),
}

/// Telemetry that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TelemetryError {
    /// Not a level.
    #[error("{0}")]
    Level(String),
    /// Nothing measured.
    #[error("no number `win_rate`, `attempts` or `rating`")]
    NoMeasure,
    /// A number out of range.
    #[error("{field} = {value} is out of range: {range}")]
    Range {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// Too little to fit weights to.
    #[error("{levels} levels with a measure: a fit takes {} or more", Sample::FEWEST)]
    TooFew {
        /// How many there are.
        levels: usize,
    },
    /// Ratings that say nothing.
    #[error("all ratings are {0}: they tell no level from another")]
    Constant(f64),
}

impl Observation {
    /// Reads one line: a level's fields and `win_rate`, `attempts` or `rating`.
    ///
    /// # Errors
    /// The line is not a level, or measures nothing that makes sense.
    pub fn parse(line: &str) -> Result<Self, TelemetryError> {
        let level_error = |error: serde_json::Error| TelemetryError::Level(error.to_string());
        let fields: Fields = serde_json::from_str(line).map_err(level_error)?;
        let measure = Measure::of(&fields)?;
        let level = Level::deserialize(Value::Object(fields)).map_err(level_error)?;
        Ok(Self { level, measure })
    }
}

impl Measure {
    fn of(fields: &Fields) -> Result<Self, TelemetryError> {
        let number = |name: &str| fields.get(name).and_then(Value::as_f64);
        if let Some(value) = number("win_rate") {
            let error = TelemetryError::Range { field: "win_rate", value, range: "0 to 1" };
            return if (0.0..=1.0).contains(&value) {
                Ok(Self::WinRate(value))
            } else {
                Err(error)
            };
        }
        if let Some(value) = number("attempts") {
            let error = TelemetryError::Range { field: "attempts", value, range: "1 or more" };
            return if value >= 1.0 { Ok(Self::Attempts(value)) } else { Err(error) };
        }
        number("rating").map(Self::Rating).ok_or(TelemetryError::NoMeasure)
    }
}

/// A rated level with what was measured.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Its fingerprint: the same level is never held out and fitted at once.
    fingerprint: u64,
    /// Puzzle and number of stacks.
    size: (&'static str, usize),
    features: Vec<f64>,
    optimal_length: f64,
    measure: Measure,
}

impl Sample {
    /// Fewest samples that a fit takes.
    pub const FEWEST: usize = 20;

    /// Puts a rating beside what was measured.
    pub fn new(observation: &Observation, rating: &Rating) -> Self {
        let level = &observation.level;
        Self {
            fingerprint: level.fingerprint(),
            size: (level.puzzle(), level.stacks().len()),
            features: features(rating),
            optimal_length: rating.optimal_length.into(),
            measure: observation.measure,
        }
    }
}

/// How well held-out predictions agree with what was measured. Intervals hold 95 of 100 bootstrap
/// samples of the levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// Rank correlation of difficulty over all levels.
    pub rank_correlation: Interval,
    /// The same within sizes.
    pub within_size: Interval,
    /// Root mean square error of the predicted win rate.
    pub root_mean_square_error: f64,
}

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Where the interval begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
}

/// A fitted model with how well its kind predicts levels that it was not fitted to.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// Fitted to all levels.
    pub model: Model,
    /// Levels that it was fitted to.
    pub levels: usize,
    /// Cross-validated.
    pub scores: Scores,
    /// Cross-validated, with nothing but the optimal length.
    pub by_length: Scores,
}

/// Parts of the cross-validation.
const FOLDS: u64 = 10;

/// Fits the weights of a model to samples.
///
/// # Errors
/// There are too few samples, or they say nothing.
pub fn calibrate(name: &str, samples: &[Sample]) -> Result<Calibration, TelemetryError> {
    if samples.len() < Sample::FEWEST {
        return Err(TelemetryError::TooFew { levels: samples.len() });
    }
    let win_rates = win_rates(samples)?;
    let with_base = |sample: &Sample| [&[1.0], &sample.features[..]].concat();
    let rows: Vec<Vec<f64>> = samples.iter().map(with_base).collect();
    let lengths: Vec<Vec<f64>> =
        samples.iter().map(|sample| vec![1.0, sample.optimal_length]).collect();
    let weights = fit(&rows, &win_rates);
    let names = std::iter::once(BASE).chain(FEATURES.iter().map(|feature| feature.name));
    let weights: BTreeMap<String, f64> =
        names.zip(weights).map(|(name, weight)| (name.to_owned(), rounded(weight))).collect();
    let calibration = format!("{} levels with measured {}", samples.len(), measures(samples));
    Ok(Calibration {
        model: Model { name: name.to_owned(), calibration, weights },
        levels: samples.len(),
        scores: scores(samples, &held_out(samples, &rows, &win_rates), &win_rates),
        by_length: scores(samples, &held_out(samples, &lengths, &win_rates), &win_rates),
    })
}

/// What was measured, as win rates. Ratings are spread evenly from 1 for the easiest to 0.05 for
/// the hardest, for a win rate of 0 is infinitely hard.
fn win_rates(samples: &[Sample]) -> Result<Vec<f64>, TelemetryError> {
    let ratings = samples.iter().filter_map(|sample| match sample.measure {
        Measure::Rating(rating) => Some(rating),
        Measure::WinRate(_) | Measure::Attempts(_) => None,
    });
    let (least, most) = ratings
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), rating| {
            (least.min(rating), most.max(rating))
        });
    if least == most {
        return Err(TelemetryError::Constant(least));
    }
    let win_rate = |sample: &Sample| match sample.measure {
        Measure::WinRate(rate) => rate,
        Measure::Attempts(attempts) => 1.0 / attempts,
        Measure::Rating(rating) => 1.0 - 0.95 * (rating - least) / (most - least),
    };
    Ok(samples.iter().map(win_rate).collect())
}

fn measures(samples: &[Sample]) -> String {
    let name = |sample: &Sample| match sample.measure {
        Measure::WinRate(_) => "win rates",
        Measure::Attempts(_) => "attempts",
        Measure::Rating(_) => "ratings",
    };
    let mut names: Vec<&str> = samples.iter().map(name).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// Predicts every level by weights fitted to the levels of other folds.
fn held_out(samples: &[Sample], rows: &[Vec<f64>], win_rates: &[f64]) -> Vec<f64> {
    let mut predicted = vec![0.0; samples.len()];
    for fold in 0..FOLDS {
        let is_held = |index: &usize| samples[*index].fingerprint % FOLDS == fold;
        let (held, kept): (Vec<usize>, Vec<usize>) = (0..samples.len()).partition(is_held);
        let kept_rows: Vec<Vec<f64>> = kept.iter().map(|&index| rows[index].clone()).collect();
        let kept_rates: Vec<f64> = kept.iter().map(|&index| win_rates[index]).collect();
        let weights = fit(&kept_rows, &kept_rates);
        for index in held {
            predicted[index] = libm::exp(-dot(&weights, &rows[index]));
        }
    }
    predicted
}

fn dot(weights: &[f64], row: &[f64]) -> f64 {
    weights.iter().zip(row).map(|(weight, value)| weight * value).sum()
}

/// Bootstrap samples behind an interval.
const BOOTSTRAPS: u32 = 1000;

fn scores(samples: &[Sample], predicted: &[f64], measured: &[f64]) -> Scores {
    let sizes: Vec<_> = samples.iter().map(|sample| sample.size).collect();
    let interval = |score: &dyn Fn(&[usize]) -> f64| {
        let all: Vec<usize> = (0..samples.len()).collect();
        let count = samples.len() as u32;
        let mut random = Stream::new(StreamId { seed: 0, index: 0, attempt: 0 }, 1);
        let mut values: Vec<f64> = (0..BOOTSTRAPS)
            .map(|_| score(&all.iter().map(|_| random.below(count) as usize).collect::<Vec<_>>()))
            .collect();
        values.sort_by(f64::total_cmp);
        let tail = values.len() / 40;
        Interval { value: score(&all), from: values[tail], to: values[values.len() - 1 - tail] }
    };
    let pick = |values: &[f64], chosen: &[usize]| -> Vec<f64> {
        chosen.iter().map(|&index| values[index]).collect()
    };
    Scores {
        rank_correlation: interval(&|chosen| {
            rank_correlation(&pick(predicted, chosen), &pick(measured, chosen))
        }),
        within_size: interval(&|chosen| {
            let sizes: Vec<_> = chosen.iter().map(|&index| sizes[index]).collect();
            rank_correlation_within(&sizes, &pick(predicted, chosen), &pick(measured, chosen))
        }),
        root_mean_square_error: root_mean_square_error(predicted, measured),
    }
}

/// A term that is less than this on the mean level is none.
const NEGLIGIBLE: f64 = 1e-6;

/// The weights, none negative, whose predictions exp(-weights x row) come nearest to the win rates
/// in the sum of squares. A weight is the square of a free parameter, which Levenberg and
/// Marquardt's method then finds.
fn fit(rows: &[Vec<f64>], win_rates: &[f64]) -> Vec<f64> {
    let count = rows.first().map_or(0, Vec::len);
    // Columns are scaled to a mean of 1, or the method would start far off.
    let scale: Vec<f64> = (0..count)
        .map(|column| rows.iter().map(|row| row[column]).sum::<f64>() / rows.len() as f64)
        .map(|mean| if mean > 0.0 { mean } else { 1.0 })
        .collect();
    let scaled =
        DMatrix::from_fn(rows.len(), count, |row, column| rows[row][column] / scale[column]);
    let start = libm::sqrt(0.5 / count as f64);
    let problem = Fit {
        rows: scaled,
        win_rates: DVector::from_column_slice(win_rates),
        roots: DVector::from_element(count, start),
    };
    let (problem, _) = LevenbergMarquardt::new().minimize(problem);
    let weight = |(root, scale): (&f64, &f64)| {
        let term = root * root;
        if term < NEGLIGIBLE { 0.0 } else { term / scale }
    };
    problem.roots.iter().zip(&scale).map(weight).collect()
}

struct Fit {
    rows: DMatrix<f64>,
    win_rates: DVector<f64>,
    roots: DVector<f64>,
}

impl Fit {
    fn predicted(&self) -> DVector<f64> {
        let weights = self.roots.map(|root| root * root);
        (&self.rows * weights).map(|total| libm::exp(-total))
    }
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Fit {
    type ParameterStorage = Owned<f64, Dyn>;
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;

    fn set_params(&mut self, roots: &DVector<f64>) {
        self.roots.copy_from(roots);
    }

    fn params(&self) -> DVector<f64> {
        self.roots.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        Some(self.predicted() - &self.win_rates)
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let predicted = self.predicted();
        Some(DMatrix::from_fn(self.rows.nrows(), self.rows.ncols(), |row, column| {
            -predicted[row] * 2.0 * self.roots[column] * self.rows[(row, column)]
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels of three sizes whose win rates follow known weights.
    fn synthetic(noise: f64) -> Vec<Sample> {
        let mut random = Stream::new(StreamId { seed: 5, index: 0, attempt: 0 }, 1);
        let mut unit = || f64::from(random.below(10_000)) / 10_000.0;
        (0..300)
            .map(|index| {
                let mut features: Vec<f64> = FEATURES.iter().map(|_| unit()).collect();
                features[1] *= 30.0;
                let total = 0.1 + 0.5 * features[0] + 0.02 * features[1];
                let win_rate = libm::exp(-total) + noise * (unit() - 0.5);
                Sample {
                    fingerprint: index,
                    size: ("synthetic", index as usize % 3),
                    optimal_length: 20.0 + features[1],
                    features,
                    measure: Measure::WinRate(win_rate.clamp(0.0, 1.0)),
                }
            })
            .collect()
    }

    #[test]
    fn known_weights_are_found_again() {
        let calibration = calibrate("known", &synthetic(0.0)).unwrap();
        let weight = |name: &str| calibration.model.weights[name];
        assert!((weight("base") - 0.1).abs() < 0.01, "{:?}", calibration.model);
        assert!((weight("random_player") - 0.5).abs() < 0.01);
        assert!((weight("optimal_length") - 0.02).abs() < 0.001);
        assert!(weight("dead_end_density") < 0.01);
        assert!(calibration.scores.rank_correlation.value > 0.99);
        assert!(calibration.scores.root_mean_square_error < 0.01);
    }

    #[test]
    fn held_out_levels_are_predicted_better_than_by_length_alone() {
        let Calibration { scores, by_length, .. } = calibrate("noisy", &synthetic(0.1)).unwrap();
        assert!(scores.rank_correlation.from > by_length.rank_correlation.to);
        assert!(scores.root_mean_square_error < by_length.root_mean_square_error);
        let Interval { value, from, to } = scores.within_size;
        assert!(from < value && value < to && to - from < 0.2, "{from} {value} {to}");
    }

    #[test]
    fn no_weight_is_negative_even_where_the_data_run_backward() {
        let mut samples = synthetic(0.0);
        for sample in &mut samples {
            sample.features[0] = 1.0 - sample.features[0];
        }
        let calibration = calibrate("backward", &samples).unwrap();
        assert!(calibration.model.weights.values().all(|&weight| weight >= 0.0));
        assert!(calibration.model.weights["random_player"] < 0.01);
    }

    #[test]
    fn telemetry_without_a_usable_measure_is_refused() {
        let parse = |measure: &str| {
            Observation::parse(&format!(r#"{{"tubes":["RGRG","GRGR","",""]{measure}}}"#))
        };
        assert_eq!(parse(r#","attempts":4"#).unwrap().measure, Measure::Attempts(4.0));
        assert_eq!(parse(""), Err(TelemetryError::NoMeasure));
        assert!(matches!(parse(r#","win_rate":1.5"#), Err(TelemetryError::Range { .. })));
        assert!(matches!(parse(r#","attempts":0"#), Err(TelemetryError::Range { .. })));
        assert!(matches!(Observation::parse("{}"), Err(TelemetryError::NoMeasure)));
        let few = calibrate("few", &synthetic(0.0)[..10]);
        assert_eq!(few, Err(TelemetryError::TooFew { levels: 10 }));
    }
}
