//! What changed between two packs. Levels are matched by their canonical form, so a level that was
//! only drawn otherwise is the same.

use std::collections::HashMap;
use std::fmt;

use crate::pack::{Pack, PackLevel};

/// One change between two packs.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The level is only in the older pack.
    Removed {
        /// Its index there.
        index: u64,
        /// Its id.
        id: String,
    },
    /// The level is only in the newer pack.
    Added {
        /// Its index there.
        index: u64,
        /// Its id.
        id: String,
    },
    /// The level stands elsewhere.
    Moved {
        /// Its id in the newer pack.
        id: String,
        /// Its old index.
        from: u64,
        /// Its new index.
        to: u64,
    },
    /// The level has another difficulty.
    Rated {
        /// Its id in the newer pack.
        id: String,
        /// Its old difficulty.
        from: f64,
        /// Its new difficulty.
        to: f64,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Removed { index, id } => write!(f, "- {index} {id}"),
            Self::Added { index, id } => write!(f, "+ {index} {id}"),
            Self::Moved { id, from, to } => write!(f, "> {from} -> {to} {id}"),
            Self::Rated { id, from, to } => write!(f, "~ difficulty {from:.2} -> {to:.2} {id}"),
        }
    }
}

/// Everything that changed, in the order of the older pack, then what is new.
pub fn diff(old: &Pack, new: &Pack) -> Vec<Change> {
    let (in_old, in_new) = (by_identity(old), by_identity(new));
    let mut changes = Vec::new();
    for level in &old.levels {
        match in_new.get(&level.level.identity()) {
            None => {
                changes.push(Change::Removed { index: level.index, id: level.id.clone() });
            }
            Some(now) => changes.extend(between(level, now)),
        }
    }
    for level in &new.levels {
        if !in_old.contains_key(&level.level.identity()) {
            changes.push(Change::Added { index: level.index, id: level.id.clone() });
        }
    }
    changes
}

/// Levels that both packs have in the same place with the same difficulty.
pub fn unchanged(old: &Pack, new: &Pack) -> usize {
    let in_new = by_identity(new);
    let same = |level: &&PackLevel| {
        in_new.get(&level.level.identity()).is_some_and(|now| between(level, now).is_empty())
    };
    old.levels.iter().filter(same).count()
}

fn between(before: &PackLevel, now: &PackLevel) -> Vec<Change> {
    let mut changes = Vec::new();
    if before.index != now.index {
        let (from, to) = (before.index, now.index);
        changes.push(Change::Moved { id: now.id.clone(), from, to });
    }
    if before.rating.difficulty != now.rating.difficulty {
        let (from, to) = (before.rating.difficulty, now.rating.difficulty);
        changes.push(Change::Rated { id: now.id.clone(), from, to });
    }
    changes
}

fn by_identity(pack: &Pack) -> HashMap<String, &PackLevel> {
    pack.levels.iter().map(|level| (level.level.identity(), level)).collect()
}
