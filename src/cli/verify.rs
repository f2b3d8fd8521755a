//! `pourfect verify`.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pourfect::pack::{Generator, Known, MANIFEST, Manifest};
use pourfect::report::{self, Form};
use pourfect::verify::verify;

use super::console::{self, Meter};
use super::generate::threads;
use super::{CliError, Exit, input};

#[derive(clap::Args)]
pub struct Args {
    /// Pack folders or pack files
    #[arg(required = true, value_name = "PACK")]
    packs: Vec<PathBuf>,
    /// Packs that they were made beside
    #[arg(long, value_name = "PACK", num_args = 1..)]
    known: Vec<PathBuf>,
    /// Threads; without it one per core
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// No words but differences and errors
    #[arg(long)]
    quiet: bool,
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    let known = input::known(&args.known)?;
    let mut exit = Exit::Done;
    for path in &args.packs {
        if !verify_pack(path, &known, &args)? {
            exit = Exit::No;
        }
    }
    Ok(exit)
}

/// Whether a pack is as its settings and seed make it.
fn verify_pack(path: &Path, known: &Known, args: &Args) -> Result<bool, CliError> {
    let place = path.display();
    let refuse = |error| CliError::input(&place, error);
    let pack = input::pack_levels(path)?;
    let derived = pack.header().generator == Generator::current();
    let meter = Meter::new("candidates", pack.header().settings.candidates(), args.quiet);
    let mut differences = 0;
    let mut say = |difference: &dyn Display| {
        differences += 1;
        // Where nobody reads the words, the exit code still says it.
        let _ = writeln!(io::stdout(), "{place}: {difference}");
    };
    let checked = console::with_threads(args.threads, || {
        // Words come from one thread, that of the pack.
        verify(pack, known, &meter, &mut |difference| say(&difference))
    })?;
    meter.finish();
    let levels = checked.map_err(refuse)?;
    for name in stale_files(path)? {
        say(&format_args!("{name} is missing or not the pack's"));
    }
    if differences == 0 {
        let derived = if derived { ", derived" } else { "" };
        console::note(
            args.quiet,
            format_args!(
                "{place}: {levels} levels replayed{derived} and solved again, no duplicates"
            ),
        );
    }
    Ok(differences == 0)
}

/// Files of the pack's folder that are not what the pack makes.
fn stale_files(path: &Path) -> Result<Vec<String>, CliError> {
    let Some(form) = Form::of(path) else { return Ok(Vec::new()) };
    let made = report::manifest(input::pack_levels(path)?, form)
        .map_err(|error| CliError::input(path.display(), error))?;
    let mut stale: Vec<String> = made.stale(path).into_iter().map(str::to_owned).collect();
    let is_other = |found: Option<Manifest>| found.is_none_or(|found| found != made);
    // A pack that was copied without its manifest is as good.
    if path.join(MANIFEST).exists() && stale.is_empty() && is_other(input::manifest(path)) {
        stale.push(MANIFEST.to_owned());
    }
    Ok(stale)
}
