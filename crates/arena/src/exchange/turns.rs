//! Protocols that show the board before each move, from the point of view of the side to move.
//!
//! CodinGame's Oware Abapa shows the twelve pits in sowing order, starting with the side to move, and expects the index
//! of a pit in return. The Kalah Game Protocol (KWARC/kalah-game, `spec/`) shows the stores and pits in `state <…>` and
//! expects `move N`, with pits numbered from 1. Neither protocol names South, so we let South move first.

use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Notated, Record, Side};

use super::{Entry, Format, Written, at, number, play};
use crate::player::protocol::excerpt;

enum Line {
    /// The number of seeds in each pit of the side to move, in each opposing pit and, if known, in each store.
    Board(Vec<u16>),
    /// The index of a pit.
    Move(u16),
    /// Anything else, e.g. an empty line or `ping`.
    Other,
}

fn parse(format: Format, line: &str) -> Result<Line, String> {
    if line.is_empty() {
        return Ok(Line::Other);
    }
    if format == Format::Kgp {
        return parse_kgp(line);
    }
    let numbers: Option<Vec<u16>> = line.split_whitespace().map(number).collect();
    match numbers {
        Some(numbers) if numbers.len() == 12 => Ok(Line::Board(numbers)),
        Some(numbers) if numbers.len() == 1 => Ok(Line::Move(numbers[0])),
        _ => Err(format!("\"{}\" is neither 12 numbers of seeds nor a move", excerpt(line))),
    }
}

fn parse_kgp(line: &str) -> Result<Line, String> {
    let is_id = |word: &&str| !word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'@');
    let words: Vec<&str> = line.split_whitespace().skip_while(|word| !is_id(word)).collect();
    match words[..] {
        ["state", board] => read_board(board).map(Line::Board),
        [board] if board.starts_with('<') => read_board(board).map(Line::Board),
        ["move", pit] => match number(pit).and_then(|pit| pit.checked_sub(1)) {
            Some(index) => Ok(Line::Move(index)),
            None => Err(format!("the move is \"{}\", not a pit from 1", excerpt(pit))),
        },
        [
            "kgp" | "mode" | "set" | "ok" | "error" | "ping" | "pong" | "stop" | "yield"
            | "goodbye",
            ..,
        ] => Ok(Line::Other),
        _ => Err(format!("\"{}\" is not a command of the Kalah Game Protocol", excerpt(line))),
    }
}

/// Parses a board such as `<3,0,0,4,4,4,4,4,4>` (pits per side, stores, rows). Returns the rows and then the stores.
fn read_board(text: &str) -> Result<Vec<u16>, String> {
    let numbers = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
    let numbers = numbers.and_then(|text| text.split(',').map(number).collect());
    let numbers: Vec<u16> =
        numbers.ok_or_else(|| format!("\"{}\" is not a board", excerpt(text)))?;
    let [pits, stores @ ..] = &numbers[..] else { unreachable!("split yields at least one part") };
    if stores.len() != 2 * usize::from(*pits) + 2 {
        let found = stores.len();
        return Err(format!(
            "a board with {pits} pits per side has {} numbers, not {found}",
            2 * u32::from(*pits) + 2
        ));
    }
    let (stores, rows) = stores.split_at(2);
    Ok([rows, stores].concat())
}

/// Determines the game from the first board. Returns `None` if there is no board.
pub(super) fn board_of(text: &str) -> Result<Option<AnyGame>, String> {
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if let Line::Board(seeds) = parse(Format::Kgp, line).map_err(at(number))? {
            let (pits, total) =
                (seeds.len() / 2 - 1, seeds.iter().map(|&it| u32::from(it)).sum::<u32>());
            let per_pit = total / (2 * pits as u32).max(1);
            let game = u8::try_from(per_pit).map_err(|error| error.to_string());
            let game = game.and_then(|seeds| Kalah::new(pits.try_into().unwrap_or(u8::MAX), seeds));
            let game = game.map_err(|error| {
                at(number)(format!("{total} seeds in {pits} pits per side: {error}"))
            })?;
            return Ok(Some(game.into()));
        }
    }
    Ok(None)
}

/// Returns the board as the side to move sees it. Only the Kalah Game Protocol shows the stores.
fn seen<G: Notated>(format: Format, game: &G, position: &G::Position) -> Vec<u16> {
    let (rows, mover) = (game.rows(position), game.to_move(position));
    let sides = [mover, mover.other()];
    let stores = sides.map(|side| game.store(position, side));
    let stores = if format == Format::Kgp { &stores[..] } else { &[] };
    let [mine, theirs] = sides.map(|side| &rows[side.index()][..]);
    [mine, theirs, stores].concat()
}

pub(super) fn read<G: Notated>(
    format: Format,
    game: G,
    text: &str,
) -> Result<Vec<Entry<G>>, String> {
    let mut entries: Vec<Entry<G>> = Vec::new();
    let mut pending: Option<(usize, u16)> = None;
    let mut is_open = false;
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        match parse(format, line).map_err(at(number))? {
            Line::Other if !line.is_empty() => {}
            Line::Other => {
                play_pending(&mut entries, &mut pending)?;
                is_open = false;
            }
            // If there are several moves after a board, then the last one counts.
            Line::Move(index) if is_open => pending = Some((number, index)),
            Line::Move(_) => return Err(format!("line {number}: a move without a board")),
            Line::Board(seeds) => {
                let follows = is_open && pending.is_some();
                play_pending(&mut entries, &mut pending)?;
                match entries.last() {
                    Some(Entry { record, .. }) if follows => {
                        if seen(format, &game, record.position()) != seeds {
                            return Err(format!(
                                "line {number}: the board does not follow from the previous move"
                            ));
                        }
                    }
                    _ => {
                        let position = opening(format, game, seeds).map_err(at(number))?;
                        entries.push(Entry::new(Record::from_position(game, position)));
                    }
                }
                is_open = true;
            }
        }
    }
    play_pending(&mut entries, &mut pending)?;
    Ok(entries)
}

fn play_pending<G: Notated>(
    entries: &mut [Entry<G>],
    pending: &mut Option<(usize, u16)>,
) -> Result<(), String> {
    match (entries.last_mut(), pending.take()) {
        (Some(entry), Some((line, index))) => play(&mut entry.record, index).map_err(at(line)),
        _ => Ok(()),
    }
}

/// Returns the position with South to move. CodinGame omits the stores, so we divide the missing seeds evenly.
fn opening<G: Notated>(
    format: Format,
    game: G,
    mut seeds: Vec<u16>,
) -> Result<G::Position, String> {
    if format == Format::CodinGame {
        let on_board = seeds.iter().map(|&seeds| u32::from(seeds)).sum::<u32>();
        let missing = 48_u32.checked_sub(on_board);
        let missing =
            missing.ok_or_else(|| format!("the board has {on_board} seeds, more than 48"))?;
        seeds.extend([missing / 2, missing.div_ceil(2)].map(|store| store as u16));
    }
    game.position_of(&seeds, Side::South).map_err(|error| error.to_string())
}

pub(super) fn write<G: Notated>(format: Format, entry: &Entry<G>) -> Written {
    let record = &entry.record;
    let game = *record.game();
    let mut text = String::new();
    let board = |position: &G::Position| {
        let seeds = seen(format, &game, position);
        let join = |seeds: &[u16], between| {
            seeds.iter().map(u16::to_string).collect::<Vec<_>>().join(between)
        };
        match format {
            Format::Kgp => {
                let (rows, stores) = seeds.split_at(seeds.len() - 2);
                let (pits, stores, rows) = (rows.len() / 2, join(stores, ","), join(rows, ","));
                format!("state <{pits},{stores},{rows}>\n")
            }
            _ => join(&seeds, " ") + "\n",
        }
    };
    for (position, &(_, pit)) in record.positions().iter().zip(record.plies()) {
        let played = match format {
            Format::Kgp => format!("move {}\n", pit.index() + 1),
            _ => format!("{}\n", pit.index()),
        };
        text += &(board(position) + &played);
    }
    if entry.is_position() {
        text += &board(record.opening());
    }
    let stores = Side::BOTH.map(|side| game.store(record.opening(), side));
    let loss = match format {
        Format::CodinGame if stores != [0, 0] => Some("each side's captured seeds"),
        _ if entry.opening_side() == Side::North => Some("the fact that North moves first"),
        _ => None,
    };
    (text + "\n", loss)
}
