//! Players of mancala games, the games between them, and the optimisers that breed them.
//!
//! The games themselves, their evaluators and the search are the crate [`mancala`]. What keeps a run in a
//! folder, draws its curves and shows it is `ayo`.
//!
//! # Modules
//!
//! The modules stand on floors. Each imports from its own floor and from those below it.
//!
//! | floor | modules |
//! |---|---|
//! | 0 | what is asked of the operating system |
//! | 1 | [`player`] |
//! | 2 | [`arena`] |
//! | 3 | [`learn`], [`optimise`] |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod arena;
pub mod learn;
pub mod optimise;
pub mod os;
pub mod player;
