//! The rules, written plainly. Replays use this; the search does not.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::text::{self, join, write_column};
use super::{Column, Cups, CupsError};
use crate::puzzle::{
    Amount, Board, Canonical, Fields, IllegalMove, Move, Onto, Scene, SceneGoal, Visitor,
};

impl Cups {
    fn refusal(&self, action: Move) -> Option<&'static str> {
        let (source, target) = (action.source.index(), action.target.index());
        let full = |stack: &Vec<_>| self.height.is_some_and(|height| stack.len() >= height.into());
        match (self.columns.get(source), self.columns.get(target)) {
            (None, _) | (_, None) => Some("there is no such column"),
            _ if source == target => Some("a cup cannot be put onto its own column"),
            (Some(source), _) if source.is_empty() => Some("the source is empty"),
            (_, Some(target)) if full(target) => Some("the target is full"),
            _ => None,
        }
    }
}

impl Board for Cups {
    const NAME: &'static str = "cups";
    const COLUMNS: &'static [&'static str] = &["cups", "columns", "height", "goal", "misplaced"];

    type Error = CupsError;

    fn from_fields(fields: Fields) -> Result<Self, CupsError> {
        super::text::from_fields(fields)
    }

    fn from_text(text: &str, fields: Fields) -> Result<Self, CupsError> {
        super::text::from_text(text, fields)
    }

    fn fields(&self) -> Fields {
        super::text::fields(self)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        text::Written::json_schema(generator)
    }

    fn stacks(&self) -> Vec<String> {
        self.columns.iter().map(write_column).collect()
    }

    fn scene(&self) -> Scene {
        let units = |column: &Column| column.iter().map(|cup| cup.index()).collect();
        let stacks = |columns: &[Column]| columns.iter().map(units).collect();
        Scene {
            noun: "column",
            labels: (1..=self.cups()).map(|number| number.to_string()).collect(),
            stacks: stacks(&self.columns),
            height: self.height.map_or(self.cups(), usize::from),
            amount: Amount::One,
            onto: Onto::Any,
            goal: SceneGoal::Arrangement(stacks(&self.goal)),
        }
    }

    fn play(&mut self, action: Move) -> Result<(), IllegalMove> {
        if let Some(reason) = self.refusal(action) {
            return Err(IllegalMove { action, reason });
        }
        let cup = self.columns[action.source.index()].pop();
        self.columns[action.target.index()].extend(cup);
        Ok(())
    }

    fn legal_moves(&self) -> Vec<Move> {
        let count = self.columns.len();
        (0..count)
            .flat_map(|source| (0..count).map(move |target| Move::new(source, target)))
            .filter(|&action| self.refusal(action).is_none())
            .collect()
    }

    fn is_solved(&self) -> bool {
        self.columns == self.goal
    }

    /// Sorts what stands on the columns that end empty (empty ones last); every other column is
    /// told apart by its goal.
    fn canonical(&self) -> Canonical<Self> {
        let free = || (0..self.columns.len()).filter(|&column| self.interchangeable(column));
        let mut sorted: Vec<usize> = free().collect();
        sorted.sort_by_key(|&column| (self.columns[column].is_empty(), &self.columns[column]));
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        for (place, column) in free().zip(sorted) {
            order[place] = column;
        }
        let columns = order.iter().map(|&column| self.columns[column].clone()).collect();
        Canonical { board: Self { columns, ..self.clone() }, order }
    }

    /// A column that ends with cups has all of them already. Single cups in place are no reason
    /// to turn a level down: the one at the bottom often is.
    fn is_partly_done(&self) -> bool {
        let done =
            |column| !self.interchangeable(column) && self.columns[column] == self.goal[column];
        (0..self.columns.len()).any(done)
    }

    fn columns(&self) -> Vec<(&'static str, String)> {
        let values = [
            self.cups().to_string(),
            self.columns.len().to_string(),
            self.height.map(|height| height.to_string()).unwrap_or_default(),
            join(&self.goal),
            self.disorder().to_string(),
        ];
        Self::COLUMNS.iter().copied().zip(values).collect()
    }

    /// The cups that are not in place.
    fn disorder(&self) -> u32 {
        let settled: usize = (0..self.columns.len()).map(|column| self.settled(column)).sum();
        (self.cups() - settled) as u32
    }

    fn explore<V: Visitor>(&self, visitor: V) -> V::Output {
        super::space::explore(self, visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str, goal: &str, height: impl Into<Option<u8>>) -> Cups {
        Cups::parse(text, Some(goal), height.into()).unwrap()
    }

    #[test]
    fn a_move_takes_the_top_cup() {
        let mut board = level("1,2|3|", "1,2,3||", None);
        board.play("0>2".parse().unwrap()).unwrap();
        assert_eq!(board.to_string(), "1|3|2");
        let legal: Vec<String> = board.legal_moves().iter().map(Move::to_string).collect();
        assert_eq!(legal, ["0>1", "0>2", "1>0", "1>2", "2>0", "2>1"]);
    }

    #[test]
    fn moves_that_the_rules_refuse() {
        let refuse = |action: &str| {
            let mut board = level("1,2|3|", "1,2|3|", 2);
            board.play(action.parse().unwrap()).unwrap_err().reason
        };
        assert_eq!(refuse("0>0"), "a cup cannot be put onto its own column");
        assert_eq!(refuse("2>0"), "the source is empty");
        assert_eq!(refuse("1>0"), "the target is full");
        assert_eq!(refuse("0>3"), "there is no such column");
    }

    #[test]
    fn only_columns_that_end_empty_are_interchangeable() {
        let form = |text| level(text, "1,2|3||", None).canonical().board.to_string();
        assert_eq!(form("1|||2,3"), "1||2,3|");
        assert_eq!(form("|1|3|2"), "|1|2|3");
        assert_ne!(form("1|2|3|"), form("2|1|3|"));
    }

    #[test]
    fn the_canonical_form_knows_the_way_back() {
        let drawn = level("2|||3|1", "1,2,3||||", None);
        let canonical = drawn.canonical();
        assert_eq!(canonical.order, [0, 4, 3, 1, 2]);
        assert_eq!(canonical.drawn("2>4".parse().unwrap()), "3>2".parse().unwrap());
    }

    #[test]
    fn a_finished_column_is_partly_done_and_a_cup_in_place_is_not() {
        assert!(level("1,2|4|3", "1,2|3,4|", None).is_partly_done());
        assert!(!level("1|2|3,4", "1,2|3,4|", None).is_partly_done());
        assert_eq!(level("1|2|3,4", "1,2|3,4|", None).disorder(), 3);
    }
}
