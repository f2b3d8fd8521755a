//! One JSON object a line: `{"id":"…","capacity":4,"tubes":["ABAB","BABA","",""]}`.

use std::io::Write;

use serde_json::Value;

use super::{ConvertError, Entry, File, Format, Loss, Options, Source};
use crate::puzzle::Fields;
use crate::read;

pub(super) struct JsonLines;

/// Reads one line; rules that it does not say are `rules`.
///
/// # Errors
/// What is wrong.
pub fn record(line: &str, rules: &Fields) -> Result<Entry, String> {
    let mut fields: Fields = read::json(line).map_err(|error| error.to_string())?;
    for (name, rule) in rules {
        fields.entry(name).or_insert_with(|| rule.clone());
    }
    let id = fields.remove("id").map(|id| match id {
        Value::String(id) => id,
        other => other.to_string(),
    });
    let level = serde_json::from_value(fields.into()).map_err(|error| error.to_string())?;
    Ok(Entry { id, level, optimal_length: None })
}

impl Format for JsonLines {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn carries(&self, loss: Loss, _: &Options) -> bool {
        !matches!(loss, Loss::Names | Loss::Proof)
    }

    fn read(&self, text: &str, options: &Options) -> Result<File, ConvertError> {
        self.read_from(&mut text.as_bytes(), options)
    }

    fn read_from(&self, source: &mut dyn Source, options: &Options) -> Result<File, ConvertError> {
        let mut entries = Vec::new();
        for line in read::Lines::new(source) {
            let (line, text) = line?;
            if !text.trim().is_empty() {
                let entry = record(&text, &options.rules);
                entries.push(entry.map_err(|reason| ConvertError::Record { line, reason })?);
            }
        }
        Ok(File { entries, names: Vec::new() })
    }

    fn write(&self, file: &File, _: &Options, out: &mut dyn Write) -> Result<(), ConvertError> {
        for entry in &file.entries {
            let mut fields = Fields::new();
            fields.extend(entry.id.clone().map(|id| ("id".to_owned(), id.into())));
            fields.insert("puzzle".to_owned(), entry.level.puzzle().into());
            fields.extend(entry.level.fields());
            serde_json::to_writer(&mut *out, &fields)?;
            writeln!(out)?;
        }
        Ok(())
    }
}
