//! `pourfect rate`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pourfect::config::{self, Band};
use pourfect::convert::{self, Entry};
use pourfect::pack::{Header, PackLevel, PackLevels};
use pourfect::pipeline::Progress;
use pourfect::puzzle::{Fields, Level};
use pourfect::rate::{Options, rate};
use pourfect::read::{self, ReadError};
use pourfect::report::{Row, RowWriter, write_whole_or};
use pourfect::search::{Limits, Proof};
use rayon::prelude::*;

use super::console::Meter;
use super::depth::Depth;
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
    depth: Depth,
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
    target: Option<f64>,
    near: Option<u64>,
    level: Level,
}

impl Record {
    fn of_pack(level: PackLevel, seed: u64) -> Self {
        let PackLevel { id, index, target, near, level, .. } = level;
        Self { id, index: Some(index), seed: Some(seed), target, near, level }
    }
}

/// What levels are measured with.
struct Yardstick<'a> {
    options: Options,
    bands: &'a [Band],
}

/// Counts of what was done.
struct Tally {
    rated: u64,
    bad: u64,
    meter: Meter,
}

/// Records rated at a time: memory does not grow with the files.
const BATCH: usize = 1024;

pub fn run(args: Args) -> Result<Exit, CliError> {
    let meter = Meter::counting("levels", args.quiet);
    let mut tally = Tally { rated: 0, bad: 0, meter };
    match &args.out {
        None => rate_files(&args, &mut io::stdout().lock(), &mut tally)?,
        Some(path) => {
            write_whole_or(path, |out| rate_files(&args, out, &mut tally))?;
        }
    }
    tally.meter.finish();
    let bad = match tally.bad {
        0 => String::new(),
        bad => format!(", {bad} bad records left out"),
    };
    console::note(args.quiet, format_args!("{} levels rated{bad}", tally.rated));
    Ok(if tally.bad == 0 { Exit::Done } else { Exit::Failed })
}

fn rate_files(args: &Args, out: &mut dyn Write, tally: &mut Tally) -> Result<(), CliError> {
    let mut rows = RowWriter::new(out)?;
    let limits = Limits::states(args.max_states);
    for file in &args.files {
        match pack_in(file)? {
            Some(pack) => {
                let Header { settings, seed, .. } = pack.header().clone();
                // A pack is rated as it was made, where the flags do not say otherwise.
                let options = args.depth.of(Options { limits, ..settings.rating() })?;
                let yardstick = Yardstick { options, bands: &settings.bands };
                let records = pack.map(|level| {
                    let level = level.map_err(|error| CliError::input(file.display(), error))?;
                    Ok(Ok(Record::of_pack(level, seed)))
                });
                rate_records(args, records, &yardstick, &mut rows, tally)?;
            }
            None => {
                let options = args.depth.of(Options { limits, ..Options::default() })?;
                let yardstick = Yardstick { options, bands: &config::default_bands() };
                let records = records_in(file, args.rules.fields())?;
                rate_records(args, records, &yardstick, &mut rows, tally)?;
            }
        }
    }
    rows.finish()?;
    Ok(())
}

/// The pack of a folder, or of a file whose first line begins an object of several lines or with
/// `levels`.
fn pack_in(file: &Path) -> Result<Option<PackLevels<'static>>, CliError> {
    if file.is_dir() {
        return input::pack_levels(file).map(Some);
    }
    if file == Path::new("-") {
        return Ok(None);
    }
    let is_pack = match first_line(file)? {
        None => false,
        Some(line) => {
            let object = serde_json::from_str::<Fields>(&line);
            line.trim() == "{" || object.is_ok_and(|fields| fields.contains_key("levels"))
        }
    };
    if is_pack { input::pack_levels(file).map(Some) } else { Ok(None) }
}

/// The first line that is not blank; `None` without one that can be read.
fn first_line(file: &Path) -> Result<Option<String>, CliError> {
    let is_text = |line: &Result<(u64, String), ReadError>| {
        line.as_ref().map_or(true, |(_, line)| !line.trim().is_empty())
    };
    match read::Lines::new(input::open(file)?).find(is_text) {
        Some(Err(error @ ReadError::Source(_))) => Err(CliError::read(file, error)),
        Some(Ok((_, line))) => Ok(Some(line)),
        Some(Err(_)) | None => Ok(None),
    }
}

/// The records of a file; one that is bad is what is wrong with it.
fn records_in(
    file: &Path,
    rules: Fields,
) -> Result<impl Iterator<Item = Result<Result<Record, String>, CliError>>, CliError> {
    let lines = read::Lines::new(input::open(file)?);
    let is_blank = |line: &Result<(u64, String), ReadError>| {
        line.as_ref().is_ok_and(|(_, line)| line.trim().is_empty())
    };
    Ok(lines.filter(move |line| !is_blank(line)).map(move |line| match line {
        Err(error @ ReadError::Source(_)) => Err(CliError::read(file, error)),
        Err(error) => Ok(Err(format!("{}: {error}", file.display()))),
        Ok((number, line)) => Ok(record(&line, number, &rules)
            .map_err(|reason| format!("{}:{number}: {reason}", file.display()))),
    }))
}

fn rate_records<W: Write>(
    args: &Args,
    records: impl Iterator<Item = Result<Result<Record, String>, CliError>>,
    yardstick: &Yardstick<'_>,
    rows: &mut RowWriter<W>,
    tally: &mut Tally,
) -> Result<(), CliError> {
    let mut batch = Vec::new();
    for record in records {
        match record? {
            Ok(record) => batch.push(record),
            Err(fault) => {
                tally.bad += 1;
                anstream::eprintln!("{fault}");
            }
        }
        if batch.len() == BATCH {
            rate_batch(args, &batch, yardstick, rows, tally)?;
            batch.clear();
        }
    }
    rate_batch(args, &batch, yardstick, rows, tally)
}

/// Reads one line; rules that it does not say are the command line's. Without an `id` the line's
/// number is one.
fn record(line: &str, number: u64, rules: &Fields) -> Result<Record, String> {
    let Entry { id, level, .. } = convert::record(line, rules)?;
    let id = id.unwrap_or_else(|| number.to_string());
    Ok(Record { id, index: None, seed: None, target: None, near: None, level })
}

fn rate_batch<W: Write>(
    args: &Args,
    batch: &[Record],
    yardstick: &Yardstick<'_>,
    rows: &mut RowWriter<W>,
    tally: &mut Tally,
) -> Result<(), CliError> {
    let meter = &tally.meter;
    let rated: Vec<_> = console::with_threads(args.threads, || {
        let rate = |record: &Record| {
            let rated = rate(&record.level, &yardstick.options);
            meter.level_done();
            rated
        };
        batch.par_iter().map(rate).collect()
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
            band: rated
                .rating
                .as_ref()
                .map(|rating| config::band(yardstick.bands, rating.difficulty)),
            target: record.target,
            near: record.near,
            solution,
        })?;
        tally.rated += 1;
    }
    Ok(())
}
