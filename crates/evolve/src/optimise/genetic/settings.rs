//! Settings of the genetic algorithm.

use mancala::eval::{Feature, Signs, Weights};
use mancala::game::{AnyGame, with_game};
use mancala::search::MAX_DEPTH;

use super::openings::Openings;
use super::operators::{
    Cooling, Crossover, FitnessSource, Fixed, Mutation, Opponents, Reported, Scale, Selection,
    Share,
};
use super::tournament::{MAX_CHAMPIONS, MAX_RESULTS};
use super::{Genetic, reproduction};
use crate::optimise::{
    Chromosome, ChromosomeError, Coding, Digest, Encoding, Entry, LoadError, Method, Optimiser,
    OptimiserSettings, Preset, RecordedChampion, Saved, SettingRefusal, TableFitness, Task,
    entries, require, set, settings,
};

pub(crate) static METHOD: Method = Method {
    name: "genetic",
    settings: || Box::new(GeneticSettings::defaults()),
    presets: &[
        // All members of a generation play the same four random members and past champion, from the same new openings.
        Preset::new(
            "standard",
            "recommended genetic algorithm, one to two minutes on one core",
            None,
            "generations=128 population=25 fitness_set=4 hall_of_fame=1 openings=random:1+1/25,plies=5-12 \
             elite=2 selection=tournament:3 crossover=uniform crossover_rate=0.7 champion=mean inertia=0.6 \
             mutation=gaussian mutation_rate=1.0 step=0.3 step_floor=0.005 step_half=12 cooling=harmonic \
             encoding=integer:13 scale=2000 signs=literal perspective=mover quiescence=captures ties=hash \
             measure_every=16 measure_early=halves measure_openings=40 finalist_games=20000",
        ),
        Preset::new(
            "quick",
            "the recommended trainer at depth 3, a few seconds",
            Some("standard"),
            "generations=64 depth=3 measure_every=8 measure_openings=20 finalist_games=4000",
        ),
        // The recommended trainer of version 0.2. Members play against past champions and their mutants only.
        Preset::new(
            "evolution-strategy",
            "evolution strategy whose members do not play each other; two million games, about 20 minutes on one core",
            Some("standard"),
            "generations=800 fitness_set=0 sparring=2 sparring_step=0.25 elite=0 \
             selection=truncation:25% crossover=pool crossover_rate=0.5 champion=fittest \
             mutation=mirrored measure_at=budgets measure_every=200 measure_openings=100 \
             finalist_games=40000",
        ),
        // Weight tables that are indexed by the seeds in each pit. All genes start at zero, so shallow searches suffice
        // at first. The scale is free, because on a fixed scale, some weights would shrink when others grow.
        Preset::new(
            "pits",
            "181 weights for the number of seeds in each pit, several hours",
            Some("standard"),
            "generations=3000 population=40 founders=zero openings=random:4+1/500,plies=5-12 step=0.03 \
             step_floor=0.006 step_half=500 cooling=harmonic scale=free features=pits warm_up=200 \
             measure_every=375 measure_openings=30 finalist_games=40000",
        ),
        // The algorithm of Daoud, Kharma, Haidar and Popoola, "Ayo, the Awari Player" (CEC 2004). Its settings are the
        // defaults, except that the paper allows capturing a whole row.
        Preset::new("daoud2004", "the algorithm of Daoud et al. (2004)", None, "rules=wipe-out"),
        // The evolution strategy of Davis and Kendall, "An investigation, using co-evolution, to evolve an Awari
        // player" (CEC 2002), as described by Daoud et al. and Akinyemi: real weights for six features, and 250
        // generations at depth 7 in which every member plays every other. The rest is our choice: the better half of 20
        // members survives and has ten mutants, and the standard deviation of a step is a tenth of the largest weight.
        Preset::new(
            "davis-kendall2002",
            "the evolution strategy of Davis and Kendall (2002)",
            None,
            "generations=250 population=20 fitness_set=100% elite=50% selection=truncation:50% \
             crossover_rate=0 mutation=gaussian mutation_rate=1 step=0.1 step_floor=0.1 \
             encoding=integer:11 features=davis-kendall signs=literal depth=7",
        ),
        // Uses the heuristics of the Kalah report. The weights of both stores evolve, so we fix the weight of their
        // difference, `h1`. A side may move several times in a row, so we evaluate leaves for the root player.
        Preset::new(
            "kalah-standard",
            "the recommended trainer for kalah",
            Some("standard"),
            "generations=96 population=40 fitness_set=6 hall_of_fame=2 depth=4 step_floor=0.025 \
             step_half=20 cooling=halving openings=random:8,plies=5-12 game=kalah perspective=root \
             quiescence=off features=kansas fix=h1=0 measure_every=12",
        ),
        // Uses all features of Kalah except the lead. We fix `k9`, since `h2` to `h6` and `k9` add up to all seeds.
        Preset::new(
            "kalah-extended",
            "the recommended trainer for kalah, with more features",
            Some("kalah-standard"),
            "features=kalah fix=k9=0",
        ),
    ],
    has_move_cache: true,
    digest: Digest::Lines,
};

/// The fitness, according to endgame tables, of a member that never loses a seed.
pub(super) const PERFECT: u64 = 1_000_000;

const WARM_UP_DEPTH: u32 = 3;

settings! {
    /// Settings of the genetic algorithm. The defaults are from Daoud et al. (2004).
    pub(crate) GeneticSettings() {
        50 population: u32 = 50, whole(2..=10_000) [taken_over first] =
            "population size";
        60 founders: String = String::new(), text =
            "chromosomes to start the first population from; zero has all weights 0";
        70 fitness: FitnessSource = FitnessSource::Tournament, text [late] =
            "fitness source: tournament, tables or mix:P% of both";
        80 tables_positions: u32 = 200, whole(1..=100_000) [late] =
            "endgame table positions per member, drawn again each generation";
        90 tables_depth: u32 = 3, whole(1..=MAX_DEPTH.into()) [late] =
            "search depth in endgame table positions";
        100 fitness_set: Share = Share::Percent(20), number_or_text [first] =
            "opponents drawn from the population each generation, as a count or a percentage";
        110 hall_of_fame: u32 = 0, whole(0..=1000) =
            "opponents drawn from past champions each generation";
        120 sparring: u32 = 0, whole(0..=1000) =
            "opponents that are mutants of past champions, drawn again each generation";
        130 sparring_step: f64 = 0.15, share_of_scale =
            "mutation step of the sparring opponents, as a fraction of the scale";
        135 opponents: Opponents = Opponents::default(), text [late] =
            "other players that every member plays, separated by ;";
        140 openings: Openings = Openings::START, changed =
            "openings: start, random:N,plies=LOW-HIGH or N of FILE, drawn again each generation; N+1/G adds one every \
             G generations";
        150 rounds: u32 = 1, whole(1..=10) =
            "rounds per generation; the lower half is eliminated after each round but the last";
        160 elite: Share = Share::Percent(10), number_or_text [first] =
            "members copied unchanged, as a count or a percentage";
        170 selection: Selection = Selection::Proportional, text =
            "parent selection: proportional, rank, tournament:K or truncation:P%";
        180 crossover: Crossover = Crossover::OnePoint, text =
            "crossover operator: one-point, uniform or pool";
        190 crossover_rate: f64 = 0.5, probability [first] =
            "crossover probability per pair";
        200 inertia: f64 = 0.0, probability =
            "weight of the previous mean in the new mean, with crossover=pool or champion=mean";
        205 champion: Reported = Reported::Fittest, text [late] =
            "champion of a generation: the fittest member (fittest) or the mean of the selected members (mean); \
             always the mean with crossover=pool";
        210 mutation: Mutation = Mutation::Flip, text =
            "mutation operator: flip, gaussian or mirrored";
        220 mutation_rate: f64 = 0.001, probability [first] =
            "mutation probability per bit (flip) or gene";
        230 step: f64 = 0.1, share_of_scale =
            "initial mutation step, as a fraction of the scale";
        240 step_floor: f64 = 0.1, share_of_scale =
            "final mutation step, as a fraction of the scale";
        250 step_half: u32 = 1, whole(1..=1_000_000) =
            "generations until the step above step_floor has halved";
        251 cooling: Cooling = Cooling::Halving, text [late] =
            "step decay: halving (to a quarter after twice step_half) or harmonic (to a third after twice step_half)";
        260 restart_below: f64 = 0.0, probability =
            "if members differ on average in less than this fraction of bits, all but the elite are replaced";
        270 encoding: Encoding = "binary:4".parse().expect("an encoding"), text [taken_over first] =
            "how genes encode weights";
        280 scale: Scale = Scale::Free, number_or_text =
            "length of the weight vector, or free";
        300 fix: Fixed = Fixed::default(), text [taken_over] =
            "weights that are not evolved, in gene units, such as a9=15";
        350 pairing_memory: u32 = 100, whole(1..=1_000_000) [first] =
            "generations to cache the result of a pairing after its last use";
        355 warm_up: u32 = 0, whole(0..=1_000_000) [late] =
            "initial generations with a search depth of at most 3 plies";
    } {}
}

impl GeneticSettings {
    pub(super) fn fitness_set_size(&self) -> usize {
        self.fitness_set.of(self.population)
    }

    pub(super) fn elite_size(&self) -> usize {
        self.elite.of(self.population)
    }

    /// Returns how many games each member plays in a generation, given the number of past champions.
    fn games_of_member(&self, generation: u32, past_champions: u32) -> u64 {
        if self.fitness == FitnessSource::Tables {
            return 0;
        }
        let past_champions = past_champions.min(MAX_CHAMPIONS as u32);
        let others = self.hall_of_fame.min(past_champions) + self.sparring;
        let opponents = self.fitness_set_size() + others as usize + self.opponents.0.len();
        2 * self.openings.count(generation) as u64 * opponents as u64
    }

    /// Returns whether the champion is a mean that isn't a member. (With pool recombination, the mean is a member.)
    pub(super) fn reports_mean(&self) -> bool {
        self.champion == Reported::Mean && self.crossover != Crossover::Pool
    }

    /// Returns the index of the pool's unmutated mean, if it is among the members.
    pub(super) fn index_of_mean(&self, generation: u32, members: usize) -> Option<usize> {
        let index = self.elite_size();
        let has_offspring = generation > 1 && index < members;
        let is_pool = self.crossover == Crossover::Pool && self.restart_below == 0.0;
        (has_offspring && is_pool).then_some(index)
    }
}

impl OptimiserSettings for GeneticSettings {
    fn entries(&self) -> Vec<Entry> {
        entries(KEYS, self)
    }

    fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        set(KEYS, self, name, value)
    }

    fn complete(&mut self, task: &Task) -> Result<(), SettingRefusal> {
        let value = self.openings.to_string();
        let file = self.openings.read_file();
        file.map_err(|reason| SettingRefusal::new("openings", value, reason))?;
        let value = self.opponents.to_string();
        let identified = with_game!(task.game, game => self.opponents.identify(game));
        identified.map_err(|reason| SettingRefusal::new("opponents", value, reason))
    }

    fn check(&self, task: &Task) -> Result<(), SettingRefusal> {
        Setup::new(task.clone(), self.clone()).check()
    }

    fn coding(&self, task: &Task) -> Coding {
        Setup::new(task.clone(), self.clone()).coding()
    }

    fn candidates(&self) -> u32 {
        self.population
    }

    fn games_of_step(&self, generation: u32) -> u64 {
        u64::from(self.population) * self.games_of_member(generation, u32::MAX)
    }

    fn cached_results(&self, generations: u32) -> u64 {
        let cached = u64::from(generations.min(self.pairing_memory)) * self.games_of_step(1);
        if self.openings == Openings::START { cached.min(MAX_RESULTS as u64) } else { 0 }
    }

    fn best_possible_fitness(&self, generation: u32, migrants: u32) -> u64 {
        match self.fitness {
            // A win is worth two points. There is one past champion for each generation and each migrant.
            FitnessSource::Tournament => {
                2 * self.games_of_member(generation, generation.saturating_sub(1) + migrants)
            }
            FitnessSource::Tables => PERFECT,
            // Each other member that is worse both in games and in tables adds 200 points.
            FitnessSource::Mix(_) => 200 * (u64::from(self.population) - 1),
        }
    }

    fn migrant_places(&self) -> Result<u32, &'static str> {
        // The elite and the unmutated mean of a pool must survive.
        let kept = self.elite_size() as u32 + u32::from(self.crossover == Crossover::Pool);
        Ok(self.population.saturating_sub(kept))
    }

    fn table_fitness(&self) -> Option<TableFitness> {
        let (fitness, positions) = (self.fitness.to_string(), self.tables_positions);
        (self.fitness != FitnessSource::Tournament).then_some(TableFitness { fitness, positions })
    }

    fn recorded(&self, generation: u32) -> RecordedChampion {
        let mean = self.index_of_mean(generation, self.population as usize);
        if self.reports_mean() || mean.is_some() {
            RecordedChampion::FittestOnly
        } else {
            RecordedChampion::FittestIsChampion
        }
    }

    fn founder(&self, task: &Task, weights: &Weights) -> Option<(Chromosome, Vec<Feature>)> {
        reproduction::founder(&Setup::new(task.clone(), self.clone()), weights)
    }

    fn start(&self, task: Task, saved: Option<Saved>) -> Result<Box<dyn Optimiser>, LoadError> {
        Ok(Box::new(Genetic::start(Setup::new(task, self.clone()), saved)?))
    }

    fn boxed(&self) -> Box<dyn OptimiserSettings> {
        Box::new(self.clone())
    }
}

/// The task and the settings that together determine a run.
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    pub(super) task: Task,
    pub(super) own: GeneticSettings,
}

impl Setup {
    pub(crate) fn new(task: Task, own: GeneticSettings) -> Setup {
        Setup { task, own }
    }

    pub(super) fn depth_of(&self, generation: u32) -> u32 {
        let depth = self.task.depth;
        if generation <= self.own.warm_up { depth.min(WARM_UP_DEPTH) } else { depth }
    }

    /// Returns whether searches are deeper than in the previous generation. If so, cached results are no longer valid.
    pub(super) fn deepens_at(&self, generation: u32) -> bool {
        generation > 1 && self.depth_of(generation) != self.depth_of(generation - 1)
    }

    /// Parses the chromosomes to start from, which are separated by commas in the setting.
    pub(super) fn founders(&self) -> Result<Vec<Chromosome>, ChromosomeError> {
        let bits = self.chromosome_bits();
        let zero = || vec![0; self.free_features().count()];
        let read = |text: &str| match text {
            "zero" => {
                let encoded = self.own.encoding.encode(&zero());
                Ok(encoded.expect("all encodings contain 0"))
            }
            hex => Chromosome::from_hex(hex, bits),
        };
        self.own.founders.split(',').filter(|it| !it.is_empty()).map(read).collect()
    }

    /// Returns the features whose weights evolve. Each of these features has a gene.
    pub(super) fn free_features(&self) -> impl Iterator<Item = Feature> {
        let features = self.task.features.features().iter().copied();
        features.filter(|feature| self.own.fix.weight_of(*feature).is_none())
    }

    pub(super) fn coding(&self) -> Coding {
        let features = self.task.features.features().iter();
        let fixed = features.map(|feature| self.own.fix.weight_of(*feature)).collect();
        Coding::new(&self.task, self.own.encoding, fixed)
    }

    pub(super) fn chromosome_bits(&self) -> usize {
        self.free_features().count() * self.own.encoding.bits()
    }

    /// Returns the length of the evolved weights if the `scale` of all weights is fixed, or `None` if it's free.
    pub(super) fn length_of_genes(&self) -> Option<f64> {
        let Scale::Length(length) = self.own.scale else { return None };
        let fixed = self.own.fix.0.iter();
        let fixed: f64 = fixed.map(|(_, weight)| (weight * weight) as f64).sum();
        Some((f64::from(length) * f64::from(length) - fixed).max(0.0).sqrt())
    }

    /// Returns the standard deviation of mutation steps in the offspring of a generation.
    pub(super) fn step_after(&self, generation: u32) -> f64 {
        let own = &self.own;
        let halves = f64::from(generation) / f64::from(own.step_half);
        let left = match own.cooling {
            Cooling::Halving => libm::exp2(-halves),
            Cooling::Harmonic => 1.0 / (1.0 + halves),
        };
        let share = own.step_floor + (own.step - own.step_floor) * left;
        share * self.unit()
    }

    /// Returns the unit of step sizes. It's the scale or, if the scale is free, the maximum of a gene plus 1.
    pub(super) fn unit(&self) -> f64 {
        match self.own.scale {
            Scale::Length(length) => f64::from(length),
            Scale::Free => (self.own.encoding.range().end() + 1) as f64,
        }
    }

    fn check(&self) -> Result<(), SettingRefusal> {
        self.check_games()?;
        self.check_opponents()?;
        self.check_selection()?;
        self.check_genes()?;
        self.check_founders()
    }

    fn check_games(&self) -> Result<(), SettingRefusal> {
        let Setup { task, own } = self;
        with_game!(task.game, game => own.openings.check(game))?;
        if task.game.name() == AnyGame::default().name() {
            return Ok(());
        }
        // Use a constant seed because the outcome of the check must not depend on the run's seed.
        let drawn = own.openings.draw(task.game, 1, 1).len();
        let reason = format!("no {} game can start from these openings", task.game);
        require(drawn > 0, "openings", &own.openings, reason)?;
        let reason = format!("supported only for ayo, but game is {}", task.game);
        require(own.fitness == FitnessSource::Tournament, "fitness", own.fitness, reason)
    }

    /// Checks that every member has opponents, even before there are past champions.
    fn check_opponents(&self) -> Result<(), SettingRefusal> {
        let own = &self.own;
        let reason = "each player must be followed by # and its fingerprint";
        let are_identified = own.opponents.0.iter().all(|it| !it.fingerprint.is_empty());
        require(are_identified, "opponents", &own.opponents, reason)?;
        let (population, size) = (own.population, own.fitness_set_size());
        let champions = if self.task.is_branch { own.hall_of_fame } else { 0 };
        let others = own.sparring + champions + own.opponents.0.len() as u32;
        let least = usize::from(own.fitness != FitnessSource::Tables && others == 0);
        let comes_to = match own.fitness_set {
            Share::Count(_) => String::new(),
            Share::Percent(_) => format!("{size} of {population} members; "),
        };
        let why = match own.hall_of_fame {
            0 => "",
            _ => ", because without sparring partners generation 1 has no other opponents",
        };
        let reason = format!("{comes_to}it must select {least} to {population} members{why}");
        let is_possible = (least..=population as usize).contains(&size);
        require(is_possible, "fitness_set", own.fitness_set, reason)
    }

    fn check_selection(&self) -> Result<(), SettingRefusal> {
        let GeneticSettings { population, selection, elite, .. } = self.own;
        let all = population as usize;
        let reason = format!("the population is only {population}");
        require(elite.of(population) <= all, "elite", elite, reason)?;
        let Selection::Truncation(share) = selection else { return Ok(()) };
        let reason = format!("it must select 1 to {population} members");
        require((1..=all).contains(&share.of(population)), "selection", selection, reason)
    }

    fn check_genes(&self) -> Result<(), SettingRefusal> {
        let (features, fix, encoding) = (&self.task.features, &self.own.fix, self.own.encoding);
        let refuse = |reason: String| Err(SettingRefusal::new("fix", fix, reason));
        let is_unknown = |(it, _): &&(Feature, i64)| !features.features().contains(it);
        if let Some((feature, _)) = fix.0.iter().find(is_unknown) {
            return refuse(format!("{} is not among the features {features}", feature.name()));
        }
        let range = encoding.range();
        if let Some((feature, weight)) = fix.0.iter().find(|(_, w)| !range.contains(w)) {
            let (name, low, high) = (feature.name(), range.start(), range.end());
            let signs = match self.task.signs {
                Signs::Signed => "; with signs = signed, the feature determines the sign",
                Signs::Literal => "",
            };
            return refuse(format!(
                "{name} is {weight}, but encoding {encoding} allows {low} to {high}{signs}"
            ));
        }
        if self.free_features().next().is_none() {
            return refuse("all features are fixed".into());
        }
        if self.length_of_genes() == Some(0.0) {
            let scale = self.own.scale;
            return refuse(format!("the fixed weights already use the whole scale of {scale}"));
        }
        let (step, step_floor) = (self.own.step, self.own.step_floor);
        let reason = format!("it must not exceed step, which is {step:?}");
        require(step_floor <= step, "step_floor", step_floor, reason)
    }

    fn check_founders(&self) -> Result<(), SettingRefusal> {
        let GeneticSettings { founders, population, .. } = &self.own;
        let read = self.founders();
        let read = read.map_err(|it| SettingRefusal::new("founders", founders, it.to_string()))?;
        let reason = format!("the population is only {population}");
        require(read.len() <= *population as usize, "founders", founders, reason)
    }
}
