//! The forward rules, written plainly. Replays use this; the search does not.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::{Color, Goal, PourRule, Tube, Water, WaterError, text};
use crate::puzzle::{
    Amount, Board, Canonical, Fields, IllegalMove, Move, Onto, Scene, SceneGoal, Visitor,
};

impl Water {
    /// Units that go over, or why none do.
    fn pour_units(&self, action: Move) -> Result<u8, &'static str> {
        if action.source == action.target {
            return Err("a tube cannot be poured into itself");
        }
        let tube = |index: usize| self.tubes.get(index).ok_or("there is no such tube");
        let (source, target) = (tube(action.source.index())?, tube(action.target.index())?);
        if source.is_empty() {
            return Err("the source is empty");
        }
        if !target.is_empty() && target.top() != source.top() {
            return Err("the target shows another color");
        }
        let room = self.rules.capacity - target.len();
        self.rules.pour.units(source.run(), room).ok_or("the target has too little room")
    }

    /// Whether every color lies in as few tubes as can hold it.
    fn is_gathered(&self) -> bool {
        self.color_counts().all(|(color, units)| {
            let tubes = self.tubes.iter().filter(|tube| tube.top() == Some(color)).count();
            tubes == self.tubes_for(units)
        })
    }
}

impl Board for Water {
    const NAME: &'static str = "water";
    const COLUMNS: &'static [&'static str] =
        &["colors", "capacity", "empty", "pour", "goal", "blocks"];

    type Error = WaterError;

    fn from_fields(fields: Fields) -> Result<Self, WaterError> {
        super::text::from_fields(fields)
    }

    fn from_text(text: &str, fields: Fields) -> Result<Self, WaterError> {
        super::text::from_text(text, fields)
    }

    fn fields(&self) -> Fields {
        super::text::fields(self)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        text::Written::json_schema(generator)
    }

    fn stacks(&self) -> Vec<String> {
        self.tubes.iter().map(Tube::to_string).collect()
    }

    fn scene(&self) -> Scene {
        let units = |tube: &Tube| tube.units().iter().map(|unit| unit.index()).collect();
        let colors = self.color_counts().last().map_or(0, |(color, _)| color.index() + 1);
        let label = |color: Color| color.symbol().to_string();
        Scene {
            noun: "tube",
            labels: (0..colors).filter_map(Color::new).map(label).collect(),
            stacks: self.tubes.iter().map(units).collect(),
            height: self.rules.capacity.into(),
            amount: match self.rules.pour {
                PourRule::Max => Amount::Max,
                PourRule::Whole => Amount::Whole,
                PourRule::Unit => Amount::One,
            },
            onto: Onto::Same,
            goal: match self.rules.goal {
                Goal::Sorted => SceneGoal::Sorted,
                Goal::Uniform => SceneGoal::Uniform,
            },
        }
    }

    fn play(&mut self, action: Move) -> Result<(), IllegalMove> {
        let units = self.pour_units(action).map_err(|reason| IllegalMove { action, reason })?;
        let (source, target) = (action.source.index(), action.target.index());
        if let Some(color) = self.tubes[source].top() {
            self.tubes[source].pop(units);
            self.tubes[target].push(color, units);
        }
        Ok(())
    }

    fn legal_moves(&self) -> Vec<Move> {
        let count = self.tubes.len();
        (0..count)
            .flat_map(|source| (0..count).map(move |target| Move::new(source, target)))
            .filter(|&action| self.pour_units(action).is_ok())
            .collect()
    }

    fn is_solved(&self) -> bool {
        self.tubes.iter().all(|tube| tube.is_empty() || tube.is_uniform())
            && match self.rules.goal {
                Goal::Sorted => self
                    .tubes
                    .iter()
                    .all(|tube| tube.is_empty() || tube.len() == self.rules.capacity),
                Goal::Uniform => self.is_gathered(),
            }
    }

    fn canonical(&self) -> Canonical<Self> {
        super::identity::canonical(self)
    }

    fn is_partly_done(&self) -> bool {
        self.tubes.iter().any(|tube| tube.is_uniform() && tube.len() == self.rules.capacity)
    }

    fn columns(&self) -> Vec<(&'static str, String)> {
        let empty = self.tubes.iter().filter(|tube| tube.is_empty()).count();
        let values = [
            self.color_counts().count().to_string(),
            self.rules.capacity.to_string(),
            empty.to_string(),
            self.rules.pour.to_string(),
            self.rules.goal.name().to_owned(),
            self.disorder().to_string(),
        ];
        Self::COLUMNS.iter().copied().zip(values).collect()
    }

    fn disorder(&self) -> u32 {
        self.tubes.iter().map(Tube::blocks).sum()
    }

    fn explore<V: Visitor>(&self, visitor: V) -> V::Output {
        super::space::explore(self, visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::water::PourRule;

    fn level(text: &str, capacity: u8, pour: PourRule) -> Water {
        Water::parse(text, Some(capacity), pour, Goal::Sorted).unwrap()
    }

    fn after(text: &str, pour: PourRule, action: &str) -> Result<String, &'static str> {
        let mut level = level(text, 4, pour);
        level.play(action.parse().unwrap()).map_err(|error| error.reason)?;
        Ok(level.to_string())
    }

    #[test]
    fn a_cut_off_pour_depends_on_the_rule() {
        let text = "BAA|BBAA|AAA|BB|BBB|A|";
        let pour = |rule| after(text, rule, "0>2");
        assert_eq!(pour(PourRule::Max).unwrap(), "BA|BBAA|AAAA|BB|BBB|A|");
        assert_eq!(pour(PourRule::Whole), Err("the target has too little room"));
        assert_eq!(pour(PourRule::Unit).unwrap(), "BA|BBAA|AAAA|BB|BBB|A|");
    }

    #[test]
    fn pours_that_the_rules_refuse() {
        let refuse = |action| after("ABAB|BABA||", PourRule::Max, action).unwrap_err();
        assert_eq!(refuse("0>0"), "a tube cannot be poured into itself");
        assert_eq!(refuse("0>1"), "the target shows another color");
        assert_eq!(refuse("2>0"), "the source is empty");
        assert_eq!(refuse("0>9"), "there is no such tube");
    }

    #[test]
    fn solved_depends_on_the_goal() {
        assert!(level("AAAA|BBBB|", 4, PourRule::Max).is_solved());
        assert!(!level("AA|AA|BBBB|", 4, PourRule::Max).is_solved());
        let gathered =
            |text| Water::parse(text, Some(4), PourRule::Max, Goal::Uniform).unwrap().is_solved();
        assert!(gathered("AAA|BB|"));
        assert!(gathered("AAAA|A") && gathered("AAA|AA"));
        assert!(!gathered("AA|A|BB"));
        assert!(!gathered("AABB|"));
    }
}
