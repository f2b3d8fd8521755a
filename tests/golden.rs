//! The bytes of packs are a promise.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn generate(config: &str, out: &Path, flags: &[&str]) {
    Command::new(env!("CARGO_BIN_EXE_pourfect"))
        .args(["generate", "--quiet", "--config"])
        .arg(root().join("configs").join(config))
        .args(flags)
        .arg("--out")
        .arg(out)
        .assert()
        .success();
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_sample_pack_is_made_again_byte_by_byte_with_one_and_with_eight_threads() {
    let sample = root().join("output/sample");
    for threads in ["1", "8"] {
        let made = TempDir::new().unwrap();
        generate("sample.toml", made.path(), &["--threads", threads]);
        assert_eq!(files(made.path()), files(&sample));
        for name in files(&sample) {
            let (made, kept) = (made.path().join(&name), sample.join(&name));
            // Not assert_eq: the files are long.
            assert!(fs::read(made).unwrap() == fs::read(kept).unwrap(), "{name} differs");
        }
    }
}

#[test]
fn every_settings_file_that_ships_makes_a_pack_without_being_changed() {
    for entry in fs::read_dir(root().join("configs")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "toml")
            && text.contains("[[stretches]]")
        {
            let out = TempDir::new().unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            generate(name, out.path(), &["--analysis", "none", "--plays", "1"]);
            let report = fs::read_to_string(out.path().join("report.csv")).unwrap();
            assert!(report.lines().count() > 1, "{}", path.display());
        }
    }
}
