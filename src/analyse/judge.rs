//! A player's judgement of the moves of a game.

use arena::player::{PlayableGame, Player};
use arena::{Annotation, NoPayoffs, Summary, annotate};
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use serde::Serialize;

/// The default size of a blunder, in captured seeds.
const BLUNDER_SEEDS: i32 = 3;

/// A player that values moves.
pub(crate) struct Judge<G: PlayableGame> {
    player: Box<dyn Player<G>>,
    terms: JudgedBy,
}

/// A player that judged moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct JudgedBy {
    /// Its specification.
    pub(crate) player: String,
    /// The lost points from which a move is a blunder.
    pub(crate) blunder: i32,
    /// Whether its judgements can be reproduced on any machine.
    pub(crate) reproducible: bool,
}

/// A judged move. Scores are from the view of the side that made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct JudgedMove {
    /// The number of the ply, from 1.
    pub(crate) ply: usize,
    /// The side that made it.
    pub(crate) side: String,
    /// The letter of the pit.
    #[serde(rename = "move")]
    pub(crate) played: char,
    /// Its score.
    pub(crate) score: i32,
    /// Its score for people, such as "win in 5".
    pub(crate) score_text: String,
    /// The letter of the best move.
    pub(crate) best: char,
    /// The score of the best move.
    pub(crate) best_score: i32,
    /// The score of the best move for people.
    pub(crate) best_score_text: String,
    /// Points lost; `None` if the move gives a won or drawn end away.
    pub(crate) lost: Option<i32>,
    /// Whether it is a blunder.
    pub(crate) blunder: bool,
}

/// A value for each side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Sides<T> {
    #[serde(rename = "South")]
    pub(crate) south: T,
    #[serde(rename = "North")]
    pub(crate) north: T,
}

/// The judged moves of a game.
pub(crate) struct Judged {
    pub(crate) moves: Vec<JudgedMove>,
    pub(crate) summary: Sides<Summary>,
}

/// Errors from choosing a player as judge.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JudgeError {
    #[error("player {0} gives moves no values; a player that searches does, such as minimax")]
    NoValues(String),
    #[error("a captured seed is worth nothing to player {0}")]
    NoLimit(String),
}

impl<G: PlayableGame> Judge<G> {
    /// Makes a player the judge. A loss of at least `limit` points is a blunder.
    pub(crate) fn new(
        spec: &str,
        mut player: Box<dyn Player<G>>,
        game: G,
        limit: Option<i32>,
    ) -> Result<Judge<G>, JudgeError> {
        if player.payoffs(&Record::from_position(game, game.shallow()), &()).is_empty() {
            return Err(JudgeError::NoValues(spec.into()));
        }
        let of_seeds = player.seed_value().map(|value| BLUNDER_SEEDS * value);
        let blunder = limit.or(of_seeds).ok_or_else(|| JudgeError::NoLimit(spec.into()))?;
        let reproducible = player.reproducible();
        Ok(Judge { player, terms: JudgedBy { player: spec.into(), blunder, reproducible } })
    }

    pub(crate) fn terms(&self) -> &JudgedBy {
        &self.terms
    }

    /// Judges the moves up to the end of the game, even if the record continues after it.
    ///
    /// # Errors
    /// At the first ply whose moves the player does not value, or at which the progress stops it.
    pub(crate) fn judge(
        &mut self,
        record: &Record<G>,
        progress: &dyn Progress,
    ) -> Result<Judged, NoPayoffs> {
        let mut replayed = Record::from_position(*record.game(), *record.opening());
        let is_before_end =
            |&&(_, pit): &&(Side, Pit)| replayed.ending().is_none() && replayed.play(pit).is_ok();
        let plies = record.plies().iter().take_while(is_before_end).count();
        let annotations = annotate(&mut *self.player, record, plies, progress)?;
        let limit = self.terms.blunder;
        let summary = |side| Summary::of(&annotations, side, limit);
        Ok(Judged {
            moves: annotations.iter().map(|one| judged_move(one, limit)).collect(),
            summary: Sides { south: summary(Side::South), north: summary(Side::North) },
        })
    }
}

fn judged_move(annotation: &Annotation, limit: i32) -> JudgedMove {
    let Annotation { ply, side, played, score, best, best_score } = *annotation;
    JudgedMove {
        ply,
        side: side.to_string(),
        played: played.letter(side),
        score: score.0,
        score_text: score.to_string(),
        best: best.letter(side),
        best_score: best_score.0,
        best_score_text: best_score.to_string(),
        lost: annotation.lost(),
        blunder: annotation.is_blunder(limit),
    }
}
