//! Reads packs, levels and settings from files, folders and standard input.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use pourfect::pack::Pack;
use pourfect::puzzle::Fields;
use pourfect::report::{JsonPack, Report};

use super::CliError;

/// Rules that a text does not say.
#[derive(Args, Clone)]
pub struct Rules {
    /// Pour rule of levels that do not say one: max, whole or unit
    #[arg(long, value_name = "RULE", value_parser = pour_rule)]
    pub pour: Option<String>,
    /// Units that a tube holds; without it the longest tube's height
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=16))]
    pub capacity: Option<u8>,
    /// When a level is solved: sorted or uniform
    #[arg(long, value_name = "GOAL", value_parser = goal)]
    pub goal: Option<String>,
}

fn pour_rule(name: &str) -> Result<String, pourfect::puzzle::water::WaterError> {
    name.parse::<pourfect::puzzle::water::PourRule>().map(|rule| rule.name().to_owned())
}

fn goal(name: &str) -> Result<String, pourfect::puzzle::water::WaterError> {
    name.parse::<pourfect::puzzle::water::Goal>().map(|goal| goal.name().to_owned())
}

impl Rules {
    /// The rules as fields of a level.
    pub fn fields(&self) -> Fields {
        let mut fields = Fields::new();
        for (name, value) in [("pour", &self.pour), ("goal", &self.goal)] {
            if let Some(value) = value {
                fields.insert(name.to_owned(), value.as_str().into());
            }
        }
        if let Some(capacity) = self.capacity {
            fields.insert("capacity".to_owned(), capacity.into());
        }
        fields
    }
}

/// The text of a file, or of standard input for `-`.
pub fn text(path: &Path) -> Result<String, CliError> {
    if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(|error| CliError::read(path, error))?;
        return Ok(text);
    }
    fs::read_to_string(path).map_err(|error| CliError::read(path, error))
}

/// The pack file of a pack: the file itself, or the one in the folder.
pub fn pack_file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(JsonPack.file_name()) } else { path.to_owned() }
}

/// Reads a pack.
pub fn pack(path: &Path) -> Result<Pack, CliError> {
    let file = pack_file(path);
    let text = text(&file)?;
    serde_json::from_str(&text).map_err(|error| CliError::input(file.display(), error))
}
