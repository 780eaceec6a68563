//! Judges the moves in a game by a player's evaluation.

use arena::player::{PlayableGame, Player};
use arena::{Annotation, NoEvaluation, Summary, annotate};
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use serde::Serialize;
use serde_json::{Value, json};

/// Default blunder threshold, in captured seeds.
const BLUNDER_SEEDS: i32 = 3;

/// A player that assigns values to moves.
pub(crate) struct Judge<G: PlayableGame> {
    player: Box<dyn Player<G>>,
    terms: JudgedBy,
}

/// Describes the player that judged the moves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JudgedBy {
    /// The player's specification.
    pub(crate) player: String,
    /// A move that loses at least this many points is a blunder.
    pub(crate) blunder: i32,
    /// Whether the judgements can be reproduced on any machine.
    pub(crate) reproducible: bool,
}

/// One value per side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Sides<T> {
    #[serde(rename = "South")]
    pub(crate) south: T,
    #[serde(rename = "North")]
    pub(crate) north: T,
}

/// The judged moves in a game.
pub(crate) struct Judged {
    pub(crate) moves: Vec<Annotation>,
    pub(crate) summary: Sides<Summary>,
    /// A move that loses at least this many points is a blunder.
    pub(crate) blunder: i32,
}

impl Judged {
    /// Returns the moves as JSON. Scores are from the mover's point of view.
    pub(crate) fn moves_as_json(&self) -> Vec<Value> {
        let json = |it: &Annotation| {
            json!({
                "ply": it.ply,
                "side": it.side.to_string(),
                "move": it.played.letter(it.side),
                "score": it.score.0,
                "score_text": it.score.to_string(),
                "best": it.best.letter(it.side),
                "best_score": it.best_score.0,
                "best_score_text": it.best_score.to_string(),
                // Null if the move gives away a win or a draw.
                "lost": it.lost(),
                "blunder": it.is_blunder(self.blunder),
            })
        };
        self.moves.iter().map(json).collect()
    }
}

/// Errors from creating a judge.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JudgeError {
    #[error("player {0} does not evaluate moves; use a player that searches, such as minimax")]
    NoValues(String),
    #[error("player {0} assigns no value to a captured seed")]
    NoLimit(String),
}

impl<G: PlayableGame> Judge<G> {
    /// Creates a judge. A move that loses at least `limit` points is a blunder.
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
        let reproducible = player.is_reproducible();
        Ok(Judge { player, terms: JudgedBy { player: spec.into(), blunder, reproducible } })
    }

    pub(crate) fn terms(&self) -> &JudgedBy {
        &self.terms
    }

    /// Judges the moves up to the end of the game, even if the record continues after it.
    ///
    /// # Errors
    /// If the player cannot value the moves at some ply, or `progress` requests a stop.
    pub(crate) fn judge(
        &mut self,
        record: &Record<G>,
        progress: &dyn Progress,
    ) -> Result<Judged, NoEvaluation> {
        let mut replayed = Record::from_position(*record.game(), *record.opening());
        let is_before_end =
            |&&(_, pit): &&(Side, Pit)| replayed.ending().is_none() && replayed.play(pit).is_ok();
        let plies = record.plies().iter().take_while(is_before_end).count();
        let moves = annotate(&mut *self.player, record, plies, progress)?;
        let blunder = self.terms.blunder;
        let [south, north] = Side::BOTH.map(|side| Summary::of(&moves, side, blunder));
        Ok(Judged { moves, summary: Sides { south, north }, blunder })
    }
}
