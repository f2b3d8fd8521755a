//! Weighted random walks of reverse moves from the solved position.

use super::Draw;
use crate::puzzle::{Level, Move, Progress, Shape};
use crate::random::Stream;

/// Walks until a walk ends in the asked shape; `None` after `patience` walks that got stuck or lost.
///
/// Played backward, the walk solves the level, so every level drawn is solvable.
pub(super) fn walk<S: Shape>(
    shape: &S,
    attempt: u32,
    patience: u32,
    random: &mut Stream,
) -> Option<Draw>
where
    Level: From<S::Board>,
{
    let ended = |lost| Some((lost, one_walk(shape, attempt, random)?));
    let (lost, (board, undoing)) = (0..patience).find_map(ended)?;
    let order = shape.arrange(&board, random);
    let mut place_of = vec![0; order.len()];
    for (place, &stack) in order.iter().enumerate() {
        place_of[stack] = place;
    }
    let arranged =
        |action: &Move| Move::new(place_of[action.source.index()], place_of[action.target.index()]);
    let walk = undoing.iter().rev().map(arranged).collect();
    Some(Draw { level: shape.reorder(&board, &order).into(), walk: Some(walk), lost })
}

/// One walk: where it ends, and the moves that undo it, the last step's last.
fn one_walk<S: Shape>(
    shape: &S,
    attempt: u32,
    random: &mut Stream,
) -> Option<(S::Board, Vec<Move>)> {
    let mut board = shape.solved();
    let mut undoing: Vec<Move> = Vec::new();
    let mut last = None;
    let mut steps = Vec::new();
    loop {
        match shape.progress(&board, undoing.len() as u32) {
            Progress::Walking => {}
            Progress::Arrived => return Some((board, undoing)),
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
}

/// A weight at an attempt. Every second attempt keeps it as it is; of the others, every second
/// takes its square root, and so on. Where a size has few levels to the walk's taste, those that
/// are left lie elsewhere; where many levels are outside a limit, the taste still counts.
fn toned_down(weight: u32, attempt: u32) -> u32 {
    let halvings = attempt.trailing_ones();
    match weight.checked_ilog2() {
        Some(log) if halvings > 0 => 1 << log.checked_shr(halvings).unwrap_or(0),
        _ => weight,
    }
}

#[cfg(test)]
mod tests {
    use super::toned_down;

    #[test]
    fn every_second_attempt_keeps_the_weights_and_the_others_bring_them_down() {
        let toned = [0, 1, 2, 3, 4, 5, 6, 7, 15].map(|attempt| toned_down(1 << 8, attempt));
        assert_eq!(toned, [256, 16, 256, 4, 256, 16, 256, 2, 1]);
        assert_eq!(toned_down(3, 0), 3);
        assert_eq!([0, 1, 7].map(|attempt| toned_down(0, attempt)), [0; 3]);
        assert_eq!(toned_down(u32::MAX, u32::MAX), 1);
    }
}
