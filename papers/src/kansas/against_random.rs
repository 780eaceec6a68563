//! Section B of the report, in which every combination plays against a player that moves at random.

use arena::player::{self, Choice, Minimax, NoChoice};
use arena::{CachedPlayer, MoveCache, gather_all, play_game};
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::Kalah;
use mancala::game::{Game, Record, Side};
use mancala::progress::{Part, Progress};
use mancala::random::{ChaCha8Rng, Purpose, choose, stream};
use mancala::search::Limits;

use super::games::{Counts, counts};
use super::printed::PrintedRandom;
use super::statistics::{Estimate, Measure, Share};
use crate::partial::{PartialResults, StudyError};

#[derive(Debug, Clone)]
pub struct AgainstRandom {
    /// The combination. H0 has no heuristics.
    pub heuristics: Heuristics,
    /// The figures of each game, starting with the games in which the combination moves first.
    games: Vec<Counts>,
}

impl AgainstRandom {
    pub fn games(&self) -> usize {
        self.games.len()
    }
}

/// Plays an even number of games between each of the 64 combinations and the random player, at a given search depth.
/// Each combination moves first in half of its games. Returns `None` if interrupted. Progress counts games.
/// Combinations that are already saved are skipped.
pub fn against_random(
    games: u32,
    depth: u32,
    seed: u64,
    partial: &PartialResults,
    progress: &dyn Progress,
) -> Result<Option<Vec<AgainstRandom>>, StudyError> {
    assert!(games > 0 && games.is_multiple_of(2), "an even number of games");
    let (each, all) = (u64::from(games), Heuristics::all().count() as u64);
    let results = (0..).zip(Heuristics::all()).map(|(combination, heuristics)| {
        let progress = Part { whole: progress, before: combination * each, of: all * each };
        let of =
            format!("{heuristics} at {depth} plies, {games} games against random, seed {seed}");
        let games = partial.part(&of, || {
            let player = Player { heuristics, depth, cache: MoveCache::at_most(MAX_CACHED_MOVES) };
            gather_all(games as usize, &progress, |game, progress| {
                let rng = stream(seed, Purpose::Kansas, combination, game as u64);
                let place = usize::from(game as u64 >= each / 2);
                Some(player.play(place, rng, progress)?[place])
            })
        })?;
        Ok(games.map(|games| AgainstRandom { heuristics, games }))
    });
    results.collect()
}

/// The capacity of each combination's move cache.
const MAX_CACHED_MOVES: usize = 1 << 20;

/// A combination with a cache for its moves.
struct Player {
    heuristics: Heuristics,
    depth: u32,
    cache: MoveCache<Kalah>,
}

impl Player {
    /// Plays a game against the random player. The combination moves first if `place` is 0, and second if it is 1.
    fn play(&self, place: usize, rng: ChaCha8Rng, progress: &dyn Progress) -> Option<[Counts; 2]> {
        let (utility, limits) = (self.heuristics.utility(), Limits::depth(self.depth));
        let seed_value = utility.seed_value();
        let mut player = Minimax::of(utility.searcher(), seed_value, limits);
        let mut combination = CachedPlayer { player: &mut player, cache: &self.cache };
        let mut random = Random(rng);
        let mut record = Record::new(Kalah::KANSAS, Side::South);
        match place {
            0 => play_game(&mut record, [&mut combination, &mut random], progress)?,
            _ => play_game(&mut record, [&mut random, &mut combination], progress)?,
        };
        Some(counts(&record))
    }
}

/// A random player. Unlike the random player in matches, it draws all moves from one stream of random numbers, so that
/// games from the same opening differ.
struct Random(ChaCha8Rng);

impl player::Player<Kalah> for Random {
    fn choose(&mut self, record: &Record<Kalah>, _: &dyn Progress) -> Result<Choice, NoChoice> {
        let moves = record.game().moves(record.position());
        let pit = choose(moves, &mut self.0).ok_or(NoChoice::Stopped)?;
        Ok(Choice { pit, score: None, nodes: 0, depth: None })
    }

    fn identity(&self) -> String {
        "random".into()
    }
}

/// A column in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// The share of games won.
    Win,
    /// The share of games won when moving first.
    WinFirst,
    /// The share of games won when moving second.
    WinSecond,
    /// The share of games drawn.
    Tie,
    /// The final number of seeds in the store, per game.
    Stones,
    /// The lead in seeds at the end, per game.
    Margin,
    /// The lead in won games, averaged over all games.
    WinMargin,
    /// The deficit in lost games, averaged over all games.
    LossMargin,
    /// The number of captures per game.
    Captures,
    /// The number of moves that earned another move, per game.
    GoAgains,
    /// The number of moves per game.
    Moves,
    /// The final number of seeds in the store, per move.
    StonesPerMove,
    /// The number of captures per move.
    CapturesPerMove,
    /// The share of moves that earned another move.
    GoAgainsPerMove,
}

impl Figure {
    /// All columns, in table order.
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

    /// Returns the column's name in the table header.
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

    /// Returns whether the report prints this figure for any combination.
    pub fn is_printed(self) -> bool {
        use Figure::*;
        matches!(
            self,
            Win | WinFirst | WinSecond | Stones | StonesPerMove | CapturesPerMove | GoAgainsPerMove
        )
    }
}

impl AgainstRandom {
    /// Returns the measured value of a figure.
    pub fn measure(&self, figure: Figure) -> Measure {
        let all = &self.games;
        let (first, second) = all.split_at(all.len() / 2);
        let share = |games: &[Counts], part: fn(&Counts) -> u64| {
            Measure::Share(Share { count: games.iter().map(part).sum(), of: games.len() as u64 })
        };
        let per_game = |part: fn(&Counts) -> f64| {
            Measure::Mean(Estimate::ratio(all.iter().map(|game| (part(game), 1.0))))
        };
        let per_move = |part: fn(&Counts) -> u64| {
            let pairs = all.iter().map(|game| (part(game) as f64, game.moves as f64));
            Measure::Mean(Estimate::ratio(pairs))
        };
        match figure {
            Figure::Win => share(all, |game| game.wins),
            Figure::WinFirst => share(first, |game| game.wins),
            Figure::WinSecond => share(second, |game| game.wins),
            Figure::Tie => share(all, |game| game.draws),
            Figure::Stones => per_game(|game| game.stones as f64),
            Figure::Margin => per_game(|game| game.won_by as f64 - game.lost_by as f64),
            Figure::WinMargin => per_game(|game| game.won_by as f64),
            Figure::LossMargin => per_game(|game| game.lost_by as f64),
            Figure::Captures => per_game(|game| game.captures as f64),
            Figure::GoAgains => per_game(|game| game.go_agains as f64),
            Figure::Moves => per_game(|game| game.moves as f64),
            Figure::StonesPerMove => per_move(|game| game.stones),
            Figure::CapturesPerMove => per_move(|game| game.captures),
            Figure::GoAgainsPerMove => per_move(|game| game.go_agains),
        }
    }
}

impl PrintedRandom {
    /// Returns the printed figure, if there is one.
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
    use super::super::printed::printed_random;
    use super::super::tables::random_csv;
    use super::*;
    use crate::partial::StopAfter;

    fn played(games: u32, depth: u32, seed: u64) -> Vec<AgainstRandom> {
        let temporary = tempfile::tempdir().unwrap();
        let partial = PartialResults::below(temporary.path(), "random");
        against_random(games, depth, seed, &partial, &()).unwrap().unwrap()
    }

    fn on_threads(threads: usize, seed: u64) -> String {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        random_csv(&pool.install(|| played(8, 2, seed)))
    }

    #[test]
    fn an_interrupted_table_has_the_same_bytes() {
        let temporary = tempfile::tempdir().unwrap();
        let partial = PartialResults::below(temporary.path(), "random");
        let after = |games: usize| {
            let stop = StopAfter::new(games);
            let found = against_random(6, 1, 5, &partial, &stop).unwrap();
            (found.map(|it| random_csv(&it)), stop.left())
        };
        let all = 64 * 6;
        let whole = random_csv(&played(6, 1, 5));
        // The third combination is interrupted.
        assert_eq!(after(15), (None, 0));
        assert_eq!(after(all - 12 + 1), (Some(whole), 1));
        // With another seed, all games are played again.
        let stop = StopAfter::new(1);
        assert!(against_random(6, 1, 6, &partial, &stop).unwrap().is_none());
    }

    #[test]
    fn the_table_does_not_depend_on_threads() {
        let table = on_threads(1, 5);
        assert_eq!(table, on_threads(2, 5));
        assert_ne!(table, on_threads(2, 6), "another seed");
    }

    #[test]
    fn printed_figures_are_marked() {
        let printed = printed_random();
        for figure in Figure::ALL {
            let has = printed.iter().any(|row| row.figure(figure).is_some());
            assert_eq!(has, figure.is_printed(), "{figure:?}");
        }
    }

    #[test]
    fn figures_are_consistent() {
        for row in played(6, 1, 3) {
            let value = |figure| row.measure(figure).value();
            let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
            near(value(Figure::Win), (value(Figure::WinFirst) + value(Figure::WinSecond)) / 2.0);
            near(value(Figure::Margin), value(Figure::WinMargin) - value(Figure::LossMargin));
            // All 48 seeds end up in a store.
            near(value(Figure::Margin), 2.0 * value(Figure::Stones) - 48.0);
            near(value(Figure::StonesPerMove), value(Figure::Stones) / value(Figure::Moves));
            near(value(Figure::GoAgainsPerMove), value(Figure::GoAgains) / value(Figure::Moves));
            near(value(Figure::CapturesPerMove), value(Figure::Captures) / value(Figure::Moves));
        }
    }
}
