//! `pack.json`.

use std::io::{self, Write};

use super::Report;
use crate::pack::Pack;

/// The pack as one JSON object.
pub struct JsonPack;

impl Report for JsonPack {
    fn file_name(&self) -> &'static str {
        "pack.json"
    }

    fn write(&self, pack: &Pack, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, pack)?;
        writeln!(out)
    }
}
