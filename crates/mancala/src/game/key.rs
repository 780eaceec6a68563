//! Hashes of positions.

use std::hash::Hasher;

/// Two independent hashes of a position, the same on every machine and in every version.
///
/// A transposition table uses one as the index and compares the other, so the chance of confusing two positions is
/// about one in 2⁶⁴ × the table size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The hash whose highest bits are used as the index into a table.
    pub place: u64,
    /// The hash that distinguishes positions with the same index.
    pub check: u64,
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014), which is a bijection.
pub fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A hasher with the same results on every machine and in every version, since runs depend on them.
pub(crate) struct Fixed(pub(crate) u64);

impl Fixed {
    fn add(&mut self, word: u64) {
        self.0 = mix(self.0.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ word);
    }
}

impl Hasher for Fixed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.add(byte.into());
        }
    }

    // The default implementations would hash bytes in the machine's byte order.
    fn write_u16(&mut self, number: u16) {
        self.add(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
