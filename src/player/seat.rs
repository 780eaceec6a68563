//! Players of any game by specification.

use super::Player;
use super::careless::Careless;
use super::external::External;
use super::greedy::Greedy;
use super::levels::level;
use super::minimax::Minimax;
use super::random::Random;
use super::spec::{self, Spec, SpecError};
use mancala::endgame::Tables;
use mancala::eval::kansas::Heuristics;
use mancala::eval::{self, Signs};
use mancala::game::AnyGame;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::kalah::{self, Kalah};
use mancala::search::{Limits, Pruning, SearchableGame};
use std::sync::Arc;

/// Opponents that strength is measured against.
pub const PANEL_SIZE: usize = 4;

/// A game that players can be had for: what a game adds to its rules so that the arena, the trainer and
/// the command line serve it.
pub trait PlayableGame: SearchableGame {
    /// The weights of a player for whom none are named.
    const WEIGHTS: &str;

    /// The opponents that strength is measured against, as weights and plies: two who go by seeds and
    /// look far ahead, and two who know more.
    const PANEL: [(&str, u32); PANEL_SIZE];

    /// A position in which whoever looks ahead sees all there is at once.
    fn shallow(&self) -> Self::Position;

    /// Settings of a searching player that only this game knows.
    const OWN_SETTINGS: &[&str] = &[];

    /// The endgame tables that a specification names.
    ///
    /// # Errors
    /// One sentence that names the player, the setting and the value.
    fn tables(&self, _: &Spec) -> Result<Option<Arc<Tables>>, SpecError> {
        Ok(None)
    }

    /// A player of a kind that only this game knows.
    ///
    /// # Errors
    /// If there is no such kind, or one sentence on what is wrong with it.
    fn own_player(&self, spec: &Spec) -> Result<Box<dyn Player<Self>>, SpecError>;
}

impl PlayableGame for Ayo {
    const WEIGHTS: &str = eval::REFERENCE;
    const PANEL: [(&str, u32); PANEL_SIZE] =
        [("seeds", 7), ("seeds", 9), ("daoud2004-depth5", 5), ("aalina4", 5)];
    const OWN_SETTINGS: &[&str] = &["tables"];

    /// A single seed goes round.
    fn shallow(&self) -> Position {
        "0-0-0-0-0-1-0-0-0-0-0-0-23-24-S".parse().expect("a valid position")
    }

    fn tables(&self, spec: &Spec) -> Result<Option<Arc<Tables>>, SpecError> {
        spec::tables(spec, self.rules)
    }

    fn own_player(&self, spec: &Spec) -> Result<Box<dyn Player<Ayo>>, SpecError> {
        match spec.kind.as_str() {
            "uci" => {
                let external = External::start(spec::external(spec)?).map_err(SpecError::Engine)?;
                Ok(Box::new(external))
            }
            "rbh" => Ok(Box::new(spec::rbh(spec)?)),
            "amdf" => Ok(Box::new(spec::amdf(spec, self.rules)?)),
            kind => {
                let known = "minimax, plain-minimax, rbh, amdf, random, greedy, uci or a level, \
                             initiation, beginner, amateur or grandmaster";
                let unknown = || SpecError::Kind { kind: kind.into(), known: known.into() };
                let level = level(kind).ok_or_else(unknown)?;
                spec.expect(&[])?;
                level.spec.parse::<Spec>()?.build(*self)
            }
        }
    }
}

impl PlayableGame for Kalah {
    const WEIGHTS: &str = "stores";
    const PANEL: [(&str, u32); PANEL_SIZE] =
        [("stores", 6), ("stores", 8), ("h1+h2+h3+h4+h5", 4), ("h1+h2", 4)];

    /// The only move brings the mover's last seed home.
    fn shallow(&self) -> kalah::Position {
        let (empty, store) = ("0-".repeat(self.pits() - 1), self.total() / 2 - 1);
        let side = format!("{empty}1-{store}");
        self.position(&format!("{side}-{side}-1")).expect("a valid position")
    }

    fn own_player(&self, spec: &Spec) -> Result<Box<dyn Player<Kalah>>, SpecError> {
        let kind = spec.kind.clone();
        let known = "minimax, plain-minimax, kansas, random or greedy in kalah".into();
        match kind.as_str() {
            "kansas" => Ok(Box::new(kansas(spec)?)),
            "rbh" | "amdf" | "uci" => Err(SpecError::OfAyo { kind, what: "a player", known }),
            name if level(name).is_some() => Err(SpecError::OfAyo { kind, what: "a level", known }),
            _ => Err(SpecError::Kind { kind, known }),
        }
    }
}

/// A player of the report of Gifford et al. (2008): the sum of some heuristics, without knowledge of the
/// win.
fn kansas(spec: &Spec) -> Result<Minimax<Kalah>, SpecError> {
    spec.expect(&["heuristics", "depth"])?;
    let heuristics =
        spec.value("heuristics", |_| true, "h0 or some of h1 to h6, as in h1+h2+h4")?;
    let Some::<Heuristics>(heuristics) = heuristics else {
        let (key, example) = ("heuristics".into(), "h1+h2".into());
        return Err(SpecError::Missing { kind: spec.kind.clone(), key, example });
    };
    let limits = Limits::depth(spec::depth(spec)?.unwrap_or(spec::DEFAULT_DEPTH));
    let utility = heuristics.utility();
    let seed_value = utility.seed_value();
    Ok(Minimax::of(utility.searcher(), seed_value, limits, Pruning::AlphaBeta))
}

impl Spec {
    /// The player that this describes, as [`build_for`](super::build_for) makes him.
    ///
    /// # Errors
    /// One sentence that names the player, the setting and the value.
    pub fn build<G: PlayableGame>(&self, game: G) -> Result<Box<dyn Player<G>>, SpecError> {
        match self.kind.as_str() {
            "minimax" => {
                let player = self.minimax(game, Pruning::AlphaBeta)?;
                Ok(match spec::slips(self)? {
                    None => Box::new(player),
                    Some((slips, seed)) => Box::new(Careless { player, slips, seed }),
                })
            }
            "plain-minimax" => Ok(Box::new(self.minimax(game, Pruning::None)?)),
            "random" => {
                self.expect(&["seed"])?;
                let seed = self.value("seed", |_| true, "a whole number")?.unwrap_or(1);
                Ok(Box::new(Random { seed }))
            }
            "greedy" => {
                self.expect(&[])?;
                Ok(Box::new(Greedy))
            }
            _ => game.own_player(self),
        }
    }

    fn minimax<G: PlayableGame>(&self, game: G, pruning: Pruning) -> Result<Minimax<G>, SpecError> {
        let common: &[&str] = match pruning {
            Pruning::AlphaBeta | Pruning::Unordered => {
                &["weights", "depth", "nodes", "movetime", "signs", "slips", "seed"]
            }
            Pruning::None => &["weights", "depth", "signs"],
        };
        self.expect(&[common, G::OWN_SETTINGS].concat())?;
        let limits = match pruning {
            Pruning::AlphaBeta | Pruning::Unordered => spec::limits(self)?,
            Pruning::None => Limits::depth(spec::depth(self)?.unwrap_or(spec::DEFAULT_DEPTH)),
        };
        let name = self.text("weights").unwrap_or(G::WEIGHTS);
        let weights = spec::weights(self, name)?;
        let (of, played) = (weights.features().game(), Into::<AnyGame>::into(game).kind());
        if of != played {
            let expected = format!("weights of {played} features (it weighs those of {of})");
            return Err(self.unexpected("weights", name, expected));
        }
        let signs: Signs =
            self.value("signs", |_| true, "signed or literal")?.unwrap_or(weights.signs());
        let weights = weights.with_signs(signs);
        let player = Minimax::new(&weights, limits, pruning);
        Ok(match game.tables(self)? {
            None => player,
            Some(tables) => player.with_tables(&weights, tables),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{self, Player};
    use mancala::game::Record;

    fn sees_all<G: PlayableGame>(game: G) {
        let position = game.shallow();
        assert_eq!(game.ended(&position), None, "{position}");
        let mut player: Box<dyn Player<G>> = player::build_for("minimax:depth=60", game).unwrap();
        let worth = player.payoffs(&Record::from_position(game, position));
        assert_eq!(worth.len(), game.moves(&position).len(), "{position}");
    }

    #[test]
    fn a_shallow_position_is_seen_through_on_every_board() {
        sees_all(Ayo::default());
        for board in ["kalah", "kalah:pits=1,seeds=1", "kalah:pits=8,seeds=24,ending=emptier"] {
            sees_all::<Kalah>(board.parse().unwrap());
        }
    }
}
