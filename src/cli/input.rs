//! Reads packs, levels and settings from files, folders and standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use pourfect::id::{IdError, LevelId};
use pourfect::pack::{Edits, Known, MANIFEST, Manifest, Pack, PackLevel, PackLevels};
use pourfect::pipeline::{self, LevelOfError};
use pourfect::puzzle::{Fields, PUZZLES};
use pourfect::read;
use pourfect::report::Form;

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
    /// When a level is solved. Water: sorted or uniform; cups: the arrangement to reach, such as
    /// "1,2,3|4|"
    #[arg(long, value_name = "GOAL")]
    pub goal: Option<String>,
    /// Puzzle of levels that do not say one
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(PUZZLES))]
    pub puzzle: Option<String>,
    /// Cups that a column may hold; without it there is no limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub height: Option<u8>,
}

fn pour_rule(name: &str) -> Result<String, pourfect::puzzle::water::WaterError> {
    name.parse::<pourfect::puzzle::water::PourRule>().map(|rule| rule.name().to_owned())
}

impl Rules {
    /// The rules as fields of a level.
    pub fn fields(&self) -> Fields {
        let mut fields = Fields::new();
        for (name, value) in [("puzzle", &self.puzzle), ("pour", &self.pour), ("goal", &self.goal)]
        {
            fields.extend(value.as_ref().map(|value| (name.to_owned(), value.as_str().into())));
        }
        for (name, value) in [("capacity", self.capacity), ("height", self.height)] {
            fields.extend(value.map(|value| (name.to_owned(), value.into())));
        }
        fields
    }

    /// The puzzle of a text, which does not say one.
    pub fn puzzle(&self) -> &str {
        self.puzzle.as_deref().unwrap_or(PUZZLES[0])
    }
}

/// A file to read, or standard input for `-`.
pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>, CliError> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path).map_err(|error| CliError::read(path, error))?;
    Ok(Box::new(BufReader::new(file)))
}

/// The text of a file, or of standard input for `-`.
pub fn text(path: &Path) -> Result<String, CliError> {
    read::text(open(path)?).map_err(|error| CliError::read(path, error))
}

/// The pack file of a pack: the file itself, or the one in the folder.
pub fn pack_file(path: &Path) -> PathBuf {
    if path.is_dir() {
        let form = Form::of(path).unwrap_or(Form::Object);
        path.join(form.pack().file_name())
    } else {
        path.to_owned()
    }
}

/// Reads a pack.
pub fn pack(path: &Path) -> Result<Pack, CliError> {
    pack_levels(path)?.whole().map_err(|error| CliError::input(path.display(), error))
}

/// Reads a pack level by level.
pub fn pack_levels(path: &Path) -> Result<PackLevels<'static>, CliError> {
    let file = pack_file(path);
    PackLevels::read(open(&file)?).map_err(|error| CliError::input(file.display(), error))
}

/// Reads the packs beside which another is made.
pub fn known(paths: &[PathBuf]) -> Result<Known, CliError> {
    let mut known = Known::default();
    for path in paths {
        let pack = pack_levels(path)?;
        known.add(pack).map_err(|error| CliError::input(path.display(), error))?;
    }
    Ok(known)
}

/// The same, for a pack that says which ones they are.
pub fn known_to(pack: &Edits, paths: &[PathBuf]) -> Result<Known, CliError> {
    let known = known(paths)?;
    if known.digests == pack.known {
        return Ok(known);
    }
    Err(CliError::Usage("--known: these are not the packs that it was made beside".to_owned()))
}

/// The manifest of a folder, if it has one that can be read.
pub fn manifest(folder: &Path) -> Option<Manifest> {
    let file = File::open(folder.join(MANIFEST)).ok()?;
    read::json(&read::text(file).ok()?).ok()
}

/// Whether an argument is meant as the id of a level, and not as a pack.
pub fn is_id(argument: &Path) -> bool {
    argument.to_string_lossy().contains('#') && !argument.exists()
}

/// A level of a pack by its index or id, or the level of an id without any pack; with its seed.
pub fn level(pack: &Path, level: Option<&str>) -> Result<(PackLevel, u64), CliError> {
    let Some(which) = level else {
        return level_of(&pack.to_string_lossy());
    };
    let levels = pack_levels(pack)?;
    let (seed, count) = (levels.header().seed, levels.total());
    let index = which.parse().ok();
    for (place, level) in levels.enumerate() {
        let level = level.map_err(|error| CliError::input(pack.display(), error))?;
        if index == Some(place) || level.id == which {
            return Ok((level, seed));
        }
    }
    Err(CliError::input(pack.display(), format!("no level {which} among its {count}")))
}

fn level_of(id: &str) -> Result<(PackLevel, u64), CliError> {
    let id: LevelId = id.parse().map_err(|error: IdError| CliError::Usage(error.to_string()))?;
    let level = pipeline::level_of(&id).map_err(|error| match error {
        LevelOfError::Id(IdError::NeedsPack(_)) => {
            CliError::Refused(format!("{error}; give the pack first, then the id"))
        }
        other => CliError::Refused(other.to_string()),
    })?;
    Ok((level, id.seed))
}
