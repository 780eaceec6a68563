//! Players outside the population.

use std::fmt::{self, Display};
use std::str::FromStr;

use arena::player::{PlayableGame, Spec};
use arena::{BatchPlayer, PlayerPool};

/// Players outside the population that every member plays. Text form: specifications joined by `; `, each followed by
/// the fingerprint that the player had at the start of the run (see [`PlayerPool::fingerprint`]), as in
/// `minimax:weights=seeds,depth=3 #1a2b3c4d`; empty if there are none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opponents(Vec<Opponent>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Opponent {
    spec: String,
    /// The fingerprint of the player. It is empty until the game of the run is known.
    fingerprint: String,
}

impl Opponents {
    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn players(&self) -> impl Iterator<Item = BatchPlayer> {
        self.0
            .iter()
            .cloned()
            .map(|Opponent { spec, fingerprint }| BatchPlayer::Spec { spec, fingerprint })
    }

    pub(super) fn are_identified(&self) -> bool {
        self.0.iter().all(|opponent| !opponent.fingerprint.is_empty())
    }

    /// Adds the players' fingerprints for the given game.
    ///
    /// # Errors
    /// If a player cannot be created.
    pub(super) fn identify<G: PlayableGame>(&mut self, game: G) -> Result<(), String> {
        for opponent in &mut self.0 {
            let pool = PlayerPool::new(&opponent.spec, game).map_err(|error| error.to_string())?;
            *opponent = Opponent { spec: pool.spec.clone(), fingerprint: pool.fingerprint() };
        }
        Ok(())
    }
}

impl FromStr for Opponents {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let opponent = |part: &str| {
            let (spec, fingerprint) = part.rsplit_once(" #").unwrap_or((part, ""));
            let parsed = spec.trim().parse::<Spec>().map_err(|error| error.to_string())?;
            Ok(Opponent { spec: parsed.to_string(), fingerprint: fingerprint.trim().into() })
        };
        let parts = text.split(';').filter(|part| !part.trim().is_empty());
        parts.map(opponent).collect::<Result<_, _>>().map(Opponents)
    }
}

impl Display for Opponents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |Opponent { spec, fingerprint }: &Opponent| match fingerprint.as_str() {
            "" => spec.clone(),
            _ => format!("{spec} #{fingerprint}"),
        };
        f.write_str(&self.0.iter().map(text).collect::<Vec<_>>().join("; "))
    }
}
