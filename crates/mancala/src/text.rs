//! Error messages, escaping of untrusted text for output, and suggestions for misspelled names.
//!
//! Terminals interpret control characters, and direction marks can change the order in which text is displayed. We
//! replace these characters with escapes such as `\u001b`, which JSON and TOML parsers decode again.

use std::borrow::Cow;
use std::fmt::{Display, Write};

/// An opaque error, for callers that only display it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Message(String);

/// A `Result` with [`Message`] as its default error type.
pub type Result<T, E = Message> = std::result::Result<T, E>;

impl Message {
    /// Converts any error that can be displayed.
    pub fn of(error: impl Display) -> Message {
        Message(error.to_string())
    }
}

impl<S: Into<String>> From<S> for Message {
    fn from(text: S) -> Message {
        Message(text.into())
    }
}

/// Returns whether `c` is invisible or can control a terminal. This includes control characters (even line breaks and
/// tabs), direction marks, line separators and zero-width characters.
///
/// ```
/// use mancala::text::is_invisible;
/// assert!(['\u{1b}', '\n', '\u{9b}', '\u{202e}', '\u{2028}', '\u{feff}'].map(is_invisible).iter().all(|it| *it));
/// assert!(!['a', ' ', 'ö', '→', '\u{301}'].map(is_invisible).contains(&true));
/// ```
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Escapes all [invisible](is_invisible) characters except line breaks and tabs. Well-formed XML remains well-formed.
///
/// ```
/// use mancala::text::escape_lines;
/// assert_eq!(escape_lines("a\tb\n\u{1b}[2Jc\r"), "a\tb\n\\u001b[2Jc\\u000d");
/// ```
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    escape_matching(text, |c| is_invisible(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes all [invisible](is_invisible) characters, for use in a sentence or a table cell.
///
/// ```
/// use mancala::text::escape;
/// assert_eq!(escape("run\na\u{202e}b"), "run\\na\\u202eb");
/// ```
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_matching(text, is_invisible)
}

/// Escapes text for a comment in any programming language. The result can't end the line or the comment, start another
/// comment, contain a trigraph, or continue onto the next line with a backslash.
///
/// ```
/// use mancala::text::escape_comment;
/// assert_eq!(escape_comment("*/ int x; /* ??/\n\\"), "* / int x; / * ? ?/\\n\\.");
/// ```
pub fn escape_comment(text: &str) -> String {
    let text = escape(text);
    let mut fit = String::with_capacity(text.len());
    for c in text.trim_end().chars() {
        if let (Some('*'), '/') | (Some('/'), '*') | (Some('?'), '?') = (fit.chars().last(), c) {
            fit.push(' ');
        }
        fit.push(c);
    }
    if fit.ends_with('\\') {
        fit.push('.');
    }
    fit
}

fn escape_matching(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if !is_escaped(c) => escaped.push(c),
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(escaped, "\\u{unit:04x}");
                }
            }
        }
    }
    Cow::Owned(escaped)
}

/// Returns the known name that is closest to `typed`, or `None` if no name is close enough. On a tie, the first name
/// wins. A short name that differs only in its number is never returned, e.g. `a15` for `a14`.
pub fn nearest_name<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let distances = known.into_iter().filter_map(|name| Some((distance(&typed, name)?, name)));
    distances.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Returns a hint for an error about an unknown name: the name that was probably meant, or the text in `otherwise` if
/// no known name is similar.
///
/// ```
/// use mancala::text::did_you_mean;
/// assert_eq!(did_you_mean("awri", ["ayo", "awari"], "choose ayo or awari"), "did you mean \"awari\"?");
/// assert_eq!(did_you_mean("chess", ["ayo", "awari"], "choose ayo or awari"), "choose ayo or awari");
/// ```
pub fn did_you_mean<'a>(
    typed: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> String {
    match nearest_name(typed, known) {
        Some(name) => format!("did you mean \"{name}\"?"),
        None => otherwise.into(),
    }
}

/// Returns the edit distance between two names, in which swapping adjacent letters is a single edit. Returns `None` if
/// the distance is too large for a name of this length, or if the names are short and differ only in their numbers.
fn distance(typed: &str, name: &str) -> Option<usize> {
    let allowed = match typed.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let distance = strsim::osa_distance(typed, &name.to_lowercase());
    let is_other_number = distance > 0 && series(typed).is_some_and(|it| Some(it) == series(name));
    (distance <= allowed && !is_other_number).then_some(distance)
}

/// Returns the letters of a short, numbered name, e.g. `a` for `a15`, or `None` for any other name.
fn series(name: &str) -> Option<&str> {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '=');
    (word.len() < name.len() && word.len() <= 3).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::prelude::*;

    laws! {
        #[test]
        fn json_keeps_its_meaning(text: String) {
            let json = serde_json::to_string(&text).unwrap();
            let read: String = serde_json::from_str(&escape_lines(&json)).unwrap();
            prop_assert_eq!(read, text);
        }

        #[test]
        fn no_text_escapes_from_a_comment(text in "[*/?\\\\\n\r\u{202e} a]{0,12}") {
            let fit = escape_comment(&text);
            prop_assert!(["*/", "/*", "??"].iter().all(|it| !fit.contains(it)), "{fit}");
            prop_assert!(!fit.contains(is_invisible) && !fit.trim_end().ends_with('\\'), "{fit}");
        }
    }

    #[test]
    fn only_near_names_are_suggested() {
        let known = ["minimax", "engine", "rbh", "amdf", "random", "greedy", "ku64", "u10"];
        for (typed, meant) in [("minimaxx", "minimax"), ("rnadom", "random"), ("RBH", "rbh")] {
            assert_eq!(nearest_name(typed, known), Some(meant), "{typed}");
        }
        for typed in ["adfm", "afdm", "maximin", "gnu", "ku65", "u100", "", "ö"] {
            assert_eq!(nearest_name(typed, known), None, "{typed}");
        }
    }
}
