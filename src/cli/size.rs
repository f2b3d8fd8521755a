//! The flags of a size: together they replace all stretches of the settings by one.

use clap::Args;
use clap::builder::PossibleValuesParser;
use pourfect::puzzle::{Fields, PUZZLES};

/// A size, and the puzzle that it is of. Which flags a puzzle knows is the puzzle's business.
#[derive(Args)]
pub struct Size {
    /// Puzzle, if another than the settings'
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(PUZZLES))]
    pub puzzle: Option<String>,
    /// Water: colors; like every flag of a size it replaces all stretches by one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=62))]
    colors: Option<u8>,
    /// Water: units that a tube holds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=16))]
    capacity: Option<u8>,
    /// Water: empty tubes at the start
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=63))]
    empty: Option<u8>,
    /// Cups: how many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    cups: Option<u8>,
    /// Cups: columns
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=64))]
    columns: Option<u8>,
    /// Cups: the most that a column may hold; without it there is no limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    height: Option<u8>,
    /// Cups: the arrangement to reach, such as "1,2,3|4,5|"; without it all in order in the first
    /// column
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
}

impl Size {
    /// The flags that were given, as fields of a stretch.
    pub fn fields(&self) -> Fields {
        let mut fields = Fields::new();
        for (name, value) in [
            ("colors", self.colors),
            ("capacity", self.capacity),
            ("empty", self.empty),
            ("cups", self.cups),
            ("columns", self.columns),
            ("height", self.height),
        ] {
            fields.extend(value.map(|value| (name.to_owned(), value.into())));
        }
        fields.extend(self.goal.as_ref().map(|goal| ("goal".to_owned(), goal.as_str().into())));
        fields
    }
}
