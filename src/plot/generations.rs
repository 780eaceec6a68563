//! Which generations a picture shows.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// All generations, or those from one to another, both shown.
///
/// ```
/// use ayo::plot::Generations;
/// assert_eq!("100..200".parse::<Generations>().unwrap().to_string(), "100..200");
/// assert_eq!("..50".parse::<Generations>().unwrap().to_string(), "..50");
/// assert!("200..100".parse::<Generations>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generations {
    first: u32,
    last: u32,
}

impl Default for Generations {
    fn default() -> Generations {
        Generations { first: 1, last: u32::MAX }
    }
}

impl Generations {
    pub(super) fn are_all(self) -> bool {
        self == Generations::default()
    }

    /// Those of a run that has reached so many; `None` if it has none of them.
    pub(super) fn of(self, reached: u32) -> Option<RangeInclusive<u32>> {
        (self.first <= reached).then(|| self.first..=self.last.min(reached))
    }
}

/// Text that is no range of generations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is no range of generations: write LO..HI, LO.. or ..HI, counted from 1, both ends shown"
)]
pub struct WrongGenerations(String);

impl FromStr for Generations {
    type Err = WrongGenerations;

    fn from_str(text: &str) -> Result<Generations, WrongGenerations> {
        let wrong = || WrongGenerations(text.into());
        let (first, last) = text.split_once("..").ok_or_else(wrong)?;
        let number = |text: &str, open: u32| match text {
            "" => Ok(open),
            _ => text.parse().map_err(|_| wrong()),
        };
        let all = Generations::default();
        let found = Generations { first: number(first, all.first)?, last: number(last, all.last)? };
        let is_one = text != ".." && 1 <= found.first && found.first <= found.last;
        is_one.then_some(found).ok_or_else(wrong)
    }
}

impl fmt::Display for Generations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first > 1 || self.last == u32::MAX {
            write!(f, "{}", self.first)?;
        }
        f.write_str("..")?;
        if self.last < u32::MAX { write!(f, "{}", self.last) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_open_or_closed() {
        let of = |text: &str, reached| text.parse::<Generations>().unwrap().of(reached);
        assert_eq!(of("3..5", 10), Some(3..=5));
        assert_eq!(of("3..", 10), Some(3..=10));
        assert_eq!(of("..5", 10), Some(1..=5));
        assert_eq!(of("7..7", 10), Some(7..=7));
        assert_eq!(of("3..50", 10), Some(3..=10));
        assert_eq!(of("11..", 10), None);
    }

    #[test]
    fn wrong_ranges_are_refused() {
        for text in ["", "..", "5", "0..4", "5..4", "-1..4", "a..b", "1..2..3", "1...3"] {
            let refusal = text.parse::<Generations>().unwrap_err().to_string();
            let expected = format!(
                "\"{text}\" is no range of generations: write LO..HI, LO.. or ..HI, counted from 1, both ends shown"
            );
            assert_eq!(refusal, expected);
        }
    }
}
