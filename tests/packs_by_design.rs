//! Packs as a designer thinks: curves, limits, pins, rejections, known levels.

use std::collections::BTreeSet;

use pourfect::config::{self, Settings};
use pourfect::diff::{Change, diff};
use pourfect::pack::{Edits, Known, Pack, PackLevel, Rejected};
use pourfect::pipeline::{self, Job, Silent};

fn settings(stretches: &str) -> Settings {
    let toml = format!("name = 'test'\n{stretches}\n");
    config::read(&toml, &Default::default()).unwrap().0
}

fn refused(stretches: &str) -> String {
    let toml = format!("name = 'test'\n{stretches}\n");
    config::read(&toml, &Default::default()).unwrap_err().to_string()
}

fn pack(settings: &Settings, edits: &Edits) -> Pack {
    let job = Job { settings, seed: 5, edits, known: Default::default() };
    pipeline::generate(job, &Silent).unwrap()
}

fn plain(stretches: &str) -> Pack {
    pack(&settings(stretches), &Edits::default())
}

const CURVE: &str = "[[stretches]]\nlevels = 5\ncandidates = 3\ncolors = [4, 6]\n\
                     target = { from = 20, to = 60 }";

fn deviation(levels: &[PackLevel]) -> f64 {
    levels.iter().map(|level| (level.rating.difficulty - level.target.unwrap()).abs()).sum()
}

/// The least sum of deviations over all ways to choose, by trying them all.
fn least_deviation(targets: &[f64], pool: &[f64]) -> f64 {
    let Some((target, rest)) = targets.split_first() else { return 0.0 };
    (0..pool.len())
        .map(|place| {
            let mut others = pool.to_vec();
            let chosen = others.swap_remove(place);
            (chosen - target).abs() + least_deviation(rest, &others)
        })
        .min_by(f64::total_cmp)
        .unwrap()
}

#[test]
fn the_pack_comes_as_near_to_its_curve_as_its_candidates_allow() {
    let curved = plain(CURVE);
    let targets: Vec<f64> = curved.levels.iter().map(|level| level.target.unwrap()).collect();
    assert_eq!(targets, [20.0, 30.0, 40.0, 50.0, 60.0]);
    let all = plain("[[stretches]]\nlevels = 15\ncolors = [4, 6]");
    let pool: Vec<f64> = all.levels.iter().map(|level| level.rating.difficulty).collect();
    let least = least_deviation(&targets, &pool[..]);
    assert!((deviation(&curved.levels) - least).abs() < 1e-6, "{least}");
}

#[test]
fn sizes_and_methods_can_be_lists_and_take_turns() {
    let pack = plain("[[stretches]]\nlevels = 8\ncolors = [3, 4]\nmethod = ['reverse', 'fill']");
    let codes: Vec<&str> =
        pack.levels.iter().map(|level| level.id.split(".g").next().unwrap()).collect();
    let turn = ["w3x4+2.max", "w3x4+2.max.fill", "w4x4+2.max", "w4x4+2.max.fill"];
    assert_eq!(codes, [turn, turn].concat());
}

#[test]
fn no_level_lies_outside_the_limits_on_metrics() {
    let pack =
        plain("[[stretches]]\nlevels = 20\ncolors = 5\nlimits = { optimal_length = [14, 15] }");
    assert_eq!(pack.levels.len(), 20);
    assert!(pack.levels.iter().all(|level| (14..=15).contains(&level.rating.optimal_length)));
}

#[test]
fn a_rejected_level_is_replaced_and_no_other_moves() {
    for stretches in [CURVE, "[[stretches]]\nlevels = 5\ncolors = 5\norder = 'rising'"] {
        let settings = settings(stretches);
        let before = pack(&settings, &Edits::default());
        let PackLevel { candidate, attempt, .. } = before.levels[2];
        let edits = Edits { rejected: vec![Rejected { candidate, attempt }], ..Edits::default() };
        let after = pack(&settings, &edits);
        for (index, (old, new)) in before.levels.iter().zip(&after.levels).enumerate() {
            assert_eq!(old.level == new.level, index != 2, "{stretches} level {index}");
        }
        let identities: BTreeSet<_> = after.levels.iter().map(|l| l.level.identity()).collect();
        assert_eq!(identities.len(), 5);
    }
}

#[test]
fn a_pinned_level_keeps_its_slot_whatever_the_settings_say() {
    let before = plain(CURVE);
    let pin = PackLevel { pinned: true, ..before.levels[3].clone() };
    let edits = Edits { pinned: vec![pin.clone()], ..Edits::default() };
    let same = pack(&settings(CURVE), &edits);
    for (old, new) in before.levels.iter().zip(&same.levels) {
        assert_eq!(old.level, new.level);
    }
    let other = pack(&settings("[[stretches]]\nlevels = 6\ncolors = 7"), &edits);
    assert_eq!(other.levels.len(), 6);
    assert_eq!(other.levels[3].level, pin.level);
    assert!(other.levels[3].pinned && !other.levels[2].pinned);
}

#[test]
fn appending_a_stretch_leaves_the_levels_before_it_as_they_were() {
    let before = plain(CURVE);
    let after = plain(&format!("{CURVE}\n[[stretches]]\nlevels = 3\ncolors = 7"));
    assert_eq!(after.levels.len(), 8);
    assert_eq!(before.levels, after.levels[..5]);
}

#[test]
fn a_filter_leaves_out_levels_and_changes_no_other() {
    let settings = settings(CURVE);
    let before = pack(&settings, &Edits::default());
    let mut difficulties: Vec<f64> = before.levels.iter().map(|l| l.rating.difficulty).collect();
    difficulties.sort_by(f64::total_cmp);
    let least = difficulties[2];
    let filter = [("difficulty".to_owned(), [least, 100.0])].into();
    let after = pack(&settings, &Edits { filter, ..Edits::default() });
    let kept: Vec<_> =
        before.levels.iter().filter(|level| level.rating.difficulty >= least).collect();
    assert!(!kept.is_empty() && kept.len() < before.levels.len());
    assert_eq!(kept.len(), after.levels.len());
    for (index, (old, new)) in kept.iter().zip(&after.levels).enumerate() {
        assert_eq!((&old.level, index as u64), (&new.level, new.index));
    }
}

#[test]
fn levels_of_known_packs_do_not_occur_again() {
    let settings = settings("[[stretches]]\nlevels = 12\ncolors = 3\ncapacity = 3\nempty = 1");
    let first = pack(&settings, &Edits::default());
    let mut known = Known::default();
    known.add(first.into()).unwrap();
    let Known { digests, fingerprints: known } = known;
    let edits = Edits { known: digests, ..Edits::default() };
    let job = Job { settings: &settings, seed: 5, edits: &edits, known: known.clone() };
    let second = pipeline::generate(job, &Silent).unwrap();
    assert_eq!(second.levels.len(), 12);
    assert!(second.levels.iter().all(|level| !known.contains(&level.level.fingerprint())));
}

#[test]
fn levels_one_move_apart_are_reported_as_near() {
    // So few levels of this size exist that some must be near each other.
    let pack = plain("[[stretches]]\nlevels = 14\ncolors = 2\ncapacity = 4\nempty = 1");
    let near = |level: &PackLevel| level.near.is_some();
    assert!(!near(&pack.levels[0]));
    assert!(pack.levels.iter().any(near));
}

#[test]
fn a_diff_names_what_is_gone_new_moved_and_rated_otherwise() {
    let old = plain(CURVE);
    let mut new = old.clone();
    new.levels.swap(0, 1);
    (new.levels[0].index, new.levels[1].index) = (0, 1);
    new.levels[2].rating.difficulty += 1.0;
    new.levels[4].level = plain("[[stretches]]\nlevels = 1\ncolors = 3").levels[0].level.clone();
    let changes = diff(&old, &new);
    let count = |wanted: fn(&Change) -> bool| changes.iter().filter(|c| wanted(c)).count();
    assert_eq!(count(|change| matches!(change, Change::Moved { .. })), 2);
    assert_eq!(count(|change| matches!(change, Change::Rated { .. })), 1);
    assert_eq!(count(|change| matches!(change, Change::Removed { .. })), 1);
    assert_eq!(count(|change| matches!(change, Change::Added { .. })), 1);
    assert!(diff(&old, &old).is_empty());
}

#[test]
fn settings_that_contradict_themselves_name_the_stretch() {
    let stretch =
        |fields: &str| refused(&format!("[[stretches]]\nlevels = 2\ncolors = 3\n{fields}"));
    assert!(stretch("target = [10]").contains("stretch 1: target lists 1 difficulties for 2"));
    assert!(stretch("candidates = 2").contains("need a target"));
    assert!(stretch("limits = { fun = [1, 2] }").contains("unknown metric `fun`"));
    assert!(stretch("limits = { difficulty = [2, 1] }").contains("is empty"));
    assert!(stretch("target = [1, 2]\norder = 'rising'").contains("not both"));
    assert!(stretch("candidates = 2000000\ntarget = [1, 2]").contains("at most 4000000"));
    assert!(stretch("colours = 3").contains("unknown field `colours`"));
    assert!(
        stretch("colors = []").contains("Syntax") || stretch("empty = []").contains("empty list")
    );
    assert!(refused("[[stretches]]\nlevels = 2\ncolors = 99").contains("colors = 99"));
    assert!(refused("").contains("no [[stretches]]"));
}
