//! The genetic algorithm, with fitness from games, endgame tables or both.

mod openings;
mod operators;
mod opponents;
mod presets;
mod reproduction;
mod settings;
mod table_fitness;
mod tournament;

use mancala::random::{Purpose, stream};
use rand::Rng;

use self::operators::{Crossover, FitnessSource, Founders};
use self::reproduction::{initial_population, mean_of_all, mean_of_selected, next_population};
pub(super) use self::settings::{GeneticSettings, METHOD, Setup};
use self::table_fitness::{indices_of_distinct, kept_by_all, with_tables};
use self::tournament::{Evaluation, SuccessiveHalving, Tournament};
use super::genome::Chromosome;
use super::optimiser::{
    Answer, Ask, Champion, CurrentChampion, Evaluated, Optimiser, Positions, ranking,
};
use super::saved::{LoadError, Memory, Saved, SavedStep};

/// Changes settings so that the population starts from a chromosome with these genes and from mutants of it. Also
/// returns the chromosome.
pub(super) fn with_founder(setup: Setup, genes: Vec<f64>) -> (Setup, Chromosome) {
    let founder = reproduction::encode(&setup, genes);
    let founders = Founders(vec![founder.to_hex()]);
    (Setup { own: GeneticSettings { founders, ..setup.own }, ..setup }, founder)
}

/// The genetic algorithm as an optimiser. Each step is a generation.
#[derive(Debug)]
pub(super) struct Genetic {
    setup: Setup,
    tournament: Tournament,
    last: Option<Evaluated>,
    current: Option<Generation>,
    /// Members of the next generation that come from other islands.
    migrants: Vec<Chromosome>,
}

#[derive(Debug)]
struct Generation {
    number: u32,
    members: Vec<Chromosome>,
    /// For each member, the share of the seeds at stake that it keeps in positions from endgame tables. `None` until
    /// this has been measured.
    kept: Option<Vec<u64>>,
    /// The games of the generation. `None` until they have started.
    games: Option<SuccessiveHalving>,
}

impl Genetic {
    pub(super) fn new(setup: Setup) -> Genetic {
        let tournament = Tournament::new(setup.clone());
        Genetic { setup, tournament, last: None, current: None, migrants: Vec::new() }
    }

    pub(super) fn load(setup: Setup, saved: Saved) -> Result<Genetic, LoadError> {
        let Memory::Pairings(pairings) = saved.memory else {
            return Err(LoadError::of_another());
        };
        let last = saved.last.open(setup.own.population as usize, &setup.coding())?;
        let tournament = Tournament::load(setup.clone(), pairings, last.generation)?;
        Ok(Genetic { tournament, last: Some(last), ..Genetic::new(setup) })
    }

    fn next_generation(&mut self) -> Generation {
        let mut members = match &self.last {
            None => initial_population(&self.setup),
            Some(parents) => next_population(&self.setup, parents),
        };
        members.truncate(members.len() - self.migrants.len());
        members.append(&mut self.migrants);
        let number = self.last.as_ref().map_or(0, |last| last.generation) + 1;
        if self.setup.deepens_at(number) {
            self.tournament.forget_games();
        }
        Generation { number, members, kept: None, games: None }
    }

    /// Returns the next request, or `None` once the generation has been evaluated.
    fn next_request(&mut self, generation: &mut Generation) -> Option<Ask> {
        let fitness = self.setup.own.fitness;
        if fitness != FitnessSource::Tournament && generation.kept.is_none() {
            return Some(Ask::Positions(self.positions(generation)));
        }
        if fitness == FitnessSource::Tables {
            return None;
        }
        let (number, members) = (generation.number, &generation.members);
        let tournament = &self.tournament;
        let start = || SuccessiveHalving::new(tournament, number, members);
        generation.games.get_or_insert_with(start).ask(tournament).map(Ask::Games)
    }

    /// Returns the positions in which all members choose a move. They change with every generation.
    fn positions(&self, generation: &Generation) -> Positions {
        let Setup { task, own } = &self.setup;
        let coding = self.setup.coding();
        let mut rng = stream(task.seed, Purpose::TablePositions, generation.number.into(), 0);
        let (_, distinct) = indices_of_distinct(&generation.members);
        Positions {
            seed: rng.next_u64(),
            count: own.tables_positions,
            depth: own.tables_depth,
            options: task.options,
            players: distinct.iter().map(|member| coding.weights(member)).collect(),
        }
    }

    fn finish(&mut self, generation: Generation) {
        let Generation { number, members, kept, games } = generation;
        let games = games.map(|games| games.finish(&mut self.tournament));
        let evaluation = match (kept, games) {
            (Some(kept), games) => with_tables(self.setup.own.fitness, &kept, games),
            (None, games) => games.expect("a generation is evaluated by games or by tables"),
        };
        let Evaluation { fitness, games_asked, games_played } = evaluation;
        let last = Evaluated { generation: number, members, fitness, games_asked, games_played };
        let champion = self.champion_of(&last);
        self.tournament.enter_hall(number, &champion.candidate);
        self.last = Some(last);
    }

    /// Returns the champion of the last generation: the mean of the pool or of the selected members if the settings
    /// request one, since a mean depends less on luck, and otherwise the fittest member.
    fn champion_of(&self, last: &Evaluated) -> CurrentChampion {
        let own = &self.setup.own;
        if own.reports_mean() {
            let newest = self.tournament.hall().last();
            let candidate = match newest.filter(|it| it.generation == last.generation) {
                Some(champion) => champion.chromosome.clone(),
                None => mean_of_selected(&self.setup, last, newest.map(|it| &it.chromosome)),
            };
            return CurrentChampion { candidate, fitness: None };
        }
        let (candidate, fitness) = match own.index_of_mean(last.generation, last.members.len()) {
            Some(mean) => (&last.members[mean], last.fitness[mean]),
            None => last.best(),
        };
        CurrentChampion { candidate: candidate.clone(), fitness: Some(fitness) }
    }
}

/// The number of members among the finalists is the size of the elite, but within these bounds.
const FINALISTS: std::ops::RangeInclusive<usize> = 2..=8;

impl Optimiser for Genetic {
    fn ask(&mut self) -> Ask {
        let mut generation = self.current.take().unwrap_or_else(|| self.next_generation());
        match self.next_request(&mut generation) {
            Some(ask) => {
                self.current = Some(generation);
                ask
            }
            None => {
                self.finish(generation);
                Ask::Done
            }
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Some(generation) = &mut self.current else { return };
        match answer {
            Answer::Games(outcomes) => {
                if let Some(games) = &mut generation.games {
                    games.tell(&outcomes);
                }
            }
            Answer::Positions(losses) => {
                generation.kept = Some(kept_by_all(&generation.members, &losses));
            }
            // The genetic algorithm never requests these.
            Answer::Layer(_) | Answer::Islands(_) => {}
        }
    }

    fn abandon(&mut self) {
        self.current = None;
    }

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn current_champion(&self) -> Option<CurrentChampion> {
        self.last.as_ref().map(|last| self.champion_of(last))
    }

    /// Returns the fittest members and, if champions are means, the mean of the later half of the hall of fame. Such
    /// champions wander around an optimum, and their mean is closer to it than most of them are.
    fn finalists(&self) -> Vec<(&'static str, CurrentChampion)> {
        let Some(last) = &self.last else { return Vec::new() };
        let own = &self.setup.own;
        let fittest = own.elite_size().clamp(*FINALISTS.start(), *FINALISTS.end());
        let member = |&index: &usize| {
            let (candidate, fitness) = (last.members[index].clone(), Some(last.fitness[index]));
            ("member", CurrentChampion { candidate, fitness })
        };
        let mut finalists: Vec<_> =
            ranking(&last.fitness).iter().take(fittest).map(member).collect();
        let late = &self.past_champions()[self.past_champions().len() / 2..];
        let late: Vec<Chromosome> = late.iter().map(|it| it.chromosome.clone()).collect();
        if (own.crossover == Crossover::Pool || own.reports_mean()) && !late.is_empty() {
            let candidate = mean_of_all(&self.setup, &late);
            let mean = CurrentChampion { candidate, fitness: None };
            finalists.push(("mean of late champions", mean));
        }
        finalists
    }

    fn past_champions(&self) -> &[Champion] {
        self.tournament.hall()
    }

    /// The migrants replace the last offspring, and become past champions if the run keeps any.
    fn immigrate(&mut self, migrants: &[Chromosome]) {
        self.migrants = migrants.to_vec();
        migrants.iter().for_each(|migrant| self.tournament.admit_to_hall(migrant));
    }

    fn forget_games(&mut self) {
        self.tournament.forget_games();
    }

    fn save(&self) -> Option<Saved> {
        let memory = Memory::Pairings(self.tournament.save());
        Some(Saved { last: SavedStep::of(self.last.as_ref()?), memory })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let champion = coding.decode(&leader.candidate);
            for gene in 0..champion.len() {
                let mean = (one[gene] + other[gene]) as f64 / 2.0;
                let expected =
                    previous.as_ref().map_or(mean, |it| 0.75 * it[gene] as f64 + 0.25 * mean);
                assert!((champion[gene] as f64 - expected).abs() <= 0.5, "generation {generation}");
            }
            let kept = genetic.past_champions().last().unwrap();
            assert_eq!((kept.generation, &kept.chromosome), (generation, &leader.candidate));
            previous = Some(champion);
        }
    }
}
