//! Seeds on the command line.

use std::str::FromStr;

/// Different seeds in their order. Text forms: `1..5`, `3`, `1,4,9`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seeds(Vec<u64>);

impl Seeds {
    /// All of them.
    pub(crate) fn all(&self) -> &[u64] {
        &self.0
    }
}

/// No more seeds than this.
const MOST_SEEDS: u64 = 1000;

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || "write 1..5 for one to five, or 3, or 1,4,9".to_owned();
        let number = |text: &str| match text.parse::<u64>().map_err(|_| refused())? {
            // As settings and their files have it.
            seed if seed > i64::MAX as u64 => Err(format!("a seed is at most {}", i64::MAX)),
            seed => Ok(seed),
        };
        let mut seeds = match text.split_once("..") {
            None => text.split(',').map(number).collect::<Result<Vec<_>, _>>()?,
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                let count = last.checked_sub(first).ok_or_else(refused)?;
                if count >= MOST_SEEDS {
                    return Err(format!("more than {MOST_SEEDS} seeds"));
                }
                (first..=last).collect()
            }
        };
        let all = seeds.len();
        seeds.sort_unstable();
        seeds.dedup();
        if seeds.len() < all { Err("a seed is there twice".into()) } else { Ok(Seeds(seeds)) }
    }
}
