//! Endgame tables: one file a verb below.

mod build;
mod probe;
mod size;
mod stats;
mod verify;
mod watch;

use std::path::{Path, PathBuf};

use clap::Args;

pub(super) use self::size::Size;
use super::usage;
use mancala::endgame::{Tables, rules_in};
use mancala::game::ayo::Rules;

super::verbs! {
    /// Solve every position with up to so many seeds; the same command goes on where it stopped
    Build(build::Arguments) => build::run,
    /// Check tables against the rules
    Verify(verify::Arguments) => verify::run,
    /// Look a position up: its value and that of each move
    Probe(probe::Arguments) => probe::run,
    /// Count the positions by seeds and value
    Stats(stats::Arguments) => stats::run,
}

/// Which tables of a folder are meant.
#[derive(Debug, Args)]
struct Choice {
    /// Folder of the tables
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Their rules [default: those of the only tables there]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
}

impl Choice {
    fn open(&self) -> anyhow::Result<Tables> {
        open(&self.folder, self.rules)
    }
}

/// The tables of a folder, of its only rules unless others are asked for.
pub(super) fn open(folder: &Path, rules: Option<Rules>) -> anyhow::Result<Tables> {
    let rules = match (rules, rules_in(folder)?.as_slice()) {
        (Some(rules), _) | (None, &[rules]) => rules,
        // Opening them says that there are none.
        (None, []) => Rules::AWARI,
        (None, found) => {
            let names: Vec<String> = found.iter().map(Rules::to_string).collect();
            let (folder, names) = (folder.display(), names.join(", "));
            let said = format!("{folder} holds tables of several rules, choose one with --rules");
            return Err(usage(format!("{said}: {names}")));
        }
    };
    Ok(Tables::open(folder, rules)?)
}

/// What stands before values that are not proven.
pub(super) fn caution(tables: &Tables) -> Option<String> {
    let rules = tables.rules();
    (!tables.proven()).then(|| {
        format!("heuristic: under {rules} a repetition pays other than the 0 that is assumed here")
    })
}
