//! The figures of a pairing, counted from its games.

use super::contest::{Finished, distinct_games};
use super::game::{Effort, End};
use super::game_result::GameResult;
use super::pentanomial::{PairScore, Pentanomial};

/// What the whole pairs of one pairing add up to. The last game counts only with its partner, since the
/// pair is the unit of statistics.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// The pairs by score.
    pub pairs: Pentanomial,
    /// Games that the first player won.
    pub wins: u64,
    /// Games that neither won.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Games with an opening or a move in which they differ.
    pub distinct_games: usize,
    /// Seeds a game of the first and the second player.
    pub mean_seeds: [f64; 2],
    /// Plies a game.
    pub mean_plies: f64,
    /// What the first and the second player spent in all.
    pub effort: [Effort; 2],
    /// Games that the first and the second player could not go on with, and the first reason of each.
    pub forfeits: [(u64, Option<String>); 2],
}

impl Finished {
    /// The result of the pairing's first player.
    pub fn result(&self) -> GameResult {
        GameResult::of(self.settlement.verdict, self.side_of_first())
    }
}

/// The score of the two games of an opening.
pub fn pair_score(pair: [&Finished; 2]) -> PairScore {
    PairScore::of([pair[0].result(), pair[1].result()])
}

impl Tally {
    /// Counts the games of one pairing, which are in the order of their numbers.
    pub fn of(games: &[Finished]) -> Tally {
        let (pairs, _) = games.as_chunks::<2>();
        let games = pairs.as_flattened();
        let outcomes = |wanted| games.iter().filter(|game| game.result() == wanted).count() as u64;
        let seeds = |game: &Finished, who: usize| f64::from(game.stores()[who]);
        let mean_of =
            |figure: &dyn Fn(&Finished) -> f64| mean(&games.iter().map(figure).collect::<Vec<_>>());
        Tally {
            pairs: pairs.iter().map(|[one, two]| pair_score([one, two])).collect(),
            wins: outcomes(GameResult::Win),
            draws: outcomes(GameResult::Draw),
            losses: outcomes(GameResult::Loss),
            distinct_games: distinct_games(games),
            mean_seeds: [0, 1].map(|who| mean_of(&|game| seeds(game, who))),
            mean_plies: mean_of(&|game| game.line.len() as f64),
            effort: [0, 1].map(|who| total_effort(games, who)),
            forfeits: [0, 1].map(|who| forfeits(games, who)),
        }
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        2 * self.pairs.pairs()
    }
}

/// The mean of some figures; 0 of none, where a sum would be −0.
pub(super) fn mean(figures: &[f64]) -> f64 {
    figures.iter().fold(0.0, |sum, figure| sum + figure) / figures.len().max(1) as f64
}

fn total_effort(games: &[Finished], who: usize) -> Effort {
    games.iter().map(|game| game.effort[who]).fold(Effort::default(), |sum, effort| Effort {
        moves: sum.moves + effort.moves,
        nodes: sum.nodes + effort.nodes,
        time: sum.time + effort.time,
        clocked: sum.clocked + effort.clocked,
    })
}

fn forfeits(games: &[Finished], who: usize) -> (u64, Option<String>) {
    let reasons = games.iter().filter_map(|game| match &game.end {
        End::Forfeit(side, reason) if (*side == game.side_of_first()) == (who == 0) => Some(reason),
        _ => None,
    });
    (reasons.clone().count() as u64, reasons.clone().next().cloned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_no_games_are_zero() {
        let Tally { mean_seeds: [a, b], mean_plies, .. } = Tally::of(&[]);
        assert_eq!(format!("{a} {b} {mean_plies:.1}"), "0 0 0.0");
    }
}
