//! What a designer does after the first run, on the command line.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn pourfect(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pourfect"));
    command.args(arguments);
    command
}

/// A pack of five levels below `root`.
fn pack(root: &TempDir, name: &str) -> PathBuf {
    let folder = root.path().join(name);
    let flags = ["--colors", "5", "--count", "5", "--seed", "4", "--quiet", "--out"];
    pourfect(&["generate"]).args(flags).arg(&folder).assert().success();
    folder
}

fn tubes(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("pack.json")).unwrap();
    let pack: Value = serde_json::from_str(&text).unwrap();
    pack["levels"].as_array().unwrap().iter().map(|level| level["tubes"].clone()).collect()
}

#[test]
fn an_edited_pack_differs_as_asked_and_verifies() {
    let root = TempDir::new().unwrap();
    let before = pack(&root, "before");
    let after = root.path().join("after");
    let edits = ["--reject", "1", "--pin", "3", "--quiet", "--out"];
    pourfect(&["edit"]).arg(&before).args(edits).arg(&after).assert().success();
    for (index, (old, new)) in tubes(&before).iter().zip(tubes(&after)).enumerate() {
        assert_eq!(*old == new, index != 1, "level {index}");
    }
    pourfect(&["verify", "--quiet"]).arg(&after).assert().success();
    let diff = pourfect(&["diff"]).arg(&before).arg(&after).output().unwrap();
    assert_eq!(diff.status.code(), Some(3));
    let words = String::from_utf8(diff.stdout).unwrap();
    assert!(words.contains("1 levels removed, 1 added, 0 moved"), "{words}");
    pourfect(&["diff"]).arg(&before).arg(&before).assert().success();
}

#[test]
fn a_pinned_level_moves_into_a_pack_of_other_settings() {
    let root = TempDir::new().unwrap();
    let before = pack(&root, "before");
    pourfect(&["edit", "--quiet", "--pin", "2", "--"]).arg(&before).assert().success();
    let after = root.path().join("after");
    let flags = ["--colors", "6", "--count", "4", "--seed", "9", "--quiet", "--edits"];
    let out = ["--out".as_ref(), after.as_os_str()];
    pourfect(&["generate"]).args(flags).arg(&before).args(out).assert().success();
    assert_eq!(tubes(&after).len(), 4);
    assert_eq!(tubes(&after)[2], tubes(&before)[2]);
}

#[test]
fn a_filter_needs_a_metric_that_exists() {
    let root = TempDir::new().unwrap();
    let folder = pack(&root, "pack");
    let edit = |filter: &str| {
        let mut command = pourfect(&["edit", "--quiet", "--filter", filter, "--"]);
        command.arg(&folder).assert()
    };
    edit("fun=1..2").code(2);
    edit("optimal_length=0..1000").success();
    assert_eq!(tubes(&folder).len(), 5);
    edit("optimal_length=1000..").success();
    assert_eq!(tubes(&folder).len(), 0);
}

#[test]
fn a_calibrated_model_rates_levels() {
    let root = TempDir::new().unwrap();
    let (telemetry, model) = (root.path().join("telemetry.jsonl"), root.path().join("model.toml"));
    let folder = root.path().join("pack");
    let flags = ["--colors", "7", "--count", "40", "--seed", "4", "--quiet", "--out"];
    pourfect(&["generate"]).args(flags).arg(&folder).assert().success();
    // Players who find longer levels harder.
    let text = fs::read_to_string(folder.join("pack.json")).unwrap();
    let pack: Value = serde_json::from_str(&text).unwrap();
    let lines = pack["levels"].as_array().unwrap().iter().map(|level| {
        let rate = 1.0 / (1.0 + level["optimalLength"].as_f64().unwrap() / 20.0);
        let tubes = &level["tubes"];
        format!(r#"{{"id":{},"capacity":4,"tubes":{tubes},"win_rate":{rate}}}"#, level["id"])
    });
    fs::write(&telemetry, lines.collect::<Vec<_>>().join("\n")).unwrap();
    pourfect(&["calibrate"]).arg(&telemetry).arg("--out").arg(&model).assert().success();
    let output = pourfect(&["rate", "--quiet"]).arg(&folder).arg("--model").arg(&model).output();
    let output = output.unwrap();
    assert!(output.status.success());
    let by_model = String::from_utf8(output.stdout).unwrap();
    assert_eq!(by_model.lines().count(), 41);
    assert_ne!(by_model, fs::read_to_string(folder.join("report.csv")).unwrap());
}
