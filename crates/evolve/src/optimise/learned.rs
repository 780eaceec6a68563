//! Features that are learned, and weights of them that are evolved.
//!
//! A run is a row of epochs. An epoch begins with a fit: positions are collected and labelled by the champion of the
//! epochs before, and hidden units are fitted to them ([`crate::learn`]). Then the genetic algorithm evolves the
//! output weights of the units, as it evolves weights of any features. The champion of an epoch meets the one before
//! in a duel; if it wins more than half of the points, it labels the positions of the next epoch.

mod epoch;
mod method;
mod settings;

use self::epoch::{Epoch, Place};
pub(crate) use self::method::METHOD;
use self::settings::LearnedSettings;
use super::ask::{Answer, Ask, Champion, Fit, Leader, Optimiser, Proposal};
use super::genome::Chromosome;
use super::layers::of_layer;
use super::method::OptimiserSettings;
use super::saved::{LoadError, Memory, OfEpochs, Saved, SavedStep};
use super::step::Evaluated;
use super::task::Task;
use crate::learn::{Fitted, Plan, Teacher};
use arena::{Batch, Meeting, Outcome, balanced_openings};
use mancala::game::with_game;
use mancala::random::{Purpose, stream};

/// Champions of past epochs that are kept.
const MOST_CHAMPIONS: usize = 256;
/// Random plies that duels begin with.
const PLIES: std::ops::RangeInclusive<u32> = 5..=12;

/// A run with learned features as an optimiser: a step is a generation of an epoch.
#[derive(Debug)]
pub(crate) struct Learned {
    task: Task,
    own: LearnedSettings,
    last: Option<Evaluated>,
    /// The epoch of the last step.
    epoch: Option<Epoch>,
    /// Champions of epochs that won their duels, the last of which labels positions.
    past: Vec<Champion>,
    /// How the features came about, if the last step was the first of its epoch.
    report: Option<Fit>,
    /// What has been found out for the epoch that the next step begins.
    fresh: Fresh,
}

/// What has been found out for an epoch that begins. It becomes part of the run with its first generation.
#[derive(Debug, Default)]
struct Fresh {
    duel: Option<Duel>,
    epoch: Option<(Epoch, Fit)>,
}

/// What the champion of the last epoch won of a duel: points, two a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Duel {
    points: u64,
    games: u64,
}

impl Duel {
    fn is_won(self) -> bool {
        self.points > self.games
    }

    /// Points a game, a win being one.
    fn score(self) -> f64 {
        self.points as f64 / (2 * self.games.max(1)) as f64
    }
}

impl Learned {
    /// A run that has not begun.
    fn new(task: Task, own: LearnedSettings) -> Learned {
        let (past, fresh) = (Vec::new(), Fresh::default());
        Learned { task, own, last: None, epoch: None, past, report: None, fresh }
    }

    /// A run as it was saved.
    fn load(task: Task, own: LearnedSettings, saved: Saved) -> Result<Learned, LoadError> {
        let Memory::Epochs(memory) = saved.memory else {
            return Err(LoadError::Content("memory is another optimiser's".into()));
        };
        let coding = own.coding(&task);
        let last = saved.last.open(own.candidates() as usize, &coding)?;
        let epoch = Epoch::load(&task, &own, &last, memory.layer, memory.pairings)?;
        if memory.past.len() > MOST_CHAMPIONS || !memory.past.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(LoadError::Content("champions are too many or in no order".into()));
        }
        let champion = |(generation, hex): (u32, String)| {
            Ok(Champion { generation, chromosome: coding.read(&hex)? })
        };
        let past = memory.past.into_iter().map(champion).collect::<Result<_, LoadError>>()?;
        let (last, epoch) = (Some(last), Some(epoch));
        Ok(Learned { task, own, last, epoch, past, report: None, fresh: Fresh::default() })
    }

    /// The step under way.
    fn place(&self) -> Place {
        Place::of(self.last.as_ref().map_or(0, |last| last.generation) + 1, self.own.epoch)
    }

    /// What an epoch that begins needs to know next, which is all of it once the layer is there.
    fn ask_first(&mut self) -> Ask {
        if let Some((epoch, _)) = &mut self.fresh.epoch {
            return epoch.genetic.ask();
        }
        match (self.champion_of_epoch(), self.past.last()) {
            (Some(challenger), Some(reigning)) if self.fresh.duel.is_none() => {
                Ask::Games(self.duel(&challenger.chromosome, &reigning.chromosome))
            }
            _ => Ask::Layer(Box::new(self.plan())),
        }
    }

    /// The champion of the epoch of the last step.
    fn champion_of_epoch(&self) -> Option<Champion> {
        let Leader { candidate, .. } = self.leader()?;
        Some(Champion { generation: self.last.as_ref()?.generation, chromosome: candidate })
    }

    /// The champion that positions are to be labelled by: that of the last epoch if it has won its duel or had
    /// none.
    fn crowned(&self) -> Option<Champion> {
        match (self.fresh.duel, self.past.last()) {
            (Some(duel), Some(reigning)) if !duel.is_won() => Some(reigning.clone()),
            _ => self.champion_of_epoch(),
        }
    }

    fn plan(&self) -> Plan {
        let Task { seed, game, depth, options, .. } = self.task;
        let weights =
            |champion: Champion| self.own.coding(&self.task).weights(&champion.chromosome);
        Plan {
            seed,
            epoch: self.place().epoch,
            game,
            units: self.task.features.units().count(),
            phases: self.own.phases as usize,
            positions: self.own.positions,
            passes: self.own.passes,
            depth,
            label_depth: self.own.label_depth,
            options,
            teacher: self
                .crowned()
                .map_or(Teacher::Outcomes, |it| Teacher::Scores(Box::new(weights(it)))),
        }
    }

    fn duel(&self, challenger: &Chromosome, reigning: &Chromosome) -> Batch {
        let Task { seed, game, depth, .. } = self.task;
        let (coding, limits) = (self.own.coding(&self.task), self.task.limits(depth));
        let players = [challenger, reigning].map(|it| coding.contender(it, limits)).to_vec();
        let mut dice = stream(seed, Purpose::Duel, self.place().epoch.into(), 0);
        let count = self.own.duel_openings as usize;
        let openings: Vec<String> = with_game!(game, game => {
            balanced_openings(game, count, PLIES, &mut dice).iter().map(ToString::to_string).collect()
        });
        let meetings = Meeting::all(&[[0, 1]], openings.len() as u32);
        Batch::new(game, players, openings, meetings).expect("players and openings of the game")
    }

    fn end_duel(&mut self, outcomes: &[Outcome]) {
        let points = |(index, outcome): (usize, &Outcome)| {
            let first = u64::from(outcome.result.points());
            if index % 2 == 0 { first } else { 2 - first }
        };
        let points = outcomes.iter().enumerate().map(points).sum();
        self.fresh.duel = Some(Duel { points, games: outcomes.len() as u64 });
    }

    fn begin_epoch(&mut self, fitted: Fitted) {
        let Fitted { layer, outputs, losses, positions } = fitted;
        let number = self.place().epoch;
        let report = Fit {
            epoch: number,
            layer: layer.short_hash().to_owned(),
            positions,
            losses,
            duel: self.fresh.duel.map(Duel::score),
        };
        let (name, layer) = self.own.layers.add(layer);
        let epoch = Epoch::begun(&self.task, &self.own, number, (name, layer), &outputs);
        self.fresh.epoch = Some((epoch, report));
    }

    /// Takes the generation that was evaluated over.
    fn finish(&mut self) {
        let place = self.place();
        self.report = None;
        if place.is_first() {
            if let Some(champion) = self.crowned().filter(|it| self.past.last() != Some(it)) {
                if self.past.len() == MOST_CHAMPIONS {
                    self.past.remove(0);
                }
                self.past.push(champion);
            }
            (self.epoch, self.report) = self.fresh.epoch.take().unzip();
        }
        let duel = std::mem::take(&mut self.fresh).duel.map_or(0, |duel| duel.games);
        let epoch = self.epoch.as_ref().expect("a generation is of an epoch");
        let inner = epoch.genetic.last().expect("it has just been evaluated").clone();
        self.last = Some(Evaluated {
            generation: self.last.as_ref().map_or(0, |last| last.generation) + 1,
            members: inner.members.iter().map(|member| of_layer(epoch.layer, member)).collect(),
            games_asked: inner.games_asked + duel,
            games_played: inner.games_played + duel,
            ..inner
        });
    }
}

impl Optimiser for Learned {
    fn ask(&mut self) -> Ask {
        let is_first = self.place().is_first();
        let ask = match &mut self.epoch {
            Some(epoch) if !is_first => epoch.genetic.ask(),
            _ => self.ask_first(),
        };
        if let Ask::Done = ask {
            self.finish();
        }
        ask
    }

    fn tell(&mut self, answer: Answer) {
        let is_first = self.place().is_first();
        match answer {
            Answer::Layer(fitted) => self.begin_epoch(*fitted),
            Answer::Games(outcomes) if is_first && self.fresh.epoch.is_none() => {
                self.end_duel(&outcomes);
            }
            answer => {
                let fresh = self.fresh.epoch.as_mut().map(|(epoch, _)| epoch);
                let epoch = if is_first { fresh } else { self.epoch.as_mut() };
                if let Some(epoch) = epoch {
                    epoch.genetic.tell(answer);
                }
            }
        }
    }

    fn abandon(&mut self) {
        self.fresh = Fresh::default();
        if let Some(epoch) = &mut self.epoch {
            epoch.genetic.abandon();
        }
    }

    fn learns_next(&self) -> bool {
        self.place().is_first()
    }

    fn fit(&self) -> Option<&Fit> {
        self.report.as_ref()
    }

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn leader(&self) -> Option<Leader> {
        let epoch = self.epoch.as_ref()?;
        let Leader { candidate, fitness } = epoch.genetic.leader()?;
        Some(Leader { candidate: of_layer(epoch.layer, &candidate), fitness })
    }

    fn finalists(&self) -> Vec<Proposal> {
        let Some(epoch) = &self.epoch else { return Vec::new() };
        let of_run =
            |it: Proposal| Proposal { candidate: of_layer(epoch.layer, &it.candidate), ..it };
        epoch.genetic.finalists().into_iter().map(of_run).collect()
    }

    fn past(&self) -> &[Champion] {
        &self.past
    }

    fn forget_games(&mut self) {
        if let Some(epoch) = &mut self.epoch {
            epoch.genetic.forget_games();
        }
    }

    fn save(&self) -> Option<Saved> {
        let (last, epoch) = (self.last.as_ref()?, self.epoch.as_ref()?);
        let Memory::Pairings(pairings) = epoch.genetic.save()?.memory else { return None };
        let past = self.past.iter().map(|it| (it.generation, it.chromosome.to_hex())).collect();
        let memory = Memory::Epochs(OfEpochs { layer: epoch.layer, pairings, past });
        Some(Saved { last: SavedStep::of(last), memory })
    }
}
