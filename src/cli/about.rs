//! What describes the program to other programs: `schema`, `completions`, `man`.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use pourfect::pack::Pack;

use super::{Cli, CliError, Exit};

#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(clap::Args)]
pub struct ManArgs {
    /// The command whose page is wanted; without it the program's own
    command: Option<String>,
}

pub fn schema() -> Result<Exit, CliError> {
    writeln!(io::stdout(), "{}", Pack::schema())?;
    Ok(Exit::Done)
}

pub fn completions(args: &CompletionsArgs) -> Result<Exit, CliError> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    // Written in memory: the generator panics where the output fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Done)
}

pub fn man(args: &ManArgs) -> Result<Exit, CliError> {
    let mut program = Cli::command();
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => {
            let unknown = || CliError::Usage(format!("there is no command `{name}`"));
            program.find_subcommand(name).ok_or_else(unknown)?.clone()
        }
    };
    Man::new(command).render(&mut io::stdout())?;
    Ok(Exit::Done)
}
