//! A player's evaluation of the moves in a finished game.

use serde::{Deserialize, Serialize};

use super::statistics::mean;
use crate::player::Player;
use mancala::eval::Score;
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;

/// A player's evaluation of one ply, with scores from the view of the side that moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotation {
    /// The number of the ply, from 1.
    pub ply: usize,
    pub side: Side,
    pub played: Pit,
    pub score: Score,
    /// The move with the best score; the lowest pit if several are equal.
    pub best: Pit,
    pub best_score: Score,
}

/// The error when a player cannot evaluate the moves of a ply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: the player does not evaluate moves")]
pub struct NoEvaluation {
    /// The number of the ply, from 1.
    pub ply: usize,
}

/// Totals over the plies of one side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of annotated plies.
    pub moves: usize,
    /// Number of plies in which the player would have chosen the same move.
    pub same: usize,
    /// Mean loss in points, over plies for which [`Annotation::lost`] is `Some`.
    pub mean_lost: f64,
    pub blunders: usize,
}

impl Annotation {
    /// Returns the evaluation points lost by the move: the best score minus the played move's score, or 0 if both
    /// scores are decided, by the end of the game or by endgame tables, for the same winner. `None` if the outcomes
    /// differ or only one is decided, since points cannot measure such a loss.
    pub fn lost(&self) -> Option<i32> {
        let outcome = |score: Score| score.counts_plies().then(|| score.0.signum());
        match (outcome(self.best_score), outcome(self.score)) {
            (None, None) => Some(self.best_score.0 - self.score.0),
            (best, played) => (best == played).then_some(0),
        }
    }

    /// Whether the move is a blunder: it lost at least `limit` points, lost a game that another move would not have
    /// lost, or turned a won game into a position worth at most a draw.
    pub fn is_blunder(&self, limit: i32) -> bool {
        match self.lost() {
            Some(lost) => lost >= limit,
            None => self.score <= Score::DRAW,
        }
    }
}

impl Summary {
    /// Summarises the plies of `side`. Moves that lose at least `limit` points count as blunders.
    pub fn of(annotations: &[Annotation], side: Side, limit: i32) -> Summary {
        let plies = || annotations.iter().filter(|annotation| annotation.side == side);
        let lost: Vec<f64> = plies().filter_map(|a| a.lost().map(f64::from)).collect();
        Summary {
            moves: plies().count(),
            same: plies().filter(|annotation| annotation.played == annotation.best).count(),
            mean_lost: mean(&lost),
            blunders: plies().filter(|annotation| annotation.is_blunder(limit)).count(),
        }
    }
}

/// Has a player evaluate the first `plies` plies of a game.
///
/// # Errors
/// At the first ply whose moves the player does not evaluate, or at which the progress stops it.
pub fn annotate<G: Game>(
    player: &mut dyn Player<G>,
    game: &Record<G>,
    plies: usize,
    progress: &dyn Progress,
) -> Result<Vec<Annotation>, NoEvaluation> {
    let mut record = Record::from_position(*game.game(), *game.opening());
    player.new_game();
    let mut annotations = Vec::new();
    for (ply, &(side, played)) in (1..).zip(&game.plies()[..plies]) {
        let payoffs = player.payoffs(&record, progress);
        let score = payoffs.iter().find(|(pit, _)| *pit == played).map(|(_, score)| *score);
        // Reversed because `max_by_key` returns the last of several equal maxima.
        let best = payoffs.iter().rev().max_by_key(|(_, score)| *score);
        let (Some(score), Some(&(best, best_score))) = (score, best) else {
            return Err(NoEvaluation { ply });
        };
        progress.advance(ply as u64, plies as u64);
        annotations.push(Annotation { ply, side, played, score, best, best_score });
        record.play(played).expect("a recorded move is legal");
    }
    Ok(annotations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player;
    use mancala::game::ayo::Ayo;

    fn annotation(best_score: Score, score: Score) -> Annotation {
        let pit = |index| Pit::new(index).unwrap();
        Annotation { ply: 1, side: Side::South, played: pit(1), score, best: pit(0), best_score }
    }

    #[test]
    fn the_best_move_is_the_players_choice() {
        for spec in ["minimax:weights=daoud2004-depth5,depth=3", "minimax:weights=seeds,nodes=900"]
        {
            let mut record = Record::new(Ayo::default(), Side::South);
            let mut player = player::build(spec).unwrap();
            let mut choices = Vec::new();
            while record.ending().is_none() && record.plies().len() < 40 {
                let choice = player.choose(&record, &()).unwrap();
                choices.push((choice.pit, choice.score));
                let moves: Vec<_> = record.game().moves(record.position()).collect();
                record.play(moves[record.plies().len() % moves.len()]).unwrap();
            }
            let plies = record.plies().len();
            let found = annotate(&mut *player, &record, plies, &()).unwrap();
            let best: Vec<_> = found.iter().map(|a| (a.best, Some(a.best_score))).collect();
            assert_eq!(best, choices);
            assert!(found.iter().any(|a| a.lost().is_some_and(|lost| lost > 0)));
            let mut greedy = player::build("greedy").unwrap();
            assert_eq!(annotate(&mut *greedy, &record, plies, &()), Err(NoEvaluation { ply: 1 }));
        }
    }

    #[test]
    fn decided_scores_are_not_measured_in_points() {
        for (best, played, lost, blunder) in [
            (Score(9), Score(9), Some(0), false),
            (Score(9), Score(-32), Some(41), false),
            (Score(9), Score(-33), Some(42), true),
            (Score::win(3), Score::win(9), Some(0), false),
            (Score::loss(9), Score::loss(3), Some(0), false),
            (Score::win(3), Score(7), None, false),
            (Score::win(3), Score::DRAW, None, true),
            (Score::win(3), Score::loss(4), None, true),
            (Score(-700), Score::loss(4), None, true),
        ] {
            let annotation = annotation(best, played);
            assert_eq!((annotation.lost(), annotation.is_blunder(42)), (lost, blunder));
        }
        let all = [annotation(Score(9), Score(-33)), annotation(Score::win(1), Score(-1))];
        let summary = Summary::of(&all, Side::South, 42);
        assert_eq!(summary, Summary { moves: 2, same: 0, mean_lost: 42.0, blunders: 2 });
        // Not "-0", the sum of an empty iterator.
        assert_eq!(Summary::of(&all, Side::North, 42).mean_lost.to_string(), "0");
    }
}
