//! A level made ready for search: positions as sorted arrays of content numbers.

use std::fmt;

use super::contents::{Content, Contents, EMPTY};
use super::pours::{Pour, Pours};
use super::{MAX_COLORS, PourRule, Water, backward, bounds, safe};
use crate::puzzle::{BoundError, LowerBound, Move, Puzzle, State, Visitor};

/// A content number as a state stores it.
pub trait Slot: Copy + Ord + fmt::Debug + Default + Send + Sync {
    /// Stores a number that is known to fit.
    fn pack(content: u16) -> Self;
    /// The stored number.
    fn unpack(self) -> u16;
}

impl Slot for u8 {
    fn pack(content: u16) -> Self {
        debug_assert!(content <= u16::from(u8::MAX));
        content as u8
    }
    fn unpack(self) -> u16 {
        self.into()
    }
}

impl Slot for u16 {
    fn pack(content: u16) -> Self {
        content
    }
    fn unpack(self) -> u16 {
        self
    }
}

/// A position: the contents of its tubes in ascending order (so empty tubes stand first), and
/// their hash. Slots beyond the level's tubes stay 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tubes<T, const N: usize> {
    hash: u64,
    slots: [T; N],
}

impl<T: Slot, const N: usize> Tubes<T, N> {
    /// The content at one place.
    pub(super) fn slot(&self, place: usize) -> Content {
        self.slots[place].unpack()
    }
}

impl<T: Slot, const N: usize> State for Tubes<T, N> {
    fn hash(&self) -> u64 {
        self.hash
    }
}

/// A level of Water Sort made ready for search, for up to `N` tubes.
#[derive(Debug)]
pub struct Space<T, const N: usize> {
    pub(super) contents: Contents,
    pub(super) capacity: u8,
    pub(super) pour: PourRule,
    /// Units of each color.
    pub(super) units: [u16; MAX_COLORS],
    /// Bit of every color whose units fill exactly one tube.
    pub(super) single: u64,
    /// Whether every color needs exactly one tube.
    pub(super) one_tube_each: bool,
    /// Tubes that each color needs in the end.
    pub(super) needed: [u8; MAX_COLORS],
    /// Blocks of a solved position.
    pub(super) solved_blocks: u32,
    /// The tubes in the level's own order.
    pub(super) drawn: Vec<Content>,
    start: Tubes<T, N>,
    /// The solved position, where every color fills whole tubes.
    only_goal: Option<Tubes<T, N>>,
}

/// Makes a level ready, with states as small as its size allows.
pub(super) fn explore<V: Visitor>(level: &Water, visitor: V) -> V::Output {
    let contents = Contents::new(level);
    match (contents.len(), level.tubes.len()) {
        (..=256, ..=16) => visitor.visit(&Space::<u8, 16>::new(level, contents)),
        (..=256, ..=32) => visitor.visit(&Space::<u8, 32>::new(level, contents)),
        _ => visitor.visit(&Space::<u16, 64>::new(level, contents)),
    }
}

impl<T: Slot, const N: usize> Space<T, N> {
    fn new(level: &Water, contents: Contents) -> Self {
        let rules = level.rules;
        let mut needed = [0; MAX_COLORS];
        let mut single = 0;
        let mut units_of = [0; MAX_COLORS];
        for (color, units) in level.color_counts() {
            // At most 64 tubes of 16 units.
            units_of[color.index()] = units as u16;
            needed[color.index()] = level.tubes_for(units) as u8;
            if units == usize::from(rules.capacity) {
                single |= color.bit();
            }
        }
        let drawn: Vec<Content> = level
            .tubes
            .iter()
            .map(|tube| contents.number(tube).expect("the contents hold every starting tube"))
            .collect();
        let mut space = Self {
            capacity: rules.capacity,
            pour: rules.pour,
            units: units_of,
            single,
            one_tube_each: needed.iter().all(|&tubes| tubes <= 1),
            needed,
            solved_blocks: needed.iter().map(|&tubes| u32::from(tubes)).sum(),
            start: Tubes { hash: 0, slots: [T::default(); N] },
            only_goal: None,
            contents,
            drawn,
        };
        space.start = space.canonical(&space.drawn);
        space.only_goal = backward::only_goal(&space);
        space
    }

    /// The position of tubes in any order.
    pub(super) fn canonical(&self, tubes: &[Content]) -> Tubes<T, N> {
        let mut slots = [T::default(); N];
        let hash = |hash: u64, &tube: &Content| hash.wrapping_add(self.contents.facts(tube).hash);
        for (slot, &tube) in slots.iter_mut().zip(tubes) {
            *slot = T::pack(tube);
        }
        slots[..tubes.len()].sort_unstable();
        Tubes { hash: tubes.iter().fold(0, hash), slots }
    }

    /// The tubes' contents in ascending order.
    pub(super) fn tubes(&self, state: &Tubes<T, N>) -> impl Iterator<Item = Content> + Clone {
        state.slots[..self.drawn.len()].iter().map(|slot| slot.unpack())
    }

    /// Units that go from one content onto another, if that is a legal pour.
    pub(super) fn pour_units(&self, source: Content, target: Content) -> Option<u8> {
        let (from, onto) = (self.contents.facts(source), self.contents.facts(target));
        if onto.is_empty() || from.top == onto.top {
            self.pour.units(from.run, onto.room)
        } else {
            None
        }
    }

    /// The contents of source and target after a pour of `units`.
    fn poured(&self, source: Content, target: Content, units: u8) -> (Content, Content) {
        let grown = if target == EMPTY {
            self.contents.uniform(self.contents.facts(source).top, units)
        } else {
            self.contents.give(target, units)
        };
        (self.contents.take(source, units), grown)
    }

    fn hash_after(&self, hash: u64, before: (Content, Content), after: (Content, Content)) -> u64 {
        let of = |content| self.contents.facts(content).hash;
        hash.wrapping_sub(of(before.0))
            .wrapping_sub(of(before.1))
            .wrapping_add(of(after.0))
            .wrapping_add(of(after.1))
    }

    /// The position after a pour between the tubes at two places of a state.
    pub(super) fn after(
        &self,
        state: &Tubes<T, N>,
        Pour { source, target, units }: Pour,
    ) -> Tubes<T, N> {
        let after = self.poured(state.slot(source), state.slot(target), units);
        self.replaced(state, (source, target), after)
    }

    /// The position with other contents at two places.
    pub(super) fn replaced(
        &self,
        state: &Tubes<T, N>,
        places: (usize, usize),
        after: (Content, Content),
    ) -> Tubes<T, N> {
        let before = (state.slots[places.0].unpack(), state.slots[places.1].unpack());
        let mut slots = state.slots;
        replace(&mut slots[..self.drawn.len()], places.0, T::pack(after.0));
        // The second tube may have been shifted; an equal one serves as well.
        let target = match slots[places.1] == state.slots[places.1] {
            true => places.1,
            false => slots.iter().position(|slot| slot.unpack() == before.1).unwrap_or(places.1),
        };
        replace(&mut slots[..self.drawn.len()], target, T::pack(after.1));
        Tubes { hash: self.hash_after(state.hash, before, after), slots }
    }

    /// Blocks of a position.
    pub(super) fn blocks(&self, state: &Tubes<T, N>) -> u32 {
        self.tubes(state).map(|tube| u32::from(self.contents.facts(tube).blocks)).sum()
    }

    /// Tubes that still need a bottom of the color they end with.
    pub(super) fn missing_bottoms(&self, state: &Tubes<T, N>) -> u32 {
        if self.one_tube_each {
            let bottoms =
                self.tubes(state).fold(0, |bits, tube| bits | self.contents.facts(tube).bottom_bit);
            return self.solved_blocks - bottoms.count_ones();
        }
        let mut missing = self.needed;
        for tube in self.tubes(state).filter(|&tube| tube != EMPTY) {
            let color = self.contents.facts(tube).bottom.index();
            missing[color] = missing[color].saturating_sub(1);
        }
        missing.iter().map(|&tubes| u32::from(tubes)).sum()
    }
}

/// Replaces one entry of an ascending slice and keeps it ascending.
fn replace<T: Ord + Copy>(slots: &mut [T], mut place: usize, value: T) {
    while place > 0 && slots[place - 1] > value {
        slots[place] = slots[place - 1];
        place -= 1;
    }
    while place + 1 < slots.len() && slots[place + 1] < value {
        slots[place] = slots[place + 1];
        place += 1;
    }
    slots[place] = value;
}

impl<T: Slot, const N: usize> Puzzle for Space<T, N> {
    type State = Tubes<T, N>;

    const BOUNDS: &'static [&'static str] = bounds::NAMES;
    const RATING_BOUND: &'static str = "bottoms";

    fn fastest_bound(&self) -> &'static str {
        bounds::fastest(self)
    }

    fn start(&self) -> Self::State {
        self.start
    }

    /// No block too many and a bottom for every tube that is needed: then every block is a bottom.
    fn is_solved(&self, state: &Self::State) -> bool {
        if let Some(goal) = &self.only_goal {
            return state == goal;
        }
        self.blocks(state) == self.solved_blocks && self.missing_bottoms(state) == 0
    }

    fn successors(&self, state: &Self::State, out: &mut Vec<Self::State>) {
        out.clear();
        Pours::new(self, state).for_each(|pour| {
            let next = self.after(state, pour);
            if next != *state && !out.contains(&next) {
                out.push(next);
            }
        });
    }

    fn useful_successors(&self, state: &Self::State, out: &mut Vec<Self::State>) {
        out.clear();
        let pours = Pours::new(self, state);
        if let Some(pour) = safe::safe_pour(&pours) {
            out.push(self.after(state, pour));
            return;
        }
        pours.for_each(|pour| {
            if !safe::is_needless(&pours, pour) {
                out.push(self.after(state, pour));
            }
        });
    }

    fn goals(&self) -> impl Iterator<Item = Self::State> + '_ {
        backward::goals(self)
    }

    fn predecessors(&self, state: &Self::State, out: &mut Vec<Self::State>) {
        backward::predecessors(self, state, out);
    }

    fn bound(&self, name: &str) -> Result<Box<dyn LowerBound<Self::State> + '_>, BoundError> {
        bounds::named(self, name)
    }

    fn moves(&self, path: &[Self::State]) -> Vec<Move> {
        let mut tubes = self.drawn.clone();
        let mut hash = self.start.hash;
        let mut step = |next: &Self::State| {
            let count = tubes.len();
            let pairs =
                (0..count).flat_map(|source| (0..count).map(move |target| (source, target)));
            for (source, target) in pairs.filter(|(source, target)| source != target) {
                let before = (tubes[source], tubes[target]);
                let Some(units) = self.pour_units(before.0, before.1) else { continue };
                let after = self.poured(before.0, before.1, units);
                if self.hash_after(hash, before, after) != next.hash {
                    continue;
                }
                (tubes[source], tubes[target]) = after;
                if self.canonical(&tubes) == *next {
                    hash = next.hash;
                    return Some(Move::new(source, target));
                }
                (tubes[source], tubes[target]) = before;
            }
            None
        };
        path.iter().skip(1).map_while(&mut step).collect()
    }
}
