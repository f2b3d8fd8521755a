//! Levels as text, and as the columns of JSON files.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Column, Cup, Cups, CupsError, MAX_CUPS, Side};
use crate::puzzle::Fields;

/// A column in a JSON file: a string as in text, or a list of cup numbers, bottom first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum ColumnText {
    /// Numbers separated by commas, bottom first.
    Text(String),
    /// Numbers, bottom first.
    Numbers(Vec<i64>),
}

impl ColumnText {
    fn read(&self, side: Side, column: usize) -> Result<Column, CupsError> {
        let cup = |number: i64| {
            let error = CupsError::OutOfRange { side, column, cup: number, cups: MAX_CUPS };
            usize::try_from(number).ok().and_then(Cup::new).ok_or(error)
        };
        match self {
            Self::Numbers(numbers) => numbers.iter().map(|&number| cup(number)).collect(),
            Self::Text(text) if matches!(text.trim(), "" | "-") => Ok(Column::new()),
            Self::Text(text) => {
                let number = |text: &str| {
                    let text = text.trim().to_owned();
                    text.parse().map_err(|_| CupsError::NotACup { side, column, text })
                };
                text.split(',').map(|text| cup(number(text)?)).collect()
            }
        }
    }
}

/// An arrangement in a JSON file: its columns, or one text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum ArrangementText {
    Text(String),
    Columns(Vec<ColumnText>),
}

impl ArrangementText {
    fn read(&self, side: Side) -> Result<Vec<Column>, CupsError> {
        let read = |columns: &[ColumnText]| {
            columns.iter().enumerate().map(|(column, text)| text.read(side, column)).collect()
        };
        match self {
            Self::Text(text) => read(&split(text)),
            Self::Columns(columns) => read(columns),
        }
    }
}

/// Columns are separated by `|` (an empty one is nothing or `-`), or stand one a line (an empty
/// one is `-`, blank lines do not count).
fn split(text: &str) -> Vec<ColumnText> {
    let column = |text: &str| ColumnText::Text(text.to_owned());
    if text.contains('|') {
        text.split('|').map(column).collect()
    } else {
        text.lines().filter(|line| !line.trim().is_empty()).map(column).collect()
    }
}

/// Reads an arrangement.
pub(super) fn read_columns(text: &str, side: Side) -> Result<Vec<Column>, CupsError> {
    ArrangementText::Text(text.to_owned()).read(side)
}

pub(super) fn write_column(column: &Column) -> String {
    column.iter().map(Cup::to_string).collect::<Vec<_>>().join(",")
}

pub(super) fn join(columns: &[Column]) -> String {
    columns.iter().map(write_column).collect::<Vec<_>>().join("|")
}

impl Cups {
    /// Reads a level: columns separated by `|` or one a line, cups by commas, bottom first.
    /// Without a goal it is to bring all cups in order into the first column.
    ///
    /// # Errors
    /// What is wrong, with the column or cup.
    pub fn parse(text: &str, goal: Option<&str>, height: Option<u8>) -> Result<Self, CupsError> {
        let goal = goal.map(|goal| read_columns(goal, Side::Goal)).transpose()?;
        Self::new(read_columns(text, Side::Position)?, goal, height)
    }
}

impl fmt::Display for Cups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&join(&self.columns))
    }
}

impl fmt::Debug for Cups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} to {}", join(&self.goal))?;
        self.height.map_or(Ok(()), |height| write!(f, " (height {height})"))
    }
}

/// The fields of a level in a file.
#[derive(Deserialize)]
struct Record {
    #[serde(default)]
    height: Option<u64>,
    #[serde(default)]
    goal: Option<ArrangementText>,
    #[serde(default)]
    columns: Option<ArrangementText>,
}

impl Record {
    fn level(self, columns: Vec<Column>) -> Result<Cups, CupsError> {
        let goal = self.goal.map(|goal| goal.read(Side::Goal)).transpose()?;
        let narrow = |height| u8::try_from(height).map_err(|_| CupsError::Height(height));
        Cups::new(columns, goal, self.height.map(narrow).transpose()?)
    }
}

fn read_record(fields: Fields) -> Result<Record, CupsError> {
    serde_json::from_value(fields.into()).map_err(|error| CupsError::Fields(error.to_string()))
}

pub(super) fn from_fields(fields: Fields) -> Result<Cups, CupsError> {
    let record = read_record(fields)?;
    let columns = record.columns.as_ref().ok_or(CupsError::NoColumns)?.read(Side::Position)?;
    record.level(columns)
}

/// The text is the position; a number of columns among the fields is not asked.
pub(super) fn from_text(text: &str, mut fields: Fields) -> Result<Cups, CupsError> {
    fields.remove("columns");
    read_record(fields)?.level(read_columns(text, Side::Position)?)
}

/// The fields of a level as they are written.
#[derive(Serialize, JsonSchema)]
pub(super) struct Written {
    /// Most cups of a column.
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u8>,
    /// The columns of the goal, numbers separated by commas, bottom first.
    goal: Vec<String>,
    /// The columns, likewise.
    columns: Vec<String>,
}

pub(super) fn fields(level: &Cups) -> Fields {
    let write = |columns: &[Column]| columns.iter().map(write_column).collect();
    let (goal, columns) = (write(&level.goal), write(&level.columns));
    crate::puzzle::to_fields(&Written { height: level.height, goal, columns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fault(text: &str, goal: Option<&str>, height: Option<u8>) -> String {
        Cups::parse(text, goal, height).unwrap_err().to_string()
    }

    #[test]
    fn bars_lines_and_fields_read_the_same() {
        let level = Cups::parse("1, 2|-|3|", None, None).unwrap();
        assert_eq!(level.to_string(), "1,2||3|");
        assert_eq!(join(level.goal()), "1,2,3|||");
        assert_eq!(Cups::parse("1,2\n-\n\n3\r\n-\n", Some("1,2,3|||"), None).unwrap(), level);
        let Ok(serde_json::Value::Object(fields)) =
            serde_json::to_value(json!({"columns": [[1, 2], "", "3", []], "goal": "1,2,3|||"}))
        else {
            unreachable!()
        };
        assert_eq!(from_fields(fields).unwrap(), level);
        assert_eq!(from_fields(self::fields(&level)).unwrap(), level);
    }

    #[test]
    fn cups_that_do_not_fit_are_named() {
        assert_eq!(fault("1,2|4", None, None), "the position has no cup 3, of 4 cups");
        assert_eq!(fault("1|2,1", None, None), "the position has cup 1 a second time, in column 1");
        assert_eq!(
            fault("1,2|4", Some("1,2,3|"), None),
            "the position has cup 4 in column 1: cups are 1 to 3"
        );
        assert_eq!(
            fault("1,0|2", None, None),
            "the position has cup 0 in column 0: cups are 1 to 64"
        );
        assert_eq!(
            fault("1|2", Some("1|1"), None),
            "the goal has cup 1 a second time, in column 1"
        );
        assert_eq!(
            fault("1,x|", None, None).split(':').next(),
            Some("the position has \"x\" in column 0")
        );
        assert_eq!(
            fault("1,|2", None, None).split(':').next(),
            Some("the position has \"\" in column 0")
        );
    }

    #[test]
    fn columns_that_do_not_fit_are_named() {
        assert_eq!(fault("1|2", Some("1,2||"), None), "the goal has 3 columns and the position 2");
        assert_eq!(
            fault("1,2,3||", Some("1|2|3"), Some(2)),
            "the position has 3 cups in column 0, over the height limit 2"
        );
        assert_eq!(
            fault("1|2|3", None, Some(2)),
            "the goal has 3 cups in column 0, over the height limit 2"
        );
        assert_eq!(fault("", None, None), "0 columns: a level has 1 to 64");
        assert_eq!(fault("||", None, None), "0 cups: a level has 1 to 64");
        assert!(fault("1|", None, Some(0)).starts_with("height 0 is out of range"));
    }
}
