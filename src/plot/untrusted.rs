//! Figures and texts of files that anybody may have written.

/// Larger figures can only be damage.
pub(crate) const LARGEST: f64 = 1e6;

/// The text without what would break a line or a picture.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
