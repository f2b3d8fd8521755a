//! Units as numbers or names in lists, as most games write them.

use serde_json::Value;

use super::{ConvertError, File, Options};
use crate::puzzle::water::{Color, Goal, MAX_COLORS, PourRule, Water, WaterError, WaterRules};
use crate::puzzle::{Fields, Level, LevelError};

/// What 0 stands for in lists of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// The first color.
    Color,
    /// A place without a unit; the first color is 1.
    Empty,
}

/// Reads the units of a file's levels.
pub(super) struct Reader<'a> {
    options: &'a Options,
    zero: Option<Zero>,
    names: Vec<String>,
}

/// A fault in a tube, before its level is known.
type Fault = String;

impl<'a> Reader<'a> {
    pub fn new(options: &'a Options, zero: Option<Zero>) -> Self {
        Self { options, zero, names: options.names.clone() }
    }

    /// The level of some tubes, each a list of numbers or names; blanks may pad the tubes' tops.
    /// The capacity is the options', or the length of the longest list.
    pub fn level<'v>(
        &mut self,
        level: usize,
        tubes: impl IntoIterator<Item = &'v [Value]>,
        rules: &Fields,
    ) -> Result<Level, ConvertError> {
        let mut longest = 0;
        let mut read = Vec::new();
        for (tube, cells) in tubes.into_iter().enumerate() {
            longest = longest.max(cells.len());
            let units = self.units(cells);
            read.push(units.map_err(|reason| ConvertError::Tube { level, tube, reason })?);
        }
        let water = rules_of(rules, longest).and_then(|rules| Water::new(rules, read));
        water
            .map(Level::from)
            .map_err(|error| ConvertError::Level { level, source: LevelError::from(error) })
    }

    fn units(&mut self, cells: &[Value]) -> Result<Vec<Color>, Fault> {
        let mut units = cells.iter().map(|cell| self.unit(cell)).collect::<Result<Vec<_>, _>>()?;
        if self.options.top_first {
            units.reverse();
        }
        while units.last() == Some(&None) {
            units.pop();
        }
        match units.iter().position(Option::is_none) {
            Some(height) => Err(format!("there is a hole at height {height}")),
            None => Ok(units.into_iter().flatten().collect()),
        }
    }

    fn unit(&mut self, cell: &Value) -> Result<Option<Color>, Fault> {
        match cell {
            Value::Null => Ok(None),
            Value::String(name) if name.is_empty() => Ok(None),
            Value::String(name) => self.named(name).map(Some),
            Value::Number(number) => match (number.as_u64(), self.zero) {
                (Some(0), Some(Zero::Empty)) => Ok(None),
                (Some(number), Some(zero)) => {
                    let first = u64::from(zero == Zero::Empty);
                    let color = usize::try_from(number - first).ok().and_then(Color::new);
                    color.map(Some).ok_or_else(|| {
                        let last = MAX_COLORS as u64 - 1 + first;
                        format!("{number} is no color: they are {first} to {last}")
                    })
                }
                (Some(number), None) => Err(format!("{number} is a number, not a name")),
                (None, _) => Err(format!("{number} is no color")),
            },
            other => Err(format!("{other} is no unit")),
        }
    }

    /// The color of a name. Without a given list, names are numbered as they come.
    fn named(&mut self, name: &str) -> Result<Color, Fault> {
        if self.zero.is_some() {
            return Err(format!("{name:?} is a name, not a number"));
        }
        let known = self.names.iter().position(|known| known == name);
        let number = match known {
            Some(number) => number,
            None if self.options.names.is_empty() => {
                self.names.push(name.to_owned());
                self.names.len() - 1
            }
            None => return Err(format!("{name:?} is not among the given names")),
        };
        Color::new(number).ok_or_else(|| format!("{name:?} is color number {number}"))
    }

    /// The file of the levels that were read.
    pub fn file(self, entries: Vec<super::Entry>) -> File {
        let names = if self.zero.is_some() { Vec::new() } else { self.names };
        File { entries, names }
    }
}

fn rules_of(fields: &Fields, longest: usize) -> Result<WaterRules, WaterError> {
    let text = |name: &str| fields.get(name).map(|v| v.as_str().unwrap_or_default());
    let capacity = fields.get("capacity").map(|v| v.as_u64().unwrap_or(u64::MAX));
    let capacity = capacity.unwrap_or(longest as u64);
    Ok(WaterRules {
        capacity: u8::try_from(capacity).map_err(|_| WaterError::Capacity(capacity))?,
        pour: text("pour").map_or(Ok(PourRule::default()), str::parse)?,
        goal: text("goal").map_or(Ok(Goal::default()), str::parse)?,
    })
}

/// Writes units as numbers or names.
pub(super) struct Writer<'a> {
    pub options: &'a Options,
    /// Numbers, with 0 as said; `None`: names.
    pub zero: Option<Zero>,
    /// The names of the colors.
    pub names: &'a [String],
}

impl Writer<'_> {
    /// The tubes as lists. Where 0 is no color, it fills each up to the capacity.
    pub fn tubes(&self, water: &Water) -> Result<Vec<Vec<Value>>, ConvertError> {
        let list = |tube: &crate::puzzle::water::Tube| {
            let mut list =
                tube.units().iter().map(|&unit| self.cell(unit)).collect::<Result<Vec<_>, _>>()?;
            if self.zero == Some(Zero::Empty) {
                list.resize(water.rules().capacity.into(), 0.into());
            }
            if self.options.top_first {
                list.reverse();
            }
            Ok(list)
        };
        water.tubes().iter().map(list).collect()
    }

    fn cell(&self, color: Color) -> Result<Value, ConvertError> {
        match self.zero {
            Some(Zero::Color) => Ok(color.index().into()),
            Some(Zero::Empty) => Ok((color.index() + 1).into()),
            None => {
                let name = self.names.get(color.index()).ok_or(ConvertError::NoName(color))?;
                Ok(name.as_str().into())
            }
        }
    }
}
