//! The canonical form of a level: colors renamed and tubes reordered.
//!
//! Colors are told apart by where their units lie (color refinement, as in graph isomorphism); what
//! refinement leaves alike is singled out color by color, and the smallest resulting form wins.
//! Branches that an automorphism maps onto one already explored are skipped, as in McKay's nauty
//! ("Practical graph isomorphism", 1981): two branches whose first leaves are equal are images of
//! each other. Hashes only order and split the classes; the forms are compared as a whole.

use super::{Color, Tube, Water};
use crate::puzzle::Canonical;
use crate::puzzle::hash::{fold, mix};

/// The smallest drawing of the level under renaming and reordering.
pub(super) fn canonical(level: &Water) -> Canonical<Water> {
    let colors: Vec<Color> = level.color_counts().map(|(color, _)| color).collect();
    let drawing = Drawing { tubes: &level.tubes, colors: &colors };
    let (tubes, classes) = drawing.search(Classes(vec![0; colors.len()])).smallest;
    let renamed = drawing.renamed(&classes);
    let mut order: Vec<usize> = (0..renamed.len()).collect();
    order.sort_by_key(|&tube| drawn_order(&renamed[tube]));
    Canonical { board: Water { rules: level.rules, tubes }, order }
}

/// Empty tubes last, as levels are drawn.
fn drawn_order(tube: &Tube) -> (bool, Tube) {
    (tube.is_empty(), *tube)
}

struct Drawing<'a> {
    tubes: &'a [Tube],
    colors: &'a [Color],
}

/// The class of each color, numbered so that the numbering is the same for every drawing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Classes(Vec<u32>);

struct Explored {
    smallest: (Vec<Tube>, Classes),
    first: Vec<Tube>,
}

impl Drawing<'_> {
    fn search(&self, classes: Classes) -> Explored {
        let classes = self.refine(classes);
        let Some(alike) = classes.first_shared() else {
            let form = self.form(&classes);
            return Explored { smallest: (form.clone(), classes), first: form };
        };
        let mut explored = self.search(classes.single_out(alike[0]));
        let mut firsts = vec![explored.first.clone()];
        for &color in &alike[1..] {
            let branch = classes.single_out(color);
            let first = self.first_leaf(branch.clone());
            if !firsts.contains(&first) {
                explored.smallest = explored.smallest.min(self.search(branch).smallest);
                firsts.push(first);
            }
        }
        explored
    }

    fn first_leaf(&self, mut classes: Classes) -> Vec<Tube> {
        loop {
            classes = self.refine(classes);
            match classes.first_shared() {
                Some(alike) => classes = classes.single_out(alike[0]),
                None => return self.form(&classes),
            }
        }
    }

    /// Splits classes by where their colors' units lie until nothing splits any more.
    fn refine(&self, mut classes: Classes) -> Classes {
        let mut index_of = [0; super::MAX_COLORS];
        for (index, color) in self.colors.iter().enumerate() {
            index_of[color.index()] = index;
        }
        loop {
            let mut hashes: Vec<u64> = classes.0.iter().map(|&class| mix(class.into())).collect();
            for tube in self.tubes {
                let class = |unit: &Color| u64::from(classes.0[index_of[unit.index()]]);
                let whole = tube.units().iter().fold(0, |hash, unit| fold(hash, class(unit)));
                for (height, unit) in tube.units().iter().enumerate() {
                    let place = fold(whole, height as u64);
                    let hash = &mut hashes[index_of[unit.index()]];
                    *hash = hash.wrapping_add(place);
                }
            }
            let refined = classes.split_by(&hashes);
            if refined.count() == classes.count() {
                return classes;
            }
            classes = refined;
        }
    }

    /// The tubes with every color named after its class, in order.
    fn form(&self, classes: &Classes) -> Vec<Tube> {
        let mut tubes = self.renamed(classes);
        tubes.sort_unstable_by_key(drawn_order);
        tubes
    }

    fn renamed(&self, classes: &Classes) -> Vec<Tube> {
        let mut name_of = [Color::default(); super::MAX_COLORS];
        for (color, &class) in self.colors.iter().zip(&classes.0) {
            name_of[color.index()] = Color(class as u8);
        }
        let rename = |tube: &Tube| {
            let mut renamed = Tube::default();
            tube.units().iter().for_each(|unit| renamed.push(name_of[unit.index()], 1));
            renamed
        };
        self.tubes.iter().map(rename).collect()
    }
}

impl Classes {
    fn count(&self) -> usize {
        let mut classes = self.0.clone();
        classes.sort_unstable();
        classes.dedup();
        classes.len()
    }

    /// The members of the first class of more than one.
    fn first_shared(&self) -> Option<Vec<usize>> {
        let members = |class: u32| -> Vec<usize> {
            (0..self.0.len()).filter(|&index| self.0[index] == class).collect()
        };
        let shared = |class: &u32| self.0.iter().filter(|&other| other == class).count() > 1;
        self.0.iter().filter(|class| shared(class)).min().map(|&class| members(class))
    }

    /// Gives one color a class of its own, before its old one.
    fn single_out(&self, color: usize) -> Self {
        let class = self.0[color];
        let shift = |(index, &other): (usize, &u32)| {
            other + u32::from(other > class || (other == class && index != color))
        };
        Self(self.0.iter().enumerate().map(shift).collect())
    }

    /// Splits every class by the hashes of its colors.
    fn split_by(&self, hashes: &[u64]) -> Self {
        let mut keys: Vec<(u32, u64)> =
            self.0.iter().copied().zip(hashes.iter().copied()).collect();
        let of_color = keys.clone();
        keys.sort_unstable();
        keys.dedup();
        let rank = |key: &(u32, u64)| keys.partition_point(|other| other < key) as u32;
        Self(of_color.iter().map(rank).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::puzzle::Board;
    use crate::puzzle::water::{Color, Goal, PourRule, Water};

    fn form(text: &str) -> String {
        let level = Water::parse(text, None, PourRule::Max, Goal::Uniform).unwrap();
        let canonical = level.canonical();
        let reordered: Vec<usize> =
            canonical.order.iter().map(|&tube| level.tubes()[tube].units().len()).collect();
        let lengths: Vec<usize> =
            canonical.board.tubes().iter().map(|tube| tube.units().len()).collect();
        assert_eq!(reordered, lengths);
        canonical.board.to_string()
    }

    #[test]
    fn renaming_and_reordering_change_nothing() {
        assert_eq!(form("ABCA|BCAB|CABC||"), form("|yzxy||zxyz|xyzx"));
        assert_eq!(form("AB|BA|"), form("|ZQ|QZ"));
        assert_ne!(form("AABB|BBAA|"), form("ABAB|BABA|"));
    }

    #[test]
    fn alike_colors_do_not_blow_up() {
        let pairs: Vec<String> = (0..31)
            .map(|pair| {
                let [a, b] = [2 * pair, 2 * pair + 1].map(|n| Color::new(n).unwrap().symbol());
                format!("{a}{b}|{b}{a}")
            })
            .collect();
        let turned: Vec<&str> = pairs.iter().rev().map(String::as_str).collect();
        assert_eq!(form(&pairs.join("|")), form(&turned.join("|")));
    }
}
