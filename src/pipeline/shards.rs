//! Draws the parts of a run on several machines, and joins them. Merging takes them in index order, as one machine would have drawn them.

use std::path::{Path, PathBuf};

use super::candidate::Candidate;
use super::error::GenerateError;
use super::journal::{Journal, JournalError, Replay};
use super::source::Source;
use super::{Job, Progress, draw};
use crate::pack::{Header, Part, Shard};

/// Draws the candidates of one shard into a journal; what is known is for the merge to see.
///
/// # Errors
/// The settings cannot be met, the run was stopped, or the journal fails.
pub fn draw_shard(
    job: &Job<'_>,
    shard: Shard,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
) -> Result<(), GenerateError> {
    let mut first = 0;
    for number in 0..job.settings.stretches.len() {
        let source = Source::new(job.settings, number, job.seed, first);
        first += source.stretch.candidates();
        let indexes = (source.first..first).filter(|index| index % shard.of == shard.number);
        draw::first_attempts(&source, indexes, journal, progress)?;
    }
    Ok(())
}

/// Parts that do not make a whole.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShardsError {
    /// A file that cannot be read as a shard's.
    #[error(transparent)]
    File(#[from] JournalError),
    /// A part of another run.
    #[error("{} is a part of another run than {}", second.display(), first.display())]
    OtherRun {
        /// A part.
        first: PathBuf,
        /// The one that does not belong to it.
        second: PathBuf,
    },
    /// Parts of different divisions.
    #[error("{} is shard {second_shard}, {} is shard {first_shard}", second.display(), first.display())]
    OtherDivision {
        /// A part.
        first: PathBuf,
        /// Which.
        first_shard: Shard,
        /// Another.
        second: PathBuf,
        /// Which.
        second_shard: Shard,
    },
    /// The same part twice.
    #[error("{} and {} are both shard {shard}", first.display(), second.display())]
    Twice {
        /// A part.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// Which both are.
        shard: Shard,
    },
    /// Parts that are not there.
    #[error("{}", missing_words(missing))]
    Missing {
        /// Which.
        missing: Vec<Shard>,
    },
}

fn missing_words(missing: &[Shard]) -> String {
    let names: Vec<String> = missing.iter().map(Shard::to_string).collect();
    let (noun, verb) = if names.len() == 1 { ("shard", "is") } else { ("shards", "are") };
    format!("{noun} {} {verb} missing", names.join(", "))
}

/// All parts of a run.
pub struct Shards {
    run: Header,
    parts: Vec<OpenPart>,
}

/// The file of one part, read as far as its header.
struct OpenPart {
    file: PathBuf,
    run: Header,
    shard: Shard,
    candidates: Replay,
}

impl OpenPart {
    fn open(file: &Path) -> Result<Self, ShardsError> {
        let (part, candidates) = Replay::open::<Part>(file)?;
        let Part { run, shard } = part;
        let shard =
            shard.ok_or_else(|| JournalError::new(file, "it is no part, but a whole run"))?;
        Ok(Self { file: file.to_owned(), run, shard, candidates })
    }

    /// Checks that another part is of the same run, divided the same way.
    fn check_beside(&self, other: &Self) -> Result<(), ShardsError> {
        let (first, second) = (self.file.clone(), other.file.clone());
        if self.run != other.run {
            return Err(ShardsError::OtherRun { first, second });
        }
        if self.shard.of != other.shard.of {
            let (first_shard, second_shard) = (self.shard, other.shard);
            return Err(ShardsError::OtherDivision { first, first_shard, second, second_shard });
        }
        Ok(())
    }
}

impl Shards {
    /// Opens the files of all parts.
    ///
    /// # Errors
    /// A file cannot be read, or the parts do not make a whole.
    pub fn open(files: &[PathBuf]) -> Result<Self, ShardsError> {
        let mut parts: Vec<OpenPart> = Vec::new();
        for file in files {
            let part = OpenPart::open(file)?;
            if let Some(first) = parts.first() {
                first.check_beside(&part)?;
            }
            if let Some(first) = parts.iter().find(|first| first.shard == part.shard) {
                let (first, second) = (first.file.clone(), part.file);
                return Err(ShardsError::Twice { first, second, shard: part.shard });
            }
            parts.push(part);
        }
        parts.sort_by_key(|part| part.shard.number);
        Self::whole(parts)
    }

    fn whole(parts: Vec<OpenPart>) -> Result<Self, ShardsError> {
        let of = parts.first().map_or(1, |part| part.shard.of);
        let there = |number: &u64| parts.iter().any(|part| part.shard.number == *number);
        // A file may claim any number of parts; only so many are listed.
        let missing = (0..of).filter(|number| !there(number)).take(LISTED);
        let missing: Vec<Shard> = missing.map(|number| Shard { number, of }).collect();
        match parts.first() {
            Some(first) if missing.is_empty() => Ok(Self { run: first.run.clone(), parts }),
            _ => Err(ShardsError::Missing { missing }),
        }
    }

    /// The run whose parts these are.
    pub fn run(&self) -> &Header {
        &self.run
    }

    /// A journal that has every candidate, and keeps them in another.
    pub fn joined(self, copy: &mut (dyn Journal + Send)) -> impl Journal + Send {
        Joined { parts: self.parts, copy }
    }
}

/// Most missing shards that are named.
const LISTED: usize = 20;

struct Joined<'a> {
    parts: Vec<OpenPart>,
    copy: &'a mut (dyn Journal + Send),
}

impl Journal for Joined<'_> {
    fn recall(&mut self, index: u64) -> Result<Option<Candidate>, JournalError> {
        let of = self.parts.len() as u64;
        // The remainder is below the number of parts.
        let OpenPart { file, candidates, .. } = &mut self.parts[(index % of) as usize];
        let candidate = candidates.next().transpose()?.filter(|found| found.index == index);
        let fault = || JournalError::new(file, format!("candidate {index} is missing"));
        candidate.map(Some).ok_or_else(fault)
    }

    fn keep(&mut self, candidate: &Candidate) -> Result<(), JournalError> {
        self.copy.keep(candidate)
    }

    fn flush(&mut self) -> Result<(), JournalError> {
        self.copy.flush()
    }
}
