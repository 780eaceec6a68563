//! The figures of the games against the random player.

use super::against_random::AgainstRandom;
use super::deeds::Deeds;
use super::printed::PrintedRandom;
use super::statistics::{Estimate, Measure, Share};

/// A column of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Share of games won.
    Win,
    /// Of those in which it moved first.
    WinFirst,
    /// And second.
    WinSecond,
    /// Share of games drawn.
    Tie,
    /// Seeds at home in the end, a game.
    Stones,
    /// By how many seeds it was ahead, a game.
    Margin,
    /// Seeds ahead in the games won, over all games.
    WinMargin,
    /// Seeds behind in the games lost, over all games.
    LossMargin,
    /// Captures a game.
    Captures,
    /// Moves that earned another, a game.
    GoAgains,
    /// Moves a game.
    Moves,
    /// Seeds at home in the end, a move.
    StonesPerMove,
    /// Captures a move.
    CapturesPerMove,
    /// Moves that earned another, a move.
    GoAgainsPerMove,
}

impl Figure {
    /// All, in the order of the tables.
    pub const ALL: [Figure; 14] = [
        Figure::Win,
        Figure::WinFirst,
        Figure::WinSecond,
        Figure::Tie,
        Figure::Stones,
        Figure::Margin,
        Figure::WinMargin,
        Figure::LossMargin,
        Figure::Captures,
        Figure::GoAgains,
        Figure::Moves,
        Figure::StonesPerMove,
        Figure::CapturesPerMove,
        Figure::GoAgainsPerMove,
    ];

    /// Its name in a table's header.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Win => "win",
            Figure::WinFirst => "win_first",
            Figure::WinSecond => "win_second",
            Figure::Tie => "tie",
            Figure::Stones => "stones",
            Figure::Margin => "margin",
            Figure::WinMargin => "win_margin",
            Figure::LossMargin => "loss_margin",
            Figure::Captures => "captures",
            Figure::GoAgains => "go_agains",
            Figure::Moves => "moves",
            Figure::StonesPerMove => "stones_per_move",
            Figure::CapturesPerMove => "captures_per_move",
            Figure::GoAgainsPerMove => "go_agains_per_move",
        }
    }

    /// Whether the report has it for any combination.
    pub fn is_printed(self) -> bool {
        use Figure::*;
        matches!(
            self,
            Win | WinFirst | WinSecond | Stones | StonesPerMove | CapturesPerMove | GoAgainsPerMove
        )
    }
}

impl AgainstRandom {
    /// What came of the games.
    pub fn measure(&self, figure: Figure) -> Measure {
        let all = self.deeds();
        let (first, second) = all.split_at(all.len() / 2);
        let share = |games: &[Deeds], part: fn(&Deeds) -> u64| {
            Measure::Share(Share { count: games.iter().map(part).sum(), of: games.len() as u64 })
        };
        let a_game = |part: fn(&Deeds) -> f64| {
            Measure::Mean(Estimate::ratio(all.iter().map(|game| (part(game), 1.0))))
        };
        let a_move = |part: fn(&Deeds) -> u64| {
            let pairs = all.iter().map(|game| (part(game) as f64, game.moves as f64));
            Measure::Mean(Estimate::ratio(pairs))
        };
        match figure {
            Figure::Win => share(all, |game| game.wins),
            Figure::WinFirst => share(first, |game| game.wins),
            Figure::WinSecond => share(second, |game| game.wins),
            Figure::Tie => share(all, |game| game.draws),
            Figure::Stones => a_game(|game| game.stones as f64),
            Figure::Margin => a_game(|game| game.won_by as f64 - game.lost_by as f64),
            Figure::WinMargin => a_game(|game| game.won_by as f64),
            Figure::LossMargin => a_game(|game| game.lost_by as f64),
            Figure::Captures => a_game(|game| game.captures as f64),
            Figure::GoAgains => a_game(|game| game.go_agains as f64),
            Figure::Moves => a_game(|game| game.moves as f64),
            Figure::StonesPerMove => a_move(|game| game.stones),
            Figure::CapturesPerMove => a_move(|game| game.captures),
            Figure::GoAgainsPerMove => a_move(|game| game.go_agains),
        }
    }
}

impl PrintedRandom {
    /// The report's figure, where it has one.
    pub fn figure(&self, figure: Figure) -> Option<f64> {
        match figure {
            Figure::Win => self.wins[0],
            Figure::WinFirst => self.wins[1],
            Figure::WinSecond => self.wins[2],
            Figure::Stones => self.stones,
            Figure::StonesPerMove => Some(self.per_move[0]),
            Figure::CapturesPerMove => Some(self.per_move[1]),
            Figure::GoAgainsPerMove => Some(self.per_move[2]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::kansas::{against_random, printed_random};
    use crate::study::unfinished::Unfinished;

    #[test]
    fn what_is_printed_is_said_to_be() {
        let printed = printed_random();
        for figure in Figure::ALL {
            let has = printed.iter().any(|row| row.figure(figure).is_some());
            assert_eq!(has, figure.is_printed(), "{figure:?}");
        }
    }

    #[test]
    fn figures_hang_together() {
        for row in against_random(6, 1, 3, &Unfinished::nowhere(), &()).unwrap().unwrap() {
            let value = |figure| row.measure(figure).value();
            let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
            near(value(Figure::Win), (value(Figure::WinFirst) + value(Figure::WinSecond)) / 2.0);
            near(value(Figure::Margin), value(Figure::WinMargin) - value(Figure::LossMargin));
            // All 48 seeds come home.
            near(value(Figure::Margin), 2.0 * value(Figure::Stones) - 48.0);
            near(value(Figure::StonesPerMove), value(Figure::Stones) / value(Figure::Moves));
            near(value(Figure::GoAgainsPerMove), value(Figure::GoAgains) / value(Figure::Moves));
            near(value(Figure::CapturesPerMove), value(Figure::Captures) / value(Figure::Moves));
        }
    }
}
