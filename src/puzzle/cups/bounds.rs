use super::space::{Arrangement, CupSet, FLOOR, Met, Space};
use crate::puzzle::{BoundError, LowerBound};

pub(super) const NAMES: &[&str] = &["half", "misplaced", "twice", "conflicts"];

pub(super) fn bound<'a, const N: usize>(
    space: &'a Space<N>,
    name: &str,
) -> Result<Box<dyn LowerBound<Arrangement<N>> + 'a>, BoundError> {
    match name {
        "half" => Ok(Box::new(Misplaced { space, per_move: 2 })),
        "misplaced" => Ok(Box::new(Misplaced { space, per_move: 1 })),
        "twice" => Ok(Box::new(Twice(Order::new(space)))),
        "conflicts" => Ok(Box::new(Conflicts(Order::new(space)))),
        _ => Err(BoundError::Unknown { name: name.to_owned(), known: NAMES }),
    }
}

struct Misplaced<'a, const N: usize> {
    space: &'a Space<N>,
    per_move: u32,
}

impl<const N: usize> LowerBound<Arrangement<N>> for Misplaced<'_, N> {
    fn estimate(&self, state: &Arrangement<N>) -> u32 {
        let mut misplaced = 0;
        self.space.walk(state, |met| misplaced += u32::from(!met.settled));
        misplaced.div_ceil(self.per_move)
    }
}

struct Order<'a, const N: usize> {
    space: &'a Space<N>,
    /// For each cup, itself and the cups above it in the goal.
    upward: [CupSet; N],
    /// cups with goal on floor
    ends_on: Vec<CupSet>,
    goal_floor: [u8; N],
}

impl<'a, const N: usize> Order<'a, N> {
    fn new(space: &'a Space<N>) -> Self {
        let mut upward = [0; N];
        let mut ends_on = vec![0; space.floors()];
        let mut goal_floor = [0; N];
        let mut column: Vec<usize> = Vec::new();
        space.walk(&space.goal, |Met { cup, floor, first, .. }| {
            if first {
                column.clear();
            }
            column.push(cup);
            for &lower in &column {
                upward[lower] |= 1 << cup;
            }
            goal_floor[cup] = floor - FLOOR;
            ends_on[usize::from(floor - FLOOR)] |= 1 << cup;
        });
        Self { space, upward, ends_on, goal_floor }
    }
}

struct Twice<'a, const N: usize>(Order<'a, N>);

impl<const N: usize> LowerBound<Arrangement<N>> for Twice<'_, N> {
    fn estimate(&self, state: &Arrangement<N>) -> u32 {
        let order = &self.0;
        let (mut moves, mut waiting) = (0, 0);
        order.space.walk(state, |Met { cup, floor, first, settled }| {
            if first {
                waiting = order.ends_on[usize::from(floor - FLOOR)];
            }
            if !settled {
                moves += 1 + (waiting >> cup & 1) as u32;
                waiting |= order.upward[cup];
            }
        });
        moves
    }
}

struct Conflicts<'a, const N: usize>(Order<'a, N>);

impl<const N: usize> LowerBound<Arrangement<N>> for Conflicts<'_, N> {
    fn estimate(&self, state: &Arrangement<N>) -> u32 {
        let order = &self.0;
        let mut waits = [0u64; N]; // R[x]
        let mut single: CupSet = 0;
        let mut twice: CupSet = 0;
        let mut cols: [(u64, u8); 64] = [(0, 0); 64];
        let mut ncol = 0;
        let mut col_of = [0u8; N];
        let mut acc = 0;
        order.space.walk(state, |Met { cup, floor, first, settled }| {
            if first {
                acc = order.ends_on[usize::from(floor - FLOOR)];
                cols[ncol] = (0, floor);
                ncol += 1;
            }
            col_of[cup] = ncol as u8 - 1;
            if !settled {
                cols[ncol - 1].0 |= 1 << cup;
                if acc >> cup & 1 == 1 { twice |= 1 << cup } else { single |= 1 << cup }
                waits[cup] = acc | (order.upward[cup] & !(1 << cup));
                acc |= order.upward[cup];
            }
        });
        let mut moves = single.count_ones() + 2 * twice.count_ones();
        let mut free = single; // unused culprits
        // 2-cycles
        let mut xs = single;
        while xs != 0 {
            let x = xs.trailing_zeros() as usize;
            xs &= xs - 1;
            if free >> x & 1 == 0 { continue; }
            let mut ws = free & waits[x] & !(1 << x);
            while ws != 0 {
                let w = ws.trailing_zeros() as usize;
                ws &= ws - 1;
                if waits[w] >> x & 1 == 1 {
                    moves += 1;
                    free &= !(1 << x | 1 << w);
                    break;
                }
            }
        }
        let vacant: u64 = order.space.vacant_floors(&cols[..ncol]);
        let mut xs = twice;
        'next: while xs != 0 {
            let x = xs.trailing_zeros() as usize;
            xs &= xs - 1;
            if vacant & !(1 << order.goal_floor[x]) != 0 { continue; }
            let mut used = 0;
            for c in 0..ncol {
                if c == col_of[x] as usize || cols[c].1 - FLOOR == order.goal_floor[x] { continue; }
                let mut ws = free & cols[c].0 & waits[x];
                loop {
                    if ws == 0 { continue 'next; }
                    let w = ws.trailing_zeros() as usize;
                    ws &= ws - 1;
                    if waits[w] >> x & 1 == 1 { used |= 1 << w; break; }
                }
            }
            moves += 1;
            free &= !used;
        }
        moves
    }
}
