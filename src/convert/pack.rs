//! Our own packs.

use std::io::Write;

use super::{ConvertError, Entry, File, Format, Loss, Options};
use crate::pack::{Pack, PackLevel};

pub(super) struct PackFile;

impl Format for PackFile {
    fn name(&self) -> &'static str {
        "pack"
    }

    fn carries(&self, _: Loss, _: &Options) -> bool {
        true
    }

    fn read(&self, text: &str, _: &Options) -> Result<File, ConvertError> {
        let pack = Pack::read(text.as_bytes())?;
        let entry = |PackLevel { id, level, rating, .. }| Entry {
            id: Some(id),
            level,
            optimal_length: Some(rating.optimal_length),
        };
        Ok(File { entries: pack.levels.into_iter().map(entry).collect(), names: Vec::new() })
    }

    fn write(&self, _: &File, _: &Options, _: &mut dyn Write) -> Result<(), ConvertError> {
        let why = "a pack holds the settings and the seed that its levels are made from";
        Err(ConvertError::OnlyRead(self.name(), why))
    }
}
