//! The list of a folder's files with their checksums, written last: a folder that has it is whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Part;

/// The manifest's file name.
pub const MANIFEST: &str = "manifest.json";

/// What a folder holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// What decides the content.
    pub of: Part,
    /// How many levels, or candidates of a shard.
    pub levels: u64,
    /// The files by name.
    pub files: BTreeMap<String, FileSum>,
}

/// A file's length and checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileSum {
    /// Its length.
    pub bytes: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
}

impl FileSum {
    /// The sum of all that was hashed.
    pub(crate) fn new(bytes: u64, hash: Sha256) -> Self {
        Self { bytes, sha256: super::hex(hash) }
    }

    /// The sum of a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 16]);
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(Self::new(bytes, hash)),
                count => {
                    hash.update(&buffer[..count]);
                    bytes += count as u64;
                }
            }
        }
    }
}

impl Manifest {
    /// The names of files in the folder that are gone or changed.
    pub fn stale(&self, folder: &Path) -> Vec<&str> {
        let is_stale = |(name, sum): &(&String, &FileSum)| {
            FileSum::of(&folder.join(name)).map_or(true, |found| found != **sum)
        };
        self.files.iter().filter(is_stale).map(|(name, _)| name.as_str()).collect()
    }
}
