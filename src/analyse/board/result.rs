//! A game as a page shows it, and what a player makes of it.

use serde::Serialize;

use crate::analyse::replay::result::{JudgedMove, Sides};
use std::collections::BTreeMap;

/// A game after some moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "board")]
pub struct Board {
    /// The game, with its rules where its text form has them.
    pub game: String,
    /// The rules of ayo; in other games the same as `game`.
    pub rules: String,
    /// The position that it began from.
    pub from: String,
    /// The moves as letters.
    pub line: String,
    /// The moves in the other notation of the game, if it has one.
    pub notation: Option<String>,
    /// The position after them.
    pub position: String,
    /// Pits of a row.
    pub pits: usize,
    /// The seeds in each pit, in the order of sowing.
    pub rows: Sided<Vec<u16>>,
    /// The seeds in the stores.
    pub stores: Sided<u16>,
    /// Seeds that the moves captured.
    pub captured: Sided<u16>,
    /// The side to move; none once the game is over.
    pub to_move: Option<&'static str>,
    /// The letters of the pits that may be sown.
    pub legal: Vec<char>,
    /// Why the others may not, by letter.
    pub illegal: BTreeMap<char, &'static str>,
    /// Plies made.
    pub moves: usize,
    /// What the last ply did.
    pub last: Option<LastPly>,
    /// How the game ended.
    pub over: Option<Over>,
    /// What a player thought of the last ply, if it has just made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Chosen>,
}

/// Something of each side, under names in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sided<T> {
    /// South's.
    pub south: T,
    /// North's.
    pub north: T,
}

impl<T> Sided<T> {
    /// What a function gives for each side, [`South`](mancala::game::Side::South)'s first.
    pub fn of([south, north]: [T; 2]) -> Sided<T> {
        Sided { south, north }
    }
}

/// What a ply did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LastPly {
    /// The side that made it.
    pub side: &'static str,
    /// The letter of the pit.
    pub pit: char,
    /// Seeds that were sown.
    pub seeds: u16,
    /// Seeds sown into the mover's own store.
    pub home: u16,
    /// Seeds captured.
    pub captured: u16,
    /// Whether the mover is to move again.
    pub again: bool,
    /// Where each seed fell: the letter of a pit, or a side for its store.
    pub path: Vec<String>,
    /// The pits that were captured from.
    pub taken: Vec<String>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Over {
    /// Why, in words.
    pub ending: String,
    /// Who won, in words.
    pub verdict: String,
    /// The winner; none in a draw.
    pub winner: Option<&'static str>,
    /// The stores, with what the end awarded.
    pub stores: Sided<u16>,
}

/// A player's choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chosen {
    /// The letter of the pit.
    pub pit: char,
    /// Its worth to the player, if the player values moves.
    pub score: Option<i32>,
    /// The same as people read it.
    pub score_text: Option<String>,
    /// Positions that the player looked at.
    pub nodes: u64,
    /// Plies that it looked ahead, if it searches.
    pub depth: Option<u32>,
}

/// What the moves of a position are worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "payoffs")]
pub struct Payoffs {
    /// The side that they are worth it to.
    pub to_move: &'static str,
    /// The moves that led here.
    pub line: String,
    /// The move that the player would make.
    pub suggestion: char,
    /// Each legal move; none if the player puts no value on moves.
    pub moves: Vec<Payoff>,
}

/// What a move is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Payoff {
    /// The letter of the pit.
    pub pit: char,
    /// Seeds that it wins at once.
    pub gain: u16,
    /// The value of the game after it, as the player scores it.
    pub value: i32,
    /// The same as people read it.
    pub value_text: String,
    /// The same in captured seeds, where it is a number of them.
    pub seeds: Option<f64>,
    /// Whether no move is worth more.
    pub best: bool,
    /// Seeds that endgame tables prove it to bring in the end.
    pub proven: Option<i8>,
    /// What they say where they assume of repetition what the rules do not say.
    pub likely: Option<i8>,
}

/// What a player makes of the moves of a line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "judged")]
pub struct JudgedLine {
    /// The moves.
    pub line: String,
    /// Points from which a lost score is a blunder.
    pub blunder: i32,
    /// Each ply up to the end of the game.
    pub plies: Vec<JudgedMove>,
    /// What the moves of each side come to.
    pub summary: Sides<arena::Summary>,
}
