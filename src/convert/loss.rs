//! What a format cannot carry.

use std::collections::BTreeMap;
use std::fmt;

use super::{Entry, File, Format, Options};
use crate::puzzle::Fields;
use crate::puzzle::water::{Goal, PourRule};

/// Something of a level that is lost in a format that cannot carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Its name.
    Id,
    /// A capacity above the height of its tubes.
    Capacity,
    /// A pour rule other than `max`.
    Pour,
    /// A goal other than `sorted`.
    Goal,
    /// The names of its colors.
    Names,
    /// What is proven of it: optimal length, difficulty, solution.
    Proof,
}

impl Loss {
    const ALL: [Self; 6] =
        [Self::Id, Self::Capacity, Self::Pour, Self::Goal, Self::Names, Self::Proof];

    /// Whether a level has something there to lose.
    fn is_at_stake(self, file: &File, entry: &Entry, fields: &Fields) -> bool {
        let differs = |name: &str, default: &str| {
            fields.get(name).and_then(|value| value.as_str()).is_some_and(|value| value != default)
        };
        match self {
            Self::Id => entry.id.is_some(),
            Self::Capacity => {
                let longest = entry.level.stacks().iter().map(String::len).max();
                let capacity = fields.get("capacity").and_then(|value| value.as_u64());
                capacity.is_some_and(|capacity| longest.is_none_or(|n| (n as u64) < capacity))
            }
            Self::Pour => differs("pour", PourRule::default().name()),
            Self::Goal => differs("goal", Goal::default().name()),
            Self::Names => !file.names.is_empty(),
            Self::Proof => entry.optimal_length.is_some(),
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Id => "id",
            Self::Capacity => "capacity above the tubes' height",
            Self::Pour => "pour rule",
            Self::Goal => "goal",
            Self::Names => "names of colors",
            Self::Proof => "optimal length, rating and solution",
        })
    }
}

/// What a format loses of a file, each with the number of levels that lose it.
pub fn losses(file: &File, format: &dyn Format, options: &Options) -> BTreeMap<Loss, usize> {
    let mut lost = BTreeMap::new();
    for entry in &file.entries {
        let fields = entry.level.fields();
        let at_stake = |loss: &Loss| loss.is_at_stake(file, entry, &fields);
        for loss in Loss::ALL.into_iter().filter(|&loss| !format.carries(loss, options)) {
            if at_stake(&loss) {
                *lost.entry(loss).or_default() += 1;
            }
        }
    }
    lost
}
