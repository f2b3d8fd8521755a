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

/// A walk's taste, in bits: each point doubles the chance of a step. Only differences matter.
///
/// A uniformly random walk is absorbed early, in few thick blocks. These weights spread the colors
/// thin: units leave one at a time, onto low tubes, and long runs are not buried. A level is
/// drawn the more often the more solutions it has, which favors the forgiving ones; that the color
/// taken is one that mixed tubes show already works against it, for a level whose tops share few
/// colors leaves the player little to do that is not wrong.
///
/// Below ten tubes the walks are short, and so strong a taste would lead to the same levels again
/// and again: there it counts a tenth for each tube.
struct Taste {
    /// Taking a single unit, against taking more at once.
    one_unit: i32,
    /// Putting onto a top run of one unit or into an empty tube, against burying a longer run.
    short_run: i32,
    /// Taking from a uniform tube that was begun.
    begun: i32,
    /// Putting onto another color, or into an empty tube.
    other_color: i32,
    /// Taking the color of the last step again.
    same_again: i32,
    /// For each mixed tube that shows the color taken, up to [`MOST_SHOWN`].
    shown: i32,
    /// Putting into an empty tube.
    empty: i32,
    /// Putting onto a tube, in proportion to how full it is.
    height: i32,
    /// Covering a uniform tube.
    uniform: i32,
    /// For each other tube that shows the color covered.
    covered: i32,
    /// For each unit of the color that the tube holds already.
    held: i32,
}

/// Found by a local search for levels of two empty tubes that are no shorter than random fillings
/// and hardest for a random player.
const ROOMY: Taste = Taste {
    one_unit: 3,
    short_run: 6,
    begun: 2,
    other_color: -1,
    same_again: 1,
    shown: 3,
    empty: 2,
    height: -18,
    uniform: -2,
    covered: -1,
    held: -1,
};

/// Found by a local search for the longest levels of one empty tube: it takes what was begun to its
/// end first, and covers what other tubes show.
const TIGHT: Taste = Taste {
    one_unit: 2,
    short_run: 13,
    begun: 13,
    other_color: 0,
    same_again: -3,
    shown: 2,
    empty: 0,
    height: -19,
    uniform: 0,
    covered: 3,
    held: 5,
};

/// Mixed tubes beyond which it makes no difference that they show a color.
const MOST_SHOWN: i32 = 4;

/// Weight of the most liked step; one liked 15 points less, or less still, has weight 1.
const MOST_LIKED: u32 = 1 << 15;

/// The tops of a board's tubes.
struct Tops {
    /// How many tubes show each color.
    tubes: [u8; MAX_COLORS],
    /// How many mixed tubes show it.
    mixed: [u8; MAX_COLORS],
    /// The color that the last step took.
    latest: Option<Color>,
}

impl Tops {
    fn of(board: &Water, last: Option<Unpour>) -> Self {
        let mut tops = Self { tubes: [0; MAX_COLORS], mixed: [0; MAX_COLORS], latest: None };
        for tube in &board.tubes {
            if let Some(top) = tube.top() {
                tops.tubes[top.index()] += 1;
                tops.mixed[top.index()] += u8::from(!tube.is_uniform());
            }
        }
        tops.latest = last.and_then(|last| board.tubes[last.onto].top());
        tops
    }

    /// How much the walk likes a step.
    fn liking(&self, taste: &Taste, board: &Water, unpour: Unpour) -> i32 {
        let Unpour { from, onto, units } = unpour;
        let (giver, taker) = (&board.tubes[from], &board.tubes[onto]);
        let capacity = board.rules.capacity;
        let Some(color) = giver.top() else { return 0 };
        let shown = i32::from(self.mixed[color.index()]).min(MOST_SHOWN);
        let covered = taker.top().map_or(0, |top| i32::from(self.tubes[top.index()]) - 1);
        let held = taker.units().iter().filter(|&&unit| unit == color).count() as i32;
        let whether = |is: bool, points: i32| if is { points } else { 0 };
        whether(units == 1, taste.one_unit)
            + whether(taker.run() <= 1, taste.short_run)
            + whether(giver.is_uniform() && giver.len() < capacity, taste.begun)
            + whether(taker.top() != Some(color), taste.other_color)
            + whether(self.latest == Some(color), taste.same_again)
            + shown * taste.shown
            + whether(taker.is_empty(), taste.empty)
            + i32::from(taker.len()) * taste.height / i32::from(capacity)
            + whether(taker.is_uniform(), taste.uniform)
            + covered * taste.covered
            + held * taste.held
    }
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

    fn from_code(code: &str) -> Option<Self> {
        let (size, rules) = code.strip_prefix('w')?.split_once('.')?;
        let (colors, size) = size.split_once('x')?;
        let (colors, tubes_per_color) = colors.split_once('*').unwrap_or((colors, "1"));
        let (capacity, empty) = size.split_once('+')?;
        let (pour, layout) = match rules.strip_suffix(".loose") {
            Some(pour) => (pour, Layout::Loose),
            None => (rules, Layout::Full),
        };
        let shape = Self {
            colors: colors.parse().ok()?,
            capacity: capacity.parse().ok()?,
            empty: empty.parse().ok()?,
            pour: pour.parse().ok()?,
            tubes_per_color: tubes_per_color.parse().ok()?,
            layout,
        };
        shape.check().is_ok().then_some(shape)
    }

    fn solved(&self) -> Water {
        let full = self.colors().map(|color| Tube::uniform(color, self.capacity));
        let empty = std::iter::repeat_n(Tube::default(), self.empty.into());
        Water { rules: self.rules(), tubes: full.chain(empty).collect() }
    }

    fn steps(&self, board: &Water, last: Option<Unpour>, out: &mut Vec<Step<Unpour>>) {
        out.clear();
        let tops = Tops::of(board, last);
        let taste = if self.empty > 1 { &ROOMY } else { &TIGHT };
        let full_of_mixed = self.is_full_of_mixed(board);
        let liked: Vec<(Unpour, i32)> = board
            .unpours()
            .filter(|unpour| !full_of_mixed || !mixes_another(board, unpour))
            .map(|unpour| (unpour, tops.liking(taste, board, unpour)))
            .collect();
        let Some(most) = liked.iter().map(|&(_, points)| points).max() else { return };
        let tenths = (self.filled() as u32).min(10);
        out.extend(liked.into_iter().map(|(unmove, points)| {
            let less = most.abs_diff(points) * tenths / 10;
            let weight = MOST_LIKED.checked_shr(less).unwrap_or(0).max(1);
            Step { unmove, weight }
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

/// Whether a step covers a uniform tube with another color.
fn mixes_another(board: &Water, unpour: &Unpour) -> bool {
    let (giver, taker) = (&board.tubes[unpour.from], &board.tubes[unpour.onto]);
    taker.is_uniform() && taker.top() != giver.top()
}

impl WaterShape {
    /// Whether another mixed tube would lead a walk astray: once as many tubes are mixed as will be
    /// full, what the others hold just fits into the room of these, and one more could never be
    /// emptied.
    fn is_full_of_mixed(&self, board: &Water) -> bool {
        let mixed = board.tubes.iter().filter(|tube| tube.blocks() > 1).count();
        self.layout == Layout::Full && mixed >= self.filled()
    }

    fn tube_with_room(&self, tubes: &[Tube], random: &mut Stream) -> usize {
        let open: Vec<usize> =
            (0..tubes.len()).filter(|&tube| tubes[tube].len() < self.capacity).collect();
        // There is room for every unit, so some tube is open; at most 64 are.
        open[random.below(open.len() as u32) as usize]
    }
}
