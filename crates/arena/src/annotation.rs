//! Annotates a finished game with the moves that a player would choose, and with the player's scores.

use serde::{Deserialize, Serialize};

use super::statistics::mean;
use crate::player::{NoChoice, Player};
use mancala::eval::Score;
use mancala::game::{Game, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::text::Result;

/// A player's evaluation of one ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotation {
    /// The number of the ply, counted from 1.
    pub ply: usize,
    pub side: Side,
    pub played: Pit,
    /// The move that the player would have chosen.
    pub choice: Pit,
    /// The scores, or `None` if the player doesn't evaluate moves.
    pub scores: Option<Scores>,
}

/// The scores from the point of view of the side that moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scores {
    /// The score of the move that was played.
    pub played: Score,
    /// The move with the highest score. If several moves have this score, then this is the one from the lowest pit.
    /// Note that the player may choose a different move, e.g. from its book.
    pub best: Pit,
    pub best_score: Score,
}

/// A summary of one side's annotated plies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub moves: usize,
    /// The number of plies in which the player would have chosen the move that was played.
    pub same: usize,
    /// The mean number of points lost, over all plies for which [`Annotation::lost`] is `Some`.
    pub mean_lost: f64,
    pub blunders: usize,
}

impl Annotation {
    /// Returns the number of points lost relative to the best move, or 0 if the same side wins after both moves.
    /// Returns `None` without scores, if only one of the two moves wins or loses by force, or if the winners differ.
    pub fn lost(&self) -> Option<i32> {
        let Scores { played, best_score, .. } = self.scores?;
        let outcome = |score: Score| score.counts_plies().then(|| score.0.signum());
        match (outcome(best_score), outcome(played)) {
            (None, None) => Some(best_score.0 - played.0),
            (best, played) => (best == played).then_some(0),
        }
    }

    /// Returns whether the move is a blunder, i.e. it lost at least `limit` points, lost a game that another move would
    /// not have lost, or turned a won game into a position worth at most a draw.
    pub fn is_blunder(&self, limit: i32) -> bool {
        match self.lost() {
            Some(lost) => lost >= limit,
            None => self.scores.is_some_and(|scores| scores.played <= Score::DRAW),
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
            same: plies().filter(|annotation| annotation.played == annotation.choice).count(),
            mean_lost: mean(&lost),
            blunders: plies().filter(|annotation| annotation.is_blunder(limit)).count(),
        }
    }
}

/// Lets a player evaluate the first `plies` plies of a game. Each ply is searched from scratch. Fails if the player
/// cannot choose a move or `progress` requests a stop.
pub fn annotate<G: Game>(
    player: &mut dyn Player<G>,
    game: &Record<G>,
    plies: usize,
    progress: &dyn Progress,
) -> Result<Vec<Annotation>> {
    let mut record = Record::from_position(*game.game(), *game.opening());
    let mut annotations = Vec::new();
    for (ply, &(side, played)) in (1..).zip(&game.plies()[..plies]) {
        let failed = |reason| format!("ply {ply}: the player chose no move: {reason}");
        player.new_game();
        let choice = player.choose(&record, progress).map_err(failed)?.pit;
        let payoffs = player.payoffs(&record, progress);
        if progress.should_stop() {
            return Err(failed(NoChoice::Stopped).into());
        }
        let score = payoffs.iter().find(|(pit, _)| *pit == played).map(|(_, score)| *score);
        // `max_by_key` returns the last of equal maxima, so we iterate in reverse to get the lowest pit.
        let best = payoffs.iter().rev().max_by_key(|(_, score)| *score);
        let scores = score.zip(best);
        let scores =
            scores.map(|(played, &(best, best_score))| Scores { played, best, best_score });
        progress.advance(ply as u64, plies as u64);
        annotations.push(Annotation { ply, side, played, choice, scores });
        record.play(played).expect("a recorded move is legal");
    }
    Ok(annotations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{self, PlayableGame};
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;

    fn annotation(best_score: Score, played: Score) -> Annotation {
        let pit = |index| Pit::new(index).unwrap();
        let scores = Some(Scores { played, best: pit(0), best_score });
        Annotation { ply: 1, side: Side::South, played: pit(1), choice: pit(0), scores }
    }

    /// Checks that a player that annotates a game chooses the same move at each ply as a newly created player.
    fn chooses_alike<G: PlayableGame>(game: G, spec: &str, most: usize) {
        let mut record = Record::new(game, Side::South);
        let mut choices = Vec::new();
        while record.ending().is_none() && record.plies().len() < most {
            choices.push(player::build_for(spec, game).unwrap().choose(&record, &()).unwrap());
            let moves: Vec<_> = record.game().moves(record.position()).collect();
            record.play(moves[record.plies().len() % moves.len()]).unwrap();
        }
        let mut player = player::build_for(spec, game).unwrap();
        let found = annotate(&mut *player, &record, choices.len(), &()).unwrap();
        for (found, choice) in found.iter().zip(&choices) {
            assert_eq!(found.choice, choice.pit, "{spec}: {found:?}");
            // We can't compare scores for the engine, since its choice may come from the book or a selective search.
            let best = found.scores.filter(|_| !spec.starts_with("engine")).map(|it| it.best_score);
            assert!(best.is_none_or(|best| Some(best) >= choice.score), "{spec}: {found:?}");
        }
        let valued = found.iter().filter(|it| it.scores.is_some()).count();
        let expected = if ["random", "greedy"].contains(&spec) { 0 } else { choices.len() };
        assert_eq!(valued, expected, "{spec}");
    }

    #[test]
    fn every_kind_of_player_chooses_as_for_a_single_ply() {
        for spec in [
            "minimax:weights=daoud2004-depth5,depth=3",
            "minimax:weights=seeds,nodes=900",
            "minimax:weights=seeds,depth=2,slips=50",
            "engine:weights=seeds,nodes=2000,hash=1,tables=likely,book=builtin",
            "plain-minimax:weights=seeds,depth=2",
            "rbh",
            "rbh:bluff=0.9,tradeoff=3",
            "rbh:weights=seeds,plies=2",
            "rbh:plies=2,refine=chance",
            "amdf:depth=2,training=current",
            "random",
            "greedy",
        ] {
            chooses_alike(Ayo::default(), spec, 40);
        }
        for spec in ["kansas:heuristics=h1+h4,depth=3", "engine:weights=stores,nodes=500"] {
            chooses_alike(Kalah::default(), spec, 20);
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
        // The sum of an empty iterator would be "-0".
        assert_eq!(Summary::of(&all, Side::North, 42).mean_lost.to_string(), "0");
    }
}
