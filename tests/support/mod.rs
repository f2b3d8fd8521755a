//! What several tests share: the levels under `tests/data`, with their proven answers.

#![allow(dead_code, reason = "every test file uses some of it")]

pub mod browser;
pub mod enumerate;
pub mod positions;

use std::path::PathBuf;

use pourfect::config::{self, Overrides};
use pourfect::pack::Pack;
use pourfect::pipeline::{self, Job, Silent};
use pourfect::puzzle::Level;
use pourfect::report::{HtmlReport, Report};
use serde::Deserialize;

/// A level with its proven answer.
#[derive(Deserialize)]
pub struct Case {
    pub id: String,
    #[serde(flatten)]
    pub level: Level,
    pub verdict: String,
    pub optimal: Option<u32>,
}

/// The path of a file under `tests/data`.
pub fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The cases of a file of JSON lines under `tests/data`.
pub fn cases(name: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(data(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A pack of small levels under every rule.
pub fn small_pack() -> Pack {
    let toml = "name = 'small'\n[defaults]\nlevels = 2\n\
                [[stretches]]\ncolors = 4\n\
                [[stretches]]\ncolors = 4\npour = 'whole'\n\
                [[stretches]]\ncolors = 4\npour = 'unit'\nlevels = 3\n\
                [[stretches]]\ncolors = 4\nempty = 1\n\
                [[stretches]]\npuzzle = 'cups'\ncups = 6\ncolumns = 4\nheight = 6";
    pack_of(toml, 42)
}

/// The pack of some settings and a seed.
pub fn pack_of(toml: &str, seed: u64) -> Pack {
    let (settings, _) = config::read(toml, &Overrides::default()).unwrap();
    let (edits, known) = Default::default();
    let job = Job { settings: &settings, seed, edits: &edits, known };
    pipeline::generate(job, &Silent).unwrap()
}

/// The page of a pack.
pub fn page(pack: &Pack) -> String {
    let mut page = Vec::new();
    HtmlReport.write(pack, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

/// The files of a folder with their bytes, by name.
pub fn files(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let entry = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(entry).collect();
    files.sort();
    files
}
