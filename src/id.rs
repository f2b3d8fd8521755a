//! The short identity of a level, enough to make it again.
//!
//! `CODE[.METHOD].gVERSION#SEED/CANDIDATE[.ATTEMPT][~DIGEST]`, such as `w12x4+2.max.g2#42/17`:
//! size and rules, the method if not the default, the generator version, the seed, the candidate's
//! index, the attempt if it is not the first, and the beginning of the settings' digest where
//! more than all this decides; then the level needs its pack.

use std::fmt;
use std::str::FromStr;

use crate::config::{self, ConfigError, Overrides, Settings};
use crate::generate::{GENERATOR_VERSION, Method};
use crate::puzzle::{AnyShape, Fields};
use crate::search::Limits;

/// Hexadecimal digits of a digest in an id.
const DIGEST_DIGITS: usize = 8;
/// Attempts have streams of their own below this; see [`crate::random`].
const ATTEMPTS: u32 = 1 << 27;

/// The identity of a level.
///
/// ```
/// use pourfect::id::LevelId;
/// let id: LevelId = "w12x4+2.max.g2#42/17".parse()?;
/// assert_eq!((id.seed, id.candidate), (42, 17));
/// assert_eq!(id.to_string(), "w12x4+2.max.g2#42/17");
/// # Ok::<(), pourfect::id::IdError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelId {
    /// Size and rules.
    pub code: String,
    /// How the level was drawn.
    pub method: Method,
    /// The generator version that drew it.
    pub version: u32,
    /// The seed of its pack.
    pub seed: u64,
    /// The candidate it was drawn as.
    pub candidate: u64,
    /// The attempt that gave the level.
    pub attempt: u32,
    /// The beginning of the settings' digest, where the rest does not decide.
    pub digest: Option<String>,
}

/// A text that is no id, or an id that is not enough here.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IdError {
    /// Not written like an id.
    #[error("`{0}` is no id of a level: one looks like w12x4+2.max.g2#42/17")]
    Syntax(String),
    /// The level depends on settings that the id does not hold.
    #[error("{0} needs its pack: settings that the id does not hold decide this level")]
    NeedsPack(String),
    /// The level is of another generator version.
    #[error(
        "{id} was made by generator version {version}; this program is version {GENERATOR_VERSION}"
    )]
    Version {
        /// The id.
        id: String,
        /// Its version.
        version: u32,
    },
    /// Settings that cannot be.
    #[error(transparent)]
    Settings(#[from] ConfigError),
}

impl LevelId {
    /// The id of an attempt at a candidate.
    pub fn new(
        settings: &Settings,
        (shape, method): &(AnyShape, Method),
        seed: u64,
        candidate: u64,
        attempt: u32,
        digest: &str,
    ) -> Self {
        let code = shape.code();
        let decided = settings.is_single_size()
            && settings.max_states == Limits::DEFAULT_STATES
            && AnyShape::from_code(&code).as_ref() == Some(shape);
        Self {
            code,
            method: *method,
            version: GENERATOR_VERSION,
            seed,
            candidate,
            attempt,
            digest: (!decided).then(|| digest.chars().take(DIGEST_DIGITS).collect()),
        }
    }

    /// Settings whose candidates include the level.
    ///
    /// # Errors
    /// The id alone does not decide the level, or not for this program.
    pub fn settings(&self) -> Result<Settings, IdError> {
        if self.digest.is_some() {
            return Err(IdError::NeedsPack(self.to_string()));
        }
        if self.version != GENERATOR_VERSION {
            return Err(IdError::Version { id: self.to_string(), version: self.version });
        }
        let shape = AnyShape::from_code(&self.code);
        let shape = shape.ok_or_else(|| IdError::Syntax(self.to_string()))?;
        let method = Fields::from_iter([("method".to_owned(), self.method.name().into())]);
        let overrides = Overrides {
            puzzle: Some(shape.puzzle().to_owned()),
            size: shape.fields(),
            every_stretch: method,
            ..Overrides::default()
        };
        // A pack may have allowed more attempts than is usual.
        let attempts = (self.attempt + 1).max(config::DEFAULT_ATTEMPTS);
        let toml = format!("name = 'level'\nmax_attempts = {attempts}");
        let (settings, _) = config::read(&toml, &overrides)?;
        Ok(settings)
    }
}

impl fmt::Display for LevelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code)?;
        if self.method != Method::default() {
            write!(f, ".{}", self.method)?;
        }
        write!(f, ".g{}#{}/{}", self.version, self.seed, self.candidate)?;
        if self.attempt > 0 {
            write!(f, ".{}", self.attempt)?;
        }
        if let Some(digest) = &self.digest {
            write!(f, "~{digest}")?;
        }
        Ok(())
    }
}

impl FromStr for LevelId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        let id = read(text).filter(|id| id.to_string() == text);
        id.ok_or_else(|| IdError::Syntax(text.to_owned()))
    }
}

fn read(text: &str) -> Option<LevelId> {
    let (what, which) = text.split_once('#')?;
    let (what, version) = what.rsplit_once(".g")?;
    let (code, method) = match what.rsplit_once('.') {
        Some((code, method)) if method.parse::<Method>().is_ok() => (code, method.parse().ok()?),
        _ => (what, Method::default()),
    };
    let (which, digest) = match which.split_once('~') {
        Some((which, digest)) => (which, Some(digest.to_owned())),
        None => (which, None),
    };
    let (seed, candidate) = which.split_once('/')?;
    let (candidate, attempt) = match candidate.split_once('.') {
        Some((candidate, attempt)) => (candidate, attempt.parse().ok()?),
        None => (candidate, 0),
    };
    // With a digest the code need not hold the whole shape.
    let is_code = |code: &str| AnyShape::from_code(code).is_some_and(|shape| shape.code() == code);
    (digest.is_some() || is_code(code)).then_some(())?;
    Some(LevelId {
        code: code.to_owned(),
        method,
        version: version.parse().ok()?,
        seed: seed.parse().ok()?,
        candidate: candidate.parse().ok()?,
        attempt: Some(attempt).filter(|attempt| *attempt < ATTEMPTS)?,
        digest,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_as_they_are_written() {
        for id in [
            "w12x4+2.max.g2#42/17",
            "w4*2x5+0.whole.loose.fill.g2#18446744073709551615/0",
            "w3x2+1.unit.g7#1/2.3",
            "w3x2+1.max.fill.g2#1/2.3~0123abcd",
            "c8x4h8.g2#1/2",
            "c8x4.89abcdef.fill.g2#1/2~0123abcd",
        ] {
            assert_eq!(id.parse::<LevelId>().unwrap().to_string(), id);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "#",
            "classic",
            "w12x4+2.max.g2#42",
            "w12x4+2.max#42/17",
            "w0x4+2.max.g2#42/17",
            "w12x4+2.other.g2#42/17",
            "w12x4+2.max.g2#-1/17",
            "w012x4+2.max.g2#42/17",
            "w12x4+2.max.reverse.g2#42/17",
            "w12x4+2.max.g2#42/17.134217728",
            "w12x4+2.max.g2#42/17.0",
        ] {
            assert_eq!(text.parse::<LevelId>(), Err(IdError::Syntax(text.to_owned())));
        }
    }

    #[test]
    fn settings_hold_what_the_id_says() {
        let id: LevelId = "w3*2x5+1.unit.loose.fill.g2#42/17".parse().unwrap();
        let settings = id.settings().unwrap();
        let draw = settings.stretches[0].draw(0);
        assert_eq!((draw.0.code(), draw.1), (id.code.clone(), id.method));
        let again = LevelId::new(&settings, draw, id.seed, id.candidate, 0, "");
        assert_eq!(again, id);
    }

    #[test]
    fn an_id_says_when_it_is_not_enough() {
        let settings = |id: &str| id.parse::<LevelId>().unwrap().settings().unwrap_err();
        assert!(matches!(settings("w3x4+2.max.g2#1/2~0123abcd"), IdError::NeedsPack(_)));
        assert!(matches!(settings("w3x4+2.max.g999#1/2"), IdError::Version { version: 999, .. }));
    }
}
