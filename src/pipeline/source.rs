//! Where candidates come from: attempts at one index until one is acceptable.

use std::collections::HashSet;

use super::candidate::Candidate;
use super::error::{GenerateError, Rejections};
use crate::config::{Order, Settings, Stretch};
use crate::generate::{self, Draw, Method};
use crate::id::{IdError, LevelId};
use crate::pack::PackLevel;
use crate::puzzle::{AnyShape, Level};
use crate::random::StreamId;
use crate::rate::{self, Mistakes, Options, RATING_ALGORITHM, Rating};
use crate::search::{self, Proof};

/// Where the candidates of a stretch come from.
pub(super) struct Source<'a> {
    settings: &'a Settings,
    pub stretch: &'a Stretch,
    seed: u64,
    /// Index of the stretch's first candidate.
    pub first: u64,
    digest: String,
    rating: Options,
}

impl<'a> Source<'a> {
    /// The source of a stretch, whose candidates begin at index `first`.
    pub fn new(settings: &'a Settings, stretch: usize, seed: u64, first: u64) -> Self {
        let digest = settings.digest(stretch);
        let rating = settings.rating();
        Self { settings, stretch: &settings.stretches[stretch], seed, first, digest, rating }
    }

    /// The candidate, or the next attempt that is not known yet; it is known from then on.
    pub fn unknown_yet(
        &self,
        candidate: Candidate,
        known: &mut HashSet<u64>,
    ) -> Result<Candidate, GenerateError> {
        if known.insert(candidate.fingerprint) {
            return Ok(candidate);
        }
        self.instead_of(candidate.index, candidate.attempt, known)
    }

    /// A later attempt at the same index that is not known yet, for a candidate that is known or
    /// that a designer rejected.
    pub fn instead_of(
        &self,
        index: u64,
        attempt: u32,
        known: &mut HashSet<u64>,
    ) -> Result<Candidate, GenerateError> {
        let candidate = self.candidate(index, attempt + 1, known)?;
        known.insert(candidate.fingerprint);
        Ok(candidate)
    }

    fn draws(&self, index: u64) -> &(AnyShape, Method) {
        self.stretch.draw(index - self.first)
    }

    /// The first acceptable attempt from `first` on that is not known.
    pub fn candidate(
        &self,
        index: u64,
        first: u32,
        known: &HashSet<u64>,
    ) -> Result<Candidate, GenerateError> {
        let mut rejections = Rejections::default();
        for attempt in first..self.settings.max_attempts {
            if let Some(candidate) = self.attempt(index, attempt, known, &mut rejections)? {
                return Ok(candidate);
            }
        }
        Err(self.exhausted(index, rejections))
    }

    fn exhausted(&self, index: u64, rejections: Rejections) -> GenerateError {
        let (shape, method) = self.draws(index);
        let (code, method, attempts) = (shape.code(), *method, self.settings.max_attempts);
        GenerateError::Exhausted { index, code, method, attempts, rejections }
    }

    fn attempt(
        &self,
        index: u64,
        attempt: u32,
        known: &HashSet<u64>,
        rejections: &mut Rejections,
    ) -> Result<Option<Candidate>, GenerateError> {
        let (shape, method) = self.draws(index);
        let stream = StreamId { seed: self.seed, index, attempt };
        // Where none of so many walks arrives, the next attempt's would not either. The budget is
        // that of the attempt alone: a run gives up at the same one however it got there.
        let patience = self.settings.max_attempts;
        let Some(Draw { level, lost, .. }) = generate::draw(shape, *method, stream, patience)
        else {
            rejections.lost = rejections.lost.saturating_add(patience);
            return Err(self.exhausted(index, *rejections));
        };
        rejections.lost = rejections.lost.saturating_add(lost);
        let fingerprint = level.fingerprint();
        // The cheap reasons first: rating takes the time.
        let reason = if level.is_solved() {
            Some(&mut rejections.solved)
        } else if level.is_partly_done() && !self.stretch.common.allow_partly_done {
            Some(&mut rejections.partly_done)
        } else if known.contains(&fingerprint) {
            Some(&mut rejections.duplicate)
        } else if !self.can_have_length(&level) {
            Some(&mut rejections.outside)
        } else {
            None
        };
        if let Some(count) = reason {
            *count += 1;
            return Ok(None);
        }
        let rated = rate::rate(&level, &self.rating);
        self.check_proof(index, &level, &rated.proof)?;
        match (rated.rating, rated.proof) {
            (Some(rating), _) if !self.is_comparable(&rating) => rejections.incomplete += 1,
            (Some(rating), _) if !rating.is_within(&self.stretch.common.limits) => {
                rejections.outside += 1
            }
            (Some(rating), Proof::Solved(solution)) => {
                let candidate = Candidate { index, attempt, level, fingerprint, rating, solution };
                return Ok(Some(candidate));
            }
            (_, Proof::Unsolvable) => rejections.unsolvable += 1,
            (_, _) => rejections.unknown += 1,
        }
        Ok(None)
    }

    /// Whether the level's optimal length is within its limits, if it has any: a search is quick,
    /// and spares the rest of a rating in vain.
    fn can_have_length(&self, level: &Level) -> bool {
        let Some(&[least, most]) = self.stretch.common.limits.get("optimal_length") else {
            return true;
        };
        let limits = self.settings.limits();
        let method = search::Method { algorithm: RATING_ALGORITHM, bound: None, limits };
        match search::solve(level, &method).map(|answer| answer.proof) {
            Ok(Proof::Solved(moves)) => (least..=most).contains(&(moves.len() as f64)),
            // For the rating to say.
            _ => true,
        }
    }

    /// Whether the figures may be held against those of other levels, if the stretch does so.
    fn is_comparable(&self, rating: &Rating) -> bool {
        let common = &self.stretch.common;
        let compares =
            common.target.is_some() || common.order == Order::Rising || !common.limits.is_empty();
        !compares || rating.mistakes.as_ref().is_none_or(Mistakes::is_complete)
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

    /// The candidate as a level of the pack; its index is still to be set.
    pub fn pack_level(&self, candidate: Candidate, target: Option<f64>) -> PackLevel {
        let draw = self.draws(candidate.index);
        let attempt = candidate.attempt;
        let (seed, number) = (self.seed, candidate.index);
        let id = LevelId::new(self.settings, draw, seed, number, attempt, &self.digest).to_string();
        let Candidate { index: drawn, attempt, level, rating, solution, .. } = candidate;
        let band = self.settings.band(rating.difficulty).to_owned();
        PackLevel {
            id,
            index: 0,
            candidate: drawn,
            attempt,
            pinned: false,
            level,
            rating,
            band,
            target,
            near: None,
            solution,
        }
    }
}

/// Makes the level of an id that decides it alone.
///
/// # Errors
/// The id does not decide the level, or there is no such level.
///
/// ```
/// use pourfect::pipeline;
/// let level = pipeline::level_of(&"w3x4+2.max.g2#42/7".parse()?)?;
/// assert_eq!(level.id, "w3x4+2.max.g2#42/7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_of(id: &LevelId) -> Result<PackLevel, LevelOfError> {
    let settings = id.settings()?;
    // All candidates of the only stretch are drawn alike, so it may begin at this one.
    let source = Source::new(&settings, 0, id.seed, id.candidate);
    let candidate = source.candidate(id.candidate, id.attempt, &HashSet::new())?;
    // Without an attempt, the candidate's first level is meant.
    if id.attempt > 0 && id.attempt != candidate.attempt {
        return Err(LevelOfError::NoSuchLevel(id.to_string()));
    }
    Ok(PackLevel { index: id.candidate, ..source.pack_level(candidate, None) })
}

/// An id of which no level can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LevelOfError {
    /// The id does not decide a level.
    #[error(transparent)]
    Id(#[from] IdError),
    /// No attempt gives a level.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The attempt gives no level.
    #[error("{0}: this attempt gives no level")]
    NoSuchLevel(String),
}

/// Draws a level of a pack again, and plays its walk if it was drawn by one.
///
/// # Errors
/// How the level fails to be drawn again, or its walk to solve it.
pub fn check_walk(settings: &Settings, seed: u64, level: &PackLevel) -> Result<(), String> {
    let mut first = 0;
    let mut of_index = None;
    for (number, stretch) in settings.stretches.iter().enumerate() {
        let end = first + stretch.candidates();
        if (first..end).contains(&level.candidate) {
            of_index = Some(Source::new(settings, number, seed, first));
        }
        first = end;
    }
    let source = of_index.ok_or_else(|| format!("no candidate has number {}", level.candidate))?;
    let (shape, method) = source.draws(level.candidate);
    let stream = StreamId { seed, index: level.candidate, attempt: level.attempt };
    let drawn = generate::draw(shape, *method, stream, settings.max_attempts);
    let Some(Draw { level: mut board, walk, .. }) = drawn else {
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
