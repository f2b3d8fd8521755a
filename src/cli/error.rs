//! Errors as a sentence and an exit code.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pourfect::config::ConfigError;
use pourfect::pipeline::GenerateError;
use pourfect::puzzle::{BoundError, LevelError};
use pourfect::read::ReadError;
use pourfect::report::WriteError;

use super::interrupt::INTERRUPTED;

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Done,
    /// Part of the work failed, as was said.
    Failed,
    /// A level is unsolvable, or a check failed.
    No,
    /// A limit was reached.
    Limit,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::No => 3,
            Exit::Limit => 4,
        })
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: ReadError },
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    #[error("{}: {source}", path.display())]
    Config { path: PathBuf, source: ConfigError },
    #[error("the settings: {0}")]
    Settings(ConfigError),
    #[error("{place}: {source}")]
    Level { place: String, source: LevelError },
    #[error("{place}: {reason}")]
    Input { place: String, reason: String },
    #[error("interrupted; --resume goes on")]
    Interrupted,
    #[error(transparent)]
    Generate(GenerateError),
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Refused(String),
}

impl From<GenerateError> for CliError {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Interrupted => Self::Interrupted,
            error => Self::Generate(error),
        }
    }
}

impl From<BoundError> for CliError {
    fn from(error: BoundError) -> Self {
        Self::Usage(format!("--bound: {error}"))
    }
}

impl CliError {
    pub fn read(path: &Path, source: impl Into<ReadError>) -> Self {
        Self::Read { path: path.to_owned(), source: source.into() }
    }

    pub fn input(place: impl ToString, reason: impl ToString) -> Self {
        Self::Input { place: place.to_string(), reason: reason.to_string() }
    }

    /// Says the error in one sentence, and gives its exit code.
    pub fn report(self) -> ExitCode {
        if self.is_broken_pipe() {
            return ExitCode::SUCCESS;
        }
        anstream::eprintln!("pourfect: {self}");
        ExitCode::from(match self {
            Self::Interrupted => INTERRUPTED,
            Self::Usage(_) | Self::Config { .. } | Self::Settings(_) => 2,
            _ => 1,
        })
    }

    /// Whether the reader of the output has gone, which is no failure of ours.
    fn is_broken_pipe(&self) -> bool {
        let mut cause: Option<&(dyn Error + 'static)> = Some(self);
        while let Some(error) = cause {
            if error
                .downcast_ref::<io::Error>()
                .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
            {
                return true;
            }
            cause = error.source();
        }
        false
    }
}
