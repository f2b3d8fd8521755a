//! Random streams that are the same on every platform and for every number of threads.
//!
//! A stream is named by `(seed, generator version, candidate index, attempt)`:
//!
//! * key: bytes 0..8 the seed, bytes 8..12 the generator version, both little endian, the rest 0;
//! * stream number: the candidate's index;
//! * word position: `attempt << 40`, so that every attempt has 2^40 words of its own.
//!
//! Bounded draws and shuffles are written out here over raw ChaCha words, because those of the
//! `rand` crate change between its versions.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Names a random stream, together with the generator version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamId {
    /// The run's seed.
    pub seed: u64,
    /// The candidate's index in the run.
    pub index: u64,
    /// Which attempt at the candidate, from 0; below 2^27.
    pub attempt: u32,
}

/// A reproducible source of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of one attempt at one candidate.
    ///
    /// ```
    /// use pourfect::random::{Stream, StreamId};
    /// let id = StreamId { seed: 42, index: 7, attempt: 0 };
    /// assert_eq!(Stream::new(id, 1).below(1000), Stream::new(id, 1).below(1000));
    /// ```
    pub fn new(id: StreamId, generator_version: u32) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&id.seed.to_le_bytes());
        key[8..12].copy_from_slice(&generator_version.to_le_bytes());
        let mut words = ChaCha8Rng::from_seed(key);
        words.set_stream(id.index);
        words.set_word_pos(u128::from(id.attempt) << 40);
        Self(words)
    }

    /// A uniform number below `bound` (1 or more), without bias: Lemire's multiplication method
    /// with rejection (<https://arxiv.org/abs/1805.10941>).
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(bound);
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }

    /// Shuffles uniformly (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            // A board has at most 1024 units, so indexes fit in 32 bits.
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// A fresh seed of at most 15 digits, which spreadsheets and JavaScript keep exactly.
pub fn fresh_seed() -> u64 {
    rand::random::<u64>() % 1_000_000_000_000_000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(attempt: u32) -> Stream {
        Stream::new(StreamId { seed: 1, index: 2, attempt }, 3)
    }

    #[test]
    fn the_first_numbers_are_pinned() {
        let mut random = stream(0);
        let drawn: Vec<u32> = (0..6).map(|_| random.below(1000)).collect();
        assert_eq!(drawn, PINNED);
    }

    const PINNED: [u32; 6] = [8, 948, 433, 489, 273, 399];

    #[test]
    fn attempts_do_not_overlap() {
        let draw = |attempt| {
            let mut random = stream(attempt);
            (0..8).map(|_| random.below(u32::MAX)).collect::<Vec<_>>()
        };
        assert_ne!(draw(0), draw(1));
        assert_ne!(draw(1), draw(1 << 26));
    }

    #[test]
    fn bounded_draws_are_even() {
        let mut random = stream(0);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|&n| (9_500..10_500).contains(&n)), "{counts:?}");
    }

    #[test]
    fn shuffles_reach_every_order() {
        let mut random = stream(0);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..500 {
            let mut items = [0, 1, 2, 3];
            random.shuffle(&mut items);
            seen.insert(items);
        }
        assert_eq!(seen.len(), 24);
    }
}
