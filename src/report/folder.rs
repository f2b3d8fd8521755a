//! The folder of a pack: its files, and the manifest that says that they are whole.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::json::LevelLines;
use super::whole::{Summed, UNFINISHED};
use super::{
    CsvReport, HtmlReport, JsonPack, LinesPack, Report, Row, RowWriter, WriteError, write_whole,
};
use crate::pack::{
    FileSum, Header, LARGE, MANIFEST, Manifest, Pack, PackError, PackLevel, PackLevels, Part,
};
use crate::read::ReadError;

/// What a pack's folder may have beside the pack itself.
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

    /// All files of the folder of a pack of so many levels, but the manifest.
    pub fn reports(self, levels: u64) -> impl Iterator<Item = &'static dyn Report> {
        // A page of so many levels would be of no use.
        let has_page = levels <= LARGE;
        let beside = BESIDE.into_iter();
        let beside =
            beside.filter(move |report| has_page || report.file_name() != HtmlReport.file_name());
        std::iter::once(self.pack()).chain(beside)
    }
}

/// Writes all files of a pack into its folder, the manifest last.
///
/// # Errors
/// A file or the folder cannot be written; the folder is then without a manifest.
pub fn write_pack(pack: &Pack, folder: &Path, form: Form) -> Result<(), WriteError> {
    begin(folder)?;
    let mut files = BTreeMap::new();
    let levels = pack.levels.len() as u64;
    for report in form.reports(levels) {
        let sum = write_whole(&folder.join(report.file_name()), |out| report.write(pack, out))?;
        files.insert(report.file_name().to_owned(), sum);
    }
    finish(folder, Manifest { of: Part { run: pack.header(), shard: None }, levels, files })
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
    let (lines, table) = (LinesPack.file_name(), CsvReport.file_name());
    let mut table_sum = None;
    let lines_sum = write_whole(&folder.join(lines), |lines| {
        let sum = write_whole(&folder.join(table), |table| {
            write_levels(&run, count, levels, lines, table)
        });
        table_sum = Some(sum.map_err(io::Error::other)?);
        Ok(())
    })?;
    let mut files = BTreeMap::from([(lines.to_owned(), lines_sum)]);
    files.extend(table_sum.map(|sum| (table.to_owned(), sum)));
    finish(folder, Manifest { of: Part { run, shard: None }, levels: count, files })
}

/// Writes levels that come one by one to both files of a long pack.
fn write_levels<E: Into<io::Error>>(
    run: &Header,
    count: u64,
    levels: impl Iterator<Item = Result<PackLevel, E>>,
    lines: &mut dyn Write,
    table: &mut dyn Write,
) -> io::Result<()> {
    let mut lines = LevelLines::new(run.clone(), count, lines)?;
    let mut rows = RowWriter::new(table)?;
    for level in levels {
        let level = level.map_err(Into::into)?;
        lines.write(&level)?;
        rows.write(&Row::of(&level, run.seed))?;
    }
    rows.finish()
}

/// The manifest that [`write_pack`] or [`write_long`] writes with a pack.
///
/// # Errors
/// The pack cannot be read to its end.
pub fn manifest(pack: PackLevels<'_>, form: Form) -> Result<Manifest, PackError> {
    let (run, levels) = (pack.header().clone(), pack.total());
    let files = if form == Form::Lines && levels > LARGE {
        let (mut lines, mut table) = (Summed::of(io::sink()), Summed::of(io::sink()));
        let levels_of = pack.map(|level| level.map_err(io::Error::other));
        write_levels(&run, levels, levels_of, &mut lines, &mut table).map_err(ReadError::from)?;
        [(LinesPack.file_name(), lines.sum()), (CsvReport.file_name(), table.sum())].into()
    } else {
        let pack = pack.whole()?;
        let sum = |report: &dyn Report| -> io::Result<(&'static str, FileSum)> {
            let mut out = Summed::of(io::sink());
            report.write(&pack, &mut out)?;
            Ok((report.file_name(), out.sum()))
        };
        form.reports(levels)
            .map(sum)
            .collect::<io::Result<BTreeMap<_, _>>>()
            .map_err(ReadError::from)?
    };
    let files = files.into_iter().map(|(name, sum)| (name.to_owned(), sum)).collect();
    Ok(Manifest { of: Part { run, shard: None }, levels, files })
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

/// Takes away what an earlier pack left beside this one's files, and writes the manifest.
fn finish(folder: &Path, manifest: Manifest) -> Result<(), WriteError> {
    let all: [&dyn Report; 4] = [&JsonPack, &LinesPack, &CsvReport, &HtmlReport];
    for name in all.map(Report::file_name) {
        let path = folder.join(name);
        if !manifest.files.contains_key(name) && path.exists() {
            std::fs::remove_file(&path).map_err(|source| WriteError { path, source })?;
        }
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
