//! Generate, solve, rate, select: from settings and a seed to a pack.
//!
//! A candidate is a function of (generator version, settings, seed, index, first attempt), and
//! candidates are taken in index order; a duplicate of an earlier level is drawn again. So the pack
//! is the same for every number of threads.

mod candidate;
mod draw;
mod error;
mod journal;
mod long;
mod near;
mod select;
mod shards;
mod source;

use std::collections::HashSet;
use std::ops::Range;

use crate::config::Settings;
use crate::pack::{Edits, Header, Pack};
pub use candidate::Candidate;
pub use error::{GenerateError, Rejections};
pub use journal::{Checkpoint, Forgetful, Journal, JournalError, Replay};
pub use long::{LongError, check_long, each_level, is_long, long_levels, long_run};
pub use shards::{Shards, ShardsError, draw_shard};
use source::Source;
pub use source::{LevelOfError, check_walk, level_of};

/// Hears of a run's progress.
pub trait Progress: Sync {
    /// One more candidate is done.
    fn level_done(&self);

    /// Whether the run is to end before it is done. It stops where it can be resumed.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Hears nothing.
pub struct Silent;

impl Progress for Silent {
    fn level_done(&self) {}
}

/// Everything that decides a pack, beside the generator version.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The settings.
    pub settings: &'a Settings,
    /// The seed.
    pub seed: u64,
    /// What a designer changed after the first run.
    pub edits: &'a Edits,
    /// Fingerprints of levels that must not occur.
    pub known: HashSet<u64>,
}

/// Makes the pack of some settings and a seed.
///
/// # Errors
/// The settings cannot be met.
///
/// ```
/// use pourfect::{config, pipeline::{self, Job}};
/// let toml = "name = 'tiny'\n[[stretches]]\nlevels = 2\ncolors = 3";
/// let (settings, _) = config::read(toml, &Default::default())?;
/// let job = Job { settings: &settings, seed: 42, edits: &Default::default(), known: Default::default() };
/// let pack = pipeline::generate(job, &pipeline::Silent)?;
/// assert_eq!(pack.levels.len(), 2);
/// assert!(pack.levels[0].rating.optimal_length > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(job: Job<'_>, progress: &dyn Progress) -> Result<Pack, GenerateError> {
    generate_with(job, &mut Forgetful, progress)
}

/// As [`generate`], with a journal: candidates that it has are not drawn again, and the others are
/// kept in it. The pack is the same as without.
///
/// # Errors
/// The settings cannot be met, the run was stopped, or the journal fails.
pub fn generate_with(
    job: Job<'_>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
) -> Result<Pack, GenerateError> {
    let Job { settings, seed, edits, mut known } = job;
    known.extend(edits.pinned.iter().map(|pin| pin.level.fingerprint()));
    let mut levels = Vec::new();
    let mut first = 0;
    for number in 0..settings.stretches.len() {
        let source = Source::new(settings, number, seed, first);
        first += source.stretch.candidates();
        let begin = levels.len() as u64;
        let slots = begin..begin + u64::from(source.stretch.common.levels);
        let pinned = pinned_in(edits, &slots);
        let pool = candidates(&source, first, &pinned, &mut known, journal, progress)?;
        levels.extend(select::fill_slots(&source, pool, slots, edits, &mut known)?);
    }
    levels.retain(|level| edits.admits(&level.rating));
    for (index, level) in levels.iter_mut().enumerate() {
        level.index = index as u64;
    }
    near::mark(&mut levels);
    Ok(Header::new(settings.clone(), seed, edits.clone()).with(levels))
}

/// Fingerprints of the levels pinned to some slots.
fn pinned_in(edits: &Edits, slots: &Range<u64>) -> HashSet<u64> {
    let here = edits.pinned.iter().filter(|pin| slots.contains(&pin.index));
    here.map(|pin| pin.level.fingerprint()).collect()
}

/// The candidates of a stretch up to index `end`, in order, none of them known. One that is pinned
/// in the stretch is left out: it stands in its slot already.
fn candidates(
    source: &Source<'_>,
    end: u64,
    pinned: &HashSet<u64>,
    known: &mut HashSet<u64>,
    journal: &mut dyn Journal,
    progress: &dyn Progress,
) -> Result<Vec<Candidate>, GenerateError> {
    known.retain(|fingerprint| !pinned.contains(fingerprint));
    let mut pool = Vec::new();
    draw::distinct(source, source.first..end, known, journal, progress, |candidate| {
        if !pinned.contains(&candidate.fingerprint) {
            pool.push(candidate);
        }
        Ok::<(), GenerateError>(())
    })?;
    known.extend(pinned);
    Ok(pool)
}
