//! The finals: a round robin that stops early once the winner is clear. Its openings are used neither in training nor
//! in measurements.

use std::collections::HashMap;

use arena::{BatchPlayer, Games, PairScore};
use mancala::eval::Weights;
use mancala::game::AnyGame;
use mancala::progress::{Part, Progress};
use mancala::random::{Purpose, stream};

use super::settings::Settings;
use crate::games::{MATCH_PLIES, pairs, random_openings};

#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub finalist: usize,
    /// Mean score against the finalists that were left when this one last played; ½ if it did not play.
    pub score: f64,
    pub games: u64,
    /// Probability that this finalist is weaker than the winner.
    pub behind: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Finals {
    /// The winner, the other finalists that were not eliminated by score, and the eliminated ones, the last first.
    pub ranking: Vec<Ranked>,
    pub games: u64,
}

const ROUND: usize = 20;
/// A finalist is eliminated if, after a complete round, it is weaker than the leader with this probability.
const DROP_PROBABILITY: f64 = 0.99;
/// The leader wins if, in the last phase, each other finalist is weaker with this probability.
const WIN_PROBABILITY: f64 = 0.95;
const MAX_OPENINGS: u64 = 20_000;

/// Plays the finals until one finalist is clearly the strongest or the maximum number of games is reached. Only the
/// better half survives each phase (successive halving; Karnin, Koren and Somekh, ICML 2013). Of equal finalists, the
/// earlier one is ranked higher. Returns `None` if `progress` requested a stop.
pub fn finals(
    finalists: &[Weights],
    (settings, most): (&Settings, u64),
    games: &dyn Games,
    progress: &dyn Progress,
) -> Option<Finals> {
    progress.begin_stage("finals");
    let mut table = Table::new(finalists, settings, most);
    let count = (most / 2).min(MAX_OPENINGS) as usize;
    let rng = stream(settings.seed, Purpose::Finals, 0, 0);
    let openings = random_openings(settings.game(), count, MATCH_PLIES, rng);
    let phases = phases(finalists.len());
    let (mut played, mut phase) = (0, 1);
    while table.left.len() > 1 && !(phase == phases && table.is_clear()) {
        let share = most * phase / phases;
        let affordable = (share - table.games) / (2 * table.pairings().len() as u64);
        let round = ROUND.min(affordable as usize).min(openings.len() - played);
        if round == 0 && phase == phases {
            break;
        }
        if round == 0 {
            phase += 1;
            table.drop_lower_half();
            continue;
        }
        table.play(&openings[played..played + round], games, progress)?;
        table.drop_clearly_behind();
        played += round;
    }
    Some(table.into_finals())
}

/// Returns the number of games in which all finalists play each other before any is eliminated.
pub fn least_games(finalists: usize) -> u64 {
    let count = finalists as u64;
    phases(finalists) * count * count.saturating_sub(1)
}

fn phases(finalists: usize) -> u64 {
    finalists.next_power_of_two().ilog2().into()
}

/// The state of the finals so far.
struct Table {
    game: AnyGame,
    most: u64,
    players: Vec<BatchPlayer>,
    /// Indices of the remaining finalists.
    left: Vec<usize>,
    /// Eliminated finalists, in order of elimination.
    out: Vec<Ranked>,
    /// The points of the lower index of each pair of finalists in each opening, in quarters.
    results: HashMap<[usize; 2], Vec<u8>>,
    games: u64,
}

impl Table {
    fn new(finalists: &[Weights], settings: &Settings, most: u64) -> Table {
        let (game, limits) = (settings.game(), settings.limits());
        let player = |it: &Weights| BatchPlayer::new(it, limits, settings.options());
        let players = finalists.iter().map(player).collect();
        let (left, out, results) = ((0..finalists.len()).collect(), Vec::new(), HashMap::new());
        Table { game, most, players, left, out, results, games: 0 }
    }

    fn pairings(&self) -> Vec<[usize; 2]> {
        let later = |first: usize| (first + 1..self.left.len()).map(move |second| [first, second]);
        let places = (0..self.left.len()).flat_map(later);
        places.map(|pair| pair.map(|place| self.left[place])).collect()
    }

    fn play(
        &mut self,
        openings: &[String],
        games: &dyn Games,
        progress: &dyn Progress,
    ) -> Option<()> {
        let pairings = self.pairings();
        let numbers: Vec<[u32; 2]> = pairings.iter().map(|it| it.map(|it| it as u32)).collect();
        let batch = pairs(self.game, self.players.clone(), &numbers, openings.to_vec());
        let progress = Part { whole: progress, before: self.games, of: self.most };
        let scores = PairScore::of_pairs(&games.outcomes(&batch, &progress)?);
        for (pairing, scores) in pairings.iter().zip(scores.chunks(openings.len())) {
            let quarters = scores.iter().map(|score| *score as u8);
            self.results.entry(*pairing).or_default().extend(quarters);
        }
        self.games += 2 * scores.len() as u64;
        Some(())
    }

    /// Returns a finalist's points against all other remaining finalists in each opening, in quarters.
    fn points(&self, finalist: usize) -> Vec<i64> {
        let mut points = Vec::new();
        for &other in self.left.iter().filter(|&&other| other != finalist) {
            let key = [finalist.min(other), finalist.max(other)];
            let results = self.results.get(&key).map(Vec::as_slice).unwrap_or_default();
            points.resize(results.len(), 0);
            for (sum, &quarters) in points.iter_mut().zip(results) {
                *sum += i64::from(if finalist < other { quarters } else { 4 - quarters });
            }
        }
        points
    }

    /// Returns the results of the remaining finalists, starting with the leader.
    fn standings(&self) -> Vec<Ranked> {
        let mut ranked: Vec<_> = self.left.iter().map(|&it| (it, self.points(it))).collect();
        // Ties go to the earlier finalist.
        ranked.sort_by_key(|(_, points)| std::cmp::Reverse(points.iter().sum::<i64>()));
        let others = ranked.len().saturating_sub(1) as u64;
        let standing = |(finalist, points): &(usize, Vec<i64>)| {
            let games = 2 * others * points.len() as u64;
            let sum: i64 = points.iter().sum();
            let score = if games == 0 { 0.5 } else { sum as f64 / (2 * games) as f64 };
            let behind = superiority(&ranked[0].1, points, others as f64);
            Ranked { finalist: *finalist, score, games, behind }
        };
        ranked.iter().map(standing).collect()
    }

    fn is_clear(&self) -> bool {
        let standings = self.standings();
        !self.results.is_empty() && standings[1..].iter().all(|it| it.behind >= WIN_PROBABILITY)
    }

    fn drop_clearly_behind(&mut self) {
        let standings = self.standings();
        let games_of_round = 2 * ROUND as u64 * (standings.len() as u64 - 1);
        let is_behind = |it: &&Ranked| it.behind >= DROP_PROBABILITY && it.games >= games_of_round;
        self.drop(standings.iter().skip(1).filter(is_behind).cloned().collect());
    }

    /// Eliminates the lower half, but keeps at least two finalists.
    fn drop_lower_half(&mut self) {
        let standings = self.standings();
        let kept = standings.len().div_ceil(2).max(2);
        self.drop(standings.into_iter().skip(kept).collect());
    }

    /// Eliminates the finalists in `standings`, which lists the best first.
    fn drop(&mut self, mut standings: Vec<Ranked>) {
        standings.reverse();
        self.left.retain(|finalist| standings.iter().all(|it| it.finalist != *finalist));
        self.out.extend(standings);
    }

    fn into_finals(self) -> Finals {
        let mut ranking = self.standings();
        if let ([last], Some(second)) = (&mut ranking[..], self.out.last()) {
            // Use the winner's score against the finalist that was eliminated last.
            let key = [last.finalist.min(second.finalist), last.finalist.max(second.finalist)];
            let results = &self.results[&key];
            let sum: u64 = results.iter().map(|&quarters| u64::from(quarters)).sum();
            let share = sum as f64 / (4 * results.len()) as f64;
            last.score = if last.finalist < second.finalist { share } else { 1.0 - share };
            last.games = 2 * results.len() as u64;
        }
        ranking.extend(self.out.into_iter().rev());
        Finals { ranking, games: self.games }
    }
}

/// Returns the probability that one finalist is stronger than another, from the mean difference of their points in the
/// same openings. Two openings are added, in each of which one of the two is ahead by `lead`.
fn superiority(one: &[i64], other: &[i64], lead: f64) -> f64 {
    let differences = || one.iter().zip(other).map(|(one, other)| (one - other) as f64);
    let count = one.len() as f64;
    let mean = differences().sum::<f64>() / (count + 2.0);
    let added = [lead, -lead];
    let squares: f64 = differences().chain(added).map(|it| (it - mean) * (it - mean)).sum();
    let error = (squares / (count + 1.0) / (count + 2.0)).sqrt();
    if error == 0.0 {
        return 0.5;
    }
    0.5 * libm::erfc(-mean / error / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use arena::LocalGames;

    use super::*;
    use crate::testing::{changed, on_any_threads};

    fn weights(values: [i64; 2]) -> Weights {
        let signs = mancala::eval::Signs::Signed;
        Weights::new("it", "seeds".parse().unwrap(), &values, signs).unwrap()
    }

    fn play(finalists: &[Weights], games: u64) -> Finals {
        let settings = changed("standard", "depth=3 seed=5");
        finals(finalists, (&settings, games), &LocalGames::new(), &()).unwrap()
    }

    /// Returns three finalists with useless weights, one that counts seeds, and the best one.
    fn planted() -> Vec<Weights> {
        let best = Weights::named("daoud2004-depth5").unwrap();
        vec![weights([0, 0]), weights([-1, 0]), best, weights([1, 1]), weights([0, -1])]
    }

    #[test]
    fn the_known_best_wins_and_the_worst_drop_out_first_on_any_number_of_threads() {
        let finals = on_any_threads(|| play(&planted(), 4000));
        let order: Vec<usize> = finals.ranking.iter().map(|it| it.finalist).collect();
        assert_eq!(order[..2], [2, 3]);
        assert!(finals.games < 4000, "the winner was clear earlier: {finals:?}");
        assert!(finals.ranking[1].behind >= WIN_PROBABILITY && finals.ranking[0].score > 0.5);
    }

    #[test]
    fn the_least_games_include_every_finalist() {
        for count in 2..=5 {
            let finals = play(&planted()[..count], least_games(count));
            assert!(finals.games <= least_games(count));
            assert!(finals.ranking.iter().all(|it| it.games > 0), "{finals:?}");
        }
        assert_eq!([0, 1].map(least_games), [0, 0]);
    }

    #[test]
    fn ties_go_to_the_earlier_finalist_within_the_budget() {
        let twins = vec![weights([1, 1]), weights([2, 2]), weights([3, 3])];
        let tied = play(&twins, 500);
        assert!(tied.games <= 500 && tied.games > 490, "{}", tied.games);
        assert_eq!(tied.ranking[0].finalist, 0);
        assert!(tied.ranking.iter().all(|it| it.score == 0.5 && it.behind == 0.5), "{tied:?}");
        for games in [0, 1] {
            let unplayed = play(&twins, games);
            assert_eq!((unplayed.games, unplayed.ranking.len()), (0, 3));
        }
        assert_eq!(play(&twins[..1], 500).games, 0);
    }

    #[test]
    fn finals_and_measurements_share_no_opening() {
        let game = mancala::game::ayo::Ayo::default();
        let suite: arena::Suite = "plies:4".parse().unwrap();
        let measured = suite.openings(game).unwrap();
        let mut rng = stream(5, Purpose::Finals, 0, 0);
        let openings = arena::balanced_openings(game, 2000, MATCH_PLIES, &mut rng);
        assert_eq!(openings.len(), 2000);
        assert!(openings.iter().all(|it| !measured.positions().contains(it)));
    }
}
