//! The tables that a verb is about.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;

use crate::terminal::error::usage;
use crate::terminal::shell::program;
use crate::terminal::shown;
use arena::os::folders;
use mancala::endgame::{Tables, rules_in};
use mancala::game::ayo::Rules;

/// Which tables of a folder are meant.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    /// Folder of the tables [default: where build puts them]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Their rules [default: those of the only tables there]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
}

impl Choice {
    pub(crate) fn open(&self) -> anyhow::Result<Tables> {
        open(&folder(self.folder.as_deref())?, self.rules)
    }
}

/// The folder that is named, else the one in which every verb looks.
pub(crate) fn folder(named: Option<&Path>) -> anyhow::Result<PathBuf> {
    let found = named.map(Path::to_owned).or_else(folders::tables);
    found.ok_or_else(|| usage("you have no home folder: name the folder of the tables"))
}

/// The tables of a folder, of its only rules unless others are asked for.
pub(crate) fn open(folder: &Path, rules: Option<Rules>) -> anyhow::Result<Tables> {
    if !folder.exists() {
        let (folder, program) = (shown(folder), program());
        bail!(
            "there are no endgame tables in {folder}: \"{program} endgame build --seeds 10\" makes some in a moment"
        );
    }
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
pub(crate) fn caution(tables: &Tables) -> Option<String> {
    let rules = tables.rules();
    (!tables.proven()).then(|| {
        format!("heuristic: under {rules} a repetition pays other than the 0 that is assumed here")
    })
}
