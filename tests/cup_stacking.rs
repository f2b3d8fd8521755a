//! Cup stacking: rules, search view, bounds and engines against exact distances.

mod support;

use std::collections::{BTreeMap, VecDeque};

use pourfect::generate::{self, draw};
use pourfect::puzzle::cups::{Cups, CupsShape};
use pourfect::puzzle::{AnyShape, Board, Level, Puzzle, Shape, Visitor};
use pourfect::random::{Stream, StreamId};
use pourfect::search::{self, Algorithm, Limits, Method, Proof};
use serde_json::json;
use support::positions::Positions;

fn cups(position: &str, goal: &str, height: Option<u8>) -> Cups {
    Cups::parse(position, Some(goal), height).unwrap()
}

fn solve(board: &Cups, algorithm: Algorithm, bound: Option<&str>) -> search::Answer {
    let method = Method { algorithm, bound, limits: Limits::states(2_000_000) };
    search::solve(&Level::from(board.clone()), &method).unwrap()
}

/// The engines that prove what they find.
fn proving() -> impl Iterator<Item = Algorithm> {
    Algorithm::ALL.into_iter().filter(|&algorithm| algorithm != Algorithm::Greedy)
}

/// The proven optimum, its solution replayed by the plain rules.
fn optimum(board: &Cups, algorithm: Algorithm, bound: Option<&str>) -> u32 {
    let Proof::Solved(moves) = solve(board, algorithm, bound).proof else { panic!("{board}") };
    let mut played = board.clone();
    moves.iter().for_each(|&action| played.play(action).unwrap());
    assert!(played.is_solved(), "{board}");
    moves.len() as u32
}

/// The distance of every position, by playing from the goal: every move can be undone by a move.
fn distances(goal: &str, height: Option<u8>) -> BTreeMap<Cups, u32> {
    let solved = cups(goal, goal, height);
    let mut distances = BTreeMap::from([(solved.clone(), 0)]);
    let mut queue = VecDeque::from([solved]);
    while let Some(board) = queue.pop_front() {
        let distance = distances[&board] + 1;
        for action in board.legal_moves() {
            let mut next = board.clone();
            next.play(action).unwrap();
            distances.entry(next.clone()).or_insert_with(|| {
                queue.push_back(next);
                distance
            });
        }
    }
    distances
}

const SMALL: [(&str, Option<u8>, usize); 3] =
    [("1,2,3,4,5||", None, 2520), ("1,2,3|4|", Some(3), 288), ("1,2|3,4|", Some(3), 288)];

#[test]
fn the_tutorials_example_takes_two_moves_by_every_engine_with_every_bound() {
    let example = cups("1,2|3|4", "1,2,3,4||", None);
    for algorithm in proving() {
        for bound in ["half", "misplaced", "twice", "pattern", "conflicts"] {
            assert_eq!(optimum(&example, algorithm, Some(bound)), 2, "{algorithm} {bound}");
        }
    }
}

#[test]
fn every_engine_is_exact_on_every_small_position() {
    for (goal, height, count) in SMALL {
        let distances = distances(goal, height);
        assert_eq!(distances.len(), count);
        for (board, &distance) in &distances {
            for algorithm in proving() {
                assert_eq!(optimum(board, algorithm, None), distance, "{board} by {algorithm}");
            }
        }
    }
}

#[test]
fn greedy_claims_no_more_than_it_knows() {
    let mut proven = 0;
    for (board, distance) in distances("1,2,3,4,5||", None) {
        match solve(&board, Algorithm::Greedy, None).proof {
            Proof::Solved(moves) => {
                assert_eq!(moves.len() as u32, distance, "{board}");
                proven += 1;
            }
            Proof::Unknown { lower_bound, best } => {
                assert!(lower_bound <= distance, "{board}");
                let mut played = board.clone();
                let best = best.unwrap();
                best.iter().for_each(|&action| played.play(action).unwrap());
                assert!(played.is_solved() && best.len() as u32 >= distance, "{board}");
            }
            Proof::Unsolvable => panic!("{board}"),
        }
    }
    assert!(proven > 1500, "{proven}");
}

/// Checks everything that a prepared level promises, on every position that it can reach.
struct Promises;

impl Visitor for Promises {
    /// How often the bound `conflicts` falls by more than 1, and the mean of every bound.
    type Output = (u32, Vec<f64>);

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let positions = Positions::new(puzzle);
        let bounds: Vec<_> = P::BOUNDS.iter().map(|name| puzzle.bound(name).unwrap()).collect();
        let (mut drops, mut sums) = (0, vec![0; bounds.len()]);
        let (mut next, mut back) = (Vec::new(), Vec::new());
        for position in &positions.all {
            let state = &position.state;
            let distance = position.distance.unwrap();
            puzzle.successors(state, &mut next);
            for (index, bound) in bounds.iter().enumerate() {
                let here = bound.estimate(state);
                sums[index] += here;
                assert!(here <= distance, "{} of {state:?}", P::BOUNDS[index]);
                for there in next.iter().map(|next| bound.estimate(next)) {
                    match P::BOUNDS[index] {
                        "conflicts" => drops += u32::from(here > there + 1),
                        name => assert!(here <= there + 1, "{name} of {state:?}"),
                    }
                }
            }
            for state in &next {
                puzzle.predecessors(state, &mut back);
                assert!(back.contains(&position.state));
            }
            puzzle.useful_successors(state, &mut next);
            let nearer = distance.checked_sub(1);
            let keeps = distance == 0 || next.iter().any(|next| positions.distance(next) == nearer);
            assert!(keeps, "no useful successor of {state:?} is on a shortest way");
        }
        let count = positions.all.len() as f64;
        (drops, sums.into_iter().map(|sum| f64::from(sum) / count).collect())
    }
}

#[test]
fn bounds_and_safe_moves_hold_on_every_position() {
    let cases = [
        ("1,2,3,4,5||", None),
        ("1,2,3,4,5,6||", None),
        ("1,2,3,4,5,6|||", None),
        ("1,2,3|4,5|", None),
        ("1,2|3,4|5,6", None),
        ("3|1,4,2|5||", None),
        ("4,1|2,5|3|", None),
        ("1,2,3|4|", Some(3)),
        ("1,2|3,4|", Some(2)),
        ("1,2,3|4,5,6|", Some(3)),
        ("1,2,3|4,5,6|", Some(4)),
    ];
    let mut drops = 0;
    for (goal, height) in cases {
        let (falls, means) = cups(goal, goal, height).explore(Promises);
        drops += falls;
        let [half, misplaced, twice, pattern, conflicts] = means[..] else { panic!() };
        assert!(half < misplaced && misplaced < twice, "{goal}: {means:?}");
        assert!(twice < pattern && twice < conflicts, "{goal}: {means:?}");
    }
    // So A* has to open some states again.
    assert!(drops > 0);
}

/// Every position of seven cups on four columns, and what the best bound misses.
#[test]
fn conflicts_explain_nine_positions_in_ten_of_seven_cups_on_four_columns() {
    struct Exact;
    impl Visitor for Exact {
        type Output = (usize, usize);
        fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
            let positions = Positions::new(puzzle);
            let bound = puzzle.bound("conflicts").unwrap();
            let exact = positions.all.iter().filter(|position| {
                let (estimate, distance) =
                    (bound.estimate(&position.state), position.distance.unwrap());
                assert!(estimate <= distance);
                estimate == distance
            });
            (exact.count(), positions.all.len())
        }
    }
    let goal = "1,2,3,4,5,6,7|||";
    assert_eq!(cups(goal, goal, None).explore(Exact), (111_211, 122_640));
}

#[test]
fn placing_a_cup_at_once_is_wrong_with_a_height_limit() {
    let mut board = cups("1|2|3,4", "1,2|3,4|", Some(2));
    assert_eq!(optimum(&board, Algorithm::Astar, None), 7);
    board.play("1>0".parse().unwrap()).unwrap();
    assert_eq!(optimum(&board, Algorithm::Astar, None), 8);
}

#[test]
fn positions_with_one_canonical_form_are_equally_far() {
    let mut forms: BTreeMap<Cups, u32> = BTreeMap::new();
    let distances = distances("1,2|3|||", Some(2));
    for (board, &distance) in &distances {
        let form = board.canonical().board;
        assert_eq!(*forms.entry(form).or_insert(distance), distance, "{board}");
    }
    // Three columns that end empty: up to six positions have one form.
    assert!(forms.len() * 3 < distances.len());
}

#[test]
fn a_level_without_room_is_unsolvable_and_not_refused() {
    let answer = solve(&cups("2,1|3,4", "1,2|3,4", Some(2)), Algorithm::Astar, None);
    assert_eq!(answer.proof, Proof::Unsolvable);
}

#[test]
fn sixty_four_cups_and_many_columns_fit() {
    for (count, columns) in [(32, 16), (64, 32)] {
        let board = random(count, columns, 0);
        assert!(optimum(&board, Algorithm::Astar, None) >= board.disorder());
    }
}

fn shape(cups: usize, columns: usize) -> CupsShape {
    let fields = json!({"cups": cups, "columns": columns});
    CupsShape::from_fields(serde_json::from_value(fields).unwrap()).unwrap()
}

fn random(cups: usize, columns: usize, index: u64) -> Cups {
    shape(cups, columns).fill(&mut Stream::new(StreamId { seed: 1, index, attempt: 0 }, 1))
}

/// The mean optimum of levels drawn one way.
fn mean_length(shape: &AnyShape, method: generate::Method) -> f64 {
    let length = |index| {
        let drawn = draw(shape, method, StreamId { seed: 5, index, attempt: 0 }, 1).unwrap();
        let method = Method { algorithm: Algorithm::Astar, bound: None, limits: Limits::default() };
        search::solve(&drawn.level, &method).unwrap().proof.optimal_length().unwrap()
    };
    f64::from((0..300).map(length).sum::<u32>()) / 300.0
}

#[test]
fn reverse_walks_mix_well_and_do_not_wander() {
    let shape =
        |fields| AnyShape::from_fields("cups", serde_json::from_value(fields).unwrap()).unwrap();
    let low = json!({
        "cups": 9, "columns": 4, "height": 3, "goal": "1,2,3|4,5,6|7,8,9|"
    });
    for size in [json!({"cups": 6, "columns": 3}), json!({"cups": 10, "columns": 4}), low] {
        let shape = shape(size.clone());
        let (walk, fill) = (
            mean_length(&shape, generate::Method::Reverse),
            mean_length(&shape, generate::Method::Fill),
        );
        assert!(walk >= fill - 0.3, "{size}: {walk} by walks, {fill} by fillings");
    }
    let short = shape(json!({"cups": 10, "columns": 4, "steps": 10}));
    let length = mean_length(&short, generate::Method::Reverse);
    assert!(length >= 8.0, "10 steps make {length} moves");
}

/// Ratings and generated packs depend on these counts.
#[test]
fn the_nodes_of_the_rating_search_are_pinned_and_within_their_budget() {
    let figures = |cups, columns| {
        let nodes = |index| solve(&random(cups, columns, index), Algorithm::Astar, None);
        let mut nodes: Vec<u64> = (0..41).map(|index| nodes(index).stats.expanded).collect();
        nodes.sort_unstable();
        (nodes[20], nodes.iter().sum::<u64>())
    };
    // Size, budget for the median, median and sum.
    let sizes = [
        (10, 4, 100, (17, 1080)),
        (12, 4, 700, (35, 3546)),
        (14, 5, 250, (28, 3978)),
        (16, 5, 2500, (49, 16323)),
    ];
    let found = sizes.map(|(cups, columns, ..)| figures(cups, columns));
    assert_eq!(found, sizes.map(|(.., pinned)| pinned));
    assert!(sizes.iter().zip(found).all(|((_, _, budget, _), (median, _))| median <= *budget));
}
