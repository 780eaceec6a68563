//! Validation of numbers and text in files that other programs may have written.

/// Maximum valid number. Larger ones indicate a damaged file.
pub(crate) const LARGEST: f64 = 1e6;

/// Replaces control characters with spaces, since they would break a line or a picture.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
