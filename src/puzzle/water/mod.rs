//! Water Sort, and ball sort as its pour rule `unit`.
//!
//! [`Water`] is a level as drawn, with the rules written plainly; [`Space`] is the same level made
//! ready for search; [`WaterShape`] draws levels.

mod backward;
mod borders;
mod bounds;
mod contents;
mod identity;
mod pattern;
mod pours;
mod reverse;
mod rules;
mod safe;
mod shape;
mod space;
mod text;

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use reverse::Unpour;
pub use shape::{WaterShape, WaterShapeError};
pub use space::{Space, Tubes};
pub use text::TubeText;

/// Least units that a tube can hold.
pub const MIN_CAPACITY: u8 = 2;
/// Most units that a tube can hold.
pub const MAX_CAPACITY: u8 = 16;
/// Most colors of a level.
pub const MAX_COLORS: usize = 62;
/// Most tubes of a level.
pub const MAX_TUBES: usize = 64;

/// A color, from 0 to 61; written as a letter, see [`Color::symbol`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Color(u8);

impl Color {
    /// The color of a number, if it is below [`MAX_COLORS`].
    pub fn new(number: usize) -> Option<Self> {
        (number < MAX_COLORS).then_some(Self(number as u8))
    }

    /// The color's number, for indexing.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The color's bit in a set of colors.
    fn bit(self) -> u64 {
        1 << self.0
    }

    /// `A` to `Z`, then `a` to `z`, then `0` to `9`.
    pub fn symbol(self) -> char {
        char::from(match self.0 {
            0..26 => b'A' + self.0,
            26..52 => b'a' + (self.0 - 26),
            _ => b'0' + (self.0 - 52),
        })
    }

    /// The color that a symbol stands for.
    pub fn from_symbol(symbol: char) -> Option<Self> {
        let offset =
            |first: char, base: u32| Some(Self((symbol as u32 - first as u32 + base) as u8));
        match symbol {
            'A'..='Z' => offset('A', 0),
            'a'..='z' => offset('a', 26),
            '0'..='9' => offset('0', 52),
            _ => None,
        }
    }
}

/// How much a pour takes over.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum PourRule {
    /// As much of the top run as fits.
    #[default]
    Max,
    /// The whole top run, and only where it fits.
    Whole,
    /// One unit: ball sort.
    Unit,
}

impl PourRule {
    /// All rules, in the order of their names in messages.
    pub const ALL: [Self; 3] = [Self::Max, Self::Whole, Self::Unit];

    /// The rule's name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Whole => "whole",
            Self::Unit => "unit",
        }
    }

    /// How many units of a top run of `run` go into `room`; `None` if the pour is not legal.
    pub fn units(self, run: u8, room: u8) -> Option<u8> {
        match self {
            _ if run == 0 || room == 0 => None,
            Self::Max => Some(run.min(room)),
            Self::Whole => (run <= room).then_some(run),
            Self::Unit => Some(1),
        }
    }
}

impl fmt::Display for PourRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PourRule {
    type Err = WaterError;

    fn from_str(name: &str) -> Result<Self, WaterError> {
        Self::ALL
            .into_iter()
            .find(|rule| rule.name() == name)
            .ok_or_else(|| WaterError::UnknownPour(name.to_owned()))
    }
}

/// When a level is solved.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// Every tube is empty or complete.
    #[default]
    Sorted,
    /// Every tube holds one color, and every color lies in as few tubes as can hold it.
    Uniform,
}

impl Goal {
    /// The goal's name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sorted => "sorted",
            Self::Uniform => "uniform",
        }
    }
}

impl FromStr for Goal {
    type Err = WaterError;

    fn from_str(name: &str) -> Result<Self, WaterError> {
        [Self::Sorted, Self::Uniform]
            .into_iter()
            .find(|goal| goal.name() == name)
            .ok_or_else(|| WaterError::UnknownGoal(name.to_owned()))
    }
}

/// The units of one tube, bottom first.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tube {
    units: [Color; MAX_CAPACITY as usize],
    len: u8,
}

impl Tube {
    /// A tube of `len` units of one color.
    pub fn uniform(color: Color, len: u8) -> Self {
        let mut tube = Self::default();
        tube.push(color, len);
        tube
    }

    /// The units, bottom first.
    pub fn units(&self) -> &[Color] {
        &self.units[..usize::from(self.len)]
    }

    /// How many units the tube holds.
    pub fn len(&self) -> u8 {
        self.len
    }

    /// Whether the tube holds nothing.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The color on top.
    pub fn top(&self) -> Option<Color> {
        self.units().last().copied()
    }

    /// The length of the top run.
    pub fn run(&self) -> u8 {
        let top = self.top();
        self.units().iter().rev().take_while(|&&unit| Some(unit) == top).count() as u8
    }

    /// Whether the tube is one block.
    pub fn is_uniform(&self) -> bool {
        self.len > 0 && self.run() == self.len
    }

    /// How many blocks the tube has.
    pub fn blocks(&self) -> u32 {
        let borders = self.units().windows(2).filter(|pair| pair[0] != pair[1]).count();
        borders as u32 + u32::from(self.len > 0)
    }

    /// Adds units on top; the tube must have room for them.
    fn push(&mut self, color: Color, count: u8) {
        let len = usize::from(self.len);
        self.units[len..len + usize::from(count)].fill(color);
        self.len += count;
    }

    /// Takes units off the top; the tube must hold them.
    fn pop(&mut self, count: u8) {
        self.len -= count;
        let len = usize::from(self.len);
        self.units[len..len + usize::from(count)].fill(Color::default());
    }
}

impl fmt::Display for Tube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.units().iter().try_for_each(|unit| write!(f, "{}", unit.symbol()))
    }
}

impl fmt::Debug for Tube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The rules of one level, beside its tubes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct WaterRules {
    /// Units that a tube holds, from [`MIN_CAPACITY`] to [`MAX_CAPACITY`].
    pub capacity: u8,
    /// How much a pour takes over.
    pub pour: PourRule,
    /// When the level is solved.
    pub goal: Goal,
}

/// A level or position of Water Sort, as drawn.
///
/// ```
/// use pourfect::puzzle::{Board, water::Water};
/// let mut level = Water::parse("RGRG|GRGR||", None, Default::default(), Default::default())?;
/// level.play("0>2".parse()?)?;
/// assert_eq!(level.to_string(), "RGR|GRGR|G|");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Water {
    rules: WaterRules,
    tubes: Vec<Tube>,
}

/// A level that is not well formed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WaterError {
    /// A capacity out of range.
    #[error("capacity {0} is out of range: a tube holds {MIN_CAPACITY} to {MAX_CAPACITY} units")]
    Capacity(u64),
    /// Too many tubes, or none.
    #[error("{0} tubes: a level has 1 to {MAX_TUBES}")]
    TubeCount(usize),
    /// A tube holds more than the capacity.
    #[error("tube {tube} holds {holds} units, over the capacity {capacity}")]
    OverCapacity {
        /// The tube.
        tube: usize,
        /// What it holds.
        holds: usize,
        /// What it could hold.
        capacity: u8,
    },
    /// A blank below a unit.
    #[error("tube {tube} has a hole below the unit at height {height}")]
    Hole {
        /// The tube.
        tube: usize,
        /// The unit's height, from 0.
        height: usize,
    },
    /// A hidden unit.
    #[error("tube {tube} hides its unit at height {height} (`?`): hidden units are not supported")]
    Hidden {
        /// The tube.
        tube: usize,
        /// The unit's height, from 0.
        height: usize,
    },
    /// A symbol that stands for no color.
    #[error("tube {tube} has {symbol:?} at height {height}: colors are A-Z, a-z, 0-9")]
    UnknownSymbol {
        /// The tube.
        tube: usize,
        /// Its height, from 0.
        height: usize,
        /// The symbol.
        symbol: char,
    },
    /// A number that stands for no color.
    #[error("tube {tube} has color number {number} at height {height}: colors are 0 to 61")]
    UnknownNumber {
        /// The tube.
        tube: usize,
        /// Its height, from 0.
        height: usize,
        /// The number.
        number: i64,
    },
    /// Colors that cannot fill whole tubes.
    #[error(
        "{} cannot fill tubes of {capacity}: with goal `sorted` the units of every color are a multiple of the capacity",
        list_counts(counts)
    )]
    Counts {
        /// The colors that do not fit, each with its units.
        counts: Vec<(Color, usize)>,
        /// Units that a tube holds.
        capacity: u8,
    },
    /// A field of the wrong type.
    #[error("{0}")]
    Fields(String),
    /// A record without tubes.
    #[error("there are no `tubes`")]
    NoTubes,
    /// A pour rule that does not exist.
    #[error("unknown pour rule `{0}`; known are max, whole, unit")]
    UnknownPour(String),
    /// A goal that does not exist.
    #[error("unknown goal `{0}`; known are sorted, uniform")]
    UnknownGoal(String),
}

fn list_counts(counts: &[(Color, usize)]) -> String {
    let one = |&(color, count): &(Color, usize)| {
        let unit = if count == 1 { "unit" } else { "units" };
        format!("color {} with {count} {unit}", color.symbol())
    };
    counts.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl Water {
    /// Checks a level.
    ///
    /// # Errors
    /// The first thing that is not as the rules want it.
    pub fn new(rules: WaterRules, tubes: Vec<Vec<Color>>) -> Result<Self, WaterError> {
        let WaterRules { capacity, goal, .. } = rules;
        if !(MIN_CAPACITY..=MAX_CAPACITY).contains(&capacity) {
            return Err(WaterError::Capacity(capacity.into()));
        }
        if !(1..=MAX_TUBES).contains(&tubes.len()) {
            return Err(WaterError::TubeCount(tubes.len()));
        }
        let fill = |(tube, units): (usize, Vec<Color>)| {
            if units.len() > usize::from(capacity) {
                return Err(WaterError::OverCapacity { tube, holds: units.len(), capacity });
            }
            let mut filled = Tube::default();
            units.into_iter().for_each(|unit| filled.push(unit, 1));
            Ok(filled)
        };
        let tubes = tubes.into_iter().enumerate().map(fill).collect::<Result<Vec<_>, _>>()?;
        let level = Self { rules, tubes };
        let misfits: Vec<_> = level
            .color_counts()
            .filter(|(_, count)| goal == Goal::Sorted && count % usize::from(capacity) != 0)
            .collect();
        if misfits.is_empty() {
            Ok(level)
        } else {
            Err(WaterError::Counts { counts: misfits, capacity })
        }
    }

    /// The level's rules.
    pub fn rules(&self) -> WaterRules {
        self.rules
    }

    /// The tubes, in drawn order.
    pub fn tubes(&self) -> &[Tube] {
        &self.tubes
    }

    /// The colors that occur, in order, each with its number of units.
    pub fn color_counts(&self) -> impl Iterator<Item = (Color, usize)> + use<> {
        let mut counts = [0; MAX_COLORS];
        for unit in self.tubes.iter().flat_map(Tube::units) {
            counts[unit.index()] += 1;
        }
        counts
            .into_iter()
            .enumerate()
            .filter(|&(_, count)| count > 0)
            .map(|(number, count)| (Color(number as u8), count))
    }

    /// How many tubes `units` units of one color need.
    fn tubes_for(&self, units: usize) -> usize {
        units.div_ceil(usize::from(self.rules.capacity))
    }
}

impl fmt::Display for Water {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, tube) in self.tubes.iter().enumerate() {
            write!(f, "{}{tube}", if index > 0 { "|" } else { "" })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Water {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({} {})", self.rules.capacity, self.rules.pour)
    }
}
