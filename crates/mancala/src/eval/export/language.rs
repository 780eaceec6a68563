//! What the languages of source code write in different ways.

use std::fmt::Write;

use super::terms::Term;
use crate::game::GameKind;

/// A language that evaluators are exported in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// A module of its own.
    Rust,
    /// A header whose names begin with those of the weights.
    C,
    /// A module of its own.
    Python,
}

impl Language {
    /// The functions for a game, one behind the other: each uses those before it alone, and the last is `evaluate`.
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

    /// What stands between functions.
    pub(super) fn gap(self) -> &'static str {
        match self {
            Language::Rust | Language::C => "\n",
            Language::Python => "\n\n",
        }
    }

    /// A comment over a whole file.
    pub(super) fn head(self, lines: &[String]) -> String {
        let each = |before: &str| lines.iter().map(|line| format!("{before} {line}\n")).collect();
        match self {
            Language::Rust => each("//!"),
            Language::C => format!("/* {} */\n", lines.join("\n   ")),
            Language::Python => each("#"),
        }
    }

    /// A line with a comment behind it.
    pub(super) fn noted(self, code: &str, note: &str) -> String {
        match self {
            Language::Rust => format!("{code} // {note}\n"),
            Language::C => format!("{code} /* {note} */\n"),
            Language::Python => format!("{code}  # {note}\n"),
        }
    }

    /// A statement, in the body of `evaluate`.
    pub(super) fn statement(self, code: &str, note: &str) -> String {
        let end = if self == Language::Python { "" } else { ";" };
        self.noted(&format!("    {code}{end}"), note)
    }

    /// The expression of what is counted.
    pub(super) fn expression(self, term: Term, game: GameKind) -> String {
        let pits = if (self, game) == (Language::C, GameKind::Kalah) { ", pits" } else { "" };
        match term {
            Term::Store(side) => format!("stores[{side}]"),
            Term::Lead => "(stores[0] - stores[1])".into(),
            Term::Call(name, arguments) => format!("{}{name}({arguments}{pits})", self.prefix()),
        }
    }

    /// What stands before the name of a function until the name of the weights takes its place.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Language::C => "prefix_",
            Language::Rust | Language::Python => "",
        }
    }

    /// A list of numbers with a name.
    pub(super) fn list(self, name: &str, meaning: &str, numbers: &[i16]) -> String {
        let (count, numbers) = (numbers.len(), joined(numbers));
        match self {
            Language::Rust => {
                format!("/// {meaning}\nconst {name}: [i16; {count}] = [{numbers}];\n")
            }
            Language::C => format!(
                "/* {meaning} */\nstatic const short PREFIX_{name}[{count}] = {{{numbers}}};\n"
            ),
            Language::Python => format!("# {meaning}\n{name} = ({numbers})\n"),
        }
    }

    /// Rows of so many numbers each, with a name.
    pub(super) fn table(self, name: &str, meaning: &str, numbers: &[i16], wide: usize) -> String {
        let rows = numbers.len() / wide;
        let (head, open, close, end) = match self {
            Language::Rust => (
                format!("/// {meaning}\nstatic {name}: [[i16; {wide}]; {rows}] = ["),
                '[',
                ']',
                "];",
            ),
            Language::C => (
                format!("/* {meaning} */\nstatic const short PREFIX_{name}[{rows}][{wide}] = {{"),
                '{',
                '}',
                "};",
            ),
            Language::Python => (format!("# {meaning}\n{name} = ("), '(', ')', ")"),
        };
        let mut text = head + "\n";
        for row in numbers.chunks(wide) {
            let _ = writeln!(text, "    {open}{}{close},", joined(row));
        }
        text + end + "\n"
    }
}

fn joined(numbers: &[i16]) -> String {
    numbers.iter().map(i16::to_string).collect::<Vec<_>>().join(", ")
}
