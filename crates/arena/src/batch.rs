//! Games to be played, as data: what is played, by which players, from which openings.

use crate::player::Spec;
use mancala::eval::{FeatureSet, Signs, Weights};
use mancala::game::{AnyGame, Notated, with_game};
use mancala::search::{Limits, MAX_DEPTH, Options};

/// Games between some players, whose outcomes depend on nothing else.
///
/// A batch is valid: its weights are of its game, its openings are positions of it, and its meetings
/// name players and openings that are there.
///
/// ```
/// use arena::{Batch, Contender, Games, LocalGames, Meeting};
/// use mancala::eval::Weights;
/// use mancala::game::{AnyGame, Game, Side, ayo::Ayo};
/// use mancala::search::Options;
/// let player = |name| {
///     let weights = Weights::named(name).unwrap();
///     Contender::to_depth(&weights, 3, Options::default())
/// };
/// let players = vec![player("daoud2004-depth5"), player("seeds")];
/// let openings = vec![Ayo::default().start(Side::South).to_string()];
/// let batch = Batch::new(AnyGame::default(), players, openings, Meeting::pair(0, 1, 0).into());
/// let outcomes = LocalGames::new().outcomes(&batch.unwrap(), &()).unwrap();
/// assert_eq!(outcomes.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    game: AnyGame,
    players: Vec<Contender>,
    openings: Vec<String>,
    meetings: Vec<Meeting>,
}

/// A player of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Contender {
    /// A search with weights.
    Weights {
        weights: Factors,
        limits: Limits,
        /// How it values leaves and chooses among equals.
        options: Options,
    },
    /// Any other player.
    Spec {
        spec: String,
        /// The [fingerprint](super::Team::fingerprint) of what the specification stood for when the batch was made. A
        /// place where it stands for something else, such as another file of weights, refuses the batch.
        fingerprint: String,
    },
}

/// The multiplier of each feature: everything of [`Weights`] that a search depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Factors {
    features: FeatureSet,
    values: Vec<i32>,
}

/// A game of a batch. Players and openings are numbers of the batch's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Meeting {
    /// The player that moves first.
    pub first: u32,
    /// Its opponent.
    pub second: u32,
    pub opening: u32,
}

/// The error that a [`Batch`] is not valid.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BatchError(String);

impl Batch {
    /// Checks a batch.
    ///
    /// # Errors
    /// If a player or an opening is of another game, or a meeting names a missing player or opening.
    pub fn new(
        game: AnyGame,
        players: Vec<Contender>,
        openings: Vec<String>,
        meetings: Vec<Meeting>,
    ) -> Result<Batch, BatchError> {
        let batch = Batch { game, players, openings, meetings: Vec::new() };
        for (player, contender) in batch.players.iter().enumerate() {
            contender
                .check(game)
                .map_err(|reason| BatchError(format!("player {player} of a batch: {reason}")))?;
        }
        with_game!(game, game => batch.positions(game).map(|_| ()))?;
        batch.meeting(meetings)
    }

    pub fn game(&self) -> AnyGame {
        self.game
    }

    /// The players, whose places meetings name.
    pub fn players(&self) -> &[Contender] {
        &self.players
    }

    /// What games begin from, in the notation of the game.
    pub fn openings(&self) -> &[String] {
        &self.openings
    }

    /// The players and the opening of each game, in the order of the outcomes.
    pub fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    /// Returns a copy of the batch with other meetings.
    ///
    /// # Errors
    /// If a meeting names a missing player or opening.
    pub fn with_meetings(&self, meetings: Vec<Meeting>) -> Result<Batch, BatchError> {
        let Batch { game, players, openings, .. } = self;
        let (players, openings) = (players.clone(), openings.clone());
        Batch { game: *game, players, openings, meetings: Vec::new() }.meeting(meetings)
    }

    /// The batch with these meetings, if their players and openings are there.
    fn meeting(self, meetings: Vec<Meeting>) -> Result<Batch, BatchError> {
        let [players, openings] = [self.players.len(), self.openings.len()];
        let is_there = |it: &Meeting| {
            (it.first.max(it.second) as usize) < players && (it.opening as usize) < openings
        };
        match meetings.iter().position(|meeting| !is_there(meeting)) {
            Some(meeting) => Err(BatchError(format!(
                "meeting {meeting} of a batch names a player or an opening that is not there"
            ))),
            None => Ok(Batch { meetings, ..self }),
        }
    }

    /// The openings as positions of the batch's game, which `game` must be.
    pub(super) fn positions<G: Notated>(&self, game: G) -> Result<Vec<G::Position>, BatchError> {
        let read = |(opening, text): (usize, &String)| {
            let refused = |error| BatchError(format!("opening {opening} of a batch: {error}"));
            game.read_position(text).map_err(refused)
        };
        self.openings.iter().enumerate().map(read).collect()
    }
}

impl Contender {
    /// The player that searches with some weights within limits.
    pub fn new(weights: &Weights, limits: Limits, options: Options) -> Contender {
        Contender::Weights { weights: Factors::of(weights), limits, options }
    }

    /// The player that searches `depth` plies with some weights.
    pub fn to_depth(weights: &Weights, depth: u32, options: Options) -> Contender {
        Contender::new(weights, Limits::depth(depth), options)
    }

    fn check(&self, game: AnyGame) -> Result<(), String> {
        match self {
            Contender::Weights { weights, limits, .. } => {
                let (of, game) = (weights.features.game(), game.kind());
                if of != game {
                    return Err(format!("weights of {of}, the game is {game}"));
                }
                let is_possible = limits.depth.is_none_or(|it| (1..=MAX_DEPTH).contains(&it));
                is_possible.then_some(()).ok_or_else(|| format!("no search has limits {limits}"))
            }
            Contender::Spec { spec, .. } => {
                spec.parse::<Spec>().map(|_| ()).map_err(|error| error.to_string())
            }
        }
    }
}

impl Factors {
    /// The multipliers of weights.
    pub fn of(weights: &Weights) -> Factors {
        Factors { features: weights.features().clone(), values: weights.effective() }
    }

    /// Weights that multiply features with these factors.
    pub fn weights(&self) -> Weights {
        let values: Vec<i64> = self.values.iter().copied().map(i64::from).collect();
        Weights::new("", self.features.clone(), &values, Signs::Literal)
            .expect("one multiplier per feature, in range")
    }
}

impl Meeting {
    /// The games of pairings from each of the first `openings` openings. The games of a pairing are consecutive, and so
    /// are the two games of an opening.
    ///
    /// ```
    /// use arena::Meeting;
    /// let meetings = Meeting::all(&[[0, 1], [0, 2]], 3);
    /// assert_eq!((meetings.len(), meetings[6]), (12, Meeting { first: 0, second: 2, opening: 0 }));
    /// ```
    pub fn all(pairings: &[[u32; 2]], openings: u32) -> Vec<Meeting> {
        let pairs = |&[a, b]: &[u32; 2]| {
            (0..openings).flat_map(move |opening| Meeting::pair(a, b, opening))
        };
        pairings.iter().flat_map(pairs).collect()
    }

    /// The two games of `a` and `b` from an opening, `a` moving first in the first of them.
    pub fn pair(a: u32, b: u32, opening: u32) -> [Meeting; 2] {
        let meeting = |first, second| Meeting { first, second, opening };
        [meeting(a, b), meeting(b, a)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::{Game, Side};

    fn of_seeds(limits: Limits) -> Contender {
        Contender::new(&Weights::named("seeds").unwrap(), limits, Options::default())
    }

    fn batch(game: &str, player: Contender, meeting: Meeting) -> Result<Batch, BatchError> {
        let game: AnyGame = game.parse().unwrap();
        let start = with_game!(game, game => game.start(Side::South).to_string());
        Batch::new(game, vec![player], vec![start], vec![meeting])
    }

    #[test]
    fn an_invalid_batch_is_refused_in_a_sentence() {
        const VALID: Meeting = Meeting { first: 0, second: 0, opening: 0 };
        let seeds = || of_seeds(Limits::depth(3));
        let spec = Contender::Spec { spec: "minimax:depth".into(), fingerprint: "it".into() };
        let of_kalah = batch("kalah", seeds(), VALID);
        let opening = vec!["4-4".to_owned()];
        let of_other_opening = Batch::new(AnyGame::default(), vec![seeds()], opening, vec![VALID]);
        let missing = "meeting 0 of a batch names a player";
        for (batch, reason) in [
            (of_kalah, "player 0 of a batch: weights of ayo, the game is kalah"),
            (batch("ayo", of_seeds(Limits::depth(0)), VALID), "no search has limits depth 0"),
            (batch("ayo", spec, VALID), "player 0 of a batch: player minimax"),
            (batch("ayo", seeds(), Meeting { first: 1, ..VALID }), missing),
            (batch("ayo", seeds(), Meeting { second: 1, ..VALID }), missing),
            (batch("ayo", seeds(), Meeting { opening: 1, ..VALID }), missing),
            (of_other_opening, "opening 0 of a batch: "),
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
        let literal = Contender::to_depth(&literal.unwrap(), 2, Options::default());
        assert_eq!(literal, of_seeds(Limits::depth(2)));
        assert_ne!(literal, of_seeds(Limits::depth(3)));
    }
}
