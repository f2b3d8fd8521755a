//! Sizes of water levels, and how a reverse walk weighs its steps.

use serde::{Deserialize, Serialize};

use super::{
    Color, Goal, MAX_CAPACITY, MAX_COLORS, MAX_TUBES, MIN_CAPACITY, PourRule, Tube, Unpour, Water,
    WaterRules,
};
use crate::puzzle::{Board, Fields, Move, Progress, Shape, Step};
use crate::random::Stream;

/// What a generator draws: size, rules and layout of water levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaterShape {
    /// Number of colors.
    pub colors: u8,
    /// Units that a tube holds.
    #[serde(default = "default_capacity")]
    pub capacity: u8,
    /// Empty tubes at the start.
    #[serde(default = "default_empty")]
    pub empty: u8,
    /// How much a pour takes over.
    #[serde(default)]
    pub pour: PourRule,
    /// Tubes that each color fills.
    #[serde(default = "default_tubes_per_color")]
    pub tubes_per_color: u8,
    /// How the units lie at the start.
    #[serde(default)]
    pub layout: Layout,
}

fn default_capacity() -> u8 {
    4
}

fn default_empty() -> u8 {
    2
}

fn default_tubes_per_color() -> u8 {
    1
}

/// How the units lie at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Full tubes, then the empty ones.
    #[default]
    Full,
    /// Any tube may be partly filled.
    Loose,
}

/// A size that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WaterShapeError {
    /// A field that is missing, unknown or of the wrong type.
    #[error("{0}")]
    Field(String),
    /// A number out of its range.
    #[error("{field} = {value} is out of range: {min} to {max}")]
    Range {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: u8,
        /// Least allowed.
        min: u8,
        /// Most allowed.
        max: u8,
    },
    /// More tubes than a level may have.
    #[error(
        "colors = {colors}, tubes_per_color = {tubes_per_color} and empty = {empty} make {tubes} tubes: a level has at most {MAX_TUBES}"
    )]
    Tubes {
        /// Number of colors.
        colors: u8,
        /// Tubes per color.
        tubes_per_color: u8,
        /// Empty tubes.
        empty: u8,
        /// Tubes in all.
        tubes: usize,
    },
}

impl WaterShape {
    /// Checks the numbers against the limits of a level.
    ///
    /// # Errors
    /// The first number that is out of range.
    pub fn check(&self) -> Result<(), WaterShapeError> {
        let range = |field, value, min, max| {
            let error = WaterShapeError::Range { field, value, min, max };
            if (min..=max).contains(&value) { Ok(()) } else { Err(error) }
        };
        range("colors", self.colors, 1, MAX_COLORS as u8)?;
        range("capacity", self.capacity, MIN_CAPACITY, MAX_CAPACITY)?;
        range("empty", self.empty, 0, MAX_TUBES as u8)?;
        range("tubes_per_color", self.tubes_per_color, 1, MAX_TUBES as u8)?;
        let &Self { colors, tubes_per_color, empty, .. } = self;
        let tubes = self.filled() + usize::from(empty);
        if tubes > MAX_TUBES {
            return Err(WaterShapeError::Tubes { colors, tubes_per_color, empty, tubes });
        }
        Ok(())
    }

    fn filled(&self) -> usize {
        usize::from(self.colors) * usize::from(self.tubes_per_color)
    }

    fn rules(&self) -> WaterRules {
        WaterRules { capacity: self.capacity, pour: self.pour, goal: Goal::Sorted }
    }

    fn units(&self) -> usize {
        self.filled() * usize::from(self.capacity)
    }

    fn colors(&self) -> impl Iterator<Item = Color> {
        let tubes = self.tubes_per_color.into();
        (0..self.colors).flat_map(move |color| std::iter::repeat_n(Color(color), tubes))
    }
}

/// The walk's taste. Only ratios matter.
///
/// A uniformly random walk is absorbed early, in few thick blocks. These weights spread the colors
/// thin: units leave one at a time, long runs are not buried, and tubes once opened are drained.
mod weight {
    /// Taking a single unit, against taking more at once.
    pub const ONE_UNIT: u32 = 24;
    /// Putting onto a top run of one unit or into an empty tube, against burying a longer run.
    pub const SHORT_RUN: u32 = 24;
    /// Draining a uniform tube that was begun.
    pub const DRAIN: u32 = 4;
    /// Not putting onto the same color.
    pub const OTHER_COLOR: u32 = 8;
}

impl Shape for WaterShape {
    type Board = Water;
    type Unmove = Unpour;
    type Error = WaterShapeError;

    fn from_fields(fields: Fields) -> Result<Self, WaterShapeError> {
        let shape: Self = serde_json::from_value(fields.into())
            .map_err(|error| WaterShapeError::Field(error.to_string()))?;
        shape.check().map(|()| shape)
    }

    fn fields(&self) -> Fields {
        crate::puzzle::to_fields(self)
    }

    fn code(&self) -> String {
        let Self { colors, capacity, empty, pour, tubes_per_color, layout } = self;
        let tubes =
            if *tubes_per_color > 1 { format!("*{tubes_per_color}") } else { String::new() };
        let layout = if *layout == Layout::Loose { ".loose" } else { "" };
        format!("w{colors}{tubes}x{capacity}+{empty}.{pour}{layout}")
    }

    fn solved(&self) -> Water {
        let full = self.colors().map(|color| Tube::uniform(color, self.capacity));
        let empty = std::iter::repeat_n(Tube::default(), self.empty.into());
        Water { rules: self.rules(), tubes: full.chain(empty).collect() }
    }

    fn steps(&self, board: &Water, _last: Option<Unpour>, out: &mut Vec<Step<Unpour>>) {
        out.clear();
        out.extend(board.unpours().map(|unpour| {
            let (from, onto) = (&board.tubes[unpour.from], &board.tubes[unpour.onto]);
            let mut weight = 1;
            if unpour.units == 1 {
                weight *= weight::ONE_UNIT;
            }
            if onto.run() <= 1 {
                weight *= weight::SHORT_RUN;
            }
            if from.is_uniform() && from.len() < self.capacity {
                weight *= weight::DRAIN;
            }
            if from.top() != onto.top() {
                weight *= weight::OTHER_COLOR;
            }
            Step { unmove: unpour, weight }
        }));
    }

    fn unplay(&self, board: &mut Water, unpour: Unpour) -> Move {
        board.apply_unpour(unpour)
    }

    fn progress(&self, board: &Water, length: u32) -> Progress {
        let empty = board.tubes.iter().filter(|tube| tube.is_empty()).count();
        let full = board.tubes.iter().filter(|tube| tube.len() == self.capacity).count();
        let in_shape = match self.layout {
            Layout::Full => empty == usize::from(self.empty) && full == self.filled(),
            Layout::Loose => length as usize >= self.units(),
        };
        if length > 0 && in_shape && !board.is_partly_done() {
            Progress::Arrived
        } else if length as usize > 4 * self.units() {
            Progress::Lost
        } else {
            Progress::Walking
        }
    }

    fn arrange(&self, board: &Water, random: &mut Stream) -> Vec<usize> {
        let mut order: Vec<usize> = (0..board.tubes.len()).collect();
        random.shuffle(&mut order);
        order.sort_by_key(|&tube| board.tubes[tube].is_empty());
        order
    }

    fn reorder(&self, board: &Water, order: &[usize]) -> Water {
        Water { rules: board.rules, tubes: order.iter().map(|&tube| board.tubes[tube]).collect() }
    }

    fn fill(&self, random: &mut Stream) -> Water {
        let capacity = usize::from(self.capacity);
        let mut units: Vec<Color> =
            self.colors().flat_map(|color| std::iter::repeat_n(color, capacity)).collect();
        random.shuffle(&mut units);
        let mut tubes = vec![Tube::default(); self.filled() + usize::from(self.empty)];
        for (index, unit) in units.into_iter().enumerate() {
            let tube = match self.layout {
                Layout::Full => index / capacity,
                Layout::Loose => self.tube_with_room(&tubes, random),
            };
            tubes[tube].push(unit, 1);
        }
        Water { rules: self.rules(), tubes }
    }
}

impl WaterShape {
    fn tube_with_room(&self, tubes: &[Tube], random: &mut Stream) -> usize {
        let open: Vec<usize> =
            (0..tubes.len()).filter(|&tube| tubes[tube].len() < self.capacity).collect();
        // There is room for every unit, so some tube is open; at most 64 are.
        open[random.below(open.len() as u32) as usize]
    }
}
