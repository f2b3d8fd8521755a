//! The puzzles by name: the one place that knows them all. A new puzzle is a line in the call of
//! [`puzzles!`].

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::cups::{Cups, CupsError, CupsShape, CupsShapeError};
use super::water::{Water, WaterError, WaterShape, WaterShapeError};
use super::{Board, Canonical, Fields, IllegalMove, Move, Scene, Shape, Visitor};

/// Work to be done with a shape, whatever its puzzle.
pub trait ShapeVisitor {
    /// What the work yields.
    type Output;
    /// Does the work.
    fn visit<S: Shape>(self, shape: &S) -> Self::Output
    where
        Level: From<S::Board>;
}

/// Calls the same on whichever puzzle's value an enum holds.
macro_rules! each {
    ($enum:ident, $value:expr, $inner:ident => $call:expr, [$($puzzle:ident),+]) => {
        match $value { $($enum::$puzzle($inner) => $call),+ }
    };
}

macro_rules! puzzles {
    ($($doc:literal $puzzle:ident { level: $level:ident, shape: $shape:ident, error: $error:ident, shape_error: $shape_error:ident })+) => {
        /// A level of any puzzle.
        #[derive(Clone, PartialEq, Eq)]
        pub enum Level { $(#[doc = $doc] $puzzle($level)),+ }

        /// What a generator draws, of any puzzle.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnyShape { $(#[doc = $doc] $puzzle($shape)),+ }

        /// A level that is not well formed.
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        pub enum LevelError {
            $(#[doc = $doc] #[error(transparent)] $puzzle(#[from] $error),)+
            /// A puzzle that does not exist.
            #[error(transparent)]
            Puzzle(#[from] UnknownPuzzle),
        }

        /// A size that cannot be.
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        pub enum ShapeError {
            $(#[doc = $doc] #[error(transparent)] $puzzle(#[from] $shape_error),)+
            /// A puzzle that does not exist.
            #[error(transparent)]
            Puzzle(#[from] UnknownPuzzle),
        }

        $(impl From<$level> for Level {
            fn from(level: $level) -> Self { Self::$puzzle(level) }
        })+

        /// The names of all puzzles.
        pub const PUZZLES: &[&str] = &[$($level::NAME),+];

        /// The columns that a report has for the levels of each puzzle.
        const COLUMNS: &[&[&str]] = &[$($level::COLUMNS),+];

        impl JsonSchema for Level {
            fn schema_name() -> Cow<'static, str> {
                "Level".into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                any_puzzle([$(($level::NAME, $level::schema(generator))),+])
            }
        }

        impl Level {
            /// Reads a level from the fields of a file.
            ///
            /// # Errors
            /// What is wrong with the level, or an unknown puzzle.
            pub fn from_fields(puzzle: &str, fields: Fields) -> Result<Self, LevelError> {
                match puzzle {
                    $($level::NAME => Ok(Self::$puzzle($level::from_fields(fields)?)),)+
                    _ => Err(UnknownPuzzle { name: puzzle.to_owned() }.into()),
                }
            }

            /// Reads a level from text; `fields` say what the text does not.
            ///
            /// # Errors
            /// What is wrong with the level, or an unknown puzzle.
            pub fn from_text(puzzle: &str, text: &str, fields: Fields) -> Result<Self, LevelError> {
                match puzzle {
                    $($level::NAME => Ok(Self::$puzzle($level::from_text(text, fields)?)),)+
                    _ => Err(UnknownPuzzle { name: puzzle.to_owned() }.into()),
                }
            }

            /// The puzzle's name in files.
            pub fn puzzle(&self) -> &'static str {
                match self { $(Self::$puzzle(_) => $level::NAME),+ }
            }

            /// The canonical form; see [`Board::canonical`].
            pub fn canonical(&self) -> Canonical<Self> {
                match self {
                    $(Self::$puzzle(level) => {
                        let Canonical { board, order } = level.canonical();
                        Canonical { board: board.into(), order }
                    }),+
                }
            }

            /// Plays one move.
            ///
            /// # Errors
            /// The move is against the rules; the level is unchanged.
            pub fn play(&mut self, action: Move) -> Result<(), IllegalMove> {
                each!(Self, self, level => level.play(action), [$($puzzle),+])
            }

            /// Every legal move, in order of source and target.
            pub fn legal_moves(&self) -> Vec<Move> {
                each!(Self, self, level => level.legal_moves(), [$($puzzle),+])
            }

            /// Whether the goal is reached.
            pub fn is_solved(&self) -> bool {
                each!(Self, self, level => level.is_solved(), [$($puzzle),+])
            }

            /// Whether part of the level is done already.
            pub fn is_partly_done(&self) -> bool {
                each!(Self, self, level => level.is_partly_done(), [$($puzzle),+])
            }

            /// The stacks as text; an empty stack is an empty string.
            pub fn stacks(&self) -> Vec<String> {
                each!(Self, self, level => level.stacks(), [$($puzzle),+])
            }

            /// The position and its rules for pages and pictures.
            pub fn scene(&self) -> Scene {
                each!(Self, self, level => level.scene(), [$($puzzle),+])
            }

            /// The figures of this puzzle's own columns, in the order of its columns.
            pub fn columns(&self) -> Vec<(&'static str, String)> {
                each!(Self, self, level => level.columns(), [$($puzzle),+])
            }

            /// How broken up the position is; see [`Board::disorder`].
            pub fn disorder(&self) -> u32 {
                each!(Self, self, level => level.disorder(), [$($puzzle),+])
            }

            /// The level as the fields of a file, without the puzzle's name.
            pub fn fields(&self) -> Fields {
                each!(Self, self, level => level.fields(), [$($puzzle),+])
            }

            /// Prepares the level for search; see [`Board::explore`].
            pub fn explore<V: Visitor>(&self, visitor: V) -> V::Output {
                each!(Self, self, level => level.explore(visitor), [$($puzzle),+])
            }
        }

        impl AnyShape {
            /// Reads a shape from the fields of a settings file.
            ///
            /// # Errors
            /// What is wrong with the fields, in words.
            pub fn from_fields(puzzle: &str, fields: Fields) -> Result<Self, ShapeError> {
                match puzzle {
                    $($level::NAME => Ok(Self::$puzzle($shape::from_fields(fields)?)),)+
                    _ => Err(UnknownPuzzle { name: puzzle.to_owned() }.into()),
                }
            }

            /// The shape as the fields of a settings file, without the puzzle's name.
            pub fn fields(&self) -> Fields {
                each!(Self, self, shape => shape.fields(), [$($puzzle),+])
            }

            /// The puzzle's name in files.
            pub fn puzzle(&self) -> &'static str {
                match self { $(Self::$puzzle(_) => $level::NAME),+ }
            }

            /// Short code of size and rules; see [`Shape::code`].
            pub fn code(&self) -> String {
                each!(Self, self, shape => shape.code(), [$($puzzle),+])
            }

            /// The shape of a code; see [`Shape::from_code`].
            pub fn from_code(code: &str) -> Option<Self> {
                None$(.or_else(|| $shape::from_code(code).map(Self::$puzzle)))+
            }

            /// Does work that depends on the puzzle.
            pub fn visit<V: ShapeVisitor>(&self, visitor: V) -> V::Output {
                each!(Self, self, shape => visitor.visit(shape), [$($puzzle),+])
            }
        }
    };
}

puzzles! {
    "Water Sort and ball sort."
    Water { level: Water, shape: WaterShape, error: WaterError, shape_error: WaterShapeError }
    "Cup stacking."
    Cups { level: Cups, shape: CupsShape, error: CupsError, shape_error: CupsShapeError }
}

/// A puzzle that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown puzzle `{name}`; known are {}", PUZZLES.join(", "))]
pub struct UnknownPuzzle {
    /// What was asked for.
    pub name: String,
}

/// The columns that reports have for the levels of all puzzles, each once.
pub fn level_columns() -> Vec<&'static str> {
    let mut columns: Vec<&str> = Vec::new();
    for &column in COLUMNS.iter().copied().flatten() {
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    columns
}

impl Level {
    /// Reads a water level with the default rules: pour `max`, goal `sorted`.
    ///
    /// # Errors
    /// What is wrong with the level.
    pub fn water(text: &str) -> Result<Self, LevelError> {
        Self::from_text(Water::NAME, text, Fields::new())
    }
}

impl Level {
    /// The canonical form as text, rules and all: equal for two levels exactly when they are the
    /// same level.
    pub fn identity(&self) -> String {
        self.canonical().board.json()
    }

    /// 64 bits of a SHA-256 over the identity: equal for two drawings of the same level, and
    /// for different levels only by accident.
    pub fn fingerprint(&self) -> u64 {
        self.canonical().board.drawing_fingerprint()
    }

    /// 64 bits of a SHA-256 over the level as it is drawn; of a canonical form its fingerprint.
    pub(crate) fn drawing_fingerprint(&self) -> u64 {
        let digest = Sha256::digest(self.json());
        digest.iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte))
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("a level is plain fields")
    }
}

/// The schema of an object that has the fields of one of the puzzles, and its name as `puzzle`.
fn any_puzzle<const N: usize>(puzzles: [(&str, Schema); N]) -> Schema {
    let named = |(name, schema): (&str, Schema)| json_schema!({ "properties": { "puzzle": { "const": name } }, "allOf": [schema] });
    json_schema!({
        "type": "object",
        "properties": { "puzzle": { "type": "string" } },
        "required": ["puzzle"],
        "oneOf": puzzles.map(named).to_vec(),
    })
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.stacks().join("|"))
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", self.puzzle())
    }
}

/// In files a level is an object of its fields and `puzzle`.
impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = self.fields();
        fields.insert("puzzle".into(), self.puzzle().into());
        fields.serialize(serializer)
    }
}

/// Without `puzzle` a level is one of water.
impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = Fields::deserialize(deserializer)?;
        let puzzle = match fields.remove("puzzle") {
            Some(name) => String::deserialize(name).map_err(D::Error::custom)?,
            None => Water::NAME.to_owned(),
        };
        Self::from_fields(&puzzle, fields).map_err(D::Error::custom)
    }
}
