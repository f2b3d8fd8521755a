//! Generate, solve, rate, select: from settings and a seed to a pack.
//!
//! A candidate is a function of (generator version, settings, seed, index, first attempt), and
//! candidates are taken in index order; a duplicate of an earlier level is drawn again. So the pack
//! is the same for every number of threads.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use rayon::prelude::*;

use crate::config::{Order, Settings, Stretch};
use crate::generate::{self, Draw, GENERATOR_VERSION, Method};
use crate::pack::{Generator, Pack, PackLevel, SCHEMA_VERSION};
use crate::puzzle::Level;
use crate::random::StreamId;
use crate::rate::{self, RATING_ALGORITHM, Rating};
use crate::search::{self, Proof};

/// Hears of a run's progress.
pub trait Progress: Sync {
    /// One more level is done.
    fn level_done(&self);
}

/// Hears nothing.
pub struct Silent;

impl Progress for Silent {
    fn level_done(&self) {}
}

/// Why the attempts at one level were rejected, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejections {
    /// Walks that ended in another shape.
    pub lost: u32,
    /// Levels that were solved already.
    pub solved: u32,
    /// Levels that were partly done.
    pub partly_done: u32,
    /// Levels proven unsolvable.
    pub unsolvable: u32,
    /// Levels about which a search reached its limit.
    pub unknown: u32,
    /// Levels that the pack has already.
    pub duplicate: u32,
}

impl fmt::Display for Rejections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.lost, "walks that ended in another shape"),
            (self.solved, "solved from the start"),
            (self.partly_done, "partly done from the start"),
            (self.unsolvable, "unsolvable"),
            (self.unknown, "not proven within max_states"),
            (self.duplicate, "duplicates"),
        ];
        let given: Vec<String> = reasons
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, reason)| format!("{count} {reason}"))
            .collect();
        f.write_str(&given.join(", "))
    }
}

/// A run that cannot give the asked levels.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GenerateError {
    /// No attempt at a level was accepted.
    #[error(
        "level {index} ({code} by {method}): none of {attempts} attempts was accepted: {rejections}"
    )]
    Exhausted {
        /// The candidate's index.
        index: u64,
        /// The size and rules.
        code: String,
        /// How it was drawn.
        method: Method,
        /// How often.
        attempts: u32,
        /// Why not.
        rejections: Rejections,
    },
    /// Two engines disagree: a fault of the program.
    #[error(
        "level {index}: {algorithm} finds {found}, the rating search {rated}: please report this"
    )]
    Disagreement {
        /// The candidate's index.
        index: u64,
        /// The engine.
        algorithm: search::Algorithm,
        /// Its verdict.
        found: String,
        /// The rating search's verdict.
        rated: String,
    },
}

/// A level accepted as a candidate.
#[derive(Clone, Debug)]
struct Candidate {
    index: u64,
    attempt: u32,
    /// Whether an earlier accepted attempt was a duplicate.
    redrawn: bool,
    level: Level,
    fingerprint: u64,
    rating: Rating,
    proof: Proof,
}

/// Makes the pack of some settings and a seed.
///
/// # Errors
/// The settings cannot be met.
///
/// ```
/// use pourfect::{config, pipeline};
/// let toml = "name = 'tiny'\n[[stretches]]\nlevels = 2\ncolors = 3";
/// let (settings, _) = config::read(toml, &Default::default())?;
/// let pack = pipeline::generate(&settings, 42, &pipeline::Silent)?;
/// assert_eq!(pack.levels.len(), 2);
/// assert!(pack.levels[0].rating.optimal_length > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(
    settings: &Settings,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Pack, GenerateError> {
    let digest = settings.digest();
    let mut known = HashSet::new();
    let mut levels = Vec::new();
    let mut first = 0;
    for stretch in &settings.stretches {
        let indexes = first..first + u64::from(stretch.levels);
        first = indexes.end;
        let source = Source { settings, stretch, seed };
        let mut candidates = source.candidates(indexes, &mut known, progress)?;
        if stretch.order == Order::Rising {
            candidates.sort_by(|a, b| a.rating.difficulty.total_cmp(&b.rating.difficulty));
        }
        for candidate in candidates {
            levels.push(source.pack_level(candidate, levels.len() as u64, &digest));
        }
    }
    let generator = Generator::current();
    let settings = settings.clone();
    Ok(Pack { schema_version: SCHEMA_VERSION, generator, settings, seed, levels })
}

/// Plays the walk of a level that was drawn by one; `None` if it was drawn otherwise.
///
/// # Errors
/// How the walk fails to make or to solve the level.
pub fn check_walk(
    settings: &Settings,
    seed: u64,
    stretch: &Stretch,
    level: &PackLevel,
) -> Result<(), String> {
    let source = Source { settings, stretch, seed };
    let stream = source.stream(level.candidate, level.attempt);
    let Some(Draw { level: mut board, walk }) =
        generate::draw(&stretch.shape, stretch.method, stream)
    else {
        return Err("its walk ends in another shape".to_owned());
    };
    if board != level.level {
        return Err("its stream draws another level".to_owned());
    }
    for action in walk.iter().flatten() {
        board.play(*action).map_err(|error| format!("its walk: {error}"))?;
    }
    if walk.is_some() && !board.is_solved() {
        return Err("its walk played backward does not solve it".to_owned());
    }
    Ok(())
}

/// Where the candidates of a stretch come from.
struct Source<'a> {
    settings: &'a Settings,
    stretch: &'a Stretch,
    seed: u64,
}

impl Source<'_> {
    /// The candidates of some indexes, in order, none of them known.
    fn candidates(
        &self,
        indexes: Range<u64>,
        known: &mut HashSet<u64>,
        progress: &dyn Progress,
    ) -> Result<Vec<Candidate>, GenerateError> {
        let mut accepted = Vec::new();
        // Candidates do not depend on each other, so the size of a batch changes nothing.
        let batch = 64 * rayon::current_num_threads() as u64;
        let mut next = indexes.start;
        while next < indexes.end {
            let end = indexes.end.min(next.saturating_add(batch));
            let drawn: Vec<_> = (next..end)
                .into_par_iter()
                .map(|index| {
                    let candidate = self.candidate(index, 0, Rejections::default());
                    progress.level_done();
                    candidate
                })
                .collect();
            for candidate in drawn {
                accepted.push(self.unknown_yet(candidate?, known)?);
            }
            next = end;
        }
        Ok(accepted)
    }

    /// The candidate, or the next attempt that is not known yet.
    fn unknown_yet(
        &self,
        mut candidate: Candidate,
        known: &mut HashSet<u64>,
    ) -> Result<Candidate, GenerateError> {
        let mut duplicate = 0;
        while !known.insert(candidate.fingerprint) {
            duplicate += 1;
            let rejections = Rejections { duplicate, ..Rejections::default() };
            candidate = self.candidate(candidate.index, candidate.attempt + 1, rejections)?;
            candidate.redrawn = true;
        }
        Ok(candidate)
    }

    fn stream(&self, index: u64, attempt: u32) -> StreamId {
        StreamId { seed: self.seed, index, attempt }
    }

    /// The first acceptable attempt from `first` on.
    fn candidate(
        &self,
        index: u64,
        first: u32,
        mut rejections: Rejections,
    ) -> Result<Candidate, GenerateError> {
        for attempt in first..self.settings.max_attempts {
            if let Some(candidate) = self.attempt(index, attempt, &mut rejections)? {
                return Ok(candidate);
            }
        }
        let (code, method) = (self.stretch.shape.code(), self.stretch.method);
        let attempts = self.settings.max_attempts;
        Err(GenerateError::Exhausted { index, code, method, attempts, rejections })
    }

    fn attempt(
        &self,
        index: u64,
        attempt: u32,
        rejections: &mut Rejections,
    ) -> Result<Option<Candidate>, GenerateError> {
        let Stretch { shape, method, allow_partly_done, .. } = self.stretch;
        let Some(Draw { level, .. }) = generate::draw(shape, *method, self.stream(index, attempt))
        else {
            rejections.lost += 1;
            return Ok(None);
        };
        if level.is_solved() {
            rejections.solved += 1;
        } else if level.is_partly_done() && !allow_partly_done {
            rejections.partly_done += 1;
        } else {
            let rated = rate::rate(&level, &self.settings.limits());
            self.check_proof(index, &level, &rated.proof)?;
            match (rated.rating, rated.proof) {
                (Some(rating), proof) => {
                    let (fingerprint, redrawn) = (level.fingerprint(), false);
                    let candidate =
                        Candidate { index, attempt, redrawn, level, fingerprint, rating, proof };
                    return Ok(Some(candidate));
                }
                (None, Proof::Unsolvable) => rejections.unsolvable += 1,
                (None, _) => rejections.unknown += 1,
            }
        }
        Ok(None)
    }

    /// Has the settings' engine prove the level too, where it is not the rating search's.
    fn check_proof(&self, index: u64, level: &Level, rated: &Proof) -> Result<(), GenerateError> {
        let algorithm = self.settings.algorithm;
        if algorithm == RATING_ALGORITHM {
            return Ok(());
        }
        let method = search::Method { algorithm, bound: None, limits: self.settings.limits() };
        let found = match search::solve(level, &method) {
            Ok(answer) => answer.proof,
            // Every puzzle has its default bound.
            Err(_) => return Ok(()),
        };
        let undecided = [rated, &found].iter().any(|p| matches!(p, Proof::Unknown { .. }));
        if undecided || found.optimal_length() == rated.optimal_length() {
            return Ok(());
        }
        let describe = |proof: &Proof| match proof.optimal_length() {
            Some(length) => format!("{length} moves"),
            None => proof.name().to_owned(),
        };
        let (found, rated) = (describe(&found), describe(rated));
        Err(GenerateError::Disagreement { index, algorithm, found, rated })
    }

    fn pack_level(&self, candidate: Candidate, index: u64, digest: &str) -> PackLevel {
        let id = self.id(&candidate, digest);
        let Candidate { index: drawn, attempt, level, rating, proof, .. } = candidate;
        let band = self.settings.band(rating.difficulty).to_owned();
        let solution = match proof {
            Proof::Solved(moves) => moves,
            Proof::Unsolvable | Proof::Unknown { .. } => Vec::new(),
        };
        PackLevel { id, index, candidate: drawn, attempt, level, rating, band, solution }
    }

    /// Size, rules, method if not the default, generator version, seed and candidate; the attempt
    /// where duplicates cost some, and the settings' digest where more than these decide.
    fn id(&self, candidate: &Candidate, digest: &str) -> String {
        let code = self.stretch.shape.code();
        let method = match self.stretch.method {
            Method::Reverse => String::new(),
            Method::Fill => ".fill".to_owned(),
        };
        let (seed, index) = (self.seed, candidate.index);
        let attempt = match candidate.redrawn {
            true => format!(".{}", candidate.attempt),
            false => String::new(),
        };
        let plain = self.settings.is_single_size() && !self.stretch.allow_partly_done;
        let digest = if plain { String::new() } else { format!("~{}", &digest[..8]) };
        format!("{code}{method}.g{GENERATOR_VERSION}#{seed}/{index}{attempt}{digest}")
    }
}
