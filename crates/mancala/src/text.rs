//! Text from outside, such as a name in a file or a folder's name, made fit for where it goes.
//!
//! A terminal obeys control characters, and text of two directions can show another order than it has.
//! Here such characters become `\u001b` and the like, which in JSON and in TOML still mean what they
//! stand for.

mod near;

pub use self::near::{did_you_mean, near};

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a terminal obeys a character, or it is not seen and changes how others look: control characters,
/// marks of direction, separators of lines, and what has no width. Line breaks and tabs are among them.
///
/// ```
/// use mancala::text::is_unseen;
/// assert!(['\u{1b}', '\n', '\u{9b}', '\u{202e}', '\u{2028}', '\u{feff}'].map(is_unseen).iter().all(|it| *it));
/// assert!(!['a', ' ', 'ö', '→', '\u{301}'].map(is_unseen).contains(&true));
/// ```
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{e007f}')
}

/// A text with line breaks and tabs as they are, and all else that is [unseen](is_unseen) written out.
/// What it makes of a document in XML is well-formed, if the rest is.
///
/// ```
/// use mancala::text::seen;
/// assert_eq!(seen("a\tb\n\u{1b}[2Jc\r"), "a\tb\n\\u001b[2Jc\\u000d");
/// ```
pub fn seen(text: &str) -> Cow<'_, str> {
    written_out(text, |c| is_unseen(c) && !matches!(c, '\n' | '\t'))
}

/// A text that cannot begin another line, for a sentence or a cell: all that is [unseen](is_unseen) is
/// written out.
///
/// ```
/// use mancala::text::one_line;
/// assert_eq!(one_line("run\na\u{202e}b"), "run\\na\\u202eb");
/// ```
pub fn one_line(text: &str) -> Cow<'_, str> {
    written_out(text, is_unseen)
}

/// A text for a comment in source text of any language: it ends neither the line nor the comment, begins
/// none, and has no trigraph and no backslash that would join the next line to it.
///
/// ```
/// use mancala::text::in_comment;
/// assert_eq!(in_comment("*/ int x; /* ??/\n\\"), "* / int x; / * ? ?/\\n\\.");
/// ```
pub fn in_comment(text: &str) -> String {
    let text = one_line(text);
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

fn written_out(text: &str, out: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&out) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if out(c) { write_out(c, &mut written) } else { written.push(c) }
    }
    Cow::Owned(written)
}

fn write_out(c: char, text: &mut String) {
    match c {
        '\n' => text.push_str("\\n"),
        '\t' => text.push_str("\\t"),
        _ => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws;

    laws! {
        #[test]
        fn json_keeps_its_meaning(text: String) {
            let json = serde_json::to_string(&text).unwrap();
            let read: String = serde_json::from_str(&seen(&json)).unwrap();
            prop_assert_eq!(read, text);
        }

        #[test]
        fn nothing_gets_out_of_a_comment(text in "[*/?\\\\\n\r\u{202e} a]{0,12}") {
            let fit = in_comment(&text);
            prop_assert!(["*/", "/*", "??"].iter().all(|it| !fit.contains(it)), "{fit}");
            prop_assert!(!fit.contains(is_unseen) && !fit.trim_end().ends_with('\\'), "{fit}");
        }
    }
}
