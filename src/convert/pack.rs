//! Our own packs.

use std::io::Write;

use super::{ConvertError, Entry, File, Format, Loss, Options, Source};
use crate::pack::{PackError, PackLevel, PackLevels};

pub(super) struct PackFile;

impl Format for PackFile {
    fn name(&self) -> &'static str {
        "pack"
    }

    fn carries(&self, _: Loss, _: &Options) -> bool {
        true
    }

    fn read(&self, text: &str, options: &Options) -> Result<File, ConvertError> {
        self.read_from(&mut text.as_bytes(), options)
    }

    fn read_from(&self, source: &mut dyn Source, _: &Options) -> Result<File, ConvertError> {
        let entry = |level: Result<PackLevel, PackError>| {
            let PackLevel { id, level, rating, .. } = level?;
            Ok(Entry { id: Some(id), level, optimal_length: Some(rating.optimal_length) })
        };
        let entries = PackLevels::read(source)?.map(entry).collect::<Result<_, PackError>>()?;
        Ok(File { entries, names: Vec::new() })
    }

    fn write(&self, _: &File, _: &Options, _: &mut dyn Write) -> Result<(), ConvertError> {
        let why = "a pack holds the settings and the seed that its levels are made from";
        Err(ConvertError::OnlyRead(self.name(), why))
    }
}
