//! Mancala games: rules and notation, evaluators, game tree search, endgame tables and opening books.
//!
//! Two games are here, [`Ayo`](game::ayo::Ayo) (also Awari, Oware, Awale) with the rules of several sources,
//! and [`Kalah`](game::kalah::Kalah) on boards of many sizes. The same search, weights and file formats serve
//! both. Evaluation and search use integers alone, so a position has the same move and score on every machine.
//!
//! # Two weight vectors play a game
//!
//! ```
//! use mancala::eval::{FeatureSet, Signs, Weights};
//! use mancala::game::{Record, Side, ayo::Ayo};
//! use mancala::search::{Options, Pruning, SearchableGame};
//!
//! let mine = Weights::new("mine", "a9,a10,a12".parse()?, &[10, 12, 3], Signs::Signed)?;
//! let players = [mine, Weights::named("aalina4").unwrap()].map(|it| Ayo::searcher(&it, Options::default()));
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
//! A [`Feature`](game::Feature) counts something in a position, and [`Weights`](eval::Weights) add features up.
//! Both have names: `a10` is the number of seeds that I have captured.
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
//! // All positions with up to five seeds, and then the files that this has written.
//! build(&BuildPlan::new(Rules::AWARI, 5, &folder)?, &(), |_| ())?;
//! let tables = Tables::open(&folder, Rules::AWARI)?;
//! // The single seed in F takes the single seed in a: with it two more.
//! let position = "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S".parse()?;
//! assert_eq!(tables.probe(&position), Some(2));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//!
//! The modules stand on floors. Each imports from its own floor and from those below it.
//!
//! | floor | modules |
//! |---|---|
//! | 0 | [`text`], [`store`], [`random`], [`progress`] |
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
