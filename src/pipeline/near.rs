//! Near-duplicates: levels that a single move each makes the same.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::pack::{LARGE, PackLevel};
use crate::puzzle::Level;

/// Marks every level with the first earlier one that is near it: after at most one move in each,
/// both are the same position up to renaming and reordering. [`LARGE`] packs are left
/// unmarked.
pub(super) fn mark(levels: &mut [PackLevel]) {
    if levels.len() as u64 > LARGE {
        return;
    }
    let around: Vec<HashSet<u64>> =
        levels.par_iter().map(|level| neighborhood(&level.level)).collect();
    let mut first: HashMap<u64, u64> = HashMap::new();
    for (level, around) in levels.iter_mut().zip(around) {
        level.near = around.iter().filter_map(|position| first.get(position)).min().copied();
        for position in around {
            first.entry(position).or_insert(level.index);
        }
    }
}

/// Fingerprints of the level and of every position one move away.
fn neighborhood(level: &Level) -> HashSet<u64> {
    let after = level.legal_moves().into_iter().filter_map(|action| {
        let mut board = level.clone();
        board.play(action).ok()?;
        Some(board.fingerprint())
    });
    after.chain([level.fingerprint()]).collect()
}
