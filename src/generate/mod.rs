//! Draws levels: one attempt at one candidate, a function of its stream alone.

mod fill;
mod reverse;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::puzzle::{AnyShape, Level, Move, Shape, ShapeVisitor};
use crate::random::{Stream, StreamId};

/// Version of everything that decides the bytes of a pack: streams, walks, fillings, the rating
/// search and the model. It grows with any change of theirs.
pub const GENERATOR_VERSION: u32 = 2;

/// How levels are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// A weighted random walk of reverse moves from the solved position.
    #[default]
    Reverse,
    /// A uniformly random filling, to be kept when it proves solvable.
    Fill,
}

impl Method {
    /// The method's name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reverse => "reverse",
            Self::Fill => "fill",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A method that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown method `{name}`; known are reverse, fill")]
pub struct UnknownMethod {
    /// What was asked for.
    pub name: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let known = [Self::Reverse, Self::Fill].into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

/// A drawn level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The level.
    pub level: Level,
    /// For a reverse walk, the walk played backward: moves that solve the level.
    pub walk: Option<Vec<Move>>,
    /// Walks before it that ended in another shape.
    pub lost: u32,
}

/// Draws one level; `None` when `patience` walks all ended in another shape.
pub fn draw(shape: &AnyShape, method: Method, stream: StreamId, patience: u32) -> Option<Draw> {
    struct Drawing(Method, StreamId, u32);
    impl ShapeVisitor for Drawing {
        type Output = Option<Draw>;

        fn visit<S: Shape>(self, shape: &S) -> Option<Draw>
        where
            Level: From<S::Board>,
        {
            let Self(method, stream, patience) = self;
            let mut random = Stream::new(stream, GENERATOR_VERSION);
            match method {
                Method::Reverse => reverse::walk(shape, stream.attempt, patience, &mut random),
                Method::Fill => Some(fill::fill(shape, &mut random)),
            }
        }
    }
    shape.visit(Drawing(method, stream, patience))
}
