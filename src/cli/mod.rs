//! The command line: parses, dispatches, turns an error into a sentence and an exit code.

mod about;
mod bench;
mod calibrate;
mod console;
mod convert;
mod depth;
mod diff;
mod draw;
mod edit;
mod error;
mod generate;
mod input;
mod interrupt;
mod merge;
mod play;
mod rate;
mod run;
mod show;
mod size;
mod solve;
mod summary;
mod verify;

use clap::{Parser, Subcommand};

pub use error::{CliError, Exit};

/// Generates levels of sorting puzzles, solves each to a proven optimum, and rates its difficulty.
#[derive(Parser)]
#[command(name = "pourfect", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a pack of levels: generated, solved, rated, reported
    Generate(generate::Args),
    /// Join the shards of a run into its pack
    Merge(merge::Args),
    /// Write levels in another format
    Convert(convert::Args),
    /// Solve one level to a proven optimum
    Solve(solve::Args),
    /// Rate levels from packs and files of JSON lines
    Rate(rate::Args),
    /// Fit the weights of a difficulty model to what players did
    Calibrate(calibrate::Args),
    /// Measure engines and bounds against each other
    Bench(bench::Args),
    /// Pin, reject or filter levels of a pack
    Edit(edit::Args),
    /// Say what changed between two packs
    Diff(diff::Args),
    /// Show a pack, or one level with its rating and its solution
    Show(show::Args),
    /// Play a level in the terminal
    Play(play::Args),
    /// Check packs: replay, derive and solve every level again
    Verify(verify::Args),
    /// Print the JSON schema of a pack
    Schema,
    /// Print completions for a shell
    Completions(about::CompletionsArgs),
    /// Print a man page
    Man(about::ManArgs),
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// What went wrong, with the exit code that it deserves.
    pub fn run(self) -> Result<Exit, CliError> {
        match self.command {
            Command::Generate(args) => generate::run(args),
            Command::Merge(args) => merge::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Solve(args) => solve::run(args),
            Command::Rate(args) => rate::run(args),
            Command::Calibrate(args) => calibrate::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Edit(args) => edit::run(args),
            Command::Diff(args) => diff::run(args),
            Command::Show(args) => show::run(args),
            Command::Play(args) => play::run(args),
            Command::Verify(args) => verify::run(args),
            Command::Schema => about::schema(),
            Command::Completions(args) => about::completions(&args),
            Command::Man(args) => about::man(&args),
        }
    }
}
