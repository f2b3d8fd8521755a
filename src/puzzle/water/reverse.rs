//! Reverse pours: from a position to one from which a single pour leads back.

use super::{PourRule, Water};
use crate::puzzle::Move;

/// A reverse pour: takes `units` off the top of tube `from` and puts them on tube `onto`. The pour
/// that undoes it goes from `onto` to `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unpour {
    /// The tube that the units come from: the target of the forward pour.
    pub from: usize,
    /// The tube that the units go to: the source of the forward pour.
    pub onto: usize,
    /// How many units move, 1 or more.
    pub units: u8,
}

impl Water {
    /// Whether one forward pour undoes the reverse pour, taking over exactly its units.
    ///
    /// The forward pour must find `from` empty or showing the color again, and must take exactly
    /// `units`: under `max` the run ends there or the room does, under `whole` the run ends there.
    pub fn can_unpour(&self, unpour: Unpour) -> bool {
        let Unpour { from, onto, units } = unpour;
        if from == onto || from >= self.tubes.len() || onto >= self.tubes.len() {
            return false;
        }
        let (giver, taker) = (&self.tubes[from], &self.tubes[onto]);
        let rules = self.rules;
        let left = giver.len().saturating_sub(units);
        let fits = (1..=giver.run()).contains(&units) && units <= rules.capacity - taker.len();
        let shows_color = left == 0 || units < giver.run();
        let relabels = left == 0 && taker.is_empty();
        let covers = taker.top() != giver.top();
        fits && shows_color
            && !relabels
            && match rules.pour {
                PourRule::Max => covers || giver.len() == rules.capacity,
                PourRule::Whole => covers,
                PourRule::Unit => units == 1,
            }
    }

    /// Every legal reverse pour, in order of `from`, `onto` and `units`.
    pub fn unpours(&self) -> impl Iterator<Item = Unpour> + '_ {
        let count = self.tubes.len();
        (0..count)
            .flat_map(move |from| (0..count).map(move |onto| (from, onto)))
            .flat_map(|(from, onto)| {
                (1..=self.tubes[from].run()).map(move |units| Unpour { from, onto, units })
            })
            .filter(|&unpour| self.can_unpour(unpour))
    }

    /// Applies a legal reverse pour; returns the pour that undoes it.
    pub(super) fn apply_unpour(&mut self, unpour: Unpour) -> Move {
        debug_assert!(self.can_unpour(unpour));
        let Unpour { from, onto, units } = unpour;
        if let Some(color) = self.tubes[from].top() {
            self.tubes[from].pop(units);
            self.tubes[onto].push(color, units);
        }
        Move::new(onto, from)
    }
}
