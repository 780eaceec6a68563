//! The genetic algorithm. Fitness comes from games, from endgame tables or from both.

mod openings;
mod operators;
mod reproduction;
mod settings;
mod tournament;

use mancala::random::{Purpose, stream};
use rand::Rng;
use rustc_hash::FxHashMap;

use self::operators::{Crossover, FitnessSource};
use self::reproduction::{initial_population, mean_of_all, mean_of_selected, next_population};
use self::settings::PERFECT;
pub(super) use self::settings::{GeneticSettings, METHOD, Setup};
use self::tournament::Remembered;
use super::{
    Champion, Chromosome, Evaluated, Executor, LoadError, Memory, Optimiser, Positions, Saved,
    SeedLosses, WorkError, ranking,
};

/// Makes a chromosome with these genes the founder of the first population. Also returns that chromosome.
pub(super) fn with_founder(setup: Setup, genes: Vec<f64>) -> (Setup, Chromosome) {
    let founder = reproduction::encode(&setup, genes);
    let own = GeneticSettings { founders: founder.to_hex(), ..setup.own };
    (Setup { own, ..setup }, founder)
}

#[derive(Debug)]
pub(super) struct Genetic {
    setup: Setup,
    /// Champions of past generations, oldest first.
    hall: Vec<Champion>,
    /// The results of games from the start position. The key is the first mover, followed by the second mover.
    results: FxHashMap<(Chromosome, Chromosome), Remembered>,
    last: Option<Evaluated>,
    /// Members from other islands that join the next generation.
    migrants: Vec<Chromosome>,
}

impl Genetic {
    pub(super) fn new(setup: Setup) -> Genetic {
        let (hall, results) = (Vec::new(), FxHashMap::default());
        Genetic { setup, hall, results, last: None, migrants: Vec::new() }
    }

    pub(super) fn start(setup: Setup, saved: Option<Saved>) -> Result<Genetic, LoadError> {
        let Some(saved) = saved else { return Ok(Genetic::new(setup)) };
        let Memory::Pairings(pairings) = saved.memory else {
            return Err(LoadError::of_another());
        };
        let last = saved.last.checked(setup.own.population as usize, &setup.coding())?;
        let mut genetic = Genetic::new(setup);
        genetic.load(pairings, last.generation)?;
        Ok(Genetic { last: Some(last), ..genetic })
    }

    fn next_members(&mut self) -> Vec<Chromosome> {
        let mut members = match &self.last {
            None => initial_population(&self.setup),
            Some(parents) => next_population(&self.setup, parents),
        };
        members.truncate(members.len() - self.migrants.len());
        members.append(&mut self.migrants);
        members
    }

    /// Returns the positions in which all members have to choose a move. Every generation uses different positions.
    fn positions(&self, generation: u32, members: &[Chromosome]) -> Positions {
        let Setup { task, own } = &self.setup;
        let coding = self.setup.coding();
        let mut rng = stream(task.seed, Purpose::TablePositions, generation.into(), 0);
        let (_, distinct) = indices_of_distinct(members);
        Positions {
            seed: rng.next_u64(),
            count: own.tables_positions,
            depth: own.tables_depth,
            options: task.options,
            players: distinct.iter().map(|member| coding.weights(member)).collect(),
        }
    }

    /// Depending on the settings, returns the mean of the pool, the mean of the selected members or the fittest member.
    fn champion_of(&self, last: &Evaluated) -> Champion {
        let own = &self.setup.own;
        if own.reports_mean() {
            let newest = self.hall.last();
            let mean = || mean_of_selected(&self.setup, last, newest.map(|it| &it.chromosome));
            return match newest.filter(|it| it.generation == last.generation) {
                Some(champion) => champion.clone(),
                None => Champion::past(last.generation, mean()),
            };
        }
        let mean = own.index_of_mean(last.generation, last.members.len());
        last.member(mean.unwrap_or_else(|| ranking(&last.fitness)[0]))
    }
}

/// The number of members that become finalists is the size of the elite, clamped to this range.
const FINALISTS: std::ops::RangeInclusive<usize> = 2..=8;

impl Optimiser for Genetic {
    fn step(&mut self, executor: &mut dyn Executor) -> Result<(), WorkError> {
        let (number, fitness) = (self.generation() + 1, self.setup.own.fitness);
        let members = self.next_members();
        if self.setup.deepens_at(number) {
            self.forget_games();
        }
        let kept = match fitness {
            FitnessSource::Tournament => None,
            _ => {
                let losses = executor.losses(&self.positions(number, &members))?;
                Some(kept_by_all(&members, &losses))
            }
        };
        let mut last = match fitness {
            FitnessSource::Tables => Evaluated::new(number, members, Vec::new()),
            _ => self.play(number, members, executor)?,
        };
        if let Some(kept) = kept {
            last.fitness = with_tables(fitness, kept, &last.fitness);
        }
        let champion = self.champion_of(&last);
        self.enter_hall(number, &champion.chromosome);
        self.last = Some(last);
        Ok(())
    }

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn current_champion(&self) -> Option<Champion> {
        self.last.as_ref().map(|last| self.champion_of(last))
    }

    /// Returns the fittest members. If each champion is a mean, then we also return the mean of the later half of past
    /// champions, because successive champions move around an optimum.
    fn finalists(&self) -> Vec<(&'static str, Champion)> {
        let Some(last) = &self.last else { return Vec::new() };
        let own = &self.setup.own;
        let fittest = own.elite_size().clamp(*FINALISTS.start(), *FINALISTS.end());
        let fittest = ranking(&last.fitness).into_iter().take(fittest);
        let mut finalists: Vec<_> =
            fittest.map(|index| ("member of", last.member(index))).collect();
        let late = &self.past_champions()[self.past_champions().len() / 2..];
        let late: Vec<Chromosome> = late.iter().map(|it| it.chromosome.clone()).collect();
        if (own.crossover == Crossover::Pool || own.reports_mean()) && !late.is_empty() {
            let mean = Champion::past(last.generation, mean_of_all(&self.setup, &late));
            finalists.push(("mean of late champions, up to", mean));
        }
        finalists
    }

    fn past_champions(&self) -> &[Champion] {
        &self.hall
    }

    /// Stores the migrants, which replace the last offspring. If there is a hall of fame, adds them to it.
    fn immigrate(&mut self, migrants: &[Chromosome]) {
        self.migrants = migrants.to_vec();
        migrants.iter().for_each(|migrant| self.admit_to_hall(migrant));
    }

    fn forget_games(&mut self) {
        self.results.clear();
    }

    fn save(&self) -> Option<Saved> {
        let memory = Memory::Pairings(self.pairings());
        Some(Saved { last: self.last.clone()?, memory })
    }
}

// Using endgame tables for fitness is the simplest form of van Rijswijck's mining of endgame databases (2000).

/// For each member, returns which fraction of the seeds at stake it keeps, in millionths. `losses` contains one entry
/// for each [distinct](indices_of_distinct) member.
fn kept_by_all(members: &[Chromosome], losses: &[SeedLosses]) -> Vec<u64> {
    let (indices, _) = indices_of_distinct(members);
    indices.into_iter().map(|index| kept(losses[index])).collect()
}

/// Returns the index of each member in the list of distinct members, and that list.
fn indices_of_distinct(members: &[Chromosome]) -> (Vec<usize>, Vec<&Chromosome>) {
    let mut indices = FxHashMap::default();
    let mut distinct: Vec<&Chromosome> = Vec::new();
    let index = |member| {
        *indices.entry(member).or_insert_with(|| {
            distinct.push(member);
            distinct.len() - 1
        })
    };
    (members.iter().map(index).collect(), distinct)
}

/// Returns the fraction of seeds kept, in millionths, or [`PERFECT`] if no seeds are at stake.
fn kept(SeedLosses { lost, at_stake }: SeedLosses) -> u64 {
    PERFECT - (lost * PERFECT).checked_div(at_stake).unwrap_or(0)
}

/// Returns the fitness from tables. If the source is a mix, then we combine it with the fitness from games.
fn with_tables(source: FitnessSource, kept: Vec<u64>, by_games: &[u64]) -> Vec<u64> {
    let FitnessSource::Mix(percent) = source else { return kept };
    let share = u64::from(percent);
    // Points and seeds have different units and spreads, so we add up ranks instead.
    let both = ranks(by_games).into_iter().zip(ranks(&kept));
    both.map(|(games, tables)| (100 - share) * games + share * tables).collect()
}

/// Returns the rank of each value. Each smaller value adds 2 to the rank, and each other value that is equal adds 1.
fn ranks(values: &[u64]) -> Vec<u64> {
    let rank = |value: &u64| {
        let points = values.iter().map(|other| match other.cmp(value) {
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 0,
        });
        // Subtract 1, since each value was also compared to itself.
        points.sum::<u64>() - 1
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::OptimiserSettings;
    use crate::optimise::testing::{setup, step};

    #[test]
    fn a_champion_is_the_mean_of_the_selected_and_of_the_previous_champion() {
        let setup = setup(
            "population=6 fitness_set=3 selection=truncation:2 encoding=integer:11 signs=literal mutation_rate=0.1 \
             depth=1 champion=mean inertia=0.75",
        );
        let coding = setup.coding();
        let mut genetic = Genetic::new(setup);
        let mut previous: Option<Vec<i64>> = None;
        for generation in 1..=4 {
            step(&mut genetic);
            let leader = genetic.current_champion().unwrap();
            assert_eq!(leader.fitness, None);
            let last = genetic.last().unwrap();
            let selected = ranking(&last.fitness)[..2].to_vec();
            let genes = |index: &usize| coding.decode(&last.members[*index]);
            let [one, other] = [genes(&selected[0]), genes(&selected[1])];
            let champion = coding.decode(&leader.chromosome);
            for gene in 0..champion.len() {
                let mean = (one[gene] + other[gene]) as f64 / 2.0;
                let expected =
                    previous.as_ref().map_or(mean, |it| 0.75 * it[gene] as f64 + 0.25 * mean);
                assert!((champion[gene] as f64 - expected).abs() <= 0.5, "generation {generation}");
            }
            let kept = genetic.past_champions().last().unwrap();
            assert_eq!((kept.generation, &kept.chromosome), (generation, &leader.chromosome));
            previous = Some(champion);
        }
    }

    #[test]
    fn a_mix_combines_ranks() {
        let mixed = |percent, by_games: &[u64], kept: &[u64]| {
            with_tables(FitnessSource::Mix(percent), kept.to_vec(), by_games)
        };
        let half = mixed(50, &[3, 1, 2], &[10, 900_000, 10]);
        assert_eq!(half, [50 * 4 + 50, 50 * 4, 50 * 2 + 50]);
        let most = setup("fitness=mix:20% population=4 fitness_set=1");
        let best = mixed(20, &[1, 2, 3, 4], &[4, 5, 6, 7])[3];
        assert_eq!(best, most.own.best_possible_fitness(1, 0));
        assert_eq!(kept(SeedLosses { lost: 0, at_stake: 0 }), PERFECT);
        assert_eq!(kept(SeedLosses { lost: 7, at_stake: 7 }), 0);
    }

    #[test]
    fn equal_members_are_evaluated_once() {
        let [one, other] = [true, false].map(|bit| Chromosome::new(vec![bit]));
        let members = [one.clone(), other.clone(), one.clone()];
        assert_eq!(indices_of_distinct(&members).1, [&one, &other]);
        let losses = [1, 2].map(|lost| SeedLosses { lost, at_stake: 4 });
        assert_eq!(kept_by_all(&members, &losses), [750_000, 500_000, 750_000]);
    }
}
