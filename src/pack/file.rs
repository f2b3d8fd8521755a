//! Reads packs, one JSON object or JSON lines, level by level.

use std::io::{BufRead, Read};

use serde::{Deserialize, Serialize};

use super::{Header, Pack, PackLevel, SCHEMA_VERSION};
use crate::config::ConfigError;
use crate::read::{self, Lines, MAX_LINE, ReadError};

/// The first line of a pack in JSON lines; the levels follow, one a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinesHeader {
    /// What decides the pack.
    pub pack: Header,
    /// How many levels follow.
    pub levels: u64,
}

/// A pack that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// Its text cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is no pack.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A line is no level.
    #[error("line {line}: {source}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// Levels are missing, or there are too many.
    #[error("it has {found} levels, and says {said}: it is not whole")]
    Count {
        /// Levels that there are.
        found: u64,
        /// Levels that there should be.
        said: u64,
    },
    /// Settings that no pack can be made with.
    #[error("its settings: {0}")]
    Settings(#[from] ConfigError),
    /// It is of a newer version of this program.
    #[error("schema version {0} is newer than this program, which reads up to {SCHEMA_VERSION}")]
    Newer(u32),
}

/// The levels of a pack, in order. One in JSON lines is read as they are asked for, and never in
/// memory as a whole; after an error there are no more.
pub struct PackLevels<'a> {
    header: Header,
    count: u64,
    levels: Box<dyn Iterator<Item = Result<PackLevel, PackError>> + Send + 'a>,
}

impl<'a> PackLevels<'a> {
    /// Reads as far as the levels.
    ///
    /// # Errors
    /// What is wrong, with the place.
    pub fn read(mut source: impl BufRead + Send + 'a) -> Result<Self, PackError> {
        let mut first = Vec::new();
        source.by_ref().take(MAX_LINE).read_until(b'\n', &mut first).map_err(ReadError::from)?;
        let line = read::text(&first[..]).ok();
        if let Some(version) = line.as_deref().and_then(newer) {
            return Err(PackError::Newer(version));
        }
        let pack = match line.and_then(|line| read::json(&line).ok()) {
            Some(LinesHeader { pack: header, levels: count }) => {
                Self { header, count, levels: Box::new(level_lines(source, count)) }
            }
            None => {
                let text = read::text(first.chain(source))?;
                match newer(&text) {
                    Some(version) => return Err(PackError::Newer(version)),
                    None => read::json::<Pack>(&text)?.into(),
                }
            }
        };
        pack.header.settings.check()?;
        Ok(pack)
    }

    /// The pack without its levels.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many levels the pack says that it has.
    pub fn total(&self) -> u64 {
        self.count
    }

    /// The pack in memory.
    ///
    /// # Errors
    /// What is wrong, with the place.
    pub fn whole(self) -> Result<Pack, PackError> {
        let levels = self.levels.collect::<Result<_, _>>()?;
        Ok(self.header.with(levels))
    }
}

impl Iterator for PackLevels<'_> {
    type Item = Result<PackLevel, PackError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.levels.next()
    }
}

impl From<Pack> for PackLevels<'_> {
    fn from(pack: Pack) -> Self {
        let (header, count) = (pack.header(), pack.levels.len() as u64);
        Self { header, count, levels: Box::new(pack.levels.into_iter().map(Ok)) }
    }
}

/// The levels of the lines after the header; an error in the end if there are not `said` of them.
fn level_lines(
    source: impl BufRead + Send,
    said: u64,
) -> impl Iterator<Item = Result<PackLevel, PackError>> + Send {
    let mut lines = Some(Lines::after(1, source));
    let mut found = 0;
    std::iter::from_fn(move || {
        let level = match lines.as_mut()?.next() {
            None if found == said => None,
            None => Some(Err(PackError::Count { found, said })),
            Some(Err(error)) => Some(Err(error.into())),
            Some(Ok((line, text))) => {
                found += 1;
                Some(read::json(&text).map_err(|source| PackError::Line { line, source }))
            }
        };
        if !matches!(level, Some(Ok(_))) {
            lines = None;
        }
        level
    })
}

/// The schema version of a pack, or of a first line, that is newer than this program; whatever else
/// is new in it.
fn newer(json: &str) -> Option<u32> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Versioned {
        schema_version: Option<u32>,
        pack: Option<Box<Versioned>>,
    }
    let found: Versioned = serde_json::from_str(json).ok()?;
    let version = found.schema_version.or_else(|| found.pack?.schema_version)?;
    (version > SCHEMA_VERSION).then_some(version)
}

impl Pack {
    /// Reads a pack: one JSON object, or JSON lines.
    ///
    /// # Errors
    /// What is wrong, with the place.
    pub fn read(source: impl BufRead + Send) -> Result<Self, PackError> {
        PackLevels::read(source)?.whole()
    }
}
