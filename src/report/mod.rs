//! Writes packs and reports: one writer per file, behind one trait.

mod charts;
mod csv;
mod html;
mod json;
mod palette;
mod svg;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::pack::Pack;

pub use csv::{CsvReport, Row, RowWriter, header};
pub use html::HtmlReport;
pub use json::JsonPack;
pub use palette::{PaletteColor, palette_color};
pub use svg::level_svg;

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

/// The files of a pack's folder.
pub const REPORTS: [&dyn Report; 3] = [&JsonPack, &CsvReport, &HtmlReport];

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// Writes all files of a pack into its folder.
///
/// # Errors
/// A file or the folder cannot be written; files written before stay.
pub fn write_pack(pack: &Pack, folder: &Path) -> Result<(), WriteError> {
    std::fs::create_dir_all(folder)
        .map_err(|source| WriteError { path: folder.to_owned(), source })?;
    for report in REPORTS {
        write_whole(&folder.join(report.file_name()), |out| report.write(pack, out))?;
    }
    Ok(())
}

/// Writes a file beside its target and renames it, so that a reader never sees half of it.
///
/// # Errors
/// The file cannot be written; an older one stays as it was.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let whole = || -> io::Result<()> {
        let mut out = io::BufWriter::new(new_file(folder)?);
        write(&mut out)?;
        let file = out.into_inner()?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    whole().map_err(|source| WriteError { path: path.to_owned(), source })
}

/// A temporary file with the permissions of an ordinary one.
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The process's mask takes away what its user does not want.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.prefix(".pourfect-").tempfile_in(folder)
}
