//! The pack's JSON schema is the committed one, holds for packs of every puzzle, and packs of every
//! older schema version are read.

mod support;

use std::fs;

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
fn completions_and_man_pages_are_printed() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(output(&["completions", shell]).contains("generate"), "{shell}");
    }
    assert!(output(&["man"]).contains(".TH pourfect"));
    assert!(output(&["man", "generate"]).contains("resume"));
}
