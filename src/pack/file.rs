//! Reads packs: one JSON object, or JSON lines.

use std::io::{BufRead, Read};

use serde::{Deserialize, Serialize};

use super::{Header, Pack, PackLevel, SCHEMA_VERSION};
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
    /// It is of a newer version of this program.
    #[error("schema version {0} is newer than this program, which reads up to {SCHEMA_VERSION}")]
    Newer(u32),
}

impl Pack {
    /// Reads a pack: one JSON object, or JSON lines.
    ///
    /// # Errors
    /// What is wrong, with the place.
    pub fn read(mut source: impl BufRead) -> Result<Self, PackError> {
        let mut first = Vec::new();
        source.by_ref().take(MAX_LINE).read_until(b'\n', &mut first).map_err(ReadError::from)?;
        let header = read::text(&first[..]).ok().and_then(|line| read::json(&line).ok());
        let pack = match header {
            Some(header) => Self::read_lines(header, source)?,
            None => read::json(&read::text(first.chain(source))?)?,
        };
        match pack.schema_version {
            newer if newer > SCHEMA_VERSION => Err(PackError::Newer(newer)),
            _ => Ok(pack),
        }
    }

    fn read_lines(header: LinesHeader, source: impl BufRead) -> Result<Self, PackError> {
        let mut levels: Vec<PackLevel> = Vec::new();
        for line in Lines::after(1, source) {
            let (line, text) = line?;
            levels.push(read::json(&text).map_err(|source| PackError::Line { line, source })?);
        }
        let (found, said) = (levels.len() as u64, header.levels);
        if found != said {
            return Err(PackError::Count { found, said });
        }
        Ok(header.pack.with(levels))
    }
}
