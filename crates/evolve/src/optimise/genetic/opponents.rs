//! Players outside the population.

use std::fmt::{self, Display};
use std::str::FromStr;

use arena::player::{PlayableGame, Spec};
use arena::{Contender, Team};

/// Players outside the population that every member meets. Text form: specifications joined by `; `, each with the
/// [fingerprint](Team::fingerprint) of what it stood for when the run began, as in
/// `minimax:weights=seeds,depth=3 #1a2b3c4d`; the empty text for none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opponents(Vec<Opponent>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Opponent {
    spec: String,
    /// Empty until the run's game is known.
    fingerprint: String,
}

impl Opponents {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The players.
    pub(super) fn contenders(&self) -> impl Iterator<Item = Contender> {
        self.0
            .iter()
            .cloned()
            .map(|Opponent { spec, fingerprint }| Contender::Spec { spec, fingerprint })
    }

    /// Whether it is known what each stood for when the run began.
    pub(super) fn are_identified(&self) -> bool {
        self.0.iter().all(|it| !it.fingerprint.is_empty())
    }

    /// Notes what each stands for in a game.
    ///
    /// # Errors
    /// A sentence if one cannot be had.
    pub(super) fn identify<G: PlayableGame>(&mut self, game: G) -> Result<(), String> {
        for it in &mut self.0 {
            let team = Team::new(&it.spec, game).map_err(|error| error.to_string())?;
            *it = Opponent { spec: team.spec().into(), fingerprint: team.fingerprint() };
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
        let text = |it: &Opponent| match it.fingerprint.as_str() {
            "" => it.spec.clone(),
            fingerprint => format!("{} #{fingerprint}", it.spec),
        };
        f.write_str(&self.0.iter().map(text).collect::<Vec<_>>().join("; "))
    }
}
