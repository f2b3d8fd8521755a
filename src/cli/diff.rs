//! `pourfect diff`.

use std::io::{self, Write};
use std::path::PathBuf;

use pourfect::diff::{Change, diff, unchanged};

use super::{CliError, Exit, input};

#[derive(clap::Args)]
pub struct Args {
    /// The older pack
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The newer pack
    #[arg(value_name = "NEW")]
    new: PathBuf,
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    let (old, new) = (input::pack(&args.old)?, input::pack(&args.new)?);
    let changes = diff(&old, &new);
    let mut out = io::stdout().lock();
    for change in &changes {
        writeln!(out, "{change}")?;
    }
    let count = |wanted: fn(&Change) -> bool| changes.iter().filter(|c| wanted(c)).count();
    writeln!(
        out,
        "{} levels removed, {} added, {} moved, {} rated otherwise, {} the same",
        count(|change| matches!(change, Change::Removed { .. })),
        count(|change| matches!(change, Change::Added { .. })),
        count(|change| matches!(change, Change::Moved { .. })),
        count(|change| matches!(change, Change::Rated { .. })),
        unchanged(&old, &new),
    )?;
    Ok(if changes.is_empty() { Exit::Done } else { Exit::No })
}
