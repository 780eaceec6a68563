//! Boards and move values for the web page. There are no sessions, since every request contains the whole game.

use std::collections::BTreeMap;

use arena::NoAnnotation;
use arena::player::{NoChoice, PlayableGame, Player, Spec, SpecError};
use mancala::eval::{Certainty, Score};
use mancala::game::ayo::Rules;
use mancala::game::{AnyGame, Hole, Pit, Record, Side, Verdict};
use mancala::progress::Progress;
use mancala::text::Message;
use serde::Serialize;
use serde_json::{Value, json};

use super::judge::{Judge, NoLimit};

const MAX_PLIES: usize = 2000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// The first position, if the game does not begin at the start position.
    pub(crate) from: Option<String>,
    pub(crate) first: Option<Side>,
    /// The moves, in any of the game's notations.
    pub(crate) line: String,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum BoardError {
    #[error("from: {0}")]
    From(String),
    #[error("line: {0}")]
    Line(String),
    #[error("line: {0} plies exceed the limit of {MAX_PLIES}")]
    Long(usize),
    #[error("the game is over")]
    Over,
    #[error(transparent)]
    Player(#[from] SpecError),
    #[error("the player did not choose a move: {0}")]
    NoChoice(#[from] NoChoice),
    #[error("the player made an illegal move: {0}")]
    Illegal(#[from] Message),
    #[error(transparent)]
    NoLimit(#[from] NoLimit),
    #[error(transparent)]
    NoAnnotation(#[from] NoAnnotation),
}

/// Returns the game with this name. `rules` are the rules of ayo. Errors start with the name of the invalid field.
pub(crate) fn named_game(game: &str, rules: Option<&str>) -> Result<AnyGame, String> {
    let game: AnyGame = game.parse().map_err(|reason| format!("game: {reason}"))?;
    match rules {
        None => Ok(game),
        Some(rules) => {
            let rules: Rules = rules.parse().map_err(|reason| format!("rules: {reason}"))?;
            game.with_rules(rules)
        }
    }
}

pub(crate) fn record<G: PlayableGame>(game: G, asked: &Asked) -> Result<Record<G>, BoardError> {
    let from = asked.from.as_deref().map(|text| game.read_position(text)).transpose();
    let from = from.map_err(|error| BoardError::From(error.to_string()))?;
    let opening = from.or(asked.first.map(|first| game.start(first)));
    if asked.line.trim().is_empty() {
        let opening = opening.unwrap_or_else(|| game.start(Side::South));
        return Ok(Record::from_position(game, opening));
    }
    let plies = G::read_plies(&asked.line).map_err(|error| BoardError::Line(error.to_string()))?;
    if plies.len() > MAX_PLIES {
        return Err(BoardError::Long(plies.len()));
    }
    let record = game.read_line(&asked.line, opening);
    record.map_err(|error| BoardError::Line(error.to_string()))
}

/// Parses a position, a line of moves, or a position followed by a line.
pub(crate) fn read<G: PlayableGame>(game: G, text: &str) -> Result<Record<G>, BoardError> {
    let text = text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_position = game.read_position(first).is_ok();
    let asked = match is_position {
        true => Asked { from: Some(first.into()), first: None, line: rest.into() },
        false if first.contains('-') => Asked { from: Some(first.into()), ..Asked::default() },
        false => Asked { line: text.into(), ..Asked::default() },
    };
    record(game, &asked)
}

pub(crate) fn board<G: PlayableGame>(record: &Record<G>) -> Value {
    let (game, position) = (record.game(), record.position());
    let named: AnyGame = (*game).into();
    let rows = game.rows(position);
    let pits = rows[0].len();
    let over = over(record);
    let mover = record.to_move();
    let all = (0..pits as u8).filter_map(Pit::new);
    let (legal, illegal): (Vec<Pit>, Vec<Pit>) =
        all.partition(|&pit| over.is_none() && game.objection(position, pit).is_none());
    let why = |pit: Pit| {
        let reason = game.objection(position, pit).unwrap_or("the game is over");
        (pit.letter(mover), reason)
    };
    let captured = |side| -> u16 {
        record.outcomes().filter(|ply| ply.side == side).map(|ply| ply.captured).sum()
    };
    json!({
        "kind": "board",
        "game": named.to_string(),
        // For a game without separate rules, this is the same string as `game`.
        "rules": named.description().1,
        "from": record.opening().to_string(),
        "line": record.line(),
        // The moves in the game's other notation.
        "notation": G::other_notation(record),
        "position": position.to_string(),
        "pits": pits,
        // The pits of each side, in sowing order.
        "rows": sided(rows),
        "stores": sided(Side::BOTH.map(|side| game.store(position, side))),
        "captured": sided(Side::BOTH.map(captured)),
        "to_move": over.is_none().then(|| word(mover)),
        "legal": legal.into_iter().map(|pit| pit.letter(mover)).collect::<Vec<_>>(),
        "illegal": illegal.into_iter().map(why).collect::<BTreeMap<_, _>>(),
        "moves": record.plies().len(),
        "last": last(record),
        "over": over,
    })
}

pub(crate) fn reply<G: PlayableGame>(
    mut record: Record<G>,
    player: &mut dyn Player<G>,
    progress: &dyn Progress,
) -> Result<Value, BoardError> {
    if record.ending().is_some() {
        return Err(BoardError::Over);
    }
    let side = record.to_move();
    let choice = player.choose(&record, progress)?;
    record.play(choice.pit)?;
    let mut board = board(&record);
    board["chosen"] = json!({
        "pit": choice.pit.letter(side),
        "score": choice.score.map(|score| score.0),
        "score_text": choice.score.map(|score| score.to_string()),
        "nodes": choice.nodes,
        "depth": choice.depth,
    });
    Ok(board)
}

/// Returns the value of each legal move, both according to the player and according to endgame tables. The list is
/// empty if the player does not evaluate moves.
pub(crate) fn payoffs<G: PlayableGame>(
    record: &Record<G>,
    player: &mut dyn Player<G>,
    progress: &dyn Progress,
) -> Result<Value, BoardError> {
    if record.ending().is_some() {
        return Err(BoardError::Over);
    }
    let valued = player.payoffs(record, progress);
    let suggestion = player.advise(record, progress)?.pit;
    if progress.should_stop() {
        return Err(NoChoice::Stopped.into());
    }
    let best = valued.iter().map(|&(_, score)| score).max();
    let known = table_values(record, progress);
    let table_value = |pit, wanted| {
        let &(_, seeds, certainty) = known.as_ref()?.iter().find(|(sown, ..)| *sown == pit)?;
        (certainty == wanted).then_some(seeds)
    };
    let (side, seed_value) = (record.to_move(), player.seed_value());
    let payoff = |&(pit, score): &(Pit, Score)| {
        let seed_value = seed_value.filter(|_| !score.counts_plies());
        json!({
            "pit": pit.letter(side),
            // The number of seeds that the move itself adds to the store.
            "gain": gain(record, pit),
            "value": score.0,
            "value_text": score.to_string(),
            "seeds": seed_value.map(|worth| f64::from(score.0) / f64::from(worth)),
            "best": Some(score) == best,
            "proven": table_value(pit, Certainty::Proven),
            "likely": table_value(pit, Certainty::Heuristic),
        })
    };
    Ok(json!({
        "kind": "payoffs",
        "to_move": word(side),
        "line": record.line(),
        "suggestion": suggestion.letter(side),
        "moves": valued.iter().map(payoff).collect::<Vec<_>>(),
    }))
}

pub(crate) fn judged<G: PlayableGame>(
    record: &Record<G>,
    player: &Spec,
    progress: &dyn Progress,
) -> Result<Value, BoardError> {
    let game = *record.game();
    let mut judge = Judge::new(&player.kind, player.build(game)?, game, None)?;
    let judged = judge.judge(record, progress)?;
    let (plies, summary) = (judged.moves_as_json(), judged.summary_as_json());
    Ok(json!({
        "kind": "judged",
        "line": record.line(),
        "blunder": judged.blunder,
        "plies": plies,
        "summary": summary,
    }))
}

/// Returns the values of the moves in the endgame tables. Missing tables are built first.
fn table_values<G: PlayableGame>(
    record: &Record<G>,
    progress: &dyn Progress,
) -> Option<Vec<(Pit, i8, Certainty)>> {
    let (game, position) = (record.game(), record.position());
    let provided = game.provided(&Spec { kind: "engine".into(), options: Vec::new() }).ok()??;
    let seeds: u16 = game.rows(position).concat().iter().sum();
    if seeds > provided.max_seeds().into() {
        return None;
    }
    provided.wait(progress)?.move_bounds(G::as_ayo(position)?)
}

fn gain<G: PlayableGame>(record: &Record<G>, pit: Pit) -> u16 {
    let (game, position, side) = (record.game(), record.position(), record.to_move());
    game.store(&game.play(position, pit), side) - game.store(position, side)
}

/// Returns the result of a finished game; the stores include the seeds awarded at the end.
fn over<G: PlayableGame>(record: &Record<G>) -> Option<Value> {
    let (ending, settled) = (record.ending()?, record.settlement()?);
    let winner = match settled.verdict {
        Verdict::Won(side) => Some(word(side)),
        Verdict::Drawn => None,
    };
    Some(json!({
        "ending": ending.to_string(),
        "verdict": settled.verdict.to_string(),
        "winner": winner,
        "stores": sided(settled.stores),
    }))
}

/// Returns the last ply: the hole in which each seed was sown, and the pits that were captured.
fn last<G: PlayableGame>(record: &Record<G>) -> Option<Value> {
    let ply = record.outcomes().next()?;
    let mut before = record.clone();
    before.undo();
    let (game, position) = (record.game(), before.position());
    let path = game.sowing(position, ply.pit);
    let mut fell = game.rows(position);
    fell[ply.side.index()][ply.pit.index()] = 0;
    for hole in &path {
        if let Hole::Pit(side, pit) = hole {
            fell[side.index()][pit.index()] += 1;
        }
    }
    let holds = game.rows(record.position());
    let taken = Side::BOTH.into_iter().flat_map(|side| {
        let pits = fell[side.index()].iter().zip(&holds[side.index()]).enumerate();
        let changed = pits.filter(|(_, (fell, holds))| fell != holds);
        let pits = changed.filter_map(|(index, _)| Pit::new(index as u8));
        pits.map(move |pit| pit.letter(side)).collect::<Vec<_>>()
    });
    let hole = |hole: &Hole| match *hole {
        Hole::Pit(side, pit) => pit.letter(side).to_string(),
        Hole::Store(side) => word(side).to_owned(),
    };
    Some(json!({
        "side": word(ply.side),
        "pit": ply.pit.letter(ply.side),
        "seeds": ply.seeds,
        // Seeds sown into the mover's own store.
        "home": ply.home,
        "captured": ply.captured,
        "again": ply.again,
        "path": path.iter().map(hole).collect::<Vec<_>>(),
        "taken": taken.collect::<Vec<_>>(),
    }))
}

/// Returns a value per side, keyed by the side's lower-case name.
fn sided<T: Serialize>([south, north]: [T; 2]) -> Value {
    json!({ "south": south, "north": north })
}

fn word(side: Side) -> &'static str {
    match side {
        Side::South => "south",
        Side::North => "north",
    }
}
