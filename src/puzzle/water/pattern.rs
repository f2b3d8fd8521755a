//! Pattern databases: exact solution lengths of the level with most colors painted gray.
//!
//! The colors are split into groups. For one group all other colors are gray, only pours of the
//! group's own colors count, and gray is given every freedom: any number of gray units may go onto
//! gray or into an empty tube, at no cost, and room for them is always found. So gray on top of a
//! tube never matters, and what a tube shows is its *part*: its units without the gray on top. Gray
//! below a unit of the group stays where it is, and holds that unit up.
//!
//! A pour of the level that moves the group's color is a pour of parts, with the very same units
//! under each rule, for it finds no gray on source or target; a pour of gray changes no part. So
//! the distance between parts is at most the number of pours of the group's colors in any solution
//! (Culberson and Schaeffer, "Pattern databases", 1998). A pour moves one color, so the distances of
//! disjoint groups may be added (Korf and Felner, 2002), and the sum falls by at most 1 a move.
//! Gray that could move only in whole runs that fit would not do: `|ABB|ABC|CCA` (capacity 3).
//!
//! Each database is built breadth-first from the solved parts by reverse pours. Forward pours from
//! there lead nowhere.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;

use super::backward;
use super::contents::{Content, EMPTY};
use super::space::{Slot, Space, Tubes};
use super::{MAX_TUBES, PourRule};
use crate::puzzle::LowerBound;
use crate::puzzle::hash::FoldHasher;

/// Colors of one database, unless it gets too large: then each has its own. With three, building
/// takes longer than any search that it saves.
const GROUP: usize = 2;

/// States that a database may have. A state that is not stored is at least as far as the first
/// layer that is not complete.
const MOST_STATES: usize = 10_000;

/// The bound `pattern`.
pub(super) struct Pattern<'a, T, const N: usize> {
    space: &'a Space<T, N>,
    databases: Vec<Database>,
}

impl<'a, T: Slot, const N: usize> Pattern<'a, T, N> {
    pub fn new(space: &'a Space<T, N>) -> Self {
        let colors: Vec<usize> =
            (0..space.units.len()).filter(|&color| space.units[color] > 0).collect();
        let mut databases = Vec::new();
        for group in colors.chunks(GROUP) {
            let database = Database::new(space, group);
            if database.complete {
                databases.push(database);
            } else {
                databases.extend(group.iter().map(|&color| Database::new(space, &[color])));
            }
        }
        Self { space, databases }
    }
}

impl<T: Slot, const N: usize> LowerBound<Tubes<T, N>> for Pattern<'_, T, N> {
    fn estimate(&self, state: &Tubes<T, N>) -> u32 {
        let distance = |database: &Database| {
            let parts = self.space.tubes(state).map(|tube| database.part_of[usize::from(tube)]);
            database.distance(parts)
        };
        self.databases.iter().map(distance).sum()
    }

    fn bytes(&self) -> u64 {
        self.databases.iter().map(Database::bytes).sum()
    }
}

/// The number of a part; 0 is nothing. Parts that differ only in the length of their top run have
/// successive numbers.
type Part = Content;

#[derive(Clone, Copy)]
struct Facts {
    color: u8,
    run: u8,
    room: u8,
    /// Whether nothing, not even gray, lies below the run.
    uniform: bool,
}

/// All parts that the level's tubes can have.
struct Parts {
    facts: Vec<Facts>,
    /// For a part, a color and how much gray lies between: the part with one unit on top.
    covers: BTreeMap<(Part, u8, u8), Part>,
}

impl Parts {
    fn cover(&mut self, below: Part, color: u8, gray: u8, room: u8) -> Part {
        let first = self.facts.len() as Part;
        let known = *self.covers.entry((below, color, gray)).or_insert(first);
        if known == first {
            let uniform = below == EMPTY && gray == 0;
            let facts = |run| Facts { color, run, room: room - run, uniform };
            self.facts.extend((1..=room).map(facts));
        }
        known
    }

    fn facts(&self, part: Part) -> Facts {
        self.facts[usize::from(part)]
    }
}

type Distances = HashMap<Box<[Part]>, u16, BuildHasherDefault<FoldHasher>>;

/// Exact distances of one group.
struct Database {
    /// The part of each content.
    part_of: Vec<Part>,
    distances: Distances,
    /// What states that are not stored are at least away.
    beyond: u16,
    /// Whether every state is stored that can be solved.
    complete: bool,
}

impl Database {
    fn new<T: Slot, const N: usize>(space: &Space<T, N>, group: &[usize]) -> Self {
        let none = Facts { color: u8::MAX, run: 0, room: space.capacity, uniform: false };
        let mut parts = Parts { facts: vec![none], covers: BTreeMap::new() };
        let mut part_of = vec![EMPTY];
        for content in 1..space.contents.len() as Content {
            let facts = space.contents.facts(content);
            let below = part_of[usize::from(facts.below)];
            part_of.push(if group.contains(&facts.top.index()) {
                let room = facts.room + facts.run;
                let gray = parts.facts(below).room - room;
                parts.cover(below, facts.top.0, gray, room) + Part::from(facts.run) - 1
            } else {
                below
            });
        }
        let mut database =
            Self { part_of, distances: Distances::default(), beyond: 0, complete: false };
        let mut layer = Vec::new();
        for goal in backward::endings_of(space, group) {
            let mut parts: Vec<Part> =
                goal.iter().map(|&tube| database.part_of[usize::from(tube)]).collect();
            parts.sort_unstable();
            database.store(&parts, &mut layer);
        }
        let rules = Rules { parts: &parts, pour: space.pour, tubes: space.drawn.len() };
        while !layer.is_empty() {
            database.beyond += 1;
            let mut next = Vec::new();
            for state in &layer {
                rules.for_each_before(state, |before| database.store(before, &mut next));
                if database.distances.len() > MOST_STATES {
                    return database;
                }
            }
            layer = next;
        }
        database.complete = true;
        database
    }

    fn store(&mut self, state: &[Part], layer: &mut Vec<Box<[Part]>>) {
        if !self.distances.contains_key(state) {
            self.distances.insert(state.into(), self.beyond);
            layer.push(state.into());
        }
    }

    fn distance(&self, parts: impl Iterator<Item = Part>) -> u32 {
        let mut state = [EMPTY; MAX_TUBES];
        let mut count = 0;
        for part in parts.filter(|&part| part != EMPTY) {
            state[count] = part;
            count += 1;
        }
        state[..count].sort_unstable();
        self.distances.get(&state[..count]).copied().unwrap_or(self.beyond).into()
    }

    fn bytes(&self) -> u64 {
        let parts: usize = self.distances.keys().map(|key| size_of_val(&**key)).sum();
        let entries = self.distances.capacity() * size_of::<(Box<[Part]>, u16)>();
        (parts + entries + self.part_of.len() * size_of::<Part>()) as u64
    }
}

struct Rules<'a> {
    parts: &'a Parts,
    pour: PourRule,
    tubes: usize,
}

impl Rules<'_> {
    /// Calls `found` with every state from which one pour of parts leads to `state`.
    fn for_each_before(&self, state: &[Part], mut found: impl FnMut(&[Part])) {
        let mut before = Vec::with_capacity(state.len() + 1);
        for (from, &giver) in state.iter().enumerate() {
            let facts = self.parts.facts(giver);
            for units in 1..=facts.run {
                let left = match facts.run - units {
                    0 if facts.uniform => EMPTY,
                    0 => continue,
                    _ => giver - Part::from(units),
                };
                let nothing = (state.len() < self.tubes).then_some((usize::MAX, EMPTY));
                let takers = state.iter().copied().enumerate().filter(|&(onto, _)| onto != from);
                for (onto, taker) in takers.chain(nothing) {
                    self.for_each_grown(facts, taker, units, |grown| {
                        let others = state.iter().enumerate();
                        before.clear();
                        before.extend(
                            others
                                .filter(|&(place, _)| place != from && place != onto)
                                .map(|(_, &part)| part)
                                .chain((left != EMPTY).then_some(left))
                                .chain([grown]),
                        );
                        before.sort_unstable();
                        found(&before);
                    });
                }
            }
        }
    }

    /// Calls `found` with what the taker was before it gave its top `units` to a tube that now has
    /// the facts `giver`; see [`Water::can_unpour`](super::Water::can_unpour).
    fn for_each_grown(&self, giver: Facts, taker: Part, units: u8, mut found: impl FnMut(Part)) {
        if self.pour == PourRule::Unit && units > 1 {
            return;
        }
        let facts = self.parts.facts(taker);
        let same = facts.color == giver.color && units <= facts.room;
        if same && (self.pour == PourRule::Unit || self.pour == PourRule::Max && giver.room == 0) {
            found(taker + Part::from(units));
        }
        let range = (taker, giver.color, 0)..=(taker, giver.color, u8::MAX);
        for &first in self.parts.covers.range(range).map(|(_, first)| first) {
            if units <= self.parts.facts(first).room + 1 {
                found(first + Part::from(units) - 1);
            }
        }
    }
}
