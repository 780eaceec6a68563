//! A game without a session: all of it is asked anew each time, and what is wanted to know of it is answered.

pub(crate) mod result;
use arena::NoPayoffs;
use arena::player::{NoChoice, PlayableGame, Player, Spec, SpecError};
use mancala::eval::{Certainty, Score};
use mancala::game::ayo::Rules;
use mancala::game::{AnyGame, Hole, IllegalMove, Pit, Record, Side, Verdict};
use mancala::progress::Progress;

use crate::analyse::board::result::{
    Board, Chosen, JudgedLine, LastPly, Over, Payoff, Payoffs, Sided,
};
use crate::analyse::judge::{Judge, NoJudge};
use crate::analyse::replay::result::{JudgedMove, Sides};

/// Plies of the longest line that is taken.
pub const LONGEST_LINE: usize = 2000;

/// A game as it is asked for, in the words of whoever asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// The position to begin from; the start if there is none.
    pub from: Option<String>,
    /// Who begins from the start.
    pub first: Option<Side>,
    /// The moves so far, in any notation of the game.
    pub line: String,
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    /// A text that is no position.
    #[error("from: {0}")]
    From(String),
    /// A text that is no line.
    #[error("line: {0}")]
    Line(String),
    /// More moves than are taken.
    #[error("line: it has {0} plies, more than {LONGEST_LINE}")]
    Long(usize),
    /// There is nothing to move any more.
    #[error("the game is over: there is nothing to choose")]
    Over,
    /// A player that there is none of.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The player gives no move.
    #[error("the player gives no move: {0}")]
    NoChoice(#[from] NoChoice),
    /// The player gives a move that is none.
    #[error("the player breaks the rules, {0}")]
    Illegal(#[from] IllegalMove),
    /// The player cannot judge.
    #[error(transparent)]
    NoJudge(#[from] NoJudge),
    /// The player does not value some move.
    #[error(transparent)]
    NoPayoffs(#[from] NoPayoffs),
}

/// The game that a name and rules of ayo stand for.
///
/// # Errors
/// A sentence that names the field.
pub fn named_game(game: &str, rules: Option<&str>) -> Result<AnyGame, String> {
    let game: AnyGame = game.parse().map_err(|reason| format!("game: {reason}"))?;
    match rules {
        None => Ok(game),
        Some(rules) => {
            let rules: Rules = rules.parse().map_err(|reason| format!("rules: {reason}"))?;
            game.with_rules(rules)
        }
    }
}

/// The record of a game that is asked for.
///
/// # Errors
/// If its position or its line is none.
pub fn record<G: PlayableGame>(game: G, asked: &Asked) -> Result<Record<G>, NoAnswer> {
    let from = asked.from.as_deref().map(|text| game.read_position(text)).transpose();
    let from = from.map_err(|error| NoAnswer::From(error.to_string()))?;
    let opening = from.or(asked.first.map(|first| game.start(first)));
    if asked.line.trim().is_empty() {
        let opening = opening.unwrap_or_else(|| game.start(Side::South));
        return Ok(Record::from_position(game, opening));
    }
    let plies = G::read_plies(&asked.line).map_err(|error| NoAnswer::Line(error.to_string()))?;
    if plies.len() > LONGEST_LINE {
        return Err(NoAnswer::Long(plies.len()));
    }
    let record = game.read_line(&asked.line, opening);
    record.map_err(|error| NoAnswer::Line(error.to_string()))
}

/// The record of a text that is a position, a line, or a position with a line after it.
///
/// # Errors
/// If it is none of them.
pub fn read<G: PlayableGame>(game: G, text: &str) -> Result<Record<G>, NoAnswer> {
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

/// A game as it stands.
pub fn board<G: PlayableGame>(record: &Record<G>) -> Board {
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

/// A game after a move of the player.
///
/// # Errors
/// If the game is over, or the player does not move.
pub fn reply<G: PlayableGame>(
    mut record: Record<G>,
    player: &mut dyn Player<G>,
    progress: &dyn Progress,
) -> Result<Board, NoAnswer> {
    if record.ending().is_some() {
        return Err(NoAnswer::Over);
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

/// What the moves of the side to move are worth to the player, and what endgame tables say of them.
///
/// # Errors
/// If the game is over, or the player is stopped.
pub fn payoffs<G: PlayableGame>(
    record: &Record<G>,
    player: &mut dyn Player<G>,
    progress: &dyn Progress,
) -> Result<Payoffs, NoAnswer> {
    if record.ending().is_some() {
        return Err(NoAnswer::Over);
    }
    let valued = player.payoffs(record, progress);
    let suggestion = player.advise(record, progress)?.pit;
    if progress.should_stop() {
        return Err(NoChoice::Stopped.into());
    }
    let best = valued.iter().map(|&(_, score)| score).max();
    let known = known(record, progress);
    let says = |pit, wanted| {
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
        proven: says(pit, Certainty::Proven),
        likely: says(pit, Certainty::Heuristic),
    };
    Ok(Payoffs {
        to_move: word(side),
        line: record.line(),
        suggestion: suggestion.letter(side),
        moves: valued.iter().map(payoff).collect(),
    })
}

/// What a player makes of each move of a game.
///
/// # Errors
/// If it does not value moves, or is stopped.
pub fn judged<G: PlayableGame>(
    record: &Record<G>,
    player: &Spec,
    progress: &dyn Progress,
) -> Result<JudgedLine, NoAnswer> {
    let mut judge = Judge::of(player, *record.game(), None)?;
    let judged = judge.judge_record(record, progress)?;
    let [south, north] = Side::BOTH.map(|side| judged.summary(side));
    Ok(JudgedLine {
        line: record.line(),
        blunder: judged.limit,
        plies: judged.annotations.iter().map(|it| JudgedMove::of(it, judged.limit)).collect(),
        summary: Sides { south, north },
    })
}

/// What tables say of each move. They are built if need be.
fn known<G: PlayableGame>(
    record: &Record<G>,
    progress: &dyn Progress,
) -> Option<Vec<(Pit, i8, Certainty)>> {
    let (game, position) = (record.game(), record.position());
    let provided = game.provided(&Spec { kind: "engine".into(), options: Vec::new() }).ok()??;
    let seeds: u16 = game.rows(position).concat().iter().sum();
    if seeds > provided.most_seeds().into() {
        return None;
    }
    G::known(provided.wait(progress)?, position)
}

/// The seeds that a move brings into its mover's store.
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

/// The last ply, and the way of its seeds.
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
