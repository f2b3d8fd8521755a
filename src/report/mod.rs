//! Writes packs and reports: one writer per file, behind one trait.

mod charts;
mod csv;
mod folder;
mod html;
mod json;
mod palette;
mod svg;
mod whole;

use std::io::{self, Write};

use crate::pack::Pack;

pub use csv::{CsvReport, Row, RowWriter, header};
pub use folder::{Form, manifest, write_long, write_manifest, write_pack};
pub use html::HtmlReport;
pub use json::{JsonPack, LinesPack};
pub use palette::{PaletteColor, palette_color};
pub use svg::level_svg;
pub use whole::{WriteError, write_whole, write_whole_or};

/// A file that a pack is written to.
pub trait Report: Sync {
    /// The file's name in the pack's folder.
    fn file_name(&self) -> &'static str;

    /// Writes the file's content.
    ///
    /// # Errors
    /// The output cannot be written.
    fn write(&self, pack: &Pack, out: &mut dyn Write) -> io::Result<()>;
}
