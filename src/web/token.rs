//! What only those know who may ask.

use std::fmt;

/// 128 bits that only who was shown the address of the page knows.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Token(String);

impl Token {
    /// A new one.
    ///
    /// # Errors
    /// If the system has no randomness.
    pub(super) fn new() -> Result<Token, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether a text is the token. How long that takes does not tell how much of it is right.
    pub(super) fn is(&self, text: &str) -> bool {
        let differing = self.0.bytes().zip(text.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        text.len() == self.0.len() && differing == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
