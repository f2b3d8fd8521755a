//! Checks a pack against itself: replays, walks, searches and derives everything again, level by
//! level.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use serde_json::Value;

use crate::generate::GENERATOR_VERSION;
use crate::pack::{Generator, Header, Known, PackError, PackLevel, PackLevels, SCHEMA_VERSION};
use crate::pipeline::{self, GenerateError, Job, Progress};
use crate::rate::RATING_ALGORITHM;
use crate::search::{self, Method};

/// Something in a pack that is not as its settings and seed make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The level's index in the pack, or `None` for the pack as a whole.
    pub index: Option<u64>,
    /// What differs.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            Some(index) => write!(f, "level {index}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// Notes everything in the pack that differs from what its settings and seed make: solutions that
/// the plain rules refuse, walks that do not lead back, levels that occur twice, and every field
/// that making the pack anew makes otherwise. Solving again is part of making anew; a pack of
/// another generator version is only replayed and solved. `known` are the packs beside which it was
/// made, in their order. Returns how many levels the pack has.
///
/// A pack of the kind of a long run is never in memory as a whole; see [`pipeline::is_long`].
///
/// # Errors
/// The pack cannot be read to its end.
pub fn verify(
    pack: PackLevels<'_>,
    known: &Known,
    progress: &dyn Progress,
    note: &mut dyn FnMut(Difference),
) -> Result<u64, PackError> {
    let header = pack.header().clone();
    let mut check = Check { header: &header, levels: 0, seen: HashMap::new(), note };
    check.header(known);
    if header.generator == Generator::current() {
        check.made_anew(pack, known, progress)?;
    } else {
        for level in pack {
            let level = level?;
            check.solved_again(&level);
            check.next(&level);
            progress.level_done();
        }
    }
    Ok(check.levels)
}

/// Why a pack cannot be compared to the one made anew.
enum Fault {
    Pack(PackError),
    Generate(GenerateError),
}

impl From<GenerateError> for Fault {
    fn from(error: GenerateError) -> Self {
        Self::Generate(error)
    }
}

/// A pack that is being checked.
struct Check<'a> {
    header: &'a Header,
    /// Levels that were checked.
    levels: u64,
    /// The fingerprints of these, with their indexes.
    seen: HashMap<u64, u64>,
    note: &'a mut dyn FnMut(Difference),
}

impl Check<'_> {
    fn of_pack(&mut self, what: String) {
        (self.note)(Difference { index: None, what });
    }

    fn of_level(&mut self, what: String) {
        (self.note)(Difference { index: Some(self.levels), what });
    }

    fn header(&mut self, known: &Known) {
        let Header { schema_version, generator, edits, .. } = self.header;
        let current = Generator::current();
        if *schema_version != SCHEMA_VERSION {
            self.of_pack(format!("schema version {schema_version}, not {SCHEMA_VERSION}"));
        }
        if *generator != current {
            self.of_pack(format!(
                "made by generator version {} with model version {}; this program is version \
                 {GENERATOR_VERSION} with model version {} and cannot derive it again",
                generator.version, generator.model_version, current.model_version,
            ));
        }
        if known.digests != edits.known {
            self.of_pack("the known packs given are not those that it was made beside".to_owned());
        }
    }

    /// Compares every level to the one made anew.
    fn made_anew(
        &mut self,
        mut pack: PackLevels<'_>,
        known: &Known,
        progress: &dyn Progress,
    ) -> Result<(), PackError> {
        let Header { settings, seed, edits, .. } = self.header;
        let known = known.fingerprints.clone();
        let job = Job { settings, seed: *seed, edits, known };
        let mut makes = 0;
        let take = |made: PackLevel| {
            makes += 1;
            if let Some(level) = pack.next() {
                let level = level.map_err(Fault::Pack)?;
                self.compare(&level, &made);
                self.walk(&level);
                self.next(&level);
            }
            Ok(())
        };
        let done = if pipeline::is_long(settings) && pipeline::check_long(settings, edits).is_ok() {
            pipeline::each_level(job, progress, take)
        } else {
            let made = pipeline::generate(job, progress).map_err(Fault::from);
            made.and_then(|made| made.levels.into_iter().try_for_each(take))
        };
        for level in pack {
            let level = level?;
            self.walk(&level);
            self.next(&level);
        }
        match done {
            Err(Fault::Pack(error)) => return Err(error),
            Err(Fault::Generate(error)) => {
                self.of_pack(format!("its settings cannot be met: {error}"));
            }
            Ok(()) if self.levels != makes => {
                self.of_pack(format!("has {} levels, its settings make {makes}", self.levels));
            }
            Ok(()) => {}
        }
        Ok(())
    }

    /// Checks what a level says of itself, and goes on to the next one.
    fn next(&mut self, level: &PackLevel) {
        if let Err(fault) = replay(level) {
            self.of_level(fault);
        }
        let first = *self.seen.entry(level.level.fingerprint()).or_insert(self.levels);
        if first != self.levels {
            self.of_level(format!("is the same level as level {first}"));
        }
        self.levels += 1;
    }

    fn walk(&mut self, level: &PackLevel) {
        // A pinned level may come from other settings; it is an input.
        if !level.pinned
            && let Err(fault) = pipeline::check_walk(&self.header.settings, self.header.seed, level)
        {
            self.of_level(fault);
        }
    }

    /// Proves the optimal length again.
    fn solved_again(&mut self, level: &PackLevel) {
        let limits = self.header.settings.limits();
        let method = Method { algorithm: RATING_ALGORITHM, bound: None, limits };
        let says = level.rating.optimal_length;
        match search::solve(&level.level, &method).map(|answer| answer.proof) {
            Ok(proof) if proof.optimal_length() == Some(says) => {}
            Ok(proof) => {
                let found = proof.optimal_length().map_or(proof.name().to_owned(), |length| {
                    format!("solved in {length} moves at best")
                });
                self.of_level(format!("its optimal length is {says}, but it is {found}"));
            }
            Err(error) => self.of_level(error.to_string()),
        }
    }

    /// Notes every field that differs from the level made anew.
    fn compare(&mut self, level: &PackLevel, made: &PackLevel) {
        let (has, makes) = (crate::puzzle::to_fields(level), crate::puzzle::to_fields(made));
        let names: BTreeSet<&String> = has.keys().chain(makes.keys()).collect();
        let words = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
        for name in names.into_iter().filter(|&name| has.get(name) != makes.get(name)) {
            let (has, makes) = (words(has.get(name)), words(makes.get(name)));
            self.of_level(format!("{name} is {has}, its settings and seed make {makes}"));
        }
    }
}

/// Plays the stored solution by the plain rules.
fn replay(level: &PackLevel) -> Result<(), String> {
    let mut board = level.level.clone();
    for &action in &level.solution {
        board.play(action).map_err(|error| format!("its solution: {error}"))?;
    }
    if !board.is_solved() {
        return Err("its solution does not solve it".to_owned());
    }
    if level.solution.len() != level.rating.optimal_length as usize {
        return Err(format!(
            "its solution has {} moves, its optimal length is {}",
            level.solution.len(),
            level.rating.optimal_length
        ));
    }
    Ok(())
}
