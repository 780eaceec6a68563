//! Mutations of bytes.

#![allow(
    clippy::ptr_arg,
    reason = "mutations are one type of function, and some change the length"
)]

use mancala::random::ChaCha8Rng;
use rand::RngExt;

/// Words that parsers look for.
const WORDS: [&str; 40] = [
    "generation",
    "0",
    "-1",
    "18446744073709551616",
    "1e400",
    "NaN",
    "-0",
    "\"",
    "\\",
    ",",
    "\n",
    "\r\n",
    ";",
    ":",
    "=",
    "{",
    "}",
    "[[",
    "]]",
    "#",
    "(",
    ")",
    "-S",
    "-N",
    "Ff",
    "4S6",
    "depth=",
    "weights=",
    "minimax:",
    "bestmove ",
    "position ",
    "go ",
    "info depth ",
    "\u{1b}[2J",
    "\u{202e}",
    "*/",
    "null",
    "ayo",
    "kalah:pits=",
    "/dev/zero",
];

/// The mutations, with names for reports.
const KINDS: [(&str, Damage); 12] = [
    ("a bit flipped", flip_bit),
    ("a byte replaced", replace_byte),
    ("cut short", truncate),
    ("bytes added", extend),
    ("a piece removed", remove),
    ("a piece repeated", duplicate),
    ("a piece of another file spliced in", splice),
    ("a piece zeroed", zero),
    ("a digit changed", change_digit),
    ("a word put in", put_word),
    ("two lines swapped", swap_lines),
    ("a line repeated or removed", change_line),
];

type Damage = fn(&mut Vec<u8>, &[u8], &mut ChaCha8Rng);

/// Applies a random mutation, which may use pieces of another file, and returns its name.
pub(crate) fn damage(bytes: &mut Vec<u8>, other: &[u8], rng: &mut ChaCha8Rng) -> &'static str {
    let (name, damage) = KINDS[rng.random_range(0..KINDS.len() as u32) as usize];
    damage(bytes, other, rng);
    name
}

fn at(length: usize, rng: &mut ChaCha8Rng) -> usize {
    rng.random_range(0..length.max(1) as u64) as usize
}

/// Returns a random range, usually a short one.
fn piece(length: usize, rng: &mut ChaCha8Rng) -> std::ops::Range<usize> {
    if length == 0 {
        return 0..0;
    }
    let most = if rng.random_ratio(1, 4) { length } else { length.min(32) };
    let (begin, size) = (at(length, rng), 1 + at(most, rng));
    begin..(begin + size).min(length)
}

fn flip_bit(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    let place = at(bytes.len(), rng);
    if let Some(byte) = bytes.get_mut(place) {
        *byte ^= 1 << rng.random_range(0..8u32);
    }
}

fn replace_byte(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    let place = at(bytes.len(), rng);
    if let Some(byte) = bytes.get_mut(place) {
        *byte = rng.random_range(0..256u32) as u8;
    }
}

fn truncate(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    bytes.truncate(at(bytes.len(), rng));
}

fn extend(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    let count = rng.random_range(1..=40u32);
    bytes.extend((0..count).map(|_| rng.random_range(0..256u32) as u8));
}

fn remove(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    bytes.drain(piece(bytes.len(), rng));
}

fn duplicate(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    let copied = bytes[piece(bytes.len(), rng)].to_vec();
    insert(bytes, &copied, rng);
}

fn splice(bytes: &mut Vec<u8>, other: &[u8], rng: &mut ChaCha8Rng) {
    insert(bytes, &other[piece(other.len(), rng)], rng);
}

fn insert(bytes: &mut Vec<u8>, what: &[u8], rng: &mut ChaCha8Rng) {
    let place = at(bytes.len() + 1, rng);
    bytes.splice(place..place, what.iter().copied());
}

fn zero(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    let piece = piece(bytes.len(), rng);
    bytes[piece].fill(0);
}

fn change_digit(bytes: &mut Vec<u8>, other: &[u8], rng: &mut ChaCha8Rng) {
    let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
    match digits.get(at(digits.len(), rng)) {
        Some(&place) => bytes[place] = b'0' + rng.random_range(0..10u32) as u8,
        None => flip_bit(bytes, other, rng),
    }
}

fn put_word(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    insert(bytes, WORDS[at(WORDS.len(), rng)].as_bytes(), rng);
}

fn swap_lines(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    if !lines.is_empty() {
        let (one, other) = (at(lines.len(), rng), at(lines.len(), rng));
        lines.swap(one, other);
        *bytes = lines.concat();
    }
}

fn change_line(bytes: &mut Vec<u8>, _: &[u8], rng: &mut ChaCha8Rng) {
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let place = at(lines.len(), rng);
    if rng.random_ratio(1, 2) {
        lines.remove(place);
    } else {
        lines.insert(place, lines[place].clone());
    }
    *bytes = lines.concat();
}
