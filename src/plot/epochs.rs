//! `epochs.csv`: one row an epoch of a run that learns its features.

use std::fmt::Display;
use std::path::Path;

use serde::Deserialize;

use super::error::Error;
use mancala::store;

/// Epochs have numbers up to this.
const MOST: u32 = 1_000_000;
/// Losses beyond this can only be damage.
const LARGEST_LOSS: f64 = 1e6;

/// What is drawn of one epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Epoch {
    /// From 1.
    pub(super) number: u32,
    /// The first generation whose weights are of its features.
    pub(super) generation: u32,
    /// Mean cross-entropies of the first and the last pass of the fit, in nats.
    pub(super) losses: [f64; 2],
    /// Points a game, 0 to 1, of the champion of the epoch before, in the duel that this one began with.
    pub(super) duel: Option<f64>,
}

#[derive(Deserialize)]
struct Row {
    generation: u32,
    epoch: u32,
    first_loss: f64,
    last_loss: f64,
    duel: Option<f64>,
}

/// Reads the epochs in the order of their numbers; none, if there is no such file. A run may be writing it: a last
/// line without its end is not there yet.
pub(super) fn read(path: &Path) -> Result<Vec<Epoch>, Error> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = store::read_text(path)?;
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    parse(complete, path)
}

fn parse(text: &str, path: &Path) -> Result<Vec<Epoch>, Error> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut epochs: Vec<Epoch> = Vec::new();
    for (row, line) in reader.deserialize().zip(2..) {
        let row: Row = row.map_err(|reason| Error::Csv { path: path.into(), reason })?;
        let last = epochs.last().map_or(0, |epoch| epoch.number);
        epochs.push(row.epoch(last).map_err(|(column, value)| Error::BadNumber {
            path: path.into(),
            line,
            column: column.into(),
            value,
        })?);
    }
    Ok(epochs)
}

impl Row {
    /// The epoch, which comes after number `last`, or else the column and the value that are wrong.
    fn epoch(&self, last: u32) -> Result<Epoch, (&'static str, String)> {
        let Row { generation, epoch, first_loss, last_loss, duel } = *self;
        let check = |is_good: bool, column, value: &dyn Display| {
            if is_good { Ok(()) } else { Err((column, value.to_string())) }
        };
        check((last + 1..=MOST).contains(&epoch), "epoch", &epoch)?;
        for (column, loss) in [("first_loss", first_loss), ("last_loss", last_loss)] {
            check((0.0..=LARGEST_LOSS).contains(&loss), column, &loss)?;
        }
        if let Some(score) = duel {
            check((0.0..=1.0).contains(&score), "duel", &score)?;
        }
        Ok(Epoch { number: epoch, generation, losses: [first_loss, last_loss], duel })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "generation,epoch,layer,positions,first_loss,last_loss,duel\n";

    fn parse(rows: &str) -> Result<Vec<Epoch>, String> {
        let found = super::parse(&format!("{HEADER}{rows}"), Path::new("run/epochs.csv"));
        found.map_err(|error| error.to_string())
    }

    #[test]
    fn rows_become_epochs() {
        let rows = "1,1,0ac89c65,300,0.69000,0.61000,\n81,3,18b65cbf,300,0.50000,0.40000,0.5625\n";
        let expected = [
            Epoch { number: 1, generation: 1, losses: [0.69, 0.61], duel: None },
            Epoch { number: 3, generation: 81, losses: [0.5, 0.4], duel: Some(0.5625) },
        ];
        assert_eq!(parse(rows).unwrap(), expected);
        assert_eq!(parse(""), Ok(Vec::new()));
    }

    #[test]
    fn what_cannot_be_is_refused_by_line_and_value() {
        for (row, parts) in [
            ("2,1,ab,300,0.5,0.4,\n", ["line 3", "\"1\" in column \"epoch\""]),
            ("2,2,ab,300,inf,0.4,\n", ["line 3", "\"inf\" in column \"first_loss\""]),
            ("2,2,ab,300,0.5,NaN,\n", ["line 3", "\"NaN\" in column \"last_loss\""]),
            ("2,2,ab,300,0.5,0.4,1.5\n", ["line 3", "\"1.5\" in column \"duel\""]),
            ("2,two,ab,300,0.5,0.4,\n", ["line: 3", "invalid digit"]),
            ("2,2\n", ["line: 3", "2 fields"]),
        ] {
            let error = parse(&format!("1,1,ab,300,0.5,0.4,\n{row}")).unwrap_err();
            assert!(error.starts_with("run/epochs.csv"), "{error}");
            assert!(parts.iter().all(|part| error.contains(part)), "{row}: {error}");
        }
    }
}
