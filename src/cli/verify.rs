//! `pourfect verify`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pourfect::pack::Pack;
use pourfect::report::REPORTS;
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
    let meter = Meter::new("levels", pack.settings.candidates(), args.quiet);
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
    if !path.is_dir() {
        return Vec::new();
    }
    let stale = |report: &&&dyn pourfect::report::Report| {
        let mut content = Vec::new();
        report.write(pack, &mut content).is_err()
            || !fs::read(path.join(report.file_name())).is_ok_and(|bytes| bytes == content)
    };
    let say = |report: &&dyn pourfect::report::Report| {
        format!("{} is missing or not the pack's", report.file_name())
    };
    REPORTS.iter().filter(stale).map(say).collect()
}
