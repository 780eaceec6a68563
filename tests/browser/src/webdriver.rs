//! Commands of Chromium's driver beyond the standard.

use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// A command below the session's address.
#[derive(Debug)]
pub struct DriverCommand {
    path: &'static str,
    body: Value,
}

impl DriverCommand {
    /// Creates a command of the DevTools protocol.
    pub fn devtools(command: &str, parameters: Value) -> DriverCommand {
        DriverCommand {
            path: "goog/cdp/execute",
            body: json!({ "cmd": command, "params": parameters }),
        }
    }

    /// Creates a request for log entries since the last request.
    pub fn log(kind: &str) -> DriverCommand {
        DriverCommand { path: "se/log", body: json!({ "type": kind }) }
    }
}

impl WebDriverCompatibleCommand for DriverCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
