//! Every level of a small size, up to renaming colors and reordering tubes.

use std::collections::BTreeMap;

use pourfect::puzzle::water::{Color, Goal, PourRule, Water, WaterRules};
use pourfect::puzzle::{Level, Puzzle, State};

/// A size of levels whose tubes are full or empty.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub colors: usize,
    /// Tubes that each color fills.
    pub tubes_per_color: usize,
    pub capacity: u8,
    pub empty: usize,
}

impl Size {
    pub fn new(colors: usize, capacity: u8, empty: usize) -> Self {
        Self { colors, tubes_per_color: 1, capacity, empty }
    }

    /// Every class of levels of the size, in order.
    pub fn classes(self, pour: PourRule) -> Vec<Level> {
        let units = vec![self.tubes_per_color * usize::from(self.capacity); self.colors];
        let full = self.colors * self.tubes_per_color;
        let mut classes = BTreeMap::new();
        fill(&units, self.capacity, full, &mut Vec::new(), &mut |tubes| {
            let mut tubes = tubes.to_vec();
            tubes.resize(full + self.empty, Vec::new());
            let rules = WaterRules { capacity: self.capacity, pour, goal: Goal::Sorted };
            let level = Level::from(Water::new(rules, tubes).unwrap()).canonical().board;
            classes.insert(level.to_string(), level);
        });
        classes.into_values().collect()
    }
}

/// Every way to fill tubes with the colors' units, up to the order of the tubes.
fn fill(
    units: &[usize],
    capacity: u8,
    count: usize,
    tubes: &mut Vec<Vec<Color>>,
    found: &mut impl FnMut(&[Vec<Color>]),
) {
    if tubes.len() == count {
        return found(tubes);
    }
    for tube in all_tubes(units, capacity.into()) {
        if tubes.last().is_none_or(|last| *last <= tube) {
            let mut left = units.to_vec();
            tube.iter().for_each(|unit| left[unit.index()] -= 1);
            tubes.push(tube);
            fill(&left, capacity, count, tubes, found);
            tubes.pop();
        }
    }
}

fn all_tubes(units: &[usize], height: usize) -> Vec<Vec<Color>> {
    let mut tubes = vec![Vec::new()];
    for _ in 0..height {
        tubes = tubes
            .iter()
            .flat_map(|tube: &Vec<Color>| {
                let colors = (0..units.len()).map(|number| Color::new(number).unwrap());
                colors
                    .filter(|color| {
                        tube.iter().filter(|unit| *unit == color).count() < units[color.index()]
                    })
                    .map(|color| [tube.as_slice(), &[color]].concat())
            })
            .collect();
    }
    tubes
}

/// All positions that a prepared level can reach, by hash, the start first.
pub fn reachable<P: Puzzle>(puzzle: &P) -> Vec<P::State> {
    let mut seen = std::collections::HashSet::from([Key(puzzle.start())]);
    let mut states = vec![puzzle.start()];
    let mut successors = Vec::new();
    let mut next = 0;
    while next < states.len() {
        puzzle.successors(&states[next], &mut successors);
        states.extend(successors.iter().filter(|&&state| seen.insert(Key(state))));
        next += 1;
    }
    states
}

/// A state as a key of the standard collections.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Key<S>(pub S);

impl<S: State> std::hash::Hash for Key<S> {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.0.hash());
    }
}
