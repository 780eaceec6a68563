use std::path::PathBuf;

use super::generations::Generations;
use super::what::What;
use super::x_axis::XAxis;
use evolve::run::{ChangedLine, FolderError};
use mancala::eval::LoadError;
use mancala::store::FileError;

/// Why no picture was drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No panel has this name.
    #[error("unknown picture \"{0}\": {hint}", hint = What::meant(.0))]
    What(String),
    /// Generations that a run does not have.
    #[error("{}: the run has generations 1 to {reached}, and none of {wanted}", path.display())]
    Beyond {
        /// The run folder.
        path: PathBuf,
        /// Its last generation.
        reached: u32,
        /// What was to be shown of it.
        wanted: Generations,
    },
    /// A run that cannot be drawn over the x axis: its name, the axis and the reason.
    #[error(
        "{0}: {2}, so --x {1} is not possible; choose another of generations, games, nodes or hours"
    )]
    NoPlace(String, XAxis, &'static str),
    /// Results that were to be grouped or cut as only runs are.
    #[error("{what} is about run folders, and the inputs are none")]
    NoRun {
        /// The flag.
        what: &'static str,
    },
    /// A picture whose folder is missing, where none is made.
    #[error(
        "cannot write {}: there is no folder {}, and only those below the current directory are created",
        path.display(), folder.display()
    )]
    NoFolder {
        /// The picture.
        path: PathBuf,
        /// Where it should go.
        folder: PathBuf,
    },
    /// Inputs that have nothing in common.
    #[error("\"{}\" is of {} and \"{}\" of {}: lay runs of one game over each other", .0[0].0, .0[0].1, .0[1].0, .0[1].1)]
    Games([(String, &'static str); 2]),
    /// There was nothing to draw from.
    #[error("no run folder or file to plot was given")]
    NoInput,
    /// The picture's format cannot be told from its name.
    #[error("cannot plot to {}: the file name must end in .png or .svg", .0.display())]
    Ending(PathBuf),
    /// Drawing failed.
    #[error("cannot draw {}: {reason}", path.display())]
    Drawing {
        /// The output as given.
        path: PathBuf,
        /// What the backend of the picture said.
        reason: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A run's table is not as the run wrote it.
    #[error(transparent)]
    Changed(#[from] ChangedLine),
    /// A folder holds no run, or one whose settings cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Weights could not be had.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A JSON file that holds something without a picture.
    #[error(
        "{}: nothing is drawn for kind \"{kind}\", only for run folders, weights, matches, tournaments, comparisons, ablations and accuracies",
        path.display()
    )]
    Kind {
        /// The JSON file as it was given.
        path: PathBuf,
        /// Its field `kind`, which no picture is made of.
        kind: String,
    },
    /// A learned layer, of which nothing says what its units weigh.
    #[error(
        "{}: a layer alone has no weights to draw: plot the run folder or the weights that its units are of",
        .0.display()
    )]
    Layer(PathBuf),
    /// The JSON of a match or tournament that cannot be drawn.
    #[error("{}: not the results of a {kind} that can be drawn: {reason}", path.display())]
    Results {
        /// The file whose content does not fit its kind.
        path: PathBuf,
        /// What its results should be of, by its own words or its name.
        kind: &'static str,
        /// The first thing that does not fit, in words.
        reason: String,
    },
    /// The results of a match or tournament beside other inputs.
    #[error("{}: the results of a {kind} are drawn alone, without other inputs", path.display())]
    Alone {
        /// The results that were given beside others.
        path: PathBuf,
        /// What it has results of; their picture fills the page.
        kind: &'static str,
    },
    /// A table that cannot be taken apart into rows.
    #[error("{}: {reason}", path.display())]
    Csv {
        /// The `history.csv` or `epochs.csv` of a run, which is no CSV.
        path: PathBuf,
        /// Where and why.
        reason: csv::Error,
    },
    /// A history without a row.
    #[error("{}: no generation has been recorded yet", path.display())]
    NoGeneration {
        /// The `history.csv`, which has a header at most.
        path: PathBuf,
    },
    /// A history without a column that its run should have.
    #[error("{}: there is no column \"{column}\"", path.display())]
    MissingColumn {
        /// The `history.csv`, whose header is of another set of features or version.
        path: PathBuf,
        /// Its name as the header should have it.
        column: String,
    },
    /// A cell that is not a number, or not one that a table can hold.
    #[error(
        "{}, line {line}: \"{value}\" in column \"{column}\" is not a valid number",
        path.display()
    )]
    BadNumber {
        /// The `history.csv` or `epochs.csv` that holds the cell.
        path: PathBuf,
        /// Line in the file; the header is line 1.
        line: u64,
        /// Its column, as the header names it.
        column: String,
        /// Its text as it stands there.
        value: String,
    },
    /// A generation missing or recorded twice.
    #[error(
        "{}, line {line}: generation {found} stands where generation {expected} is due",
        path.display()
    )]
    Generation {
        /// The `history.csv` in which the numbers leave a gap or repeat.
        path: PathBuf,
        /// Line in the file; the header is line 1.
        line: u64,
        /// The number in the row.
        found: u64,
        /// The number that continues the history.
        expected: u64,
    },
    /// The inputs hold nothing for the panel that was asked for.
    #[error("the inputs hold nothing to plot as {0}: {0} needs {needs}", needs = .0.needs())]
    Nothing(What),
}
