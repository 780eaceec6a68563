//! Commands of Chromium's driver that are not in the standard.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// A command below the session's address.
#[derive(Debug)]
pub struct Own {
    path: &'static str,
    body: Value,
}

impl Own {
    /// A command of the protocol of the developer tools.
    pub fn devtools(command: &str, parameters: Value) -> Own {
        Own { path: "goog/cdp/execute", body: json!({ "cmd": command, "params": parameters }) }
    }

    /// What was noted since it was last asked for.
    pub fn log(kind: &str) -> Own {
        Own { path: "se/log", body: json!({ "type": kind }) }
    }
}

impl WebDriverCompatibleCommand for Own {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
