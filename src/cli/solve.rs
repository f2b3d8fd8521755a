//! `pourfect solve`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use pourfect::puzzle::{Level, Move};
use pourfect::read;
use pourfect::search::{self, Algorithm, Answer, Limits, Method, Proof};
use serde::Serialize;
use serde_json::Value;

use super::generate::positive;
use super::input::{self, Rules};
use super::{CliError, Exit};

#[derive(clap::Args)]
pub struct Args {
    /// A level as text or JSON, or a pack with --index; `-` is standard input
    #[arg(default_value = "-")]
    file: PathBuf,
    /// The level of a pack, from 0
    #[arg(long, value_name = "I")]
    index: Option<usize>,
    /// Engine: auto, bfs, greedy, astar, idastar or bidirectional
    #[arg(long, value_name = "NAME", default_value_t = Algorithm::Auto)]
    algorithm: Algorithm,
    /// Lower bound; an unknown one lists those that the puzzle has
    #[arg(long, value_name = "NAME")]
    bound: Option<String>,
    #[command(flatten)]
    rules: Rules,
    /// States that the search may store
    #[arg(long, value_name = "N", value_parser = positive, default_value_t = Limits::DEFAULT_STATES)]
    max_states: usize,
    /// Places of the transposition table of idastar; without it --max-states
    #[arg(long, value_name = "N", value_parser = positive)]
    table_states: Option<usize>,
    /// Nodes that idastar expands; without it twenty times --max-states
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_nodes: Option<u64>,
    /// Moves for eyes, or one JSON object
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    let level = read_level(&args)?;
    let states = Limits::states(args.max_states);
    let limits = Limits {
        max_nodes: args.max_nodes.unwrap_or(states.max_nodes),
        table_states: args.table_states.unwrap_or(states.table_states),
        ..states
    };
    let method = Method { algorithm: args.algorithm, bound: args.bound.as_deref(), limits };
    let answer = search::solve(&level, &method)?;
    match args.format {
        Format::Text => print_text(&level, &answer)?,
        Format::Json => print_json(&answer)?,
    }
    Ok(match answer.proof {
        Proof::Solved(_) => Exit::Done,
        Proof::Unsolvable => Exit::No,
        Proof::Unknown { .. } => Exit::Limit,
    })
}

fn read_level(args: &Args) -> Result<Level, CliError> {
    let place = args.file.display().to_string();
    if args.file.is_dir() || args.index.is_some() {
        let index = args.index.ok_or_else(|| {
            CliError::Usage(format!("--index: {place} is a pack, say which of its levels"))
        })?;
        return pack_level(&args.file, index);
    }
    let text = input::text(&args.file)?;
    if text.trim_start().starts_with('{') {
        let mut value: Value = read::json(&text).map_err(|error| CliError::input(&place, error))?;
        if let Value::Object(fields) = &mut value {
            if fields.contains_key("levels") {
                return Err(CliError::Usage(format!(
                    "--index: {place} is a pack, say which of its levels"
                )));
            }
            for (name, rule) in args.rules.fields() {
                fields.insert(name, rule);
            }
        }
        return serde_json::from_value(value).map_err(|error| CliError::input(&place, error));
    }
    let level = Level::from_text(args.rules.puzzle(), &text, args.rules.fields())
        .map_err(|source| CliError::Level { place, source })?;
    if args.rules.capacity.is_none()
        && let Some(capacity) = level.fields().get("capacity")
    {
        anstream::eprintln!("capacity {capacity}, the longest tube's height");
    }
    Ok(level)
}

fn pack_level(file: &Path, index: usize) -> Result<Level, CliError> {
    let mut levels = input::pack_levels(file)?;
    let count = levels.total();
    match levels.nth(index) {
        Some(Ok(level)) => Ok(level.level),
        Some(Err(error)) => Err(CliError::input(file.display(), error)),
        None => {
            let file = file.display();
            Err(CliError::Usage(format!("--index {index}: {file} has {count} levels")))
        }
    }
}

fn print_text(level: &Level, answer: &Answer) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    let print_moves = |out: &mut dyn Write, moves: &[Move]| -> io::Result<()> {
        let mut board = level.clone();
        writeln!(out, "{:>9}  {board}", "")?;
        for (number, &action) in moves.iter().enumerate() {
            // A move that the plain rules refuse would be a fault of the search.
            board.play(action).map_err(io::Error::other)?;
            writeln!(out, "{:>3} {:>5}  {board}", number + 1, action.to_string())?;
        }
        Ok(())
    };
    match &answer.proof {
        Proof::Solved(moves) => {
            print_moves(&mut out, moves)?;
            writeln!(out, "solved in {} moves, proven optimal", moves.len())?;
        }
        Proof::Unsolvable => writeln!(out, "unsolvable: everything reachable was searched")?,
        Proof::Unknown { lower_bound, best } => {
            if let Some(moves) = best {
                print_moves(&mut out, moves)?;
            }
            let found =
                best.as_ref().map_or("none found".to_owned(), |m| format!("{} found", m.len()));
            writeln!(out, "unknown: at least {lower_bound} moves, {found}; a limit was reached")?;
        }
    }
    writeln!(
        out,
        "{} with {}: {} nodes expanded, {} states stored",
        answer.algorithm, answer.bound, answer.stats.expanded, answer.stats.stored
    )?;
    Ok(())
}

#[derive(Serialize)]
struct JsonAnswer<'a> {
    verdict: &'a str,
    optimal_length: Option<u32>,
    lower_bound: Option<u32>,
    upper_bound: Option<u32>,
    nodes_expanded: u64,
    nodes_generated: u64,
    states_stored: u64,
    bytes: u64,
    seconds: f64,
    algorithm: Algorithm,
    bound: &'a str,
    moves: Option<Vec<[u8; 2]>>,
}

fn print_json(answer: &Answer) -> Result<(), CliError> {
    let (lower_bound, moves) = match &answer.proof {
        Proof::Solved(moves) => (Some(moves.len() as u32), Some(moves)),
        Proof::Unsolvable => (None, None),
        Proof::Unknown { lower_bound, best } => (Some(*lower_bound), best.as_ref()),
    };
    let pair = |action: &Move| [action.source.0, action.target.0];
    let answer = JsonAnswer {
        verdict: answer.proof.name(),
        optimal_length: answer.proof.optimal_length(),
        lower_bound,
        upper_bound: moves.map(|moves| moves.len() as u32),
        nodes_expanded: answer.stats.expanded,
        nodes_generated: answer.stats.generated,
        states_stored: answer.stats.stored,
        bytes: answer.stats.bytes,
        seconds: answer.time.as_secs_f64(),
        algorithm: answer.algorithm,
        bound: &answer.bound,
        moves: moves.map(|moves| moves.iter().map(pair).collect()),
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &answer).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
