//! What is timed, and how: the fastest of many rounds where a round is short, since whatever else a
//! machine does only ever adds time; once where it is long.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use arena::player::PlayableGame;
use arena::{Batch, Contender, Games, LocalGames, Meeting, OpeningsError, Outcome, Suite};
use mancala::game::{AnyGame, GameKind, Side, perft};
use mancala::progress::Progress;
use mancala::search::engine::{Effort, Selection, Table};
use mancala::search::{Found, Limits, Options, Pruning};

use super::signature::{Sum, sum};
use super::suite;
use crate::bench::result::{EngineSpeed, SearchSpeed, Speed, TrainingSpeed};
use evolve::run::{Draft, SettingError, Settings, Trainer, preset_of_game};

/// So many things in so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// How many.
    pub count: u64,
    /// How long they took.
    pub time: Duration,
}

impl Rate {
    /// How many a second.
    pub fn per_second(self) -> f64 {
        self.count as f64 / self.time.as_secs_f64()
    }
}

impl From<Rate> for Speed {
    fn from(rate: Rate) -> Speed {
        let Rate { count, time } = rate;
        Speed { count, seconds: time.as_secs_f64(), per_second: rate.per_second() }
    }
}

/// The search and its yardstick on the same positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    /// Nodes of [`Pruning::AlphaBeta`], on one core.
    pub search: Rate,
    /// Nodes of [`Pruning::Unordered`], on one core.
    pub baseline: Rate,
    /// What the search found.
    pub found: Sum,
}

impl Comparison {
    /// How many times longer the yardstick takes.
    pub fn gain(&self) -> f64 {
        self.baseline.time.as_secs_f64() / self.search.time.as_secs_f64()
    }
}

impl From<&Comparison> for SearchSpeed {
    fn from(comparison: &Comparison) -> SearchSpeed {
        SearchSpeed {
            depth: comparison.found.depth,
            nodes: comparison.search.into(),
            baseline_nodes: comparison.baseline.into(),
            gain: comparison.gain(),
        }
    }
}

/// Searches positions to a depth by both in turn, round by round until each has worked for about so
/// long, once at least. Of each search the fastest round counts.
pub fn compare<G: PlayableGame>(
    game: G,
    positions: &[G::Position],
    depth: u32,
    least: Duration,
    progress: &dyn Progress,
) -> Comparison {
    let searcher = suite::searcher(game);
    let find = |position, pruning| searcher.search(&game, position, depth, pruning, &());
    let mut timings: Vec<[Timing; 2]> = Vec::new();
    let (mut rounds, mut done) = (1, 0);
    while done < rounds * positions.len() {
        let position = &positions[done % positions.len()];
        let search = Timing::of(|| find(position, Pruning::AlphaBeta));
        let known = Timing::of(|| find(position, Pruning::Unordered));
        match timings.get_mut(done % positions.len()) {
            Some(before) => *before = [before[0].or(search), before[1].or(known)],
            None => timings.push([search, known]),
        }
        done += 1;
        if done == positions.len() {
            let shorter = [0, 1].map(|which| rate(&timings, which).time).into_iter().min();
            let times = least.as_secs_f64() / shorter.map_or(1.0, |time| time.as_secs_f64());
            rounds = times.ceil().max(1.0) as usize;
        }
        progress.advance(done as u64, (rounds * positions.len()) as u64);
    }
    let found = timings.iter().filter_map(|[search, _]| search.found);
    Comparison { search: rate(&timings, 0), baseline: rate(&timings, 1), found: sum(depth, found) }
}

/// One search with its time.
#[derive(Debug, Clone, Copy)]
struct Timing {
    found: Option<Found>,
    time: Duration,
}

impl Timing {
    fn of(search: impl FnOnce() -> Option<Found>) -> Timing {
        let begun = Instant::now();
        let found = search();
        Timing { found, time: begun.elapsed() }
    }

    /// The faster one of two runs of the same search.
    fn or(self, other: Timing) -> Timing {
        Timing { time: self.time.min(other.time), ..self }
    }
}

fn rate(timings: &[[Timing; 2]], which: usize) -> Rate {
    let timings = timings.iter().map(|both| both[which]);
    let nodes = |timing: Timing| timing.found.map_or(0, |found| found.nodes);
    Rate { count: timings.clone().map(nodes).sum(), time: timings.map(|t| t.time).sum() }
}

/// A long search of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongSearch {
    /// Nodes, on one core.
    pub search: Rate,
    /// What it found.
    pub found: Sum,
}

impl From<LongSearch> for EngineSpeed {
    fn from(LongSearch { search, found }: LongSearch) -> EngineSpeed {
        EngineSpeed { signature: found.into(), nodes: search.into() }
    }
}

/// The usual memory of an engine, in mebibytes.
const HASH: usize = 64;

/// Searches the start of a game once as an engine does, from an empty table, until about so many nodes are
/// entered: enough of them, and the table no longer fits the processor's own memory.
pub fn think<G: PlayableGame>(game: G, nodes: u64) -> LongSearch {
    let (searcher, weights) = (suite::searcher(game), suite::weights(game));
    let (table, limits) =
        (Table::with_mebibytes(HASH), Limits { nodes: Some(nodes), ..Limits::default() });
    let effort = Effort {
        table: &table,
        limits: &limits,
        threads: NonZeroUsize::MIN,
        selection: Selection::default(),
        seed_value: G::seed_value(&weights),
    };
    let begun = Instant::now();
    let found = searcher.think(&game, &game.start(Side::South), &effort, &(), &mut |_| {});
    let time = begun.elapsed();
    let found = found.expect("a game has a first move");
    LongSearch { search: Rate { count: found.nodes, time }, found: sum(found.depth, [found]) }
}

/// Counts the lines of play from the start, again and again for at least so long, and takes the fastest
/// count. The last ply is counted without being played.
pub fn rate_of_perft<G: PlayableGame>(game: G, depth: u32, least: Duration) -> Rate {
    let start = game.start(Side::South);
    let begun = Instant::now();
    let mut fastest = Rate { count: 0, time: Duration::MAX };
    while fastest.count == 0 || begun.elapsed() < least {
        let begun = Instant::now();
        let count = perft(&game, &start, depth);
        fastest = Rate { count, time: fastest.time.min(begun.elapsed()) };
    }
    fastest
}

/// Games that were played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedGames {
    /// How many, in what time.
    pub games: Rate,
    /// Positions that the players searched.
    pub nodes: u64,
}

/// Plays games of the [`measured`](suite::measured) weights against themselves at five plies, one from
/// each of so many openings, as many at a time as there are threads in the current pool.
///
/// # Errors
/// If the game has too few openings.
pub fn play<G: PlayableGame>(
    game: G,
    games: usize,
    progress: &dyn Progress,
) -> Result<PlayedGames, OpeningsError> {
    let weights = suite::weights(game);
    let openings = Suite::Plies(4).openings(game)?.sample(games, 1).notation();
    let meeting = |opening| Meeting { first: 0, second: 0, opening };
    let meetings: Vec<Meeting> = (0..openings.len() as u32).map(meeting).collect();
    let all = meetings.len() as u64;
    let batch = Batch::new(
        game.into(),
        vec![Contender::to_depth(&weights, 5, Options::of(game.kind()))],
        openings,
        meetings,
    )
    .expect("weights of the game");
    let begun = Instant::now();
    let outcomes = LocalGames::new().outcomes(&batch, progress).unwrap_or_default();
    let nodes = outcomes.iter().map(Outcome::nodes).sum();
    Ok(PlayedGames { games: Rate { count: all, time: begun.elapsed() }, nodes })
}

/// Generations of a training run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trained {
    /// How many, in what time.
    pub generations: Rate,
    /// Games that had to be played.
    pub games: u64,
    /// Positions that their players searched.
    pub nodes: u64,
}

impl From<Trained> for TrainingSpeed {
    fn from(Trained { generations, games, nodes }: Trained) -> TrainingSpeed {
        TrainingSpeed { generations: generations.into(), games, nodes }
    }
}

/// Breeds and evaluates the first generations of the run that `ayo train` makes of these settings, in
/// memory, on the threads of the current pool.
pub fn train(settings: Settings, generations: u32, progress: &dyn Progress) -> Trained {
    let mut trainer = Trainer::new(settings);
    let (mut games, mut nodes) = (0, 0);
    let begun = Instant::now();
    for generation in 1..=generations {
        nodes += trainer.step(&()).expect("nothing stops it");
        games += trainer.last().map_or(0, |last| last.games_played);
        progress.advance(generation.into(), generations.into());
    }
    let generations = Rate { count: generations.into(), time: begun.elapsed() };
    Trained { generations, games, nodes }
}

/// The settings of the training run of a game, with seed 1: the preset of 2004 for ayo, for another game
/// the one that a run takes when none is named.
///
/// # Errors
/// If the game cannot be trained by them.
pub fn settings<G: PlayableGame>(game: G) -> Result<Settings, SettingError> {
    let preset = match game.kind() {
        GameKind::Ayo => "daoud2004",
        _ => preset_of_game(&game.into()),
    };
    let mut draft = Draft::preset(preset)?;
    draft.set("game", &Into::<AnyGame>::into(game).to_string())?;
    if game.kind() == GameKind::Ayo {
        // The rules that the preset had when its figures were published.
        draft.set("rules", "ayo")?;
    }
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::super::{positions, signature};
    use super::*;
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;

    #[test]
    fn what_is_timed_is_the_work() {
        let (game, positions) = (Ayo::default(), &positions()[..3]);
        let fast = compare(game, positions, 4, Duration::from_millis(1), &());
        assert_eq!(fast.found, signature(game, positions, 4));
        assert_eq!(fast.search.count, fast.found.nodes);
        assert!(fast.baseline.count > 0 && fast.gain() > 0.0);
        assert_eq!(rate_of_perft(game, 4, Duration::ZERO).count, 1014);
    }

    fn same_every_time<G: PlayableGame>(game: G) {
        let long = think(game, 5_000);
        assert_eq!(long.found, think(game, 5_000).found);
        assert!((5_000..6_000).contains(&long.search.count), "{long:?}");
        let play = || play(game, 3, &()).unwrap();
        assert_eq!((play().games.count, play().nodes), (3, play().nodes));
        let train = || train(settings(game).unwrap(), 1, &());
        let [one, other] = [train(), train()];
        // Two threads can both search a position before either remembers the choice, so nodes differ.
        assert!(one.games > 0 && one.nodes > one.games);
        assert_eq!(one.games, other.games);
    }

    #[test]
    fn games_and_runs_are_the_same_every_time() {
        same_every_time(Ayo::default());
        same_every_time(Kalah::new(4, 3).unwrap());
    }
}
