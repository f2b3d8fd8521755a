//! Mutated files: every reader gives an error or an answer that it reads again as the same; none
//! panics. `POURFECT_MUTATIONS` says how many inputs in all, for longer runs.

mod support;

use std::fs;

use assert_cmd::Command;
use pourfect::config::{self, Settings};
use pourfect::convert::{self, Options, Zero};
use pourfect::pack::Pack;
use pourfect::pipeline::{self, Job, Silent};
use pourfect::random::{Stream, StreamId};
use pourfect::read;
use support::data;

const DEFAULT_MUTATIONS: u64 = 6_000;

/// Pieces that parsers stumble over.
const PIECES: [&str; 28] = [
    "\u{feff}",
    "\0",
    "\r\n",
    "\r",
    "\n\n",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "{",
    "}",
    "[",
    "]",
    "[[[[[[[[[[[[[[[[",
    ",",
    ":",
    "|",
    ";",
    "-1",
    "0",
    "18446744073709551616",
    "1e999",
    "NaN",
    "null",
    "=",
    "[[stretches]]",
    "é",
    "\u{202e}",
];

struct Reader {
    name: &'static str,
    seeds: Vec<String>,
    /// Reads, and reads what it wrote of it: `Err` says how the two differ.
    check: Box<Check>,
}

type Check = dyn Fn(&str) -> Result<(), String>;

fn format(name: &'static str, options: Options, seeds: &[&str]) -> Reader {
    let check = move |text: &str| {
        let format = convert::format(name).unwrap();
        let Ok(file) = format.read(text, &options) else { return Ok(()) };
        let lines = convert::format("jsonl").unwrap();
        let mut out = Vec::new();
        lines.write(&file, &options, &mut out).map_err(|error| error.to_string())?;
        let text = String::from_utf8(out).map_err(|error| error.to_string())?;
        let again = lines.read(&text, &Options::default()).map_err(|error| error.to_string())?;
        let same = file.entries.iter().map(|e| &e.level).eq(again.entries.iter().map(|e| &e.level));
        if same { Ok(()) } else { Err(format!("{file:?} against {again:?}")) }
    };
    let seeds = seeds.iter().map(|&seed| seed.to_owned()).collect();
    Reader { name, seeds, check: Box::new(check) }
}

fn settings() -> Reader {
    let check = |text: &str| {
        let Ok((settings, _)) = config::read(text, &Default::default()) else { return Ok(()) };
        let json = serde_json::to_string(&settings).map_err(|error| error.to_string())?;
        let again: Settings = read::json(&json).map_err(|error| error.to_string())?;
        if again == settings { Ok(()) } else { Err(format!("{settings:?} against {again:?}")) }
    };
    let seeds =
        vec![include_str!("../configs/classic.toml").to_owned(),
        "name = 'a'\nseed = \"7\"\n[[stretches]]\nlevels = 5\ncandidates = 3\ncolors = [4, 6]\n\
         target = { from = 20, to = 60 }\n".to_owned()];
    Reader { name: "settings", seeds, check: Box::new(check) }
}

fn packs() -> Reader {
    let check = |text: &str| {
        let Ok(pack) = read::json::<Pack>(text) else { return Ok(()) };
        let json = serde_json::to_string(&pack).map_err(|error| error.to_string())?;
        let again: Pack = read::json(&json).map_err(|error| error.to_string())?;
        if again == pack { Ok(()) } else { Err(format!("{pack:?} against {again:?}")) }
    };
    let toml = "name = 'a'\n[[stretches]]\nlevels = 2\ncolors = 3";
    let (settings, _) = config::read(toml, &Default::default()).unwrap();
    let edits = Default::default();
    let job = Job { settings: &settings, seed: 1, edits: &edits, known: Default::default() };
    let pack = pipeline::generate(job, &Silent).unwrap();
    let seeds = vec![serde_json::to_string(&pack).unwrap()];
    Reader { name: "pack", seeds, check: Box::new(check) }
}

fn readers() -> Vec<Reader> {
    let zero = |zero| Options { zero: Some(zero), ..Options::default() };
    let rules = [("capacity".to_owned(), 4.into())].into_iter().collect();
    let four = Options { rules, ..Options::default() };
    let cases = fs::read_to_string(data("cases.jsonl")).unwrap();
    let cases: Vec<&str> = cases.lines().collect();
    let arrays = ["[[0,1,0,1],[1,0,1,0],[],[]]", "[[[1,2,1,0],[2,1,2,0],[0,0,0,0]],[[1,1],[]]]"];
    let unity = r#"{"levels":[{"id":"a","pour":"max","bottles":[{"capacity":4,
        "colorsBottomToTop":[0,1,0,1]},{"capacity":4,"colorsBottomToTop":[1,0,1,0],
        "hiddenLayerIndexes":[],"isLocked":false},{"capacity":4,"colorsBottomToTop":[]}]}]}"#;
    vec![
        format("text", Options::default(), &["ABAB|BABA||", "AB\nBA\n-\n\nCDCD\nDCDC\n----\n"]),
        format("semicolons", Options::default(), &["ABAB;BABA;;\nAB;BA;\n"]),
        format("jsonl", Options::default(), &cases),
        format("arrays", zero(Zero::Color), &arrays),
        format("arrays", zero(Zero::Empty), &arrays),
        format("names", Options::default(), &[r#"[["red","blue"],["blue","red"],[]]"#]),
        format("grid", four, &["[1,2,1,2,2,1,2,1,0,0,0,0]", "[[1,1,1,1],[0,0,0,0]]"]),
        format("unity", zero(Zero::Color), &[unity]),
        settings(),
        packs(),
    ]
}

/// One to eight changes: bytes flipped, cut, doubled or moved, and pieces put in.
fn mutated(seed: &str, random: &mut Stream) -> Vec<u8> {
    let mut bytes = seed.as_bytes().to_vec();
    for _ in 0..=random.below(8) {
        let place = random.below(bytes.len() as u32 + 1) as usize;
        let end = bytes.len().min(place + 1 + random.below(12) as usize);
        match random.below(6) {
            0 if place < bytes.len() => bytes[place] ^= 1 << random.below(8),
            1 => drop(bytes.drain(place..end)),
            2 => {
                let part = bytes[place..end].repeat(1 + random.below(40) as usize);
                bytes.splice(place..place, part);
            }
            3 => {
                let part: Vec<u8> = bytes.drain(place..end).collect();
                let place = random.below(bytes.len() as u32 + 1) as usize;
                bytes.splice(place..place, part);
            }
            4 => bytes.truncate(place.max(1)),
            _ => {
                let piece = PIECES[random.below(PIECES.len() as u32) as usize];
                bytes.splice(place..place, piece.bytes());
            }
        }
    }
    bytes
}

#[test]
fn mutated_files_are_an_error_or_an_answer_that_reads_back() {
    let total =
        std::env::var("POURFECT_MUTATIONS").map_or(DEFAULT_MUTATIONS, |n| n.parse().unwrap());
    let readers = readers();
    let mut answers = vec![0_u64; readers.len()];
    for number in 0..total {
        let mut random = Stream::new(StreamId { seed: 7, index: number, attempt: 0 }, 1);
        let place = (number % readers.len() as u64) as usize;
        let Reader { name, seeds, check } = &readers[place];
        let bytes = mutated(&seeds[random.below(seeds.len() as u32) as usize], &mut random);
        let Ok(text) = read::text(&bytes[..]) else { continue };
        if let Err(difference) = check(&text) {
            panic!("{name}, input {number}: {text:?}: {difference}");
        }
        answers[place] += 1;
    }
    assert!(answers.iter().all(|&count| count > total / 20), "{answers:?}");
}

#[test]
fn the_unchanged_files_are_read() {
    let zero = Options { zero: Some(Zero::Color), ..Options::default() };
    for reader in readers() {
        for seed in &reader.seeds {
            (reader.check)(seed).unwrap();
        }
    }
    assert!(convert::format("arrays").unwrap().read("[[0,0],[]]", &zero).is_ok());
}

fn rate(bytes: &[u8]) -> (Option<i32>, String, usize) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pourfect"));
    let out = command.args(["rate", "--quiet", "-"]).write_stdin(bytes).output().unwrap();
    let rows = String::from_utf8(out.stdout).unwrap().lines().count().saturating_sub(1);
    (out.status.code(), String::from_utf8(out.stderr).unwrap(), rows)
}

#[test]
fn rate_names_bad_lines_and_rates_the_others() {
    let good = r#"{"id":"a","capacity":4,"tubes":["ABAB","BABA","",""]}"#;
    let mut input = format!("\u{feff}{good}\r\n").into_bytes();
    input.extend(b"{\"tubes\": \"\xFF\"}\n");
    input.extend(vec![b'['; 2_000_000]);
    input.extend(b"\n{\"capacity\":4,\"capacity\":5,\"tubes\":[]}\n");
    input.extend(b"{\"capacity\":1e99,\"tubes\":[]}\n\0\n");
    input.extend("[".repeat(5_000).bytes());
    input.extend(format!("\n{good}").bytes());
    let (code, words, rows) = rate(&input);
    assert_eq!((code, rows), (Some(1), 2), "{words}");
    for fault in [
        "-: line 2 is not UTF-8 from byte 12 on",
        "-: line 3 is longer than 1048576 bytes",
        "-:4: field `capacity` occurs twice",
        "-:5: ",
        "-:6: ",
        "-:7: recursion limit exceeded",
    ] {
        assert!(words.contains(fault), "{fault} in {words}");
    }
}
