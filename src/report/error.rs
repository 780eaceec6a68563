use std::io;
use std::path::PathBuf;

use super::What;

/// Why no picture was drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No panel has this name.
    #[error("`{name}` cannot be plotted: choose one of {}", names(&What::ALL))]
    What {
        /// The name as given.
        name: String,
    },
    /// There was nothing to draw from.
    #[error("no run folder or file to plot was given")]
    NoInput,
    /// The picture's format cannot be told from its name.
    #[error("cannot plot to {}: the file name must end in .png or .svg", path.display())]
    Ending {
        /// The output as given.
        path: PathBuf,
    },
    /// The picture's folder does not exist.
    #[error("cannot plot to {}: the folder {} does not exist", path.display(), folder.display())]
    OutputFolder {
        /// The output as given.
        path: PathBuf,
        /// Its missing folder.
        folder: PathBuf,
    },
    /// Drawing or writing failed.
    #[error("cannot write {}", path.display())]
    Output {
        /// The output as given.
        path: PathBuf,
        /// What went wrong.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file could not be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A folder without a run.
    #[error("{} is not the folder of a run: it has no history.csv", path.display())]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// A file that is not JSON of the expected shape.
    #[error("{} cannot be understood as JSON to plot", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// A JSON file that does not say what it holds.
    #[error(
        "{} has no text field `kind`, so what it holds cannot be told",
        path.display()
    )]
    NoKind {
        /// The file.
        path: PathBuf,
    },
    /// A JSON file that holds something without a picture.
    #[error(
        "{}: nothing is drawn for kind `{kind}`; what can be plotted is a run folder or a file of kind `weights`",
        path.display()
    )]
    Kind {
        /// The file.
        path: PathBuf,
        /// The value of its field `kind`.
        kind: String,
    },
    /// Weights that do not belong to the features listed with them.
    #[error(
        "{}: field `weights` has {weights} values for the {features} names of field `features`",
        path.display()
    )]
    WeightCount {
        /// The file.
        path: PathBuf,
        /// Number of weights.
        weights: usize,
        /// Number of features.
        features: usize,
    },
    /// Settings that are not TOML.
    #[error("{} is not valid TOML", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// A history that cannot be taken apart into rows.
    #[error("{} is damaged", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: csv::Error,
    },
    /// A history without a row.
    #[error("{}: no generation has been recorded yet", path.display())]
    NoGeneration {
        /// The file.
        path: PathBuf,
    },
    /// A history without a column that every history has.
    #[error("{} has no column `{column}`", path.display())]
    MissingColumn {
        /// The file.
        path: PathBuf,
        /// The column's name.
        column: String,
    },
    /// A cell that is not a number, or not one that a history can hold.
    #[error(
        "{}, line {line}, column `{column}`: `{value}` is not a valid number",
        path.display()
    )]
    BadNumber {
        /// The file.
        path: PathBuf,
        /// Line in the file; the header is line 1.
        line: u64,
        /// The column's name.
        column: String,
        /// The cell.
        value: String,
    },
    /// A generation missing or recorded twice.
    #[error(
        "{}, line {line}: generation {found} stands where generation {expected} is due",
        path.display()
    )]
    Generation {
        /// The file.
        path: PathBuf,
        /// Line in the file; the header is line 1.
        line: u64,
        /// The number in the row.
        found: u64,
        /// The number that continues the history.
        expected: u64,
    },
    /// The inputs hold nothing for the panel that was asked for.
    #[error("the inputs hold nothing to plot as {what}: {what} needs {needs}")]
    Nothing {
        /// The panel.
        what: What,
        /// The input that would hold it.
        needs: &'static str,
    },
}

fn names(all: &[What]) -> String {
    let names: Vec<_> = all.iter().map(|what| what.name()).collect();
    names.join(", ")
}
