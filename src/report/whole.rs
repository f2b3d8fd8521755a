//! Files that are there as a whole or not at all.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::pack::FileSum;

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub source: io::Error,
}

/// Writes a file beside its target and renames it, so that a reader never sees half of it.
///
/// # Errors
/// The file cannot be written; an older one stays as it was.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<FileSum, WriteError> {
    let fault = |source| WriteError { path: path.to_owned(), source };
    write_whole_or(path, |out| write(out).map_err(fault))
}

/// The same for work that fails in ways of its own.
///
/// # Errors
/// The work's, or the file cannot be written; an older one stays as it was.
pub fn write_whole_or<E: From<WriteError>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<FileSum, E> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let fault = |source| WriteError { path: path.to_owned(), source };
    let mut out = Summed::of(io::BufWriter::new(new_file(folder).map_err(fault)?));
    write(&mut out)?;
    let sum = out.sum();
    let place = || -> io::Result<()> {
        let file = out.out.into_inner()?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        sync_folder(folder)
    };
    place().map_err(fault)?;
    Ok(sum)
}

/// Has the names of a folder's files written through: after a power cut a manifest is then never
/// there without the files that it lists.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match std::fs::File::open(folder)?.sync_all() {
        // A file system that knows nothing of it.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

/// Sums what goes through.
pub(super) struct Summed<W> {
    out: W,
    bytes: u64,
    hash: Sha256,
}

impl<W> Summed<W> {
    pub fn of(out: W) -> Self {
        Self { out, bytes: 0, hash: Sha256::new() }
    }

    pub fn sum(&self) -> FileSum {
        FileSum::new(self.bytes, self.hash.clone())
    }
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
pub(super) const UNFINISHED: &str = ".pourfect-";

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
