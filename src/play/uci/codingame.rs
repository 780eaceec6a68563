//! Plays CodinGame's Oware Abapa on standard input and output.
//!
//! Each line of input lists the numbers of seeds in all pits, in sowing order, starting with our own pits. We answer
//! with the index of a pit. The input doesn't contain the stores, so we count our own captures.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use arena::player::Player;
use mancala::game::ayo::{Ayo, PITS, Position, Rules};
use mancala::game::{Game, Pit, Record, Side};
use mancala::search::Limits;

use crate::analyse::bestmove::spec_error;
use crate::terminal::usage;

/// CodinGame allows 1 s for the first turn.
const FIRST_TURN: Duration = Duration::from_millis(800);
/// CodinGame allows 50 ms for each later turn.
const TURN: Duration = Duration::from_millis(40);

/// Answers each turn with a move until the input ends.
pub(super) fn run(player: &str, rules: Rules, out: &mut dyn Write) -> Result<()> {
    let game = Ayo { rules };
    let spec: arena::player::Spec = player.parse().map_err(usage)?;
    let mut player = spec.in_full().build(game).map_err(spec_error)?;
    let mut captured = 0;
    for (turn, line) in (1..).zip(io::stdin().lock().lines()) {
        let begun = Instant::now();
        let line = line.context("cannot read standard input")?;
        let number = || format!("turn {turn}");
        let position = read(&line, captured).with_context(number)?;
        let time = if turn == 1 { FIRST_TURN } else { TURN }.saturating_sub(begun.elapsed());
        let record = Record::from_position(game, position);
        let pit = choose(&mut *player, &record, time).with_context(number)?;
        writeln!(out, "{}", pit.index())?;
        out.flush()?;
        captured = game.play(&position, pit).store(Side::South);
    }
    Ok(())
}

/// Parses a turn as a position in which South is to move and has captured `captured` seeds.
fn read(line: &str, captured: u8) -> Result<Position> {
    let pits: Result<Vec<u8>, _> = line.split_whitespace().map(str::parse::<u8>).collect();
    let pits = pits.ok().and_then(|pits| <[u8; 2 * PITS]>::try_from(pits).ok());
    let pits = pits.context("the input is not 12 numbers of seeds")?;
    let on_board: u32 = pits.iter().map(|&seeds| u32::from(seeds)).sum();
    let stored = 48_u32.checked_sub(on_board).and_then(|gone| u8::try_from(gone).ok());
    let stored = stored.with_context(|| format!("the board has {on_board} seeds, more than 48"))?;
    // If there are more seeds on the board than before, a new game has begun.
    let captured = if captured > stored { 0 } else { captured };
    Ok(Position::new(pits, [captured, stored - captured], Side::South)?)
}

fn choose(player: &mut dyn Player<Ayo>, record: &Record<Ayo>, time: Duration) -> Result<Pit> {
    let mut moves = record.game().moves(record.position()).into_iter();
    let first = moves.next().context("no move is legal")?;
    // CodinGame may ask for a move even if the game is already over by our rules.
    if record.ending().is_some() {
        return Ok(first);
    }
    let limits = Limits { movetime: Some(time), ..Limits::default() };
    Ok(player.analyse(record, &limits, &(), &mut |_| {})?.pit)
}
