//! Framed binary files: a header with kind, version, length and checksum, followed by a payload.
//!
//! | bytes | content |
//! |---|---|
//! | 0–3 | `AYO` and a zero byte |
//! | 4–7 | the kind of content, as four ASCII characters |
//! | 8–11 | the format version of this kind, little-endian |
//! | 12–19 | the length of the payload in bytes, little-endian |
//! | 20–23 | the CRC-32 of bytes 0–19 and the payload, little-endian |
//! | 24– | the payload: bincode 2 in its standard configuration, without trailing bytes; or raw bytes |
//!
//! To write raw bytes that are too large to copy in memory, write [`Frame::header`] and then the bytes themselves. To
//! read a memory-mapped file without verifying its checksum, use [`Frame::open`], which doesn't touch the payload.

use serde::Serialize;
use serde::de::DeserializeOwned;

const MAGIC: &[u8; 4] = b"AYO\0";
const HEADER: usize = 24;
/// The maximum size of decoded content in bytes. This is far more than we ever store.
const MAX_CONTENT: usize = 1 << 30;

/// A kind of framed file and the format version that this program reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The kind of content, as four ASCII characters.
    pub kind: [u8; 4],
    /// The format version of this kind, starting at 1.
    pub version: u32,
}

/// Errors from reading a framed file. The messages have no subject, so callers put the file name in front of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The file is shorter than a header or does not start with the magic bytes.
    #[error("was not written by this program")]
    Magic,
    #[error("is a file of kind \"{found}\", not \"{expected}\"")]
    Kind { found: String, expected: String },
    /// The file is undamaged but has a different format version.
    #[error("has format version {found}, but this program reads version {expected}")]
    Version { found: u32, expected: u32 },
    /// The payload length differs from the length in the header.
    #[error("has {found} bytes after its header, which specifies {expected}")]
    Length { found: u64, expected: u64 },
    #[error("is damaged: its checksum does not match")]
    Checksum,
    /// The checksum matches, but the payload can't be decoded, so the program that wrote the file has a bug.
    #[error("cannot be decoded: {0}")]
    Payload(String),
}

impl Frame {
    /// Encodes and frames `content`. Panics if its type cannot be serialised.
    pub fn encode<T: Serialize>(self, content: &T) -> Vec<u8> {
        let payload = bincode::serde::encode_to_vec(content, bincode::config::standard())
            .expect("content of a frame is plain data");
        [self.header(&[&payload]).as_slice(), &payload].concat()
    }

    /// Returns the header for a payload, given as a sequence of pieces.
    pub fn header(self, payload: &[&[u8]]) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..4].copy_from_slice(MAGIC);
        header[4..8].copy_from_slice(&self.kind);
        header[8..12].copy_from_slice(&self.version.to_le_bytes());
        let length: u64 = payload.iter().map(|piece| piece.len() as u64).sum();
        header[12..20].copy_from_slice(&length.to_le_bytes());
        let checksum = checksum(&header[..20], payload);
        header[20..].copy_from_slice(&checksum.to_le_bytes());
        header
    }

    /// Returns whether the bytes start like a file of this kind.
    pub fn matches(self, bytes: &[u8]) -> bool {
        bytes.starts_with(&[*MAGIC, self.kind].concat())
    }

    /// Returns the checksum in the header of framed bytes. Panics if the header is incomplete.
    pub fn checksum_of(self, bytes: &[u8]) -> [u8; 4] {
        std::array::from_fn(|i| bytes[20 + i])
    }

    /// Verifies the header and the checksum, and returns the payload.
    pub fn verify(self, bytes: &[u8]) -> Result<&[u8], FrameError> {
        let opened = self.open(bytes);
        // If the version differs, verify the checksum too, because the version may only differ due to damage.
        if let Ok(_) | Err(FrameError::Version { .. }) = opened
            && checksum(&bytes[..20], &[&bytes[HEADER..]]).to_le_bytes() != self.checksum_of(bytes)
        {
            return Err(FrameError::Checksum);
        }
        opened
    }

    /// Decodes bytes that [`encode`](Self::encode) wrote for the same kind and version.
    pub fn decode<T: DeserializeOwned>(self, bytes: &[u8]) -> Result<T, FrameError> {
        let payload = self.verify(bytes)?;
        let config = bincode::config::standard().with_limit::<MAX_CONTENT>();
        match bincode::serde::decode_from_slice(payload, config) {
            Ok((content, consumed)) if consumed == payload.len() => Ok(content),
            Ok((_, consumed)) => {
                let left = payload.len() - consumed;
                Err(FrameError::Payload(format!("{left} bytes are left over")))
            }
            Err(error) => Err(FrameError::Payload(error.to_string())),
        }
    }

    /// Returns the payload, checking only the kind, version and length.
    pub fn open(self, bytes: &[u8]) -> Result<&[u8], FrameError> {
        if bytes.len() < HEADER || bytes[..4] != *MAGIC {
            return Err(FrameError::Magic);
        }
        let (header, payload) = bytes.split_at(HEADER);
        let text = |kind: &[u8]| String::from_utf8_lossy(kind).into_owned();
        if header[4..8] != self.kind {
            let (found, expected) = (text(&header[4..8]), text(&self.kind));
            return Err(FrameError::Kind { found, expected });
        }
        let (found, expected) = (payload.len() as u64, little_endian(&header[12..20]));
        if found != expected {
            return Err(FrameError::Length { found, expected });
        }
        match little_endian(&header[8..12]) as u32 {
            found if found != self.version => {
                Err(FrameError::Version { found, expected: self.version })
            }
            _ => Ok(payload),
        }
    }
}

fn checksum(header: &[u8], payload: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    for piece in payload {
        hasher.update(piece);
    }
    hasher.finalize()
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::prelude::*;

    const FRAME: Frame = Frame { kind: *b"TEST", version: 2 };

    type Content = (String, Vec<u32>, Option<i64>);

    laws! {
        #[test]
        fn decode_inverts_encode(text in ".*", numbers: Vec<u32>, maybe: Option<i64>) {
            let content: Content = (text, numbers, maybe);
            let decoded: Content = FRAME.decode(&FRAME.encode(&content)).unwrap();
            prop_assert_eq!(decoded, content);
        }
    }

    #[test]
    fn the_checksum_is_that_of_all_other_bytes() {
        for text in ["population", "populations"] {
            let bytes = FRAME.encode(&text);
            let others = [&bytes[..20], &bytes[HEADER..]].concat();
            let checksum = u32::from_le_bytes(FRAME.checksum_of(&bytes));
            assert_eq!(checksum, crc32fast::hash(&others), "{text}");
        }
    }

    #[test]
    fn every_truncation_and_every_flipped_bit_is_refused() {
        let content: Content = ("population".into(), vec![1, 2, 300], Some(-7));
        let bytes = FRAME.encode(&content);
        for length in 0..bytes.len() {
            let error = FRAME.decode::<Content>(&bytes[..length]).unwrap_err();
            let is_named = match length {
                0..HEADER => matches!(error, FrameError::Magic),
                _ => matches!(error, FrameError::Length { .. }),
            };
            assert!(is_named, "cut to {length}: {error}");
        }
        for (bit, damaged) in laws::flips(&bytes, 1) {
            assert!(FRAME.decode::<Content>(&damaged).is_err(), "bit {bit}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(FRAME.decode::<Content>(&longer).is_err());
    }

    #[test]
    fn another_version_and_bytes_left_over_are_refused() {
        let older = Frame { version: 1, ..FRAME };
        let error = FRAME.decode::<u8>(&older.encode(&5u8)).unwrap_err();
        assert_eq!(error, FrameError::Version { found: 1, expected: 2 });
        let error = FRAME.decode::<u8>(&FRAME.encode(&(5u8, 6u8))).unwrap_err();
        assert!(matches!(error, FrameError::Payload(_)), "{error}");
    }

    #[test]
    fn a_forged_length_takes_no_memory() {
        // A string whose length prefix claims 3.2 GB.
        let payload: &[u8] = &[252, 0, 0, 0, 192];
        let forged = [&FRAME.header(&[payload])[..], payload].concat();
        let error = FRAME.decode::<String>(&forged).unwrap_err();
        assert!(error.to_string().contains("LimitExceeded"), "{error}");
    }
}
