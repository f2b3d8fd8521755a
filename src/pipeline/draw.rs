//! Draws candidates, many at a time, and hands them on in the order of their indexes.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::Progress;
use super::candidate::{Candidate, GenerateError, Source};
use super::journal::Journal;

/// Hands on the candidates of some rising indexes, none of them known.
pub(super) fn distinct(
    source: &Source<'_>,
    indexes: impl Iterator<Item = u64>,
    known: &mut HashSet<u64>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
    mut accept: impl FnMut(Candidate),
) -> Result<(), GenerateError> {
    batches(source, indexes, journal, progress, |candidate, journal| {
        let candidate = source.unknown_yet(candidate, known)?;
        journal.keep(&candidate)?;
        accept(candidate);
        Ok(())
    })
}

/// Hands on the first acceptable candidates of some rising indexes, known or not.
pub(super) fn first_attempts(
    source: &Source<'_>,
    indexes: impl Iterator<Item = u64>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
) -> Result<(), GenerateError> {
    batches(source, indexes, journal, progress, |candidate, journal| Ok(journal.keep(&candidate)?))
}

/// Candidates do not depend on each other, so the size of a batch changes nothing.
const BATCH_PER_THREAD: usize = 64;

fn batches(
    source: &Source<'_>,
    mut indexes: impl Iterator<Item = u64>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
    mut take: impl FnMut(Candidate, &mut dyn Journal) -> Result<(), GenerateError>,
) -> Result<(), GenerateError> {
    let size = BATCH_PER_THREAD * rayon::current_num_threads();
    loop {
        let batch: Vec<u64> = indexes.by_ref().take(size).collect();
        if batch.is_empty() {
            return Ok(());
        }
        let mut recalled = 0;
        while let Some(&index) = batch.get(recalled) {
            let Some(candidate) = journal.recall(index)? else { break };
            recalled += 1;
            progress.level_done();
            take(candidate, journal)?;
        }
        let fresh = batch[recalled..].par_iter().map(|&index| guarded(source, index, progress));
        let drawn: Vec<_> = fresh.collect();
        let taken = drawn.into_iter().try_for_each(|drawn| take(drawn?, journal));
        // What was drawn before a fault is kept all the same.
        journal.flush()?;
        taken?;
    }
}

/// Draws one candidate; a panic is an error that names it.
fn guarded(
    source: &Source<'_>,
    index: u64,
    progress: &dyn Progress,
) -> Result<Candidate, GenerateError> {
    if progress.is_stopped() {
        return Err(GenerateError::Interrupted);
    }
    let draw = || {
        let candidate = source.candidate(index, 0);
        progress.level_done();
        candidate
    };
    catch_unwind(AssertUnwindSafe(draw)).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(GenerateError::Panic { index, reason: words.unwrap_or_default() })
    })
}
