//! What a position is known by where it cannot be kept whole.

use std::hash::{Hash, Hasher};

/// Two hashes of a position, the same on every machine and in every version.
///
/// A table of positions looks where the one says and compares the other. They are independent of each other
/// as far as hashes are, so two positions share a place and a check about once in 2⁶⁴ times the places of the
/// table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Says where a position belongs, by its highest bits.
    pub place: u64,
    /// Tells the positions apart that belong there.
    pub check: u64,
}

impl Key {
    /// The key of what can be hashed.
    pub fn of(position: &impl Hash) -> Key {
        let hash = |seed| {
            let mut hasher = Fixed(seed);
            position.hash(&mut hasher);
            hasher.0
        };
        Key { place: hash(0), check: hash(1) }
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): a bijection, so no two words are mixed alike.
pub(crate) fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A hash that no version of a library and no machine changes: it decides moves, and so the results of
/// runs.
pub(crate) struct Fixed(pub(crate) u64);

impl Fixed {
    fn add(&mut self, word: u64) {
        self.0 = mixed(self.0.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ word);
    }
}

impl Hasher for Fixed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.add(byte.into());
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

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
