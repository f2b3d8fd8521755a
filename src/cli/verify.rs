//! `pourfect verify`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pourfect::pack::{FileSum, MANIFEST, Manifest, Pack, Part};
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
    let known = args.known.iter().map(|path| input::pack(path)).collect::<Result<Vec<_>, _>>()?;
    let mut exit = Exit::Done;
    for path in &args.packs {
        if !verify_pack(path, &known, &args)? {
            exit = Exit::No;
        }
    }
    Ok(exit)
}

/// Whether a pack is as its settings and seed make it.
fn verify_pack(path: &Path, known: &[Pack], args: &Args) -> Result<bool, CliError> {
    let pack = input::pack(path)?;
    let meter = Meter::new("candidates", pack.settings.candidates(), args.quiet);
    let found = console::with_threads(args.threads, || verify(&pack, known, &meter))?;
    meter.finish();
    let mut differences: Vec<String> = match found {
        Ok(found) => found.iter().map(ToString::to_string).collect(),
        Err(error) => vec![format!("its settings cannot be met: {error}")],
    };
    differences.extend(stale_files(path, &pack));
    let mut out = io::stdout().lock();
    for difference in &differences {
        writeln!(out, "{}: {difference}", path.display())?;
    }
    if differences.is_empty() {
        console::note(
            args.quiet,
            format_args!(
                "{}: {} levels replayed, derived and solved again, no duplicates",
                path.display(),
                pack.levels.len()
            ),
        );
    }
    Ok(differences.is_empty())
}

/// Files of the pack's folder that are not what the pack makes.
fn stale_files(path: &Path, pack: &Pack) -> Vec<String> {
    let Some(form) = Form::of(path) else { return Vec::new() };
    let mut files = BTreeMap::new();
    let mut stale = Vec::new();
    for report in form.reports() {
        let name = report.file_name();
        match (report::sum(report, pack), FileSum::of(&path.join(name))) {
            (Ok(made), Ok(found)) if made == found => drop(files.insert(name.to_owned(), made)),
            _ => stale.push(name),
        }
    }
    let of = Part { run: pack.header(), shard: None };
    let made = Manifest { of, levels: pack.levels.len() as u64, files };
    let is_other = |found: Option<Manifest>| found.is_none_or(|found| found != made);
    // A pack that was copied without its manifest is as good.
    if path.join(MANIFEST).exists() && stale.is_empty() && is_other(input::manifest(path)) {
        stale.push(MANIFEST);
    }
    stale.iter().map(|name| format!("{name} is missing or not the pack's")).collect()
}
