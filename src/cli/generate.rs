//! `pourfect generate`.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use pourfect::config::{self, Overrides, Settings};
use pourfect::generate::Method;
use pourfect::pack::{Edits, Header, Part, Shard};
use pourfect::pipeline::{self, Job};
use pourfect::puzzle::Fields;
use pourfect::random::fresh_seed;
use pourfect::search::Algorithm;

use super::depth::{Depth, read_model};
use super::run::{self, Run};
use super::size::Size;
use super::{CliError, Exit, console, input, interrupt};

/// The settings of a run without a file.
const EMBEDDED: &str = include_str!("../../configs/classic.toml");

/// Levels up to which a pack is one JSON object.
pub const LINES_ABOVE: u64 = 50_000;

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
    #[command(flatten)]
    size: Size,
    /// Pour rule in every stretch: max, whole or unit
    #[arg(long, value_name = "RULE")]
    pour: Option<pourfect::puzzle::water::PourRule>,
    /// How levels are drawn in every stretch: reverse or fill
    #[arg(long, value_name = "METHOD")]
    method: Option<Method>,
    /// Engine that proves every level: auto, astar, idastar, bidirectional or bfs
    #[arg(long, value_name = "NAME")]
    algorithm: Option<Algorithm>,
    /// States that a search may store
    #[arg(long, value_name = "N", value_parser = positive)]
    max_states: Option<usize>,
    #[command(flatten)]
    depth: Depth,
    /// Threads; without it one per core. Changes the time, never the levels
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// The pack's own folder; without it output/NAME
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Packs whose levels must not occur again
    #[arg(long, value_name = "PACK", num_args = 1..)]
    known: Vec<PathBuf>,
    /// A pack whose pinned levels keep their slots, and whose rejected ones stay out
    #[arg(long, value_name = "PACK")]
    edits: Option<PathBuf>,
    /// Go on with a run that was cut off; without one, begin
    #[arg(long)]
    resume: bool,
    /// Draw only one machine's part, I from 0 to N-1; `merge` joins the parts
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Write packs of more levels as JSON lines; from 10,001 levels on they are never in memory
    #[arg(long, value_name = "N", default_value_t = LINES_ABOVE)]
    lines_above: u64,
    /// Replace a pack of other settings, or a run that is not done
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
        let mut every_stretch = Fields::new();
        every_stretch.extend(self.pour.map(|pour| ("pour".to_owned(), pour.name().into())));
        every_stretch.extend(self.method.map(|method| ("method".to_owned(), method.name().into())));
        Overrides {
            seed: self.seed,
            count: self.count,
            algorithm: self.algorithm,
            max_states: self.max_states,
            analysis: self.depth.analysis,
            plays: self.depth.plays,
            model: None,
            puzzle: self.size.puzzle.clone(),
            size: self.size.fields(),
            every_stretch,
        }
    }

    fn settings(&self) -> Result<(Settings, Option<u64>), CliError> {
        let mut overrides = self.overrides();
        let text = match &self.config {
            Some(path) => input::text(path)?,
            None => EMBEDDED.to_owned(),
        };
        let refuse = |source| match &self.config {
            Some(path) => CliError::Config { path: path.clone(), source },
            None => CliError::Settings(source),
        };
        // A model that the file names lies beside it.
        let folder = self.config.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        let named = config::model_path(&text).map_err(refuse)?.map(|path| folder.join(path));
        let model = self.depth.model.clone().or(named);
        overrides.model = model.map(|path| read_model(&path)).transpose()?;
        config::read(&text, &overrides).map_err(refuse)
    }
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    let (settings, seed) = args.settings()?;
    if args.dry_run {
        return dry_run(&args, &settings, seed);
    }
    let folder = args.out.clone().unwrap_or_else(|| Path::new("output").join(&settings.name));
    let resumed = args.resume.then(|| run::seed_in(&folder)).flatten();
    let seed = match seed.or(resumed) {
        Some(seed) => seed,
        None => {
            let seed = fresh_seed();
            console::note(args.quiet, format_args!("seed {seed}"));
            seed
        }
    };
    let known = input::known(&args.known)?;
    let edits = match &args.edits {
        Some(path) => input::pack(path)?.edits,
        None => Edits::default(),
    };
    let edits = Edits { known: known.digests, ..edits };
    interrupt::watch();
    let run = Run {
        part: Part { run: Header::new(settings, seed, edits), shard: args.shard },
        known: known.fingerprints,
        folder: &folder,
        lines_above: args.lines_above,
        merge: None,
        resume: args.resume,
        force: args.force,
        threads: args.threads,
        quiet: args.quiet,
    };
    run.go()?;
    Ok(Exit::Done)
}

/// Candidates per stretch that an estimate draws.
const SAMPLE: u32 = 3;

fn dry_run(args: &Args, settings: &Settings, seed: Option<u64>) -> Result<Exit, CliError> {
    let text = toml::to_string(settings)
        .map_err(|error| CliError::Refused(format!("the settings are no TOML: {error}")))?;
    let seed_line =
        seed.map_or("# no seed: one will be drawn".to_owned(), |s| format!("seed = \"{s}\""));
    writeln!(io::stdout(), "{seed_line}\n{text}")?;
    let seconds = estimate(settings, seed.unwrap_or(0))?;
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

/// Seconds that all candidates would take on one thread, from a few of every stretch.
fn estimate(settings: &Settings, seed: u64) -> Result<f64, CliError> {
    let mut seconds = 0.0;
    for stretch in &settings.stretches {
        let mut sample = stretch.clone();
        sample.common.levels = stretch.common.levels.min(SAMPLE);
        (sample.common.candidates, sample.common.target) = (1, None);
        let share = stretch.candidates() as f64 / f64::from(sample.common.levels);
        let sample = Settings { stretches: vec![sample], ..settings.clone() };
        let begin = Instant::now();
        let edits = Edits::default();
        let job = Job { settings: &sample, seed, edits: &edits, known: HashSet::new() };
        console::with_threads(Some(1), || pipeline::generate(job, &pipeline::Silent))??;
        seconds += begin.elapsed().as_secs_f64() * share;
    }
    Ok(seconds)
}
