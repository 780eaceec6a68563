//! The user's folders.

use std::env;
use std::path::PathBuf;

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};

/// Returns the default folder for endgame tables: `AYO_TABLES` if set, otherwise a folder in the user's data
/// directory. Returns `None` if the user has no home directory.
pub fn tables() -> Option<PathBuf> {
    if cfg!(test) {
        return None;
    }
    let named = env::var_os("AYO_TABLES").filter(|named| !named.is_empty());
    named.map(PathBuf::from).or_else(|| {
        let user = choose_native_strategy().ok().filter(|_| !cfg!(feature = "no-user-folder"))?;
        Some(user.data_dir().join("ayo").join("tables"))
    })
}
