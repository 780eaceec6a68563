//! Measures strength against opponents that training never meets.
//!
//! Fitness is relative to a population that changes, so it says nothing of strength. The yardstick is
//! the same for every run of a game and every generation: known opponents, and openings that no training
//! begins from.
//!
//! Architecture invariant: nothing that training does depends on a measurement.

mod glimpse;

pub use self::glimpse::glimpse;

use arena::player::{PANEL_SIZE, PlayableGame};
use arena::{
    Batch, Contender, Games, Meeting, Openings, OpeningsError, PairScore, Pentanomial, Suite,
};
use mancala::eval::{Strength, Weights};
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Notated, with_game};
use mancala::progress::Progress;
use mancala::search::{Limits, MAX_DEPTH, Options};

/// A version of the panel: the opponents outside the run that strength is measured against. Version 2 also has
/// gates for champions.
///
/// ```
/// use evolve::run::Panel;
/// use mancala::game::AnyGame;
/// let [first, second] = [Panel::First, Panel::Second].map(|it| it.names(AnyGame::default()));
/// assert_eq!((first.len(), second.len()), (4, 7));
/// assert_eq!(second[6], "minimax:weights=learned-0.2,nodes=3000");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Panel {
    /// That of versions 0.1 and 0.2, whose opponents strong evaluators nearly always beat.
    #[default]
    First,
    /// Opponents of graded strength.
    Second,
}

mancala::option_words!(Panel, "1 or 2", { First: "1", Second: "2" });

impl Panel {
    /// All versions.
    pub const ALL: [Panel; 2] = [Panel::First, Panel::Second];

    /// The opponents as weights and limits of their search, in the order of every measurement.
    pub fn opponents(self, game: AnyGame) -> Vec<(&'static str, Limits)> {
        fn of<G: PlayableGame>(_: G, panel: Panel) -> Vec<(&'static str, Limits)> {
            match panel {
                Panel::First => G::PANEL.map(|(name, depth)| (name, Limits::depth(depth))).into(),
                Panel::Second => G::PANEL_2.into(),
            }
        }
        with_game!(game, game => of(game, self))
    }

    /// The opponents as player specifications.
    pub fn names(self, game: AnyGame) -> Vec<String> {
        self.opponents(game).into_iter().map(|(weights, limits)| player(weights, limits)).collect()
    }

    /// The version whose opponents these results begin with.
    pub fn of(against: &[Strength]) -> Panel {
        let is_first = |first: &Strength| {
            let games = [AnyGame::default(), AnyGame::Kalah(Kalah::default())];
            games.iter().any(|&game| Panel::Second.names(game)[0] == first.opponent)
        };
        if against.first().is_some_and(is_first) { Panel::Second } else { Panel::First }
    }

    /// How many of these results are those against the panel. They come first.
    fn size(self, against: &[Strength]) -> usize {
        let is_other =
            |it: &Strength| it.opponent.contains(" at ") || it.opponent.starts_with(ANCESTOR);
        match self {
            Panel::First => PANEL_SIZE.min(against.len()),
            Panel::Second => against.iter().position(is_other).unwrap_or(against.len()),
        }
    }
}

/// The results against the panel, out of all results of a champion.
pub fn against_panel(against: &[Strength]) -> &[Strength] {
    &against[..Panel::of(against).size(against)]
}

/// A minimax player as its specification.
fn player(weights: &str, limits: Limits) -> String {
    format!("minimax:weights={weights},{}", limits.to_string().replace(' ', "="))
}

/// What measurements begin from.
const SUITE: &str = "plies:4";
/// Which openings a smaller measurement takes: those of `ayo match --games` with its default seed,
/// whatever the run, so that runs can be compared and measurements repeated.
const SAMPLE_SEED: u64 = 1;

/// What a measurement can begin from: nothing where every game is over before.
fn suite<G: Notated>(game: G) -> Result<Openings<G::Position>, OpeningsError> {
    SUITE.parse::<Suite>().expect("a suite").openings(game)
}

/// The openings that measurements are taken from.
///
/// ```
/// use evolve::run::MeasuredOpenings;
/// use mancala::game::AnyGame;
/// let openings = MeasuredOpenings::of(AnyGame::default());
/// assert_eq!((openings.all(), openings.name(100)), (1014, "100 of plies:4".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeasuredOpenings {
    all: u32,
}

impl MeasuredOpenings {
    /// Those of a game.
    pub fn of(game: AnyGame) -> Self {
        let all = with_game!(game, game => suite(game).map_or(0, |it| it.positions().len()));
        MeasuredOpenings { all: all as u32 }
    }

    /// How many there are; none where every game is over before.
    pub fn all(self) -> u32 {
        self.all
    }

    /// What so many of them are called.
    pub fn name(self, count: u64) -> String {
        if count >= self.all.into() { SUITE.into() } else { format!("{count} of {SUITE}") }
    }
}

/// A champion of a run's past.
#[derive(Debug, Clone, PartialEq)]
pub struct Ancestor {
    /// The generation that it was the best of.
    pub generation: u32,
    /// What it plays with.
    pub weights: Weights,
}

const ANCESTOR: &str = "champion of generation ";

impl Ancestor {
    /// What it is called as an opponent.
    pub fn name(generation: u32) -> String {
        format!("{ANCESTOR}{generation}")
    }

    /// The generation that an opponent of this name was the best of, if it is the name of an ancestor.
    pub fn generation(name: &str) -> Option<u32> {
        name.strip_prefix(ANCESTOR)?.parse().ok()
    }
}

/// What measured weights and their opponents are given to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MeasuredAt {
    /// The depth of the run, and each opponent of the panel its own.
    #[default]
    Depth,
    /// That, and beside it the same to both: a ply more, and a number of nodes. Weights that win only where
    /// they were bred are found out by it.
    Budgets,
}

mancala::option_words!(MeasuredAt, "depth or budgets", { Depth: "depth", Budgets: "budgets" });

/// Positions that both sides may enter for a move in a measurement by nodes: about what seven plies take.
const NODES: u64 = 1000;

/// How a run is measured: what is played, and what a search is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conditions {
    /// The game and its rules.
    pub game: AnyGame,
    /// What a move of measured weights may be searched.
    pub limits: Limits,
    /// How their search values leaves and chooses among equals.
    pub options: Options,
    /// What else they are given.
    pub at: MeasuredAt,
    /// The opponents outside the run.
    pub panel: Panel,
}

impl Conditions {
    /// The opponents: the panel, then the last of it with as much to search as the measured weights have,
    /// then the ancestors of these generations.
    ///
    /// ```
    /// use evolve::run::{Conditions, MeasuredAt, Panel};
    /// use mancala::{game::AnyGame, search::{Limits, Options}};
    /// let (game, limits, options) = (AnyGame::default(), Limits::depth(5), Options::default());
    /// let (at, panel) = (MeasuredAt::Budgets, Panel::First);
    /// let conditions = Conditions { game, limits, options, at, panel };
    /// let opponents = conditions.opponents([7]);
    /// assert_eq!(opponents[4], "minimax:weights=aalina4,depth=6 at depth 6");
    /// assert_eq!(opponents[6], "champion of generation 7");
    /// ```
    pub fn opponents(&self, ancestors: impl IntoIterator<Item = u32>) -> Vec<String> {
        let past = ancestors.into_iter().map(Ancestor::name);
        let (weights, budgets) = (self.last_of_panel(), self.budgets());
        let alike =
            budgets.iter().map(|&limits| format!("{} at {limits}", player(weights, limits)));
        self.panel.names(self.game).into_iter().chain(alike).chain(past).collect()
    }

    /// What both sides are given beside the depths of the panel.
    fn budgets(&self) -> Vec<Limits> {
        match self.at {
            MeasuredAt::Depth => Vec::new(),
            MeasuredAt::Budgets => {
                let deeper = |depth: u32| Limits::depth((depth + 1).min(MAX_DEPTH));
                self.limits.depth.map(deeper).into_iter().chain([Limits::nodes(NODES)]).collect()
            }
        }
    }

    /// The search limits of both sides in the tests of a gate: those of the run, then one ply deeper and a number of
    /// nodes, or twice the nodes in a run with a node limit.
    pub(super) fn gates(&self) -> Vec<Limits> {
        let others = match (self.limits.depth, self.limits.nodes) {
            (Some(depth), _) => {
                vec![Limits::depth((depth + 1).min(MAX_DEPTH)), Limits::nodes(NODES)]
            }
            (None, nodes) => vec![Limits::nodes(2 * nodes.unwrap_or(NODES))],
        };
        [self.limits].into_iter().chain(others).collect()
    }

    fn last_of_panel(&self) -> &'static str {
        self.panel.opponents(self.game).last().expect("a panel has opponents").0
    }

    /// The options of the panel. In a run that values leaves at the root it does so too, as it did when
    /// all runs were such.
    fn of_panel(&self) -> Options {
        Options { perspective: self.options.perspective, ..Options::default() }
    }

    /// The players that weights are measured as, and each opponent with the number of the player that it
    /// meets.
    fn players(&self, weights: &Weights, past: &[Ancestor]) -> (Vec<Contender>, Vec<[u32; 2]>) {
        let own = self.limits;
        let past = past.iter().map(|it| (own, Contender::new(&it.weights, own, self.options)));
        let known = self.evaluators();
        let (mut players, mut pairings) = (Vec::new(), Vec::new());
        for (limits, opponent) in known.into_iter().chain(past) {
            let measured = Contender::new(weights, limits, self.options);
            let place = players.iter().position(|player| *player == measured);
            let place = place.unwrap_or_else(|| {
                players.push(measured);
                players.len() - 1
            });
            pairings.push([place as u32, players.len() as u32]);
            players.push(opponent);
        }
        (players, pairings)
    }

    /// The panel and the last of it at other budgets, with what the measured weights may search against each.
    fn evaluators(&self) -> Vec<(Limits, Contender)> {
        let named = |name| Weights::named(name).expect("a named evaluator");
        let of_panel = |weights: &Weights, limits| Contender::new(weights, limits, self.of_panel());
        let panel = self.panel.opponents(self.game).into_iter();
        let panel = panel.map(|(name, limits)| (self.limits, of_panel(&named(name), limits)));
        let last = named(self.last_of_panel());
        let alike = self.budgets().into_iter().map(|limits| (limits, of_panel(&last, limits)));
        panel.chain(alike).collect()
    }
}

/// Measures the strength of weights.
#[derive(Debug, Clone)]
pub struct Yardstick {
    conditions: Conditions,
    openings: u32,
}

impl Yardstick {
    /// Measurements under these conditions, from a fixed sample of so many openings: all, if there are no
    /// more.
    pub fn new(conditions: Conditions, openings: u32) -> Self {
        Yardstick { conditions, openings }
    }

    /// The games of a measurement: from every opening two against each opponent.
    pub(super) fn batch(&self, weights: &Weights, ancestors: &[Ancestor]) -> Batch {
        let conditions = &self.conditions;
        let openings = with_game!(conditions.game, game => {
            suite(game).expect("openings").sample(self.openings as usize, SAMPLE_SEED).notation()
        });
        let (players, pairings) = conditions.players(weights, ancestors);
        let meetings = Meeting::all(&pairings, openings.len() as u32);
        Batch::new(conditions.game, players, openings, meetings).expect("weights of the game")
    }

    /// What `weights` score against each opponent of the conditions and each ancestor, in this order. `None`
    /// if the progress stopped it, which counts games.
    ///
    /// # Panics
    /// If every game is over before measurements begin, or the weights are of another game.
    pub fn measure(
        &self,
        weights: &Weights,
        ancestors: &[Ancestor],
        games: &dyn Games,
        progress: &dyn Progress,
    ) -> Option<Vec<Strength>> {
        let conditions = &self.conditions;
        let batch = self.batch(weights, ancestors);
        let pairs = batch.openings().len();
        let scores = PairScore::of_pairs(&games.outcomes(&batch, progress)?);
        let results = scores.chunks(pairs).map(|it| it.iter().copied().collect::<Pentanomial>());
        let names = conditions.opponents(ancestors.iter().map(|it| it.generation));
        let played = MeasuredOpenings::of(conditions.game);
        Some(names.iter().zip(results).map(|(name, it)| strength(name, it, played)).collect())
    }
}

fn strength(opponent: &str, pairs: Pentanomial, openings: MeasuredOpenings) -> Strength {
    let estimate = pairs.estimate();
    let (name, games) = (openings.name(pairs.pairs()), 2 * pairs.pairs());
    Strength::new(opponent, name, games, estimate.score, estimate.score_ci95)
}

#[cfg(test)]
mod tests {
    use arena::LocalGames;
    use arena::player::{Minimax, Player, build_for};
    use mancala::game::{ayo::Ayo, kalah::Kalah};

    use super::*;

    fn conditions(at: MeasuredAt, depth: u32) -> Conditions {
        let (game, options, limits) =
            (AnyGame::default(), Options::default(), Limits::depth(depth));
        Conditions { game, limits, options, at, panel: Panel::First }
    }

    fn check_panel<G: PlayableGame>(game: G, panel: Panel) {
        let (at, options) = (MeasuredAt::Budgets, Options::of(game.kind()));
        let conditions = Conditions { options, panel, game: game.into(), ..conditions(at, 5) };
        let weights = Weights::named(Panel::First.opponents(game.into())[0].0).unwrap();
        let (players, pairings) = conditions.players(&weights, &[]);
        let names = conditions.opponents([]);
        assert_eq!(names.len(), panel.names(game.into()).len() + 2);
        assert_eq!(pairings.len(), names.len());
        for (name, [_, opponent]) in names.iter().zip(pairings) {
            let contender = &players[opponent as usize];
            let Contender::Weights { weights, limits, options } = contender else {
                panic!("{contender:?}")
            };
            let player = Minimax::<G>::new(&weights.weights(), *limits, *options);
            let spec = name.split(" at ").next().unwrap();
            assert_eq!(build_for(spec, game).unwrap().identity(), player.identity());
        }
    }

    #[test]
    fn the_panel_is_what_its_specifications_say() {
        for panel in Panel::ALL {
            check_panel(Ayo::default(), panel);
            check_panel(Kalah::default(), panel);
        }
        let opponents = conditions(MeasuredAt::Depth, 5).opponents([7]);
        assert_eq!(opponents[4], "champion of generation 7");
    }

    #[test]
    fn both_sides_are_given_the_same_at_other_budgets() {
        let weights = Weights::named("daoud2004-depth5").unwrap();
        let (players, pairings) = conditions(MeasuredAt::Budgets, 3).players(&weights, &[]);
        let limits = |place: u32| match &players[place as usize] {
            Contender::Weights { limits, .. } => *limits,
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
        let all = |game: &str| MeasuredOpenings::of(game.parse().unwrap()).all();
        assert_eq!(["ayo", "kalah", "kalah:pits=1,seeds=1"].map(all), [1014, 942, 0]);
        let name = |count| MeasuredOpenings::of("kalah".parse().unwrap()).name(count);
        assert_eq!([941, 942, 1014].map(name), ["941 of plies:4", "plies:4", "plies:4"]);
    }

    #[test]
    fn strength_is_the_same_on_any_number_of_threads() {
        let yardstick = Yardstick::new(conditions(MeasuredAt::Budgets, 2), 6);
        let weights = Weights::named("daoud2004-depth3").unwrap();
        let past = [Ancestor { generation: 4, weights: Weights::named("seeds").unwrap() }];
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| yardstick.measure(&weights, &past, &LocalGames::new(), &())).unwrap()
        };
        let one = on(1);
        assert_eq!(one, on(2));
        assert_eq!(one.len(), 7);
        assert_eq!(one[6].opponent, "champion of generation 4");
        for strength in &one {
            assert!(strength.is_possible() && strength.games == 12, "{strength:?}");
            assert_eq!(strength.openings, "6 of plies:4");
        }
    }

    #[test]
    fn a_stopped_measurement_is_none() {
        struct Stop;
        impl mancala::progress::Progress for Stop {
            fn should_stop(&self) -> bool {
                true
            }
        }
        let yardstick = Yardstick::new(conditions(MeasuredAt::Depth, 2), 2);
        let weights = Weights::named("seeds").unwrap();
        assert_eq!(yardstick.measure(&weights, &[], &LocalGames::new(), &Stop), None);
    }
}
