//! Packs too large for memory: candidates go to a checkpoint, and levels come from it one by one.
//!
//! What must be seen as a whole is not to be had there: curves and rising order, edits, and the
//! search for near-duplicates.

use super::candidate::Candidate;
use super::error::GenerateError;
use super::journal::{Checkpoint, Forgetful, Journal, JournalError};
use super::source::Source;
use super::{Job, Progress, draw};
use crate::config::{Order, Settings};
use crate::pack::{Edits, LARGE, PackLevel};

/// What a long run cannot do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LongError {
    /// A stretch whose levels are chosen or put in order.
    #[error(
        "stretch {number}: a pack of so many levels takes them as drawn; targets, `candidates` \
         above 1 and `order = \"rising\"` need all in memory"
    )]
    Selection {
        /// Its number, from 1.
        number: usize,
    },
    /// Pins, rejections or filters.
    #[error("a pack of so many levels cannot be edited")]
    Edits,
}

/// Checks that a pack can be made level by level.
///
/// # Errors
/// What it has that needs all levels at once.
pub fn check_long(settings: &Settings, edits: &Edits) -> Result<(), LongError> {
    for (index, stretch) in settings.stretches.iter().enumerate() {
        let common = &stretch.common;
        let is_plain = common.target.is_none()
            && common.order == Order::Drawn
            && stretch.candidates() == u64::from(common.levels);
        if !is_plain {
            return Err(LongError::Selection { number: index + 1 });
        }
    }
    let plain = Edits { known: edits.known.clone(), ..Edits::default() };
    if *edits == plain { Ok(()) } else { Err(LongError::Edits) }
}

/// Whether a pack is large enough that [`long_levels`] gives the levels that
/// [`generate`](super::generate) gives: those are not searched for near-duplicates either.
pub fn is_long(settings: &Settings) -> bool {
    settings.levels() > LARGE
}

/// Draws all candidates of a pack into a journal. Memory grows by the fingerprints alone.
///
/// # Errors
/// The settings cannot be met, the run was stopped, or the journal fails.
pub fn long_run(
    job: Job<'_>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
) -> Result<(), GenerateError> {
    each_candidate(job, journal, progress, |_, _| Ok(()))
}

/// Makes a pack level by level, in order. Memory grows by the fingerprints alone.
///
/// # Errors
/// The settings cannot be met, the run was stopped, or `take` fails.
pub fn each_level<E: From<GenerateError>>(
    job: Job<'_>,
    progress: &dyn Progress,
    mut take: impl FnMut(PackLevel) -> Result<(), E>,
) -> Result<(), E> {
    each_candidate(job, &mut Forgetful, progress, |source, candidate| {
        take(level_of(source, candidate))
    })
}

fn each_candidate<E: From<GenerateError>>(
    job: Job<'_>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
    mut take: impl FnMut(&Source<'_>, Candidate) -> Result<(), E>,
) -> Result<(), E> {
    let Job { settings, seed, mut known, .. } = job;
    let mut first = 0;
    for number in 0..settings.stretches.len() {
        let source = Source::new(settings, number, seed, first);
        first += source.stretch.candidates();
        let indexes = source.first..first;
        let take = |candidate| take(&source, candidate);
        draw::distinct(&source, indexes, &mut known, journal, progress, take)?;
    }
    Ok(())
}

/// Every candidate is a level, so they have the same numbers.
fn level_of(source: &Source<'_>, candidate: Candidate) -> PackLevel {
    PackLevel { index: candidate.index, ..source.pack_level(candidate, None) }
}

/// The levels of a pack, in order, from the checkpoint of a [`long_run`] that is done.
///
/// # Errors
/// The checkpoint cannot be read.
pub fn long_levels<'a>(
    settings: &'a Settings,
    seed: u64,
    checkpoint: &mut Checkpoint,
) -> Result<impl Iterator<Item = Result<PackLevel, JournalError>> + use<'a>, JournalError> {
    let mut number = 0;
    let mut source = Source::new(settings, 0, seed, 0);
    let level = move |candidate: Result<Candidate, JournalError>| {
        let candidate = candidate?;
        let index = candidate.index;
        while index >= source.first + source.stretch.candidates()
            && number + 1 < settings.stretches.len()
        {
            number += 1;
            let first = source.first + source.stretch.candidates();
            source = Source::new(settings, number, seed, first);
        }
        Ok(level_of(&source, candidate))
    };
    Ok(checkpoint.replay()?.map(level))
}
