//! The number of levels of each small size, and how many of them are unsolvable, as published.

mod support;

use pourfect::puzzle::water::PourRule;
use pourfect::search::{self, Algorithm, Limits, Method, Proof};
use serde::Deserialize;
use support::enumerate::Size;

#[derive(Deserialize)]
struct Published {
    classes: Vec<Count>,
}

#[derive(Deserialize)]
struct Count {
    colors: usize,
    capacity: u8,
    empty: usize,
    classes: usize,
    unsolvable: usize,
}

/// Classes of levels under `max`, and how many are unsolvable.
fn count(size: Size) -> (usize, usize) {
    let levels = size.classes(PourRule::Max);
    let method =
        Method { algorithm: Algorithm::Auto, bound: None, limits: Limits::states(100_000) };
    let unsolvable = levels
        .iter()
        .filter(|level| search::solve(level, &method).unwrap().proof == Proof::Unsolvable);
    (levels.len(), unsolvable.count())
}

#[test]
fn classes_and_unsolvable_classes_are_as_published() {
    let text = std::fs::read_to_string(support::data("classes.json")).unwrap();
    let published: Published = serde_json::from_str(&text).unwrap();
    for Count { colors, capacity, empty, classes, unsolvable } in published.classes {
        let size = Size::new(colors, capacity, empty);
        assert_eq!(count(size), (classes, unsolvable), "{size:?}");
    }
}

#[test]
fn three_colors_of_capacity_four_have_995_classes() {
    assert_eq!(count(Size::new(3, 4, 1)), (995, 236));
    assert_eq!(count(Size::new(3, 4, 2)), (995, 0));
}
