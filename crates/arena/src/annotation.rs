//! What a player thinks of the moves of a finished game.

use serde::{Deserialize, Serialize};

use super::tally::mean;
use crate::player::Player;
use mancala::eval::Score;
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;

/// What a player thinks of one ply. Scores are from the view of the side that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotation {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The side that made it.
    pub side: Side,
    /// The pit that was sown.
    pub played: Pit,
    /// What it is worth.
    pub score: Score,
    /// The move that is worth most, the lowest pit among equals.
    pub best: Pit,
    /// What that is worth.
    pub best_score: Score,
}

/// A player that does not value moves, or could not this time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: the player does not say what the moves are worth")]
pub struct NoPayoffs {
    /// The number of the ply, from 1.
    pub ply: usize,
}

/// What one side's plies add up to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Plies with an annotation.
    pub moves: usize,
    /// Those that are the player's own choice.
    pub same: usize,
    /// Points lost a ply, over those where [`Annotation::lost`] has a number.
    pub mean_lost: f64,
    /// Blunders among them.
    pub blunders: usize,
}

impl Annotation {
    /// Points of evaluation that the move lost: the best score less the played move's, 0 if both see the
    /// same winner, in an end of the game or in endgame tables, sooner or later. `None` if one of them alone
    /// sees one, which no number of points measures.
    pub fn lost(&self) -> Option<i32> {
        let outcome = |score: Score| score.counts_plies().then(|| score.0.signum());
        match (outcome(self.best_score), outcome(self.score)) {
            (None, None) => Some(self.best_score.0 - self.score.0),
            (best, played) => (best == played).then_some(0),
        }
    }

    /// Whether the move is a blunder: it lost at least `limit` points, it lost the game where another
    /// move would not have, as far as the player saw, or it gave a won game away for a position that is
    /// worth no more than a draw.
    pub fn is_blunder(&self, limit: i32) -> bool {
        match self.lost() {
            Some(lost) => lost >= limit,
            None => self.score <= Score::DRAW,
        }
    }
}

impl Summary {
    /// Adds up the plies of `side`, with blunders from `limit` points on.
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

/// Lets a player judge each of the first `plies` plies of a game. The game must go on before each.
///
/// # Errors
/// At the first ply whose moves it does not value, or that the progress stops it at.
pub fn annotate<G: Game>(
    player: &mut dyn Player<G>,
    game: &Record<G>,
    plies: usize,
    progress: &dyn Progress,
) -> Result<Vec<Annotation>, NoPayoffs> {
    let mut record = Record::from_position(*game.game(), *game.opening());
    player.new_game();
    let mut annotations = Vec::new();
    for (ply, &(side, played)) in (1..).zip(&game.plies()[..plies]) {
        let payoffs = player.payoffs(&record, progress);
        let score = payoffs.iter().find(|(pit, _)| *pit == played).map(|(_, score)| *score);
        // Of equal maxima the last would win, and pits go up.
        let best = payoffs.iter().rev().max_by_key(|(_, score)| *score);
        let (Some(score), Some(&(best, best_score))) = (score, best) else {
            return Err(NoPayoffs { ply });
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
    use mancala::game::ayo::{Ayo, Line, Position};

    fn annotated(spec: &str, line: &str) -> Result<Vec<Annotation>, NoPayoffs> {
        let line: Line = line.parse().unwrap();
        let opening = Position::start(line.first());
        let record = line.play_from(Ayo::default(), opening).unwrap();
        annotate(&mut *player::build(spec).unwrap(), &record, record.plies().len(), &())
    }

    fn judged(best_score: Score, score: Score) -> Annotation {
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
        }
    }

    #[test]
    fn ends_are_not_measured_in_points() {
        let eval = Score;
        for (best, played, lost, blunder) in [
            (eval(9), eval(9), Some(0), false),
            (eval(9), eval(-32), Some(41), false),
            (eval(9), eval(-33), Some(42), true),
            (Score::win(3), Score::win(9), Some(0), false),
            (Score::loss(9), Score::loss(3), Some(0), false),
            (Score::win(3), eval(7), None, false),
            (Score::win(3), Score::DRAW, None, true),
            (Score::win(3), Score::loss(4), None, true),
            (eval(-700), Score::loss(4), None, true),
        ] {
            let annotation = judged(best, played);
            assert_eq!((annotation.lost(), annotation.is_blunder(42)), (lost, blunder));
        }
        let all = [judged(Score(9), Score(-33)), judged(Score::win(1), Score(-1))];
        let summary = Summary::of(&all, Side::South, 42);
        assert_eq!(summary, Summary { moves: 2, same: 0, mean_lost: 42.0, blunders: 2 });
        // Not "-0.0", which the sum of nothing is.
        assert_eq!(Summary::of(&all, Side::North, 42).mean_lost.to_string(), "0");
    }

    #[test]
    fn a_player_who_values_no_moves_is_refused() {
        assert_eq!(annotated("greedy", "Ff"), Err(NoPayoffs { ply: 1 }));
        assert_eq!(annotated("greedy", ""), Ok(Vec::new()));
    }
}
