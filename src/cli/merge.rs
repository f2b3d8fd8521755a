//! `pourfect merge`.

use std::path::PathBuf;

use pourfect::pack::Part;
use pourfect::pipeline::Shards;

use super::generate::{LINES_ABOVE, threads};
use super::run::{Run, shard_file};
use super::{CliError, Exit, input};

#[derive(clap::Args)]
pub struct Args {
    /// The folders of all shards, in any order
    #[arg(required = true, value_name = "DIR")]
    shards: Vec<PathBuf>,
    /// The pack's folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Packs that the shards were drawn beside
    #[arg(long, value_name = "PACK", num_args = 1..)]
    known: Vec<PathBuf>,
    /// Write packs of more levels as JSON lines
    #[arg(long, value_name = "N", default_value_t = LINES_ABOVE)]
    lines_above: u64,
    /// Threads; without it one per core
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Replace a pack of other settings
    #[arg(long)]
    force: bool,
    /// No words but errors
    #[arg(long)]
    quiet: bool,
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    let files =
        args.shards.iter().map(|folder| shard_file(folder)).collect::<Result<Vec<_>, _>>()?;
    let shards = Shards::open(&files).map_err(|error| CliError::Refused(error.to_string()))?;
    let run = shards.run().clone();
    let known = input::known_to(&run.edits, &args.known)?.fingerprints;
    let run = Run {
        part: Part { run, shard: None },
        known,
        folder: &args.out,
        lines_above: args.lines_above,
        merge: Some(shards),
        resume: false,
        force: args.force,
        threads: args.threads,
        quiet: args.quiet,
    };
    run.go()?;
    Ok(Exit::Done)
}
