//! Damage to bytes.

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

/// How something is damaged; the names are for reports.
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

/// Damages bytes once, with pieces of another file, and says how.
pub(crate) fn damage(bytes: &mut Vec<u8>, other: &[u8], dice: &mut ChaCha8Rng) -> &'static str {
    let (name, damage) = KINDS[dice.random_range(0..KINDS.len() as u32) as usize];
    damage(bytes, other, dice);
    name
}

fn at(length: usize, dice: &mut ChaCha8Rng) -> usize {
    dice.random_range(0..length.max(1) as u64) as usize
}

/// A piece of bytes: mostly a short one.
fn piece(length: usize, dice: &mut ChaCha8Rng) -> std::ops::Range<usize> {
    if length == 0 {
        return 0..0;
    }
    let most = if dice.random_ratio(1, 4) { length } else { length.min(32) };
    let (begin, size) = (at(length, dice), 1 + at(most, dice));
    begin..(begin + size).min(length)
}

fn flip_bit(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    let place = at(bytes.len(), dice);
    if let Some(byte) = bytes.get_mut(place) {
        *byte ^= 1 << dice.random_range(0..8u32);
    }
}

fn replace_byte(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    let place = at(bytes.len(), dice);
    if let Some(byte) = bytes.get_mut(place) {
        *byte = dice.random_range(0..256u32) as u8;
    }
}

fn truncate(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    bytes.truncate(at(bytes.len(), dice));
}

fn extend(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    let count = dice.random_range(1..=40u32);
    bytes.extend((0..count).map(|_| dice.random_range(0..256u32) as u8));
}

fn remove(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    bytes.drain(piece(bytes.len(), dice));
}

fn duplicate(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    let copied = bytes[piece(bytes.len(), dice)].to_vec();
    insert(bytes, &copied, dice);
}

fn splice(bytes: &mut Vec<u8>, other: &[u8], dice: &mut ChaCha8Rng) {
    insert(bytes, &other[piece(other.len(), dice)], dice);
}

fn insert(bytes: &mut Vec<u8>, what: &[u8], dice: &mut ChaCha8Rng) {
    let place = at(bytes.len() + 1, dice);
    bytes.splice(place..place, what.iter().copied());
}

fn zero(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    let piece = piece(bytes.len(), dice);
    bytes[piece].fill(0);
}

fn change_digit(bytes: &mut Vec<u8>, other: &[u8], dice: &mut ChaCha8Rng) {
    let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
    match digits.get(at(digits.len(), dice)) {
        Some(&place) => bytes[place] = b'0' + dice.random_range(0..10u32) as u8,
        None => flip_bit(bytes, other, dice),
    }
}

fn put_word(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    insert(bytes, WORDS[at(WORDS.len(), dice)].as_bytes(), dice);
}

fn swap_lines(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    if !lines.is_empty() {
        let (one, other) = (at(lines.len(), dice), at(lines.len(), dice));
        lines.swap(one, other);
        *bytes = lines.concat();
    }
}

fn change_line(bytes: &mut Vec<u8>, _: &[u8], dice: &mut ChaCha8Rng) {
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let place = at(lines.len(), dice);
    if dice.random_ratio(1, 2) {
        lines.remove(place);
    } else {
        lines.insert(place, lines[place].clone());
    }
    *bytes = lines.concat();
}
