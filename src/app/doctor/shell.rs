//! Commands in words that can be typed.

/// How commands are typed.
#[derive(Debug, Clone)]
pub struct Shell {
    /// This program, as a word.
    pub program: String,
    /// Makes a text into a word.
    pub quoted: fn(&str) -> String,
}

impl Shell {
    /// A command of this program.
    pub(super) fn ayo(&self, words: &[&str]) -> String {
        format!("{} {}", self.program, self.words(words))
    }

    /// Words as they are typed.
    pub(super) fn words(&self, words: &[&str]) -> String {
        words.iter().map(|word| (self.quoted)(word)).collect::<Vec<_>>().join(" ")
    }
}
