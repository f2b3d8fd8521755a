//! `pourfect edit`.

use std::path::PathBuf;

use pourfect::pack::{Edits, Pack, PackLevel, Rejected};
use pourfect::pipeline::{self, Job, LongError};
use pourfect::rate::Rating;
use pourfect::report::Form;

use super::console::{self, Meter};
use super::generate::threads;
use super::run::write_pack;
use super::{CliError, Exit, input};

#[derive(clap::Args)]
pub struct Args {
    /// The pack to edit
    #[arg(value_name = "PACK")]
    pack: PathBuf,
    /// Levels, by id or index, that keep their slots whatever the settings say later
    #[arg(long, value_name = "LEVEL", num_args = 1..)]
    pin: Vec<String>,
    /// Pinned levels that no longer are
    #[arg(long, value_name = "LEVEL", num_args = 1..)]
    unpin: Vec<String>,
    /// Levels to be replaced; no other level moves
    #[arg(long, value_name = "LEVEL", num_args = 1..)]
    reject: Vec<String>,
    /// Leave out levels outside a range, such as optimal_length=20..30
    #[arg(long, value_name = "METRIC=MIN..MAX", num_args = 1.., value_parser = range)]
    filter: Vec<(String, [f64; 2])>,
    /// Packs that the pack was made beside
    #[arg(long, value_name = "PACK", num_args = 1..)]
    known: Vec<PathBuf>,
    /// Threads; without it one per core
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// The folder of the edited pack; without it the pack's own
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// No words but errors
    #[arg(long)]
    quiet: bool,
}

/// Reads `METRIC=MIN..MAX`, where either end may be left out.
fn range(text: &str) -> Result<(String, [f64; 2]), String> {
    let (metric, range) = text.split_once('=').ok_or("write METRIC=MIN..MAX")?;
    let (least, most) = range.split_once("..").ok_or("write METRIC=MIN..MAX")?;
    if !Rating::METRICS.contains(&metric) {
        let known = Rating::METRICS.join(", ");
        return Err(format!("unknown metric `{metric}`; known are {known}"));
    }
    let end = |text: &str, open: f64| match text {
        "" => Ok(open),
        number => number.parse::<f64>().map_err(|error| format!("{number}: {error}")),
    };
    Ok((metric.to_owned(), [end(least, f64::MIN)?, end(most, f64::MAX)?]))
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    let levels = input::pack_levels(&args.pack)?;
    let form = Form::of(&args.pack).unwrap_or(Form::Object);
    if form == Form::Lines && pipeline::is_long(&levels.header().settings) {
        return Err(CliError::Usage(LongError::Edits.to_string()));
    }
    let pack = levels.whole().map_err(|error| CliError::input(args.pack.display(), error))?;
    let known = input::known_to(&pack.edits, &args.known)?.fingerprints;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None if args.pack.is_dir() => args.pack.clone(),
        None => {
            let file = args.pack.display();
            return Err(CliError::Usage(format!("--out: {file} is a file, say which folder")));
        }
    };
    let whole = Edits { filter: Default::default(), ..pack.edits.clone() };
    let (settings, seed) = (&pack.settings, pack.seed);
    let job = Job { settings, seed, edits: &whole, known: known.clone() };
    let slots =
        console::with_threads(args.threads, || pipeline::generate(job, &pipeline::Silent))??.levels;
    let edits = edited(&args, &pack, &slots)?;
    let job = Job { settings, seed, edits: &edits, known };
    let meter = Meter::new("levels", settings.candidates(), args.quiet);
    let pack = console::with_threads(args.threads, || pipeline::generate(job, &meter))?;
    meter.finish();
    write_pack(&pack?, &folder, form, args.quiet)?;
    Ok(Exit::Done)
}

/// The pack's edits with those of the command line. `slots` are its levels before any filter, each
/// in its slot.
fn edited(args: &Args, pack: &Pack, slots: &[PackLevel]) -> Result<Edits, CliError> {
    let mut edits = pack.edits.clone();
    for name in &args.unpin {
        let level = find(pack, slots, name)?;
        edits.pinned.retain(|pin| pin.id != level.id);
    }
    for name in &args.reject {
        let level = find(pack, slots, name)?;
        if level.pinned {
            return Err(CliError::Usage(format!("--reject {name}: the level is pinned")));
        }
        let &PackLevel { candidate, attempt, .. } = level;
        edits.rejected.push(Rejected { candidate, attempt });
    }
    for name in &args.pin {
        let level = find(pack, slots, name)?;
        if !edits.pinned.iter().any(|pin| pin.id == level.id) {
            let pin = PackLevel { pinned: true, target: None, near: None, ..level.clone() };
            edits.pinned.push(pin);
        }
    }
    edits.filter.extend(args.filter.iter().cloned());
    Ok(edits)
}

/// A level by its id, or by its index in the pack.
fn find<'a>(pack: &Pack, slots: &'a [PackLevel], name: &str) -> Result<&'a PackLevel, CliError> {
    let by_index = name.parse::<usize>().ok().and_then(|index| pack.levels.get(index));
    let id = by_index.map_or(name, |level| &level.id);
    let found = slots.iter().find(|level| level.id == id);
    found.ok_or_else(|| CliError::Usage(format!("the pack has no level `{name}`")))
}
