//! `pack.json`, and `pack.jsonl` for packs that are too large for one object.

use std::io::{self, Write};

use super::Report;
use crate::pack::{Header, LinesHeader, Pack, PackLevel};

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

/// The pack as JSON lines: the header, then one level a line.
pub struct LinesPack;

impl Report for LinesPack {
    fn file_name(&self) -> &'static str {
        "pack.jsonl"
    }

    fn write(&self, pack: &Pack, out: &mut dyn Write) -> io::Result<()> {
        let levels = pack.levels.len() as u64;
        let mut lines = LevelLines::new(pack.header(), levels, out)?;
        pack.levels.iter().try_for_each(|level| lines.write(level))
    }
}

/// Writes the levels of a pack in JSON lines, one by one.
pub(super) struct LevelLines<W>(W);

impl<W: Write> LevelLines<W> {
    pub fn new(pack: Header, levels: u64, mut out: W) -> io::Result<Self> {
        serde_json::to_writer(&mut out, &LinesHeader { pack, levels })?;
        writeln!(out)?;
        Ok(Self(out))
    }

    pub fn write(&mut self, level: &PackLevel) -> io::Result<()> {
        serde_json::to_writer(&mut self.0, level)?;
        writeln!(self.0)
    }
}
