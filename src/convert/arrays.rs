//! Nested arrays: a level is a list of tubes, a tube a list of numbers (`arrays`) or of names of
//! colors (`names`). A file is one level or a list of levels.

use std::io::Write;

use serde_json::Value;

use super::cells::{Reader, Writer};
use super::{ConvertError, File, Format, Loss, Options, Zero};
use crate::read;

pub(super) struct Arrays {
    pub named: bool,
}

impl Arrays {
    /// What 0 stands for; `None` for names.
    fn zero(&self, options: &Options) -> Result<Option<Zero>, ConvertError> {
        if self.named { Ok(None) } else { options.zero.map(Some).ok_or(ConvertError::Zero) }
    }
}

/// Lists inside lists; JSON's reader bounds it.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

impl Format for Arrays {
    fn name(&self) -> &'static str {
        if self.named { "names" } else { "arrays" }
    }

    fn carries(&self, loss: Loss, options: &Options) -> bool {
        match loss {
            Loss::Names => self.named,
            Loss::Capacity => !self.named && options.zero == Some(Zero::Empty),
            Loss::Id | Loss::Pour | Loss::Goal | Loss::Proof => false,
        }
    }

    fn read(&self, text: &str, options: &Options) -> Result<File, ConvertError> {
        let value: Value = read::json(text)?;
        let levels = match (depth(&value), value) {
            (2, level) => vec![level],
            (3, Value::Array(levels)) => levels,
            _ => return Err(ConvertError::Form("a level is a list of lists of units")),
        };
        let mut reader = Reader::new(options, self.zero(options)?);
        let mut entries = Vec::new();
        for (level, value) in levels.iter().enumerate() {
            let tubes = value.as_array().map(|tubes| tubes.iter().map(Value::as_array));
            let tubes: Option<Vec<_>> = tubes.and_then(Iterator::collect);
            let tubes = tubes.ok_or_else(|| {
                let reason = "it is no list of lists of units".to_owned();
                ConvertError::Refused { level, reason }
            })?;
            let tubes = tubes.into_iter().map(Vec::as_slice);
            entries.push(reader.level(level, tubes, &options.rules)?.into());
        }
        Ok(reader.file(entries))
    }

    fn write(
        &self,
        file: &File,
        options: &Options,
        out: &mut dyn Write,
    ) -> Result<(), ConvertError> {
        let names = if options.names.is_empty() { &file.names } else { &options.names };
        let writer = Writer { options, zero: self.zero(options)?, names };
        let level = |(index, entry)| writer.tubes(&super::water(index, entry)?);
        super::write_list(out, "[", file.entries.iter().enumerate().map(level), "]")
    }
}
