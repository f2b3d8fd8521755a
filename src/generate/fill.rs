//! Uniformly random fillings.

use super::Draw;
use crate::puzzle::{Level, Shape};
use crate::random::Stream;

/// Fills the shape at random; nothing says yet whether the level is solvable.
pub(super) fn fill<S: Shape>(shape: &S, random: &mut Stream) -> Draw
where
    Level: From<S::Board>,
{
    Draw { level: shape.fill(random).into(), walk: None, lost: 0 }
}
