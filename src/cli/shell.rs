//! Commands as a shell wants them.

/// A text as one word.
pub(super) fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Arguments as they would be typed.
pub(super) fn typed(arguments: &[String]) -> String {
    arguments.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(" ")
}
