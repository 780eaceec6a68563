//! The genetic algorithm: breeding, and fitness by games, by endgame tables or by both.

mod beginnings;
mod breeding;
mod choices;
mod evaluation;
mod field;
mod founders;
mod method;
mod opponents;
mod presets;
mod race;
mod remembered;
mod settings;
mod table_fitness;
#[cfg(test)]
mod testing;
mod tournament;

use self::breeding::{breed, first_population, mean_of_all, mean_of_selected};
use self::choices::{Crossover, FitnessSource, Founders};
use self::evaluation::Evaluation;
pub(crate) use self::method::METHOD;
use self::race::Race;
pub(super) use self::settings::{GeneticSettings, Setup};
use self::table_fitness::{Kept, with_tables};
use self::tournament::Tournament;
use super::ask::{Answer, Ask, Champion, Leader, Optimiser, Positions, Proposal};
use super::genome::Chromosome;
use super::saved::{LoadError, Memory, Saved, SavedStep};
use super::step::{Evaluated, ranking};
use mancala::random::{Purpose, stream};
use rand::Rng;

/// The settings of a population that begins from these genes and mutants of them.
pub(super) fn founded(setup: Setup, genes: Vec<f64>) -> Setup {
    let founders = Founders(vec![breeding::encoded(&setup, genes).to_hex()]);
    Setup { own: GeneticSettings { founders, ..setup.own }, ..setup }
}

/// The genetic algorithm as an optimiser: a step is a generation.
#[derive(Debug)]
pub(crate) struct Genetic {
    setup: Setup,
    tournament: Tournament,
    last: Option<Evaluated>,
    under_way: Option<Generation>,
}

/// A generation that is being evaluated.
#[derive(Debug)]
struct Generation {
    number: u32,
    members: Vec<Chromosome>,
    /// What members keep by tables, once they were asked.
    kept: Option<Kept>,
    /// Its games, once they began.
    race: Option<Race>,
}

impl Genetic {
    /// A run that has not begun.
    pub(crate) fn new(setup: Setup) -> Genetic {
        let tournament = Tournament::new(setup.clone());
        Genetic { setup, tournament, last: None, under_way: None }
    }

    /// A run as it was saved.
    pub(crate) fn load(setup: Setup, saved: Saved) -> Result<Genetic, LoadError> {
        let Memory::Pairings(pairings) = saved.memory else {
            return Err(LoadError::Content("memory is another optimiser's".into()));
        };
        let last = saved.last.open(setup.own.population as usize, &setup.coding())?;
        let tournament = Tournament::restore(setup.clone(), pairings, last.generation);
        let tournament = tournament.map_err(|error| LoadError::Content(error.to_string()))?;
        Ok(Genetic { setup, tournament, last: Some(last), under_way: None })
    }

    fn begun(&mut self) -> Generation {
        let members = match &self.last {
            None => first_population(&self.setup),
            Some(parents) => breed(&self.setup, parents),
        };
        let number = self.last.as_ref().map_or(0, |last| last.generation) + 1;
        if self.setup.deepens_at(number) {
            self.tournament.forget_games();
        }
        Generation { number, members, kept: None, race: None }
    }

    /// What the generation needs to know next; nothing once it is evaluated.
    fn next(&mut self, generation: &mut Generation) -> Option<Ask> {
        let fitness = self.setup.own.fitness;
        // Before the games: these are remembered.
        if fitness != FitnessSource::Tournament && generation.kept.is_none() {
            return Some(Ask::Positions(self.positions(generation)));
        }
        if fitness == FitnessSource::Tables {
            return None;
        }
        let (number, members) = (generation.number, &generation.members);
        let tournament = &self.tournament;
        let race = generation.race.get_or_insert_with(|| Race::new(tournament, number, members));
        race.ask(tournament).map(Ask::Games)
    }

    /// Every member is asked about the same positions, new ones in each generation.
    fn positions(&self, generation: &Generation) -> Positions {
        let Setup { task, own } = &self.setup;
        let coding = self.setup.coding();
        let mut dice = stream(task.seed, Purpose::TablePositions, generation.number.into(), 0);
        let different = Kept::different(&generation.members);
        Positions {
            seed: dice.next_u64(),
            count: own.tables_positions,
            depth: own.tables_depth,
            options: task.options,
            players: different.iter().map(|member| coding.weights(member)).collect(),
        }
    }

    fn finish(&mut self, generation: Generation) {
        let Generation { number, members, kept, race } = generation;
        let games = race.map(|race| race.finish(&mut self.tournament));
        let evaluation = match (kept, games) {
            (Some(kept), games) => with_tables(self.setup.own.fitness, &kept, games),
            (None, games) => games.expect("a generation is evaluated by games or by tables"),
        };
        let Evaluation { fitness, games_asked, games_played } = evaluation;
        let last = Evaluated { generation: number, members, fitness, games_asked, games_played };
        let leader = self.leader_of(&last);
        self.tournament.enter_hall(number, &leader.candidate);
        self.last = Some(last);
    }

    /// The chromosome that the run would name its champion if it ended there without final games: the
    /// mean that the other offspring were bred from, or the mean of those selected, if the settings ask for a
    /// mean, since it owes less to luck than the member that one generation's games call the best.
    fn leader_of(&self, last: &Evaluated) -> Leader {
        let own = &self.setup.own;
        if own.reports_mean() {
            let before = self.tournament.hall().last();
            let candidate = match before.filter(|it| it.generation == last.generation) {
                Some(this) => this.chromosome.clone(),
                None => mean_of_selected(&self.setup, last, before.map(|it| &it.chromosome)),
            };
            return Leader { candidate, fitness: None };
        }
        let (candidate, fitness) = match own.place_of_mean(last.generation, last.members.len()) {
            Some(mean) => (&last.members[mean], last.fitness[mean]),
            None => last.best(),
        };
        Leader { candidate: candidate.clone(), fitness: Some(fitness) }
    }
}

/// Members of the last generation that are finalists: as many as the elite, within bounds.
const FINALISTS: std::ops::RangeInclusive<usize> = 2..=8;

impl Optimiser for Genetic {
    fn ask(&mut self) -> Ask {
        let mut generation = match self.under_way.take() {
            Some(generation) => generation,
            None => self.begun(),
        };
        match self.next(&mut generation) {
            Some(ask) => {
                self.under_way = Some(generation);
                ask
            }
            None => {
                self.finish(generation);
                Ask::Done
            }
        }
    }

    fn tell(&mut self, answer: Answer) {
        let Some(generation) = &mut self.under_way else { return };
        match answer {
            Answer::Games(outcomes) => {
                if let Some(race) = &mut generation.race {
                    race.tell(&outcomes);
                }
            }
            Answer::Positions(losses) => {
                generation.kept = Some(Kept::new(&generation.members, &losses));
            }
            // It has features.
            Answer::Layer(_) => {}
        }
    }

    fn abandon(&mut self) {
        self.under_way = None;
    }

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn leader(&self) -> Option<Leader> {
        self.last.as_ref().map(|last| self.leader_of(last))
    }

    /// The fittest, and the mean of the later half of the hall of fame where that is meaningful: champions
    /// that are means wander around one place, and their mean is nearer to it than most.
    fn finalists(&self) -> Vec<Proposal> {
        let Some(last) = &self.last else { return Vec::new() };
        let fittest = self.setup.own.elite_size().clamp(*FINALISTS.start(), *FINALISTS.end());
        let member = |&index: &usize| Proposal {
            what: "member",
            candidate: last.members[index].clone(),
            fitness: Some(last.fitness[index]),
        };
        let mut finalists: Vec<Proposal> =
            ranking(&last.fitness).iter().take(fittest).map(member).collect();
        let late = &self.past()[self.past().len() / 2..];
        let late: Vec<Chromosome> = late.iter().map(|it| it.chromosome.clone()).collect();
        let own = &self.setup.own;
        if (own.crossover == Crossover::Pool || own.reports_mean()) && !late.is_empty() {
            let candidate = mean_of_all(&self.setup, &late);
            finalists.push(Proposal { what: "mean of late champions", candidate, fitness: None });
        }
        finalists
    }

    fn past(&self) -> &[Champion] {
        self.tournament.hall()
    }

    fn forget_games(&mut self) {
        self.tournament.forget_games();
    }

    fn save(&self) -> Option<Saved> {
        let memory = Memory::Pairings(self.tournament.remembered());
        Some(Saved { last: SavedStep::of(self.last.as_ref()?), memory })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Games, LocalGames};

    fn step(genetic: &mut Genetic) {
        while let Ask::Games(batch) = genetic.ask() {
            genetic.tell(Answer::Games(LocalGames::new().outcomes(&batch, &()).unwrap()));
        }
    }

    #[test]
    fn a_champion_is_the_mean_of_the_selected_and_of_the_champion_before() {
        let setup = testing::setup(&[
            ("population", "6"),
            ("fitness_set", "3"),
            ("selection", "truncation:2"),
            ("encoding", "integer:11"),
            ("signs", "literal"),
            ("mutation_rate", "0.1"),
            ("depth", "1"),
            ("champion", "mean"),
            ("inertia", "0.75"),
        ]);
        let coding = setup.coding();
        let mut genetic = Genetic::new(setup);
        let mut before: Option<Vec<i64>> = None;
        for generation in 1..=4 {
            step(&mut genetic);
            let leader = genetic.leader().unwrap();
            assert_eq!(leader.fitness, None);
            let last = genetic.last().unwrap();
            let selected = ranking(&last.fitness)[..2].to_vec();
            let genes = |index: &usize| coding.decode(&last.members[*index]);
            let [one, other] = [genes(&selected[0]), genes(&selected[1])];
            let champion = coding.decode(&leader.candidate);
            for gene in 0..champion.len() {
                let mean = (one[gene] + other[gene]) as f64 / 2.0;
                let drawn = before.as_ref().map_or(mean, |it| 0.75 * it[gene] as f64 + 0.25 * mean);
                assert!((champion[gene] as f64 - drawn).abs() <= 0.5, "generation {generation}");
            }
            let kept = genetic.past().last().unwrap();
            assert_eq!((kept.generation, &kept.chromosome), (generation, &leader.candidate));
            before = Some(champion);
        }
    }
}
