//! Results as they are printed, kept in files, read back and drawn: one type each.
//!
//! Architecture invariant: the fields of these types, their names and their order are the JSON that users
//! have. A field may be added at the end of a type, none may go or change its meaning. Fields that are
//! not read back may be missing in a file.

use serde::{Serialize, Serializer};

/// Pairs as an object, in their order.
pub(crate) fn as_map<T: Serialize, S: Serializer>(
    pairs: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Sentences in one line, if there are any.
pub(crate) fn joined(sentences: &[String]) -> Option<String> {
    (!sentences.is_empty()).then(|| sentences.join("; "))
}
