//! Strength tests against reference opponents, which are the same in all runs of a game. Training does not use them.

use std::sync::Arc;

use arena::player::{Minimax, PlayableGame};
use arena::{Batch, BatchPlayer, PairScore, Pentanomial, Sample, Sampling, Suite};
use mancala::endgame::Tables;
use mancala::eval::{Strength, Weights};
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, with_game, with_type};
use mancala::progress::{Progress, Silent};
use mancala::search::{Limits, MAX_DEPTH, Options};
use serde::{Serialize, Serializer};

use crate::games::{GameRunner, pairs};
use crate::optimise::WorkError;
use crate::run::settings::Settings;

/// A version of the panel (the reference opponents). With the second one, champions must also pass gating matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Panel {
    /// The reference opponents in versions 0.1 and 0.2. Strong evaluators beat them in nearly all games.
    #[default]
    First,
    /// Opponents whose strengths range from low to high.
    Second,
}

mancala::option_words!(Panel, "1 or 2", { First: "1", Second: "2" });

impl Panel {
    /// Returns the names of the opponents' weights and their search limits, in the order that measurements use.
    pub fn opponents(self, game: AnyGame) -> Vec<(&'static str, Limits)> {
        with_type!(game.kind(), G => match self {
            Panel::First => G::PANEL.map(|(name, depth)| (name, Limits::depth(depth))).into(),
            Panel::Second => G::PANEL_2.into(),
        })
    }

    pub fn names(self, game: AnyGame) -> Vec<String> {
        self.opponents(game).into_iter().map(|(weights, limits)| player(weights, limits)).collect()
    }

    /// Returns the version of the panel that these results are from. We recognise it by the first opponent.
    pub fn of(against: &[Strength]) -> Panel {
        let is_first = |first: &Strength| {
            let games = [AnyGame::default(), AnyGame::Kalah(Kalah::default())];
            games.iter().any(|&game| Panel::Second.names(game)[0] == first.opponent)
        };
        if against.first().is_some_and(is_first) { Panel::Second } else { Panel::First }
    }
}

/// Returns the results against the panel, which come first among all results of a champion.
pub fn against_panel(against: &[Strength]) -> &[Strength] {
    let is_other =
        |it: &Strength| it.opponent.contains(" at ") || it.opponent.starts_with(PAST_CHAMPION);
    &against[..against.iter().position(is_other).unwrap_or(against.len())]
}

fn player(weights: &str, limits: Limits) -> String {
    format!("minimax:weights={weights},{}", limits.to_string().replace(' ', "="))
}

/// The openings for measurements. On small boards, every game may end in fewer plies than these openings have.
const SUITE: Suite = Suite::Plies(4);
/// The seed for sampling openings. It's the same in every run, and the default of `ayo match --games`.
const SAMPLE_SEED: u64 = 1;

/// Returns a fixed sample of the openings, or all of them if there are fewer.
fn sample_openings(game: AnyGame, count: u32) -> Vec<String> {
    with_game!(game, game => {
        let openings = SUITE.sample(game, count as usize, SAMPLE_SEED).expect("openings");
        openings.iter().map(ToString::to_string).collect()
    })
}

/// Returns the number of openings available for measurements, or 0 if every game ends too early.
pub fn measured_openings(game: AnyGame) -> u32 {
    with_game!(game, game => SUITE.openings(game).map_or(0, |it| it.len()) as u32)
}

/// Returns the name of a set of `count` openings that are sampled from a total of `all` openings.
pub fn openings_name(count: u64, all: u32) -> String {
    if count >= all.into() { SUITE.to_string() } else { format!("{count} of {SUITE}") }
}

const PAST_CHAMPION: &str = "champion of generation ";

/// Returns the opponent name of the champion of an earlier generation.
pub fn past_champion(generation: u32) -> String {
    format!("{PAST_CHAMPION}{generation}")
}

/// Returns the generation in the name of an opponent, if the opponent is a past champion.
pub fn past_generation(name: &str) -> Option<u32> {
    name.strip_prefix(PAST_CHAMPION)?.parse().ok()
}

/// Returns the generation of a champion, or 0 if it is unknown.
pub fn generation_of(champion: &Weights) -> u32 {
    champion.provenance.as_ref().map_or(0, |it| it.generation)
}

/// The search limits that a measurement uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeasuredAt {
    /// The measured evaluator uses the search limits of the run, and the panel uses its own.
    #[default]
    Depth,
    /// In additional games, both sides search one ply deeper or have the same node limit.
    Budgets,
}

mancala::option_words!(MeasuredAt, "depth or budgets", { Depth: "depth", Budgets: "budgets" });

/// The number of nodes per move for both sides. A seven-ply search needs about as many nodes.
const NODES: u64 = 1000;

impl Settings {
    /// Returns the names of all opponents in a measurement. The panel comes first. It is followed by the last member of
    /// the panel, once for each search limit of the additional games, and then by past champions.
    pub fn measured_opponents(&self, past: impl IntoIterator<Item = u32>) -> Vec<String> {
        let past = past.into_iter().map(past_champion);
        let (weights, budgets) = (self.last_of_panel(), self.budgets());
        let alike = budgets.iter().map(|&at| format!("{} at {at}", player(weights, at)));
        self.panel.names(self.game()).into_iter().chain(alike).chain(past).collect()
    }

    /// Returns the search limits of additional games. In these games, both sides have the same limits.
    fn budgets(&self) -> Vec<Limits> {
        if self.measure_at == MeasuredAt::Budgets { self.other_limits() } else { Vec::new() }
    }

    fn other_limits(&self) -> Vec<Limits> {
        let deeper = |depth: u32| Limits::depth((depth + 1).min(MAX_DEPTH));
        self.limits().depth.map(deeper).into_iter().chain([Limits::nodes(NODES)]).collect()
    }

    /// Returns the search limits of all gate tests. The limits of the run come first. They are followed by twice its
    /// node limit if it has one, and otherwise by one more ply and by a node limit.
    pub(super) fn gate_limits(&self) -> Vec<Limits> {
        let others = match self.limits() {
            Limits { depth: None, nodes: Some(nodes), .. } => vec![Limits::nodes(2 * nodes)],
            _ => self.other_limits(),
        };
        [self.limits()].into_iter().chain(others).collect()
    }

    fn last_of_panel(&self) -> &'static str {
        self.panel.opponents(self.game()).last().expect("a panel has opponents").0
    }

    fn options_of_panel(&self) -> Options {
        Options { perspective: self.perspective, ..Options::default() }
    }

    /// Returns the players in a measurement, along with pairings of the measured weights with each opponent.
    fn players(&self, own: &Weights, past: &[Weights]) -> (Vec<BatchPlayer>, Vec<[u32; 2]>) {
        let (at, options) = (self.limits(), self.options());
        let named = |name| Weights::named(name).expect("a named evaluator");
        let of_panel = |it: &Weights, limits| BatchPlayer::new(it, limits, self.options_of_panel());
        let panel = self.panel.opponents(self.game()).into_iter();
        let panel = panel.map(|(name, limits)| (at, of_panel(&named(name), limits)));
        let last = named(self.last_of_panel());
        let alike = self.budgets().into_iter().map(|limits| (limits, of_panel(&last, limits)));
        let past = past.iter().map(|it| (at, BatchPlayer::new(it, at, options)));
        let both = |(limits, opponent)| [BatchPlayer::new(own, limits, options), opponent];
        let players: Vec<_> = panel.chain(alike).chain(past).flat_map(both).collect();
        let pairings = (0..players.len() as u32).step_by(2).map(|own| [own, own + 1]).collect();
        (players, pairings)
    }

    /// Returns the games of a measurement: two for each opening and opponent.
    pub(super) fn measured_games(&self, weights: &Weights, past: &[Weights]) -> Batch {
        let (players, pairings) = self.players(weights, past);
        let openings = sample_openings(self.game(), self.measure_openings);
        pairs(self.game(), players, &pairings, openings)
    }

    /// Measures the strength of `weights` against all opponents and past champions. Progress is reported in games.
    ///
    /// # Panics
    /// If the weights are for a different game.
    pub fn measure(
        &self,
        weights: &Weights,
        past: &[Weights],
        runner: GameRunner,
    ) -> Result<Vec<Strength>, WorkError> {
        runner.progress.begin_stage("panel");
        let batch = self.measured_games(weights, past);
        let pairs = batch.openings.len();
        let scores = PairScore::of_pairs(&runner.play(&batch)?);
        let results = scores.chunks(pairs).map(|it| it.iter().copied().collect::<Pentanomial>());
        let names = self.measured_opponents(past.iter().map(generation_of));
        let all = measured_openings(self.game());
        Ok(names.iter().zip(results).map(|(name, it)| strength(name, it, all)).collect())
    }
}

fn strength(opponent: &str, pairs: Pentanomial, openings: u32) -> Strength {
    let estimate = pairs.estimate();
    let (name, games) = (openings_name(pairs.pairs(), openings), 2 * pairs.pairs());
    Strength::new(opponent, name, games, estimate.score, estimate.score_ci95)
}

/// The number of openings in a quick check, which takes a fraction of a second.
const QUICK_OPENINGS: u32 = 50;
const QUICK_DEPTH: u32 = 5;

/// Measures weights against the weakest reference opponent, for display.
pub fn quick_strength_check(
    settings: &Settings,
    weights: &Weights,
    runner: GameRunner,
) -> Result<Strength, WorkError> {
    let (game, options) = (settings.game(), settings.options());
    let limits = Limits::depth(settings.limits().depth.unwrap_or(QUICK_DEPTH).min(QUICK_DEPTH));
    let (name, _) = Panel::First.opponents(game)[0];
    let weakest = Weights::named(name).expect("a named evaluator");
    let players = vec![
        BatchPlayer::new(weights, limits, options),
        BatchPlayer::new(&weakest, limits, settings.options_of_panel()),
    ];
    let batch = pairs(game, players, &[[0, 1]], sample_openings(game, QUICK_OPENINGS));
    let scores = PairScore::of_pairs(&runner.play(&batch)?);
    Ok(strength(&player(name, limits), scores.into_iter().collect(), measured_openings(game)))
}

const TABLE_POSITIONS: usize = 500;
/// The seed for sampling positions. It's the same in every run.
const TABLE_SEED: u64 = 1;

/// The accuracy of a champion according to endgame tables.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TableAccuracy {
    /// The fraction of positions in which the champion chose a best move.
    pub optimal: f64,
    pub seeds_lost: f64,
    /// The [checksum](Tables::checksum) of the tables.
    #[serde(serialize_with = "hexadecimal")]
    pub tables: u32,
}

fn hexadecimal<S: Serializer>(checksum: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{checksum:08x}"))
}

#[derive(Debug, Clone)]
pub struct TableAccuracyTest {
    pub(super) tables: Arc<Tables>,
    /// The sampled positions. They are drawn during the first measurement.
    pub(super) sample: Option<Sample>,
}

impl TableAccuracyTest {
    /// Measures the accuracy of weights at the depth of the run.
    pub fn measure(
        &mut self,
        settings: &Settings,
        weights: &Weights,
        progress: &dyn Progress,
    ) -> Result<TableAccuracy, WorkError> {
        if self.sample.is_none() {
            let seeds = 1..=self.tables.max_seeds();
            let sampling = Sampling { seeds, positions: TABLE_POSITIONS, seed: TABLE_SEED };
            self.sample = Sample::draw(&self.tables, &sampling, &Silent(progress));
        }
        let sample = self.sample.as_ref().ok_or(WorkError::Stopped)?;
        progress.begin_stage("positions of tables");
        let player = Minimax::to_depth(weights, settings.depth, settings.options());
        let answers = sample.minimax_losses(&player, progress);
        let lost = answers.ok_or(WorkError::Stopped)?.lost;
        // If there are no positions, then the champion made no mistakes.
        let accuracy = sample.accuracy(&lost, &(0..=u8::MAX));
        let (optimal, seeds_lost) = accuracy.map_or((1.0, 0.0), |it| (it.optimal, it.seeds_lost));
        Ok(TableAccuracy { optimal, seeds_lost, tables: self.tables.checksum() })
    }
}

#[cfg(test)]
mod tests {
    use arena::player::{Minimax, PANEL_SIZE, Player, build_for};
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;

    use super::*;
    use crate::run::preset_of_game;
    use crate::testing::{changed, on_any_threads, runner};

    fn settings(changes: &str) -> Settings {
        changed("daoud2004", &format!("measure_every=1 panel=1 {changes}"))
    }

    fn check_panel<G: PlayableGame>(game: G, panel: Panel) {
        let preset = preset_of_game(&game.into());
        let changes = format!("panel={panel} measure_at=budgets depth=5");
        let settings = changed(preset, &changes);
        let weights = Weights::named(Panel::First.opponents(game.into())[0].0).unwrap();
        let (players, pairings) = settings.players(&weights, &[]);
        let names = settings.measured_opponents([]);
        assert_eq!(names.len(), panel.names(game.into()).len() + 2);
        assert_eq!(pairings.len(), names.len());
        for (name, [_, opponent]) in names.iter().zip(pairings) {
            let player = &players[opponent as usize];
            let BatchPlayer::Weights { weights, limits, options } = player else { panic!() };
            let player = Minimax::<G>::new(&weights.weights(), *limits, *options);
            let spec = name.split(" at ").next().unwrap();
            assert_eq!(build_for(spec, game).unwrap().identity(), player.identity());
        }
    }

    #[test]
    fn the_panel_plays_as_its_specifications_say() {
        for panel in [Panel::First, Panel::Second] {
            check_panel(Ayo::default(), panel);
            check_panel(Kalah::default(), panel);
        }
        let opponents = settings("measure_at=budgets").measured_opponents([7]);
        assert_eq!(opponents[4], "minimax:weights=aalina4,depth=6 at depth 6");
        assert_eq!(opponents[6], "champion of generation 7");
        assert!(Panel::Second.names(AnyGame::default())[6].contains("learned-0.2,nodes=3000"));
    }

    #[test]
    fn both_sides_are_given_the_same_at_other_budgets() {
        let weights = Weights::named("daoud2004-depth5").unwrap();
        let (players, pairings) = settings("measure_at=budgets depth=3").players(&weights, &[]);
        let limits = |place: u32| match &players[place as usize] {
            BatchPlayer::Weights { limits, .. } => *limits,
            other => panic!("{other:?}"),
        };
        assert!(pairings[..PANEL_SIZE].iter().all(|[own, _]| limits(*own) == Limits::depth(3)));
        let both = |[own, other]: [u32; 2]| [limits(own), limits(other)];
        assert_eq!(both(pairings[PANEL_SIZE]), [Limits::depth(4); 2]);
        let [own, other] = both(pairings[PANEL_SIZE + 1]);
        assert!(own == other && own.nodes == Some(NODES) && own.depth.is_none());
    }

    #[test]
    fn openings_are_counted_for_each_game() {
        let all = |game: &str| measured_openings(game.parse().unwrap());
        assert_eq!(["ayo", "kalah", "kalah:pits=1,seeds=1"].map(all), [1014, 942, 0]);
        let name = |count| openings_name(count, 942);
        assert_eq!([941, 942, 1014].map(name), ["941 of plies:4", "plies:4", "plies:4"]);
    }

    #[test]
    fn strength_is_the_same_on_any_number_of_threads() {
        let settings = settings("measure_at=budgets depth=2 measure_openings=6");
        let weights = Weights::named("daoud2004-depth3").unwrap();
        let past = [Weights::named("seeds").unwrap()];
        let measure = || settings.measure(&weights, &past, runner(&())).unwrap();
        let one = on_any_threads(measure);
        assert_eq!(one.len(), 7);
        assert_eq!(one[6].opponent, "champion of generation 0");
        for strength in &one {
            assert!(strength.is_possible() && strength.games == 12, "{strength:?}");
            assert_eq!(strength.openings, "6 of plies:4");
        }
    }

    #[test]
    fn a_quick_check_can_be_repeated() {
        let settings = changed("standard", "depth=1");
        let weights = Weights::named("aalina4").unwrap();
        let check = || quick_strength_check(&settings, &weights, runner(&())).unwrap();
        let found = check();
        assert_eq!(found, check());
        assert_eq!((found.opponent.as_str(), found.games), ("minimax:weights=seeds,depth=1", 100));
        assert!(found.score > 0.5 && found.is_possible(), "{found:?}");
    }
}
