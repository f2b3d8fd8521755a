//! One character per unit, bottom first, one level a line: `ABAB|BABA||`, or with `;` between the
//! tubes. Without a separator in the whole file each line is a tube, and blank lines part levels.

use std::io::Write;

use super::{ConvertError, Entry, File, Format, Loss, Options};
use crate::puzzle::water::Water;
use crate::puzzle::{Board, Level};

pub(super) struct Text {
    pub name: &'static str,
    pub separator: char,
}

impl Text {
    fn level(&self, line: usize, text: &str, options: &Options) -> Result<Entry, ConvertError> {
        let bars = text.replace(self.separator, "|");
        Level::from_text(Water::NAME, &bars, options.rules.clone())
            .map(Entry::from)
            .map_err(|source| ConvertError::Line { line, source })
    }
}

impl Format for Text {
    fn name(&self) -> &'static str {
        self.name
    }

    fn carries(&self, _: Loss, _: &Options) -> bool {
        false
    }

    fn read(&self, text: &str, options: &Options) -> Result<File, ConvertError> {
        if self.separator != '|' && text.contains('|') {
            return Err(ConvertError::Form("`|` stands for no color"));
        }
        let mut entries = Vec::new();
        if text.contains(self.separator) {
            for (index, line) in text.lines().enumerate() {
                if !line.trim().is_empty() {
                    entries.push(self.level(index + 1, line, options)?);
                }
            }
        } else {
            let lines: Vec<&str> = text.lines().collect();
            let mut first = 1;
            for tubes in lines.split(|line| line.trim().is_empty()) {
                if !tubes.is_empty() {
                    entries.push(self.level(first, &tubes.join("\n"), options)?);
                }
                first += tubes.len() + 1;
            }
        }
        Ok(File { entries, names: Vec::new() })
    }

    fn write(&self, file: &File, _: &Options, out: &mut dyn Write) -> Result<(), ConvertError> {
        for (level, entry) in file.entries.iter().enumerate() {
            let mut tubes = super::water(level, entry)?.stacks();
            // A line without a separator would be one tube of a level on several lines.
            if let [tube] = &mut tubes[..] {
                let reason =
                    format!("one tube ({tube}) cannot be told from a level on several lines");
                return Err(ConvertError::Refused { level, reason });
            }
            writeln!(out, "{}", tubes.join(&self.separator.to_string()))?;
        }
        Ok(())
    }
}
