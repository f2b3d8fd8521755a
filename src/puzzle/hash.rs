//! Hashing that is the same on every machine and in every version.

/// Spreads a number over 64 bits: the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Folds a number into a running hash, order mattering.
pub(crate) fn fold(hash: u64, value: u64) -> u64 {
    mix(hash.rotate_left(5) ^ value)
}

/// A hasher for keys of fixed meaning in the standard collections, without random keys.
#[derive(Clone, Default)]
pub(crate) struct FoldHasher(u64);

impl std::hash::Hasher for FoldHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            let word = word.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
            self.0 = fold(self.0, word);
        }
    }
}
