//! A first look at strength, in the seconds before anything is measured.

use arena::{Batch, Contender, Games, Meeting, PairScore};
use mancala::eval::{Strength, Weights};
use mancala::game::with_game;
use mancala::progress::Progress;
use mancala::search::Limits;

use super::{Conditions, MeasuredOpenings, Panel, SAMPLE_SEED, player, strength, suite};
use crate::run::settings::Settings;

/// Openings of a look: so few that it takes a fraction of a second.
const OPENINGS: usize = 50;
/// Plies that both sides look ahead at most.
const DEPTH: u32 = 5;

/// What weights of a run score against the plainest of the panel, at the same depth. Nothing is kept of it, and
/// no run depends on it. `None` if the progress stopped it, or the game has no openings.
pub fn glimpse(
    settings: &Settings,
    weights: &Weights,
    games: &dyn Games,
    progress: &dyn Progress,
) -> Option<Strength> {
    let conditions = settings.conditions();
    let Conditions { game, options, .. } = conditions;
    let all = MeasuredOpenings::of(game);
    if all.all() == 0 {
        return None;
    }
    let limits = Limits::depth(conditions.limits.depth.unwrap_or(DEPTH).min(DEPTH));
    let (name, _) = Panel::First.opponents(game)[0];
    let plainest = Weights::named(name).expect("a named evaluator");
    let players = vec![
        Contender::new(weights, limits, options),
        Contender::new(&plainest, limits, conditions.of_panel()),
    ];
    let openings = with_game!(game, game => {
        suite(game).expect("openings").sample(OPENINGS, SAMPLE_SEED).notation()
    });
    let meetings = Meeting::all(&[[0, 1]], openings.len() as u32);
    let batch = Batch::new(game, players, openings, meetings).expect("weights of the game");
    let scores = PairScore::of_pairs(&games.outcomes(&batch, progress)?);
    Some(strength(&player(name, limits), scores.into_iter().collect(), all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Draft;
    use arena::LocalGames;

    #[test]
    fn a_look_is_a_match_that_can_be_repeated() {
        let mut draft = Draft::preset("standard").unwrap();
        draft.set("depth", "1").unwrap();
        let settings = draft.finish().unwrap();
        let weights = Weights::named("aalina4").unwrap();
        let look = || glimpse(&settings, &weights, &LocalGames::new(), &()).unwrap();
        let found = look();
        assert_eq!(found, look());
        assert_eq!((found.opponent.as_str(), found.games), ("minimax:weights=seeds,depth=1", 100));
        assert!(found.score > 0.5 && found.is_possible(), "{found:?}");
    }
}
