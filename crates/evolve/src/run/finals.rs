//! The finals, i.e. the games that select the champion of a run. They are a round robin that ends early once the winner
//! is clear. Their openings are drawn separately from the openings of training and of strength tests.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use arena::{BatchPlayer, PairScore};
use mancala::eval::{Format, export};
use mancala::game::AnyGame;
use mancala::progress::Part;
use mancala::random::{Purpose, stream};
use mancala::store::{self, Frame};

use super::{ChampionSelection, Finalist, Settings};
use crate::games::{GameRunner, MATCH_PLIES, pairs, random_openings};
use crate::optimise::WorkError;

#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub finalist: usize,
    /// The mean score against the finalists left when this one was eliminated or the finals ended, or ½ without games.
    pub score: f64,
    pub games: u64,
    /// The probability that this finalist is weaker than the leader when this one was eliminated or the finals ended.
    pub behind: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Finals {
    /// The winner comes first, then the other remaining finalists, and then the eliminated ones, latest first.
    pub ranking: Vec<Ranked>,
    pub games: u64,
}

/// The file in a run folder that stores the results of the finals until a champion is selected.
pub const FINALS: &str = "finals.ayo";

const FRAME: Frame = Frame { kind: *b"FNLS", version: 1 };
const SAVE_INTERVAL: Duration = Duration::from_secs(5);

/// The maximum number of openings per round.
const ROUND: usize = 20;
/// After each round, we eliminate finalists that are weaker than the leader with at least this probability.
const DROP_PROBABILITY: f64 = 0.99;
/// The leader wins if, in the last phase, every other finalist is weaker with at least this probability.
const WIN_PROBABILITY: f64 = 0.95;
const MAX_OPENINGS: u64 = 20_000;

impl ChampionSelection<'_> {
    /// Plays the finals until one finalist is clearly the strongest or the maximum number of games is reached. Only the
    /// better half survives each phase (successive halving; Karnin, Koren and Somekh, ICML 2013). If finalists are
    /// tied, the earlier one is ranked higher. If we are stopped, we store all complete rounds and can resume later.
    pub(super) fn finals(&self, runner: GameRunner) -> Result<Finals, WorkError> {
        let &ChampionSelection { folder, settings, finalists, games: most, .. } = self;
        runner.progress.begin_stage("finals");
        let (game, limits, file) = (settings.game(), settings.limits(), folder.join(FINALS));
        let identity = identity(finalists, settings, most);
        // Ignore files that are damaged or from other finals.
        let stored = store::read(&file).ok().and_then(|bytes| FRAME.decode(&bytes).ok());
        let stored = stored.filter(|(other, quarters): &(String, Vec<u8>)| {
            *other == identity && quarters.iter().all(|it| *it < 5)
        });
        let player = |it: &Finalist| BatchPlayer::new(&it.weights, limits, settings.options());
        let mut table = Table {
            game,
            most,
            players: finalists.iter().map(player).collect(),
            left: (0..finalists.len()).collect(),
            out: Vec::new(),
            leader: None,
            results: HashMap::new(),
            games: 0,
            identity,
            stored: stored.map_or(Vec::new(), |(_, quarters)| quarters),
            used: 0,
            file,
            saved: Instant::now(),
        };
        let count = (most / 2).min(MAX_OPENINGS) as usize;
        let rng = stream(settings.seed, Purpose::Finals, 0, 0);
        let openings = random_openings(game, count, MATCH_PLIES, rng);
        let ended = table.play_all(&openings, runner);
        if table.used > 0 {
            table.save();
        }
        ended.map(|()| table.into_finals())
    }
}

/// Returns the minimum number of games for which all finalists play each other before the first elimination.
pub fn least_games(finalists: usize) -> u64 {
    let count = finalists as u64;
    phases(finalists) * count * count.saturating_sub(1)
}

fn phases(finalists: usize) -> u64 {
    finalists.next_power_of_two().ilog2().into()
}

struct Table {
    game: AnyGame,
    most: u64,
    players: Vec<BatchPlayer>,
    /// The indices of the remaining finalists.
    left: Vec<usize>,
    /// Eliminated finalists, in order of elimination.
    out: Vec<Ranked>,
    /// The leader at the last elimination. The score includes games against the finalists that were eliminated then.
    leader: Option<Ranked>,
    /// For each pair of finalists and each opening, the points of the finalist with the lower index, in quarters.
    results: HashMap<[usize; 2], Vec<u8>>,
    games: u64,
    /// A hash of everything that the results depend on.
    identity: String,
    /// The points of the first finalist in each pair of games, in quarters. `results` contains the first `used`.
    stored: Vec<u8>,
    used: usize,
    file: PathBuf,
    saved: Instant,
}

impl Table {
    /// Stores the results. No lock is needed, because we ignore files that are damaged or have a different identity.
    fn save(&mut self) {
        self.saved = Instant::now();
        // Ignore errors, because the results are only needed if the finals are interrupted.
        let _ = store::replace(&self.file, &FRAME.encode(&(&self.identity, &self.stored)));
    }

    fn play_all(&mut self, openings: &[String], runner: GameRunner) -> Result<(), WorkError> {
        let phases = phases(self.players.len());
        let (mut played, mut phase) = (0, 1);
        while self.left.len() > 1 && !(phase == phases && self.is_clear()) {
            let share = self.most * phase / phases;
            let affordable = (share - self.games) / (2 * self.pairings().len() as u64);
            let round = ROUND.min(affordable as usize).min(openings.len() - played);
            if round == 0 && phase == phases {
                break;
            }
            if round == 0 {
                phase += 1;
                let kept = self.left.len().div_ceil(2).max(2);
                self.drop(|place, _| place >= kept);
                continue;
            }
            self.play(&openings[played..played + round], runner)?;
            let games_of_round = 2 * ROUND as u64 * (self.left.len() as u64 - 1);
            self.drop(|_, it| it.behind >= DROP_PROBABILITY && it.games >= games_of_round);
            played += round;
        }
        Ok(())
    }

    fn pairings(&self) -> Vec<[usize; 2]> {
        let later = |first: usize| (first + 1..self.left.len()).map(move |second| [first, second]);
        let places = (0..self.left.len()).flat_map(later);
        places.map(|pair| pair.map(|place| self.left[place])).collect()
    }

    fn play(&mut self, openings: &[String], runner: GameRunner) -> Result<(), WorkError> {
        let pairings = self.pairings();
        let count = pairings.len() * openings.len();
        if self.stored.len() < self.used + count {
            let numbers: Vec<[u32; 2]> = pairings.iter().map(|it| it.map(|it| it as u32)).collect();
            let batch = pairs(self.game, self.players.clone(), &numbers, openings.to_vec());
            let progress = &Part { whole: runner.progress, before: self.games, of: self.most };
            let outcomes = GameRunner { progress, ..runner }.play(&batch)?;
            let scores = PairScore::of_pairs(&outcomes);
            self.stored.truncate(self.used);
            self.stored.extend(scores.into_iter().map(|score| score as u8));
            if self.saved.elapsed() > SAVE_INTERVAL {
                self.save();
            }
        }
        let quarters = self.stored[self.used..][..count].chunks(openings.len());
        for (pairing, quarters) in pairings.iter().zip(quarters) {
            self.results.entry(*pairing).or_default().extend(quarters);
        }
        self.used += count;
        self.games += 2 * count as u64;
        Ok(())
    }

    /// Returns the points of a finalist against all other remaining finalists, for each opening, in quarters.
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

    /// Eliminates the finalists whose places and results satisfy `is_dropped`. The leader is never eliminated.
    fn drop(&mut self, is_dropped: impl Fn(usize, &Ranked) -> bool) {
        let mut standings = self.standings().into_iter().enumerate();
        let leader = standings.next().map(|(_, leader)| leader);
        let dropped = standings.filter(|(place, it)| is_dropped(*place, it)).map(|(_, it)| it);
        let dropped: Vec<Ranked> = dropped.collect();
        if !dropped.is_empty() {
            self.leader = leader;
            self.left.retain(|finalist| dropped.iter().all(|it| it.finalist != *finalist));
            self.out.extend(dropped.into_iter().rev());
        }
    }

    fn into_finals(self) -> Finals {
        let mut ranking = match self.leader {
            Some(ref winner) if self.left.len() == 1 => vec![winner.clone()],
            _ => self.standings(),
        };
        ranking.extend(self.out.into_iter().rev());
        Finals { ranking, games: self.games }
    }
}

/// Returns a hash of the settings, the maximum number of games, and the finalists without names, origins and results.
fn identity(finalists: &[Finalist], settings: &Settings, most: u64) -> String {
    let player = |it: &Finalist| {
        let mut player = it.weights.clone();
        (player.name, player.provenance) = (String::new(), None);
        (player.strength, player.gates) = (Vec::new(), Vec::new());
        export(&player, Format::Json)
    };
    let finalists: String = finalists.iter().map(player).collect();
    store::sha256(format!("{most} {} {finalists}", settings.lines()))
}

/// Returns the probability that one finalist is stronger than another, given their points in the same openings. As a
/// prior, we add two openings, with each finalist ahead by `lead` in one of them.
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
    use std::path::Path;

    use mancala::eval::Weights;
    use mancala::laws::{StopAfter, flips};
    use mancala::progress::Progress;

    use super::*;
    use crate::testing::{changed, on_any_threads, runner};

    fn weights(values: [i64; 2]) -> Weights {
        let signs = mancala::eval::Signs::Signed;
        Weights::new("it", "seeds".parse().unwrap(), &values, signs).unwrap()
    }

    fn play(finalists: &[Weights], games: u64) -> Finals {
        let folder = tempfile::tempdir().unwrap();
        play_in(folder.path(), finalists, games, &()).unwrap()
    }

    fn play_in(
        folder: &Path,
        finalists: &[Weights],
        games: u64,
        progress: &dyn Progress,
    ) -> Result<Finals, WorkError> {
        let settings = changed("standard", "depth=1 seed=5");
        let finalist = |it: &Weights| Finalist { name: String::new(), weights: it.clone() };
        let finalists = &finalists.iter().map(finalist).collect::<Vec<_>>();
        let settings = &settings;
        let selection = ChampionSelection { folder, settings, finalists, before: None, games };
        selection.finals(runner(progress))
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
    fn interrupted_finals_continue_after_the_last_complete_round() {
        let folder = tempfile::tempdir().unwrap();
        // Equal finalists play until the maximum number of games is reached.
        let finalists = [[1, 1], [2, 2], [3, 2]].map(weights);
        let (whole, counter) = (play(&finalists, 1000), StopAfter::reports(u64::MAX));
        let play = |progress: &dyn Progress| play_in(folder.path(), &finalists, 1000, progress);
        let mut interruptions = 0;
        // The first round consists of 120 games.
        let finals = loop {
            if let Ok(finals) = play(&StopAfter::reports(150)) {
                break finals;
            }
            interruptions += 1;
            assert!(interruptions < 10);
        };
        assert!(finals == whole && interruptions > 1, "{interruptions}: {finals:?}");
        assert_eq!((play(&counter).unwrap(), counter.count()), (whole.clone(), 0));
        let stored = folder.path().join(FINALS);
        let bytes = store::read(&stored).unwrap();
        for (bit, damaged) in flips(&bytes, 499) {
            store::replace(&stored, &damaged).unwrap();
            assert_eq!(play(&()).unwrap(), whole, "bit {bit}");
            assert_eq!(store::read(&stored).unwrap(), bytes);
        }
        // We don't reuse stored results if the finalists, their order or the maximum number of games are different.
        let reversed = [2, 1, 0].map(|index| finalists[index].clone());
        for (finalists, games) in [(&reversed, 1000), (&finalists, 999)] {
            store::replace(&stored, &bytes).unwrap();
            let found = play_in(folder.path(), finalists, games, &());
            assert_eq!(found.unwrap(), self::play(finalists, games));
        }
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
        assert!(openings.iter().all(|it| !measured.contains(it)));
    }
}
