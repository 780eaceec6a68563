//! The tables that a verb is about.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::usage;
use crate::cli::terminal::shown;
use mancala::endgame::{Tables, rules_in};
use mancala::game::ayo::Rules;

/// Which tables of a folder are meant.
#[derive(Debug, Args)]
pub(super) struct Choice {
    /// Folder of the tables
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
    /// Their rules [default: those of the only tables there]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
}

impl Choice {
    pub(super) fn open(&self) -> anyhow::Result<Tables> {
        open(&self.folder, self.rules)
    }
}

/// The tables of a folder, of its only rules unless others are asked for.
pub(in crate::cli) fn open(folder: &Path, rules: Option<Rules>) -> anyhow::Result<Tables> {
    let rules = match (rules, rules_in(folder)?.as_slice()) {
        (Some(rules), _) | (None, &[rules]) => rules,
        // Opening them says that there are none.
        (None, []) => Rules::AWARI,
        (None, found) => {
            let names: Vec<String> = found.iter().map(Rules::to_string).collect();
            let (folder, names) = (shown(folder), names.join(", "));
            let said = format!("{folder} holds tables of several rules, choose one with --rules");
            return Err(usage(format!("{said}: {names}")));
        }
    };
    Ok(Tables::open(folder, rules)?)
}

/// What stands before values that are not proven.
pub(in crate::cli) fn caution(tables: &Tables) -> Option<String> {
    let rules = tables.rules();
    (!tables.proven()).then(|| {
        format!("heuristic: under {rules} a repetition pays other than the 0 that is assumed here")
    })
}
