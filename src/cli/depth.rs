//! How far levels are rated, as flags.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use pourfect::rate::{Analysis, Model, Options};

use super::{CliError, input};

/// Flags of every command that rates.
#[derive(clap::Args, Clone)]
pub struct Depth {
    /// Positions that the mistake analysis looks at: none, those of one line, or those of all
    /// optimal solutions (full)
    #[arg(long, value_name = "DEPTH")]
    pub analysis: Option<Analysis>,
    /// Plays of each simulated player
    #[arg(long, value_name = "N", value_parser = plays)]
    pub plays: Option<NonZeroU32>,
    /// Difficulty model; `calibrate` writes one
    #[arg(long, value_name = "MODEL.toml")]
    pub model: Option<PathBuf>,
}

fn plays(text: &str) -> Result<NonZeroU32, String> {
    match text.parse::<NonZeroU32>() {
        Ok(plays) if plays.get() <= Options::MOST_PLAYS => Ok(plays),
        Ok(plays) => Err(format!("{plays} is more than {}", Options::MOST_PLAYS)),
        Err(error) => Err(error.to_string()),
    }
}

impl Depth {
    /// The options with what the flags say.
    pub fn of(&self, options: Options) -> Result<Options, CliError> {
        Ok(Options {
            analysis: self.analysis.unwrap_or(options.analysis),
            plays: self.plays.unwrap_or(options.plays),
            model: match &self.model {
                Some(path) => read_model(path)?,
                None => options.model,
            },
            ..options
        })
    }
}

/// Reads a difficulty model.
pub fn read_model(path: &Path) -> Result<Model, CliError> {
    Model::parse(&input::text(path)?).map_err(|error| CliError::input(path.display(), error))
}
