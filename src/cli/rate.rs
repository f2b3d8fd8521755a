//! `pourfect rate`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use pourfect::config::{self, Band};
use pourfect::puzzle::{Fields, Level};
use pourfect::rate::rate;
use pourfect::report::{Row, RowWriter, write_whole};
use pourfect::search::{Limits, Proof};
use rayon::prelude::*;
use serde_json::Value;

use super::generate::{positive, threads};
use super::input::{self, Rules};
use super::{CliError, Exit, console};

#[derive(clap::Args)]
pub struct Args {
    /// Packs, or files of JSON lines with `id`, `capacity`, `tubes` and perhaps `pour`; `-` is
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The report; without it standard output
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,
    /// Threads; without it one per core
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// States that a search may store
    #[arg(long, value_name = "N", value_parser = positive, default_value_t = Limits::DEFAULT_STATES)]
    max_states: usize,
    #[command(flatten)]
    rules: Rules,
    /// No words but errors
    #[arg(long)]
    quiet: bool,
}

/// A level to be rated.
struct Record {
    id: String,
    index: Option<u64>,
    seed: Option<u64>,
    level: Level,
}

/// Counts of what was done.
#[derive(Default)]
struct Tally {
    rated: u64,
    bad: u64,
}

/// Records rated at a time: memory does not grow with the files.
const BATCH: usize = 1024;

pub fn run(args: Args) -> Result<Exit, CliError> {
    let mut tally = Tally::default();
    match &args.out {
        None => rate_files(&args, &mut io::stdout().lock(), &mut tally)?,
        Some(path) => {
            let mut failure = None;
            write_whole(path, |out| {
                rate_files(&args, out, &mut tally).map_err(|error| match error {
                    CliError::Output(error) => error,
                    other => {
                        failure = Some(other);
                        io::Error::other("nothing was written")
                    }
                })
            })
            .map_err(|error| failure.unwrap_or(error.into()))?;
        }
    }
    let bad = match tally.bad {
        0 => String::new(),
        bad => format!(", {bad} bad records left out"),
    };
    console::note(args.quiet, format_args!("{} levels rated{bad}", tally.rated));
    Ok(if tally.bad == 0 { Exit::Done } else { Exit::Failed })
}

fn rate_files(args: &Args, out: &mut dyn Write, tally: &mut Tally) -> Result<(), CliError> {
    let mut rows = RowWriter::new(out)?;
    let bands = config::default_bands();
    for file in &args.files {
        match pack_in(file)? {
            Some(pack) => {
                let record = |level: pourfect::pack::PackLevel| Record {
                    id: level.id,
                    index: Some(level.index),
                    seed: Some(pack.seed),
                    level: level.level,
                };
                let records: Vec<Record> = pack.levels.into_iter().map(record).collect();
                rate_batch(args, &records, &pack.settings.bands, &mut rows, tally)?;
            }
            None => rate_lines(args, file, &bands, &mut rows, tally)?,
        }
    }
    rows.finish()?;
    Ok(())
}

/// The pack of a folder, or of a file that holds one object over several lines or with `levels`.
fn pack_in(file: &Path) -> Result<Option<pourfect::pack::Pack>, CliError> {
    if file.is_dir() {
        return input::pack(file).map(Some);
    }
    if file == Path::new("-") {
        return Ok(None);
    }
    let reader = BufReader::new(File::open(file).map_err(|error| CliError::read(file, error))?);
    let first =
        reader.lines().find(|line| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
    let is_pack = match first {
        None => false,
        Some(line) => {
            let line = line.map_err(|error| CliError::read(file, error))?;
            let object = serde_json::from_str::<Fields>(&line);
            line.trim() == "{" || object.is_ok_and(|fields| fields.contains_key("levels"))
        }
    };
    if is_pack { input::pack(file).map(Some) } else { Ok(None) }
}

fn rate_lines<W: Write>(
    args: &Args,
    file: &Path,
    bands: &[Band],
    rows: &mut RowWriter<W>,
    tally: &mut Tally,
) -> Result<(), CliError> {
    let reader: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).map_err(|error| CliError::read(file, error))?))
    };
    let mut batch = Vec::new();
    for (number, line) in reader.lines().enumerate() {
        let line = line.map_err(|error| CliError::read(file, error))?;
        if line.trim().is_empty() {
            continue;
        }
        match record(&line, number + 1, &args.rules.fields()) {
            Ok(record) => batch.push(record),
            Err(reason) => {
                tally.bad += 1;
                anstream::eprintln!("{}:{}: {reason}", file.display(), number + 1);
            }
        }
        if batch.len() == BATCH {
            rate_batch(args, &batch, bands, rows, tally)?;
            batch.clear();
        }
    }
    rate_batch(args, &batch, bands, rows, tally)
}

/// Reads one line; rules that it does not say are the command line's. Without an `id` the line's
/// number is one.
fn record(line: &str, number: usize, rules: &Fields) -> Result<Record, String> {
    let mut fields: Fields = serde_json::from_str(line).map_err(|error| error.to_string())?;
    for (name, rule) in rules {
        fields.entry(name).or_insert_with(|| rule.clone());
    }
    let id = match fields.get("id") {
        None => number.to_string(),
        Some(Value::String(id)) => id.clone(),
        Some(other) => other.to_string(),
    };
    let level = serde_json::from_value(fields.into()).map_err(|error| error.to_string())?;
    Ok(Record { id, index: None, seed: None, level })
}

fn rate_batch<W: Write>(
    args: &Args,
    batch: &[Record],
    bands: &[Band],
    rows: &mut RowWriter<W>,
    tally: &mut Tally,
) -> Result<(), CliError> {
    let limits = Limits::states(args.max_states);
    let rated: Vec<_> = console::with_threads(args.threads, || {
        batch.par_iter().map(|record| rate(&record.level, &limits)).collect()
    })?;
    for (record, rated) in batch.iter().zip(rated) {
        let solution = match &rated.proof {
            Proof::Solved(moves) => Some(&moves[..]),
            Proof::Unsolvable | Proof::Unknown { .. } => None,
        };
        rows.write(&Row {
            id: &record.id,
            index: record.index,
            seed: record.seed,
            level: &record.level,
            verdict: rated.proof.name(),
            nodes_expanded: rated.stats.expanded,
            rating: rated.rating.as_ref(),
            band: rated.rating.as_ref().map(|rating| config::band(bands, rating.difficulty)),
            target: None,
            near: None,
            solution,
        })?;
        tally.rated += 1;
    }
    Ok(())
}
