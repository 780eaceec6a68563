//! Published studies, done again: one file each.

mod all;
mod amdf;
mod daoud;
mod kalah;
mod list;
mod pairings;
mod questionnaire;
mod rbh;
mod watch;

super::verbs! {
    /// List every table, figure and claim of five papers: printed, ours, verdict
    List(list::ListArguments) => list::list,
    /// Do the studies that settle these claims, and keep what they find
    All(all::Arguments) => all::run,
    /// Print docs/reproduction.md
    Page(list::PageArguments) => list::page,
    /// The usability study of the thesis: its table and its test, recomputed (Akinyemi 2012)
    Questionnaire(questionnaire::Arguments) => questionnaire::run,
    /// Twelve features at depth 5 and six at depth 7 against levels (Daoud et al. 2004)
    Daoud(daoud::Arguments) => daoud::run,
    /// Heuristics for Kalah, on or off (Gifford et al. 2008)
    Kalah(kalah::Arguments) => kalah::run,
    /// The refinement-based player of Ayo against four levels (Akinyemi 2012)
    Rbh(rbh::Arguments) => rbh::run,
    /// The player of Ayo that weighs Mahalanobis distances (Randle et al. 2012)
    Amdf(amdf::Arguments) => amdf::run,
}
