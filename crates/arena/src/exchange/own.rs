//! Ayo's own formats, i.e. lines of text and lines of a games file.

use mancala::eval::OptionError;
use mancala::game::{Notated, Record, Side, Transcript};

use super::{Entry, at, result_text, verdict_of};
use crate::contest::side_of_first;
use crate::player::protocol::excerpt;
use crate::{GameResult, SavedGame};

pub(super) fn read<G: Notated>(game: G, text: &str) -> Result<Vec<Entry<G>>, String> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let is_heading = |line: &str| line.starts_with(r#"{"kind":"games""#);
    let lines =
        lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#') && !is_heading(line));
    let read = |(number, line): (usize, &str)| match line.starts_with('{') {
        true => read_saved(game, line).map_err(at(number)),
        false => read_line(game, line).map_err(at(number)),
    };
    lines.map(read).collect()
}

fn read_line<G: Notated>(game: G, line: &str) -> Result<Entry<G>, String> {
    let transcript = Transcript::read(&game, line).map_err(|error| excerpt(&error.to_string()))?;
    let mut record = Record::from_position(game, transcript.opening);
    let plies = transcript.plies.into_iter().map(Into::into);
    record.play_line(plies).map_err(|error| error.to_string())?;
    let comment = transcript.comment.as_deref();
    let (verdict, comment) = comment.map_or((None, None), |comment| {
        let (word, rest) = comment.split_once(' ').unwrap_or((comment, ""));
        let verdict = verdict_of(word);
        let comment = if verdict.is_some() { rest } else { comment };
        (verdict, Some(comment.to_owned()).filter(|comment| !comment.is_empty()))
    });
    Ok(Entry { label: transcript.label, record, verdict, comment })
}

fn read_saved<G: Notated>(game: G, line: &str) -> Result<Entry<G>, String> {
    let saved = SavedGame::read(line.as_bytes())?;
    let record = saved.record(game).map_err(|error| excerpt(&error))?;
    let first = side_of_first(saved.game.wrapping_sub(1), game.to_move(record.opening()));
    let verdict = match saved.result.as_str() {
        "*" => None,
        text => {
            let wrong = |OptionError { expected }| {
                format!("result is \"{}\", not {expected}", excerpt(text))
            };
            Some(text.parse::<GameResult>().map_err(wrong)?.verdict(first))
        }
    };
    let ending = record.ending().map_or(UNFINISHED.into(), |ending| ending.to_string());
    let comment = Some(saved.end).filter(|end| *end != ending);
    Ok(Entry { label: None, record, verdict, comment })
}

const UNFINISHED: &str = "unfinished";

/// Formats the entry as a line of text. The result precedes the comment, unless it's the same as on the board.
pub(super) fn line<G: Notated>(entry: &Entry<G>) -> String {
    let Entry { label, record, verdict, comment } = entry;
    let single_line = |text: &str| text.replace(char::is_control, " ").replace(" # ", " ");
    let label = label.as_deref().map(single_line).unwrap_or_default();
    let label = match label.trim().trim_start_matches(['#', '{', ' ']) {
        "" => String::new(),
        label => format!("{label}: "),
    };
    let recorded = verdict.filter(|_| *verdict != record.verdict());
    let result = recorded.map(|verdict| result_text(Some(verdict), Side::South));
    let notes = result.into_iter().chain(comment.as_deref().map(single_line));
    let notes = notes.collect::<Vec<_>>().join(" ");
    let notes = match notes.trim() {
        "" => String::new(),
        notes => format!(" # {notes}"),
    };
    let moves = Some(record.line()).filter(|line| !line.is_empty());
    let moves = moves.map(|line| format!(" {line}")).unwrap_or_default();
    format!("{label}{}{moves}{notes}\n", record.opening())
}

pub(super) fn saved<G: Notated>(entry: &Entry<G>, number: usize) -> String {
    let Entry { record, comment, .. } = entry;
    let (game, opening) = (record.game(), record.opening());
    let first = side_of_first(number - 1, game.to_move(opening));
    let stores = match record.settlement() {
        Some(settlement) => settlement.stores,
        None => Side::BOTH.map(|side| game.store(record.position(), side)),
    };
    let ending = record.ending().map_or(UNFINISHED.into(), |ending| ending.to_string());
    let saved = SavedGame {
        game: number,
        opening: opening.to_string(),
        line: record.line(),
        nodes: [0; 2],
        result: result_text(entry.result(), first),
        stores: [first, first.other()].map(|side| stores[side.index()]),
        end: comment.clone().unwrap_or(ending),
        study: None,
    };
    saved.to_line()
}
