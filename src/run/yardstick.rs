//! Measures strength against opponents that training never meets.
//!
//! Fitness is relative to a population that changes, so it says nothing of strength. The yardstick is
//! the same for every run of a game and every generation: known opponents, and openings that no training
//! begins from.
//!
//! Architecture invariant: nothing that training does depends on a measurement.

use crate::arena::{
    Batch, Contender, Games, Meeting, Openings, OpeningsError, PairScore, Pentanomial, Suite,
};
use crate::player::{PANEL_SIZE, PlayableGame};
use mancala::eval::{Strength, Weights};
use mancala::game::{AnyGame, Notated, with_game};
use mancala::progress::Progress;

/// The opponents outside the run as player specifications, in the order of every measurement.
///
/// ```
/// use ayo::run::panel;
/// use mancala::game::AnyGame;
/// assert_eq!(panel(AnyGame::default())[0], "minimax:weights=seeds,depth=7");
/// ```
pub fn panel(game: AnyGame) -> [String; PANEL_SIZE] {
    fn of<G: PlayableGame>(_: G) -> [String; PANEL_SIZE] {
        G::PANEL.map(|(weights, depth)| format!("minimax:weights={weights},depth={depth}"))
    }
    with_game!(game, game => of(game))
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
/// use ayo::run::MeasuredOpenings;
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

/// Measures the strength of weights that are searched to one depth.
#[derive(Debug, Clone)]
pub struct Yardstick {
    game: AnyGame,
    depth: u32,
    openings: u32,
}

impl Yardstick {
    /// The panel of a game, from a fixed sample of so many openings: all, if there are no more.
    pub fn new(game: AnyGame, depth: u32, openings: u32) -> Self {
        Yardstick { game, depth, openings }
    }

    /// The opponents in a game: the panel, then the ancestors of these generations.
    pub fn opponents(game: AnyGame, ancestors: impl IntoIterator<Item = u32>) -> Vec<String> {
        panel(game).into_iter().chain(ancestors.into_iter().map(Ancestor::name)).collect()
    }

    /// What `weights` score against each opponent of the panel and each ancestor, in this order. `None`
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
        let (openings, all) = with_game!(self.game, game => {
            let all = suite(game).expect("openings");
            (all.sample(self.openings as usize, SAMPLE_SEED).notation(), all.positions().len())
        });
        let past = ancestors.iter().map(|it| Contender::to_depth(&it.weights, self.depth));
        let measured = Contender::to_depth(weights, self.depth);
        let players: Vec<Contender> =
            std::iter::once(measured).chain(panellists(self.game)).chain(past).collect();
        let pairings: Vec<[u32; 2]> = (1..players.len() as u32).map(|it| [0, it]).collect();
        let pairs = openings.len();
        let meetings = Meeting::all(&pairings, pairs as u32);
        let batch =
            Batch::new(self.game, players, openings, meetings).expect("weights of the game");
        let scores = PairScore::of_pairs(&games.outcomes(&batch, progress)?);
        let results = scores.chunks(pairs).map(|it| it.iter().copied().collect::<Pentanomial>());
        let names = Yardstick::opponents(self.game, ancestors.iter().map(|it| it.generation));
        let played = MeasuredOpenings { all: all as u32 };
        Some(names.iter().zip(results).map(|(name, it)| strength(name, it, played)).collect())
    }
}

/// The players of the panel.
fn panellists(game: AnyGame) -> impl Iterator<Item = Contender> {
    fn of<G: PlayableGame>(_: G) -> [(&'static str, u32); PANEL_SIZE] {
        G::PANEL
    }
    let panellist = |(name, depth)| {
        Contender::to_depth(&Weights::named(name).expect("a named evaluator"), depth)
    };
    with_game!(game, game => of(game)).into_iter().map(panellist)
}

fn strength(opponent: &str, pairs: Pentanomial, openings: MeasuredOpenings) -> Strength {
    let estimate = pairs.estimate();
    let (name, games) = (openings.name(pairs.pairs()), 2 * pairs.pairs());
    Strength::new(opponent, name, games, estimate.score, estimate.score_ci95)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::LocalGames;
    use crate::player::{Minimax, Player, build_for};
    use mancala::game::{ayo::Ayo, kalah::Kalah};
    use mancala::search::Pruning;

    fn check_panel<G: PlayableGame>(game: G) {
        for (spec, contender) in panel(game.into()).iter().zip(panellists(game.into())) {
            let Contender::Weights { weights, limits } = contender else { panic!("{contender:?}") };
            let player = Minimax::<G>::new(&weights.weights(), limits, Pruning::AlphaBeta);
            assert_eq!(build_for(spec, game).unwrap().identity(), player.identity());
        }
    }

    #[test]
    fn the_panel_is_what_its_specifications_say() {
        check_panel(Ayo::default());
        check_panel(Kalah::default());
        assert_eq!(Yardstick::opponents(AnyGame::default(), [7])[4], "champion of generation 7");
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
        let yardstick = Yardstick::new(AnyGame::default(), 2, 6);
        let weights = Weights::named("daoud2004-depth3").unwrap();
        let past = [Ancestor { generation: 4, weights: Weights::named("seeds").unwrap() }];
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| yardstick.measure(&weights, &past, &LocalGames::new(), &())).unwrap()
        };
        let one = on(1);
        assert_eq!(one, on(2));
        assert_eq!(one.len(), 5);
        assert_eq!(one[4].opponent, "champion of generation 4");
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
        let yardstick = Yardstick::new(AnyGame::default(), 2, 2);
        let weights = Weights::named("seeds").unwrap();
        assert_eq!(yardstick.measure(&weights, &[], &LocalGames::new(), &Stop), None);
    }
}
