//! Every content that a tube of one level can ever have, numbered.
//!
//! A pour changes only top runs, so a tube always holds a remaining part of one starting tube, cut
//! at a border or inside its top run or with that run grown, or units of one color. That makes a
//! few hundred contents. Those that differ only in the length of their top run have successive
//! numbers, so that a pour is an addition and a look-up.

use hashbrown::HashTable;

use super::{Color, MAX_COLORS, Tube, Water};
use crate::puzzle::hash::mix;

/// The number of a content; 0 is the empty tube.
pub(super) type Content = u16;

/// The empty tube.
pub(super) const EMPTY: Content = 0;

/// What there is to know about one content. In the empty tube the fields are 0, but for `room`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The color on top.
    pub top: Color,
    /// The color at the bottom.
    pub bottom: Color,
    /// Length of the top run.
    pub run: u8,
    /// Length of the bottom block.
    pub bottom_run: u8,
    /// Units that still fit.
    pub room: u8,
    /// Number of blocks.
    pub blocks: u8,
    /// The content below the top run.
    pub below: Content,
    /// Addend of the order-free hash of a position.
    pub hash: u64,
    /// Bit of the bottom's color; no bit for the empty tube.
    pub bottom_bit: u64,
    /// Bits of the colors of the blocks above the bottom one.
    pub upper_bits: u64,
}

impl Facts {
    pub fn is_uniform(&self) -> bool {
        self.blocks == 1
    }

    pub fn is_empty(&self) -> bool {
        self.blocks == 0
    }
}

/// The contents of a level, numbered by how many blocks they have.
#[derive(Debug)]
pub(super) struct Contents {
    facts: Vec<Facts>,
    /// Every content with a top run of one unit, found by what lies below and the color on top.
    covers: HashTable<Content>,
    /// For each color the tube of one unit of it.
    single: [Content; MAX_COLORS],
    capacity: u8,
}

impl Contents {
    pub fn new(level: &Water) -> Self {
        let capacity = level.rules.capacity;
        let empty = Facts {
            top: Color::default(),
            bottom: Color::default(),
            run: 0,
            bottom_run: 0,
            room: capacity,
            blocks: 0,
            below: EMPTY,
            hash: mix(0),
            bottom_bit: 0,
            upper_bits: 0,
        };
        let mut contents = Self {
            facts: vec![empty],
            covers: HashTable::new(),
            single: [EMPTY; MAX_COLORS],
            capacity,
        };
        for (color, _) in level.color_counts() {
            contents.single[color.index()] = contents.cover(EMPTY, color);
        }
        let mut remains: Vec<(Content, &[Color])> =
            level.tubes.iter().map(|tube| (EMPTY, tube.units())).collect();
        while !remains.is_empty() {
            remains.retain_mut(|(content, units)| {
                let Some(&color) = units.first() else { return false };
                let run = units.iter().take_while(|&&unit| unit == color).count();
                *content = contents.cover(*content, color) + run as Content - 1;
                *units = &units[run..];
                true
            });
        }
        contents
    }

    /// The content with one unit of another color put on it; numbers all lengths of that run when
    /// they are new.
    fn cover(&mut self, below: Content, color: Color) -> Content {
        if let Some(number) = self.covered(below, color) {
            return number;
        }
        // At most 62 colors of 16 heights and 64 tubes of 120 remains: far below 2^16.
        let first = self.facts.len() as Content;
        let base = self.facts[usize::from(below)];
        for run in 1..=base.room {
            self.facts.push(Facts {
                top: color,
                bottom: if base.is_empty() { color } else { base.bottom },
                run,
                bottom_run: if base.is_empty() { run } else { base.bottom_run },
                room: base.room - run,
                blocks: base.blocks + 1,
                below,
                hash: mix(self.facts.len() as u64),
                bottom_bit: if base.is_empty() { color.bit() } else { base.bottom_bit },
                upper_bits: if base.is_empty() { 0 } else { base.upper_bits | color.bit() },
            });
        }
        let rehash = |&number: &Content| {
            let facts = self.facts[usize::from(number)];
            cover_hash(facts.below, facts.top)
        };
        self.covers.insert_unique(cover_hash(below, color), first, rehash);
        first
    }

    fn covered(&self, below: Content, color: Color) -> Option<Content> {
        let same = |&number: &Content| {
            let facts = self.facts(number);
            facts.below == below && facts.top == color
        };
        self.covers.find(cover_hash(below, color), same).copied()
    }

    /// How many contents there are.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// The facts of one content.
    pub fn facts(&self, content: Content) -> &Facts {
        &self.facts[usize::from(content)]
    }

    /// The number of a tube, if it can occur in this level.
    pub fn number(&self, tube: &Tube) -> Option<Content> {
        tube.units().chunk_by(|a, b| a == b).try_fold(EMPTY, |below, block| {
            let first = self.covered(below, block[0])?;
            Some(first + block.len() as Content - 1)
        })
    }

    /// The content with `units` off its top run.
    pub fn take(&self, content: Content, units: u8) -> Content {
        let facts = self.facts(content);
        if units == facts.run { facts.below } else { content - Content::from(units) }
    }

    /// The non-empty content with `units` of its top color added.
    pub fn give(&self, content: Content, units: u8) -> Content {
        debug_assert!(content != EMPTY && units <= self.facts(content).room);
        content + Content::from(units)
    }

    /// The content with `units` units of a color put on it, whatever it shows, if that can ever
    /// occur.
    pub fn put(&self, content: Content, color: Color, units: u8) -> Option<Content> {
        if content != EMPTY && self.facts(content).top == color {
            return Some(self.give(content, units));
        }
        let first = self.covered(content, color)?;
        Some(first + Content::from(units) - 1)
    }

    /// The tube of `units` units of one color that the level has.
    pub fn uniform(&self, color: Color, units: u8) -> Content {
        debug_assert!((1..=self.capacity).contains(&units));
        self.single[color.index()] + Content::from(units) - 1
    }
}

fn cover_hash(below: Content, color: Color) -> u64 {
    mix(u64::from(below) << 8 | color.index() as u64)
}
