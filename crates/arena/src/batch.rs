//! Batches of games to play. A [`Batch`] is plain data, so it can be sent to another machine.

use crate::as_text;
use crate::player::Spec;
use mancala::eval::{FeatureSet, Signs, Weights};
use mancala::game::{AnyGame, Notated, with_game};
use mancala::search::{Limits, MAX_DEPTH, Options};
use mancala::text::Result;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list of games to play, together with everything that determines their outcomes.
///
/// [`Batch::new`] only creates valid batches, i.e. the weights and openings are valid for the game, and all players and
/// openings in the schedule exist. Call [`checked`](Self::checked) after deserialising a batch.
///
/// ```
/// use arena::{Batch, BatchPlayer, Games, LocalGames, ScheduledGame};
/// use mancala::eval::Weights;
/// use mancala::game::{AnyGame, Game, Side, ayo::Ayo};
/// use mancala::search::Options;
/// let player = |name| {
///     let weights = Weights::named(name).unwrap();
///     BatchPlayer::to_depth(&weights, 3, Options::default())
/// };
/// let players = vec![player("daoud2004-depth5"), player("seeds")];
/// let openings = [Ayo::default().start(Side::South)];
/// let batch = Batch::new(AnyGame::default(), players, openings, ScheduledGame::pair(0, 1, 0).into());
/// let outcomes = LocalGames::new().outcomes(&batch.unwrap(), &()).unwrap();
/// assert_eq!(outcomes.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Batch {
    #[serde(with = "as_text::game")]
    pub game: AnyGame,
    /// The players, to which the schedule refers by index.
    pub players: Vec<BatchPlayer>,
    /// Starting positions in the game's notation.
    pub openings: Vec<String>,
    /// The games, in the order in which their outcomes are returned.
    pub schedule: Vec<ScheduledGame>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BatchPlayer {
    /// A search that evaluates positions with weights.
    Weights {
        weights: FeatureWeights,
        limits: Limits,
        /// How the search evaluates leaves and breaks ties.
        options: Options,
    },
    /// Any other player, given by its specification.
    Spec {
        spec: String,
        /// The player's [fingerprint](super::PlayerPool::fingerprint). The batch is rejected if the player has a
        /// different fingerprint on this machine, e.g. because a file has changed.
        fingerprint: String,
    },
}

/// Features and their multipliers, which are the only parts of [`Weights`] that affect a search.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FeatureWeights {
    features: FeatureSet,
    values: Vec<i32>,
}

/// A game in a [`Batch`]. The players and the opening are given as indices into the lists of the batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScheduledGame {
    pub first: u32,
    pub second: u32,
    pub opening: u32,
}

impl Batch {
    /// Creates a batch. Fails if a player or opening is invalid, or if the schedule refers to one that doesn't exist.
    pub fn new(
        game: AnyGame,
        players: Vec<BatchPlayer>,
        openings: impl IntoIterator<Item: ToString>,
        schedule: Vec<ScheduledGame>,
    ) -> Result<Batch> {
        let openings = openings.into_iter().map(|it| it.to_string()).collect();
        Batch { game, players, openings, schedule }.checked()
    }

    /// Checks the batch and returns it if it's valid.
    pub fn checked(self) -> Result<Batch> {
        for (number, player) in self.players.iter().enumerate() {
            let refused = |reason| format!("player {number} in the batch: {reason}");
            player.check(self.game).map_err(refused)?;
        }
        with_game!(self.game, game => self.positions(game).map(|_| ()))?;
        let [players, openings] = [self.players.len(), self.openings.len()];
        let is_missing = |it: &ScheduledGame| {
            (it.first.max(it.second) as usize) >= players || (it.opening as usize) >= openings
        };
        match self.schedule.iter().position(is_missing) {
            None => Ok(self),
            Some(game) => Err(format!(
                "game {game} in the batch refers to a player or opening that does not exist"
            )
            .into()),
        }
    }

    /// Parses the openings. `game` must be the batch's game.
    pub(super) fn positions<G: Notated>(&self, game: G) -> Result<Vec<G::Position>> {
        let read = |(opening, text): (usize, &String)| {
            let refused = |error| format!("opening {opening} in the batch: {error}").into();
            game.read_position(text).map_err(refused)
        };
        self.openings.iter().enumerate().map(read).collect()
    }
}

impl BatchPlayer {
    pub fn new(weights: &Weights, limits: Limits, options: Options) -> BatchPlayer {
        BatchPlayer::Weights { weights: FeatureWeights::of(weights), limits, options }
    }

    pub fn to_depth(weights: &Weights, depth: u32, options: Options) -> BatchPlayer {
        BatchPlayer::new(weights, Limits::depth(depth), options)
    }

    fn check(&self, game: AnyGame) -> Result<(), String> {
        match self {
            BatchPlayer::Weights { weights, limits, .. } => {
                let (of, game) = (weights.features.game(), game.kind());
                if of != game {
                    return Err(format!("the weights are for {of}, but the game is {game}"));
                }
                let is_possible = limits.depth.is_none_or(|it| (1..=MAX_DEPTH).contains(&it));
                is_possible
                    .then_some(())
                    .ok_or_else(|| format!("unsupported search limits {limits}"))
            }
            BatchPlayer::Spec { spec, .. } => {
                spec.parse::<Spec>().map(|_| ()).map_err(|error| error.to_string())
            }
        }
    }
}

impl FeatureWeights {
    /// Extracts the features and multipliers from `weights`.
    pub fn of(weights: &Weights) -> FeatureWeights {
        FeatureWeights { features: weights.features().clone(), values: weights.effective() }
    }

    pub fn weights(&self) -> Weights {
        let values: Vec<i64> = self.values.iter().copied().map(i64::from).collect();
        Weights::new("", self.features.clone(), &values, Signs::Literal)
            .expect("one multiplier per feature, in range")
    }
}

impl Serialize for FeatureWeights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        as_text::weights::serialize(&self.weights(), serializer)
    }
}

impl<'de> Deserialize<'de> for FeatureWeights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        as_text::weights::deserialize(deserializer).map(|weights| FeatureWeights::of(&weights))
    }
}

impl ScheduledGame {
    /// Schedules two games, with sides swapped, for each pairing and each of the first `openings` openings. The games
    /// of a pairing are consecutive, and so are the two games from each opening.
    ///
    /// ```
    /// use arena::ScheduledGame;
    /// let schedule = ScheduledGame::all(&[[0, 1], [0, 2]], 3);
    /// assert_eq!((schedule.len(), schedule[6]), (12, ScheduledGame { first: 0, second: 2, opening: 0 }));
    /// ```
    pub fn all(pairings: &[[u32; 2]], openings: u32) -> Vec<ScheduledGame> {
        let pairs = |&[a, b]: &[u32; 2]| {
            (0..openings).flat_map(move |opening| ScheduledGame::pair(a, b, opening))
        };
        pairings.iter().flat_map(pairs).collect()
    }

    /// Schedules the two games between `a` and `b` from one opening. `a` moves first in the first game.
    pub fn pair(a: u32, b: u32, opening: u32) -> [ScheduledGame; 2] {
        let game = |first, second| ScheduledGame { first, second, opening };
        [game(a, b), game(b, a)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::{Game, Side};

    fn of_seeds(limits: Limits) -> BatchPlayer {
        BatchPlayer::new(&Weights::named("seeds").unwrap(), limits, Options::default())
    }

    fn batch(game: &str, player: BatchPlayer, scheduled: ScheduledGame) -> Result<Batch> {
        let game: AnyGame = game.parse().unwrap();
        let start = with_game!(game, game => game.start(Side::South).to_string());
        Batch::new(game, vec![player], vec![start], vec![scheduled])
    }

    #[test]
    fn an_invalid_batch_is_refused_in_a_sentence() {
        const VALID: ScheduledGame = ScheduledGame { first: 0, second: 0, opening: 0 };
        let seeds = || of_seeds(Limits::depth(3));
        let spec = BatchPlayer::Spec { spec: "minimax:depth".into(), fingerprint: "it".into() };
        let of_kalah = batch("kalah", seeds(), VALID);
        let opening = vec!["4-4".to_owned()];
        let of_other_opening = Batch::new(AnyGame::default(), vec![seeds()], opening, vec![VALID]);
        let missing = "game 0 in the batch refers to a player";
        for (batch, reason) in [
            (of_kalah, "player 0 in the batch: the weights are for ayo, but the game is kalah"),
            (batch("ayo", of_seeds(Limits::depth(0)), VALID), "limits depth 0"),
            (batch("ayo", spec, VALID), "player 0 in the batch: player minimax"),
            (batch("ayo", seeds(), ScheduledGame { first: 1, ..VALID }), missing),
            (batch("ayo", seeds(), ScheduledGame { second: 1, ..VALID }), missing),
            (batch("ayo", seeds(), ScheduledGame { opening: 1, ..VALID }), missing),
            (of_other_opening, "opening 0 in the batch: "),
        ] {
            let error = batch.unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        batch("ayo", seeds(), VALID).unwrap();
    }

    #[test]
    fn weights_are_compared_by_what_they_come_to() {
        let weights = Weights::named("seeds").unwrap();
        let literal = Weights::new("other", weights.features().clone(), &[-1, 1], Signs::Literal);
        let literal = BatchPlayer::to_depth(&literal.unwrap(), 2, Options::default());
        assert_eq!(literal, of_seeds(Limits::depth(2)));
        assert_ne!(literal, of_seeds(Limits::depth(3)));
    }
}
