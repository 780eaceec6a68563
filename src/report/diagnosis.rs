//! What a report needs games for. Results are stored in the run folder and reused.

use std::path::Path;
use std::time::{Duration, Instant};

use arena::player::{Minimax, PlayableGame, Player};
use arena::{Accuracy, Diagnosis, Forecast, LocalGames, forecast};
use evolve::run::{
    CROSS_GAMES, Conditions, CrossGames, CrossGamesPlan, Settings, cross_games, digits,
};
use mancala::eval::Weights;
use mancala::game::{AnyGame, with_game};
use mancala::progress::Progress;
use mancala::store::{self, Frame};
use serde::{Deserialize, Serialize};

use super::result::{ChampionAccuracy, Showcase, Truth};
use super::showcase::showcase;
use super::truth::{SEEDS, accuracy, tables};
use super::{Limited, Stopped};

/// The file in a run folder that contains the accuracy of champions and the game to show.
pub(crate) const FILE: &str = "report-moves.ayo";
const FRAME: Frame = Frame { kind: *b"XMOV", version: 1 };

/// Maximum number of champions whose accuracy is measured.
const CHAMPIONS: usize = 10;
/// Pairs of games from which the game to show is chosen.
const SHOWCASE_PAIRS: usize = 12;
/// Longest further training of a forecast, in hours. It is no longer than the training so far.
const MAX_FORECAST: f64 = 5.0;

/// The results of games, as far as time allows.
#[derive(Default)]
pub(super) struct Diagnosed {
    pub(super) diagnosis: Option<Diagnosis>,
    pub(super) forecast: Option<Forecast>,
    pub(super) truth: Truth,
    pub(super) showcase: Option<Showcase>,
}

/// The content of the file.
#[derive(Default, Serialize, Deserialize)]
struct Stored {
    /// Generations and identities of champions, with their accuracy.
    accuracy: Vec<(u32, String, Accuracy)>,
    /// The identities of both champions, and their game.
    showcase: Option<(String, Showcase)>,
}

impl Diagnosed {
    /// Plays games of the champions of a run for at most `time`. A quarter of it is for moves, which take less.
    pub(super) fn of(
        folder: &Path,
        settings: &Settings,
        champion: Option<&Weights>,
        time: Duration,
        progress: &dyn Progress,
    ) -> anyhow::Result<Diagnosed> {
        if time.is_zero() && !folder.join(CROSS_GAMES).exists() {
            return Ok(Diagnosed { truth: Truth::unknown(), ..Diagnosed::default() });
        }
        let end = Instant::now() + time;
        let (plan, games) = (CrossGamesPlan::default(), LocalGames::new());
        let few = CrossGamesPlan { champions: CHAMPIONS, ..plan };
        let known = cross_games(folder, few, &games, &Stopped)?;
        let limited = Limited { progress, end: Instant::now() + time / 4 };
        let moves = Moves { folder, settings, known: &known, progress: &limited };
        let (mut truth, showcase) = moves.analyse(champion);
        let played = cross_games(folder, plan, &games, &Limited { progress, end })?;
        let diagnosis = played.lineage.diagnose(settings.seed);
        if let Some(diagnosis) = &diagnosis {
            for it in &mut truth.champions {
                let place = diagnosis.generations.iter().position(|other| *other == it.generation);
                it.elo = place.map(|place| diagnosis.ratings[place].elo);
            }
        }
        let ratings = played.lineage.ratings();
        let hours =
            played.hours.as_deref().filter(|hours| hours.last().is_some_and(|it| *it > 0.0));
        let forecast = hours.zip(ratings).and_then(|(hours, ratings)| {
            forecast(hours, &ratings, hours.last()?.min(MAX_FORECAST))
        });
        let forecast = forecast.filter(|it| it.gain.is_finite() && diagnosis.is_some());
        Ok(Diagnosed { forecast, diagnosis, truth, showcase })
    }
}

struct Moves<'a> {
    folder: &'a Path,
    settings: &'a Settings,
    known: &'a CrossGames,
    progress: &'a dyn Progress,
}

impl Moves<'_> {
    /// Measures the accuracy of champions, finds the game to show, and stores both.
    fn analyse(&self, champion: Option<&Weights>) -> (Truth, Option<Showcase>) {
        let path = self.folder.join(FILE);
        let stored = store::read(&path).ok().and_then(|bytes| FRAME.decode(&bytes).ok());
        let mut stored: Stored = stored.unwrap_or_default();
        let before = (stored.accuracy.len(), stored.showcase.is_some());
        let shown = self.showcase(champion, &mut stored);
        let truth = self.truth(&mut stored);
        if (stored.accuracy.len(), stored.showcase.is_some()) != before {
            // The report contains the results even if they cannot be stored.
            let _ = store::replace(&path, &FRAME.encode(&stored));
        }
        (truth, shown)
    }

    /// Returns a hash of everything that the moves of a champion depend on.
    fn identity(&self, weights: &Weights) -> String {
        fn of<G: PlayableGame>(_: G, weights: &Weights, conditions: Conditions) -> String {
            Minimax::<G>::new(weights, conditions.limits, conditions.options).identity()
        }
        let game = self.settings.game();
        let player = with_game!(game, game => of(game, weights, self.settings.conditions()));
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
        if let Some((_, shown)) = stored.showcase.take_if(|(of, _)| *of == identity) {
            stored.showcase = Some((identity, shown.clone()));
            return Some(shown);
        }
        let (settings, both) = (self.settings, [(old, first), (generation, new)]);
        let shown = with_game!(settings.game(), game => {
            showcase(game, settings, both, SHOWCASE_PAIRS, self.progress)
        })?;
        stored.showcase = Some((identity, shown.clone()));
        Some(shown)
    }

    fn truth(&self, stored: &mut Stored) -> Truth {
        let game = match self.settings.game() {
            AnyGame::Ayo(game) => game,
            other => {
                return Truth::missing(format!(
                    "There are no endgame tables for {}.",
                    other.name()
                ));
            }
        };
        let mut built = None;
        let mut found = Vec::new();
        for (generation, weights) in self.champions() {
            let identity = self.identity(weights);
            let known = stored.accuracy.iter().find(|(_, of, _)| *of == identity);
            let accuracy = match known {
                Some((_, _, accuracy)) => Some(*accuracy),
                None if self.progress.should_stop() => None,
                None => {
                    let tables = built.get_or_insert_with(|| tables(game, self.progress));
                    match tables {
                        Err(reason) => {
                            return Truth::missing(format!(
                                "There are no endgame tables: {reason}."
                            ));
                        }
                        Ok(tables) => tables.as_ref().and_then(|tables| {
                            accuracy(game, self.settings, weights, tables, self.progress)
                        }),
                    }
                }
            };
            let Some(accuracy) = accuracy else { continue };
            if !stored.accuracy.iter().any(|(_, of, _)| *of == identity) {
                stored.accuracy.push((generation, identity, accuracy));
            }
            found.push(ChampionAccuracy { generation, elo: None, accuracy });
        }
        match found.is_empty() {
            true => Truth::unknown(),
            false => Truth { missing: None, seeds: SEEDS, champions: found },
        }
    }
}
