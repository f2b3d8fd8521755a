//! Every engine and every bound against plain breadth-first distances, on all levels of small sizes.

mod support;

use pourfect::puzzle::water::{Goal, PourRule, Water};
use pourfect::puzzle::{BoundError, Level, LowerBound, Puzzle, Visitor};
use pourfect::search::{self, Algorithm, Limits, Verdict};
use support::enumerate::{Size, loose_classes};
use support::positions::Positions;

/// Up to 3 colors of capacity 4, with one and two empty tubes.
fn small_levels(pour: PourRule) -> impl Iterator<Item = Level> {
    let sizes = [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (3, 4)];
    let sizes = sizes
        .into_iter()
        .flat_map(|(colors, capacity)| [1, 2].map(|empty| Size::new(colors, capacity, empty)));
    sizes.flat_map(move |size| size.classes(pour))
}

/// Levels with colors of several tubes, and colors that do not fill tubes.
fn odd_levels(pour: PourRule) -> impl Iterator<Item = Level> {
    let several = loose_classes(&[4, 2], 4, 2, pour, Goal::Sorted);
    let uneven = loose_classes(&[5, 3], 4, 3, pour, Goal::Uniform);
    several.into_iter().chain(uneven)
}

type Bound<'a, S> = Box<dyn LowerBound<S> + 'a>;

/// Those of the named bounds that hold under the level's rules.
fn bounds<'a, P: Puzzle>(
    puzzle: &'a P,
    names: &[&'static str],
) -> Vec<(&'static str, Bound<'a, P::State>)> {
    let valid = |&name: &&'static str| match puzzle.bound(name) {
        Ok(bound) => Some((name, bound)),
        Err(BoundError::Invalid { .. }) => None,
        Err(error) => panic!("{error}"),
    };
    names.iter().filter_map(valid).collect()
}

struct EnginesAgree;

impl Visitor for EnginesAgree {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let optimal = Positions::new(puzzle).optimal_length();
        let run = |algorithm, bound| {
            search::search(puzzle, algorithm, bound, &Limits::states(1_000_000)).unwrap()
        };
        for algorithm in [Algorithm::Bfs, Algorithm::Bidirectional, Algorithm::Auto] {
            assert_optimal(puzzle, run(algorithm, None), optimal);
        }
        // Of pattern databases another test checks the estimates.
        let names: Vec<_> = P::BOUNDS.iter().copied().filter(|&name| name != "pattern").collect();
        for (bound, _) in bounds(puzzle, &names) {
            for algorithm in [Algorithm::Astar, Algorithm::Idastar] {
                assert_optimal(puzzle, run(algorithm, Some(bound)), optimal);
            }
        }
        assert_no_better(puzzle, run(Algorithm::Greedy, None), optimal);
        // Without room for all states an unsolvable level with cycles is never proven.
        if optimal.is_some() {
            let limits = Limits { table_states: 50, ..Limits::states(1_000_000) };
            let found = search::search(puzzle, Algorithm::Idastar, None, &limits).unwrap();
            assert_optimal(puzzle, found, optimal);
        }
    }
}

fn assert_path<P: Puzzle>(puzzle: &P, path: &[P::State]) {
    let mut successors = Vec::new();
    assert_eq!(path[0], puzzle.start());
    assert!(puzzle.is_solved(path.last().unwrap()));
    for step in path.windows(2) {
        puzzle.successors(&step[0], &mut successors);
        assert!(successors.contains(&step[1]));
    }
}

fn assert_optimal<P: Puzzle>(puzzle: &P, found: search::Found<P::State>, optimal: Option<u32>) {
    let what = format!("{:?} by {} with {}", puzzle.start(), found.algorithm, found.bound);
    match found.outcome.verdict {
        Verdict::Solved(path) => {
            assert_eq!(Some(path.len() as u32 - 1), optimal, "{what}");
            assert_path(puzzle, &path);
        }
        Verdict::Unsolvable => assert_eq!(None, optimal, "{what}"),
        Verdict::Unknown { .. } => panic!("{what}: unknown"),
    }
}

fn assert_no_better<P: Puzzle>(puzzle: &P, found: search::Found<P::State>, optimal: Option<u32>) {
    match found.outcome.verdict {
        Verdict::Unknown { lower_bound, best } => {
            assert!(optimal.is_none_or(|optimal| lower_bound <= optimal));
            if let Some(path) = best {
                assert!(path.len() as u32 > optimal.unwrap());
                assert_path(puzzle, &path);
            }
        }
        _ => assert_optimal(puzzle, found, optimal),
    }
}

#[test]
fn every_engine_equals_breadth_first_search_under_max() {
    small_levels(PourRule::Max).for_each(|level| level.explore(EnginesAgree));
}

#[test]
fn every_engine_equals_breadth_first_search_under_whole() {
    small_levels(PourRule::Whole).for_each(|level| level.explore(EnginesAgree));
}

#[test]
fn every_engine_equals_breadth_first_search_under_unit() {
    small_levels(PourRule::Unit).for_each(|level| level.explore(EnginesAgree));
}

#[test]
fn every_engine_equals_breadth_first_search_on_odd_colors() {
    for pour in PourRule::ALL {
        odd_levels(pour).for_each(|level| level.explore(EnginesAgree));
    }
}

/// Checks every bound on every reachable position; counts those where refining said more.
struct BoundsHold;

impl Visitor for BoundsHold {
    type Output = usize;

    fn visit<P: Puzzle>(self, puzzle: &P) -> usize {
        let positions = Positions::new(puzzle);
        let bounds = bounds(puzzle, P::BOUNDS);
        let mut refined = 0;
        for position in &positions.all {
            for (name, bound) in &bounds {
                let estimate = bound.estimate(&position.state);
                let more = bound.refine(&position.state);
                refined += usize::from(more != Some(estimate));
                if let Some(distance) = position.distance {
                    let what = || format!("{name} at {:?}, {distance}", position.state);
                    assert!(estimate <= distance, "{estimate} by {}", what());
                    let more = more.unwrap_or_else(|| panic!("dead by {}", what()));
                    assert!(more <= distance, "{more} by {}", what());
                }
            }
        }
        refined
    }
}

#[test]
fn no_bound_exceeds_the_exact_distance() {
    for pour in PourRule::ALL {
        let levels = small_levels(pour).chain(odd_levels(pour));
        let refined: usize = levels.map(|level| level.explore(BoundsHold)).sum();
        assert!(refined > 1000, "{refined}");
    }
}

#[test]
fn bounds_that_do_not_hold_are_refused() {
    struct Refused(&'static str);
    impl Visitor for Refused {
        type Output = String;
        fn visit<P: Puzzle>(self, puzzle: &P) -> String {
            puzzle.bound(self.0).err().map(|error| error.to_string()).unwrap_or_default()
        }
    }
    let level =
        |text| Level::from(Water::parse(text, Some(2), PourRule::Max, Goal::Sorted).unwrap());
    assert_eq!(
        level("AB|AB|").explore(Refused("units")),
        "the bound `units` does not hold here: the pour rule must be `unit`"
    );
    assert_eq!(
        level("AA|AA|").explore(Refused("spread")),
        "the bound `spread` does not hold here: every color must end in a single tube"
    );
    assert!(level("AB|AB|").explore(Refused("best")).starts_with("unknown bound `best`"));
}
