//! What came of replaying written games.

use arena::{Annotation, GamesFile, Summary};
use mancala::game::{Ending, Notated, Record, Replay, Side, Transcript, Verdict};
use serde::{Deserialize, Serialize};

/// Games of a file, ply by ply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "replay")]
pub struct Replays {
    /// What the marks depend on, if a player judged the moves.
    #[serde(flatten)]
    pub judge: Option<JudgedBy>,
    /// The games in the order of the file.
    pub games: Vec<ReplayedGame>,
}

/// A player that judged moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JudgedBy {
    /// Its specification.
    pub player: String,
    /// Points from which a lost score is a blunder.
    pub blunder: i32,
    /// Whether the marks can be repeated on any machine.
    pub reproducible: bool,
}

/// One game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplayedGame {
    /// What the file calls it.
    pub label: Option<String>,
    /// Plies written.
    pub plies: usize,
    /// Whether all of them are as the rules have it.
    pub ok: bool,
    /// The first ply that is not.
    pub departure: Option<Departed>,
    /// When the game was decided.
    pub decided: Option<DecidedAt>,
    /// Printed captures that include what the end of the game awarded.
    pub awards: Vec<Awarded>,
    /// The position after the last ply that replays.
    pub position: String,
    /// The stores in it, South's first.
    pub stores: [u16; 2],
    /// The stores once the seeds that are left have been awarded, if the game is over.
    pub settled: Option<[u16; 2]>,
    /// The winner, in words.
    pub verdict: Option<String>,
    /// The side that lost for another reason than the moves, in words.
    pub forfeit: Option<String>,
    /// The moves as letters.
    pub line: String,
    /// What the judge makes of each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<JudgedMove>>,
    /// What the moves of each side come to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Sides<Summary>>,
    /// The plies that serve a named strategy, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategies: Option<Vec<NamedPly>>,
}

/// A ply and the strategies that it serves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedPly {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The side that made it.
    pub side: String,
    /// The letter of the pit.
    #[serde(rename = "move")]
    pub played: char,
    /// Their names.
    pub strategies: Vec<String>,
}

impl NamedPly {
    /// The plies of a game that serve a strategy of its own; `None` if the game names none.
    pub fn all_in<G: Notated>(record: &Record<G>) -> Option<Vec<NamedPly>> {
        let game = *record.game();
        let mut position = *record.opening();
        let mut found = Vec::new();
        for (ply, &(side, pit)) in (1..).zip(record.plies()) {
            let strategies = game.strategies(&position, pit)?;
            if !strategies.is_empty() {
                let (side, played) = (side.to_string(), pit.letter(side));
                found.push(NamedPly { ply, side, played, strategies });
            }
            position = game.play(&position, pit);
        }
        Some(found)
    }
}

/// A ply that is not as the rules have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departed {
    /// Its number, from 1.
    pub ply: usize,
    /// What is written.
    pub printed: String,
    /// What is wrong with it.
    pub reason: String,
    /// The position before it.
    pub position: String,
    /// Legal moves that may have been meant.
    pub fits: Vec<String>,
}

/// When and how a game was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidedAt {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// How.
    pub by: EndingName,
    /// The winner; none in a draw.
    pub winner: Option<String>,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndingName {
    /// A side has more than half of the seeds.
    Majority,
    /// Both have half of them.
    Even,
    /// There is no legal move.
    NoMove,
    /// The position has occurred before.
    Repetition,
    /// A row is empty.
    EmptyRow,
}

/// Seeds that the end of the game awarded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awarded {
    /// The number of the ply that they are printed at.
    pub ply: usize,
    /// The side that is awarded.
    pub side: String,
    /// How many.
    pub seeds: u8,
}

/// Something of each side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sides<T> {
    /// South's.
    #[serde(rename = "South")]
    pub south: T,
    /// North's.
    #[serde(rename = "North")]
    pub north: T,
}

/// What a judge makes of a move. Scores are from the view of the side that made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedMove {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The side that made it.
    pub side: String,
    /// The letter of the pit.
    #[serde(rename = "move")]
    pub played: char,
    /// What it is worth.
    pub score: i32,
    /// The same as people read it.
    pub score_text: String,
    /// The move that is worth most.
    pub best: char,
    /// What that is worth.
    pub best_score: i32,
    /// The same as people read it.
    pub best_score_text: String,
    /// Points lost, where a number of points can say it.
    pub lost: Option<i32>,
    /// Whether it is a blunder.
    pub blunder: bool,
}

impl ReplayedGame {
    /// A written game and what came of it, not judged.
    pub fn of<G: Notated>(game: &Transcript<G>, replay: &Replay<G>) -> ReplayedGame {
        let (record, decided) = (&replay.record, replay.decided.as_ref());
        let store = |side| record.game().store(record.position(), side);
        let awarded = replay
            .awards
            .iter()
            .map(|it| (it.ply, it.side.to_string(), it.seeds))
            .map(|(ply, side, seeds)| Awarded { ply, side, seeds });
        ReplayedGame {
            label: game.label.clone(),
            plies: game.plies.len(),
            ok: replay.departure.is_none(),
            departure: replay.departure.as_ref().map(|it| Departed {
                ply: it.ply,
                printed: it.printed.to_string(),
                reason: it.reason.to_string(),
                position: it.position.to_string(),
                fits: it.fits.iter().map(|fit| fit.ply.to_string()).collect(),
            }),
            decided: decided.map(|it| DecidedAt {
                ply: it.ply,
                by: it.ending.into(),
                winner: winner(it.settlement.verdict),
            }),
            awards: awarded.collect(),
            position: record.position().to_string(),
            stores: Side::BOTH.map(store),
            settled: record.settlement().map(|settled| settled.stores),
            verdict: decided.map(|it| it.settlement.verdict.to_string()),
            forfeit: game.comment.as_deref().and_then(GamesFile::forfeit),
            line: record.line(),
            moves: None,
            summary: None,
            strategies: None,
        }
    }
}

fn winner(verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::Won(side) => Some(side.to_string()),
        Verdict::Drawn => None,
    }
}

impl From<Ending> for EndingName {
    fn from(ending: Ending) -> EndingName {
        match ending {
            Ending::Majority => EndingName::Majority,
            Ending::Even => EndingName::Even,
            Ending::NoMove => EndingName::NoMove,
            Ending::Repetition => EndingName::Repetition,
            Ending::EmptyRow => EndingName::EmptyRow,
        }
    }
}

impl JudgedMove {
    /// An annotation as it is printed, with blunders from `limit` points on.
    pub fn of(it: &Annotation, limit: i32) -> JudgedMove {
        JudgedMove {
            ply: it.ply,
            side: it.side.to_string(),
            played: it.played.letter(it.side),
            score: it.score.0,
            score_text: it.score.to_string(),
            best: it.best.letter(it.side),
            best_score: it.best_score.0,
            best_score_text: it.best_score.to_string(),
            lost: it.lost(),
            blunder: it.is_blunder(limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::ayo::Ayo;

    #[test]
    fn json_has_every_field_in_order() {
        let printed = |text: &str| {
            let ayo = Ayo::default();
            let game = Transcript::read(&ayo, text).unwrap();
            let replay = ayo.replay(game.opening, &game.plies);
            serde_json::to_string(&ReplayedGame::of(&game, &replay)).unwrap()
        };
        let expected = r#"{"label":"one","plies":0,"ok":true,"departure":null,"decided":{"ply":0,"by":"no-move","winner":"South"},"awards":[],"position":"1-1-2-2-0-0-0-0-0-0-0-0-22-20-S","stores":[22,20],"settled":[28,20],"verdict":"South wins","forfeit":null,"line":""}"#;
        assert_eq!(printed("one: 1-1-2-2-0-0-0-0-0-0-0-0-22-20-S"), expected);
        let expected = r#"{"label":null,"plies":2,"ok":false,"departure":{"ply":2,"printed":"4S5","reason":"it is North's turn","position":"4-4-4-4-4-0-5-5-5-5-4-4-0-0-N","fits":["4N5"]},"decided":null,"awards":[],"position":"4-4-4-4-4-0-5-5-5-5-4-4-0-0-N","stores":[0,0],"settled":null,"verdict":null,"forfeit":null,"line":"F"}"#;
        assert_eq!(printed("4S6, 4S5"), expected);
    }
}
