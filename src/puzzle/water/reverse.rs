//! Reverse pours: from a position to one from which a single pour leads back.

use super::{Color, PourRule, Tube, Water, WaterRules};
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

/// What a reverse pour depends on in one tube.
#[derive(Clone, Copy)]
struct Top {
    color: Option<Color>,
    run: u8,
    len: u8,
}

impl Top {
    fn of(tube: &Tube) -> Self {
        Self { color: tube.top(), run: tube.run(), len: tube.len() }
    }

    /// Whether `units` may go off this tube onto another one, so that a forward pour takes back
    /// exactly these: it must find this tube empty or showing the color again, and under `max` the
    /// run must end there or the room, under `whole` the run.
    fn can_give(&self, taker: &Self, units: u8, rules: WaterRules) -> bool {
        let fits = (1..=self.run).contains(&units) && units <= rules.capacity - taker.len;
        let empties = units == self.len;
        let shows_color = empties || units < self.run;
        let relabels = empties && taker.len == 0;
        let covers = taker.color != self.color;
        fits && shows_color
            && !relabels
            && match rules.pour {
                PourRule::Max => covers || self.len == rules.capacity,
                PourRule::Whole => covers,
                PourRule::Unit => units == 1,
            }
    }
}

impl Water {
    /// Whether one forward pour undoes the reverse pour, taking over exactly its units.
    pub fn can_unpour(&self, unpour: Unpour) -> bool {
        let Unpour { from, onto, units } = unpour;
        let tube = |index: usize| self.tubes.get(index).map(Top::of);
        match (tube(from), tube(onto)) {
            (Some(giver), Some(taker)) => from != onto && giver.can_give(&taker, units, self.rules),
            _ => false,
        }
    }

    /// Every legal reverse pour, in order of `from`, `onto` and `units`.
    pub fn unpours(&self) -> impl Iterator<Item = Unpour> + '_ {
        let tops: Vec<Top> = self.tubes.iter().map(Top::of).collect();
        let count = tops.len();
        (0..count).flat_map(move |from| (0..count).map(move |onto| (from, onto))).flat_map(
            move |(from, onto)| {
                let (giver, taker) = (tops[from], tops[onto]);
                let room = self.rules.capacity - taker.len;
                let most = if from == onto { 0 } else { giver.run.min(room) };
                (1..=most)
                    .filter(move |&units| giver.can_give(&taker, units, self.rules))
                    .map(move |units| Unpour { from, onto, units })
            },
        )
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
