//! Opening books: one file a verb below.

mod build;
mod export;
mod show;
mod source;
mod verify;
mod watch;
pub(crate) mod work;

crate::cli::verbs::verbs! {
    /// Grow a book from the start of the game; the same command goes on where it stopped
    Build(build::Arguments) => build::run,
    /// Show what a book knows after some moves
    Show(show::Arguments) => show::run,
    /// Check a book against the rules, its own values and the search
    Verify(verify::Arguments) => verify::run,
    /// Write the positions and moves of a book as text
    Export(export::Arguments) => export::run,
}
