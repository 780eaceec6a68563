//! Islands: optimisers with their own populations, which regularly send their champions to each other.
//!
//! This is the coarse-grained parallel genetic algorithm (E. Cantú-Paz, Efficient and Accurate Parallel Genetic
//! Algorithms, 2000). The islands form a ring, and after every `migrate` generations the champion of each enters the
//! next one. All islands are at the same generation, and the migrants follow from their states, so the result does not
//! depend on which island is advanced first, or where.

use std::collections::VecDeque;

use mancala::random::{Purpose, stream};
use rand::RngExt;

use super::optimiser::{
    Answer, Ask, Champion, CurrentChampion, Evaluated, IslandTask, Islands, Optimiser, ranking,
};
use super::saved::{LoadError, Memory, Saved, SavedIslands, SavedStep};
use super::settings::OptimiserSettings;
use super::task::Task;

/// Maximum number of past champions that are kept.
const MAX_CHAMPIONS: usize = 256;
/// Maximum number of islands whose champions are finalists.
const FINALISTS: usize = 16;

/// Several optimisers that act as one. A step advances all of them by a generation.
///
/// The candidates of a step are those of all islands, in the order of the islands. The champion is that of the island
/// with the highest fitness. Fitness is relative to the opponents on an island, so this is only a rough choice between
/// islands; the final games include the champions of all.
#[derive(Debug)]
pub(crate) struct Archipelago {
    /// The task of each island.
    tasks: Vec<Task>,
    own: Box<dyn OptimiserSettings>,
    /// Number of generations between migrations.
    migrate: u32,
    islands: Islands,
    last: Option<Evaluated>,
    /// Champions of past steps, oldest first.
    champions: Vec<Champion>,
    /// The islands after further generations that are already evaluated, earliest first.
    ahead: VecDeque<Islands>,
}

impl Archipelago {
    /// Creates islands with these tasks, which differ only in their names and seeds.
    pub(crate) fn new(tasks: Vec<Task>, own: Box<dyn OptimiserSettings>, migrate: u32) -> Self {
        let islands = tasks.iter().map(|task| own.begin(task.clone())).collect();
        let (champions, ahead) = (Vec::new(), VecDeque::new());
        Archipelago { tasks, own, migrate, islands, last: None, champions, ahead }
    }

    pub(crate) fn load(
        tasks: Vec<Task>,
        own: Box<dyn OptimiserSettings>,
        migrate: u32,
        saved: Saved,
    ) -> Result<Self, LoadError> {
        let Memory::Islands(SavedIslands { islands, champions }) = saved.memory else {
            return Err(LoadError::of_another());
        };
        if islands.len() != tasks.len() {
            let (found, expected) = (islands.len(), tasks.len());
            return Err(LoadError::content(format!("{found} islands, expected {expected}")));
        }
        let mut archipelago = Archipelago::new(tasks, own, migrate);
        let Archipelago { tasks, own, .. } = &archipelago;
        let islands = tasks.iter().zip(islands).map(|(task, it)| own.load(task.clone(), it));
        archipelago.islands = islands.collect::<Result<_, _>>()?;
        let last = archipelago.all_candidates();
        let mut steps = archipelago.islands.iter().filter_map(|island| island.last());
        let is_same = steps.all(|step| step.generation == last.generation);
        if !is_same || SavedStep::of(&last) != saved.last {
            return Err(LoadError::content("islands do not belong to its last generation"));
        }
        let is_past = |it: &(u32, String)| (1..=last.generation).contains(&it.0);
        if champions.len() > MAX_CHAMPIONS
            || !champions.iter().all(is_past)
            || !champions.is_sorted_by(|(one, _), (next, _)| one < next)
        {
            return Err(LoadError::content("champions are too many, not past or not ordered"));
        }
        let coding = archipelago.own.coding(&archipelago.tasks[0]);
        let champion = |(generation, hex): (u32, String)| {
            Ok(Champion { generation, chromosome: coding.read(&hex)? })
        };
        archipelago.champions =
            champions.into_iter().map(champion).collect::<Result<_, LoadError>>()?;
        archipelago.last = Some(last);
        Ok(archipelago)
    }

    fn generation(&self) -> u32 {
        self.last.as_ref().map_or(0, |last| last.generation)
    }

    fn task_of(&self, island: usize) -> IslandTask {
        let since = self.generation() % self.migrate;
        let before = (island + self.islands.len() - 1) % self.islands.len();
        let migrant = self.islands[before].current_champion().filter(|_| since == 0);
        IslandTask {
            island: island as u32,
            saved: self.islands[island].save(),
            migrants: migrant.map(|it| it.candidate).into_iter().collect(),
            generations: self.migrate - since,
        }
    }

    /// Returns the last generation of all islands as one.
    fn all_candidates(&self) -> Evaluated {
        let of_islands = || self.islands.iter().filter_map(|island| island.last());
        Evaluated {
            generation: of_islands().map(|it| it.generation).max().unwrap_or(0),
            members: of_islands().flat_map(|it| it.members.clone()).collect(),
            fitness: of_islands().flat_map(|it| it.fitness.clone()).collect(),
            games_asked: of_islands().map(|it| it.games_asked).sum(),
            games_played: of_islands().map(|it| it.games_played).sum(),
        }
    }

    /// Ends a step with the given states of the islands.
    fn finish(&mut self, islands: Islands) {
        self.islands = islands;
        self.last = Some(self.all_candidates());
        let generation = self.generation();
        if self.champions.len() == MAX_CHAMPIONS {
            let mut rng = stream(self.tasks[0].seed, Purpose::Island, generation.into(), 1);
            self.champions.remove(rng.random_range(0..MAX_CHAMPIONS as u32) as usize);
        }
        let champion = self.current_champion();
        let champion = champion.map(|it| Champion { generation, chromosome: it.candidate });
        self.champions.extend(champion);
    }

    /// Returns the islands from the highest to the lowest fitness of their last generation.
    fn ranked(&self) -> Vec<&dyn Optimiser> {
        let steps = self.islands.iter().map(|island| island.last());
        let fitness: Vec<u64> = steps.map(|last| last.map_or(0, |it| it.best().1)).collect();
        ranking(&fitness).into_iter().map(|island| &*self.islands[island]).collect()
    }
}

impl Optimiser for Archipelago {
    fn ask(&mut self) -> Ask {
        match self.ahead.pop_front() {
            Some(islands) => {
                self.finish(islands);
                Ask::Done
            }
            None => Ask::Islands((0..self.islands.len()).map(|it| self.task_of(it)).collect()),
        }
    }

    fn tell(&mut self, answer: Answer) {
        if let Answer::Islands(islands) = answer {
            self.ahead.extend(islands);
        }
    }

    fn abandon(&mut self) {}

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn current_champion(&self) -> Option<CurrentChampion> {
        self.ranked()[0].current_champion()
    }

    fn islands(&self) -> &[Box<dyn Optimiser>] {
        &self.islands
    }

    /// Returns the champions of the fittest islands, and the finalists of the fittest.
    fn finalists(&self) -> Vec<(&'static str, CurrentChampion)> {
        let ranked = self.ranked();
        let champions = ranked.iter().take(FINALISTS).filter_map(|it| it.current_champion());
        let champions = champions.map(|champion| ("champion of an island", champion));
        champions.chain(ranked[0].finalists()).collect()
    }

    fn past_champions(&self) -> &[Champion] {
        &self.champions
    }

    fn forget_games(&mut self) {
        self.islands.iter_mut().for_each(|island| island.forget_games());
        self.ahead.clear();
    }

    fn save(&self) -> Option<Saved> {
        let islands = self.islands.iter().map(|island| island.save()).collect::<Option<_>>()?;
        let champion = |it: &Champion| (it.generation, it.chromosome.to_hex());
        let champions = self.champions.iter().map(champion).collect();
        let memory = Memory::Islands(SavedIslands { islands, champions });
        Some(Saved { last: SavedStep::of(self.last.as_ref()?), memory })
    }
}

#[cfg(test)]
mod tests;
