//! Draws candidates, many at a time, and hands them on in the order of their indexes.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::Progress;
use super::candidate::Candidate;
use super::error::GenerateError;
use super::journal::Journal;
use super::source::Source;

/// Hands on the candidates of some rising indexes, none of them known.
pub(super) fn distinct<E: From<GenerateError>>(
    source: &Source<'_>,
    indexes: impl Iterator<Item = u64>,
    known: &mut HashSet<u64>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
    mut accept: impl FnMut(Candidate) -> Result<(), E>,
) -> Result<(), E> {
    batches(source, indexes, known, journal, progress, |candidate, known, journal| {
        // Known by now may be what an earlier one of its batch gave.
        let candidate = source.unknown_yet(candidate, known)?;
        journal.keep(&candidate).map_err(GenerateError::from)?;
        accept(candidate)
    })
}

/// Hands on the first acceptable candidates of some rising indexes, known or not.
pub(super) fn first_attempts(
    source: &Source<'_>,
    indexes: impl Iterator<Item = u64>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
) -> Result<(), GenerateError> {
    let mut known = HashSet::new();
    batches(source, indexes, &mut known, journal, progress, |candidate, _, journal| {
        Ok::<(), GenerateError>(journal.keep(&candidate)?)
    })
}

/// Candidates depend on earlier ones only by what is known, and what is known too late only costs
/// another attempt: the size of a batch changes nothing.
const BATCH_PER_THREAD: usize = 64;

fn batches<E: From<GenerateError>>(
    source: &Source<'_>,
    mut indexes: impl Iterator<Item = u64>,
    known: &mut HashSet<u64>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
    mut take: impl FnMut(Candidate, &mut HashSet<u64>, &mut dyn Journal) -> Result<(), E>,
) -> Result<(), E> {
    let size = BATCH_PER_THREAD * rayon::current_num_threads();
    loop {
        let recall = |index| Ok((index, journal.recall(index).map_err(GenerateError::from)?));
        let batch: Vec<_> = indexes.by_ref().take(size).map(recall).collect::<Result<_, E>>()?;
        if batch.is_empty() {
            return Ok(());
        }
        let drawn: Vec<_> = batch
            .into_par_iter()
            .map(|(index, recalled)| guarded(source, index, recalled, known, progress))
            .collect();
        let taken = drawn.into_iter().try_for_each(|drawn| take(drawn?, known, journal));
        // What was drawn before a fault is kept all the same.
        journal.flush().map_err(GenerateError::from)?;
        taken?;
    }
}

/// The recalled candidate, or one that is drawn if there is none or if it is known; a panic is an
/// error that names it.
fn guarded(
    source: &Source<'_>,
    index: u64,
    recalled: Option<Candidate>,
    known: &HashSet<u64>,
    progress: &dyn Progress,
) -> Result<Candidate, GenerateError> {
    if progress.is_stopped() {
        return Err(GenerateError::Interrupted);
    }
    let draw = || {
        let candidate = match recalled {
            Some(candidate) if known.contains(&candidate.fingerprint) => {
                source.candidate(index, candidate.attempt + 1, known)
            }
            Some(candidate) => Ok(candidate),
            None => source.candidate(index, 0, known),
        };
        progress.level_done();
        candidate
    };
    catch_unwind(AssertUnwindSafe(draw)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(GenerateError::Panic { index, reason: words.unwrap_or_default() })
    })
}
