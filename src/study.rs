//! Published studies, done again and set beside what was printed.
//!
//! [`papers`] has what the papers claim, a data file each. [`STUDIES`] settle the claims, and what they
//! left is [`kept`] in `src/study/kept`. [`page`] makes `docs/reproduction.md` of both.

pub mod amdf;
pub mod cdg;
mod claims;
pub mod conjecture;
pub mod count;
mod daoud;
mod daoud_evolution;
mod error;
pub mod forcing;
pub mod kansas;
mod mined;
mod notebook;
mod page;
mod pairing;
mod printed_games;
mod proofs;
pub mod questionnaire;
pub mod rbh;
mod strategies;
mod studies;
mod trained;
mod unfinished;

pub use claims::{Claim, Paper, Settled as SettledBy, papers};
pub use error::StudyError;
pub use notebook::{Findings, Keep, Notebook};
pub use page::{Row, page, rows};
pub use pairing::{Pairing, PairingError, Settled, play_all};
pub use studies::{Cost, STUDIES, Study, kept, study_named};
pub use unfinished::Unfinished;
