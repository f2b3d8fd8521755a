//! Writes packs and reports: one writer per file, behind one trait.

mod charts;
mod csv;
mod html;
mod json;
mod palette;
mod svg;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::pack::{FileSum, Header, MANIFEST, Manifest, Pack, PackLevel, Part};

pub use csv::{CsvReport, Row, RowWriter, header};
pub use html::HtmlReport;
use json::LevelLines;
pub use json::{JsonPack, LinesPack};
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

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// What every pack's folder has beside the pack itself.
const BESIDE: [&dyn Report; 2] = [&CsvReport, &HtmlReport];

/// How a pack is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `pack.json`: one JSON object.
    Object,
    /// `pack.jsonl`: JSON lines.
    Lines,
}

impl Form {
    /// The form of a folder's pack, if it has one.
    pub fn of(folder: &Path) -> Option<Self> {
        let has = |form: &Self| folder.join(form.pack().file_name()).exists();
        [Self::Object, Self::Lines].into_iter().find(has)
    }

    /// The file of the pack itself.
    pub fn pack(self) -> &'static dyn Report {
        match self {
            Self::Object => &JsonPack,
            Self::Lines => &LinesPack,
        }
    }

    /// All files of a pack's folder but the manifest.
    pub fn reports(self) -> impl Iterator<Item = &'static dyn Report> {
        std::iter::once(self.pack()).chain(BESIDE)
    }

    fn other(self) -> Self {
        match self {
            Self::Object => Self::Lines,
            Self::Lines => Self::Object,
        }
    }
}

/// Writes all files of a pack into its folder, the manifest last.
///
/// # Errors
/// A file or the folder cannot be written; the folder is then without a manifest.
pub fn write_pack(pack: &Pack, folder: &Path, form: Form) -> Result<(), WriteError> {
    begin(folder)?;
    let mut files = BTreeMap::new();
    for report in form.reports() {
        let sum = write_whole(&folder.join(report.file_name()), |out| report.write(pack, out))?;
        files.insert(report.file_name().to_owned(), sum);
    }
    let levels = pack.levels.len() as u64;
    finish(folder, form, Manifest { of: Part { run: pack.header(), shard: None }, levels, files })
}

/// Writes a pack in JSON lines whose levels come one by one, and its table.
///
/// # Errors
/// A level cannot be had, or a file cannot be written.
pub fn write_long<E: Into<io::Error>>(
    run: Header,
    count: u64,
    levels: impl Iterator<Item = Result<PackLevel, E>>,
    folder: &Path,
) -> Result<(), WriteError> {
    begin(folder)?;
    let form = Form::Lines;
    let (lines, table) = (form.pack().file_name(), CsvReport.file_name());
    let mut table_sum = None;
    let lines_sum = write_whole(&folder.join(lines), |lines| {
        let sum = write_whole(&folder.join(table), |table| {
            let mut lines = LevelLines::new(run.clone(), count, lines)?;
            let mut rows = RowWriter::new(table)?;
            for level in levels {
                let level = level.map_err(Into::into)?;
                lines.write(&level)?;
                rows.write(&Row::of(&level, run.seed))?;
            }
            rows.finish()
        });
        table_sum = Some(sum.map_err(io::Error::other)?);
        Ok(())
    })?;
    let mut files = BTreeMap::from([(lines.to_owned(), lines_sum)]);
    files.extend(table_sum.map(|sum| (table.to_owned(), sum)));
    finish(folder, form, Manifest { of: Part { run, shard: None }, levels: count, files })
}

/// Makes the folder; one that is about to change is no longer whole. What a write that was cut off
/// left behind goes away.
fn begin(folder: &Path) -> Result<(), WriteError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| WriteError { path, source }
    };
    std::fs::create_dir_all(folder).map_err(at(folder))?;
    let manifest = folder.join(MANIFEST);
    match std::fs::remove_file(&manifest) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(at(&manifest)(error));
        }
        _ => {}
    }
    for entry in std::fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(UNFINISHED) {
            std::fs::remove_file(&path).map_err(at(&path))?;
        }
    }
    Ok(())
}

/// Takes away the pack's other form, and writes the manifest.
fn finish(folder: &Path, form: Form, manifest: Manifest) -> Result<(), WriteError> {
    let other = folder.join(form.other().pack().file_name());
    match std::fs::remove_file(&other) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(WriteError { path: other, source: error });
        }
        _ => {}
    }
    write_manifest(folder, &manifest)
}

/// Writes a folder's manifest.
///
/// # Errors
/// It cannot be written.
pub fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<(), WriteError> {
    write_whole(&folder.join(MANIFEST), |out| {
        serde_json::to_writer_pretty(&mut *out, manifest)?;
        writeln!(out)
    })?;
    Ok(())
}

/// Writes a file beside its target and renames it, so that a reader never sees half of it.
///
/// # Errors
/// The file cannot be written; an older one stays as it was.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<FileSum, WriteError> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let whole = || -> io::Result<FileSum> {
        let file = io::BufWriter::new(new_file(folder)?);
        let mut out = Summed { out: file, bytes: 0, hash: Sha256::new() };
        write(&mut out)?;
        let Summed { out, bytes, hash } = out;
        let file = out.into_inner()?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(FileSum::new(bytes, hash))
    };
    whole().map_err(|source| WriteError { path: path.to_owned(), source })
}

/// The length and checksum of the file that a report would write.
///
/// # Errors
/// The report fails.
pub fn sum(report: &dyn Report, pack: &Pack) -> io::Result<FileSum> {
    let mut out = Summed { out: io::sink(), bytes: 0, hash: Sha256::new() };
    report.write(pack, &mut out)?;
    Ok(FileSum::new(out.bytes, out.hash))
}

/// Sums what goes through.
struct Summed<W> {
    out: W,
    bytes: u64,
    hash: Sha256,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hash.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What the names of files begin with that are not whole yet.
const UNFINISHED: &str = ".pourfect-";

/// A temporary file with the permissions of an ordinary one.
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The process's mask takes away what its user does not want.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.prefix(UNFINISHED).tempfile_in(folder)
}
