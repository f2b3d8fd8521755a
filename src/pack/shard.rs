//! Parts of a run for several machines: shard I of N draws the candidates whose index leaves I when
//! divided by N.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Header;
use crate::config::Settings;

/// One machine's part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part, from 0.
    pub number: u64,
    /// How many there are.
    pub of: u64,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A shard that is not written I/N.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no shard: write I/N with I from 0 to N-1")]
pub struct ShardSyntaxError(String);

impl FromStr for Shard {
    type Err = ShardSyntaxError;

    fn from_str(text: &str) -> Result<Self, ShardSyntaxError> {
        let error = || ShardSyntaxError(text.to_owned());
        let (number, of) = text.split_once('/').ok_or_else(error)?;
        let parse = |text: &str| text.parse::<u64>().map_err(|_| error());
        let shard = Self { number: parse(number)?, of: parse(of)? };
        if shard.number < shard.of { Ok(shard) } else { Err(error()) }
    }
}

/// What a file of candidates is of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The run.
    pub run: Header,
    /// Which part of it, if it is not the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl Shard {
    /// How many candidates of a run the shard draws.
    pub fn candidates(self, settings: &Settings) -> u64 {
        settings.candidates().saturating_sub(self.number).div_ceil(self.of)
    }
}
