//! Weighted random walks of reverse moves from the solved position.

use super::Draw;
use crate::puzzle::{Level, Move, Progress, Shape};
use crate::random::Stream;

/// Walks until the position has the asked shape; `None` when the walk gets stuck or lost.
///
/// Played backward, the walk solves the level, so every level drawn is solvable. The more attempts
/// failed before, the less the steps' weights count: a small size has few levels to the walk's
/// taste, and those that are left lie elsewhere.
pub(super) fn walk<S: Shape>(shape: &S, attempt: u32, random: &mut Stream) -> Option<Draw>
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
        steps.iter_mut().for_each(|step| step.weight = toned_down(step.weight, attempt));
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

/// Attempts at which the weights count in full: hardly a walk of a size with levels to spare needs
/// more.
const FULL_TONE: u32 = 100;
/// Further attempts after which a weight is worth the square root of what it was.
const HALF_TONE: u32 = 64;

/// A weight at a later attempt: with its logarithm, to whole powers of 2, brought down.
fn toned_down(weight: u32, attempt: u32) -> u32 {
    let late = attempt.saturating_sub(FULL_TONE);
    match weight.checked_ilog2() {
        Some(log) if late > 0 => 1 << (log * HALF_TONE / late.saturating_add(HALF_TONE)),
        _ => weight,
    }
}

#[cfg(test)]
mod tests {
    use super::toned_down;

    #[test]
    fn weights_count_less_with_every_attempt_and_nothing_stays_nothing() {
        let toned = [0, 100, 101, 164, 10_000].map(|attempt| toned_down(1 << 10, attempt));
        assert_eq!(toned, [1024, 1024, 512, 32, 1]);
        assert_eq!(toned_down(3, 0), 3);
        assert_eq!(toned_down(0, 5), 0);
    }
}
