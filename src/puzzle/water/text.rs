//! Levels as text, and as the tubes of JSON files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Color, Goal, PourRule, Tube, Water, WaterError, WaterRules};
use crate::puzzle::Fields;

/// A tube in a JSON file: a string as in text, or a list of color numbers, bottom first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum TubeText {
    /// Symbols, bottom first.
    Symbols(String),
    /// Color numbers, bottom first.
    Numbers(Vec<i64>),
}

impl TubeText {
    /// The units, bottom first.
    ///
    /// # Errors
    /// A symbol or number is no color, or lies over a hole. `tube` is the number for the message.
    pub fn units(&self, tube: usize) -> Result<Vec<Color>, WaterError> {
        match self {
            Self::Symbols(text) => read_tube(tube, text),
            Self::Numbers(numbers) => {
                let color = |(height, &number): (usize, &i64)| {
                    usize::try_from(number)
                        .ok()
                        .and_then(Color::new)
                        .ok_or(WaterError::UnknownNumber { tube, height, number })
                };
                numbers.iter().enumerate().map(color).collect()
            }
        }
    }
}

/// Reads the symbols of one tube; `-` is a blank and may stand above the units only.
fn read_tube(tube: usize, text: &str) -> Result<Vec<Color>, WaterError> {
    let mut units = Vec::new();
    for (height, symbol) in text.trim().chars().enumerate() {
        match (symbol, Color::from_symbol(symbol)) {
            ('-', _) => {}
            (_, Some(_)) if units.len() < height => return Err(WaterError::Hole { tube, height }),
            (_, Some(color)) => units.push(color),
            ('?', None) => return Err(WaterError::Hidden { tube, height }),
            (_, None) => return Err(WaterError::UnknownSymbol { tube, height, symbol }),
        }
    }
    Ok(units)
}

impl Water {
    /// Reads a level: tubes bottom first, separated by `|` (an empty tube is nothing or `-`), or
    /// one tube a line (an empty tube is `-`, blank lines do not count). Without a capacity the
    /// longest tube's height is taken.
    ///
    /// # Errors
    /// What is wrong, with the tube or color.
    pub fn parse(
        text: &str,
        capacity: Option<u8>,
        pour: PourRule,
        goal: Goal,
    ) -> Result<Self, WaterError> {
        let tubes: Vec<&str> = if text.contains('|') {
            text.trim_matches(['\r', '\n']).split('|').collect()
        } else {
            text.lines().filter(|line| !line.trim().is_empty()).collect()
        };
        let tubes: Vec<_> =
            tubes.into_iter().map(|tube| TubeText::Symbols(tube.to_owned())).collect();
        Self::from_tubes(&tubes, capacity, pour, goal)
    }

    /// Checks the tubes of a file. Without a capacity the longest tube's height is taken.
    ///
    /// # Errors
    /// What is wrong, with the tube or color.
    pub fn from_tubes(
        tubes: &[TubeText],
        capacity: Option<u8>,
        pour: PourRule,
        goal: Goal,
    ) -> Result<Self, WaterError> {
        let read = |(tube, text): (usize, &TubeText)| text.units(tube);
        let tubes = tubes.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        let longest = tubes.iter().map(Vec::len).max().unwrap_or(0);
        let capacity = match capacity {
            Some(capacity) => capacity,
            None => u8::try_from(longest).map_err(|_| WaterError::Capacity(longest as u64))?,
        };
        Self::new(WaterRules { capacity, pour, goal }, tubes)
    }
}

/// The fields of a level in a file.
#[derive(Deserialize)]
struct Record {
    capacity: Option<u64>,
    #[serde(default)]
    pour: Option<String>,
    #[serde(default)]
    goal: Option<String>,
    #[serde(default)]
    tubes: Option<Vec<TubeText>>,
}

impl Record {
    fn read(fields: Fields) -> Result<Self, WaterError> {
        serde_json::from_value(fields.into()).map_err(|error| WaterError::Fields(error.to_string()))
    }

    fn capacity(&self) -> Result<Option<u8>, WaterError> {
        let narrow = |capacity| u8::try_from(capacity).map_err(|_| WaterError::Capacity(capacity));
        self.capacity.map(narrow).transpose()
    }

    fn pour(&self) -> Result<PourRule, WaterError> {
        self.pour.as_deref().map_or(Ok(PourRule::default()), str::parse)
    }

    fn goal(&self) -> Result<Goal, WaterError> {
        self.goal.as_deref().map_or(Ok(Goal::default()), str::parse)
    }
}

pub(super) fn from_fields(fields: Fields) -> Result<Water, WaterError> {
    let record = Record::read(fields)?;
    let tubes = record.tubes.as_deref().ok_or(WaterError::NoTubes)?;
    Water::from_tubes(tubes, record.capacity()?, record.pour()?, record.goal()?)
}

pub(super) fn from_text(text: &str, fields: Fields) -> Result<Water, WaterError> {
    let record = Record::read(fields)?;
    Water::parse(text, record.capacity()?, record.pour()?, record.goal()?)
}

/// The fields of a level as they are written.
#[derive(Serialize, JsonSchema)]
pub(super) struct Written {
    #[serde(flatten)]
    rules: WaterRules,
    /// The tubes, a character per unit, bottom first.
    tubes: Vec<String>,
}

pub(super) fn fields(level: &Water) -> Fields {
    let tubes = level.tubes.iter().map(Tube::to_string).collect();
    crate::puzzle::to_fields(&Written { rules: level.rules, tubes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, capacity: impl Into<Option<u8>>) -> Result<String, WaterError> {
        Water::parse(text, capacity.into(), PourRule::Max, Goal::Sorted)
            .map(|level| level.to_string())
    }

    #[test]
    fn bars_and_lines_read_the_same() {
        assert_eq!(parse("RGRG|GRGR||", None).unwrap(), "RGRG|GRGR||");
        assert_eq!(parse("RGRG\n\nGRGR\r\n-\n----\n", 4).unwrap(), "RGRG|GRGR||");
        assert_eq!(parse("A-|-|A\n", 2).unwrap(), "A||A");
    }

    #[test]
    fn sixty_two_colors_have_symbols() {
        for number in 0..super::super::MAX_COLORS {
            let color = Color::new(number).unwrap();
            assert_eq!(Color::from_symbol(color.symbol()), Some(color));
        }
        assert_eq!(Color::new(62), None);
    }

    #[test]
    fn faults_name_their_place() {
        assert_eq!(parse("-A|A-", 2), Err(WaterError::Hole { tube: 0, height: 1 }));
        assert_eq!(parse("AA|B?", 2), Err(WaterError::Hidden { tube: 1, height: 1 }));
        let symbol = WaterError::UnknownSymbol { tube: 1, height: 0, symbol: 'é' };
        assert_eq!(parse("AA|é", 2), Err(symbol));
        let over = WaterError::OverCapacity { tube: 0, holds: 3, capacity: 2 };
        assert_eq!(parse("AAA|A", 2), Err(over));
        assert_eq!(parse("", None), Err(WaterError::Capacity(0)));
        assert_eq!(
            parse("AB|B", 2).unwrap_err().to_string().split(':').next(),
            Some("color A with 1 unit cannot fill tubes of 2")
        );
    }

    #[test]
    fn numbers_are_colors() {
        let tubes = [TubeText::Numbers(vec![0, 61]), TubeText::Symbols("9A".into())];
        let level = Water::from_tubes(&tubes, None, PourRule::Max, Goal::Sorted).unwrap();
        assert_eq!(level.to_string(), "A9|9A");
        let tubes = [TubeText::Numbers(vec![0, -1])];
        let error = Water::from_tubes(&tubes, None, PourRule::Max, Goal::Sorted).unwrap_err();
        assert_eq!(error, WaterError::UnknownNumber { tube: 0, height: 1, number: -1 });
    }
}
