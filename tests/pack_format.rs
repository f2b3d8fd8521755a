//! The pack's JSON schema is the committed one, holds for packs of every puzzle, and packs of every
//! older schema version are read.

mod support;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use jsonschema::Validator;
use pourfect::pack::{Pack, SCHEMA_VERSION};
use serde_json::Value;
use support::{data, small_pack};

fn output(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_pourfect")).args(args).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(&Pack::schema()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn the_schema_is_the_committed_one() {
    let committed = fs::read_to_string(data("pack.schema.json")).unwrap();
    let printed = output(&["schema"]);
    assert!(printed == committed, "after a change: pourfect schema > tests/data/pack.schema.json");
}

#[test]
fn packs_of_every_puzzle_satisfy_the_schema_and_faulty_ones_do_not() {
    let validator = validator();
    let pack = serde_json::to_value(small_pack()).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(&pack)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
    for (place, value) in [
        ("/seed", Value::from(42)),
        ("/levels/0/puzzle", "chess".into()),
        ("/levels/0/pour", "queue".into()),
        ("/levels/0/tubes", Value::from(vec![0, 1])),
        ("/levels/0/optimalLength", Value::Null),
        ("/levels/0/solution/0", "1-2".into()),
        ("/settings/stretches/0/levels", "two".into()),
    ] {
        let mut faulty = pack.clone();
        *faulty.pointer_mut(place).unwrap() = value;
        assert!(!validator.is_valid(&faulty), "{place}");
    }
}

#[test]
fn an_early_pack_of_version_1_whose_settings_say_less_is_read() {
    let pack = Pack::read(&fs::read(data("pack.v1.early.json")).unwrap()[..]).unwrap();
    assert!(!pack.levels.is_empty());
    assert_eq!(pack.settings.rating(), pourfect::rate::Options::default());
}

/// Every schema version has its file here for ever.
#[test]
fn packs_of_every_schema_version_are_read() {
    for version in 1..=SCHEMA_VERSION {
        let file = data(&format!("pack.v{version}.json"));
        let text = fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let pack = Pack::read(&text[..]).unwrap();
        assert_eq!(pack.schema_version, version);
        assert!(!pack.levels.is_empty());
    }
    let text = fs::read_to_string(data(&format!("pack.v{SCHEMA_VERSION}.json"))).unwrap();
    let now = format!("\"schemaVersion\": {SCHEMA_VERSION}");
    let newer = text.replacen(&now, "\"schemaVersion\": 4000000000", 1);
    assert_eq!(
        Pack::read(newer.as_bytes()).unwrap_err().to_string(),
        format!(
            "schema version 4000000000 is newer than this program, which reads up to {SCHEMA_VERSION}"
        )
    );
}

#[test]
fn a_newer_pack_is_named_whatever_else_is_new_in_it() {
    let lines = r#"{"pack":{"schemaVersion":7,"mood":"new"},"count":1}"#;
    let object = "{\n \"schemaVersion\": 7,\n \"levels\": \"elsewhere\"\n}";
    for text in [lines, object] {
        let error = Pack::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("schema version 7 is newer"), "{error}");
    }
}

#[test]
fn a_pack_of_settings_that_cannot_be_is_refused() {
    let text = fs::read_to_string(data("pack.v1.json")).unwrap();
    let broken = text.replacen("\"max_states\": 5000000", "\"max_states\": 0", 1);
    assert_ne!(text, broken);
    let error = Pack::read(broken.as_bytes()).unwrap_err().to_string();
    assert_eq!(error, "its settings: max_states = 0: it must be at least 1");
}

#[test]
fn a_pack_of_another_generator_version_is_replayed_and_solved_again() {
    let file = data("pack.v1.json");
    let verify = |file: &Path| {
        let out = Command::new(env!("CARGO_BIN_EXE_pourfect")).arg("verify").arg(file).output();
        let out = out.unwrap();
        assert_eq!(out.status.code(), Some(3));
        String::from_utf8(out.stdout).unwrap()
    };
    let words = verify(&file);
    assert_eq!(words.lines().count(), 1, "{words}");
    assert!(words.contains("cannot derive it again"), "{words}");
    let mut pack: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let length = pack["levels"][0]["optimalLength"].as_u64().unwrap();
    pack["levels"][0]["optimalLength"] = (length + 1).into();
    pack["levels"][1] = pack["levels"][0].clone();
    let changed = tempfile::NamedTempFile::new().unwrap();
    fs::write(changed.path(), pack.to_string()).unwrap();
    let words = verify(changed.path());
    let best = format!("optimal length is {}, but it is solved in {length} moves", length + 1);
    for fault in [&best, "level 0: its solution has", "level 1: is the same level as level 0"] {
        assert!(words.contains(fault), "{fault}: {words}");
    }
}

#[test]
fn completions_and_man_pages_are_printed() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(output(&["completions", shell]).contains("generate"), "{shell}");
    }
    assert!(output(&["man"]).contains(".TH pourfect"));
    assert!(output(&["man", "generate"]).contains("resume"));
}
