//! `pourfect play`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use pourfect::pack::PackLevel;
use pourfect::puzzle::{Level, Move};
use pourfect::search::{self, Algorithm, Limits, Method, Proof};

use super::generate::positive;
use super::{CliError, Exit, draw, input};

#[derive(clap::Args)]
pub struct Args {
    /// A pack, or the id of a level that needs no pack
    #[arg(value_name = "PACK|ID")]
    pack: PathBuf,
    /// A level of the pack
    #[arg(value_name = "INDEX|ID")]
    level: Option<String>,
    /// States that the search for a hint may store
    #[arg(long, value_name = "N", value_parser = positive, default_value_t = Limits::DEFAULT_STATES)]
    max_states: usize,
}

pub fn run(args: Args) -> Result<Exit, CliError> {
    if args.level.is_none() && !input::is_id(&args.pack) {
        return Err(CliError::Usage("say which level of the pack".to_owned()));
    }
    let (level, _) = input::level(&args.pack, args.level.as_deref())?;
    let mut game =
        Game { positions: vec![level.level.clone()], level, max_states: args.max_states };
    game.play(&mut io::stdin().lock(), &mut anstream::stdout().lock())?;
    Ok(Exit::Done)
}

const HELP: &str = "a move is source>target, such as 3>0, or 3 0; u undoes, r restarts, h gives a \
                    hint, q quits";

/// What a line asks for.
enum Command {
    Move(Move),
    Undo,
    Restart,
    Hint,
    Quit,
    Help,
}

impl Command {
    fn read(line: &str) -> Self {
        match line.trim() {
            "u" => Self::Undo,
            "r" => Self::Restart,
            "h" => Self::Hint,
            "q" => Self::Quit,
            text => {
                let action = text.split_whitespace().collect::<Vec<_>>().join(">");
                action.parse().map_or(Self::Help, Self::Move)
            }
        }
    }
}

/// A level being played.
struct Game {
    level: PackLevel,
    /// From the start to now.
    positions: Vec<Level>,
    max_states: usize,
}

impl Game {
    fn play(&mut self, lines: &mut dyn BufRead, out: &mut dyn Write) -> Result<(), CliError> {
        let optimum = self.level.solution.len();
        writeln!(out, "{}, {optimum} moves at best; {HELP}", self.level.id)?;
        self.draw(out)?;
        let mut line = String::new();
        while !self.now().is_solved() {
            if io::stdin().is_terminal() {
                write!(out, "> ")?;
                out.flush()?;
            }
            line.clear();
            if lines.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match Command::read(&line) {
                Command::Quit => return Ok(()),
                Command::Help => writeln!(out, "{HELP}")?,
                Command::Hint => writeln!(out, "{}", self.hint()?)?,
                Command::Undo => {
                    self.positions.truncate((self.positions.len() - 1).max(1));
                    self.draw(out)?;
                }
                Command::Restart => {
                    self.positions.truncate(1);
                    self.draw(out)?;
                }
                Command::Move(action) => self.step(action, out)?,
            }
        }
        let over = match self.moves() - optimum.min(self.moves()) {
            0 => "the optimum".to_owned(),
            over => format!("{over} over the optimum"),
        };
        writeln!(out, "solved in {} moves: {over}", self.moves())?;
        Ok(())
    }

    fn step(&mut self, action: Move, out: &mut dyn Write) -> Result<(), CliError> {
        let mut next = self.now().clone();
        match next.play(action) {
            Err(error) => writeln!(out, "{error}")?,
            Ok(()) => {
                self.positions.push(next);
                self.draw(out)?;
                if self.now().legal_moves().is_empty() && !self.now().is_solved() {
                    writeln!(out, "dead end: no move is left")?;
                }
            }
        }
        Ok(())
    }

    /// The next move of a shortest solution from here.
    fn hint(&self) -> Result<String, CliError> {
        let limits = Limits::states(self.max_states);
        let method = Method { algorithm: Algorithm::default(), bound: None, limits };
        Ok(match search::solve(self.now(), &method)?.proof {
            Proof::Solved(moves) => match moves.first() {
                Some(action) => format!("{action}; from here {} moves at best", moves.len()),
                None => "it is solved".to_owned(),
            },
            Proof::Unsolvable => "dead end: there is no solution from here".to_owned(),
            Proof::Unknown { .. } => "not known: the search reached --max-states".to_owned(),
        })
    }

    fn draw(&self, out: &mut dyn Write) -> Result<(), CliError> {
        writeln!(out)?;
        draw::board(self.now(), out)?;
        Ok(writeln!(out, "moves made: {}", self.moves())?)
    }

    fn now(&self) -> &Level {
        self.positions.last().unwrap_or(&self.level.level)
    }

    fn moves(&self) -> usize {
        self.positions.len() - 1
    }
}
