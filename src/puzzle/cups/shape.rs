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

/// With 8 steps a cup, levels are on average as long as random arrangements, for 5 cups on 3
/// columns as for 12 on 5.
fn default_steps(cups: u8) -> u32 {
    8 * u32::from(cups)
}

/// The walk's taste. Only ratios matter.
///
/// A uniformly random walk lingers near the goal. These weights lead away from it: 20 steps with 10
/// cups on 4 columns make 13 moves instead of 10, and turn back half as often.
mod weight {
    /// Moving a cup that is in place.
    pub const UNSETTLE: u32 = 32;
    /// Moving another cup.
    pub const STRAY: u32 = 8;
    /// Putting a cup in place.
    pub const SETTLE: u32 = 1;
}

fn weight(board: &Cups, unmove: Unmove) -> u32 {
    let height = |column: usize| board.columns[column].len();
    let settled = |column: usize| board.settled(column) == height(column);
    let Unmove { from, onto } = unmove;
    let home = board.goal[onto].get(height(onto)) == board.columns[from].last();
    if settled(onto) && home {
        weight::SETTLE
    } else if settled(from) {
        weight::UNSETTLE
    } else {
        weight::STRAY
    }
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

    /// Such as `c10x4`, `c8x4h8`; a goal of its own adds a digest of it.
    fn code(&self) -> String {
        let height = self.solved.height.map(|height| format!("h{height}")).unwrap_or_default();
        let digest = |goal: String| {
            let digest = goal.bytes().fold(0, |hash, byte| fold(hash, byte.into()));
            format!(".{:08x}", digest as u32)
        };
        let goal = self.own_goal().map(digest).unwrap_or_default();
        format!("c{}x{}{height}{goal}", self.cups(), self.columns())
    }

    /// With the usual goal and number of steps; a digest of another goal does not give it back.
    fn from_code(code: &str) -> Option<Self> {
        let (cups, columns) = code.strip_prefix('c')?.split_once('x')?;
        let (columns, height) = match columns.split_once('h') {
            Some((columns, height)) => (columns, Some(height.parse().ok()?)),
            None => (columns, None),
        };
        let (cups, columns) = (cups.parse().ok()?, columns.parse().ok()?);
        Self::new(Settings { cups, columns, height, goal: None, steps: None }).ok()
    }

    fn solved(&self) -> Cups {
        self.solved.clone()
    }

    /// Every move but the one that undoes the last; the last cup again only where no other can
    /// move, for that is a step wasted.
    fn steps(&self, board: &Cups, last: Option<Unmove>, out: &mut Vec<Step<Unmove>>) {
        out.clear();
        out.extend(board.legal_moves().into_iter().map(|action| {
            let unmove = Unmove { from: action.source.index(), onto: action.target.index() };
            Step { unmove, weight: weight(board, unmove) }
        }));
        let Some(last) = last else { return };
        let undoing = Unmove { from: last.onto, onto: last.from };
        out.retain(|step| step.unmove != undoing);
        if out.iter().any(|step| step.unmove.from != last.onto) {
            out.retain(|step| step.unmove.from != last.onto);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::StreamId;
    use serde_json::json;
    use std::collections::BTreeMap;

    fn shape(fields: serde_json::Value) -> Result<CupsShape, CupsShapeError> {
        CupsShape::from_fields(serde_json::from_value(fields).unwrap())
    }

    fn stream() -> Stream {
        Stream::new(StreamId { seed: 1, index: 0, attempt: 0 }, 1)
    }

    #[test]
    fn fields_come_back_and_the_code_tells_shapes_apart() {
        let usual = shape(json!({"cups": 10})).unwrap();
        assert_eq!(usual.code(), "c10x4");
        assert_eq!(usual.steps, 80);
        let low =
            shape(json!({"cups": 5, "columns": 3, "height": 3, "goal": "1,2|3,4|5"})).unwrap();
        let other =
            shape(json!({"cups": 5, "columns": 3, "height": 3, "goal": "1,2|3|4,5"})).unwrap();
        assert!(low.code().starts_with("c5x3h3."), "{}", low.code());
        assert_ne!(low.code(), other.code());
        for shape in [usual, low] {
            assert_eq!(CupsShape::from_fields(shape.fields()).unwrap(), shape);
        }
    }

    #[test]
    fn shapes_that_cannot_be_are_refused() {
        let fault = |fields| shape(fields).unwrap_err().to_string();
        assert_eq!(fault(json!({"cups": 65})), "cups = 65 is out of range: 1 to 64");
        assert_eq!(fault(json!({"cups": 5, "columns": 1})), "columns = 1 is out of range: 2 to 64");
        assert_eq!(fault(json!({"cups": 5, "steps": 0})), "steps = 0 is out of range: 1 to 10000");
        assert_eq!(
            fault(json!({"cups": 9, "columns": 3, "height": 3, "goal": "1,2,3|4,5,6|7,8,9"})),
            "cups = 9 fill 3 columns of height 3: no cup can move"
        );
        assert_eq!(
            fault(json!({"cups": 5, "height": 4})),
            "the goal has 5 cups in column 0, over the height limit 4"
        );
        let columns = json!({"cups": 3, "columns": 3, "goal": "1,2,3|"});
        assert_eq!(fault(columns), "the goal has 2 columns, and columns = 3");
        let cups = json!({"cups": 4, "columns": 2, "goal": "1,2,3|"});
        assert_eq!(fault(cups), "the goal has 3 cups, and cups = 4");
        let repeated = json!({"cups": 3, "columns": 2, "goal": "1,2|1"});
        assert_eq!(fault(repeated), "the goal has cup 1 a second time, in column 1");
    }

    #[test]
    fn fillings_are_uniform() {
        let (mut random, mut counts) = (stream(), BTreeMap::new());
        let goal = "1,2|3|";
        let shape = shape(json!({"cups": 3, "columns": 3, "height": 2, "goal": goal})).unwrap();
        for _ in 0..42_000 {
            *counts.entry(shape.fill(&mut random).to_string()).or_insert(0) += 1;
        }
        // Heights 2 1 0 in any order and 1 1 1, with 6 ways to place the cups: 42 arrangements.
        assert_eq!(counts.len(), 42);
        assert!(counts.values().all(|count| (870..1130).contains(count)), "{counts:?}");
    }

    #[test]
    fn the_largest_shape_can_be_filled() {
        let shape = shape(json!({"cups": 64, "columns": 64})).unwrap();
        let board = shape.fill(&mut stream());
        assert_eq!(board.position().iter().map(Vec::len).sum::<usize>(), 64);
    }

    #[test]
    fn steps_undo_nothing_and_are_undone_by_moves() {
        let shape = shape(json!({"cups": 4, "columns": 3})).unwrap();
        let (mut board, mut steps, mut last) = (shape.solved(), Vec::new(), None);
        let mut random = stream();
        for _ in 0..200 {
            shape.steps(&board, last, &mut steps);
            let step = steps[random.below(steps.len() as u32) as usize].unmove;
            if let Some(Unmove { from, onto }) = last {
                assert_ne!((step.from, step.onto), (onto, from));
            }
            let before = board.clone();
            let back = shape.unplay(&mut board, step);
            let mut again = board.clone();
            again.play(back).unwrap();
            assert_eq!(again, before);
            last = Some(step);
        }
    }
}
