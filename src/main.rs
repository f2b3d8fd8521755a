//! The `pourfect` program.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::parse().run() {
        Ok(exit) => exit.into(),
        Err(error) => error.report(),
    }
}
