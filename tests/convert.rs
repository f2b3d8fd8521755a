//! Levels survive the way into other games' formats and back; what does not is named.

mod support;

use std::fs;

use assert_cmd::Command;
use pourfect::convert::{self, ConvertError, Entry, File, Loss, Options, Zero, losses};
use pourfect::puzzle::Level;
use serde_json::{Value, json};
use support::cases;
use tempfile::TempDir;

fn written(format: &str, file: &File, options: &Options) -> String {
    let mut out = Vec::new();
    convert::format(format).unwrap().write(file, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn read(format: &str, text: &str, options: &Options) -> Result<File, ConvertError> {
    convert::format(format).unwrap().read(text, options)
}

fn fault(format: &str, text: &str, options: &Options) -> String {
    read(format, text, options).unwrap_err().to_string()
}

fn numbers(zero: Zero) -> Options {
    Options { zero: Some(zero), ..Options::default() }
}

fn capacity(capacity: u8) -> Options {
    let rules = [("capacity".to_owned(), capacity.into())].into_iter().collect();
    Options { rules, ..Options::default() }
}

/// Levels of one capacity, without ids or rules of their own.
fn plain_levels() -> File {
    let public = cases("public.jsonl").into_iter().map(|case| case.level);
    let plain = public.filter(|level| {
        let fields = level.fields();
        let is_high = level.stacks().iter().any(|tube| tube.len() == 4);
        is_high && fields["capacity"] == 4 && fields["pour"] == "max" && fields["goal"] == "sorted"
    });
    let entries: Vec<Entry> = plain.take(200).map(Entry::from).collect();
    assert_eq!(entries.len(), 200);
    File { entries, names: Vec::new() }
}

#[test]
fn plain_levels_come_back_from_every_format() {
    let mut file = plain_levels();
    file.names = "violet,indigo,blue,green,yellow,orange,red,black,white,gray,pink,tan,teal,gold,\
                  lime,rose,rust,sand,mint,plum"
        .split(',')
        .map(str::to_owned)
        .collect();
    let names = Options { names: file.names.clone(), ..Options::default() };
    let top_first = |options: Options| Options { top_first: true, ..options };
    for (format, options) in [
        ("text", Options::default()),
        ("semicolons", Options::default()),
        ("jsonl", Options::default()),
        ("arrays", numbers(Zero::Color)),
        ("arrays", numbers(Zero::Empty)),
        ("arrays", top_first(numbers(Zero::Color))),
        ("arrays", top_first(numbers(Zero::Empty))),
        ("names", names.clone()),
        ("names", top_first(names)),
        ("grid", capacity(4)),
        ("grid", top_first(capacity(4))),
    ] {
        let text = written(format, &file, &options);
        let back = read(format, &text, &options).unwrap();
        assert_eq!(back.entries, file.entries, "{format} {options:?}");
    }
}

#[test]
fn unity_and_json_lines_carry_id_and_rules() {
    let text = r#"{"id":"a","capacity":5,"pour":"unit","goal":"uniform","tubes":["AB","BA",""]}"#;
    let mut file = read("jsonl", text, &Options::default()).unwrap();
    assert_eq!(
        read("jsonl", &written("jsonl", &file, &Options::default()), &Options::default()).unwrap(),
        file
    );
    file.prove(&Default::default()).unwrap();
    for zero in [Zero::Color, Zero::Empty] {
        let text = written("unity", &file, &numbers(zero));
        let back = read("unity", &text, &numbers(zero)).unwrap();
        assert_eq!(back.entries[0].level, file.entries[0].level);
        assert_eq!(back.entries[0].id.as_deref(), Some("a"));
    }
}

#[test]
fn what_a_format_cannot_carry_is_named() {
    let text = r#"{"id":"a","capacity":5,"pour":"unit","goal":"uniform","tubes":["AB","BA",""]}"#;
    let file = read("jsonl", text, &Options::default()).unwrap();
    let lost = |format: &str, options: &Options| {
        losses(&file, convert::format(format).unwrap(), options).into_keys().collect::<Vec<_>>()
    };
    use Loss::{Capacity, Goal, Id, Pour};
    assert_eq!(lost("text", &Options::default()), [Id, Capacity, Pour, Goal]);
    assert_eq!(lost("arrays", &numbers(Zero::Color)), [Id, Capacity, Pour, Goal]);
    assert_eq!(lost("arrays", &numbers(Zero::Empty)), [Id, Pour, Goal]);
    assert_eq!(lost("jsonl", &Options::default()), []);
    assert_eq!(lost("unity", &Options::default()), []);
    let named = read("names", r#"[["red"],["red"],[]]"#, &capacity(2)).unwrap();
    let lost = losses(&named, convert::format("jsonl").unwrap(), &Options::default());
    assert_eq!(lost.into_iter().collect::<Vec<_>>(), [(Loss::Names, 1)]);
}

#[test]
fn zero_is_what_the_user_says_and_never_guessed() {
    let text = "[[0,1,0,1],[1,0,1,0],[]]";
    let level = |options| read("arrays", text, &options).unwrap().entries[0].level.to_string();
    assert_eq!(level(numbers(Zero::Color)), "ABAB|BABA|");
    assert!(fault("arrays", text, &Options::default()).contains("--zero"));
    let hole = fault("arrays", text, &numbers(Zero::Empty));
    assert_eq!(hole, "level 0, tube 0: there is a hole at height 0");
    let padded = read("arrays", "[[1,1,2,0],[2,0,0,0],[0,0,0,0]]", &numbers(Zero::Empty));
    assert!(padded.unwrap_err().to_string().starts_with("level 0: color A with 2 units"));
    let padded = read("arrays", "[[2,1,0],[2,1,0],[2,1,0]]", &numbers(Zero::Empty)).unwrap();
    assert_eq!(padded.entries[0].level.fields()["capacity"], 3);
}

#[test]
fn names_are_numbered_as_they_come_or_as_given() {
    let text = r#"[["red","blue"],["blue","red"],[]]"#;
    let file = read("names", text, &Options::default()).unwrap();
    assert_eq!(file.entries[0].level.to_string(), "AB|BA|");
    assert_eq!(file.names, ["red", "blue"]);
    let given = Options { names: vec!["blue".into(), "red".into()], ..Options::default() };
    let file = read("names", text, &given).unwrap();
    assert_eq!(file.entries[0].level.to_string(), "BA|AB|");
    let fewer = Options { names: vec!["blue".into()], ..Options::default() };
    assert!(fault("names", text, &fewer).contains("\"red\" is not among the given names"));
    let mut out = Vec::new();
    let error = convert::format("names").unwrap().write(&file, &fewer, &mut out).unwrap_err();
    assert!(error.to_string().starts_with("color B has no name"));
}

#[test]
fn what_no_level_of_ours_has_is_refused_with_its_place() {
    let unity = |bottle: &str| {
        let text = format!(
            r#"{{"levels":[{{"bottles":[{{"capacity":2,"colorsBottomToTop":[0,0]}},{bottle}]}}]}}"#
        );
        fault("unity", &text, &numbers(Zero::Color))
    };
    let hidden = r#"{"capacity":2,"colorsBottomToTop":[],"hiddenLayerIndexes":[0]}"#;
    assert_eq!(unity(hidden), "level 0: hidden units are not supported");
    let locked = r#"{"capacity":2,"colorsBottomToTop":[],"isLocked":true}"#;
    assert_eq!(unity(locked), "level 0: locked bottles are not supported");
    let larger = r#"{"capacity":3,"colorsBottomToTop":[]}"#;
    assert_eq!(unity(larger), "level 0: bottles of different capacities are not supported");
    let number = fault("arrays", "[[0,-1]]", &numbers(Zero::Color));
    assert_eq!(number, "level 0, tube 0: -1 is no color");
    let number = fault("arrays", "[[63]]", &numbers(Zero::Empty));
    assert_eq!(number, "level 0, tube 0: 63 is no color: they are 1 to 62");
    assert_eq!(
        fault("semicolons", "AB;BA;\nA?;;", &Options::default()).split(':').next(),
        Some("line 2")
    );
    assert!(fault("grid", "[1,2,1]", &capacity(2)).contains("3 units are no whole tubes of 2"));
    assert!(fault("grid", "[1,2]", &Options::default()).contains("--capacity"));
}

#[test]
fn lines_of_tubes_are_levels_parted_by_blank_lines() {
    let file = read("text", "AB\nBA\n-\n\n\nBA\nAB\n--\n", &Options::default()).unwrap();
    let levels: Vec<String> = file.entries.iter().map(|entry| entry.level.to_string()).collect();
    assert_eq!(levels, ["AB|BA|", "BA|AB|"]);
}

#[test]
fn engines_get_tubes_rules_par_and_stars() {
    let level = Level::water("ABAB|BABA||").unwrap();
    let mut file = File { entries: vec![level.into()], names: Vec::new() };
    file.prove(&Default::default()).unwrap();
    let optimum = file.entries[0].optimal_length.unwrap();
    assert_eq!(optimum, 7);
    let parsed = |format: &str| -> Value {
        serde_json::from_str(&written(format, &file, &Options::default())).unwrap()
    };
    let tubes = json!([[0, 1, 0, 1], [1, 0, 1, 0], [], []]);
    let phaser = json!({"id": "1", "capacity": 4, "pour": "max", "goal": "sorted", "par": 9,
        "threeStars": 8, "twoStars": 10, "tubes": tubes});
    assert_eq!(parsed("phaser"), json!({ "levels": [phaser] }));
    let godot = json!({"id": "1", "capacity": 4, "pour": "max", "goal": "sorted", "par": 9,
        "three_stars": 8, "two_stars": 10, "tubes": tubes});
    assert_eq!(parsed("godot"), json!({ "levels": [godot] }));
    assert_eq!(
        parsed("unity")["levels"][0]["bottles"][0],
        json!({"capacity": 4, "colorsBottomToTop": [0, 1, 0, 1]})
    );
}

/// Whether JsonUtility reads it: no list lies directly in a list, and the root is an object.
fn is_safe_for_unity(value: &Value) -> bool {
    match value {
        Value::Array(items) => {
            items.iter().all(|item| !item.is_array() && !item.is_null() && is_safe_for_unity(item))
        }
        Value::Object(fields) => fields.values().all(is_safe_for_unity),
        _ => true,
    }
}

#[test]
fn a_pack_becomes_a_file_for_unity_on_the_command_line() {
    let root = TempDir::new().unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pourfect"));
        command.current_dir(&root).args(args).output().unwrap()
    };
    assert!(
        run(&["generate", "--colors", "4", "--count", "3", "--seed", "1", "--out", "p"])
            .status
            .success()
    );
    let out = run(&["convert", "p", "levels.json", "--from", "pack", "--to", "unity"]);
    assert!(out.status.success(), "{out:?}");
    assert!(String::from_utf8(out.stderr).unwrap().contains("rating and solution (3 levels)"));
    let text = fs::read_to_string(root.path().join("levels.json")).unwrap();
    let unity: Value = serde_json::from_str(&text).unwrap();
    assert!(unity.is_object() && is_safe_for_unity(&unity));
    assert_eq!(unity["levels"].as_array().unwrap().len(), 3);
    let refused = run(&["convert", "p", "l.txt", "--from", "pack", "--to", "text", "--lossless"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(!root.path().join("l.txt").exists());
    let unsaid = run(&["convert", "levels.json", "-", "--from", "unity", "--to", "text"]);
    assert_eq!(unsaid.status.code(), Some(2));
    let text =
        run(&["convert", "levels.json", "-", "--from", "unity", "--to", "text", "--zero", "color"]);
    assert_eq!(String::from_utf8(text.stdout).unwrap().lines().count(), 3);
}
