//! The formats of OpenSpiel's `oware`: state strings for positions, and lists of actions from 0 to 5 for games.
//!
//! Player 0 is South. Source: `open_spiel/games/oware/oware.cc` of google-deepmind/open_spiel.

use mancala::game::{Ending, Notated, Record, Side};

use super::{Entry, Written, at, number, play};
use crate::player::protocol::excerpt;

const LABELS: [&str; 2] = ["  A  B  C  D  E  F", "  f  e  d  c  b  a"];
const FINISHED: &str = "[FINISHED]";
const PLAYING: &str = " [PLAYING]";

pub(super) fn write<G: Notated>(entry: &Entry<G>) -> Result<Written, String> {
    let record = &entry.record;
    if !entry.is_position() {
        if !entry.is_from_start() {
            let opening = record.opening();
            return Err(format!("an OpenSpiel game cannot start from {opening}"));
        }
        let actions = record.plies().iter().map(|(_, pit)| pit.index().to_string());
        return Ok((actions.collect::<Vec<_>>().join(", ") + "\n", None));
    }
    let (game, position) = (record.game(), record.position());
    let [mut south, mut north] = game.rows(position);
    let mut scores = Side::BOTH.map(|side| game.store(position, side));
    let ending = game.ended(position);
    if ending == Some(Ending::NoMove) {
        for (score, row) in scores.iter_mut().zip([&mut south, &mut north]) {
            *score += row.iter().sum::<u16>();
            row.fill(0);
        }
    }
    north.reverse();
    let row = |row: &[u16]| row.iter().map(|seeds| format!("{seeds:>3}")).collect::<String>();
    let score = |side: Side| {
        let playing = if ending.is_none() && game.to_move(position) == side { PLAYING } else { "" };
        format!("Player {} score = {}{playing}", side.index(), scores[side.index()])
    };
    let finished = ending.map(|_| FINISHED.to_owned());
    let lines = [
        score(Side::North),
        LABELS[1].into(),
        row(&north),
        row(&south),
        LABELS[0].into(),
        score(Side::South),
    ];
    let text = finished.into_iter().chain(lines).collect::<Vec<_>>().join("\n") + "\n\n";
    Ok((text, ending.map(|_| "the rows and side to move in a finished position")))
}

pub(super) fn read<G: Notated>(game: G, text: &str) -> Result<Vec<Entry<G>>, String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let mut lines = lines.filter(|(_, line)| line.trim() != FINISHED).peekable();
    let mut entries = Vec::new();
    while let Some(&(first, line)) = lines.peek() {
        let record = if line.starts_with("Player") {
            let state: Vec<&str> = lines.by_ref().take(6).map(|(_, line)| line).collect();
            read_state(game, &state, first)?
        } else {
            lines.next();
            read_actions(game, line).map_err(at(first))?
        };
        entries.push(Entry::new(record));
    }
    Ok(entries)
}

fn read_actions<G: Notated>(game: G, line: &str) -> Result<Record<G>, String> {
    let mut record = Record::new(game, Side::South);
    let words = line.split([',', ' ', '[', ']', '\t']).filter(|word| !word.is_empty());
    for word in words {
        let action = number(word).filter(|action| *action < 6);
        let action =
            action.ok_or_else(|| format!("\"{}\" is not an action from 0 to 5", excerpt(word)))?;
        play(&mut record, action)?;
    }
    Ok(record)
}

/// Parses the lines of a state string. `first` is the line number of its first line.
fn read_state<G: Notated>(game: G, lines: &[&str], first: usize) -> Result<Record<G>, String> {
    let &[north, _, upper, lower, _, south] = lines else {
        return Err(format!("line {first}: the state has {} lines, not 6", lines.len()));
    };
    let row = |line: usize, text: &str| -> Result<Vec<u16>, String> {
        let seeds = text.split_whitespace().map(|word| {
            number(word).ok_or_else(|| format!("\"{}\" is not a number of seeds", excerpt(word)))
        });
        seeds.collect::<Result<_, _>>().map_err(at(first + line))
    };
    let score = |line: usize, player: usize, text: &str| {
        let (text, is_playing) = match text.trim_end().strip_suffix(PLAYING) {
            Some(text) => (text, true),
            None => (text.trim_end(), false),
        };
        let score = text.strip_prefix(&format!("Player {player} score = ")).and_then(number);
        let error = || format!("\"{}\" is not the score of player {player}", excerpt(text));
        score.map(|score| (score, is_playing)).ok_or_else(error).map_err(at(first + line))
    };
    let ((north, is_north), (south, is_south)) = (score(0, 1, north)?, score(5, 0, south)?);
    let (mut upper, lower) = (row(2, upper)?, row(3, lower)?);
    upper.reverse();
    if is_north && is_south {
        return Err(format!("line {first}: both players are to move"));
    }
    let to_move = if is_north { Side::North } else { Side::South };
    let seeds = [lower, upper, vec![south, north]].concat();
    let position = game.position_of(&seeds, to_move).map_err(at(first))?;
    Ok(Record::from_position(game, position))
}
