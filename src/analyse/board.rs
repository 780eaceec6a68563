//! Boards and values of moves for the page. A request contains the whole game, so there are no sessions.

use std::collections::BTreeMap;

use arena::player::{NoChoice, PlayableGame, Player, Spec, SpecError};
use arena::{NoPayoffs, Summary};
use mancala::eval::{Certainty, Score};
use mancala::game::ayo::Rules;
use mancala::game::{AnyGame, Hole, Pit, PlayError, Record, Side, Verdict};
use mancala::progress::Progress;
use serde::Serialize;

use super::judge::{Judge, JudgeError, Judged, JudgedMove, Sides};

/// The most plies of a game.
const MAX_PLIES: usize = 2000;

/// A game in a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    /// The first position, if it is not the start.
    pub(crate) from: Option<String>,
    /// The side that begins.
    pub(crate) first: Option<Side>,
    /// The moves, in any notation of the game.
    pub(crate) line: String,
}

/// Errors from answering a request about a game.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BoardError {
    #[error("from: {0}")]
    From(String),
    #[error("line: {0}")]
    Line(String),
    #[error("line: it has {0} plies, more than {MAX_PLIES}")]
    Long(usize),
    #[error("the game is over: there is no move to choose")]
    Over,
    #[error(transparent)]
    Player(#[from] SpecError),
    #[error("the player gives no move: {0}")]
    NoChoice(#[from] NoChoice),
    #[error("the player breaks the rules, {0}")]
    Illegal(#[from] PlayError),
    #[error(transparent)]
    Judge(#[from] JudgeError),
    #[error(transparent)]
    NoPayoffs(#[from] NoPayoffs),
}

/// A game after its moves.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "board")]
pub(crate) struct Board {
    /// The game, with its rules where its text form has them.
    pub(crate) game: String,
    /// The rules of ayo; for other games the same as `game`.
    pub(crate) rules: String,
    /// The first position.
    pub(crate) from: String,
    /// The moves as letters.
    pub(crate) line: String,
    /// The moves in the other notation of the game.
    pub(crate) notation: Option<String>,
    /// The position after them.
    pub(crate) position: String,
    /// Pits per row.
    pub(crate) pits: usize,
    /// The seeds in each pit, in the order of sowing.
    pub(crate) rows: Sided<Vec<u16>>,
    /// The seeds in the stores.
    pub(crate) stores: Sided<u16>,
    /// Captured seeds.
    pub(crate) captured: Sided<u16>,
    /// The side to move; `None` after the end of the game.
    pub(crate) to_move: Option<&'static str>,
    /// The letters of legal moves.
    pub(crate) legal: Vec<char>,
    /// The reasons against the other moves, by letter.
    pub(crate) illegal: BTreeMap<char, &'static str>,
    /// Plies made.
    pub(crate) moves: usize,
    pub(crate) last: Option<LastPly>,
    pub(crate) over: Option<Over>,
    /// The choice of the player that made the last ply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chosen: Option<Chosen>,
}

/// A value for each side, under names in lower case.
#[derive(Debug, Serialize)]
pub(crate) struct Sided<T> {
    pub(crate) south: T,
    pub(crate) north: T,
}

impl<T> Sided<T> {
    pub(crate) fn of([south, north]: [T; 2]) -> Sided<T> {
        Sided { south, north }
    }
}

/// The last ply.
#[derive(Debug, Serialize)]
pub(crate) struct LastPly {
    /// The side that made it.
    pub(crate) side: &'static str,
    /// The letter of the pit.
    pub(crate) pit: char,
    /// Sown seeds.
    pub(crate) seeds: u16,
    /// Seeds sown into the mover's own store.
    pub(crate) home: u16,
    /// Captured seeds.
    pub(crate) captured: u16,
    /// Whether the mover is to move again.
    pub(crate) again: bool,
    /// The place of each sown seed: the letter of a pit, or a side for its store.
    pub(crate) path: Vec<String>,
    /// The pits whose seeds were captured.
    pub(crate) taken: Vec<String>,
}

/// The end of a game.
#[derive(Debug, Serialize)]
pub(crate) struct Over {
    /// The kind of end, in words.
    pub(crate) ending: String,
    /// The result as a sentence.
    pub(crate) verdict: String,
    /// The winner; `None` after a draw.
    pub(crate) winner: Option<&'static str>,
    /// The stores with the seeds that the end awarded.
    pub(crate) stores: Sided<u16>,
}

/// A player's choice.
#[derive(Debug, Serialize)]
pub(crate) struct Chosen {
    /// The letter of the pit.
    pub(crate) pit: char,
    /// Its score, if the player values moves.
    pub(crate) score: Option<i32>,
    /// The score for people.
    pub(crate) score_text: Option<String>,
    /// Searched positions.
    pub(crate) nodes: u64,
    /// The search depth.
    pub(crate) depth: Option<u32>,
}

/// The values of the moves in a position.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "payoffs")]
pub(crate) struct Payoffs {
    /// The side to move, from whose view the values are.
    pub(crate) to_move: &'static str,
    /// The moves before the position.
    pub(crate) line: String,
    /// The player's choice.
    pub(crate) suggestion: char,
    /// The legal moves; empty if the player does not value moves.
    pub(crate) moves: Vec<Payoff>,
}

/// The value of a move.
#[derive(Debug, Serialize)]
pub(crate) struct Payoff {
    /// The letter of the pit.
    pub(crate) pit: char,
    /// Seeds that it brings into the store at once.
    pub(crate) gain: u16,
    /// The player's score.
    pub(crate) value: i32,
    /// The score for people.
    pub(crate) value_text: String,
    /// The score in captured seeds, unless it counts plies to an end.
    pub(crate) seeds: Option<f64>,
    /// Whether no move is worth more.
    pub(crate) best: bool,
    /// The seed difference that endgame tables prove.
    pub(crate) proven: Option<i8>,
    /// The seed difference of tables that are not proven.
    pub(crate) likely: Option<i8>,
}

/// The judged moves of a line.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "judged")]
pub(crate) struct JudgedLine {
    pub(crate) line: String,
    /// Lost points from which a move is a blunder.
    pub(crate) blunder: i32,
    /// The plies up to the end of the game.
    pub(crate) plies: Vec<JudgedMove>,
    pub(crate) summary: Sides<Summary>,
}

/// Returns the game with this name and rules of ayo. Errors name the field.
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

/// Replays the game of a request.
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

/// Reads a position, a line, or a position followed by a line.
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

/// Returns the board after the moves of a game.
pub(crate) fn board<G: PlayableGame>(record: &Record<G>) -> Board {
    let (game, position) = (record.game(), record.position());
    let named: AnyGame = (*game).into();
    let [south, north] = game.rows(position);
    let over = over(record);
    let mover = record.to_move();
    let all = (0..south.len() as u8).filter_map(Pit::new);
    let (legal, illegal): (Vec<Pit>, Vec<Pit>) =
        all.partition(|&pit| over.is_none() && game.objection(position, pit).is_none());
    let why = |pit: Pit| {
        let reason = game.objection(position, pit).unwrap_or("the game is over");
        (pit.letter(mover), reason)
    };
    let captured = Side::BOTH
        .map(|side| record.outcomes().filter(|ply| ply.side == side).map(|ply| ply.captured).sum());
    Board {
        game: named.to_string(),
        rules: named.terms().1,
        from: record.opening().to_string(),
        line: record.line(),
        notation: G::other_notation(record),
        position: position.to_string(),
        pits: south.len(),
        rows: Sided { south, north },
        stores: Sided::of(Side::BOTH.map(|side| game.store(position, side))),
        captured: Sided::of(captured),
        to_move: over.is_none().then(|| word(mover)),
        legal: legal.into_iter().map(|pit| pit.letter(mover)).collect(),
        illegal: illegal.into_iter().map(why).collect(),
        moves: record.plies().len(),
        last: last(record),
        over,
        chosen: None,
    }
}

/// Lets the player move, and returns the board after the move.
pub(crate) fn reply<G: PlayableGame>(
    mut record: Record<G>,
    player: &mut dyn Player<G>,
    progress: &dyn Progress,
) -> Result<Board, BoardError> {
    if record.ending().is_some() {
        return Err(BoardError::Over);
    }
    let side = record.to_move();
    let choice = player.choose(&record, progress)?;
    record.play(choice.pit)?;
    let chosen = Chosen {
        pit: choice.pit.letter(side),
        score: choice.score.map(|score| score.0),
        score_text: choice.score.map(|score| score.to_string()),
        nodes: choice.nodes,
        depth: choice.depth,
    };
    Ok(Board { chosen: Some(chosen), ..board(&record) })
}

/// Returns the values that the player and endgame tables give to the legal moves.
pub(crate) fn payoffs<G: PlayableGame>(
    record: &Record<G>,
    player: &mut dyn Player<G>,
    progress: &dyn Progress,
) -> Result<Payoffs, BoardError> {
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
    let payoff = |&(pit, score): &(Pit, Score)| Payoff {
        pit: pit.letter(side),
        gain: gain(record, pit),
        value: score.0,
        value_text: score.to_string(),
        seeds: seed_value
            .filter(|_| !score.counts_plies())
            .map(|worth| f64::from(score.0) / f64::from(worth)),
        best: Some(score) == best,
        proven: table_value(pit, Certainty::Proven),
        likely: table_value(pit, Certainty::Heuristic),
    };
    Ok(Payoffs {
        to_move: word(side),
        line: record.line(),
        suggestion: suggestion.letter(side),
        moves: valued.iter().map(payoff).collect(),
    })
}

/// Lets a player judge the moves of a game.
pub(crate) fn judged<G: PlayableGame>(
    record: &Record<G>,
    player: &Spec,
    progress: &dyn Progress,
) -> Result<JudgedLine, BoardError> {
    let game = *record.game();
    let mut judge = Judge::new(&player.kind, player.build(game)?, game, None)?;
    let Judged { moves, summary } = judge.judge(record, progress)?;
    let blunder = judge.terms().blunder;
    Ok(JudgedLine { line: record.line(), blunder, plies: moves, summary })
}

/// Returns the values of the moves in endgame tables, which are built if they do not exist.
fn table_values<G: PlayableGame>(
    record: &Record<G>,
    progress: &dyn Progress,
) -> Option<Vec<(Pit, i8, Certainty)>> {
    let (game, position) = (record.game(), record.position());
    let provided = game.provided(&Spec { kind: "engine".into(), options: Vec::new() }).ok()??;
    let seeds: u16 = game.rows(position).concat().iter().sum();
    if seeds > provided.most_seeds().into() {
        return None;
    }
    provided.wait(progress)?.known(G::as_ayo(position)?)
}

/// Counts the seeds that a move brings into its mover's store.
fn gain<G: PlayableGame>(record: &Record<G>, pit: Pit) -> u16 {
    let (game, position, side) = (record.game(), record.position(), record.to_move());
    game.store(&game.play(position, pit), side) - game.store(position, side)
}

fn over<G: PlayableGame>(record: &Record<G>) -> Option<Over> {
    let (ending, settled) = (record.ending()?, record.settlement()?);
    let winner = match settled.verdict {
        Verdict::Won(side) => Some(word(side)),
        Verdict::Drawn => None,
    };
    Some(Over {
        ending: ending.to_string(),
        verdict: settled.verdict.to_string(),
        winner,
        stores: Sided::of(settled.stores),
    })
}

fn last<G: PlayableGame>(record: &Record<G>) -> Option<LastPly> {
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
        pits.map(move |pit| Hole::Pit(side, pit)).collect::<Vec<_>>()
    });
    Some(LastPly {
        side: word(ply.side),
        pit: ply.pit.letter(ply.side),
        seeds: ply.seeds,
        home: ply.home,
        captured: ply.captured,
        again: ply.again,
        path: path.iter().map(hole).collect(),
        taken: taken.map(|it| hole(&it)).collect(),
    })
}

fn hole(hole: &Hole) -> String {
    match *hole {
        Hole::Pit(side, pit) => pit.letter(side).into(),
        Hole::Store(side) => word(side).into(),
    }
}

fn word(side: Side) -> &'static str {
    match side {
        Side::South => "south",
        Side::North => "north",
    }
}
