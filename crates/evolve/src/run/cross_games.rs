//! Games between the champions of a run, for its diagnosis.
//!
//! The games are stored in the run folder, in a file of their own, and continue where they stopped. No other file is
//! written, and no lock is needed, so that a run can be diagnosed while it is training.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use arena::player::{Minimax, PlayableGame, Player};
use arena::{
    Batch, BatchPlayer, Crosstable, Games, Lineage, Outcome, PairScore, Pentanomial, ScheduledGame,
};
use mancala::eval::Weights;
use mancala::game::with_game;
use mancala::progress::{Part, Progress};
use mancala::random::{Purpose, stream};
use mancala::store::{self, FileError, Frame};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::folder::{COST, FolderError, HISTORY, RecordedTable, RunFolder};
use super::history::totals;
use super::past::recorded_champions;
use super::settings::Settings;
use super::trainer::champion;
use crate::games::openings_or_start;
use crate::optimise::Chromosome;

/// The file in a run folder that contains the games between its champions.
pub const CROSS_GAMES: &str = "report-games.ayo";

const FRAME: Frame = Frame { kind: *b"XGAM", version: 1 };
/// Number of openings, and the plies from the start position to them.
const OPENINGS: usize = 2048;
const PLIES: std::ops::RangeInclusive<u32> = 6..=12;
/// Maximum numbers of champions that play a first round before more champions join. If time is short, the table of
/// fewer champions is at least complete.
const STAGES: [usize; 2] = [10, 20];
/// Number of pairs of games after which results may be written.
const CHUNK: usize = 256;
const SAVE_INTERVAL: Duration = Duration::from_secs(5);

/// The size of the table of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossGamesPlan {
    /// Maximum number of champions, spread evenly over the run.
    pub champions: usize,
    /// Number of pairs of games between any two champions.
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
    /// The champions' games. All champions have played the same number of pairs against each other.
    pub lineage: Lineage,
    /// Hours of training until each champion, without measurements and final games. `None` if the costs of a generation
    /// are not recorded.
    pub hours: Option<Vec<f64>>,
    /// Whether all planned games have been played.
    pub is_complete: bool,
    /// The reason why earlier games were discarded, if they were.
    pub damage: Option<String>,
}

/// Plays the missing games of the plan, stores them in the run folder, and returns all games. If `progress` requests a
/// stop, the table contains fewer rounds, or fewer champions. Reports progress in games.
///
/// The games have the search limits of the run, and start from random balanced openings that are used neither in
/// training nor in measurements. Stored games of champions that have changed are ignored, and a damaged file is
/// replaced. The results depend only on the champions and the seed of the run.
///
/// # Errors
/// If there is no run or no recorded champion, or a file cannot be read or written.
pub fn cross_games(
    folder: &Path,
    plan: CrossGamesPlan,
    games: &dyn Games,
    progress: &dyn Progress,
) -> Result<CrossGames, FolderError> {
    let settings = RunFolder::settings(folder)?;
    let recorded = recorded_champions(folder, &settings)?;
    let select = |most: usize| spread(recorded.keys().copied(), most.min(plan.champions));
    let all = select(plan.champions);
    if all.is_empty() {
        return Err(FolderError::invalid(folder, "no champion is recorded yet"));
    }
    let mut table = Table::read(folder, settings, &recorded, (&all, plan.rounds))?;
    let rounds = table.rounds;
    let stages = STAGES.map(|most| (select(most), rounds.min(1))).into_iter();
    let stages: Vec<(Vec<u32>, usize)> = stages.chain([(all, rounds)]).collect();
    let mut is_complete = true;
    for (champions, rounds) in &stages {
        is_complete = is_complete && table.play(champions, *rounds, games, progress)?;
    }
    table.save()?;
    let (champions, _) =
        stages.iter().rfind(|(champions, _)| table.rounds(champions) > 0).unwrap_or(&stages[0]);
    Ok(CrossGames {
        lineage: table.lineage(champions),
        hours: hours(folder, champions)?,
        champions: champions.iter().map(|it| table.champions[it].weights.clone()).collect(),
        is_complete,
        damage: table.damage,
    })
}

/// Selects at most `most` generations, spread evenly, including the first and the last. If the run continues, many of
/// the selected generations stay the same.
fn spread(generations: impl Iterator<Item = u32> + Clone, most: usize) -> Vec<u32> {
    let mut stride = 1;
    loop {
        let mut selected: Vec<u32> = Vec::new();
        for generation in generations.clone() {
            let is_same_interval = |last: u32| last.div_ceil(stride) == generation.div_ceil(stride);
            if selected.len() > 1 && selected.last().is_some_and(|&last| is_same_interval(last)) {
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

/// Returns the hours of training until each generation, if they are recorded.
fn hours(folder: &Path, generations: &[u32]) -> Result<Option<Vec<f64>>, FileError> {
    let [history, costs] =
        [RecordedTable::read(folder, HISTORY)?, RecordedTable::read(folder, COST)?];
    let totals = totals(history.verified(), costs.verified());
    let of_generation =
        |generation: &u32| totals.get((*generation as usize).checked_sub(1)?)?.hours;
    Ok(generations.iter().map(of_generation).collect())
}

/// A recorded champion.
struct Champion {
    weights: Weights,
    player: BatchPlayer,
    /// Hash of everything that its games depend on.
    identity: String,
}

/// The stored games of a run.
struct Table<'a> {
    folder: &'a Path,
    settings: Settings,
    champions: BTreeMap<u32, Champion>,
    openings: Vec<String>,
    /// The pair scores by round of a newer against an older generation, from the view of the newer.
    cells: BTreeMap<(u32, u32), Vec<PairScore>>,
    /// All planned cells and rounds.
    all: Vec<(u32, u32)>,
    rounds: usize,
    damage: Option<String>,
    saved: Instant,
    is_saved: bool,
}

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// Generations and identities of the champions.
    champions: Vec<(u32, String)>,
    /// The newer and the older generation, and a score between 0 and 4 for each round.
    cells: Vec<(u32, u32, Vec<u8>)>,
}

impl<'a> Table<'a> {
    /// Reads the stored games whose players are unchanged. `recorded` contains all champions of the run, and `needed`
    /// the generations that are to play `rounds` pairs of games.
    fn read(
        folder: &'a Path,
        settings: Settings,
        recorded: &BTreeMap<u32, Chromosome>,
        (needed, rounds): (&[u32], usize),
    ) -> Result<Table<'a>, FolderError> {
        let bytes = store::read_optional(&folder.join(CROSS_GAMES))?;
        let stored = bytes.map(|bytes| FRAME.decode::<Stored>(&bytes)).transpose();
        let damage = stored.as_ref().err().map(|error| format!("{CROSS_GAMES} {error}"));
        let stored =
            stored.ok().flatten().unwrap_or(Stored { champions: Vec::new(), cells: Vec::new() });
        let known = stored.champions.iter().map(|(generation, _)| generation);
        let champion = |generation: &u32| {
            Some((*generation, Champion::new(&settings, *generation, recorded.get(generation)?)))
        };
        let champions: BTreeMap<u32, Champion> = known.chain(needed).filter_map(champion).collect();
        let is_same = |(generation, identity): &&(u32, String)| {
            champions.get(generation).is_some_and(|it| it.identity == *identity)
        };
        let same: BTreeSet<u32> = stored.champions.iter().filter(is_same).map(|it| it.0).collect();
        let cell = |(newer, older, scores): (u32, u32, Vec<u8>)| {
            let is_same = older < newer && same.contains(&newer) && same.contains(&older);
            let score = |score: u8| PairScore::ALL.get(usize::from(score)).copied();
            let scores = scores.into_iter().map_while(score).collect();
            is_same.then_some(((newer, older), scores))
        };
        let cells = stored.cells.into_iter().filter_map(cell).collect();
        let rng = stream(settings.seed, Purpose::CrossGames, 0, 0);
        let openings = openings_or_start(settings.game(), OPENINGS, PLIES, rng);
        let mut table = Table {
            folder,
            settings,
            champions,
            rounds: rounds.min(openings.len()),
            openings,
            cells,
            all: Vec::new(),
            damage,
            saved: Instant::now(),
            is_saved: true,
        };
        table.all = table.cells_between(needed);
        Ok(table)
    }

    /// Writes the file if it lacks any games.
    fn save(&mut self) -> Result<(), FolderError> {
        if self.is_saved {
            return Ok(());
        }
        let champions =
            self.champions.iter().map(|(&generation, it)| (generation, it.identity.clone()));
        let scores = |scores: &[PairScore]| scores.iter().map(|&score| score as u8).collect();
        let cells = self.cells.iter().map(|(&(newer, older), it)| (newer, older, scores(it)));
        let stored = Stored { champions: champions.collect(), cells: cells.collect() };
        store::replace(&self.folder.join(CROSS_GAMES), &FRAME.encode(&stored))?;
        (self.saved, self.is_saved) = (Instant::now(), true);
        Ok(())
    }

    /// Plays until each pair of these champions has played `rounds` pairs of games. Returns whether that was reached.
    fn play(
        &mut self,
        generations: &[u32],
        rounds: usize,
        games: &dyn Games,
        progress: &dyn Progress,
    ) -> Result<bool, FolderError> {
        let cells = self.cells_between(generations);
        for round in self.rounds(generations)..rounds {
            let due = cells.iter().filter(|cell| self.played(cell) == round);
            for due in due.copied().collect::<Vec<_>>().chunks(CHUNK) {
                if !self.play_chunk(generations, due, round, games, progress)? {
                    return self.save().map(|()| false);
                }
                if self.saved.elapsed() > SAVE_INTERVAL {
                    self.save()?;
                }
            }
        }
        Ok(true)
    }

    /// Plays one pair of games per cell. If `progress` requests a stop, keeps the first pairs and returns `false`.
    fn play_chunk(
        &mut self,
        generations: &[u32],
        cells: &[(u32, u32)],
        round: usize,
        games: &dyn Games,
        progress: &dyn Progress,
    ) -> Result<bool, FolderError> {
        let batch = self.batch(generations, cells, round);
        let done = |cell| 2 * self.played(cell).min(self.rounds) as u64;
        let (before, of) =
            (self.all.iter().map(done).sum(), 2 * (self.all.len() * self.rounds) as u64);
        let mut outcomes: Vec<Outcome> = Vec::new();
        let mut follow = |outcome| {
            outcomes.push(outcome);
            ControlFlow::Continue(())
        };
        games
            .play(&batch, &Part { whole: progress, before, of }, &mut follow)
            .map_err(|error| FolderError::invalid(self.folder, error))?;
        let scores = PairScore::of_pairs(&outcomes);
        for (&cell, &score) in cells.iter().zip(&scores) {
            self.cells.entry(cell).or_default().push(score);
            self.is_saved = false;
        }
        Ok(scores.len() == cells.len())
    }

    /// Returns one pair of games for each cell. The opening depends only on the cell and the round.
    fn batch(&self, generations: &[u32], cells: &[(u32, u32)], round: usize) -> Batch {
        let place = |generation: &u32| {
            generations.binary_search(generation).expect("a selected generation") as u32
        };
        let opening = |&(newer, older): &(u32, u32)| {
            let cell = u64::from(newer) << 32 | u64::from(older);
            let first = stream(self.settings.seed, Purpose::CrossGames, cell, 0)
                .random_range(0..self.openings.len() as u32);
            self.openings[(first as usize + round) % self.openings.len()].clone()
        };
        let pair = |(number, (newer, older)): (usize, &(u32, u32))| {
            ScheduledGame::pair(place(newer), place(older), number as u32)
        };
        let players = generations.iter().map(|it| self.champions[it].player.clone()).collect();
        let openings = cells.iter().map(opening).collect();
        let schedule = cells.iter().enumerate().flat_map(pair).collect();
        Batch::new(self.settings.game(), players, openings, schedule)
            .expect("players and openings of the game")
    }

    /// Returns the pairs of different players.
    fn cells_between(&self, generations: &[u32]) -> Vec<(u32, u32)> {
        let older = |(index, &newer)| generations[..index].iter().map(move |&older| (newer, older));
        let cells = generations.iter().enumerate().flat_map(older);
        cells.filter(|(a, b)| self.champions[a].player != self.champions[b].player).collect()
    }

    fn played(&self, cell: &(u32, u32)) -> usize {
        self.cells.get(cell).map_or(0, Vec::len)
    }

    /// Returns the number of rounds that all pairs of different players have played.
    fn rounds(&self, generations: &[u32]) -> usize {
        self.cells_between(generations)
            .iter()
            .map(|cell| self.played(cell))
            .min()
            .unwrap_or(self.rounds)
    }

    /// Returns the complete rounds. Two games of a player against itself have opposite results, so the pair is level.
    fn lineage(&self, generations: &[u32]) -> Lineage {
        let rounds = self.rounds(generations);
        let mut pairs = Crosstable::new(generations.len());
        for (a, newer) in generations.iter().enumerate() {
            for (b, older) in generations[..a].iter().enumerate() {
                let level = Pentanomial { dd_wl: rounds as u64, ..Pentanomial::default() };
                let cell = self.cells.get(&(*newer, *older));
                let is_same = self.champions[newer].player == self.champions[older].player;
                let played = || cell.map(|it| it[..rounds].iter().copied().collect());
                pairs.add_all(a, b, if is_same { level } else { played().unwrap_or_default() });
            }
        }
        let players: Vec<_> = generations.iter().map(|it| &self.champions[it].player).collect();
        let original = |player| players.iter().position(|it| it == player).expect("itself");
        let originals = players.iter().map(original).collect();
        Lineage { generations: generations.into(), originals, pairs }
    }
}

impl Champion {
    fn new(settings: &Settings, generation: u32, chromosome: &Chromosome) -> Champion {
        fn identity<G: PlayableGame>(game: G, weights: &Weights, settings: &Settings) -> String {
            let player = Minimax::<G>::new(weights, settings.limits(), settings.options);
            format!("{} {} {}", game.into(), settings.seed, player.identity())
        }
        let weights = champion(settings, generation, chromosome, None);
        let identity = with_game!(settings.game(), game => identity(game, &weights, settings));
        let player = BatchPlayer::new(&weights, settings.limits(), settings.options);
        Champion { weights, player, identity: store::sha256(identity) }
    }
}

#[cfg(test)]
mod tests;
