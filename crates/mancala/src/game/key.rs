//! Position hashes.

use std::hash::Hasher;

/// Two independent hashes of a position. They must be the same on every machine and in every version.
///
/// A transposition table uses one hash as the index and compares the other, so the probability that it confuses two
/// given positions is only about 1 / (2⁶⁴ × the table size).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The hash whose highest bits are the index into a table.
    pub place: u64,
    /// The hash that tells positions with the same index apart.
    pub check: u64,
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014), which is a bijection.
pub fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// Hashes positions word by word. The output must not vary by machine or version, because recorded runs depend on it.
pub(crate) struct Fixed(pub(crate) u64);

impl Hasher for Fixed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    // By default, this would hash the bytes in the machine's byte order.
    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ number);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
