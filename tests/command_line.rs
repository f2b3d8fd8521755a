//! The program as its users run it.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use support::data;
use tempfile::TempDir;

fn pourfect() -> Command {
    Command::new(env!("CARGO_BIN_EXE_pourfect"))
}

fn temp() -> TempDir {
    TempDir::new().unwrap()
}

/// Generates into a folder below `root`; returns the folder.
fn generate(root: &TempDir, name: &str, flags: &[&str]) -> PathBuf {
    let folder = root.path().join(name);
    pourfect().args(["generate", "--quiet", "--out"]).arg(&folder).args(flags).assert().success();
    folder
}

fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn levels(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("pack.json")).unwrap();
    let pack: Value = serde_json::from_str(&text).unwrap();
    pack["levels"].as_array().unwrap().clone()
}

fn stderr(command: &mut Command) -> String {
    String::from_utf8(command.output().unwrap().stderr).unwrap()
}

#[test]
fn generate_without_a_word_makes_the_classic_pack_under_output() {
    let root = temp();
    pourfect().current_dir(&root).arg("generate").assert().success();
    let folder = root.path().join("output/classic");
    assert_eq!(levels(&folder).len(), 100);
    let report = fs::read_to_string(folder.join("report.csv")).unwrap();
    assert_eq!(report.lines().count(), 101);
}

#[test]
fn the_bytes_are_the_same_with_any_number_of_threads() {
    let root = temp();
    let packs = ["1", "2", "8"]
        .map(|threads| bytes(&generate(&root, threads, &["--seed", "7", "--threads", threads])));
    assert_eq!(packs[0], packs[1]);
    assert_eq!(packs[0], packs[2]);
}

#[test]
fn with_a_size_fewer_levels_are_a_prefix_of_more() {
    let root = temp();
    let size = ["--seed", "5", "--colors", "3", "--capacity", "3", "--empty", "1"];
    let few = levels(&generate(&root, "few", &[&size[..], &["--count", "20"]].concat()));
    let many = levels(&generate(&root, "many", &[&size[..], &["--count", "40"]].concat()));
    assert_eq!((few.len(), many.len()), (20, 40));
    // So small a size has few levels: some were drawn again as duplicates.
    assert!(many.iter().any(|level| level["attempt"].as_u64() > Some(0)));
    assert_eq!(few, many[..20]);
}

#[test]
fn a_second_run_is_up_to_date_and_other_settings_need_force() {
    let root = temp();
    let folder = generate(&root, "pack", &["--count", "3", "--seed", "1"]);
    let run = |flags: &[&str]| {
        let mut command = pourfect();
        command.arg("generate").arg("--out").arg(&folder).args(flags);
        command
    };
    let again = stderr(&mut run(&["--count", "3", "--seed", "1"]));
    assert!(again.contains("up to date"), "{again}");
    run(&["--count", "3", "--seed", "2"]).assert().code(1);
    assert!(stderr(&mut run(&["--count", "3", "--seed", "2"])).contains("--force"));
    run(&["--count", "3", "--seed", "2", "--force"]).assert().success();
    fs::write(folder.join("report.csv"), "changed").unwrap();
    run(&["--count", "3", "--seed", "2"]).assert().success();
    assert!(fs::read_to_string(folder.join("report.csv")).unwrap().starts_with("id,"));
}

#[test]
fn help_and_dry_runs_write_nothing() {
    let root = temp();
    for flags in [&["--help"][..], &["generate", "--help"], &["generate", "--dry-run"]] {
        pourfect().current_dir(&root).args(flags).assert().success();
    }
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}

#[test]
fn without_any_seed_one_is_drawn_shown_and_stored() {
    let root = temp();
    let config = root.path().join("unseeded.toml");
    fs::write(&config, "name = 'x'\n[[stretches]]\nlevels = 1\ncolors = 3\n").unwrap();
    let folder = root.path().join("pack");
    let mut command = pourfect();
    command.arg("generate").arg("--config").arg(&config).arg("--out").arg(&folder);
    let words = stderr(&mut command);
    let seed = words.lines().find_map(|line| line.strip_prefix("seed ")).unwrap().to_owned();
    assert!(seed.len() <= 15);
    let text = fs::read_to_string(folder.join("pack.json")).unwrap();
    assert!(text.contains(&format!("\"seed\": \"{seed}\"")));
}

#[test]
fn flags_that_make_no_sense_are_refused_by_name() {
    let root = temp();
    let refused = [
        ("--count", "0"),
        ("--colors", "63"),
        ("--colors", "0"),
        ("--capacity", "1"),
        ("--capacity", "17"),
        ("--empty", "64"),
        ("--threads", "0"),
        ("--threads", "100000"),
        ("--max-states", "0"),
        ("--plays", "0"),
        ("--plays", "1000001"),
        ("--pour", "queue"),
        ("--method", "magic"),
        ("--algorithm", "dfs"),
        ("--seed", "-1"),
        ("--sede", "1"),
    ];
    for (flag, value) in refused {
        let mut command = pourfect();
        command.current_dir(&root).args(["generate", &format!("{flag}={value}")]);
        let words = stderr(&mut command);
        command.assert().code(2);
        assert!(words.contains(flag), "{flag}: {words}");
    }
    let twice = ["generate", "--seed", "1", "--seed", "2"];
    pourfect().current_dir(&root).args(twice).assert().code(2);
    let tubes = ["generate", "--colors", "40", "--empty", "30"];
    pourfect().current_dir(&root).args(tubes).assert().code(2);
    assert_eq!(fs::read_dir(&root).unwrap().count(), 0);
}

#[test]
fn settings_that_cannot_be_met_end_with_a_message() {
    let root = temp();
    let mut command = pourfect();
    // One color makes only solved levels.
    command.args(["generate", "--colors", "1", "--count", "2", "--out"]).arg(root.path().join("x"));
    let words = stderr(&mut command);
    command.assert().code(1);
    assert!(words.contains("w1x4+2.max") && words.contains("100000 attempts"), "{words}");
}

fn solve(input: &str, flags: &[&str]) -> (i32, Value) {
    let output = pourfect()
        .args(["solve", "-", "--format", "json"])
        .args(flags)
        .write_stdin(input)
        .output()
        .unwrap();
    let answer = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), answer)
}

#[test]
fn solve_answers_with_verdict_and_exit_code() {
    let (code, answer) = solve("RGRG|GRGR||", &["--capacity", "4"]);
    assert_eq!(
        (code, &answer["verdict"], &answer["optimal_length"]),
        (0, &"solved".into(), &7.into())
    );
    assert_eq!(answer["moves"].as_array().unwrap().len(), 7);
    let (code, answer) = solve("ABBA|ABBA|", &[]);
    assert_eq!(
        (code, &answer["verdict"], &answer["optimal_length"]),
        (3, &"unsolvable".into(), &Value::Null)
    );
    let case = support::cases("cases.jsonl").swap_remove(0);
    let json = serde_json::to_string(&case.level).unwrap();
    let (code, answer) = solve(&json, &["--max-states", "10", "--algorithm", "astar"]);
    assert_eq!((code, &answer["verdict"]), (4, &"unknown".into()));
    assert!(answer["lower_bound"].as_u64().unwrap() <= 37);
    assert!(answer["states_stored"].as_u64().unwrap() <= 10);
}

#[test]
fn every_engine_and_bound_can_be_asked_for() {
    for algorithm in ["auto", "astar", "idastar", "bfs"] {
        for bound in ["blocks", "bottoms"] {
            let flags = ["--algorithm", algorithm, "--bound", bound];
            let (code, answer) = solve("ABAC|CBBA|CACB||", &flags);
            assert_eq!((code, &answer["optimal_length"]), (0, &9.into()), "{algorithm} {bound}");
        }
    }
}

#[test]
fn a_level_is_text_lines_json_or_part_of_a_pack() {
    let (_, bars) = solve("ABAB|BABA||", &[]);
    let (_, lines) = solve("ABAB\nBABA\n\n-\n-\n", &[]);
    let (_, json) = solve(r#"{"capacity":4,"tubes":[[0,1,0,1],"BABA",[],""]}"#, &[]);
    assert_eq!(bars["moves"], lines["moves"]);
    assert_eq!(bars["moves"], json["moves"]);
    let root = temp();
    let folder = generate(&root, "pack", &["--count", "3", "--seed", "1"]);
    let output = pourfect().arg("solve").arg(&folder).args(["--index", "2"]).output().unwrap();
    assert!(output.status.success());
    pourfect().arg("solve").arg(&folder).args(["--index", "3"]).assert().code(2);
    pourfect().arg("solve").arg(&folder).assert().code(2);
}

#[test]
fn solve_prints_every_position_on_the_way() {
    // Its first pour is forced.
    let output = pourfect().arg("solve").write_stdin("AB|B|A").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = ["AB|B|A", "1   0>1  A|BB|A", "2   0>2  |BB|AA", "solved in 2 moves"];
    for line in expected {
        assert!(text.contains(line), "{line} in {text}");
    }
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("capacity 2"), "{words}");
}

#[test]
fn malformed_levels_are_refused_with_their_reason() {
    let text = fs::read_to_string(data("malformed.jsonl")).unwrap();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let capacity = record["capacity"].to_string();
        let mut command = pourfect();
        command.args(["solve", "-", "--capacity", &capacity]);
        if let Some(pour) = record["pour"].as_str() {
            command.args(["--pour", pour]);
        }
        let output = command.write_stdin(record["text"].as_str().unwrap()).output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        let (code, mentions) = match record["id"].as_str().unwrap() {
            "floating-units" => (1, vec!["tube 0", "hole"]),
            "counts-do-not-fit" => {
                let of = ["A with 2", "B with 3", "C with 1", "D with 1", "E with 1"];
                (1, of.to_vec())
            }
            "over-capacity" => (1, vec!["tube 0 holds 5", "capacity 4"]),
            "unknown-rule" => (2, vec!["queue", "max, whole, unit"]),
            "hidden-unit" => (1, vec!["tube 0", "hidden"]),
            "too-few-tubes" => (3, vec![]),
            other => panic!("no expectation for {other}"),
        };
        assert_eq!(output.status.code(), Some(code), "{record} {words}");
        for mention in mentions {
            assert!(words.contains(mention), "{record} {words}");
        }
    }
}

fn report(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

#[test]
fn rate_reports_every_published_level_as_it_is_known() {
    let output = pourfect().arg("rate").arg(data("public.jsonl")).output().unwrap();
    assert!(output.status.success());
    let rows = report(&String::from_utf8(output.stdout).unwrap());
    let cases = support::cases("public.jsonl");
    assert_eq!(rows.len(), cases.len());
    for (row, case) in rows.iter().zip(cases) {
        assert_eq!(row["id"], case.id);
        let verdict = if case.verdict == "solvable" { "solved" } else { &case.verdict };
        assert_eq!(row["verdict"], verdict, "{}", case.id);
        let optimal = case.optimal.map_or(String::new(), |length| length.to_string());
        assert_eq!(row["optimal_length"], optimal, "{}", case.id);
    }
}

#[test]
fn rate_reports_bad_records_and_goes_on() {
    let lines = "{\"id\":\"=1+1\",\"capacity\":2,\"tubes\":[\"AB\",\"BA\",\"\"]}\n\
                 {\"id\":\"bad\",\"capacity\":2,\"tubes\":[\"ABA\",\"B\"]}\n\
                 no json\n\
                 {\"id\":\"dead\",\"capacity\":2,\"tubes\":[[0,1],[1,0]]}\n";
    let output = pourfect().args(["rate", "-"]).write_stdin(lines).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let rows = report(&String::from_utf8(output.stdout).unwrap());
    let seen: Vec<_> =
        rows.iter().map(|row| (row["id"].as_str(), row["verdict"].as_str())).collect();
    assert_eq!(seen, [("'=1+1", "solved"), ("dead", "unsolvable")]);
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("-:2: tube 0 holds 3"), "{words}");
    assert!(words.contains("-:3: "), "{words}");
}

#[test]
fn rate_gives_a_pack_the_figures_that_it_has() {
    let root = temp();
    let folder = generate(&root, "pack", &["--count", "5", "--seed", "3"]);
    let output = pourfect().arg("rate").arg(&folder).output().unwrap();
    let again = String::from_utf8(output.stdout).unwrap();
    assert_eq!(again, fs::read_to_string(folder.join("report.csv")).unwrap());
}

#[test]
fn verify_accepts_what_generate_made_and_finds_every_change() {
    let root = temp();
    for method in ["reverse", "fill"] {
        let flags = ["--colors", "5", "--count", "4", "--seed", "9", "--method", method];
        let folder = generate(&root, method, &flags);
        pourfect().arg("verify").arg(&folder).assert().success();
        let file = folder.join("pack.json");
        let text = fs::read_to_string(&file).unwrap();
        let pack: Value = serde_json::from_str(&text).unwrap();
        type Change = fn(&mut Value);
        let changes: [(&str, Change); 7] = [
            ("a tube", |pack| pack["levels"][1]["tubes"].as_array_mut().unwrap().swap(0, 1)),
            ("a move", |pack| pack["levels"][2]["solution"][0] = "0>1".into()),
            ("an optimum", |pack| pack["levels"][0]["optimalLength"] = 99.into()),
            ("the seed", |pack| pack["seed"] = "8".into()),
            ("a setting", |pack| pack["settings"]["stretches"][0]["empty"] = 1.into()),
            ("an id", |pack| pack["levels"][3]["id"] = "other".into()),
            ("a copy", |pack| pack["levels"][3] = pack["levels"][0].clone()),
        ];
        for (what, change) in changes {
            let mut changed = pack.clone();
            change(&mut changed);
            fs::write(&file, changed.to_string()).unwrap();
            let output = pourfect().arg("verify").arg(&file).output().unwrap();
            assert_eq!(output.status.code(), Some(3), "{method}: {what}");
        }
    }
}

#[test]
fn every_engine_proves_the_same_pack() {
    let root = temp();
    let packs = ["astar", "idastar", "bfs"].map(|algorithm| {
        let flags = ["--colors", "4", "--count", "5", "--seed", "2", "--algorithm", algorithm];
        levels(&generate(&root, algorithm, &flags))
    });
    assert_eq!(packs[0], packs[1]);
    assert_eq!(packs[0], packs[2]);
}

#[test]
fn bench_reports_every_run_of_every_level_file() {
    let root = temp();
    let table = root.path().join("bench.csv");
    let file = root.path().join("levels.jsonl");
    let lines: Vec<String> = support::cases("uniform.jsonl")
        .iter()
        .take(3)
        .map(|case| serde_json::to_string(&case.level).unwrap())
        .collect();
    fs::write(&file, lines.join("\n")).unwrap();
    let mut command = pourfect();
    command.args(["bench", "--quiet", "--levels"]).arg(&file).arg("--out").arg(&table);
    command.assert().success();
    let rows = report(&fs::read_to_string(&table).unwrap());
    assert!(rows.len() >= 4, "{rows:?}");
    assert!(rows.iter().any(|row| row.values().any(|cell| cell == "astar")));
}
