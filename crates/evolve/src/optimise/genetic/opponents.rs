//! Players outside the population.

use arena::player::{PlayableGame, Spec};
use arena::{BatchPlayer, PlayerPool};

use crate::optimise::settings::text_form;

/// Players outside the population that every member plays. Text form: specifications joined by `; `, each followed by
/// the [fingerprint](PlayerPool::fingerprint) of the player, as in `minimax:weights=seeds,depth=3 #1a2b3c4d`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opponents(pub Vec<Opponent>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opponent {
    spec: String,
    /// Empty until the game of the run is known.
    fingerprint: String,
}

impl Opponents {
    pub(super) fn players(&self) -> impl Iterator<Item = BatchPlayer> {
        let player = |Opponent { spec, fingerprint }| BatchPlayer::Spec { spec, fingerprint };
        self.0.iter().cloned().map(player)
    }

    pub(super) fn are_identified(&self) -> bool {
        self.0.iter().all(|opponent| !opponent.fingerprint.is_empty())
    }

    /// Adds the players' fingerprints for the given game.
    pub(super) fn identify<G: PlayableGame>(&mut self, game: G) -> Result<(), String> {
        for opponent in &mut self.0 {
            let pool = PlayerPool::new(&opponent.spec, game).map_err(|error| error.to_string())?;
            *opponent = Opponent { spec: pool.spec().into(), fingerprint: pool.fingerprint() };
        }
        Ok(())
    }
}

text_form!(
    Opponents,
    |text| {
        let opponent = |part: &str| {
            let (spec, fingerprint) = part.rsplit_once(" #").unwrap_or((part, ""));
            let parsed = spec.trim().parse::<Spec>().map_err(|error| error.to_string())?;
            Ok(Opponent { spec: parsed.to_string(), fingerprint: fingerprint.trim().into() })
        };
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        parts.map(opponent).collect::<Result<_, _>>().map(Opponents)
    },
    |opponents| {
        let text = |Opponent { spec, fingerprint }: &Opponent| match fingerprint.as_str() {
            "" => spec.clone(),
            _ => format!("{spec} #{fingerprint}"),
        };
        opponents.0.iter().map(text).collect::<Vec<_>>().join("; ")
    }
);
