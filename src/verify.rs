//! Checks a pack against itself: replays, walks, searches and derives everything again.

use std::collections::HashMap;
use std::fmt;

use crate::generate::GENERATOR_VERSION;
use crate::pack::{Generator, Pack, PackLevel, SCHEMA_VERSION};
use crate::pipeline::{self, GenerateError, Job, Progress};

/// Something in a pack that is not as its settings and seed make it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The level's index in the pack, or `None` for the pack as a whole.
    pub index: Option<usize>,
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

/// Everything in the pack that differs from what its settings and seed make: solutions that the
/// plain rules refuse, walks that do not lead back, levels that occur twice, and every field that
/// making the pack anew makes otherwise. Solving again is part of making anew. `known` are the packs
/// beside which it was made, in their order.
///
/// # Errors
/// The pack's settings cannot be met by this program.
pub fn verify(
    pack: &Pack,
    known: &[Pack],
    progress: &dyn Progress,
) -> Result<Vec<Difference>, GenerateError> {
    let mut found = Vec::new();
    let mut note = |index, what: String| found.push(Difference { index, what });
    if pack.schema_version != SCHEMA_VERSION {
        note(None, format!("schema version {}, not {SCHEMA_VERSION}", pack.schema_version));
    }
    if pack.generator != Generator::current() {
        note(
            None,
            format!(
                "made by generator version {} with model version {}; this program is version \
                 {GENERATOR_VERSION} with model version {} and cannot derive it again",
                pack.generator.version,
                pack.generator.model_version,
                Generator::current().model_version,
            ),
        );
    }
    for (index, level) in pack.levels.iter().enumerate() {
        if let Err(fault) = replay(level) {
            note(Some(index), fault);
        }
        // A pinned level may come from other settings; it is an input.
        if !level.pinned
            && let Err(fault) = pipeline::check_walk(&pack.settings, pack.seed, level)
        {
            note(Some(index), fault);
        }
    }
    duplicates(pack, &mut note);
    let digests: Vec<String> = known.iter().map(Pack::digest).collect();
    if digests != pack.edits.known {
        note(None, "the known packs given are not those that it was made beside".to_owned());
    }
    let known = pipeline::fingerprints(known);
    let job = Job { settings: &pack.settings, seed: pack.seed, edits: &pack.edits, known };
    let made = pipeline::generate(job, progress)?;
    compare(pack, &made, &mut note);
    Ok(found)
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

/// Levels that are the same up to renaming and reordering, compared as a whole.
fn duplicates(pack: &Pack, note: &mut impl FnMut(Option<usize>, String)) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (index, level) in pack.levels.iter().enumerate() {
        let form = level.level.identity();
        match seen.get(&form) {
            Some(first) => note(Some(index), format!("is the same level as level {first}")),
            None => {
                seen.insert(form, index);
            }
        }
    }
}

/// Every field that differs from the pack made anew.
fn compare(pack: &Pack, made: &Pack, note: &mut impl FnMut(Option<usize>, String)) {
    if pack.levels.len() != made.levels.len() {
        let (has, makes) = (pack.levels.len(), made.levels.len());
        note(None, format!("has {has} levels, its settings make {makes}"));
    }
    for (index, (level, made)) in pack.levels.iter().zip(&made.levels).enumerate() {
        let fields = |level: &PackLevel| crate::puzzle::to_fields(level);
        let (has, makes) = (fields(level), fields(made));
        for (name, value) in &has {
            if let Some(made) = makes.get(name).filter(|made| *made != value) {
                note(Some(index), format!("{name} is {value}, its settings and seed make {made}"));
            }
        }
    }
}
