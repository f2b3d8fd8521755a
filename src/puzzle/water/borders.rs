//! The strongest bound: in which order the color borders can go.
//!
//! A pour never makes a border between two colors within a tube and removes at most one, so the
//! borders that each tube still has only ever go, and a solution is a path through those counts
//! (*remains*) down to none. For given remains, read with the units and heights of the position
//! that the bound is asked for:
//!
//! * F_c: units of color c above the top remaining borders, or in tubes without borders. They may be
//!   anywhere.
//! * G_c: the sum of (capacity - border height) over tubes whose color just above the top remaining
//!   border is c. Such a tube still shows c, and has room for that many units of it.
//! * X_c: tubes without borders with c at the bottom. *Mono*: those of all colors, and empty tubes.
//! * M_c: ceil(max(0, F_c - G_c) / capacity), the uniform tubes that c needs. When tube b loses its
//!   top border, everything above it lies elsewhere, so G is taken without b: M_c^b.
//!
//! Tube b can lose its border only if the sum of M_c^b is at most mono. And color c needs
//! max(t_c - X_c at the end, the largest M_c^b - X_c over all steps, 0) pours into empty tubes, t_c
//! being the tubes it ends in. These pours merge nothing, so the length is at least (blocks - solved
//! blocks) + E, where E is the least sum of these needs over all paths; where there is no path,
//! there is no solution.
//!
//! The needs of different steps are not added but their maximum is taken, color by color; so one
//! best path per remains does not do, and a label with the needs of every color goes along.

use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;

use super::MAX_COLORS;
use super::contents::EMPTY;
use super::space::{Slot, Space, Tubes};
use crate::puzzle::LowerBound;
use crate::puzzle::hash::mix;

/// Remains that one call looks at; beyond, it returns what is proven so far, never less than
/// `bottoms`. Four times as many save few nodes and cost twice the time (12 to 20 colors).
const MOST_NODES: usize = 1024;

/// The bound `borders`: `bottoms` at once, the least E once refined.
pub(super) struct Borders<'a, T, const N: usize> {
    space: &'a Space<T, N>,
    paths: Mutex<Paths<N>>,
}

impl<'a, T: Slot, const N: usize> Borders<'a, T, N> {
    pub fn new(space: &'a Space<T, N>) -> Self {
        Self { space, paths: Mutex::new(Paths::new(space)) }
    }
}

impl<T: Slot, const N: usize> LowerBound<Tubes<T, N>> for Borders<'_, T, N> {
    fn estimate(&self, state: &Tubes<T, N>) -> u32 {
        self.space.blocks(state) - self.space.solved_blocks + self.space.missing_bottoms(state)
    }

    fn refine(&self, state: &Tubes<T, N>) -> Option<u32> {
        // A search that panicked leaves nothing behind that the next call would read.
        let mut paths = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        let remains = paths.read(self.space, state);
        let needs = paths.least_needs(remains)?;
        Some(self.space.blocks(state) - self.space.solved_blocks + needs)
    }

    fn refines(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner).bytes()
    }
}

/// A block of a tube, bottom first.
#[derive(Clone, Copy, Default)]
struct Block {
    color: u8,
    run: i16,
    /// Capacity less the height of the block's top.
    room: i16,
}

impl Block {
    fn room_from_bottom(self) -> i16 {
        self.room + self.run
    }
}

/// Colors that need tubes beyond the base, one entry a tube, in order; unused entries are `NONE`.
type Extra = [u8; MOST_EXTRA];

const MOST_EXTRA: usize = 6;
const NONE: u8 = u8::MAX;

/// Remaining borders of every tube, and the label.
#[derive(Clone, Copy)]
struct Node<const N: usize> {
    remains: [u8; N],
    extra: Extra,
}

/// The search for a path; its memory is kept from call to call.
struct Paths<const N: usize> {
    /// Uniform tubes that a number of units needs.
    tubes_for: Vec<u8>,
    /// The level's colors.
    colors: Vec<u8>,
    /// Bits of the colors that fill exactly one tube.
    single: u64,
    blocks: Vec<Block>,
    /// For each tube with units where its blocks begin; then where all end.
    tubes: Vec<usize>,
    empty: i16,
    /// Needs at the end: what every path has.
    base: [u8; MAX_COLORS],
    nodes: Vec<Node<N>>,
    known: HashTable<u32>,
    /// Whether a label had no room for all its extra tubes.
    overflows: bool,
    /// Nodes by the number of their extra tubes.
    queue: [Vec<u32>; MOST_EXTRA + 1],
}

/// What some remains amount to.
struct Balance {
    /// F - G by color.
    excess: [i16; MAX_COLORS],
    /// X by color.
    begun: [i16; MAX_COLORS],
    /// By color what G can still grow by when blocks of it come to light.
    hidden: [i16; MAX_COLORS],
    mono: i16,
}

impl<const N: usize> Paths<N> {
    fn new<T: Slot>(space: &Space<T, N>) -> Self {
        let capacity = usize::from(space.capacity);
        let most = usize::from(*space.units.iter().max().unwrap_or(&0)) + capacity;
        let colors = (0..MAX_COLORS as u8).filter(|&color| space.units[usize::from(color)] > 0);
        Self {
            tubes_for: (0..=most).map(|units| units.div_ceil(capacity) as u8).collect(),
            colors: colors.collect(),
            single: space.single,
            blocks: Vec::new(),
            tubes: Vec::new(),
            empty: 0,
            base: [0; MAX_COLORS],
            nodes: Vec::new(),
            known: HashTable::new(),
            overflows: false,
            queue: Default::default(),
        }
    }

    fn bytes(&self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node<N>>();
        (nodes + self.known.allocation_size()) as u64
    }

    /// Takes a position in; returns its borders.
    fn read<T: Slot>(&mut self, space: &Space<T, N>, state: &Tubes<T, N>) -> [u8; N] {
        self.blocks.clear();
        self.tubes.clear();
        self.base = space.needed;
        let mut remains = [0; N];
        for content in space.tubes(state).filter(|&content| content != EMPTY) {
            let mut facts = space.contents.facts(content);
            let bottom = facts.bottom.index();
            self.base[bottom] = self.base[bottom].saturating_sub(1);
            remains[self.tubes.len()] = facts.blocks - 1;
            let begin = self.blocks.len();
            self.tubes.push(begin);
            self.blocks.resize(begin + usize::from(facts.blocks), Block::default());
            for block in self.blocks[begin..].iter_mut().rev() {
                let (run, room) = (facts.run.into(), facts.room.into());
                *block = Block { color: facts.top.0, run, room };
                facts = space.contents.facts(facts.below);
            }
        }
        self.empty = (space.drawn.len() - self.tubes.len()) as i16;
        self.tubes.push(self.blocks.len());
        remains
    }

    /// The least E; `None` if there is no path.
    fn least_needs(&mut self, remains: [u8; N]) -> Option<u32> {
        self.nodes.clear();
        self.known.clear();
        self.overflows = false;
        self.queue.iter_mut().for_each(Vec::clear);
        let base: u32 = self.base.iter().map(|&need| u32::from(need)).sum();
        self.push(Node { remains, extra: [NONE; MOST_EXTRA] });
        for extra in 0..=MOST_EXTRA {
            while let Some(id) = self.queue[extra].pop() {
                let node = self.nodes[id as usize];
                let enough = extra == MOST_EXTRA || self.nodes.len() > MOST_NODES;
                if enough || node.remains == [0; N] {
                    return Some(base + extra as u32);
                }
                self.expand(node);
            }
        }
        self.overflows.then_some(base + MOST_EXTRA as u32 + 1)
    }

    /// Queues a node unless one with the same remains that needs no other tubes is known.
    fn push(&mut self, node: Node<N>) {
        let hash = hash_of(&node.remains);
        let nodes = &self.nodes;
        let dominates = |&id: &u32| {
            let other = &nodes[id as usize];
            other.remains == node.remains && is_within(&other.extra, &node.extra)
        };
        if self.known.find(hash, dominates).is_some() {
            return;
        }
        let id = nodes.len() as u32;
        self.known.insert_unique(hash, id, |&id| hash_of(&nodes[id as usize].remains));
        self.nodes.push(node);
        self.queue[node.extra.iter().filter(|&&color| color != NONE).count()].push(id);
    }

    fn balance(&self, remains: &[u8; N]) -> Balance {
        let mut balance = Balance {
            excess: [0; MAX_COLORS],
            begun: [0; MAX_COLORS],
            hidden: [0; MAX_COLORS],
            mono: self.empty,
        };
        for (bounds, &left) in self.tubes.windows(2).zip(remains) {
            let (lower, upper) = self.blocks[bounds[0]..bounds[1]].split_at(left.into());
            for block in upper {
                balance.excess[usize::from(block.color)] += block.run;
            }
            for block in lower.iter().skip(1) {
                balance.hidden[usize::from(block.color)] += block.room;
            }
            let shown = upper[0];
            if lower.is_empty() {
                balance.begun[usize::from(shown.color)] += 1;
                balance.mono += 1;
            } else {
                balance.excess[usize::from(shown.color)] -= shown.room_from_bottom();
            }
        }
        balance
    }

    fn tubes_for(&self, units: i16) -> i16 {
        self.tubes_for[units.max(0) as usize].into()
    }

    /// Queues what a node leads to, one border further on, what leaves the most room last. A step
    /// that is free goes alone.
    ///
    /// Free: the color above the border fills one tube, needs one now, and will need it until the
    /// end, since F - G exceeds what G can still grow by. Then taking the step at once leaves every
    /// later sum and need as it is, or smaller: G moves down to the next color, or a tube without
    /// borders is gained.
    fn expand(&mut self, mut node: Node<N>) {
        let balance = self.balance(&node.remains);
        let mut needed = 0;
        for index in 0..self.colors.len() {
            let color = self.colors[index];
            let tubes = self.tubes_for(balance.excess[usize::from(color)]);
            needed += tubes;
            if !self.raise(&mut node.extra, color, tubes - balance.begun[usize::from(color)]) {
                return;
            }
        }
        if needed > balance.mono {
            return;
        }
        let mut steps = [(0, 0); N];
        let mut count = 0;
        for tube in (0..self.tubes.len() - 1).filter(|&tube| node.remains[tube] > 0) {
            let upper = self.tubes[tube] + usize::from(node.remains[tube]);
            let (above, below) = (self.blocks[upper], self.blocks[upper - 1]);
            let color = usize::from(above.color);
            let excess = balance.excess[color];
            if self.single >> color & 1 == 1 && excess > balance.hidden[color] {
                node.remains[tube] -= 1;
                return self.push(node);
            }
            let after = excess + above.room_from_bottom();
            let needed = needed + self.tubes_for(after) - self.tubes_for(excess);
            if needed > balance.mono {
                continue;
            }
            let opens = node.remains[tube] == 1;
            let gain = if opens { below.run } else { -below.room };
            let excess = balance.excess[usize::from(below.color)];
            let freed = self.tubes_for(excess) - self.tubes_for(excess + gain) + i16::from(opens);
            steps[count] = (freed - needed, tube);
            count += 1;
        }
        steps[..count].sort_unstable();
        for &(_, tube) in &steps[..count] {
            let above = self.blocks[self.tubes[tube] + usize::from(node.remains[tube])];
            let color = usize::from(above.color);
            let tubes = self.tubes_for(balance.excess[color] + above.room_from_bottom());
            let mut next = node;
            next.remains[tube] -= 1;
            if self.raise(&mut next.extra, above.color, tubes - balance.begun[color]) {
                self.push(next);
            }
        }
    }

    /// Enters that a color needs so many tubes; false if the label has no room for it.
    fn raise(&mut self, extra: &mut Extra, color: u8, need: i16) -> bool {
        let known = extra.iter().filter(|&&other| other == color).count() as i16;
        let more = need - i16::from(self.base[usize::from(color)]) - known;
        for _ in 0..more {
            let Some(last) = extra.last_mut().filter(|last| **last == NONE) else {
                self.overflows = true;
                return false;
            };
            *last = color;
            extra.sort_unstable();
        }
        true
    }
}

/// Whether every entry of one label is also in the other.
fn is_within(label: &Extra, other: &Extra) -> bool {
    let mut others = other.iter();
    label.iter().take_while(|&&color| color != NONE).all(|color| others.any(|other| other == color))
}

fn hash_of(remains: &[u8]) -> u64 {
    let word = |bytes: &[u8]| bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
    remains.chunks(8).fold(0, |hash, bytes| mix(hash ^ word(bytes)))
}
