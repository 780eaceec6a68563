//! Spellings of fastchess and similar programs: `-games 10`, and `--sprt elo0=0 elo1=10`.

use std::ffi::OsString;

use clap::Command;

/// Terms of a sequential test, which may be separate words.
const SPRT_TERMS: [&str; 5] = ["elo0=", "elo1=", "alpha=", "beta=", "model="];

/// Adds the second dash of a long option, and joins the terms of a sequential test.
pub(super) fn normalised(words: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let verb = words.iter().skip(1).find_map(|word| command.find_subcommand(word));
    let Some(verb) = verb else { return words };
    let mut normal: Vec<OsString> = Vec::new();
    for word in words {
        let Some(text) = word.to_str() else {
            normal.push(word);
            continue;
        };
        let is_term = SPRT_TERMS.iter().any(|term| text.starts_with(term));
        match normal.as_mut_slice() {
            [.., option, terms] if is_term && *option == *"--sprt" => {
                terms.push(format!(",{text}"))
            }
            _ if lacks_a_dash(text, verb) => normal.push(format!("-{text}").into()),
            _ => normal.push(word),
        }
    }
    normal
}

/// Returns whether a word is a long option, or not an option at all, written with one dash.
fn lacks_a_dash(word: &str, verb: &Command) -> bool {
    let Some(name) = word.strip_prefix('-').filter(|name| name.len() > 1) else { return false };
    let name = name.split('=').next().unwrap_or(name);
    let is_word =
        name.chars().all(|c| c.is_ascii_alphabetic() || c == '-') && !name.starts_with('-');
    let is_long = verb.get_arguments().any(|it| it.get_long() == Some(name));
    let is_short = verb.get_arguments().any(|it| it.get_short() == name.chars().next());
    is_word && (is_long || !is_short && !name.starts_with(['h', 'V']))
}
