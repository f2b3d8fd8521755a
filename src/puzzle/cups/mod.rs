//! Cup stacking: numbered cups in columns, to be brought into a given arrangement one by one.
//!
//! [`Cups`] is a level as drawn, with the rules written plainly; [`Space`] is the same level made
//! ready for search; [`CupsShape`] draws levels.

mod bounds;
mod conflicts;
mod pattern;
mod rules;
mod shape;
mod space;
mod text;

use std::fmt;

pub use shape::{CupsShape, CupsShapeError, Unmove};
pub use space::{Arrangement, Space};
pub use text::ColumnText;

/// Most cups of a level.
pub const MAX_CUPS: usize = 64;
/// Most columns of a level.
pub const MAX_COLUMNS: usize = 64;

/// A cup; written as its number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cup(u8);

impl Cup {
    /// The cup of a number from 1 to [`MAX_CUPS`].
    pub fn new(number: usize) -> Option<Self> {
        (1..=MAX_CUPS).contains(&number).then(|| Self(number as u8 - 1))
    }

    /// From 0, for indexing.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Cup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// The cups of one column, bottom first.
pub type Column = Vec<Cup>;

/// A level or position of cup stacking, as drawn.
///
/// ```
/// use pourfect::puzzle::{Board, cups::Cups};
/// let mut level = Cups::parse("1,2|3|4", Some("1,2,3,4||"), None)?;
/// level.play("1>0".parse()?)?;
/// level.play("2>0".parse()?)?;
/// assert!(level.is_solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cups {
    height: Option<u8>,
    goal: Vec<Column>,
    columns: Vec<Column>,
}

/// Which of a level's two arrangements a fault lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The position.
    Position,
    /// The goal.
    Goal,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Position => "the position",
            Self::Goal => "the goal",
        })
    }
}

/// A level that is not well formed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CupsError {
    /// Too many columns, or none.
    #[error("{0} columns: a level has 1 to {MAX_COLUMNS}")]
    ColumnCount(usize),
    /// Too many cups, or none.
    #[error("{0} cups: a level has 1 to {MAX_CUPS}")]
    CupCount(usize),
    /// A height limit out of range.
    #[error("height {0} is out of range: a column holds 1 to {MAX_CUPS} cups")]
    Height(u64),
    /// Position and goal differ in their columns.
    #[error("the goal has {goal} columns and the position {columns}")]
    GoalColumns {
        /// Columns of the goal.
        goal: usize,
        /// Columns of the position.
        columns: usize,
    },
    /// A column is higher than the limit.
    #[error("{side} has {holds} cups in column {column}, over the height limit {height}")]
    OverHeight {
        /// The arrangement.
        side: Side,
        /// The column.
        column: usize,
        /// What it holds.
        holds: usize,
        /// What it could hold.
        height: u8,
    },
    /// Something that is no cup's number.
    #[error("{side} has {text:?} in column {column}: cups are numbers from 1, such as 1,2|3|4")]
    NotACup {
        /// The arrangement.
        side: Side,
        /// The column.
        column: usize,
        /// What stands there.
        text: String,
    },
    /// A number beyond the cups.
    #[error("{side} has cup {cup} in column {column}: cups are 1 to {cups}")]
    OutOfRange {
        /// The arrangement.
        side: Side,
        /// The column.
        column: usize,
        /// The number.
        cup: i64,
        /// How many cups there are.
        cups: usize,
    },
    /// A cup that stands in two places.
    #[error("{side} has cup {cup} a second time, in column {column}")]
    Repeated {
        /// The arrangement.
        side: Side,
        /// The column of the second.
        column: usize,
        /// The cup.
        cup: Cup,
    },
    /// A cup that stands nowhere.
    #[error("{side} has no cup {cup}, of {cups} cups")]
    Missing {
        /// The arrangement.
        side: Side,
        /// The cup.
        cup: Cup,
        /// How many cups there are.
        cups: usize,
    },
    /// A field of the wrong type.
    #[error("{0}")]
    Fields(String),
    /// A record without columns.
    #[error("there are no `columns`")]
    NoColumns,
}

impl Cups {
    /// Checks a level. Without a goal it is to bring all cups in order into the first column.
    ///
    /// # Errors
    /// The first thing that is not as the rules want it.
    pub fn new(
        columns: Vec<Column>,
        goal: Option<Vec<Column>>,
        height: Option<u8>,
    ) -> Result<Self, CupsError> {
        if !(1..=MAX_COLUMNS).contains(&columns.len()) {
            return Err(CupsError::ColumnCount(columns.len()));
        }
        if let Some(height) = height.filter(|height| !(1..=MAX_CUPS as u8).contains(height)) {
            return Err(CupsError::Height(height.into()));
        }
        let goal = goal.unwrap_or_else(|| in_order(count_cups(&columns), columns.len()));
        let level = Self { height, goal, columns };
        let (goal, columns) = (level.goal.len(), level.columns.len());
        if goal != columns {
            return Err(CupsError::GoalColumns { goal, columns });
        }
        level.check(Side::Goal, &level.goal)?;
        level.check(Side::Position, &level.columns)?;
        Ok(level)
    }

    fn check(&self, side: Side, columns: &[Column]) -> Result<(), CupsError> {
        let cups = self.cups();
        if cups == 0 {
            return Err(CupsError::CupCount(0));
        }
        let mut seen = [false; MAX_CUPS];
        for (column, stack) in columns.iter().enumerate() {
            for &cup in stack {
                if cup.index() >= cups {
                    let cup = cup.index() as i64 + 1;
                    return Err(CupsError::OutOfRange { side, column, cup, cups });
                }
                if std::mem::replace(&mut seen[cup.index()], true) {
                    return Err(CupsError::Repeated { side, column, cup });
                }
            }
        }
        if let Some(missing) = seen[..cups].iter().position(|&seen| !seen) {
            return Err(CupsError::Missing { side, cup: Cup(missing as u8), cups });
        }
        let over = |height| columns.iter().position(|stack| stack.len() > usize::from(height));
        match self.height.and_then(|height| Some((height, over(height)?))) {
            Some((height, column)) => {
                let holds = columns[column].len();
                Err(CupsError::OverHeight { side, column, holds, height })
            }
            None => Ok(()),
        }
    }

    /// The most cups that a column may hold, if there is a limit.
    pub fn height(&self) -> Option<u8> {
        self.height
    }

    /// What stands where, column by column.
    pub fn position(&self) -> &[Column] {
        &self.columns
    }

    /// The arrangement to be reached, column by column.
    pub fn goal(&self) -> &[Column] {
        &self.goal
    }

    /// How many cups there are.
    pub fn cups(&self) -> usize {
        count_cups(&self.goal)
    }

    /// How many cups of a column are in place: they and everything under them are as in the goal.
    fn settled(&self, column: usize) -> usize {
        let pairs = self.columns[column].iter().zip(&self.goal[column]);
        pairs.take_while(|(cup, goal)| cup == goal).count()
    }

    /// Whether two columns can be exchanged, whatever stands on them. Cups are all different, so
    /// only columns that end empty can.
    fn interchangeable(&self, column: usize) -> bool {
        self.goal[column].is_empty()
    }
}

/// The highest number, so that a gap below it is a missing cup.
fn count_cups(columns: &[Column]) -> usize {
    columns.iter().flatten().map(|cup| cup.index() + 1).max().unwrap_or(0)
}

/// All cups in the first column, cup 1 at the bottom.
fn in_order(cups: usize, columns: usize) -> Vec<Column> {
    let mut goal = vec![Column::new(); columns];
    goal[0] = (1..=cups).filter_map(Cup::new).collect();
    goal
}
