//! The study of Kalah by Gifford, Bley, Ajayi and Thompson (2008, University of Kansas,
//! ITTC-FY2009-TR-03050-03): which of seven heuristics, on or off, make a strong player.
//!
//! Two of its parts are deterministic and come out as printed; the games against a random player are
//! compared in distribution.

mod against_random;
mod agreement;
mod claims_of_section_c;
mod deeds;
mod field;
mod figure;
mod findings;
mod lookahead;
mod printed;
mod printed_more;
mod round_robin;
mod statistics;
mod tables;

pub use against_random::{AgainstRandom, against_random};
pub use agreement::{Agreement, agreement};
pub(super) use claims_of_section_c::round_robin_findings;
pub use figure::Figure;
pub(super) use findings::{look_ahead_findings, random_findings};
pub use lookahead::{LookAhead, look_ahead};
pub use printed::{
    PRINTED_GAMES, PrintedAverages, PrintedLookAhead, PrintedRandom, printed_averages,
    printed_look_ahead, printed_random, printed_round_robin,
};
pub use printed_more::{counted, figure_10};
pub use round_robin::{
    Averages, RoundRobin, games as round_robin_games, round_robin, round_robin_of,
};
pub use statistics::{Estimate, Measure, Share, rank_correlation};
pub use tables::{look_ahead_csv, random_csv, round_robin_csv};

/// The report's look-ahead in plies.
pub const LOOK_AHEAD: u32 = 9;
