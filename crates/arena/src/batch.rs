//! Games to be played, as data: what is played, by which players, from which openings.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::player::{Spec, SpecError};
use mancala::eval::{FeatureSet, FeatureSetError, Layer, LayerError, Signs, Weights, WeightsError};
use mancala::game::ayo::{Ayo, RulesError};
use mancala::game::{AnyGame, GameKind, Notated, TextError, with_game};
use mancala::search::{Limits, MAX_DEPTH, Options};
use mancala::store::{Frame, FrameError};

/// Version of batches and their outcomes. It grows with every change of what they hold or mean.
pub const BATCH_VERSION: u32 = 5;

/// How batches travel.
const FRAME: Frame = Frame { kind: *b"BTCH", version: BATCH_VERSION };

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "RawBatch", try_from = "RawBatch")]
pub struct Batch {
    game: AnyGame,
    players: Vec<Contender>,
    openings: Vec<String>,
    meetings: Vec<Meeting>,
}

/// A player of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Contender {
    /// One that searches with some weights.
    Weights {
        /// What it values positions by.
        weights: Factors,
        /// What each search may spend.
        limits: Limits,
        /// How it values leaves and chooses among equals.
        options: Options,
    },
    /// Any other player.
    Spec {
        /// Its specification.
        spec: String,
        /// The [fingerprint](super::Team::fingerprint) of what the specification stood for when the batch was made. A
        /// place where it stands for something else, such as another file of weights, refuses the batch.
        fingerprint: String,
    },
}

/// What each feature of a set is multiplied with: all of some weights that a search depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Factors {
    features: FeatureSet,
    values: Vec<i32>,
}

/// A game of a batch. Players and openings are numbers of the batch's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Meeting {
    /// The player that moves first.
    pub first: u32,
    /// Its opponent.
    pub second: u32,
    /// What they begin from.
    pub opening: u32,
}

/// Why there is no batch.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The bytes are no batch of this version.
    #[error("a batch {0}")]
    Frame(#[from] FrameError),
    /// No game.
    #[error("a batch's game: {0}")]
    Game(String),
    /// No rules.
    #[error("a batch's rules: {0}")]
    Rules(#[from] RulesError),
    /// No layer.
    #[error("a layer of a batch {0}")]
    Layer(String),
    /// Factors that cannot be read.
    #[error("player {player} of a batch: {error}")]
    Factors {
        /// The number of the player, from 0.
        player: usize,
        /// What is wrong with them.
        error: String,
    },
    /// Weights of another game.
    #[error("player {player} of a batch has weights of {of}, the game is {game}")]
    OtherGame {
        /// The number of the player, from 0.
        player: usize,
        /// The game of the weights.
        of: GameKind,
        /// That of the batch.
        game: GameKind,
    },
    /// Limits that no search has.
    #[error("player {player} of a batch has limits that no search has: {limits}")]
    Limits {
        /// The number of the player, from 0.
        player: usize,
        /// The limits that were asked for.
        limits: Limits,
    },
    /// A specification that cannot be read.
    #[error("player {player} of a batch: {error}")]
    Spec {
        /// The number of the player, from 0.
        player: usize,
        /// What is wrong with it.
        error: Box<SpecError>,
    },
    /// An opening that is no position of the game.
    #[error("opening {opening} of a batch: {error}")]
    Opening {
        /// The number of the opening, from 0.
        opening: usize,
        /// What is wrong with it.
        error: TextError,
    },
    /// A meeting of players or from an opening that are not there.
    #[error("meeting {meeting} of a batch names a player or an opening that is not there")]
    Meeting {
        /// The number of the meeting, from 0.
        meeting: usize,
    },
}

impl Batch {
    /// Checks a batch.
    ///
    /// # Errors
    /// If a player or an opening is none of the game, or a meeting names one that is not there.
    pub fn new(
        game: AnyGame,
        players: Vec<Contender>,
        openings: Vec<String>,
        meetings: Vec<Meeting>,
    ) -> Result<Batch, BatchError> {
        let batch = Batch { game, players, openings, meetings: Vec::new() };
        for (player, contender) in batch.players.iter().enumerate() {
            contender.check(player, game)?;
        }
        with_game!(game, game => batch.positions(game).map(|_| ()))?;
        batch.meeting(meetings)
    }

    /// The game and its rules.
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

    /// The same batch with other meetings.
    ///
    /// # Errors
    /// If one names a player or an opening that is not there.
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
            Some(meeting) => Err(BatchError::Meeting { meeting }),
            None => Ok(Batch { meetings, ..self }),
        }
    }

    /// The openings as positions of the batch's game, which `game` must be.
    pub(super) fn positions<G: Notated>(&self, game: G) -> Result<Vec<G::Position>, BatchError> {
        let read = |(opening, text): (usize, &String)| {
            game.read_position(text).map_err(|error| BatchError::Opening { opening, error })
        };
        self.openings.iter().enumerate().map(read).collect()
    }

    /// The bytes of a batch.
    pub fn encode(&self) -> Vec<u8> {
        FRAME.encode(self)
    }

    /// The batch that [`Batch::encode`] wrote.
    ///
    /// # Errors
    /// If the bytes are of another version, damaged, or no batch.
    pub fn decode(bytes: &[u8]) -> Result<Batch, BatchError> {
        FRAME.decode::<RawBatch>(bytes)?.try_into()
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

    fn check(&self, player: usize, game: AnyGame) -> Result<(), BatchError> {
        match self {
            Contender::Weights { weights, limits, .. } => {
                let (of, game, limits) = (weights.features.game(), game.kind(), *limits);
                let is_possible = limits.depth.is_none_or(|it| (1..=MAX_DEPTH).contains(&it));
                if of != game {
                    return Err(BatchError::OtherGame { player, of, game });
                }
                is_possible.then_some(()).ok_or(BatchError::Limits { player, limits })
            }
            Contender::Spec { spec, .. } => match spec.parse::<Spec>() {
                Ok(_) => Ok(()),
                Err(error) => Err(BatchError::Spec { player, error: Box::new(error) }),
            },
        }
    }
}

impl Factors {
    /// Those of some weights.
    pub fn of(weights: &Weights) -> Factors {
        Factors { features: weights.features().clone(), values: weights.effective() }
    }

    /// Weights that multiply features with these factors.
    pub fn weights(&self) -> Weights {
        let values: Vec<i64> = self.values.iter().copied().map(i64::from).collect();
        Weights::new("", self.features.clone(), &values, Signs::Literal)
            .expect("factors are as many as features and in range")
    }
}

impl Meeting {
    /// The games of some pairings from each of the first so many openings. Those of a pairing follow each
    /// other, and in them the two games of an opening.
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

/// A batch as written, before it is checked.
#[derive(Serialize, Deserialize)]
struct RawBatch {
    game: String,
    /// The rules of ayo, which the name of the game does not say.
    rules: Option<String>,
    /// The files of the layers that units are of, each once: the members of a generation share theirs.
    layers: Vec<Vec<u8>>,
    players: Vec<RawContender>,
    openings: Vec<String>,
    meetings: Vec<Meeting>,
}

#[derive(Serialize, Deserialize)]
enum RawContender {
    Weights { weights: RawFactors, limits: Limits, options: Options },
    Spec { spec: String, fingerprint: String },
}

#[derive(Serialize, Deserialize)]
struct RawFactors {
    features: String,
    values: Vec<i32>,
    /// The number of the layer that units are of.
    layer: Option<u32>,
}

impl From<Batch> for RawBatch {
    fn from(Batch { game, players, openings, meetings }: Batch) -> RawBatch {
        let rules =
            if let AnyGame::Ayo(Ayo { rules }) = game { Some(rules.to_string()) } else { None };
        let mut layers = Layers::default();
        let players = players.into_iter().map(|player| player.raw(&mut layers)).collect();
        let layers = layers.files;
        RawBatch { game: game.to_string(), rules, layers, players, openings, meetings }
    }
}

impl TryFrom<RawBatch> for Batch {
    type Error = BatchError;

    fn try_from(raw: RawBatch) -> Result<Batch, BatchError> {
        let mut game: AnyGame = raw.game.parse().map_err(BatchError::Game)?;
        if let Some(rules) = raw.rules {
            game = game.with_rules(rules.parse()?).map_err(BatchError::Game)?;
        }
        let layer = |file: &Vec<u8>| Ok(Arc::new(Layer::decode(file)?));
        let layers = raw.layers.iter().map(layer).collect::<Result<Vec<_>, LayerError>>();
        let layers = layers.map_err(|error| BatchError::Layer(error.to_string()))?;
        let player = |(player, raw)| {
            Contender::of_raw(raw, &layers)
                .map_err(|error| BatchError::Factors { player, error: error.to_string() })
        };
        let players = raw.players.into_iter().enumerate().map(player);
        Batch::new(game, players.collect::<Result<_, _>>()?, raw.openings, raw.meetings)
    }
}

/// The layers of some players, each once.
#[derive(Default)]
struct Layers {
    known: Vec<Arc<Layer>>,
    files: Vec<Vec<u8>>,
}

impl Layers {
    fn number(&mut self, layer: &Arc<Layer>) -> u32 {
        let is_it = |known: &Arc<Layer>| Arc::ptr_eq(known, layer) || known == layer;
        let place = self.known.iter().position(is_it).unwrap_or_else(|| {
            self.known.push(Arc::clone(layer));
            self.files.push(layer.encode());
            self.known.len() - 1
        });
        place as u32
    }
}

impl Contender {
    fn raw(self, layers: &mut Layers) -> RawContender {
        match self {
            Contender::Weights { weights: Factors { features, values }, limits, options } => {
                let layer = features.layer().map(|layer| layers.number(layer));
                let weights = RawFactors { features: features.to_string(), values, layer };
                RawContender::Weights { weights, limits, options }
            }
            Contender::Spec { spec, fingerprint } => RawContender::Spec { spec, fingerprint },
        }
    }

    fn of_raw(raw: RawContender, layers: &[Arc<Layer>]) -> Result<Contender, FactorsError> {
        match raw {
            RawContender::Weights { weights, limits, options } => {
                let weights = Factors::of_raw(weights, layers)?;
                Ok(Contender::Weights { weights, limits, options })
            }
            RawContender::Spec { spec, fingerprint } => Ok(Contender::Spec { spec, fingerprint }),
        }
    }
}

/// Why factors cannot be read.
#[derive(Debug, thiserror::Error)]
enum FactorsError {
    #[error(transparent)]
    Features(#[from] FeatureSetError),
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error("layer {0} is not there")]
    Missing(u32),
}

impl Factors {
    fn of_raw(raw: RawFactors, layers: &[Arc<Layer>]) -> Result<Factors, FactorsError> {
        let mut features: FeatureSet = raw.features.parse()?;
        if let Some(number) = raw.layer {
            let layer = layers.get(number as usize).ok_or(FactorsError::Missing(number))?;
            features = features.with_layer(Arc::clone(layer))?;
        }
        let values: Vec<i64> = raw.values.into_iter().map(i64::from).collect();
        Ok(Factors::of(&Weights::new("", features, &values, Signs::Literal)?))
    }
}

#[cfg(test)]
mod tests;
