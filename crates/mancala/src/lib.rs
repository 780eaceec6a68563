//! Mancala games: rules and notation, evaluators, game tree search, endgame tables and opening books.
//!
//! The games are [`Ayo`](game::ayo::Ayo) (also called Awari, Oware or Awale), with the rules from several sources, and
//! [`Kalah`](game::kalah::Kalah), on boards of many sizes. Both games use the same search and the same file formats.
//! Evaluation and search only use integer arithmetic, so a position yields the same move and score on every machine.
//!
//! # Playing a game between two weight vectors
//!
//! ```
//! use mancala::eval::{FeatureSet, Signs, Weights};
//! use mancala::game::{Record, Side, ayo::Ayo};
//! use mancala::search::{Options, Pruning, SearchableGame};
//!
//! let mine = Weights::new("mine", "a9,a10,a12".parse()?, &[10, 12, 3], Signs::Signed)?;
//! let players = [mine, Weights::named("aalina4").unwrap()].map(|weights| Ayo::searcher(&weights, Options::default()));
//!
//! let mut record = Record::new(Ayo::default(), Side::South);
//! while record.ending().is_none() {
//!     let player = &players[record.to_move().index()];
//!     let (game, position) = (record.game(), record.position());
//!     let found = player.search(game, position, 4, Pruning::AlphaBeta, &()).unwrap();
//!     record.play(found.pit)?;
//! }
//! let end = record.settlement().unwrap();
//! println!("{}, {} to {}", end.verdict, end.stores[0], end.stores[1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Evaluating positions
//!
//! A [`Feature`](game::Feature) is a number computed from a position, such as `a10`, the number of seeds that the
//! player has captured. [`Weights`](eval::Weights) define a weighted sum of features.
//!
//! ```
//! use mancala::eval::{Evaluator, Sum, Weights};
//! use mancala::game::{Feature, Side, ayo::{Ayo, Position}};
//!
//! let position: Position = "13-0-1-0-0-2-3-0-0-0-0-1-20-8-N".parse()?;
//! let captured = Feature::from_name("a10").unwrap();
//! assert_eq!(captured.value::<Ayo>(&position, Side::South), Some(20));
//! let seeds = Sum::<Ayo>::new(&Weights::named("seeds").unwrap());
//! assert_eq!(seeds.evaluate(&position, Side::South).0, 20 - 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Probing an endgame table
//!
//! ```
//! use mancala::endgame::{BuildPlan, Tables, build};
//! use mancala::game::ayo::Rules;
//!
//! # let folder = std::env::temp_dir().join(format!("mancala-tables-{}", std::process::id()));
//! // Build the tables for all positions with up to five seeds, then read them back.
//! build(&BuildPlan::new(Rules::AWARI, 5, &folder)?, &(), |_| ())?;
//! let tables = Tables::open(&folder, Rules::AWARI)?;
//! // The seed in F captures the seed in a, so South gains two seeds.
//! let position = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S".parse()?;
//! assert_eq!(tables.probe(&position), Some(2));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! A module may only import from modules in its own layer or in a layer with a lower number.
//!
//! | layer | modules |
//! |---|---|
//! | 0 | [`text`], [`store`], [`random`], [`progress`], [`memory`] |
//! | 1 | [`game`] |
//! | 2 | [`eval`], [`endgame`] |
//! | 3 | [`search`] |
//! | 4 | [`book`] |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod book;
pub mod endgame;
pub mod eval;
pub mod game;
#[cfg(any(test, feature = "proptest"))]
pub mod laws;
pub mod memory;
pub mod progress;
pub mod random;
pub mod search;
pub mod store;
pub mod text;
