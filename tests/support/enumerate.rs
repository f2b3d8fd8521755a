//! Every level of a small size, up to renaming colors and reordering tubes.

use std::collections::BTreeMap;

use pourfect::puzzle::Level;
use pourfect::puzzle::water::{Color, Goal, PourRule, Water, WaterRules};

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

/// Every way to lay the colors' units into tubes of any height, up to the order of the tubes; the
/// classes in order.
pub fn loose_classes(
    units: &[usize],
    tubes: usize,
    capacity: u8,
    pour: PourRule,
    goal: Goal,
) -> Vec<Level> {
    let mut classes = BTreeMap::new();
    fill_loosely(units, capacity, tubes, &mut Vec::new(), &mut |tubes| {
        let rules = WaterRules { capacity, pour, goal };
        let level = Level::from(Water::new(rules, tubes.to_vec()).unwrap()).canonical().board;
        classes.insert(level.to_string(), level);
    });
    classes.into_values().collect()
}

fn fill_loosely(
    units: &[usize],
    capacity: u8,
    count: usize,
    tubes: &mut Vec<Vec<Color>>,
    found: &mut impl FnMut(&[Vec<Color>]),
) {
    let left: usize = units.iter().sum();
    if tubes.len() == count {
        return if left == 0 {
            found(tubes)
        };
    }
    for height in 0..=left.min(capacity.into()) {
        for tube in all_tubes(units, height) {
            if tubes.last().is_none_or(|last| *last <= tube) {
                let mut left = units.to_vec();
                tube.iter().for_each(|unit| left[unit.index()] -= 1);
                tubes.push(tube);
                fill_loosely(&left, capacity, count, tubes, found);
                tubes.pop();
            }
        }
    }
}
