use std::ops::RangeInclusive;
use std::str::FromStr;

/// Numbers from one to another, written `1..26` with both ends included, or one alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Span {
    /// Both ends included.
    pub(super) fn numbers(self) -> RangeInclusive<u32> {
        self.first..=self.last
    }

    /// For clap: a span whose last number is at most `MOST`.
    pub(super) fn up_to<const MOST: u32>(text: &str) -> Result<Span, String> {
        let span: Span = text.parse()?;
        if span.last > MOST {
            return Err(format!("{} is more than {MOST}, the most here", span.last));
        }
        Ok(span)
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Span, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| {
            let read: Result<u32, _> = text.parse();
            read.map_err(|_| format!("\"{text}\" is no number; write 26 or 1..26"))
        };
        match (number(first)?, number(last)?) {
            (0, _) => Err("it must begin at 1 or above".into()),
            (first, last) if first > last => Err(format!("{first} is above {last}")),
            (first, last) => Ok(Span { first, last }),
        }
    }
}
