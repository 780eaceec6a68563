//! Islands, i.e. optimisers with their own populations (E. Cantú-Paz, Efficient and Accurate Parallel Genetic
//! Algorithms, 2000). They form a ring. Every `migrate` generations, each island's champion enters the next island.

use arena::{Batch, PairScore};
use mancala::random::{Purpose, stream};
use rand::RngExt;

use super::{
    Champion, Evaluated, Executor, IslandTask, Islands, LoadError, Memory, Optimiser,
    OptimiserSettings, Saved, SavedIslands, Task, WorkError, checked_champions, ranking,
};
use crate::games::{MATCH_PLIES, openings_or_start, pairs};

const MAX_CHAMPIONS: usize = 256;
/// The maximum number of islands whose champions become finalists.
const FINALISTS: usize = 16;
/// The champion of an island plays against the champions of this many neighbours on either side.
const NEIGHBOURS: usize = 4;
const GAMES: usize = 64;

/// Several optimisers that act as one. After the first generation and before each migration, we rank the islands by
/// games between their champions. The champion of the best island is the overall champion.
#[derive(Debug)]
pub(crate) struct Archipelago {
    tasks: Vec<Task>,
    own: Box<dyn OptimiserSettings>,
    migrate: u32,
    islands: Islands,
    last: Option<Evaluated>,
    /// The overall champions of past generations, oldest first.
    champions: Vec<Champion>,
    /// The indices of the islands, best first.
    ranking: Vec<u32>,
}

impl Archipelago {
    /// Starts one island per task, or restores the islands in `saved`. Tasks may differ only in their names and seeds.
    pub(crate) fn start(
        tasks: Vec<Task>,
        own: Box<dyn OptimiserSettings>,
        migrate: u32,
        saved: Option<Saved>,
    ) -> Result<Self, LoadError> {
        let islands = tasks.iter().map(|task| own.start(task.clone(), None));
        let islands = islands.collect::<Result<_, _>>()?;
        let ranking = (0..tasks.len() as u32).collect();
        let (last, champions) = (None, Vec::new());
        let mut archipelago =
            Archipelago { tasks, own, migrate, islands, last, champions, ranking };
        let Some(saved) = saved else { return Ok(archipelago) };
        let Memory::Islands(SavedIslands { islands, champions, ranking }) = saved.memory else {
            return Err(LoadError::of_another());
        };
        let Archipelago { tasks, own, .. } = &archipelago;
        if islands.len() != tasks.len() {
            let (found, expected) = (islands.len(), tasks.len());
            return Err(LoadError::content(format!("{found} islands, expected {expected}")));
        }
        let islands = tasks.iter().zip(islands).map(|(task, it)| own.start(task.clone(), Some(it)));
        archipelago.islands = islands.collect::<Result<_, _>>()?;
        let last = archipelago.evaluated(&archipelago.islands);
        let is_same = archipelago.islands.iter().all(|it| it.generation() == last.generation);
        let coding = archipelago.own.coding(&archipelago.tasks[0]);
        if !is_same || saved.last.checked(last.members.len(), &coding)? != last {
            return Err(LoadError::content("islands do not belong to its last generation"));
        }
        let mut sorted = ranking.clone();
        sorted.sort_unstable();
        if sorted != archipelago.ranking {
            return Err(LoadError::content("ranking does not contain every island once"));
        }
        archipelago.ranking = ranking;
        archipelago.champions =
            checked_champions(&champions, MAX_CHAMPIONS, last.generation, &coding)?;
        archipelago.last = Some(last);
        Ok(archipelago)
    }

    fn task_of(&self, island: usize) -> IslandTask {
        let since = self.generation() % self.migrate;
        let before = previous_island(island, self.islands.len());
        let migrant = self.islands[before].current_champion().filter(|_| since == 0);
        IslandTask {
            island: island as u32,
            saved: self.islands[island].save(),
            migrants: migrant.map(|it| it.chromosome).into_iter().collect(),
            generations: self.migrate - since,
        }
    }

    /// Merges the last generations of all islands into one.
    fn evaluated(&self, islands: &Islands) -> Evaluated {
        let steps = || islands.iter().filter_map(|island| island.last());
        let generation = islands.iter().map(|it| it.generation()).max().unwrap_or(0);
        let games = match is_ranked(generation, self.migrate) {
            true => self.games_of_ranking(islands).schedule.len() as u64,
            false => 0,
        };
        Evaluated {
            generation,
            members: steps().flat_map(|it| it.members.clone()).collect(),
            fitness: steps().flat_map(|it| it.fitness.clone()).collect(),
            games_asked: steps().map(|it| it.games_asked).sum::<u64>() + games,
            games_played: steps().map(|it| it.games_played).sum::<u64>() + games,
        }
    }

    fn games_of_ranking(&self, islands: &Islands) -> Batch {
        let task = &self.tasks[0];
        let generation = islands[0].generation();
        let pairings = pairings(islands.len());
        let openings = openings(islands.len(), pairings.len());
        let rng = stream(task.seed, Purpose::Island, generation.into(), 2);
        let openings = openings_or_start(task.game, openings, MATCH_PLIES, rng);
        let coding = self.own.coding(task);
        let limits = task.limits(task.depth);
        let champion =
            |island: &dyn Optimiser| island.current_champion().expect("an evaluated island");
        let players =
            islands.iter().map(|it| coding.player(&champion(&**it).chromosome, limits)).collect();
        pairs(task.game, players, &pairings, openings)
    }

    fn ranked(&self) -> impl Iterator<Item = &dyn Optimiser> {
        self.ranking.iter().map(|&island| &*self.islands[island as usize])
    }
}

/// Returns the island that sends its champion to the given one.
pub(crate) fn previous_island(island: usize, islands: usize) -> usize {
    (island + islands - 1) % islands
}

fn is_ranked(generation: u32, migrate: u32) -> bool {
    generation == 1 || generation > 0 && generation.is_multiple_of(migrate)
}

/// Returns the maximum number of games that are played to rank the islands after a generation.
pub(crate) fn ranking_games(islands: u32, migrate: u32, generation: u32) -> u64 {
    if islands == 1 || !is_ranked(generation, migrate) {
        return 0;
    }
    let pairings = pairings(islands as usize).len();
    (2 * pairings * openings(islands as usize, pairings)) as u64
}

fn openings(islands: usize, pairings: usize) -> usize {
    GAMES * islands / (4 * pairings)
}

/// Pairs each island with the next [`NEIGHBOURS`] islands in the ring. The champions of paired islands play each other.
fn pairings(islands: usize) -> Vec<[u32; 2]> {
    let pair = |one: usize, other: usize| [one.min(other) as u32, one.max(other) as u32];
    let next =
        |one| (1..=NEIGHBOURS.min(islands - 1)).map(move |it| pair(one, (one + it) % islands));
    let mut pairings: Vec<_> = (0..islands).flat_map(next).collect();
    pairings.sort_unstable();
    pairings.dedup();
    pairings
}

impl Optimiser for Archipelago {
    fn step(&mut self, executor: &mut dyn Executor) -> Result<(), WorkError> {
        let tasks = (0..self.islands.len()).map(|it| self.task_of(it)).collect();
        let islands = executor.islands(tasks)?;
        let generation = islands[0].generation();
        if is_ranked(generation, self.migrate) {
            let games = self.games_of_ranking(&islands);
            let scores = PairScore::of_pairs(&executor.match_games(&games)?);
            let mut points = vec![0; islands.len()];
            for (game, score) in games.schedule.iter().step_by(2).zip(scores) {
                points[game.first as usize] += score as u64;
                points[game.second as usize] += 4 - score as u64;
            }
            self.ranking = ranking(&points).into_iter().map(|island| island as u32).collect();
        }
        self.last = Some(self.evaluated(&islands));
        self.islands = islands;
        if self.champions.len() == MAX_CHAMPIONS {
            let mut rng = stream(self.tasks[0].seed, Purpose::Island, generation.into(), 1);
            self.champions.remove(rng.random_range(0..MAX_CHAMPIONS as u32) as usize);
        }
        let champion = self.current_champion();
        self.champions.extend(champion.map(|it| Champion::past(generation, it.chromosome)));
        Ok(())
    }

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn current_champion(&self) -> Option<Champion> {
        self.ranked().next()?.current_champion()
    }

    fn islands(&self) -> &[Box<dyn Optimiser>] {
        &self.islands
    }

    /// Returns the champions of the best islands, followed by the finalists of the best island.
    fn finalists(&self) -> Vec<(&'static str, Champion)> {
        let champions = self.ranked().take(FINALISTS).filter_map(|it| it.current_champion());
        let champions = champions.map(|champion| ("champion of an island in", champion));
        champions.chain(self.ranked().take(1).flat_map(|it| it.finalists())).collect()
    }

    fn past_champions(&self) -> &[Champion] {
        &self.champions
    }

    fn forget_games(&mut self) {
        self.islands.iter_mut().for_each(|island| island.forget_games());
    }

    fn save(&self) -> Option<Saved> {
        let islands = self.islands.iter().map(|island| island.save()).collect::<Option<_>>()?;
        let (champions, ranking) = (self.champions.clone(), self.ranking.clone());
        let memory = Memory::Islands(SavedIslands { islands, champions, ranking });
        Some(Saved { last: self.last.clone()?, memory })
    }
}

#[cfg(test)]
mod tests;
