//! Published studies, done again: one file each.

mod amdf;
mod kalah;
mod pairings;
mod rbh;
mod watch;

super::verbs! {
    /// Heuristics for Kalah, on or off (Gifford et al. 2008)
    Kalah(kalah::Arguments) => kalah::run,
    /// The refinement-based player of Ayo against four levels (Akinyemi 2012)
    Rbh(rbh::Arguments) => rbh::run,
    /// The player of Ayo that weighs Mahalanobis distances (Randle et al. 2012)
    Amdf(amdf::Arguments) => amdf::run,
}
