//! Chromosomes and the encoding of weights in their bits.

use std::hash::{BuildHasher, Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::Arc;

use mancala::eval::MAX_WEIGHT;
use mancala::option_words;
use rustc_hash::FxBuildHasher;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::settings::text_form;

/// How a weight is encoded in the bits of a gene. This is written as `binary:BITS`, `gray:BITS` or `integer:BITS`.
///
/// ```
/// use evolve::optimise::{Chromosome, Encoding};
/// let encoding: Encoding = "binary:4".parse().unwrap();
/// let chromosome = Chromosome::from_hex("c0f", 12).unwrap();
/// assert_eq!(encoding.decode(&chromosome), [12, 0, 15]);
/// assert_eq!(encoding.encode(&[12, 0, 15]).unwrap(), chromosome);
/// let signed: Encoding = "integer:4".parse().unwrap();
/// assert_eq!(signed.decode(&chromosome), [4, -8, 7]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding {
    code: Code,
    bits: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Code {
    /// An unsigned number, starting with the most significant bit.
    Binary,
    /// An unsigned number in reflected Gray code, in which neighbouring values differ in one bit.
    Gray,
    /// A signed number, offset by half the range. Operators on genes treat it as a real number.
    Integer,
}

option_words!(Code, "binary, gray or integer", {
    Binary: "binary",
    Gray: "gray",
    Integer: "integer",
});

impl Encoding {
    /// An encoding for all weights that fit into 16 bits (four hexadecimal digits).
    pub(crate) const WEIGHTS: Encoding = Encoding { code: Code::Integer, bits: 16 };

    pub fn bits(self) -> usize {
        self.bits as usize
    }

    /// Returns the range of weights that can be encoded.
    pub fn range(self) -> RangeInclusive<i64> {
        let lowest = self.lowest();
        lowest..=lowest + (1 << self.bits) - 1
    }

    fn lowest(self) -> i64 {
        if self.code == Code::Integer { -1 << (self.bits - 1) } else { 0 }
    }

    /// Decodes all genes of a chromosome into weights.
    pub fn decode(self, chromosome: &Chromosome) -> Vec<i64> {
        chromosome.bits.chunks(self.bits()).map(|gene| self.weight(gene)).collect()
    }

    fn weight(self, gene: &[bool]) -> i64 {
        let number = |bits: &[bool]| bits.iter().fold(0, |n, &bit| n << 1 | i64::from(bit));
        match self.code {
            Code::Binary | Code::Integer => number(gene) + self.lowest(),
            Code::Gray => {
                let mut bit = false;
                gene.iter().fold(0, |n, &flips| {
                    bit ^= flips;
                    n << 1 | i64::from(bit)
                })
            }
        }
    }

    /// Encodes weights in a chromosome. Returns `None` if a weight is out of the encoding's range.
    pub fn encode(self, weights: &[i64]) -> Option<Chromosome> {
        let mut chromosome = Vec::with_capacity(weights.len() * self.bits());
        for &weight in weights {
            if !self.range().contains(&weight) {
                return None;
            }
            let number = match self.code {
                Code::Binary | Code::Integer => weight - self.lowest(),
                Code::Gray => weight ^ weight >> 1,
            };
            chromosome.extend((0..self.bits()).rev().map(|bit| number >> bit & 1 == 1));
        }
        Some(Chromosome::new(chromosome))
    }
}

text_form!(
    Encoding,
    |text| {
        let parse = || {
            let (name, bits) = text.split_once(':')?;
            let bits = bits.parse().ok().filter(|bits| (1..=15).contains(bits))?;
            Some(Encoding { code: name.parse().ok()?, bits })
        };
        let forms = "write binary:BITS, gray:BITS or integer:BITS with 1 to 15 bits";
        parse().ok_or_else(|| format!("unknown encoding \"{text}\": {forms}"))
    },
    |encoding| format!("{}:{}", encoding.code, encoding.bits)
);

/// A bit string, starting with the first gene. Clones share the bits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chromosome {
    bits: Arc<[bool]>,
    /// The hash of the bits. We cache it because it is needed thousands of times.
    hash: u64,
}

impl Hash for Chromosome {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Serialize for Chromosome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_hex())
    }
}

/// The padding bits of the last digit are kept here. `Coding::checked` removes them.
impl<'de> Deserialize<'de> for Chromosome {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hex = String::deserialize(deserializer)?;
        Chromosome::from_hex(&hex, 4 * hex.len()).map_err(D::Error::custom)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChromosomeError {
    #[error("\"{text:.24}\" is not a chromosome of {bits} bits in hexadecimal")]
    Bits { text: String, bits: usize },
    /// The layer in the file with this name is not loaded.
    #[error("needs {0}, which is missing or damaged")]
    Layer(String),
    #[error("\"{text:.24}\" contains a weight above {MAX_WEIGHT}")]
    Weight { text: String },
}

impl Chromosome {
    pub fn new(bits: Vec<bool>) -> Self {
        Chromosome { hash: FxBuildHasher.hash_one(&bits), bits: bits.into() }
    }

    pub fn bits(&self) -> &[bool] {
        &self.bits
    }

    /// Formats the bits in hexadecimal, padding the last digit with zeros.
    pub fn to_hex(&self) -> String {
        let digit = |bits: &[bool]| {
            let value = (0..4).fold(0, |n, i| n << 1 | u32::from(*bits.get(i).unwrap_or(&false)));
            char::from_digit(value, 16).expect("four bits")
        };
        self.bits.chunks(4).map(digit).collect()
    }

    /// Parses a chromosome of `bits` bits in the format of [`to_hex`](Self::to_hex).
    pub fn from_hex(text: &str, bits: usize) -> Result<Self, ChromosomeError> {
        let error = || ChromosomeError::Bits { text: text.into(), bits };
        let mut read = Vec::with_capacity(bits + 3);
        for digit in text.chars() {
            let value = digit.to_digit(16).ok_or_else(error)?;
            read.extend((0..4).rev().map(|bit| value >> bit & 1 == 1));
        }
        let padding = read.split_off(bits.min(read.len()));
        let chromosome = Chromosome::new(read);
        let whole = chromosome.bits.len() == bits && padding.len() < 4 && !padding.contains(&true);
        if !whole || chromosome.to_hex() != text {
            return Err(error());
        }
        Ok(chromosome)
    }
}

/// Returns the number of bits in which two members differ, averaged over all pairs of members.
pub fn mean_hamming_distance(members: &[Chromosome]) -> f64 {
    let n = members.len() as u64;
    let differing = |bit: usize| {
        let ones = members.iter().filter(|member| member.bits()[bit]).count() as u64;
        ones * (n - ones)
    };
    let total: u64 = (0..members[0].bits().len()).map(differing).sum();
    total as f64 / (n * (n - 1) / 2) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws::prelude::*;

    laws! {
        #[test]
        fn hexadecimal_reads_back(bits: Vec<bool>) {
            let chromosome = Chromosome::new(bits.clone());
            let hex = chromosome.to_hex();
            prop_assert_eq!(Chromosome::from_hex(&hex, bits.len()).unwrap(), chromosome);
            prop_assert!(Chromosome::from_hex(&hex, bits.len() + 4).is_err());
        }

        #[test]
        fn decode_inverts_encode(
            code in proptest::sample::select(vec!["binary", "gray", "integer"]),
            bits in 1u32..=15,
            genes in proptest::collection::vec(0i64..1 << 15, 1..20),
        ) {
            let encoding: Encoding = format!("{code}:{bits}").parse().unwrap();
            let (low, high) = encoding.range().into_inner();
            let weights: Vec<i64> = genes.iter().map(|gene| low + gene % (1 << bits)).collect();
            let chromosome = encoding.encode(&weights).unwrap();
            prop_assert_eq!(encoding.decode(&chromosome), weights);
            prop_assert!(encoding.encode(&[high + 1]).is_none());
            prop_assert!(encoding.encode(&[low - 1]).is_none());
        }
    }

    #[test]
    fn neighbours_in_gray_code_differ_in_one_bit() {
        let gray: Encoding = "gray:6".parse().unwrap();
        for weight in 0..63 {
            let [one, other] = [weight, weight + 1].map(|w| gray.encode(&[w]).unwrap());
            let differ = one.bits().iter().zip(other.bits()).filter(|(a, b)| a != b).count();
            assert_eq!(differ, 1, "{weight}");
        }
    }

    #[test]
    fn invalid_text_is_refused() {
        for text in ["", "cf1", "cf10d903be0g", "CF10D903BE0C", "cf10d903be0c0", "cf1 d903be0c"] {
            assert!(Chromosome::from_hex(text, 48).is_err(), "{text}");
        }
        for text in ["", "binary", "binary:0", "binary:16", "hex:4", "gray:+4x"] {
            assert!(text.parse::<Encoding>().is_err(), "{text}");
        }
    }
}
