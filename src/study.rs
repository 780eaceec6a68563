//! Published studies, done again and set beside what was printed.

pub mod kansas;
