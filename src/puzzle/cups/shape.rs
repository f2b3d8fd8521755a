//! Sizes of levels, and the reverse walk.

use serde::{Deserialize, Serialize};

use super::text::{join, read_columns};
use super::{Column, Cup, Cups, CupsError, MAX_COLUMNS, MAX_CUPS, Side};
use crate::puzzle::hash::fold;
use crate::puzzle::{Board, Fields, Move, Progress, Shape, Step};
use crate::random::Stream;

/// What a generator draws: cups, columns, height limit and goal, and how far the walk goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CupsShape {
    solved: Cups,
    steps: u32,
}

/// The fields of a settings file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    cups: u8,
    #[serde(default = "default_columns")]
    columns: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    steps: Option<u32>,
}

fn default_columns() -> u8 {
    4
}

/// A size that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CupsShapeError {
    /// A field that is missing, unknown or of the wrong type.
    #[error("{0}")]
    Field(String),
    /// A number out of its range.
    #[error("{field} = {value} is out of range: {min} to {max}")]
    Range {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: u32,
        /// Least allowed.
        min: u32,
        /// Most allowed.
        max: u32,
    },
    /// No room for a move.
    #[error("cups = {cups} fill {columns} columns of height {height}: no cup can move")]
    Full {
        /// Number of cups.
        cups: u8,
        /// Number of columns.
        columns: u8,
        /// Height limit.
        height: u8,
    },
    /// A goal of another size.
    #[error("the goal has {goal} {field}, and {field} = {value}")]
    GoalSize {
        /// The setting.
        field: &'static str,
        /// Its value.
        value: u8,
        /// What the goal has.
        goal: usize,
    },
    /// A goal that cannot be.
    #[error(transparent)]
    Goal(#[from] CupsError),
}

/// A reverse move: takes the top cup of column `from` and puts it on column `onto`. The move that
/// undoes it goes from `onto` to `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unmove {
    /// The column that the cup comes from.
    pub from: usize,
    /// The column that it goes to.
    pub onto: usize,
}

impl CupsShape {
    fn new(settings: Settings) -> Result<Self, CupsShapeError> {
        let Settings { cups, columns, height, goal, steps } = settings;
        let range = |field, value: u32, min, max: usize| {
            let max = max as u32;
            let error = CupsShapeError::Range { field, value, min, max };
            if (min..=max).contains(&value) { Ok(()) } else { Err(error) }
        };
        range("cups", cups.into(), 1, MAX_CUPS)?;
        range("columns", columns.into(), 2, MAX_COLUMNS)?;
        let height_of = |height: u8| u32::from(height) * u32::from(columns);
        if let Some(height) = height.filter(|&height| height_of(height) <= cups.into()) {
            return Err(CupsShapeError::Full { cups, columns, height });
        }
        let goal = match goal {
            Some(text) => read_columns(&text, Side::Goal)?,
            None => super::in_order(cups.into(), columns.into()),
        };
        let solved = Cups::new(goal.clone(), Some(goal), height)?;
        for (field, value, goal) in
            [("cups", cups, solved.cups()), ("columns", columns, solved.columns.len())]
        {
            if goal != usize::from(value) {
                return Err(CupsShapeError::GoalSize { field, value, goal });
            }
        }
        let steps = steps.unwrap_or(default_steps(cups));
        range("steps", steps, 1, MAX_STEPS)?;
        Ok(Self { solved, steps })
    }

    fn cups(&self) -> usize {
        self.solved.cups()
    }

    fn columns(&self) -> usize {
        self.solved.columns.len()
    }

    /// The goal, unless it is the usual one.
    fn own_goal(&self) -> Option<String> {
        let usual = super::in_order(self.cups(), self.columns());
        (self.solved.goal != usual).then(|| join(&self.solved.goal))
    }

    fn board(&self, columns: Vec<Column>) -> Cups {
        Cups { columns, ..self.solved.clone() }
    }
}

const MAX_STEPS: usize = 10_000;

fn default_steps(cups: u8) -> u32 {
    10 * u32::from(cups)
}

impl Shape for CupsShape {
    type Board = Cups;
    type Unmove = Unmove;
    type Error = CupsShapeError;

    fn from_fields(fields: Fields) -> Result<Self, CupsShapeError> {
        let settings = serde_json::from_value(fields.into())
            .map_err(|error| CupsShapeError::Field(error.to_string()))?;
        Self::new(settings)
    }

    fn fields(&self) -> Fields {
        crate::puzzle::to_fields(&Settings {
            // Checked to be at most 64 each.
            cups: self.cups() as u8,
            columns: self.columns() as u8,
            height: self.solved.height,
            goal: self.own_goal(),
            steps: Some(self.steps),
        })
    }

    /// Such as `c10x4`, `c8x4h3`; a goal of its own adds a digest of it.
    fn code(&self) -> String {
        let height = self.solved.height.map(|height| format!("h{height}")).unwrap_or_default();
        let digest = |goal: String| {
            let digest = goal.bytes().fold(0, |hash, byte| fold(hash, byte.into()));
            format!(".{:08x}", digest as u32)
        };
        let goal = self.own_goal().map(digest).unwrap_or_default();
        format!("c{}x{}{height}{goal}", self.cups(), self.columns())
    }

    fn solved(&self) -> Cups {
        self.solved.clone()
    }

    /// Every move of another cup than the last, all alike: moving one cup twice in a row undoes or
    /// wastes a step.
    fn steps(&self, board: &Cups, last: Option<Unmove>, out: &mut Vec<Step<Unmove>>) {
        out.clear();
        let moves = board.legal_moves().into_iter();
        let unmoves =
            moves.map(|step| Unmove { from: step.source.index(), onto: step.target.index() });
        let fresh = unmoves.filter(|unmove| last.is_none_or(|last| last.onto != unmove.from));
        out.extend(fresh.map(|unmove| Step { unmove, weight: 1 }));
    }

    fn unplay(&self, board: &mut Cups, unmove: Unmove) -> Move {
        let Unmove { from, onto } = unmove;
        let cup = board.columns[from].pop();
        board.columns[onto].extend(cup);
        Move::new(onto, from)
    }

    /// A walk ends after its steps, or as soon after as no column is finished.
    fn progress(&self, board: &Cups, length: u32) -> Progress {
        if length < self.steps {
            Progress::Walking
        } else if !board.is_partly_done() {
            Progress::Arrived
        } else if length < self.steps.saturating_mul(2) {
            Progress::Walking
        } else {
            Progress::Lost
        }
    }

    /// As they stand: the goal names the columns.
    fn arrange(&self, _board: &Cups, _random: &mut Stream) -> Vec<usize> {
        (0..self.columns()).collect()
    }

    fn reorder(&self, board: &Cups, order: &[usize]) -> Cups {
        let pick = |columns: &[Column]| order.iter().map(|&from| columns[from].clone()).collect();
        Cups { height: board.height, goal: pick(&board.goal), columns: pick(&board.columns) }
    }

    /// Heights are drawn by rank among all that the limit allows, then the cups are shuffled in.
    fn fill(&self, random: &mut Stream) -> Cups {
        let mut cups: Vec<Cup> = (1..=self.cups()).filter_map(Cup::new).collect();
        random.shuffle(&mut cups);
        let heights = Heights::new(self.cups(), self.columns(), self.solved.height);
        let mut rest = cups.into_iter();
        let columns = heights.draw(random).map(|height| rest.by_ref().take(height).collect());
        self.board(columns.collect())
    }
}

/// All ways to give each column its height.
struct Heights {
    most: usize,
    /// `ways[columns][cups]`: how many ways there are. The most is 64 over 64 columns, C(127, 63),
    /// which is below 2^124.
    ways: Vec<Vec<u128>>,
}

impl Heights {
    fn new(cups: usize, columns: usize, limit: Option<u8>) -> Self {
        let most = limit.map_or(cups, usize::from).min(cups);
        let mut ways = vec![vec![0; cups + 1]; columns + 1];
        ways[0][0] = 1;
        for column in 1..=columns {
            for cups in 0..=cups {
                ways[column][cups] =
                    (0..=most.min(cups)).map(|height| ways[column - 1][cups - height]).sum();
            }
        }
        Self { most, ways }
    }

    fn draw(&self, random: &mut Stream) -> impl Iterator<Item = usize> {
        let columns = self.ways.len() - 1;
        let mut cups = self.ways[0].len() - 1;
        let mut rank = below(random, self.ways[columns][cups]);
        (0..columns).rev().map(move |rest| {
            let mut height = 0;
            while height < self.most.min(cups) && rank >= self.ways[rest][cups - height] {
                rank -= self.ways[rest][cups - height];
                height += 1;
            }
            cups -= height;
            height
        })
    }
}

/// A uniform number below `bound`, by rejection.
fn below(random: &mut Stream, bound: u128) -> u128 {
    let bits = u128::BITS - (bound - 1).leading_zeros();
    loop {
        let word = |word: u128, _| word << 16 | u128::from(random.below(1 << 16));
        let drawn = (0..bits.div_ceil(16)).fold(0, word) & ((1u128 << bits) - 1);
        if drawn < bound {
            return drawn;
        }
    }
}
