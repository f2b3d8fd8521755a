//! Runs that are cut off, resumed, divided and joined end in the bytes of an unbroken run.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use pourfect::config;
use pourfect::pack::Pack;
use pourfect::pipeline::{self, GenerateError, Job, Progress};
use pourfect::random::{Stream, StreamId};
use support::files;
use tempfile::TempDir;

fn pourfect(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pourfect"));
    command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn output(args: &[&str]) -> Output {
    pourfect(args).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Arguments of a run into a folder.
fn generate<'a>(folder: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    // What is tested here does not depend on how far levels are rated.
    let mut args = vec!["generate", "--seed", "5", "--analysis", "none", "--plays", "1"];
    args.extend(["--out", text(folder)]);
    args.extend(more);
    args
}

fn assert_done(args: &[&str]) {
    let out = output(args);
    let words = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{args:?}: {words}");
}

/// A run that takes about a second, in two threads.
const SLOW: [&str; 6] = ["--colors", "6", "--count", "3000", "--threads", "2"];

/// Waits until the folder holds a checkpoint of at least so many bytes.
fn wait_for_checkpoint(folder: &Path, bytes: u64) {
    let file = folder.join("checkpoint.jsonl");
    let begin = Instant::now();
    while fs::metadata(&file).map_or(0, |data| data.len()) < bytes {
        assert!(begin.elapsed() < Duration::from_secs(60), "no checkpoint grows");
        sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_run_killed_at_twenty_random_moments_ends_in_the_same_bytes() {
    let root = TempDir::new().unwrap();
    let (whole, killed) = (root.path().join("whole"), root.path().join("killed"));
    let begin = Instant::now();
    assert_done(&generate(&whole, &SLOW));
    let whole_time = begin.elapsed().as_millis() as u32;
    let mut args = generate(&killed, &SLOW);
    args.push("--resume");
    let mut random = Stream::new(StreamId { seed: 20, index: 0, attempt: 0 }, 1);
    let mut kills = 0;
    while kills < 20 {
        let mut child = pourfect(&args).spawn().unwrap();
        sleep(Duration::from_millis(random.below(whole_time / 8 + 2).into()));
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        if !killed.join("checkpoint.jsonl").exists() && killed.join("manifest.json").exists() {
            // It was done before; the other moments are those of a new run.
            assert!(files(&killed) == files(&whole), "the packs differ");
            fs::remove_dir_all(&killed).unwrap();
        }
    }
    assert_done(&args);
    // Not assert_eq: the files are long.
    assert!(files(&killed) == files(&whole), "the packs differ");
}

#[test]
fn resume_begins_where_there_is_nothing_and_ends_where_all_is_done() {
    let root = TempDir::new().unwrap();
    let folder = root.path().join("pack");
    let mut args = generate(&folder, &["--colors", "4", "--count", "5"]);
    args.push("--resume");
    fs::create_dir(&folder).unwrap();
    assert_done(&args);
    let first = files(&folder);
    let again = output(&args);
    assert!(again.status.success());
    assert!(String::from_utf8(again.stderr).unwrap().contains("up to date"));
    assert_eq!(files(&folder), first);
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_says_so_exits_with_130_and_leaves_a_run_to_resume() {
    let root = TempDir::new().unwrap();
    let (whole, stopped) = (root.path().join("whole"), root.path().join("stopped"));
    assert_done(&generate(&whole, &SLOW));
    let args = generate(&stopped, &SLOW);
    let child = pourfect(&args).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_checkpoint(&stopped, 20_000);
    interrupt(&child);
    let out = child.wait_with_output().unwrap();
    let words = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(130), "{words}");
    assert!(words.contains("stopping when the levels in flight are done"), "{words}");
    assert!(words.contains("--resume goes on"), "{words}");
    let refused = output(&args);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("--resume goes on with it"));
    let other = output(&generate(&stopped, &["--colors", "5", "--count", "5", "--resume"]));
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8(other.stderr).unwrap().contains("other settings"));
    let resumed = generate(&stopped, &[&SLOW[..], &["--resume"]].concat());
    assert_done(&resumed);
    assert_eq!(files(&stopped), files(&whole));
}

#[test]
fn a_checkpoint_cut_or_damaged_anywhere_is_made_whole_again() {
    let root = TempDir::new().unwrap();
    let (whole, cut) = (root.path().join("whole"), root.path().join("cut"));
    let size = ["--colors", "4", "--count", "150"];
    assert_done(&generate(&whole, &size));
    let shard = root.path().join("shard");
    assert_done(&generate(&shard, &[&size[..], &["--shard", "0/1"]].concat()));
    let candidates = fs::read_to_string(shard.join("candidates.jsonl")).unwrap();
    // A shard's file is the checkpoint of a shard: turn it into one that is not done.
    let mut random = Stream::new(StreamId { seed: 3, index: 0, attempt: 0 }, 1);
    for round in 0..12 {
        let _ = fs::remove_dir_all(&cut);
        fs::create_dir(&cut).unwrap();
        let mut bytes = candidates.clone().into_bytes();
        let place = random.below(bytes.len() as u32) as usize;
        match round % 3 {
            0 => bytes.truncate(place),
            // What a power cut may leave of the last block.
            1 => bytes[place..].fill(0),
            _ => bytes[place] ^= 1,
        }
        fs::write(cut.join("checkpoint.jsonl"), &bytes).unwrap();
        let resume = generate(&cut, &[&size[..], &["--shard", "0/1", "--resume"]].concat());
        assert_done(&resume);
        assert_eq!(files(&cut), files(&shard), "round {round}, byte {place}");
    }
}

fn shards(root: &Path, size: &[&str], of: u64) -> Vec<PathBuf> {
    let draw = |number: u64| {
        let folder = root.join(format!("shard-{number}-of-{of}"));
        let shard = format!("{number}/{of}");
        assert_done(&generate(&folder, &[size, &["--shard", &shard]].concat()));
        folder
    };
    (0..of).map(draw).collect()
}

fn merge<'a>(parts: &'a [PathBuf], out: &'a Path) -> Vec<&'a str> {
    let mut args = vec!["merge", "--out", text(out)];
    args.extend(parts.iter().map(|part| text(part)));
    args
}

#[test]
fn shards_in_any_order_merge_into_the_pack_of_one_machine() {
    // Small levels, so that many candidates are duplicates of those of other shards.
    for size in [&["--colors", "3", "--capacity", "3", "--count", "14"][..], &["--count", "40"]] {
        let root = TempDir::new().unwrap();
        let (one, merged) = (root.path().join("one"), root.path().join("merged"));
        assert_done(&generate(&one, size));
        let mut parts = shards(root.path(), size, 3);
        parts.reverse();
        assert_done(&merge(&parts, &merged));
        assert_eq!(files(&merged), files(&one));
    }
}

#[test]
fn what_is_drawn_again_is_the_same_with_any_number_of_threads() {
    let root = TempDir::new().unwrap();
    // Hundreds of these levels are duplicates at first, within a batch and across batches.
    let made = ["1", "2", "5"].map(|threads| {
        let folder = root.path().join(threads);
        let size = ["--colors", "4", "--count", "900", "--threads", threads];
        assert_done(&generate(&folder, &size));
        files(&folder)
    });
    assert!(made[0] == made[1] && made[0] == made[2], "the packs differ");
    let (_, json) = made[0].iter().find(|(name, _)| name == "pack.json").unwrap();
    let pack = Pack::read(&json[..]).unwrap();
    assert!(pack.levels.iter().filter(|level| level.attempt > 0).count() > 100);
}

#[test]
fn merge_refuses_parts_that_make_no_whole() {
    let root = TempDir::new().unwrap();
    let out = root.path().join("out");
    let size = ["--colors", "4", "--count", "9"];
    let three = shards(root.path(), &size, 3);
    let two = shards(root.path(), &size, 2);
    let other = root.path().join("other");
    let shard = ["--colors", "4", "--count", "10", "--shard", "2/3"];
    assert_done(&generate(&other, &shard));
    let refused = |parts: &[PathBuf]| {
        let refused = output(&merge(parts, &out));
        assert_eq!(refused.status.code(), Some(1));
        assert!(!out.exists());
        String::from_utf8(refused.stderr).unwrap()
    };
    let part = |number: usize| three[number].clone();
    assert!(refused(&three[..2]).contains("shard 2/3 is missing"));
    assert!(refused(&[part(0), part(1), part(1)]).contains("are both shard 1/3"));
    assert!(refused(&[part(0), part(1), other]).contains("a part of another run"));
    assert!(refused(&[part(0), two[1].clone()]).contains("is shard 1/2"));
    let file = part(1).join("candidates.jsonl");
    let mut bytes = fs::read(&file).unwrap();
    bytes.pop();
    fs::write(&file, bytes).unwrap();
    assert!(refused(&three).contains("candidates.jsonl was changed"));
}

#[test]
fn a_pack_in_lines_is_read_by_every_command() {
    let root = TempDir::new().unwrap();
    let (object, lines) = (root.path().join("object"), root.path().join("lines"));
    let size = ["--colors", "4", "--count", "6"];
    assert_done(&generate(&object, &size));
    assert_done(&generate(&lines, &[&size[..], &["--lines-above", "5"]].concat()));
    assert!(lines.join("pack.jsonl").exists() && !lines.join("pack.json").exists());
    let of = |args: &[&str]| {
        let out = output(args);
        assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
        out.stdout
    };
    let file = lines.join("pack.jsonl");
    assert_done(&["verify", text(&lines), text(&file)]);
    for pack in [&lines, &file] {
        assert_eq!(of(&["rate", text(pack)]), of(&["rate", text(&object)]));
        let diff = String::from_utf8(of(&["diff", text(&object), text(pack)])).unwrap();
        assert!(diff.ends_with("0 rated otherwise, 6 the same\n"), "{diff}");
        let solve = |pack: &Path| of(&["solve", text(pack), "--index", "3"]);
        assert_eq!(solve(pack), solve(&object));
        let convert =
            |pack: &Path| of(&["convert", text(pack), "-", "--from", "pack", "--to", "jsonl"]);
        assert_eq!(convert(pack), convert(&object));
    }
    let content = fs::read_to_string(&file).unwrap();
    let cut = root.path().join("cut.jsonl");
    fs::write(&cut, content.lines().take(5).collect::<Vec<_>>().join("\n")).unwrap();
    let refused = output(&["verify", text(&cut)]);
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(words.contains("it has 4 levels, and says 6: it is not whole"), "{words}");
}

#[test]
fn a_pack_that_is_never_in_memory_is_the_one_that_memory_makes() {
    let root = TempDir::new().unwrap();
    let (memory, long) = (root.path().join("memory"), root.path().join("long"));
    let size = ["--colors", "5", "--count", "10001"];
    assert_done(&generate(&long, &["--colors", "5", "--count", "3"]));
    assert!(long.join("report.html").exists() && long.join("pack.json").exists());
    for (folder, more) in [(&memory, &["--force"][..]), (&long, &["--lines-above", "0", "--force"])]
    {
        let out = output(&generate(folder, &[&size[..], more].concat()));
        let words = [out.stdout, out.stderr].concat();
        assert!(String::from_utf8(words).unwrap().contains("and get no report.html"));
        assert!(!folder.join("report.html").exists());
    }
    assert!(!long.join("pack.json").exists());
    let table = |folder: &Path| fs::read(folder.join("report.csv")).unwrap();
    assert!(table(&memory) == table(&long));
    let diff = output(&["diff", text(&memory), text(&long)]);
    let diff = String::from_utf8(diff.stdout).unwrap();
    assert!(diff.ends_with("0 rated otherwise, 10001 the same\n"), "{diff}");
    let edited = output(&["edit", text(&long), "--reject", "3"]);
    assert_eq!(edited.status.code(), Some(2));
    assert!(String::from_utf8(edited.stderr).unwrap().contains("cannot be edited"));
    verified_level_by_level(&long);
    let curve = root.path().join("curve.toml");
    let toml = "name = 'a'\n[[stretches]]\nlevels = 10001\ncolors = 6\norder = 'rising'\n";
    fs::write(&curve, toml).unwrap();
    let refused = output(&generate(&memory, &["--config", text(&curve), "--lines-above", "0"]));
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("need all in memory"));
}

/// A long pack verifies; one of which a level was changed does not, and the level is named.
fn verified_level_by_level(folder: &Path) {
    assert_done(&["verify", text(folder)]);
    let file = folder.join("pack.jsonl");
    let content = fs::read_to_string(&file).unwrap();
    let changed = content.replacen("\"index\":7,\"candidate\":7", "\"index\":7,\"candidate\":8", 1);
    fs::write(&file, changed).unwrap();
    let out = output(&["verify", text(folder)]);
    assert_eq!(out.status.code(), Some(3));
    let words = String::from_utf8(out.stdout).unwrap();
    assert!(words.contains("level 7: candidate is 8, its settings and seed make 7"), "{words}");
    assert!(words.contains("level 7: its stream draws another level"), "{words}");
    assert!(words.contains("manifest.json is missing or not the pack's"), "{words}");
    assert!(!words.contains("level 8:"), "{words}");
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_stops_at_once() {
    let root = TempDir::new().unwrap();
    let folder = root.path().join("slow");
    // Levels whose plays take long.
    let slow = ["generate", "--colors", "24", "--count", "4", "--plays", "1000000", "--out"];
    let mut child = pourfect(&[&slow[..], &[text(&folder)]].concat()).spawn().unwrap();
    wait_for_checkpoint(&folder, 100);
    // By then the first levels are in flight.
    sleep(Duration::from_millis(500));
    interrupt(&child);
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it waits for the levels in flight");
    interrupt(&child);
    let begin = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(20));
}

/// Panics at one of the calls.
struct Panicking(AtomicU64);

impl Progress for Panicking {
    fn level_done(&self) {
        assert_ne!(self.0.fetch_add(1, Ordering::Relaxed), 5, "the sixth call fails");
    }
}

#[test]
fn a_panic_in_one_level_is_an_error_that_names_it() {
    let toml = "name = 'a'\n[[stretches]]\nlevels = 20\ncolors = 4";
    let (settings, _) = config::read(toml, &Default::default()).unwrap();
    let edits = Default::default();
    let job = Job { settings: &settings, seed: 1, edits: &edits, known: Default::default() };
    let error = pipeline::generate(job, &Panicking(AtomicU64::new(0))).unwrap_err();
    let GenerateError::Panic { reason, .. } = error else { panic!("{error}") };
    assert!(reason.contains("the sixth call fails"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let root = TempDir::new().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "in the way").unwrap();
    let refused = output(&generate(&file.join("pack"), &["--colors", "4", "--count", "2"]));
    assert_eq!(refused.status.code(), Some(1));
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(words.contains("cannot write") && words.contains("file/pack"), "{words}");
}
