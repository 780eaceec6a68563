//! The syntax of the languages that we export evaluators to.

use std::fmt::Display;

use crate::game::GameKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    /// A header file. All names in it have a prefix.
    C,
    Python,
}

impl Language {
    /// Returns the functions for a game. Each function only calls earlier ones, and the last one is `evaluate`.
    pub(super) fn template(self, game: GameKind) -> &'static str {
        match (self, game) {
            (Language::Rust, GameKind::Ayo) => include_str!("ayo.rs.in"),
            (Language::Rust, GameKind::Kalah) => include_str!("kalah.rs.in"),
            (Language::C, GameKind::Ayo) => include_str!("ayo.c.in"),
            (Language::C, GameKind::Kalah) => include_str!("kalah.c.in"),
            (Language::Python, GameKind::Ayo) => include_str!("ayo.py.in"),
            (Language::Python, GameKind::Kalah) => include_str!("kalah.py.in"),
        }
    }

    pub(super) fn shared(self) -> &'static str {
        match self {
            Language::Rust => include_str!("shared.rs.in"),
            Language::C => include_str!("shared.c.in"),
            Language::Python => include_str!("shared.py.in"),
        }
    }

    pub(super) fn gap(self) -> &'static str {
        match self {
            Language::Rust | Language::C => "\n",
            Language::Python => "\n\n",
        }
    }

    pub(super) fn head(self, lines: &[String]) -> String {
        let each = |marker: &str| lines.iter().map(|line| format!("{marker} {line}\n")).collect();
        match self {
            Language::Rust => each("//!"),
            Language::C => format!("/* {} */\n", lines.join("\n   ")),
            Language::Python => each("#"),
        }
    }

    pub(super) fn statement(self, code: &str, note: &str) -> String {
        match self {
            Language::Rust => format!("    {code}; // {note}\n"),
            Language::C => format!("    {code}; /* {note} */\n"),
            Language::Python => format!("    {code}  # {note}\n"),
        }
    }

    /// Formats an expression. In C, function names have a prefix, and kalah functions also take the number of pits.
    pub(super) fn expression(self, term: &str, game: GameKind) -> String {
        let pits = if (self, game) == (Language::C, GameKind::Kalah) { ", pits" } else { "" };
        let is_call = term.starts_with(|c: char| c.is_alphabetic());
        match term.strip_suffix(')').filter(|_| is_call) {
            Some(call) => format!("{}{call}{pits})", self.prefix()),
            None => term.into(),
        }
    }

    /// Returns the placeholder for the prefix of function names, which is only needed in C.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Language::C => "prefix_",
            Language::Rust | Language::Python => "",
        }
    }

    pub(super) fn list<T: Display>(self, name: &str, meaning: &str, numbers: &[T]) -> String {
        let [rust, c] = if size_of::<T>() > 2 { ["i32", "int"] } else { ["i16", "short"] };
        let (count, numbers) = (numbers.len(), joined(numbers));
        match self {
            Language::Rust => {
                format!("/// {meaning}\nconst {name}: [{rust}; {count}] = [{numbers}];\n")
            }
            Language::C => format!(
                "/* {meaning} */\nstatic const {c} PREFIX_{name}[{count}] = {{{numbers}}};\n"
            ),
            Language::Python => format!("# {meaning}\n{name} = ({numbers})\n"),
        }
    }

    pub(super) fn table<T: Display>(
        self,
        name: &str,
        meaning: &str,
        numbers: &[T],
        wide: usize,
    ) -> String {
        let count = numbers.len() / wide;
        let rows = |open: char, close: char| -> String {
            let rows = numbers.chunks(wide).map(joined);
            rows.map(|row| format!("    {open}{row}{close},\n")).collect()
        };
        match self {
            Language::Rust => format!(
                "/// {meaning}\nstatic {name}: [[i16; {wide}]; {count}] = [\n{}];\n",
                rows('[', ']')
            ),
            Language::C => format!(
                "/* {meaning} */\nstatic const short PREFIX_{name}[{count}][{wide}] = {{\n{}}};\n",
                rows('{', '}')
            ),
            Language::Python => format!("# {meaning}\n{name} = (\n{})\n", rows('(', ')')),
        }
    }
}

fn joined<T: Display>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}
