//! Validation of numbers and texts in files from other programs.

/// Larger numbers are damage.
pub(super) const LARGEST: f64 = 1e6;

/// Replaces control characters, which would break a line or a picture.
pub(super) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
