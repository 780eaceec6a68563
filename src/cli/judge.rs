//! A player's opinion of the moves of replayed games.

use std::io::Write;

use serde_json::{Value, json};

use super::moves::build_player;
use super::usage;
use crate::arena::{Annotation, Summary, annotate};
use crate::player::{PlayableGame, Player};
use mancala::game::{Record, Replay, Side};

/// Captured seeds whose worth a blunder loses, if nothing else is said.
const BLUNDER_SEEDS: i32 = 3;

/// A player who values moves, and what he calls a blunder.
pub(super) struct Judge<G: PlayableGame> {
    spec: String,
    player: Box<dyn Player<G>>,
    limit: i32,
}

impl<G: PlayableGame> Judge<G> {
    /// The player of a specification; a blunder loses `limit` points.
    pub(super) fn new(spec: &str, game: G, limit: Option<i32>) -> anyhow::Result<Judge<G>> {
        let mut player = build_player(spec, game)?;
        if player.payoffs(&Record::from_position(game, game.shallow())).is_empty() {
            return Err(usage(format!(
                "player {spec} does not say what a move is worth; one that searches does, as minimax"
            )));
        }
        let of_seeds = player.seed_value().map(|value| BLUNDER_SEEDS * value);
        let limit = limit.or(of_seeds).ok_or_else(|| {
            usage(format!("a captured seed is worth nothing to player {spec}: give --blunder N"))
        })?;
        Ok(Judge { spec: spec.into(), player, limit })
    }

    /// Judges a game as far as it replays and goes on.
    pub(super) fn judge(&mut self, replay: &Replay<G>) -> anyhow::Result<Judged> {
        let plies = replay.decided.as_ref().map_or(usize::MAX, |decided| decided.ply);
        let plies = plies.min(replay.record.plies().len());
        let annotations = annotate(&mut *self.player, &replay.record, plies)?;
        Ok(Judged { annotations, limit: self.limit })
    }

    /// What the marks depend on.
    pub(super) fn add_to(&self, report: &mut Value) {
        report["player"] = json!(self.spec);
        report["blunder"] = json!(self.limit);
        report["reproducible"] = json!(self.player.reproducible());
    }

    /// What the marks mean.
    pub(super) fn print_legend(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Judge { spec, limit, .. } = self;
        writeln!(out, "judged by {spec}, in its points, from the view of the side that moves")?;
        writeln!(
            out,
            "a blunder loses {limit} or more, a game not yet lost, or a won one's advantage"
        )?;
        if !self.player.reproducible() {
            writeln!(out, "The player is limited by time: his marks cannot be reproduced.")?;
        }
        Ok(())
    }
}

/// The marks of one game.
pub(super) struct Judged {
    annotations: Vec<Annotation>,
    limit: i32,
}

impl Judged {
    fn summary(&self, side: Side) -> Summary {
        Summary::of(&self.annotations, side, self.limit)
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "    ply move       score best       score    lost")?;
        for it in &self.annotations {
            let (score, best_score) = (it.score.to_string(), it.best_score.to_string());
            let (played, best) = (it.played.letter(it.side), it.best.letter(it.side));
            let lost = it.lost().map_or("-".into(), |lost| lost.to_string());
            let mark = if it.is_blunder(self.limit) { "  blunder" } else { "" };
            let ply = it.ply;
            writeln!(
                out,
                "  {ply:>5} {played:>4} {score:>11} {best:>4} {best_score:>11} {lost:>7}{mark}"
            )?;
        }
        for side in Side::BOTH {
            let Summary { moves, same, mean_lost, blunders } = self.summary(side);
            writeln!(
                out,
                "  {side}: moves {moves}, the player's own {same}, \
                 mean lost {mean_lost:.1}, blunders {blunders}"
            )?;
        }
        Ok(())
    }

    /// Adds the marks to what is known of the game.
    pub(super) fn add_to(&self, game: &mut Value) {
        let mark = |it: &Annotation| {
            json!({
                "ply": it.ply,
                "side": it.side.to_string(),
                "move": it.played.letter(it.side),
                "score": it.score.0,
                "score_text": it.score.to_string(),
                "best": it.best.letter(it.side),
                "best_score": it.best_score.0,
                "best_score_text": it.best_score.to_string(),
                "lost": it.lost(),
                "blunder": it.is_blunder(self.limit),
            })
        };
        game["moves"] = self.annotations.iter().map(mark).collect();
        let [south, north] = Side::BOTH.map(|side| self.summary(side));
        game["summary"] = json!({ "South": south, "North": north });
    }
}
