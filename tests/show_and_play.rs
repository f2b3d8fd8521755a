//! `show` and `play`, and ids that are enough to make a level again.

mod support;

use assert_cmd::Command;
use pourfect::id::{IdError, LevelId};
use pourfect::pack::Pack;
use pourfect::pipeline::{self, LevelOfError};
use pourfect::report::{Form, write_pack};
use support::{pack_of, small_pack};
use tempfile::TempDir;

const SINGLE_SIZES: [&str; 2] = [
    "name = 'single'\n[[stretches]]\ncolors = 3\ncapacity = 3\nlevels = 12",
    "name = 'single'\n[[stretches]]\npuzzle = 'cups'\ncups = 4\ncolumns = 3\nheight = 4\nlevels = 12",
];

fn pourfect(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pourfect"));
    command.args(arguments);
    command
}

fn stdout(command: &mut Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

fn stderr(command: &mut Command, code: i32) -> String {
    String::from_utf8(command.assert().failure().code(code).get_output().stderr.clone()).unwrap()
}

/// A pack on disk.
fn folder(pack: &Pack) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    write_pack(pack, folder.path(), Form::Object).unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn an_id_of_a_single_size_makes_its_level_again() {
    for toml in SINGLE_SIZES {
        let pack = pack_of(toml, 5);
        let ids = pack.levels.iter().map(|level| level.id.parse::<LevelId>().unwrap());
        assert!(ids.clone().any(|id| id.attempt > 0), "some level was drawn again");
        for (level, id) in pack.levels.iter().zip(ids) {
            let again = pipeline::level_of(&id).unwrap();
            assert_eq!((&again.id, &again.level), (&level.id, &level.level));
            assert_eq!(again.solution, level.solution);
        }
    }
}

#[test]
fn settings_that_an_id_does_not_hold_make_it_need_its_pack() {
    for setting in ["steps = 9", "goal = '2,1|3|4'"] {
        let toml = format!(
            "name = 'own'\n[[stretches]]\npuzzle = 'cups'\ncups = 4\ncolumns = 3\nlevels = 1\n{setting}"
        );
        let id: LevelId = pack_of(&toml, 5).levels[0].id.parse().unwrap();
        assert!(matches!(pipeline::level_of(&id), Err(LevelOfError::Id(IdError::NeedsPack(_)))));
    }
    let limited = "name = 'own'\nmax_states = 1000\n[[stretches]]\ncolors = 4\nlevels = 1";
    assert!(pack_of(limited, 5).levels[0].id.contains('~'));
}

#[test]
fn an_id_that_needs_its_pack_says_so() {
    let pack = small_pack();
    let words = stderr(&mut pourfect(&["show", &pack.levels[3].id]), 1);
    assert!(words.contains("needs its pack"), "{words}");
    let (_folder, path) = folder(&pack);
    let shown = stdout(&mut pourfect(&["show", &path, &pack.levels[3].id]));
    assert!(shown.starts_with(&pack.levels[3].id));
}

#[test]
fn a_text_that_is_no_id_is_a_usage_error() {
    let words = stderr(&mut pourfect(&["show", "w3x4+2#7"]), 2);
    assert!(words.contains("is no id of a level"), "{words}");
}

#[test]
fn a_pack_is_listed_with_all_its_levels() {
    let pack = small_pack();
    let (_folder, path) = folder(&pack);
    let list = stdout(&mut pourfect(&["show", &path]));
    assert_eq!(list.lines().count(), pack.levels.len() + 1);
    assert!(pack.levels.iter().all(|level| list.contains(&level.id)));
    let words = stderr(&mut pourfect(&["show", &path, "99"]), 1);
    assert!(words.contains("no level 99 among its 11"), "{words}");
}

#[test]
fn a_level_is_shown_with_letters_and_its_solution_down_to_the_end() {
    let pack = small_pack();
    let level = &pack.levels[0];
    let (_folder, path) = folder(&pack);
    let shown = stdout(&mut pourfect(&["show", &path, "0"]));
    assert!(shown.contains(&level.level.to_string()) && !shown.contains('\u{1b}'));
    let mut solved = level.level.clone();
    level.solution.iter().for_each(|&action| solved.play(action).unwrap());
    assert!(shown.trim_end().ends_with(&solved.to_string()));
}

#[test]
fn colors_follow_the_environment() {
    let shown = |variable: &str| {
        stdout(pourfect(&["show", "w3x4+2.max.g2#42/7"]).env(variable, "1")).contains('\u{1b}')
    };
    assert!(shown("CLICOLOR_FORCE") && !shown("NO_COLOR"));
}

#[test]
fn a_picture_is_written() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("level.svg");
    pourfect(&["show", "w3x4+2.max.g2#42/7", "--svg"]).arg(&file).assert().success();
    assert!(std::fs::read_to_string(file).unwrap().starts_with("<svg"));
}

#[test]
fn a_level_is_played_from_piped_input() {
    let pack = small_pack();
    let (_folder, path) = folder(&pack);
    let solution = &pack.levels[0].solution;
    let mut lines = format!("h\n{}\nu\n9>9\nnonsense\nr\n", solution[0]);
    for (number, action) in solution.iter().enumerate() {
        let (source, target) = (action.source.0, action.target.0);
        let between = if number % 2 == 0 { '>' } else { ' ' };
        lines += &format!("{source}{between}{target}\n");
    }
    let played = stdout(pourfect(&["play", &path, "0"]).write_stdin(lines));
    let moves = solution.len();
    assert!(played.contains(&format!("from here {moves} moves at best")));
    assert!(played.contains("move 9>9 is not legal"));
    assert!(played.contains("u undoes"));
    assert!(played.trim_end().ends_with(&format!("solved in {moves} moves: the optimum")));
}

#[test]
fn a_dead_end_is_said_when_a_hint_is_asked_for() {
    let pack = pack_of("name = 'narrow'\n[[stretches]]\ncolors = 4\nempty = 1\nlevels = 8", 1);
    let (_folder, path) = folder(&pack);
    let said = pack.levels.iter().any(|level| {
        level.level.legal_moves().iter().any(|action| {
            let lines = format!("{action}\nh\nq\n");
            let index = level.index.to_string();
            let played = stdout(pourfect(&["play", &path, &index]).write_stdin(lines));
            played.contains("dead end")
        })
    });
    assert!(said, "some first move is fatal");
}
