//! Where the games of a generation are played: the part of a tournament that is compiled for each game.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::arena::play_game;
use crate::optimise::fitness::Control;
use crate::optimise::genetic::recalling::{Choices, Recalling};
use crate::optimise::genome::Chromosome;
use crate::player::{Minimax, PlayableGame};
use crate::run::settings::Settings;
use mancala::game::{Record, Side, Verdict, with_game};

/// A game asked for: who moves first, who second, from which opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Meeting {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) opening: usize,
}

/// What a game came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    /// Of the one who moves first.
    pub(crate) points: u8,
    pub(crate) nodes: u64,
}

/// Choices that are recalled, all players together.
const MOST_CHOICES: usize = 1 << 20;

/// Plays games of some game.
pub(crate) trait Table: Debug + Send + Sync {
    /// Makes ready for the games of a generation between these players. Choices of chromosomes that are
    /// gone are forgotten.
    fn lay(&mut self, generation: u32, players: &[Chromosome]);

    /// How many openings the generation has.
    fn openings(&self) -> usize;

    /// The outcomes of some meetings of the players, in their order. `None` if `control` stopped one.
    fn play(
        &self,
        players: &[Chromosome],
        meetings: &[Meeting],
        control: &dyn Control,
    ) -> Option<Vec<Outcome>>;

    /// A table like this one.
    fn another(&self) -> Box<dyn Table>;
}

impl Clone for Box<dyn Table> {
    fn clone(&self) -> Self {
        self.another()
    }
}

/// The table for the game of these settings.
pub(crate) fn table(settings: &Settings) -> Box<dyn Table> {
    with_game!(settings.game(), game => Box::new(TableOf {
        game,
        settings: settings.clone(),
        openings: Vec::new(),
        choices: FxHashMap::default(),
    }))
}

#[derive(Debug, Clone)]
struct TableOf<G: PlayableGame> {
    game: G,
    settings: Settings,
    /// Of the generation.
    openings: Vec<G::Position>,
    /// Choices of those who play in it, and played before. They save searches and change nothing else, so
    /// they are not part of a checkpoint.
    choices: FxHashMap<Chromosome, Choices<G>>,
}

impl<G: PlayableGame> TableOf<G> {
    /// Equal chromosomes recall the same choices.
    fn player(&self, chromosome: &Chromosome) -> Recalling<G> {
        let weights = self.settings.weights(chromosome);
        let player = Minimax::to_depth(&weights, self.settings.depth);
        Recalling::new(player, self.choices[chromosome].clone())
    }

    fn game(
        &self,
        opening: G::Position,
        first: &mut Recalling<G>,
        second: &mut Recalling<G>,
        control: &dyn Control,
    ) -> Option<Outcome> {
        let mut record = Record::from_position(self.game, opening);
        let side = record.to_move();
        let played = match side {
            Side::South => play_game(&mut record, [first, second], control),
            Side::North => play_game(&mut record, [second, first], control),
        }?;
        let points = match played.settlement.verdict {
            Verdict::Won(winner) if winner == side => 2,
            Verdict::Drawn => 1,
            Verdict::Won(_) => 0,
        };
        Some(Outcome { points, nodes: played.effort.map(|effort| effort.nodes).iter().sum() })
    }
}

impl<G: PlayableGame> Table for TableOf<G> {
    fn lay(&mut self, generation: u32, players: &[Chromosome]) {
        let Settings { openings, seed, .. } = &self.settings;
        self.openings = openings.draw(self.game, *seed, generation);
        let most = MOST_CHOICES / players.len();
        let mut before = std::mem::take(&mut self.choices);
        for player in players {
            let kept = before.remove(player);
            let choices = || kept.unwrap_or_else(|| Choices::at_most(most));
            self.choices.entry(player.clone()).or_insert_with(choices);
        }
        // To free them takes a millisecond in which games can begin.
        rayon::spawn(move || drop(before));
    }

    fn openings(&self) -> usize {
        self.openings.len()
    }

    fn play(
        &self,
        players: &[Chromosome],
        meetings: &[Meeting],
        control: &dyn Control,
    ) -> Option<Vec<Outcome>> {
        let players: Vec<Recalling<G>> = players.iter().map(|p| self.player(p)).collect();
        let done = AtomicU64::new(0);
        let game = |meeting: &Meeting| {
            let (mut one, mut other) =
                (players[meeting.first].clone(), players[meeting.second].clone());
            let opening = self.openings[meeting.opening];
            let outcome = self.game(opening, &mut one, &mut other, control)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            control.games_played(done, meetings.len() as u64);
            Some(outcome)
        };
        // One game a job: their lengths differ too much for larger ones.
        meetings.par_iter().with_max_len(1).map(game).collect()
    }

    fn another(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}
