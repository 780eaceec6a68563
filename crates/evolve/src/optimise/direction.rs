//! What searches for a direction have in common: random search, CMA-ES and SPSA.
//!
//! They know strength only from games between their own candidates, on openings that no measurement
//! plays: common to all games of a step, new in the next. Candidates are directions, since an
//! evaluation's scale changes no move; their weights are held at one length.

mod settings;
pub(crate) mod vectors;

pub(crate) use self::settings::{DIGEST, Directions, Kind};

use std::fmt::Debug;
use std::ops::RangeInclusive;

use mancala::game::{Notated, Side, with_game};
use mancala::random::{Purpose, stream};

use self::vectors::{Point, norm};
use super::ask::{Answer, Ask, Leader, Optimiser};
use super::genome::Chromosome;
use super::saved::{LoadError, Memory, Numbers, Saved, SavedStep};
use super::step::Evaluated;
use super::task::{Coding, Task};
use arena::{Batch, Meeting, Outcome, PairScore, balanced_openings};

/// How far from the start games begin, in plies.
const PLIES: RangeInclusive<u32> = 5..=12;

/// A pair of games of two candidates from one opening, all by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pairing {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) opening: usize,
}

/// A step under way.
#[derive(Debug, Clone)]
pub(crate) struct Trial {
    /// Its number, from 1.
    pub(crate) step: u64,
    /// The players: the candidates of the step, then others.
    pub(crate) players: Vec<Point>,
    /// The pairs of games that have been played.
    pub(crate) played: Vec<Pairing>,
    /// The points a game of player A of each, from 0 to 1.
    pub(crate) scores: Vec<f64>,
}

impl Trial {
    /// The points of a candidate in all its games: two for a win, one for a draw.
    fn points(&self, candidate: usize) -> u64 {
        let points = self.played.iter().zip(&self.scores).map(|(pairing, score)| match pairing {
            it if it.a == candidate => 4.0 * score,
            it if it.b == candidate => 4.0 * (1.0 - score),
            _ => 0.0,
        });
        points.sum::<f64>() as u64
    }
}

/// What a search does with the results of games.
pub(crate) trait Direction: Debug + Send {
    /// The players of a step: its candidates, then others.
    fn players(&self, step: u64) -> Vec<Point>;

    /// The games to play next, given those that were played; none once the step is finished.
    fn pairings(&self, trial: &Trial) -> Vec<Pairing>;

    /// The fitness of so many candidates.
    fn fitness(&self, trial: &Trial, candidates: usize) -> Vec<u64> {
        (0..candidates).map(|candidate| trial.points(candidate)).collect()
    }

    /// Takes over what a finished step found.
    fn learn(&mut self, trial: &Trial);

    /// The best that it knows.
    fn best(&self) -> &Point;

    /// All that it remembers.
    fn save(&self) -> Numbers;

    /// Remembers what was saved.
    fn load(&mut self, numbers: &mut Numbers) -> Result<(), LoadError>;
}

/// A search for a direction as an optimiser.
#[derive(Debug)]
pub(crate) struct Search {
    task: Task,
    settings: Directions,
    coding: Coding,
    direction: Box<dyn Direction>,
    last: Option<Evaluated>,
    under_way: Option<UnderWay>,
}

#[derive(Debug)]
struct UnderWay {
    trial: Trial,
    /// The games that were asked for last.
    asked: Vec<Pairing>,
}

impl Search {
    /// A search that has not begun.
    pub(crate) fn new(task: Task, settings: Directions) -> Search {
        let direction = (settings.kind.begin)(&task, &settings);
        let coding = settings.coding_of(&task);
        Search { task, settings, coding, direction, last: None, under_way: None }
    }

    /// A search as it was saved.
    pub(crate) fn load(
        task: Task,
        settings: Directions,
        saved: Saved,
    ) -> Result<Search, LoadError> {
        let mut search = Search::new(task, settings);
        let Memory::Numbers(mut numbers) = saved.memory else {
            return Err(LoadError::Content("memory is another optimiser's".into()));
        };
        let candidates = search.settings.tried() as usize;
        search.last = Some(saved.last.open(candidates, &search.coding)?);
        search.direction.load(&mut numbers)?;
        numbers.finish()?;
        Ok(search)
    }

    fn step(&self) -> u64 {
        self.last.as_ref().map_or(0, |last| u64::from(last.generation)) + 1
    }

    fn begun(&self) -> UnderWay {
        let step = self.step();
        let players = self.direction.players(step);
        let trial = Trial { step, players, played: Vec::new(), scores: Vec::new() };
        UnderWay { trial, asked: Vec::new() }
    }

    /// The games of some pairings. There are fewer openings than asked for only where nearly every game
    /// ends before.
    fn batch(&self, trial: &Trial, pairings: &[Pairing]) -> Batch {
        let most = pairings.iter().map(|pairing| pairing.opening + 1).max().unwrap_or(0);
        let openings = self.openings(trial.step, most);
        let limits = self.task.limits(self.task.depth);
        let player = |point: &Point| self.coding.contender(&self.candidate(point), limits);
        let players = trial.players.iter().map(player);
        let meetings = pairings.iter().flat_map(|pairing| {
            let opening = pairing.opening % openings.len();
            Meeting::pair(pairing.a as u32, pairing.b as u32, opening as u32)
        });
        let meetings = meetings.collect();
        Batch::new(self.task.game, players.collect(), openings, meetings)
            .expect("candidates and openings are of the game")
    }

    /// The first openings of a step.
    fn openings(&self, step: u64, count: usize) -> Vec<String> {
        fn drawn<G: Notated>(game: G, count: usize, seed: u64, step: u64) -> Vec<String> {
            let mut dice = stream(seed, Purpose::BaselineOpening, step, 0);
            let mut drawn = balanced_openings(game, count, PLIES, &mut dice);
            if drawn.is_empty() {
                drawn.push(game.start(Side::South));
            }
            drawn.iter().map(ToString::to_string).collect()
        }
        with_game!(self.task.game, game => drawn(game, count, self.task.seed, step))
    }

    /// The candidate of a point: whole numbers of the length of the settings, rounding aside.
    fn candidate(&self, point: &Point) -> Chromosome {
        let size = norm(point);
        let factor = if size > 0.0 { f64::from(self.settings.length) / size } else { 0.0 };
        let values: Vec<i64> = point.iter().map(|it| (it * factor).round() as i64).collect();
        self.coding.encoding().encode(&values).expect("no weight is larger than the length of all")
    }

    fn finish(&mut self, trial: &Trial) {
        let candidates = self.settings.tried() as usize;
        let members = trial.players[..candidates].iter().map(|it| self.candidate(it)).collect();
        let games = 2 * trial.played.len() as u64;
        let fitness = self.direction.fitness(trial, candidates);
        self.direction.learn(trial);
        self.last = Some(Evaluated {
            generation: trial.step as u32,
            members,
            fitness,
            games_asked: games,
            games_played: games,
        });
    }
}

impl Optimiser for Search {
    fn ask(&mut self) -> Ask {
        let mut under_way = self.under_way.take().unwrap_or_else(|| self.begun());
        under_way.asked = self.direction.pairings(&under_way.trial);
        if under_way.asked.is_empty() {
            self.finish(&under_way.trial);
            return Ask::Done;
        }
        let batch = self.batch(&under_way.trial, &under_way.asked);
        self.under_way = Some(under_way);
        Ask::Games(batch)
    }

    fn tell(&mut self, answer: Answer) {
        if let (Some(under_way), Answer::Games(outcomes)) = (&mut self.under_way, answer) {
            under_way.trial.scores.extend(scores(&outcomes));
            under_way.trial.played.append(&mut under_way.asked);
        }
    }

    fn abandon(&mut self) {
        self.under_way = None;
    }

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn leader(&self) -> Option<Leader> {
        let last = self.last.as_ref()?;
        let candidate = self.candidate(self.direction.best());
        let tried = last.members.iter().position(|member| *member == candidate);
        Some(Leader { fitness: tried.map(|index| last.fitness[index]), candidate })
    }

    fn save(&self) -> Option<Saved> {
        let memory = Memory::Numbers(self.direction.save());
        Some(Saved { last: SavedStep::of(self.last.as_ref()?), memory })
    }
}

/// The points a game of player A of each pair.
fn scores(outcomes: &[Outcome]) -> impl Iterator<Item = f64> {
    PairScore::of_pairs(outcomes).into_iter().map(PairScore::points)
}

#[cfg(test)]
mod tests;
