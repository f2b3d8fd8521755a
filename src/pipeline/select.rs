//! Which candidate stands in which slot of a stretch.

use std::collections::HashSet;
use std::ops::Range;

use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;

use super::candidate::Candidate;
use super::error::GenerateError;
use super::source::Source;
use crate::config::Order;
use crate::pack::{Edits, PackLevel};

/// A slot of a stretch: what it asks for, and what stands in it.
struct Slot {
    target: Option<f64>,
    chosen: Option<Candidate>,
    pinned: Option<PackLevel>,
}

/// Chooses among the pool for the slots of a stretch; pinned levels keep their slots, and rejected
/// ones are replaced without moving any other.
pub(super) fn fill_slots(
    source: &Source<'_>,
    pool: Vec<Candidate>,
    slots: Range<u64>,
    edits: &Edits,
    known: &mut HashSet<u64>,
) -> Result<Vec<PackLevel>, GenerateError> {
    let common = &source.stretch.common;
    let targets = common.target.as_ref().map(|target| target.difficulties(common.levels));
    // The settings were checked, so the target fits.
    let targets = targets.transpose().ok().flatten();
    let pin = |index| edits.pinned.iter().find(|pin| pin.index == index).cloned();
    let mut filled: Vec<Slot> = slots
        .enumerate()
        .map(|(number, index)| Slot {
            target: targets.as_ref().map(|targets| targets[number]),
            chosen: None,
            pinned: pin(index),
        })
        .collect();
    let mut spare = assign(&mut filled, pool, common.order);
    for slot in &mut filled {
        replace_rejected(source, slot, &mut spare, edits, known)?;
    }
    let level = |slot: Slot| match (slot.pinned, slot.chosen) {
        (Some(pinned), _) => Some(PackLevel { pinned: true, target: slot.target, ..pinned }),
        (None, Some(candidate)) => Some(source.pack_level(candidate, slot.target)),
        (None, None) => None,
    };
    Ok(filled.into_iter().filter_map(level).collect())
}

/// Puts candidates into the slots that are not pinned; returns those left over, by index.
fn assign(slots: &mut [Slot], mut pool: Vec<Candidate>, order: Order) -> Vec<Candidate> {
    let mut open: Vec<&mut Slot> = slots.iter_mut().filter(|slot| slot.pinned.is_none()).collect();
    let targets: Option<Vec<f64>> = open.iter().map(|slot| slot.target).collect();
    match targets.filter(|targets| !targets.is_empty()) {
        Some(targets) => {
            let places = nearest(&targets, &pool);
            let mut pool: Vec<Option<Candidate>> = pool.into_iter().map(Some).collect();
            for (slot, place) in open.iter_mut().zip(places) {
                slot.chosen = pool[place].take();
            }
            pool.into_iter().flatten().collect()
        }
        None => {
            let spare = pool.split_off(pool.len().min(open.len()));
            if order == Order::Rising {
                pool.sort_by(|a, b| a.rating.difficulty.total_cmp(&b.rating.difficulty));
            }
            for (slot, candidate) in open.iter_mut().zip(pool) {
                slot.chosen = Some(candidate);
            }
            spare
        }
    }
}

/// For each target a candidate, so that the sum of the deviations is least: the assignment problem,
/// by Kuhn and Munkres.
fn nearest(targets: &[f64], pool: &[Candidate]) -> Vec<usize> {
    // Difficulties have two decimals; whole numbers make the sums exact.
    let hundredths = |difficulty: f64| (difficulty * 100.0).round() as i64;
    let costs = targets.iter().map(|&target| {
        let cost = |candidate: &Candidate| {
            (hundredths(target) - hundredths(candidate.rating.difficulty)).abs()
        };
        pool.iter().map(cost).collect::<Vec<i64>>()
    });
    let costs = Matrix::from_rows(costs).expect("every row is as long as the pool");
    kuhn_munkres_min(&costs).1
}

/// Replaces a candidate that was rejected by the spare one nearest to what the slot asks for, or,
/// without spares, by another attempt at the same index.
fn replace_rejected(
    source: &Source<'_>,
    slot: &mut Slot,
    spare: &mut Vec<Candidate>,
    edits: &Edits,
    known: &mut HashSet<u64>,
) -> Result<(), GenerateError> {
    while let Some(candidate) = slot.chosen.take() {
        if !edits.rejects(candidate.index, candidate.attempt) {
            slot.chosen = Some(candidate);
            return Ok(());
        }
        spare.retain(|other| !edits.rejects(other.index, other.attempt));
        let wanted = slot.target.unwrap_or(candidate.rating.difficulty);
        let deviation = |other: &Candidate| (other.rating.difficulty - wanted).abs();
        let best =
            (0..spare.len()).min_by(|&a, &b| deviation(&spare[a]).total_cmp(&deviation(&spare[b])));
        slot.chosen = Some(match best {
            Some(place) => spare.remove(place),
            None => source.instead_of(candidate.index, candidate.attempt, known)?,
        });
    }
    Ok(())
}
