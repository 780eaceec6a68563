//! The games of the baseline optimisers.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Duels, Meeting, Plan, Point, Spent};
use crate::arena::{GameResult, PairScore, balanced_openings, play_game};
use crate::optimise::fitness::Control;
use crate::player::{Minimax, PlayableGame, Player};
use mancala::game::{Record, Side, with_game};
use mancala::random::{Purpose, stream};

/// How far from the start games begin, in plies.
const PLIES: std::ops::RangeInclusive<u32> = 5..=12;

/// The games of a plan.
pub(crate) fn duels(plan: &Plan) -> Box<dyn Duels> {
    with_game!(plan.game, game => Box::new(Games { game, plan: plan.clone() }))
}

/// Games between weights.
struct Games<G> {
    game: G,
    plan: Plan,
}

impl<G: PlayableGame> Games<G> {
    /// The first openings of a step.
    fn openings(&self, step: u64, count: usize) -> Vec<G::Position> {
        let mut dice = stream(self.plan.seed, Purpose::BaselineOpening, step, 0);
        balanced_openings(self.game, count, PLIES, &mut dice)
    }

    /// How a game ends for A who plays this side, and its nodes.
    fn outcome(
        &self,
        [a, b]: [&Minimax<G>; 2],
        opening: G::Position,
        side: Side,
        control: &dyn Control,
    ) -> Option<(GameResult, u64)> {
        let (mut a, mut b) = (a.clone(), b.clone());
        let players: [&mut dyn Player<G>; 2] = match side {
            Side::South => [&mut a, &mut b],
            Side::North => [&mut b, &mut a],
        };
        let mut record = Record::from_position(self.game, opening);
        let played = play_game(&mut record, players, control)?;
        let nodes = played.effort.map(|effort| effort.nodes).iter().sum();
        Some((GameResult::of(played.settlement.verdict, side), nodes))
    }
}

impl<G: PlayableGame> Duels for Games<G> {
    fn play(
        &self,
        step: u64,
        players: &[Point],
        meetings: &[Meeting],
        control: &dyn Control,
    ) -> Option<(Vec<f64>, Spent)> {
        let most = meetings.iter().map(|meeting| meeting.opening + 1).max().unwrap_or(0);
        let mut openings = self.openings(step, most);
        if openings.is_empty() {
            openings.push(self.game.start(Side::South));
        }
        let players: Vec<Minimax<G>> = players
            .iter()
            .map(|it| Minimax::to_depth(&self.plan.weights(it), self.plan.depth))
            .collect();
        let done = AtomicU64::new(0);
        let pair = |meeting: &Meeting| {
            // There are fewer openings than asked for only where nearly every game ends before.
            let opening = openings[meeting.opening % openings.len()];
            let both = [&players[meeting.a], &players[meeting.b]];
            let (south, nodes) = self.outcome(both, opening, Side::South, control)?;
            let (north, more) = self.outcome(both, opening, Side::North, control)?;
            let done = done.fetch_add(2, Ordering::Relaxed) + 2;
            control.games_played(done, 2 * meetings.len() as u64);
            Some((PairScore::of([south, north]).points(), nodes + more))
        };
        // One pair a job: their lengths differ too much for larger ones.
        let played: Vec<(f64, u64)> =
            meetings.par_iter().with_max_len(1).map(pair).collect::<Option<_>>()?;
        let games = 2 * meetings.len() as u64;
        let nodes = played.iter().map(|(_, nodes)| nodes).sum();
        Some((played.into_iter().map(|(score, _)| score).collect(), Spent { games, nodes }))
    }
}
