//! Quotes command lines for a shell.

use mancala::text::is_invisible;

/// Quotes a string so that a shell reads it as one word.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.into()
    } else if text.contains(is_invisible) {
        format!("$'{}'", text.chars().map(escaped).collect::<String>())
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Escapes a character for use in `$'…'`, so that it can't control a terminal.
fn escaped(c: char) -> String {
    let bytes = |c: char| c.to_string().bytes().map(|byte| format!("\\{byte:03o}")).collect();
    match c {
        '\'' | '\\' => format!("\\{c}"),
        _ if is_invisible(c) => bytes(c),
        _ => c.into(),
    }
}

pub(crate) fn typed<T: AsRef<str>>(arguments: &[T]) -> String {
    arguments.iter().map(|it| quoted(it.as_ref())).collect::<Vec<_>>().join(" ")
}

/// Returns a command line that runs this program with the given arguments.
pub(crate) fn command<T: AsRef<str>>(arguments: &[T]) -> String {
    format!("{} {}", program(), typed(arguments))
}

/// Returns the name with which this program was started, so that users can copy our commands.
pub(crate) fn program() -> String {
    let name = std::env::args_os().next().unwrap_or_else(|| "ayo".into());
    quoted(&name.to_string_lossy())
}

pub(crate) fn again() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| quoted(&word.to_string_lossy()));
    [program()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}
