//! Sizes in memory and on disk.

use std::fmt;
use std::str::FromStr;

/// An amount of memory or disk space: `8G`, `1.5G`, `512M`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size(pub(super) u64);

const UNITS: [(&str, u32); 4] = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Size, &'static str> {
        let upper = text.to_ascii_uppercase().replace(' ', "");
        let plain = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
        let with = |&(unit, shift): &(&str, u32)| Some((plain.strip_suffix(unit)?, shift));
        let (number, shift) = UNITS.iter().find_map(with).unwrap_or((plain, 0));
        let bytes = bytes(number, 1 << shift);
        bytes.map(Size).ok_or("write a number of bytes with K, M, G or T, as in 8G or 1.5G")
    }
}

/// Converts a number of units to bytes, rounding down. A number of bytes must be a whole number.
fn bytes(number: &str, unit: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || (unit == 1 && number.contains('.')) {
        return None;
    }
    let parts = 10u128.checked_pow(fraction.len().try_into().ok()?)?;
    let part = fraction.parse::<u128>().ok()?.checked_mul(unit.into())? / parts;
    let whole: u64 = whole.parse().ok()?;
    whole.checked_mul(unit)?.checked_add(part.try_into().ok()?)
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = |(_, shift): &&(&str, u32)| self.0 >> shift > 0;
        match UNITS.iter().rev().find(fits) {
            None if self.0 == 1 => f.write_str("1 byte"),
            None => write!(f, "{} bytes", self.0),
            Some((unit, shift)) => {
                let number = self.0 as f64 / (1u64 << shift) as f64;
                let places = usize::from(number < 9.95 && number.fract() > 0.0);
                write!(f, "{number:.places$} {unit}iB")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_as_people_write_them() {
        let read = |text: &str| text.parse::<Size>().map(|size| size.0).ok();
        assert_eq!(read("8G"), Some(8 << 30));
        assert_eq!(read("512m"), Some(512 << 20));
        assert_eq!(read("2KiB"), Some(2048));
        assert_eq!(read("7"), Some(7));
        assert_eq!(read("8 GiB"), Some(8 << 30));
        assert_eq!(read("1.5G"), Some(3 << 29));
        assert_eq!(read("0.1K"), Some(102));
        let long = format!("0.{}G", "3".repeat(99));
        for text in ["", "G", "-1G", "1.G", ".5G", "1.5", "1.2.3G", "8X", "99999999999T", &long] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(Size(8 << 30).to_string(), "8 GiB");
        assert_eq!(Size(3 << 19).to_string(), "1.5 MiB");
        assert_eq!(Size(1).to_string(), "1 byte");
        assert_eq!(Size(100).to_string(), "100 bytes");
    }
}
