//! The FEN and PGN formats of PlayStrategy's Oware.
//!
//! South is the first player, on rank 1. A move is written as two squares, which are the pit that is played and the pit
//! that receives the last seed. Sources: `Forsyth.scala`, `Api.scala` and `Oware.scala` in `samurai` of
//! Mind-Sports-Games/strategygames, and `PgnDump.scala` of Mind-Sports-Games/lila.

use std::fmt::Write;

use mancala::game::{Ending, Hole, Notated, Pit, Record, Side};

use super::{Entry, Written, at, number, result_text, verdict_of};
use crate::player::protocol::excerpt;

const PITS: usize = 6;

pub(super) fn read_positions<G: Notated>(game: G, text: &str) -> Result<Vec<Entry<G>>, String> {
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let read = |(number, line)| {
        let position = read_fen(game, line).map_err(at(number))?;
        Ok(Entry::new(Record::from_position(game, position)))
    };
    lines.map(read).collect()
}

pub(super) fn position<G: Notated>(entry: &Entry<G>) -> Result<Written, String> {
    match entry.is_position() {
        true => Ok((fen(entry.record.game(), entry.record.opening()) + "\n", None)),
        false => Err("a FEN file contains only positions: use --to pgn".into()),
    }
}

/// Formats a position as FEN. If there is no legal move, the scores include the seeds in the rows.
fn fen<G: Notated>(game: &G, position: &G::Position) -> String {
    let [south, mut north] = game.rows(position);
    let mut scores = Side::BOTH.map(|side| game.store(position, side));
    if game.ended(position) == Some(Ending::NoMove) {
        scores[0] += south.iter().sum::<u16>();
        scores[1] += north.iter().sum::<u16>();
    }
    north.reverse();
    let rank = |row: Vec<u16>| {
        let empty_or_not = row.chunk_by(|a, b| *a == 0 && *b == 0);
        let words = empty_or_not.map(|run| match run[0] {
            0 => run.len().to_string(),
            seeds => format!("{seeds}S"),
        });
        words.collect::<Vec<_>>().join(",")
    };
    let side = if game.to_move(position) == Side::South { "S" } else { "N" };
    format!("{}/{} {} {} {side} 1", rank(north), rank(south), scores[0], scores[1])
}

fn read_fen<G: Notated>(game: G, text: &str) -> Result<G::Position, String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [board, south, north, side, turn] = fields[..] else {
        return Err(format!("a FEN has 5 fields, not {}: \"{}\"", fields.len(), excerpt(text)));
    };
    let ranks: Vec<&str> = board.split('/').collect();
    let [upper, lower] = ranks[..] else {
        return Err(format!("the board has 2 ranks, not {}", ranks.len()));
    };
    let mut rows = [read_rank(lower)?, read_rank(upper)?];
    rows[1].reverse();
    let score = |name, text| {
        number(text).ok_or_else(|| format!("{name}'s score is \"{}\", not a number", excerpt(text)))
    };
    let mut stores = [score("South", south)?, score("North", north)?];
    let totals = rows.each_ref().map(|row| row.iter().map(|&seeds| u32::from(seeds)).sum::<u32>());
    // Once a game is over, the scores include the seeds on the board.
    if stores.iter().map(|&it| u32::from(it)).sum::<u32>() == 48 {
        for (store, total) in stores.iter_mut().zip(totals) {
            let rest = u16::try_from(total).ok().and_then(|total| store.checked_sub(total));
            *store =
                rest.ok_or("the scores add up to 48, but do not include the seeds on the board")?;
        }
    }
    let to_move = match side {
        "S" => Side::South,
        "N" => Side::North,
        _ => return Err(format!("the side to move is \"{}\", not S or N", excerpt(side))),
    };
    number(turn).ok_or_else(|| format!("the turn is \"{}\", not a number", excerpt(turn)))?;
    game.position_of(&[&rows[0][..], &rows[1], &stores].concat(), to_move)
        .map_err(|error| error.to_string())
}

fn read_rank(text: &str) -> Result<Vec<u16>, String> {
    let mut pits = Vec::new();
    for word in text.split(',') {
        match (word.strip_suffix(['S', 's']), number(word)) {
            (None, Some(empty @ 1..=6)) => pits.extend(vec![0; empty.into()]),
            (Some(seeds), _) if number(seeds).is_some_and(|seeds| seeds > 0) => {
                pits.extend(number(seeds));
            }
            _ => {
                let word = excerpt(word);
                return Err(format!(
                    "\"{word}\" is neither seeds such as 4S nor 1 to 6 empty pits"
                ));
            }
        }
    }
    match pits.len() {
        PITS => Ok(pits),
        other => Err(format!("the rank \"{}\" has {other} pits, not {PITS}", excerpt(text))),
    }
}

fn square(side: Side, pit: Pit) -> String {
    let (file, rank) = match side {
        Side::South => (pit.index(), 1),
        Side::North => (PITS - 1 - pit.index(), 2),
    };
    format!("{}{rank}", char::from(b'a' + file as u8))
}

fn squares<G: Notated>(game: &G, position: &G::Position, pit: Pit) -> String {
    let target = match game.sowing(position, pit).last() {
        Some(&Hole::Pit(side, pit)) => square(side, pit),
        _ => String::new(),
    };
    square(game.to_move(position), pit) + &target
}

fn play<G: Notated>(record: &mut Record<G>, word: &str) -> Result<(), String> {
    let pits = (0..PITS as u8).filter_map(Pit::new);
    let mut squares_of =
        Side::BOTH.into_iter().flat_map(|it| pits.clone().map(move |pit| (it, pit)));
    let origin = word.get(..2).filter(|_| word.len() == 4);
    let found = squares_of.find(|&(side, pit)| origin == Some(&square(side, pit)));
    let ply = record.plies().len() + 1;
    let (side, pit) =
        found.ok_or_else(|| format!("\"{}\" is not a move such as c1f2", excerpt(word)))?;
    if side != record.to_move() {
        return Err(format!("ply {ply}: \"{word}\": it is {}'s turn", record.to_move()));
    }
    let expected = squares(record.game(), record.position(), pit);
    record.play(pit).map_err(|error| format!("{error} (\"{word}\")"))?;
    match expected == word {
        true => Ok(()),
        false => Err(format!("ply {ply}: \"{word}\" does not match the move {expected}")),
    }
}

/// Formats a game as PGN, with the tags that PlayStrategy reads.
pub(super) fn game<G: Notated>(entry: &Entry<G>) -> String {
    let Entry { label, record, comment, .. } = entry;
    let game = record.game();
    let result = result_text(entry.result(), Side::South);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace(char::is_control, " ").replace(['"', '\\'], "'");
        writeln!(text, "[{name} \"{value}\"]").expect("writing to memory");
    };
    let ending = if result == "*" { "Unterminated" } else { "Normal" };
    tag("Event", label.as_deref().unwrap_or("?"));
    tag("Site", "?");
    tag("Result", &result);
    tag("Variant", "Oware");
    if !entry.is_from_start() {
        tag("FEN", &fen(game, record.opening()));
        tag("SetUp", "1");
    }
    tag("Termination", comment.as_deref().unwrap_or(ending));
    text.push('\n');
    for (ply, (position, &(side, pit))) in record.positions().iter().zip(record.plies()).enumerate()
    {
        let turn = (ply + entry.opening_side().index()) / 2 + 1;
        match (side, ply) {
            (Side::South, _) => write!(text, "{turn}. "),
            (Side::North, 0) => write!(text, "{turn}... "),
            (Side::North, _) => Ok(()),
        }
        .expect("writing to memory");
        text += &squares(game, position, pit);
        text.push(' ');
    }
    text + &result + "\n\n"
}

pub(super) fn read_games<G: Notated>(game: G, text: &str) -> Result<Vec<Entry<G>>, String> {
    let new = || Entry::new(Record::new(game, Side::South));
    let (mut games, mut reading): (Vec<Entry<G>>, _) = (Vec::new(), None);
    // Whether we've read a move or the result of the current game. If so, then the next tag begins a new game.
    let mut has_moves = false;
    let mut depth = 0; // nesting depth of comments and variations
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if depth == 0 && line.starts_with('[') {
            if std::mem::take(&mut has_moves) {
                games.extend(reading.take());
            }
            read_tag(reading.get_or_insert_with(new), line).map_err(at(number))?;
            continue;
        }
        let spaced = ["{", "}", "(", ")"]
            .iter()
            .fold(line.to_owned(), |line, bracket| line.replace(bracket, &format!(" {bracket} ")));
        for word in spaced.split_whitespace() {
            match word {
                "{" | "(" => depth += 1,
                "}" | ")" if depth > 0 => depth -= 1,
                _ if depth > 0 || word.starts_with('$') => {}
                _ => {
                    has_moves = true;
                    read_word(reading.get_or_insert_with(new), word).map_err(at(number))?;
                }
            }
        }
    }
    games.extend(reading);
    Ok(games)
}

fn read_tag<G: Notated>(entry: &mut Entry<G>, line: &str) -> Result<(), String> {
    let tag = line.strip_prefix('[').and_then(|it| it.strip_suffix("\"]")?.split_once(" \""));
    let (name, value) = tag.ok_or_else(|| format!("\"{}\" is not a tag", excerpt(line)))?;
    let is_known = !matches!(value, "" | "?");
    match name {
        "Variant" if !value.eq_ignore_ascii_case("oware") => {
            return Err(format!("Variant is \"{}\", not Oware", excerpt(value)));
        }
        "FEN" => {
            let game = *entry.record.game();
            let opening = read_fen(game, value).map_err(|error| format!("FEN: {error}"))?;
            entry.record = Record::from_position(game, opening);
        }
        "Site" if is_known => entry.label = Some(value.into()),
        "Event" if is_known && entry.label.is_none() => entry.label = Some(value.into()),
        "Result" if value == "*" => {}
        "Result" => match verdict_of(value) {
            Some(verdict) => entry.verdict = Some(verdict),
            None => {
                return Err(format!(
                    "Result is \"{}\", not 1-0, 0-1, 1/2-1/2 or *",
                    excerpt(value)
                ));
            }
        },
        "Termination" if !matches!(value, "Normal" | "Unterminated") => {
            entry.comment = Some(value.into());
        }
        _ => {}
    }
    Ok(())
}

fn read_word<G: Notated>(entry: &mut Entry<G>, word: &str) -> Result<(), String> {
    if word == "*" || verdict_of(word).is_some() {
        entry.verdict = entry.verdict.or(verdict_of(word));
        return Ok(());
    }
    let played = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
    if played.is_empty() { Ok(()) } else { play(&mut entry.record, played) }
}
