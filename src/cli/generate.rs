//! `pourfect generate`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use pourfect::config::{self, Overrides, Settings};
use pourfect::generate::Method;
use pourfect::pack::{Generator, Pack};
use pourfect::pipeline;
use pourfect::puzzle::Fields;
use pourfect::random::fresh_seed;
use pourfect::report::{self, REPORTS};
use pourfect::search::Algorithm;

use super::console::{self, Meter};
use super::{CliError, Exit, input};

/// The settings of a run without a file.
const EMBEDDED: &str = include_str!("../../configs/classic.toml");

#[derive(clap::Args)]
pub struct Args {
    /// Settings file; without one the embedded classic pack
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Seed; without one the file's, or a fresh one
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Levels in all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=config::MAX_LEVELS as i64))]
    count: Option<u32>,
    /// Colors; like --capacity and --empty replaces all stretches by one size
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=62))]
    colors: Option<u8>,
    /// Units that a tube holds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=16))]
    capacity: Option<u8>,
    /// Empty tubes at the start
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=63))]
    empty: Option<u8>,
    /// Pour rule in every stretch: max, whole or unit
    #[arg(long, value_name = "RULE")]
    pour: Option<pourfect::puzzle::water::PourRule>,
    /// How levels are drawn in every stretch: reverse or fill
    #[arg(long, value_name = "METHOD")]
    method: Option<Method>,
    /// Engine that proves every level: astar, idastar or bfs
    #[arg(long, value_name = "NAME")]
    algorithm: Option<Algorithm>,
    /// States that a search may store
    #[arg(long, value_name = "N", value_parser = positive)]
    max_states: Option<usize>,
    /// Threads; without it one per core. Changes the time, never the levels
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// The pack's own folder; without it output/NAME
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace a pack of other settings
    #[arg(long)]
    force: bool,
    /// No words but errors
    #[arg(long)]
    quiet: bool,
    /// Show the effective settings and an estimate of the time, write nothing
    #[arg(long)]
    dry_run: bool,
}

/// A number of at least 1.
pub fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("it must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
    }
}

/// A number of threads that a machine can have.
pub fn threads(text: &str) -> Result<usize, String> {
    match positive(text)? {
        number @ 1..=1024 => Ok(number),
        number => Err(format!("{number} is more than 1024")),
    }
}

impl Args {
    fn overrides(&self) -> Overrides {
        let mut size = Fields::new();
        for (name, value) in
            [("colors", self.colors), ("capacity", self.capacity), ("empty", self.empty)]
        {
            size.extend(value.map(|value| (name.to_owned(), value.into())));
        }
        let mut every_stretch = Fields::new();
        every_stretch.extend(self.pour.map(|pour| ("pour".to_owned(), pour.name().into())));
        every_stretch.extend(self.method.map(|method| ("method".to_owned(), method.name().into())));
        Overrides {
            seed: self.seed,
            count: self.count,
            algorithm: self.algorithm,
            max_states: self.max_states,
            puzzle: None,
            size,
            every_stretch,
        }
    }

    fn settings(&self) -> Result<(Settings, Option<u64>), CliError> {
        let overrides = self.overrides();
        match &self.config {
            Some(path) => config::read(&input::text(path)?, &overrides)
                .map_err(|source| CliError::Config { path: path.clone(), source }),
            None => config::read(EMBEDDED, &overrides).map_err(CliError::Settings),
        }
    }
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    let (settings, seed) = args.settings()?;
    if args.dry_run {
        return dry_run(&args, &settings, seed);
    }
    let folder = args.out.clone().unwrap_or_else(|| Path::new("output").join(&settings.name));
    let seed = match seed {
        Some(seed) => seed,
        None => {
            let seed = fresh_seed();
            console::note(args.quiet, format_args!("seed {seed}"));
            seed
        }
    };
    if !args.force && is_up_to_date(&folder, &settings, seed)? {
        console::note(args.quiet, format_args!("{} is up to date", folder.display()));
        return Ok(Exit::Done);
    }
    let meter = Meter::new("levels", settings.levels(), args.quiet);
    let pack = console::with_threads(args.threads, || pipeline::generate(&settings, seed, &meter))?;
    meter.finish();
    let pack = pack?;
    report::write_pack(&pack, &folder)?;
    if !args.quiet {
        print_summary(&pack)?;
        console::note(false, format_args!("{} levels in {}", pack.levels.len(), folder.display()));
    }
    Ok(Exit::Done)
}

/// Whether the folder holds this very pack; an error if it holds another one.
fn is_up_to_date(folder: &Path, settings: &Settings, seed: u64) -> Result<bool, CliError> {
    let file = input::pack_file(folder);
    if !file.exists() {
        return Ok(false);
    }
    let refuse = |reason: String| {
        CliError::Refused(format!("{}: {reason}; --force replaces it", folder.display()))
    };
    let pack = input::pack(folder).map_err(|error| refuse(format!("no pack of ours ({error})")))?;
    if pack.generator != Generator::current() {
        return Err(refuse("holds a pack of another version of this program".to_owned()));
    }
    if pack.settings != *settings || pack.seed != seed {
        return Err(refuse("holds a pack of other settings or another seed".to_owned()));
    }
    // A file that is gone or was changed is written again.
    let same = |report: &&dyn report::Report| {
        let mut content = Vec::new();
        report.write(&pack, &mut content).is_ok()
            && fs::read(folder.join(report.file_name())).is_ok_and(|bytes| bytes == content)
    };
    Ok(REPORTS.iter().all(same))
}

/// Candidates per stretch that an estimate draws.
const SAMPLE: u32 = 3;

fn dry_run(args: &Args, settings: &Settings, seed: Option<u64>) -> Result<Exit, CliError> {
    let text = toml::to_string(settings)
        .map_err(|error| CliError::Refused(format!("the settings are no TOML: {error}")))?;
    let seed_line =
        seed.map_or("# no seed: one will be drawn".to_owned(), |s| format!("seed = \"{s}\""));
    writeln!(io::stdout(), "{seed_line}\n{text}")?;
    let mut seconds = 0.0;
    for stretch in &settings.stretches {
        let levels = stretch.levels.min(SAMPLE);
        let sample = config::Stretch { levels, ..stretch.clone() };
        let sample = Settings { stretches: vec![sample], ..settings.clone() };
        let begin = Instant::now();
        console::with_threads(Some(1), || {
            pipeline::generate(&sample, seed.unwrap_or(0), &pipeline::Silent)
        })??;
        seconds += begin.elapsed().as_secs_f64() * f64::from(stretch.levels) / f64::from(levels);
    }
    let threads =
        args.threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    let threads = threads.unwrap_or(1);
    console::note(
        args.quiet,
        format_args!(
            "{} levels, about {:.1} s on {threads} threads; nothing is written",
            settings.levels(),
            seconds / threads as f64
        ),
    );
    Ok(Exit::Done)
}

/// Per band: count, shortest, median and longest optimum, median nodes.
fn print_summary(pack: &Pack) -> Result<(), CliError> {
    let mut figures: BTreeMap<&str, (Vec<u32>, Vec<u64>)> = BTreeMap::new();
    for level in &pack.levels {
        let (lengths, nodes) = figures.entry(&level.band).or_default();
        lengths.push(level.rating.optimal_length);
        nodes.push(level.rating.nodes_expanded);
    }
    let mut table =
        console::table(&["band", "levels", "shortest", "median", "longest", "median nodes"]);
    for band in &pack.settings.bands {
        let Some((lengths, nodes)) = figures.get_mut(band.name.as_str()) else { continue };
        lengths.sort_unstable();
        nodes.sort_unstable();
        let cells = [
            lengths.len().to_string(),
            lengths[0].to_string(),
            lengths[lengths.len() / 2].to_string(),
            lengths[lengths.len() - 1].to_string(),
            nodes[nodes.len() / 2].to_string(),
        ];
        table.add_row(std::iter::once(band.name.clone()).chain(cells));
    }
    writeln!(io::stdout(), "{table}")?;
    Ok(())
}
