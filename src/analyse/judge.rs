//! Judges the moves in a game by a player's evaluation.

use arena::player::{PlayableGame, Player};
use arena::{Annotation, NoAnnotation, Scores, Summary, annotate};
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use serde_json::{Value, json};

/// Default blunder threshold, in captured seeds.
const BLUNDER_SEEDS: i32 = 3;

/// A player that judges the moves in a game by comparing them with its own.
pub(crate) struct Judge<G: PlayableGame> {
    player: Box<dyn Player<G>>,
    /// The player's specification.
    pub(crate) spec: String,
    /// A move that loses at least this many points is a blunder. `None` if the player does not evaluate moves.
    pub(crate) blunder: Option<i32>,
    /// Whether the judgements can be reproduced on any machine.
    pub(crate) reproducible: bool,
}

pub(crate) struct Judged {
    pub(crate) moves: Vec<Annotation>,
    /// Summaries of South's and North's moves.
    pub(crate) summaries: [Summary; 2],
    /// The blunder threshold in points, as in [`Judge`].
    pub(crate) blunder: Option<i32>,
}

impl Judged {
    /// Returns the moves as JSON. Scores are from the mover's point of view.
    pub(crate) fn moves_as_json(&self) -> Vec<Value> {
        let json = |it: &Annotation| {
            let score = it.scores.map(|scores| scores.played);
            let best = it.scores.map(|Scores { best, best_score, .. }| (best, best_score));
            json!({
                "ply": it.ply,
                "side": it.side.to_string(),
                "move": it.played.letter(it.side),
                "choice": it.choice.letter(it.side),
                "score": score.map(|score| score.0),
                "score_text": score.map(|score| score.to_string()),
                "best": best.map(|(pit, _)| pit.letter(it.side)),
                "best_score": best.map(|(_, score)| score.0),
                "best_score_text": best.map(|(_, score)| score.to_string()),
                // Null if the move gives away a win or a draw, which is not measured in points.
                "lost": it.lost(),
                "blunder": self.is_blunder(it),
            })
        };
        self.moves.iter().map(json).collect()
    }

    pub(crate) fn summary_as_json(&self) -> Value {
        let [south, north] = self.summaries;
        json!({ "South": south, "North": north })
    }

    pub(crate) fn is_blunder(&self, annotation: &Annotation) -> bool {
        self.blunder.is_some_and(|limit| annotation.is_blunder(limit))
    }
}

/// Error for a player that has no default blunder threshold.
#[derive(Debug, thiserror::Error)]
#[error("player {0} assigns no value to a captured seed")]
pub(crate) struct NoLimit(String);

impl<G: PlayableGame> Judge<G> {
    /// Creates a judge. A move that loses at least `limit` points is a blunder.
    pub(crate) fn new(
        spec: &str,
        mut player: Box<dyn Player<G>>,
        game: G,
        limit: Option<i32>,
    ) -> Result<Judge<G>, NoLimit> {
        let record = Record::from_position(game, game.shallow());
        let blunder = if player.payoffs(&record, &()).is_empty() {
            None
        } else {
            let of_seeds = player.seed_value().map(|value| BLUNDER_SEEDS * value);
            Some(limit.or(of_seeds).ok_or_else(|| NoLimit(spec.into()))?)
        };
        let reproducible = player.is_reproducible();
        Ok(Judge { player, spec: spec.into(), blunder, reproducible })
    }

    /// Judges the moves up to the end of the game, even if the record continues after it.
    ///
    /// # Errors
    /// If the player chooses no move at some ply, or `progress` requests a stop.
    pub(crate) fn judge(
        &mut self,
        record: &Record<G>,
        progress: &dyn Progress,
    ) -> Result<Judged, NoAnnotation> {
        let mut replayed = Record::from_position(*record.game(), *record.opening());
        let is_before_end =
            |&&(_, pit): &&(Side, Pit)| replayed.ending().is_none() && replayed.play(pit).is_ok();
        let plies = record.plies().iter().take_while(is_before_end).count();
        let moves = annotate(&mut *self.player, record, plies, progress)?;
        let blunder = self.blunder;
        let limit = blunder.unwrap_or(i32::MAX);
        let summaries = Side::BOTH.map(|side| Summary::of(&moves, side, limit));
        Ok(Judged { moves, summaries, blunder })
    }
}
