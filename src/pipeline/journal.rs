//! Candidates kept on disk while a run goes on, so that nothing is lost when it ends early.
//!
//! A checkpoint is a file of lines, each the first 16 hexadecimal digits of the SHA-256 of the rest
//! and then JSON: what is being made, and the candidates in the order of their indexes. A run that
//! was cut off leaves a last line that is not whole; reading ends before it, and writing goes on
//! there.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::candidate::Candidate;
use crate::read::{self, Lines};

/// Where a run keeps its candidates and finds those of an earlier run.
pub trait Journal {
    /// The candidate of an index, if it was kept. Indexes rise from call to call; after the first
    /// that was not kept, none was.
    ///
    /// # Errors
    /// The kept candidates cannot be read.
    fn recall(&mut self, index: u64) -> Result<Option<Candidate>, JournalError>;

    /// Keeps a candidate, unless it was recalled from here.
    ///
    /// # Errors
    /// It cannot be written.
    fn keep(&mut self, candidate: &Candidate) -> Result<(), JournalError>;

    /// Hands what was kept to the system.
    ///
    /// # Errors
    /// It cannot be written.
    fn flush(&mut self) -> Result<(), JournalError>;
}

/// Keeps nothing.
pub struct Forgetful;

impl Journal for Forgetful {
    fn recall(&mut self, _: u64) -> Result<Option<Candidate>, JournalError> {
        Ok(None)
    }

    fn keep(&mut self, _: &Candidate) -> Result<(), JournalError> {
        Ok(())
    }

    fn flush(&mut self) -> Result<(), JournalError> {
        Ok(())
    }
}

/// Kept candidates that cannot be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct JournalError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
}

impl JournalError {
    pub(super) fn new(path: &Path, reason: impl ToString) -> Self {
        Self { path: path.to_owned(), reason: reason.to_string() }
    }
}

/// Candidates in a file.
pub struct Checkpoint {
    path: PathBuf,
    /// Reads as far as lines are whole; then the place to write is known.
    state: State,
    /// Index of the latest candidate that was recalled.
    recalled: Option<u64>,
    last_sync: Instant,
}

enum State {
    Reading { lines: Lines<BufReader<File>>, whole: u64 },
    Writing(BufWriter<File>),
}

/// What is not written through after so long may be lost in a power cut; it is then drawn again.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

impl Checkpoint {
    /// Begins a file for the run that `header` describes; an older file is overwritten.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create(path: &Path, header: &impl Serialize) -> Result<Self, JournalError> {
        let create = || -> io::Result<BufWriter<File>> {
            let mut file = BufWriter::new(File::create(path)?);
            file.write_all(sealed(header)?.as_bytes())?;
            file.flush()?;
            file.get_ref().sync_all()?;
            Ok(file)
        };
        let file = create().map_err(|error| JournalError::new(path, error))?;
        Ok(Self::at(path, State::Writing(file)))
    }

    /// Opens the file of an earlier run; `None` if there is none, or none with a whole header.
    ///
    /// # Errors
    /// The file cannot be read, or belongs to another run than `header` describes.
    pub fn open(path: &Path, header: &impl Serialize) -> Result<Option<Self>, JournalError> {
        let fault = |error: &dyn ToString| JournalError::new(path, error.to_string());
        let file = match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(fault(&error)),
        };
        let mut lines = Lines::new(BufReader::new(file));
        let Some(found) = next_sealed(&mut lines) else { return Ok(None) };
        let asked = sealed(header).map_err(|error| fault(&error))?;
        if unsealed(asked.trim_end()) != Some(&found) {
            return Err(fault(&"it belongs to a run of other settings, seed, shard or version"));
        }
        Ok(Some(Self::at(path, State::Reading { lines, whole: asked.len() as u64 })))
    }

    fn at(path: &Path, state: State) -> Self {
        Self { path: path.to_owned(), state, recalled: None, last_sync: Instant::now() }
    }

    /// The kept candidates again, from the first on, after all were written.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn replay(&mut self) -> Result<Replay, JournalError> {
        self.flush()?;
        let file = File::open(&self.path).map_err(|error| JournalError::new(&self.path, error))?;
        let mut lines = Lines::new(BufReader::new(file));
        lines.next();
        Ok(Replay { path: self.path.clone(), lines })
    }

    /// Removes the file, when its candidates are in a pack.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove(self) -> Result<(), JournalError> {
        std::fs::remove_file(&self.path).map_err(|error| JournalError::new(&self.path, error))
    }

    /// Cuts off what is not whole, and goes on writing there.
    fn write_from(&mut self, whole: u64) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).open(&self.path)?;
        let length = file.metadata()?.len();
        file.set_len(whole.min(length))?;
        file.seek(SeekFrom::End(0))?;
        if length < whole {
            // The last line is whole but for its end.
            file.write_all(b"\n")?;
        }
        self.state = State::Writing(BufWriter::new(file));
        Ok(())
    }

    fn written(
        &mut self,
        work: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> Result<(), JournalError> {
        work(self).map_err(|error| JournalError::new(&self.path, error))
    }
}

impl Journal for Checkpoint {
    fn recall(&mut self, index: u64) -> Result<Option<Candidate>, JournalError> {
        let State::Reading { lines, whole } = &mut self.state else { return Ok(None) };
        let next = next_sealed(lines);
        let candidate = next.as_ref().and_then(|json| read::json::<Candidate>(json).ok());
        match (next, candidate.filter(|candidate| candidate.index == index)) {
            (Some(json), Some(candidate)) => {
                *whole += json.len() as u64 + SEAL as u64 + 2;
                self.recalled = Some(index);
                Ok(Some(candidate))
            }
            _ => {
                let whole = *whole;
                self.written(|file| file.write_from(whole))?;
                Ok(None)
            }
        }
    }

    fn keep(&mut self, candidate: &Candidate) -> Result<(), JournalError> {
        if self.recalled >= Some(candidate.index) {
            return Ok(());
        }
        self.written(|file| match &mut file.state {
            State::Writing(out) => out.write_all(sealed(candidate)?.as_bytes()),
            State::Reading { .. } => {
                Err(io::Error::other("candidates are kept before all are recalled"))
            }
        })
    }

    fn flush(&mut self) -> Result<(), JournalError> {
        self.written(|file| {
            let State::Writing(out) = &mut file.state else { return Ok(()) };
            out.flush()?;
            if file.last_sync.elapsed() >= SYNC_INTERVAL {
                out.get_ref().sync_data()?;
                file.last_sync = Instant::now();
            }
            Ok(())
        })
    }
}

/// The candidates of a file, in order.
pub struct Replay {
    path: PathBuf,
    lines: Lines<BufReader<File>>,
}

impl Replay {
    /// Opens a file of candidates that is whole, and reads its header.
    ///
    /// # Errors
    /// The file cannot be read, or begins otherwise.
    pub fn open<H: DeserializeOwned>(path: &Path) -> Result<(H, Self), JournalError> {
        let file = File::open(path).map_err(|error| JournalError::new(path, error))?;
        let mut lines = Lines::new(BufReader::new(file));
        let json = next_sealed(&mut lines)
            .ok_or_else(|| JournalError::new(path, "it is no file of candidates"))?;
        let header = read::json(&json).map_err(|error| JournalError::new(path, error))?;
        Ok((header, Self { path: path.to_owned(), lines }))
    }
}

impl Iterator for Replay {
    type Item = Result<Candidate, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next()?;
        let candidate = line.map_err(|error| error.to_string()).and_then(|(number, line)| {
            let json = unsealed(&line).ok_or(format!("line {number} is damaged"))?;
            serde_json::from_str(json).map_err(|error| format!("line {number}: {error}"))
        });
        Some(candidate.map_err(|reason| JournalError::new(&self.path, reason)))
    }
}

/// Digits of a line's checksum.
const SEAL: usize = 16;

fn seal(json: &str) -> String {
    Sha256::digest(json).iter().take(SEAL / 2).map(|byte| format!("{byte:02x}")).collect()
}

/// A line: checksum, blank, JSON.
fn sealed(value: &impl Serialize) -> io::Result<String> {
    let json = serde_json::to_string(value)?;
    Ok(format!("{} {json}\n", seal(&json)))
}

/// The JSON of a line whose checksum is right.
fn unsealed(line: &str) -> Option<&str> {
    let (found, json) = line.split_at_checked(SEAL)?;
    let json = json.strip_prefix(' ')?;
    (found == seal(json)).then_some(json)
}

/// The JSON of the next line, if that is whole.
fn next_sealed(lines: &mut Lines<impl BufRead>) -> Option<String> {
    let (_, line) = lines.next()?.ok()?;
    unsealed(&line).map(str::to_owned)
}

impl From<JournalError> for io::Error {
    fn from(error: JournalError) -> Self {
        Self::other(error)
    }
}
