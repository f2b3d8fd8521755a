//! Everything that a level can reach, with exact distances: the slow reference.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use pourfect::puzzle::{Puzzle, State};

/// A position that a level can reach.
#[derive(Clone, Copy, Debug)]
pub struct Position<S> {
    pub state: S,
    /// Moves to the nearest solved position, if one can be reached.
    pub distance: Option<u32>,
}

/// All positions that a level can reach, the start first.
pub struct Positions<S> {
    pub all: Vec<Position<S>>,
    number: HashMap<Key<S>, usize, BuildHasherDefault<KeyHasher>>,
}

impl<S: State> Positions<S> {
    /// Walks through all positions, then back from the solved ones.
    pub fn new<P: Puzzle<State = S>>(puzzle: &P) -> Self {
        let mut all = vec![Position { state: puzzle.start(), distance: None }];
        let mut number = HashMap::default();
        number.insert(Key(puzzle.start()), 0);
        let mut before: Vec<Vec<usize>> = vec![Vec::new()];
        let mut successors = Vec::new();
        let mut next = 0;
        while next < all.len() {
            puzzle.successors(&all[next].state, &mut successors);
            for &state in &successors {
                let known = *number.entry(Key(state)).or_insert_with(|| {
                    all.push(Position { state, distance: None });
                    before.push(Vec::new());
                    all.len() - 1
                });
                before[known].push(next);
            }
            next += 1;
        }
        let solved = |&index: &usize| puzzle.is_solved(&all[index].state);
        let mut layer: Vec<usize> = (0..all.len()).filter(solved).collect();
        let mut distance = 0;
        while !layer.is_empty() {
            layer.retain(|&index| all[index].distance.is_none());
            layer.iter().for_each(|&index| all[index].distance = Some(distance));
            layer = layer.iter().flat_map(|&index| before[index].iter().copied()).collect();
            distance += 1;
        }
        Self { all, number }
    }

    /// The distance of a reachable position.
    pub fn distance(&self, state: &S) -> Option<u32> {
        self.all[self.number[&Key(*state)]].distance
    }

    /// The distance of the level's own position.
    pub fn optimal_length(&self) -> Option<u32> {
        self.all[0].distance
    }
}

#[derive(PartialEq, Eq)]
struct Key<S>(S);

impl<S: State> Hash for Key<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.hash());
    }
}

/// States come hashed.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("states are hashed as one number")
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
