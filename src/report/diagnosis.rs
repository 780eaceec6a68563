//! Computes the parts of a report that require games. The results are stored in the run folder for later reports.

use std::path::Path;
use std::time::{Duration, Instant};

use arena::player::{Minimax, Player};
use arena::{
    Accuracy, Diagnosis, Forecast, Lineage, LocalGames, accuracy_of_moves, forecast, gather_all,
    play_game,
};
use evolve::run::{
    CROSS_GAMES, CrossGames, CrossGamesPlan, FolderError, GameRunner, Settings, cross_games,
    digits, for_at_most,
};
use mancala::endgame::{BuildPlan, Tables, build};
use mancala::eval::Weights;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{AnyGame, Game, Pit, Record, Side, with_game, with_type};
use mancala::progress::{Progress, Silent};
use mancala::random::{Purpose, stream};
use mancala::store::{self, Frame};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::result::{ChampionAccuracy, RunCurves, Showcase, Truth};
use super::showcase::{openings, showcase};

/// The file in a run folder that contains the accuracy of champions and the showcase game.
pub(crate) const FILE: &str = "report-moves.ayo";
const FRAME: Frame = Frame { kind: *b"XMOV", version: 1 };

/// The maximum length of a forecast in hours of further training. It is also limited to the hours of training so far.
const MAX_FORECAST: f64 = 5.0;

/// The results of all games so far, including games that were played for earlier reports.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Diagnosed {
    pub(super) diagnosis: Option<Diagnosis>,
    pub(super) forecast: Option<Forecast>,
    pub(super) truth: Truth,
    pub(super) showcase: Option<Showcase>,
    /// Whether all games between champions have been played.
    pub(super) has_all_games: bool,
    /// A problem with the games or champions, if any, e.g. that new games couldn't be stored.
    #[serde(skip)]
    pub(super) problem: Option<String>,
}

#[derive(Default, Serialize, Deserialize)]
struct Stored {
    /// The generation, hash and accuracy of each champion.
    accuracy: Vec<(u32, String, Accuracy)>,
    /// The hashes of both champions, and the game between them.
    showcase: Option<(String, Showcase)>,
}

impl Diagnosed {
    /// Spends up to `time` on games: a quarter on accuracy and the showcase, and the rest on games between champions.
    pub(super) fn of(
        folder: &Path,
        settings: &Settings,
        (champion, curves): (Option<&Weights>, &RunCurves),
        time: Duration,
        progress: &dyn Progress,
    ) -> anyhow::Result<Diagnosed> {
        if time.is_zero() && !folder.join(CROSS_GAMES).exists() {
            return Ok(Diagnosed { truth: Truth::unknown(), ..Diagnosed::default() });
        }
        let begun = Instant::now();
        let until =
            |share| for_at_most(progress, time.mul_f64(share).saturating_sub(begun.elapsed()));
        let (plan, games) = (CrossGamesPlan::default(), LocalGames::new());
        let known =
            match cross_games(folder, plan, GameRunner { games: &games, progress: &until(0.0) }) {
                // We carry on, because the rest of the report doesn't need past champions.
                Err(FolderError::NoPastChampion(_)) if champion.is_some() => {
                    let truth = Truth::unknown();
                    let problem = Some("no past champion can be read".into());
                    return Ok(Diagnosed {
                        truth,
                        problem,
                        has_all_games: true,
                        ..Diagnosed::default()
                    });
                }
                known => known?,
            };
        let moves = Moves { folder, settings, known: &known, progress: &until(0.25) };
        let (mut truth, showcase) = moves.analyse(champion);
        let played =
            cross_games(folder, plan, GameRunner { games: &games, progress: &until(1.0) })?;
        let diagnosis = played.lineage.diagnose(settings.seed);
        if let Some(Diagnosis { generations, ratings, .. }) = &diagnosis {
            for it in &mut truth.champions {
                let place = generations.binary_search(&it.generation).ok();
                it.elo = place.map(|place| ratings[place].elo);
            }
        }
        let forecast = diagnosis.as_ref().and_then(|_| further_training(&played.lineage, curves));
        let (has_all_games, problem) = (played.is_complete, played.problem);
        Ok(Diagnosed { diagnosis, forecast, truth, showcase, has_all_games, problem })
    }
}

fn further_training(lineage: &Lineage, curves: &RunCurves) -> Option<Forecast> {
    let hours = lineage.generations.iter().map(|it| curves.hours_at(*it));
    let hours: Vec<f64> = hours.collect::<Option<_>>()?;
    let &last = hours.last().filter(|last| **last > 0.0)?;
    let more = last.min(MAX_FORECAST);
    forecast(&hours, &lineage.ratings()?, more).filter(|it| it.gain.is_finite())
}

struct Moves<'a> {
    folder: &'a Path,
    settings: &'a Settings,
    known: &'a CrossGames,
    progress: &'a dyn Progress,
}

impl Moves<'_> {
    /// Measures the accuracy of champions, chooses the showcase game, and stores both.
    fn analyse(&self, champion: Option<&Weights>) -> (Truth, Option<Showcase>) {
        let path = self.folder.join(FILE);
        let stored = store::read(&path).ok().and_then(|bytes| FRAME.decode(&bytes).ok());
        let mut stored: Stored = stored.unwrap_or_default();
        let before = FRAME.encode(&stored);
        let shown = self.showcase(champion, &mut stored);
        let truth = self.truth(&mut stored);
        let after = FRAME.encode(&stored);
        if after != before {
            // We ignore errors, because the report contains the results even if they can't be stored.
            let _ = store::replace(&path, &after);
        }
        (truth, shown)
    }

    /// Returns a hash of everything that affects a champion's moves.
    fn identity(&self, weights: &Weights) -> String {
        let (game, settings) = (self.settings.game(), self.settings);
        let player = with_type!(game.kind(), G => {
            Minimax::<G>::new(weights, settings.limits(), settings.options()).identity()
        });
        digits(&format!("{game} {player}"))
    }

    fn champions(&self) -> impl Iterator<Item = (u32, &Weights)> {
        self.known.lineage.generations.iter().copied().zip(&self.known.champions)
    }

    fn showcase(&self, champion: Option<&Weights>, stored: &mut Stored) -> Option<Showcase> {
        let ((old, first), new) = (self.champions().next()?, champion?);
        let generation = new.provenance.as_ref().map(|it| it.generation);
        let generation = generation.filter(|generation| *generation > old)?;
        let identity = [first, new].map(|it| self.identity(it)).join(" ");
        if let Some((of, shown)) = &stored.showcase
            && *of == identity
        {
            return Some(shown.clone());
        }
        let (settings, both) = (self.settings, [(old, first), (generation, new)]);
        let shown = with_game!(settings.game(), game => {
            showcase(game, settings, both, &Silent(self.progress))
        })?;
        stored.showcase = Some((identity, shown.clone()));
        Some(shown)
    }

    fn truth(&self, stored: &mut Stored) -> Truth {
        let game = match self.settings.game() {
            AnyGame::Ayo(game) => game,
            other => {
                let reason = format!("There are no endgame tables for {}.", other.name());
                return Truth::missing(reason);
            }
        };
        let champions = self.champions().map(|(it, weights)| (it, weights, self.identity(weights)));
        let champions: Vec<_> = champions.collect();
        let known = |stored: &Stored, identity: &str| {
            stored.accuracy.iter().find(|(_, of, _)| of == identity).map(|it| it.2)
        };
        let due = champions.iter().rev().enumerate();
        let due = due.filter(|(_, (_, _, identity))| known(stored, identity).is_none());
        let mut due: Vec<_> = due.collect();
        // Time may run out, so start with the last champion, and continue with champions spread evenly over the run.
        due.sort_by_key(|(age, _)| age.reverse_bits());
        if !due.is_empty() && !self.progress.should_stop() {
            let tables = match tables(game, self.progress) {
                Ok(tables) => tables,
                Err(reason) => {
                    return Truth::missing(format!("There are no endgame tables: {reason}."));
                }
            };
            for (_, (generation, weights, identity)) in due {
                let measured = tables.as_ref().and_then(|tables| {
                    accuracy(game, self.settings, weights, tables, self.progress)
                });
                let measured = measured.map(|it| (*generation, identity.clone(), it));
                stored.accuracy.extend(measured);
            }
        }
        let measured = champions.iter().filter_map(|(generation, _, identity)| {
            let accuracy = known(stored, identity)?;
            Some(ChampionAccuracy { generation: *generation, elo: None, accuracy })
        });
        match measured.collect::<Vec<_>>() {
            champions if champions.is_empty() => Truth::unknown(),
            champions => Truth { missing: None, seeds: SEEDS, champions },
        }
    }
}

/// The maximum number of seeds in the tables. We can build tables of this size in memory within a second.
const SEEDS: u8 = 12;
/// The number of games per champion. Their openings are not used in training.
const GAMES: usize = 150;
const SEED: u64 = 1;

/// Builds the tables in memory. Fails if the rules don't support tables. Returns `None` if `progress` requested a stop.
fn tables(game: Ayo, progress: &dyn Progress) -> Result<Option<Tables>, String> {
    let plan = BuildPlan::in_memory(game.rules, SEEDS).map_err(|error| error.to_string())?;
    build(&plan, &Silent(progress), |_| ()).map_err(|error| error.to_string())
}

/// Measures a champion's accuracy in one position from each of its games. Returns `None` if
/// `progress` requested a stop, or if no game reached a suitable position.
fn accuracy(
    game: Ayo,
    settings: &Settings,
    champion: &Weights,
    tables: &Tables,
    progress: &dyn Progress,
) -> Option<Accuracy> {
    let player = Minimax::<Ayo>::new(champion, settings.limits(), settings.options());
    let openings = openings(game, GAMES)?;
    let moves = gather_all(openings.len(), &Silent(progress), |index, progress| {
        let mut record = Record::from_position(game, openings[index]);
        let (mut south, mut north) = (player.clone(), player.clone());
        play_game(&mut record, [&mut south, &mut north], progress)?;
        Some(drawn_move(&record, index as u64))
    })?;
    accuracy_of_moves(tables, moves.into_iter().flatten()).ok()?
}

/// Picks a random move of a game, out of the moves made in positions with few seeds and more than one legal move.
fn drawn_move(record: &Record<Ayo>, number: u64) -> Option<(Position, Pit)> {
    let (game, mut position) = (*record.game(), *record.opening());
    let mut moves = Vec::new();
    for &(_, pit) in record.plies() {
        let seeds: u8 = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
        if seeds <= SEEDS && game.moves(&position).len() > 1 {
            moves.push((position, pit));
        }
        position = game.play(&position, pit);
    }
    let last = (moves.len() as u32).checked_sub(1)?;
    let mut rng = stream(SEED, Purpose::Accuracy, 1, number);
    Some(moves[rng.random_range(0..=last) as usize])
}
