//! Games between the champions of a run, for diagnosis. We store them in the run folder, which need not be locked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use arena::{Batch, BatchPlayer, Crosstable, Lineage, PairScore, Pentanomial, ScheduledGame};
use mancala::eval::{Format, Weights, export};
use mancala::progress::Part;
use mancala::random::{Purpose, stream};
use mancala::store::{self, Frame};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::{FolderError, RunFolder, Settings, champion, recorded_champions};
use crate::games::{GameRunner, MATCH_PLIES, openings_or_start};
use crate::optimise::Champion;

/// The file in a run folder that contains the games between its champions.
pub const CROSS_GAMES: &str = "report-games.ayo";
/// The name of the report file in a run folder.
pub const REPORT: &str = "report.html";

const FRAME: Frame = Frame { kind: *b"XGAM", version: 1 };
/// The number of openings that games start from. Each opening consists of [`MATCH_PLIES`] random plies.
const OPENINGS: usize = 2048;
/// In the first round, this many champions play before the other champions, so that we have a table early on.
const STAGES: [usize; 2] = [10, 20];
/// The number of game pairs in a batch. After each batch, we may write the results to the file.
const CHUNK: usize = 256;
const SAVE_INTERVAL: Duration = Duration::from_secs(5);

/// How many games the champions of a run play against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossGamesPlan {
    /// The maximum number of champions. They are spread evenly over the run.
    pub champions: usize,
    /// The number of game pairs between any two champions.
    pub rounds: usize,
}

impl Default for CrossGamesPlan {
    fn default() -> Self {
        CrossGamesPlan { champions: 40, rounds: 10 }
    }
}

/// Games between the champions of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossGames {
    /// The champions, oldest first.
    pub champions: Vec<Weights>,
    /// The games. The same number of game pairs was played between any two champions.
    pub lineage: Lineage,
    pub is_complete: bool,
    /// An error message, if the stored games couldn't be decoded or the new games couldn't be stored.
    pub problem: Option<String>,
}

/// Plays the games of the plan that are missing, stores them in the run folder, and returns all games. If we are
/// stopped, then the result has fewer rounds or fewer champions.
///
/// Stored games are ignored if their champions have changed. A damaged file is replaced. Games that cannot be stored
/// are still returned. The results depend only on the champions and the seed of the run.
pub fn cross_games(
    folder: &Path,
    plan: CrossGamesPlan,
    runner: GameRunner,
) -> Result<CrossGames, FolderError> {
    let settings = RunFolder::settings(folder)?;
    let recorded = recorded_champions(folder, &settings)?;
    let select = |most: usize| spread(recorded.keys().copied(), most.min(plan.champions));
    let stages = [select(STAGES[0]), select(STAGES[1]), select(plan.champions)];
    if stages[0].is_empty() {
        return Err(FolderError::NoPastChampion(folder.into()));
    }
    let bytes = store::read_optional(&folder.join(CROSS_GAMES))?;
    let stored = bytes.map(|bytes| FRAME.decode::<Stored>(&bytes)).transpose();
    let problem = stored.as_ref().err().map(|error| format!("{CROSS_GAMES} {error}"));
    let Stored { champions: known, mut cells } = stored.ok().flatten().unwrap_or_default();
    let mut champions = BTreeMap::new();
    let mut unchanged = BTreeSet::new();
    for &generation in known.keys().chain(&stages[2]) {
        let Some(chromosome) = recorded.get(&generation) else { continue };
        let past = Champion::past(generation, chromosome.clone());
        let weights = champion(&settings, &past);
        if known.get(&generation) == Some(&identity(&weights)) {
            unchanged.insert(generation);
        }
        let player = BatchPlayer::new(&weights, settings.limits(), settings.options());
        champions.insert(generation, (weights, player));
    }
    cells.retain(|(newer, older), scores| {
        let are_same = unchanged.contains(newer) && unchanged.contains(older);
        older < newer && are_same && scores.iter().all(|&it| it < 5)
    });
    let rng = stream(settings.seed, Purpose::CrossGames, 0, 0);
    let openings = openings_or_start(settings.game(), OPENINGS, MATCH_PLIES, rng);
    let (rounds, saved) = (plan.rounds.min(openings.len()), Instant::now());
    let mut table = Table { folder, settings, champions, openings, cells, rounds, problem, saved };
    let is_complete = table.play(&stages, runner)?;
    let widest = stages.iter().rfind(|champions| table.rounds(champions) > 0);
    let champions = widest.unwrap_or(&stages[0]);
    Ok(CrossGames {
        lineage: table.lineage(champions),
        champions: champions.iter().map(|it| table.champions[it].0.clone()).collect(),
        is_complete,
        problem: table.problem,
    })
}

/// Selects up to `most` generations, including the first and last. Most of these stay selected as a run gets longer.
fn spread(generations: impl Iterator<Item = u32> + Clone, most: usize) -> Vec<u32> {
    let mut stride = 1;
    loop {
        let mut selected: Vec<u32> = Vec::new();
        for generation in generations.clone() {
            // Keep the very first generation, and the last generation of each interval.
            if let [_, .., last] = *selected
                && last.div_ceil(stride) == generation.div_ceil(stride)
            {
                selected.pop();
            }
            selected.push(generation);
        }
        if selected.len() <= most.max(2) {
            return selected;
        }
        stride *= 2;
    }
}

/// The content of [`CROSS_GAMES`].
#[derive(Default, Serialize, Deserialize)]
struct Stored {
    /// The [identity] of the champion of each generation.
    champions: BTreeMap<u32, String>,
    /// For each pair of champions, the newer one's score in each two-game round, from 0 (two losses) to 4 (two wins).
    cells: BTreeMap<Cell, Vec<u8>>,
}

/// The generations of two champions, the newer champion first.
type Cell = (u32, u32);

struct Table<'a> {
    folder: &'a Path,
    settings: Settings,
    champions: BTreeMap<u32, (Weights, BatchPlayer)>,
    openings: Vec<String>,
    cells: BTreeMap<Cell, Vec<u8>>,
    rounds: usize,
    problem: Option<String>,
    saved: Instant,
}

impl Table<'_> {
    fn save(&mut self) {
        let identity =
            |(&generation, (weights, _)): (&u32, &(Weights, _))| (generation, identity(weights));
        let champions = self.champions.iter().map(identity).collect();
        let stored = Stored { champions, cells: self.cells.clone() };
        self.saved = Instant::now();
        if let Err(error) = store::replace(&self.folder.join(CROSS_GAMES), &FRAME.encode(&stored)) {
            self.problem = Some(error.to_string());
        }
    }

    /// Plays all missing games, one stage after another. Returns `false` if we are stopped before the last game.
    fn play(&mut self, stages: &[Vec<u32>; 3], runner: GameRunner) -> Result<bool, FolderError> {
        let cells = self.cells_between(&stages[2]);
        let missing = |&cell| (self.played(&cell)..self.rounds).map(move |round| (cell, round));
        let mut due: Vec<(Cell, usize)> = cells.iter().flat_map(missing).collect();
        due.sort_by_cached_key(|&((newer, older), round)| {
            let is_in = |it: &Vec<u32>| round == 0 && it.contains(&newer) && it.contains(&older);
            (stages.iter().position(is_in).unwrap_or(stages.len()), round)
        });
        for chunk in due.chunks(CHUNK) {
            let batch = self.batch(&stages[2], chunk);
            let done = cells.iter().map(|it| 2 * self.played(it).min(self.rounds) as u64);
            let of = 2 * (cells.len() * self.rounds) as u64;
            let part = Part { whole: runner.progress, before: done.sum(), of };
            let played = runner.games.play(&batch, &part);
            let outcomes = played.map_err(|error| FolderError::invalid(self.folder, error))?;
            let scores = PairScore::of_pairs(&outcomes);
            for ((cell, _), &score) in chunk.iter().zip(&scores) {
                self.cells.entry(*cell).or_default().push(score as u8);
            }
            let is_last = chunk.last() == due.last() || scores.len() < chunk.len();
            if !scores.is_empty() && (is_last || self.saved.elapsed() > SAVE_INTERVAL) {
                self.save();
            }
            if scores.len() < chunk.len() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Schedules a pair of games for each cell and round. The opening depends only on the cell, the round and the seed.
    fn batch(&self, generations: &[u32], due: &[(Cell, usize)]) -> Batch {
        let opening = |&((newer, older), round): &(Cell, usize)| {
            let cell = u64::from(newer) << 32 | u64::from(older);
            let mut rng = stream(self.settings.seed, Purpose::CrossGames, cell, 0);
            let first = rng.random_range(0..self.openings.len() as u32) as usize;
            self.openings[(first + round) % self.openings.len()].clone()
        };
        let place = |it: &u32| generations.binary_search(it).expect("a planned generation") as u32;
        let pair = |(number, ((newer, older), _)): (usize, &(Cell, usize))| {
            ScheduledGame::pair(place(newer), place(older), number as u32)
        };
        let players = generations.iter().map(|it| self.champions[it].1.clone()).collect();
        let schedule = due.iter().enumerate().flat_map(pair).collect();
        Batch::new(self.settings.game(), players, due.iter().map(opening), schedule)
            .expect("players and openings fit the game")
    }

    /// Returns all pairs of champions whose weights differ.
    fn cells_between(&self, generations: &[u32]) -> Vec<Cell> {
        let older = |(index, &newer)| generations[..index].iter().map(move |&older| (newer, older));
        let cells = generations.iter().enumerate().flat_map(older);
        cells.filter(|(newer, older)| self.champions[newer].1 != self.champions[older].1).collect()
    }

    fn played(&self, cell: &Cell) -> usize {
        self.cells.get(cell).map_or(0, Vec::len)
    }

    /// Returns the number of rounds that are complete for all pairs of different champions.
    fn rounds(&self, generations: &[u32]) -> usize {
        let cells = self.cells_between(generations);
        cells.iter().map(|cell| self.played(cell)).min().unwrap_or(self.rounds)
    }

    /// Returns the games of all complete rounds. If two champions are identical, each pair counts as a win and a loss.
    fn lineage(&self, generations: &[u32]) -> Lineage {
        let (rounds, count) = (self.rounds(generations), generations.len());
        let player = |index: usize| &self.champions[&generations[index]].1;
        let original = |index| (0..index).find(|&it| player(it) == player(index)).unwrap_or(index);
        let originals: Vec<usize> = (0..count).map(original).collect();
        let mut pairs = Crosstable::new(count);
        for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let scores = self.cells.get(&(generations[a], generations[b])).into_iter().flatten();
            let scores = scores.take(rounds).map(|&score| PairScore::ALL[usize::from(score)]);
            let level = Pentanomial { dd_wl: rounds as u64, ..Pentanomial::default() };
            let is_same = originals[a] == originals[b];
            pairs.add_all(a, b, if is_same { level } else { scores.collect() });
        }
        Lineage { generations: generations.into(), originals, pairs }
    }
}

/// Returns a hash of the weights and of their provenance, which includes a hash of the run's settings.
fn identity(weights: &Weights) -> String {
    store::sha256(export(weights, Format::Json))
}

#[cfg(test)]
mod tests;
