//! What the generator promises: walks that lead back, levels worth emitting, no endless search.

use std::collections::BTreeSet;

use pourfect::config::{self, Settings};
use pourfect::generate::{Method, draw};
use pourfect::pack::{Pack, PackLevel};
use pourfect::pipeline::{self, GenerateError, Job, Silent};
use pourfect::random::StreamId;

fn settings(stretch: &str) -> Settings {
    let quick = "name = 'test'\nanalysis = 'none'\nplays = 1";
    let toml = format!("{quick}\n[[stretches]]\n{stretch}\n");
    config::read(&toml, &Default::default()).unwrap().0
}

fn pack(stretch: &str) -> Pack {
    generate(&settings(stretch), 11).unwrap()
}

fn generate(settings: &Settings, seed: u64) -> Result<Pack, GenerateError> {
    let edits = Default::default();
    let job = Job { settings, seed, edits: &edits, known: Default::default() };
    pipeline::generate(job, &Silent)
}

fn mean_length(levels: &[PackLevel]) -> f64 {
    let sum: u32 = levels.iter().map(|level| level.rating.optimal_length).sum();
    f64::from(sum) / levels.len() as f64
}

#[test]
fn a_walk_played_backward_solves_its_level_under_every_pour_rule() {
    for pour in ["max", "whole", "unit"] {
        for size in ["colors = 6\nempty = 2", "colors = 4\nempty = 1", "colors = 3\ncapacity = 6"] {
            let settings = settings(&format!("levels = 1\n{size}\npour = '{pour}'"));
            let (shape, _) = settings.stretches[0].draw(0);
            let mut walks = 0;
            for attempt in 0..1500 {
                let stream = StreamId { seed: 3, index: 0, attempt };
                let Some(drawn) = draw(shape, Method::Reverse, stream, 1) else { continue };
                let mut board = drawn.level;
                for action in drawn.walk.unwrap() {
                    board.play(action).unwrap();
                }
                assert!(board.is_solved());
                walks += 1;
            }
            assert!(walks > 0, "{size} {pour}");
        }
    }
}

#[test]
fn levels_have_the_asked_shape_and_nothing_is_done_or_drawn_twice() {
    for method in ["reverse", "fill"] {
        let pack = pack(&format!("levels = 200\ncolors = 3\ncapacity = 4\nmethod = '{method}'"));
        let mut forms = BTreeSet::new();
        for level in &pack.levels {
            let stacks = level.level.stacks();
            let heights: Vec<usize> = stacks.iter().map(String::len).collect();
            assert_eq!(heights, [4, 4, 4, 0, 0]);
            let complete = |tube: &String| tube.chars().all(|unit| tube.starts_with(unit));
            assert!(!stacks.iter().any(|tube| !tube.is_empty() && complete(tube)));
            assert!(forms.insert(level.level.canonical().board.to_string()));
        }
    }
}

#[test]
fn another_shape_comes_only_when_asked_for() {
    for method in ["reverse", "fill"] {
        let pack = pack(&format!(
            "levels = 50\ncolors = 4\nempty = 2\nlayout = 'loose'\nmethod = '{method}'"
        ));
        let partly = |level: &PackLevel| {
            level.level.stacks().iter().any(|tube| (1..4).contains(&tube.len()))
        };
        assert!(pack.levels.iter().filter(|level| partly(level)).count() > 25, "{method}");
    }
}

#[test]
fn colors_can_fill_several_tubes() {
    let pack = pack("levels = 20\ncolors = 3\ntubes_per_color = 2\nempty = 1");
    for level in &pack.levels {
        let columns = level.level.columns();
        assert!(columns.contains(&("colors", "3".to_owned())), "{columns:?}");
        assert_eq!(level.level.stacks().len(), 7);
    }
}

#[test]
fn a_size_that_runs_out_of_levels_says_what_was_rejected() {
    let mut settings = settings("levels = 30\ncolors = 2\ncapacity = 2\nempty = 1");
    settings.max_attempts = 500;
    let error = generate(&settings, 1).unwrap_err();
    let GenerateError::Exhausted { attempts, rejections, .. } = error else { panic!("{error}") };
    assert_eq!(attempts, 500);
    assert!(rejections.duplicate > 0, "{rejections}");
    let error = GenerateError::Exhausted {
        index: 1,
        code: "w2x2+1.max".into(),
        method: Method::Reverse,
        attempts,
        rejections,
    };
    assert!(error.to_string().contains("duplicates"), "{error}");
}

#[test]
fn one_empty_tube_gives_levels_by_the_hundred_where_fillings_give_none() {
    for colors in [10, 14] {
        let pack = pack(&format!("levels = 100\ncolors = {colors}\nempty = 1"));
        assert_eq!(pack.levels.len(), 100);
    }
}

#[test]
fn reverse_walks_are_not_shorter_than_fillings() {
    for colors in [8, 12] {
        let length = |method: &str| {
            let pack = pack(&format!("levels = 1000\ncolors = {colors}\nmethod = '{method}'"));
            mean_length(&pack.levels)
        };
        let (reverse, fill) = (length("reverse"), length("fill"));
        assert!(reverse >= fill - 0.3, "{colors} colors: reverse {reverse}, fill {fill}");
    }
}

/// Draws the first levels of a size; how many are different, and how many walks led astray.
fn first_draws(size: &str, count: u64) -> (usize, u32) {
    let settings = settings(&format!("levels = 1\n{size}"));
    let (shape, method) = settings.stretches[0].draw(0);
    let drawn = |index| {
        let stream = StreamId { seed: 11, index, attempt: 0 };
        draw(shape, *method, stream, 10_000).unwrap()
    };
    let drawn: Vec<_> = (0..count).map(drawn).collect();
    let forms: BTreeSet<u64> = drawn.iter().map(|draw| draw.level.fingerprint()).collect();
    (forms.len(), drawn.iter().map(|draw| draw.lost).sum())
}

#[test]
fn walks_of_a_small_size_differ() {
    for (size, least) in [("colors = 5", 900), ("colors = 6", 970), ("colors = 8", 995)] {
        let (different, _) = first_draws(size, 1000);
        assert!(different >= least, "{size}: {different} of 1000 are different");
    }
}

#[test]
fn walks_of_a_large_capacity_arrive() {
    for capacity in [6, 8, 12] {
        let (_, lost) = first_draws(&format!("colors = 8\ncapacity = {capacity}"), 50);
        assert!(lost < 50 * 20, "capacity {capacity}: {lost} walks led astray");
    }
}
