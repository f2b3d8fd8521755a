//! Packs of cup stacking, through the same program as water.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const SIZE: [&str; 6] = ["--puzzle", "cups", "--cups", "8", "--columns", "4"];

fn pourfect(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pourfect"));
    command.args(arguments);
    command
}

/// Generates into a folder below `root`; returns the folder.
fn generate(root: &TempDir, name: &str, flags: &[&str]) -> PathBuf {
    let folder = root.path().join(name);
    let quick = ["--analysis", "none", "--plays", "1"];
    let mut command = pourfect(&["generate", "--quiet", "--out"]);
    command.arg(&folder).args(flags).args(quick).assert().success();
    folder
}

fn levels(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("pack.json")).unwrap();
    let pack: Value = serde_json::from_str(&text).unwrap();
    pack["levels"].as_array().unwrap().clone()
}

/// Exit code and words of a run with some input.
fn run(arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = pourfect(arguments).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_levels_of_a_seed_are_pinned() {
    let root = TempDir::new().unwrap();
    let folder = generate(&root, "pack", &[&SIZE[..], &["--seed", "1", "--count", "3"]].concat());
    let drawn: Vec<String> = levels(&folder)
        .iter()
        .map(|level| {
            let columns = level["columns"].as_array().unwrap().iter().map(|c| c.as_str().unwrap());
            let columns: Vec<&str> = columns.collect();
            format!(
                "{} {} {} {}",
                level["id"].as_str().unwrap(),
                columns.join("|"),
                level["optimalLength"],
                level["nodesExpanded"]
            )
        })
        .collect();
    assert_eq!(
        drawn,
        [
            "c8x4.g2#1/0 5|6|3,1,2,4|7,8 12 12",
            "c8x4.g2#1/1 6|5,3,4,2|7,8,1| 11 11",
            "c8x4.g2#1/2 2,5,7|4|8,6,1|3 12 12"
        ]
    );
}

#[test]
fn the_bytes_are_the_same_with_any_number_of_threads() {
    let root = TempDir::new().unwrap();
    let pack = |threads: &str| {
        let flags = [&SIZE[..], &["--seed", "2", "--count", "100", "--threads", threads]].concat();
        let folder = generate(&root, threads, &flags);
        ["pack.json", "report.csv"].map(|file| fs::read(folder.join(file)).unwrap())
    };
    assert_eq!(pack("1"), pack("4"));
}

#[test]
fn fewer_levels_are_a_prefix_of_more() {
    let root = TempDir::new().unwrap();
    let size = ["--puzzle", "cups", "--cups", "3", "--columns", "3", "--seed", "5"];
    let few = levels(&generate(&root, "few", &[&size[..], &["--count", "10"]].concat()));
    let many = levels(&generate(&root, "many", &[&size[..], &["--count", "20"]].concat()));
    // So small a size has few levels: some were drawn again as duplicates.
    assert!(many.iter().any(|level| level["attempt"].as_u64() > Some(0)));
    assert_eq!(few, many[..10]);
}

#[test]
fn verify_accepts_what_generate_made_and_finds_every_change() {
    let root = TempDir::new().unwrap();
    for method in ["reverse", "fill"] {
        let flags = [&SIZE[..], &["--count", "4", "--seed", "9", "--method", method]].concat();
        let folder = generate(&root, method, &flags);
        pourfect(&["verify"]).arg(&folder).assert().success();
        let file = folder.join("pack.json");
        let pack: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let changes: [fn(&mut Value); 4] = [
            |pack| pack["levels"][1]["columns"].as_array_mut().unwrap().swap(0, 1),
            |pack| pack["levels"][2]["solution"][0] = "0>0".into(),
            |pack| pack["levels"][0]["optimalLength"] = 99.into(),
            |pack| pack["seed"] = "8".into(),
        ];
        for change in changes {
            let mut changed = pack.clone();
            change(&mut changed);
            fs::write(&file, changed.to_string()).unwrap();
            pourfect(&["verify"]).arg(&file).assert().code(3);
        }
    }
}

#[test]
fn every_engine_proves_the_same_pack() {
    let root = TempDir::new().unwrap();
    let [astar, others @ ..] = ["astar", "idastar", "bfs", "bidirectional"].map(|algorithm| {
        let flags = [&SIZE[..], &["--count", "4", "--algorithm", algorithm, "--seed", "3"]];
        levels(&generate(&root, algorithm, &flags.concat()))
    });
    for other in others {
        assert_eq!(other, astar);
    }
}

#[test]
fn goals_and_height_limits_come_from_flags() {
    let root = TempDir::new().unwrap();
    let goal = ["--height", "3", "--goal", "1,2,3|4,5,6|7,8|", "--count", "3", "--seed", "4"];
    let folder = generate(&root, "pack", &[&SIZE[..], &goal].concat());
    for level in levels(&folder) {
        assert_eq!(level["goal"], Value::from(vec!["1,2,3", "4,5,6", "7,8", ""]));
        assert_eq!(level["height"], 3);
        let columns = level["columns"].as_array().unwrap();
        assert!(columns.iter().all(|column| column.as_str().unwrap().split(',').count() <= 3));
    }
    let (code, report, _) = run(&["rate", folder.to_str().unwrap()], "");
    assert_eq!((code, report), (0, fs::read_to_string(folder.join("report.csv")).unwrap()));
}

#[test]
fn the_pack_of_cups_has_fifty_levels_of_rising_length() {
    let root = TempDir::new().unwrap();
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/cups.toml");
    let levels = levels(&generate(&root, "cups", &["--config", config]));
    assert_eq!(levels.len(), 50);
    let lengths: Vec<u64> =
        levels.iter().map(|level| level["optimalLength"].as_u64().unwrap()).collect();
    let means: Vec<u64> = lengths.chunks(10).map(|tenth| tenth.iter().sum()).collect();
    assert!(means.is_sorted(), "{means:?}");
}

#[test]
fn solve_reads_cups_as_text_and_as_json() {
    let flags = ["solve", "--puzzle", "cups", "--goal", "1,2,3,4||", "--format", "json"];
    let json = r#"{"puzzle":"cups","columns":["1,2",[3],"4"],"goal":"1,2,3,4||"}"#;
    for (flags, input) in
        [(&flags[..], "1,2|3|4"), (&flags, "1,2\n3\n4\n"), (&["solve", "--format", "json"], json)]
    {
        let (code, answer, words) = run(flags, input);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((code, &answer["optimal_length"]), (0, &2.into()), "{input}");
        assert_eq!(answer["moves"], serde_json::json!([[1, 0], [2, 0]]));
        assert_eq!(words, "");
    }
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let solve = |flags: &[&str], input| {
        let (code, _, words) = run(&[&["solve", "--puzzle", "cups"], flags].concat(), input);
        assert_eq!(code, 1, "{words}");
        words
    };
    assert!(solve(&[], "1,2|4").contains("no cup 3"));
    assert!(solve(&[], "1,2|2").contains("cup 2 a second time"));
    assert!(solve(&["--goal", "1,2|"], "1,2|3").contains("cup 3 in column 1: cups are 1 to 2"));
    assert!(solve(&["--height", "2"], "1,2|3").contains("the goal has 3 cups in column 0"));
    assert!(solve(&["--height", "2", "--goal", "1,2|3"], "1,2,3|").contains("the position has 3"));
    let full = ["solve", "--puzzle", "cups", "--height", "2", "--goal", "1,2|3,4"];
    assert_eq!(run(&full, "2,1|3,4").0, 3);
    let generate = |flags: &[&str]| {
        let root = TempDir::new().unwrap();
        let mut command = pourfect(&["generate", "--puzzle", "cups", "--cups", "6", "--out"]);
        command.arg(root.path().join("pack")).args(flags);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(generate(&["--columns", "3", "--height", "2"]).contains("no cup can move"));
    assert!(generate(&["--columns", "3", "--height", "4"]).contains("over the height limit 4"));
    assert!(generate(&["--goal", "1,2,3|4,5,5||"]).contains("cup 5 a second time"));
    assert!(generate(&["--colors", "6"]).contains("colors"));
}
