//! Target curves: the difficulty that a stretch asks for, level by level.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The difficulties that the levels of a stretch should have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Target {
    /// One for every level.
    List(Vec<f64>),
    /// A curve through points, or a ramp with teeth and spikes.
    Curve(Curve),
}

/// A curve over a stretch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Curve {
    /// Straight lines between points.
    Points(Points),
    /// A ramp from one difficulty to another.
    Ramp(Ramp),
}

/// Straight lines between points `[place, difficulty]`; the first level is at place 0, the last at
/// place 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// The points, by rising place.
    pub points: Vec<[f64; 2]>,
}

/// A ramp, perhaps a sawtooth, perhaps with spikes that are followed by a breather.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// Difficulty of the first level.
    pub from: f64,
    /// Difficulty of the last level.
    pub to: f64,
    /// Levels of one tooth: after so many the curve falls back by `drop`. 0 for no teeth.
    #[serde(default)]
    pub tooth: u32,
    /// How far the curve falls back after a tooth; within the tooth it rises by as much again.
    #[serde(default)]
    pub drop: f64,
    /// Every so manieth level is a spike, and the one after it a breather. 0 for no spikes.
    #[serde(default)]
    pub spike_every: u32,
    /// How far a spike stands above the curve.
    #[serde(default)]
    pub spike: f64,
    /// How far a breather lies below the curve.
    #[serde(default)]
    pub breather: f64,
}

/// A target that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TargetError {
    /// A list of another length than the stretch.
    #[error("target lists {listed} difficulties for {levels} levels")]
    Length {
        /// Difficulties in the list.
        listed: usize,
        /// Levels of the stretch.
        levels: u32,
    },
    /// A number that is no difficulty.
    #[error("target {0} is no difficulty: they go from 0 to 100")]
    Range(f64),
    /// Points that do not rise from 0 to 1.
    #[error("target points must have rising places within 0 to 1, and there must be at least one")]
    Points,
}

impl Target {
    /// The difficulty asked of each of `levels` levels, from 0 to 100.
    ///
    /// # Errors
    /// A list of another length, points that do not rise, numbers that are no difficulties.
    pub fn difficulties(&self, levels: u32) -> Result<Vec<f64>, TargetError> {
        match self {
            Self::List(list) if list.len() == levels as usize => {
                list.iter().map(|&difficulty| in_range(difficulty)).collect()
            }
            Self::List(list) => Err(TargetError::Length { listed: list.len(), levels }),
            Self::Curve(Curve::Points(points)) => points.difficulties(levels),
            Self::Curve(Curve::Ramp(ramp)) => ramp.difficulties(levels),
        }
    }
}

fn in_range(difficulty: f64) -> Result<f64, TargetError> {
    let fits = (0.0..=100.0).contains(&difficulty);
    if fits { Ok(difficulty) } else { Err(TargetError::Range(difficulty)) }
}

/// Where level `index` of `levels` stands, from 0 to 1.
fn place(index: u32, levels: u32) -> f64 {
    f64::from(index) / f64::from(levels.saturating_sub(1).max(1))
}

impl Points {
    fn difficulties(&self, levels: u32) -> Result<Vec<f64>, TargetError> {
        let rising = self.points.windows(2).all(|pair| pair[0][0] < pair[1][0]);
        let inside = self.points.iter().all(|[place, _]| (0.0..=1.0).contains(place));
        if self.points.is_empty() || !rising || !inside {
            return Err(TargetError::Points);
        }
        self.points.iter().try_for_each(|&[_, difficulty]| in_range(difficulty).map(drop))?;
        Ok((0..levels).map(|index| self.at(place(index, levels))).collect())
    }

    /// Level before the first point and after the last.
    fn at(&self, place: f64) -> f64 {
        let after = self.points.partition_point(|[point, _]| *point <= place);
        match (after.checked_sub(1).map(|before| self.points[before]), self.points.get(after)) {
            (Some([left, low]), Some([right, high])) => {
                low + (high - low) * (place - left) / (right - left)
            }
            (Some([_, difficulty]), None) | (None, Some(&[_, difficulty])) => difficulty,
            (None, None) => 0.0,
        }
    }
}

impl Ramp {
    fn difficulties(&self, levels: u32) -> Result<Vec<f64>, TargetError> {
        for difficulty in [self.from, self.to, self.drop, self.spike, self.breather] {
            in_range(difficulty)?;
        }
        Ok((0..levels).map(|index| self.at(index, levels)).collect())
    }

    fn at(&self, index: u32, levels: u32) -> f64 {
        let mut difficulty = self.from + (self.to - self.from) * place(index, levels);
        if self.tooth > 1 {
            let within = f64::from(index % self.tooth) / f64::from(self.tooth - 1);
            difficulty += self.drop * (within - 0.5);
        }
        if self.spike_every > 0 {
            let number = index + 1;
            if number.is_multiple_of(self.spike_every) {
                difficulty += self.spike;
            } else if index > 0 && index.is_multiple_of(self.spike_every) {
                difficulty -= self.breather;
            }
        }
        difficulty.clamp(0.0, 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(toml: &str, levels: u32) -> Result<Vec<f64>, TargetError> {
        #[derive(Deserialize)]
        struct File {
            target: Target,
        }
        let file: File = toml::from_str(&format!("target = {toml}")).unwrap();
        file.target.difficulties(levels)
    }

    #[test]
    fn lists_points_and_ramps_give_one_difficulty_a_level() {
        assert_eq!(target("[1, 2.5]", 2).unwrap(), [1.0, 2.5]);
        let points = "{ points = [[0, 10], [0.5, 30], [1, 10]] }";
        assert_eq!(target(points, 5).unwrap(), [10.0, 20.0, 30.0, 20.0, 10.0]);
        assert_eq!(target("{ from = 10, to = 40 }", 4).unwrap(), [10.0, 20.0, 30.0, 40.0]);
        assert_eq!(target("{ from = 10, to = 40 }", 1).unwrap(), [10.0]);
    }

    #[test]
    fn teeth_fall_back_and_breathers_follow_spikes() {
        let teeth = target("{ from = 50, to = 50, tooth = 3, drop = 20 }", 6).unwrap();
        assert_eq!(teeth, [40.0, 50.0, 60.0, 40.0, 50.0, 60.0]);
        let spikes = "{ from = 50, to = 50, spike_every = 3, spike = 30, breather = 20 }";
        assert_eq!(target(spikes, 6).unwrap(), [50.0, 50.0, 80.0, 30.0, 50.0, 80.0]);
    }

    #[test]
    fn targets_that_cannot_be_are_refused() {
        assert_eq!(target("[1]", 2), Err(TargetError::Length { listed: 1, levels: 2 }));
        assert_eq!(target("[101]", 1), Err(TargetError::Range(101.0)));
        assert_eq!(target("{ points = [[0.5, 1], [0.5, 2]] }", 1), Err(TargetError::Points));
        assert_eq!(target("{ from = -1, to = 2 }", 2), Err(TargetError::Range(-1.0)));
    }
}
