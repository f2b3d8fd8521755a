//! Flat grids: a level is one list of numbers, tube after tube, each filled up with 0 to the
//! capacity. A file is one level or a list of levels; the capacity has to be told.

use std::io::Write;

use serde_json::Value;

use super::cells::{Reader, Writer};
use super::{ConvertError, File, Format, Loss, Options, Zero};
use crate::read;

pub(super) struct Grid;

impl Format for Grid {
    fn name(&self) -> &'static str {
        "grid"
    }

    fn carries(&self, _: Loss, _: &Options) -> bool {
        false
    }

    fn read(&self, text: &str, options: &Options) -> Result<File, ConvertError> {
        check_zero(options)?;
        let capacity = options.rules.get("capacity").and_then(Value::as_u64);
        let capacity = capacity.and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0);
        let capacity = capacity
            .ok_or(ConvertError::Form("a grid does not say how much a tube holds: --capacity"))?;
        let Value::Array(items) = read::json(text)? else {
            return Err(ConvertError::Form("a level is a list of numbers"));
        };
        let levels: Vec<&[Value]> = match items.iter().map(Value::as_array).collect() {
            Some(levels) => Vec::<&Vec<Value>>::into_iter(levels).map(Vec::as_slice).collect(),
            None => vec![&items],
        };
        let mut reader = Reader::new(options, Some(Zero::Empty));
        let mut entries = Vec::new();
        for (level, cells) in levels.into_iter().enumerate() {
            if cells.len() % capacity != 0 {
                let reason = format!("{} units are no whole tubes of {capacity}", cells.len());
                return Err(ConvertError::Refused { level, reason });
            }
            entries.push(reader.level(level, cells.chunks(capacity), &options.rules)?.into());
        }
        Ok(reader.file(entries))
    }

    fn write(
        &self,
        file: &File,
        options: &Options,
        out: &mut dyn Write,
    ) -> Result<(), ConvertError> {
        check_zero(options)?;
        let writer = Writer { options, zero: Some(Zero::Empty), names: &[] };
        let level = |(index, entry)| Ok(writer.tubes(&super::water(index, entry)?)?.concat());
        super::write_list(out, "[", file.entries.iter().enumerate().map(level), "]")
    }
}

fn check_zero(options: &Options) -> Result<(), ConvertError> {
    match options.zero {
        Some(Zero::Color) => Err(ConvertError::Form("0 is always empty in a grid")),
        Some(Zero::Empty) | None => Ok(()),
    }
}
