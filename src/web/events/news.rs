//! What is told.

use serde::Serialize;
use serde_json::json;

use crate::web::desk::Desk;

/// What has happened, by name and with its data.
pub(in crate::web) struct News(pub(super) &'static str, pub(super) String);

impl News {
    pub(in crate::web) fn of(name: &'static str, data: &impl Serialize) -> News {
        News(name, serde_json::to_string(data).unwrap_or_else(|_| "{}".into()))
    }

    pub(in crate::web) fn plain(name: &'static str) -> News {
        News::of(name, &json!({}))
    }
}

/// Something that is looked at again and again.
pub(in crate::web) trait Followed: Send + 'static {
    /// What has happened since it was last looked at.
    fn news(&mut self, desk: &Desk) -> Vec<News>;
}
