//! Weighted random walks of reverse moves from the solved position.

use super::Draw;
use crate::puzzle::{Level, Move, Progress, Shape};
use crate::random::Stream;

/// Walks until the position has the asked shape; `None` when the walk gets stuck or lost.
///
/// Played backward, the walk solves the level, so every level drawn is solvable.
pub(super) fn walk<S: Shape>(shape: &S, random: &mut Stream) -> Option<Draw>
where
    Level: From<S::Board>,
{
    let mut board = shape.solved();
    let mut undoing: Vec<Move> = Vec::new();
    let mut last = None;
    let mut steps = Vec::new();
    loop {
        match shape.progress(&board, undoing.len() as u32) {
            Progress::Walking => {}
            Progress::Arrived => break,
            Progress::Lost => return None,
        }
        shape.steps(&board, last, &mut steps);
        let total: u32 = steps.iter().map(|step| step.weight).sum();
        if total == 0 {
            return None;
        }
        let mut drawn = random.below(total);
        let step = steps.iter().find(|step| {
            let chosen = drawn < step.weight;
            drawn = drawn.wrapping_sub(step.weight);
            chosen
        })?;
        undoing.push(shape.unplay(&mut board, step.unmove));
        last = Some(step.unmove);
    }
    let order = shape.arrange(&board, random);
    let mut place_of = vec![0; order.len()];
    for (place, &stack) in order.iter().enumerate() {
        place_of[stack] = place;
    }
    let arranged =
        |action: &Move| Move::new(place_of[action.source.index()], place_of[action.target.index()]);
    let walk = undoing.iter().rev().map(arranged).collect();
    Some(Draw { level: shape.reorder(&board, &order).into(), walk: Some(walk) })
}
