//! `pourfect show`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pourfect::pack::PackLevel;
use pourfect::report::{Row, header, level_svg, write_whole};

use super::{CliError, Exit, console, draw, input};

#[derive(clap::Args)]
pub struct Args {
    /// A pack, or the id of a level that needs no pack
    #[arg(value_name = "PACK|ID")]
    pack: PathBuf,
    /// A level of the pack; without one the pack is listed
    #[arg(value_name = "INDEX|ID")]
    level: Option<String>,
    /// Write the picture of the level
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    if args.level.is_none() && !input::is_id(&args.pack) {
        if args.svg.is_some() {
            return Err(CliError::Usage("--svg: say which level of the pack".to_owned()));
        }
        list(&args.pack)?;
        return Ok(Exit::Done);
    }
    let (level, seed) = input::level(&args.pack, args.level.as_deref())?;
    match &args.svg {
        Some(path) => drop(write_whole(path, |out| level_svg(&level.level, &level.id, out))?),
        None => show(&level, seed)?,
    }
    Ok(Exit::Done)
}

/// What a list says of every level.
const LISTED: [&str; 5] = ["index", "id", "band", "difficulty", "optimal_length"];

fn list(pack: &Path) -> Result<(), CliError> {
    let mut table = console::table(&LISTED);
    let levels = input::pack_levels(pack)?;
    let seed = levels.header().seed;
    for level in levels {
        let level = level.map_err(|error| CliError::input(pack.display(), error))?;
        let cells = Row::of(&level, seed).cells();
        table.add_row(LISTED.map(|listed| {
            let at = header().iter().position(|column| *column == listed);
            at.map_or("", |at| cells[at].as_str())
        }));
    }
    writeln!(io::stdout(), "{table}")?;
    Ok(())
}

/// Columns that are shown otherwise.
const DRAWN: [&str; 3] = ["id", "tubes", "solution"];

fn show(level: &PackLevel, seed: u64) -> Result<(), CliError> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}\n", level.id)?;
    draw::board(&level.level, &mut out)?;
    writeln!(out)?;
    for (column, cell) in header().into_iter().zip(Row::of(level, seed).cells()) {
        if !cell.is_empty() && !DRAWN.contains(&column) {
            writeln!(out, "{column:<26} {cell}")?;
        }
    }
    writeln!(out)?;
    let mut board = level.level.clone();
    writeln!(out, "{:>9}  {}", "", draw::line(&board))?;
    for (number, &action) in level.solution.iter().enumerate() {
        board.play(action).map_err(|error| CliError::Refused(format!("its solution: {error}")))?;
        writeln!(out, "{:>3} {:>5}  {}", number + 1, action.to_string(), draw::line(&board))?;
    }
    Ok(())
}
