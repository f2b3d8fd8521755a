//! The pours of one position, found through the places that show each color.

use super::contents::{Content, EMPTY, Facts};
use super::space::{Slot, Space, Tubes};
use super::{Color, MAX_COLORS};

/// A pour between two places of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pour {
    pub source: usize,
    pub target: usize,
    pub units: u8,
}

/// A position with its tubes told apart by what they show. Sets of places are bit sets.
pub(super) struct Pours<'a, T, const N: usize> {
    pub space: &'a Space<T, N>,
    pub state: &'a Tubes<T, N>,
    /// Places that show each color.
    showing: [u64; MAX_COLORS],
    /// How many places show each color.
    count: [u8; MAX_COLORS],
    /// The largest of those counts.
    most: u8,
    /// Places with the same content as the place before.
    repeats: u64,
    /// Places of tubes that are not empty.
    filled: u64,
    /// Places of uniform tubes of single colors that are not complete.
    pub growing: u64,
}

impl<'a, T: Slot, const N: usize> Pours<'a, T, N> {
    pub fn new(space: &'a Space<T, N>, state: &'a Tubes<T, N>) -> Self {
        let mut pours = Self {
            space,
            state,
            showing: [0; MAX_COLORS],
            count: [0; MAX_COLORS],
            most: 0,
            repeats: 0,
            filled: 0,
            growing: 0,
        };
        let mut last = EMPTY;
        for (place, content) in space.tubes(state).enumerate().filter(|&(_, tube)| tube != EMPTY) {
            let bit = 1 << place;
            let facts = space.contents.facts(content);
            pours.filled |= bit;
            pours.showing[facts.top.index()] |= bit;
            pours.count[facts.top.index()] += 1;
            pours.most = pours.most.max(pours.count[facts.top.index()]);
            if content == last {
                pours.repeats |= bit;
            }
            if facts.is_uniform() && facts.room > 0 && facts.bottom_bit & space.single != 0 {
                pours.growing |= bit;
            }
            last = content;
        }
        pours
    }

    pub fn facts(&self, place: usize) -> &'a Facts {
        self.space.contents.facts(self.content(place))
    }

    pub fn content(&self, place: usize) -> Content {
        self.state.slot(place)
    }

    /// The places other than `target` that show a color.
    pub fn sources(&self, color: Color, target: usize) -> impl Iterator<Item = usize> + use<T, N> {
        ones(self.showing[color.index()] & !(1 << target))
    }

    /// Calls `found` with every pour between distinct contents; of equal tubes one stands for all.
    /// Pours that only relabel tubes are left out.
    ///
    /// Searches that take the newest position first begin with the last pour. So the promising
    /// ones come last: pours into an empty tube, first of all of the color that shows most often;
    /// then pours onto few blocks, from few blocks.
    pub fn for_each(&self, mut found: impl FnMut(Pour)) {
        let distinct = self.filled & !self.repeats;
        for target in ones(distinct).rev() {
            let onto = self.facts(target);
            let twin = self.repeats & (2 << target);
            let showing = self.showing[onto.top.index()];
            for source in ones(showing & (distinct & !(1 << target) | twin)).rev() {
                let run = self.facts(source).run;
                if let Some(units) = self.space.pour.units(run, onto.room) {
                    found(Pour { source, target, units });
                }
            }
        }
        if self.state.slot(0) == EMPTY {
            for count in 1..=self.most {
                let shows = |&source: &usize| self.count[self.facts(source).top.index()] == count;
                for source in ones(distinct).rev().filter(shows) {
                    self.open(source, &mut found);
                }
            }
        }
    }

    /// Calls `found` with the pour of a source into an empty tube.
    fn open(&self, source: usize, found: &mut impl FnMut(Pour)) {
        let from = self.facts(source);
        let relabels = |units| from.is_uniform() && units == from.run;
        let units = self.space.pour.units(from.run, self.space.capacity);
        if let Some(units) = units.filter(|&units| !relabels(units)) {
            found(Pour { source, target: 0, units });
        }
    }
}

/// The places in a bit set, in order.
pub(super) fn ones(set: u64) -> Ones {
    Ones(set)
}

pub(super) struct Ones(u64);

impl Iterator for Ones {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let place = (self.0 != 0).then(|| self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(place)
    }
}

impl DoubleEndedIterator for Ones {
    fn next_back(&mut self) -> Option<usize> {
        let place = (self.0 != 0).then(|| 63 - self.0.leading_zeros() as usize)?;
        self.0 &= !(1 << place);
        Some(place)
    }
}
