//! The board on the page.

use serde_json::{Value, json};

use crate::page::Page;

/// The visible state of the board.
pub struct Board<'a>(pub &'a Page);

impl Board<'_> {
    pub async fn status(&self) -> String {
        self.0.text("#status").await
    }

    /// Waits until the status contains a text, and returns the whole status.
    pub async fn until(&self, text: &str) -> String {
        let script = format!(
            "$('#status')?.textContent.includes({0}) && $('#status').textContent",
            json!(text)
        );
        self.0.wait(&format!("the status {text:?}"), &script).await.as_str().unwrap().to_owned()
    }

    /// Waits until it is the user's turn or the game is over.
    pub async fn turn(&self) -> String {
        let script = "/your turn|The game is over/.test($('#status')?.textContent) && $('#status').textContent";
        self.0.wait("the person's turn", script).await.as_str().unwrap().to_owned()
    }

    /// Returns the moves so far, from the address.
    pub async fn line(&self) -> String {
        self.parameter("line").await.unwrap_or_default()
    }

    /// Returns a parameter of the address.
    pub async fn parameter(&self, name: &str) -> Option<String> {
        let script =
            format!("new URLSearchParams(location.hash.split('?')[1]).get({})", json!(name));
        self.0.js(&script).await.as_str().map(str::to_owned)
    }

    pub async fn counter(&self) -> u64 {
        self.0.text("#counter strong").await.parse().unwrap()
    }

    pub async fn seeds(&self, pit: &str) -> u64 {
        self.0.text(&format!("[data-pit='{pit}'] .count")).await.parse().unwrap()
    }

    pub async fn store(&self, side: &str) -> u64 {
        self.0.text(&format!("[data-store='{side}'] .count")).await.parse().unwrap()
    }

    /// Returns the pits that can be sown.
    pub async fn open_pits(&self) -> Vec<String> {
        let script = "$$('button[data-pit][aria-disabled=false]').map(it => it.dataset.pit)";
        strings(&self.0.js(script).await)
    }

    /// Sows with the mouse, and waits until the address has the move.
    pub async fn sow(&self, pit: &str) {
        let line = self.line().await;
        self.0.click(&format!("[data-pit='{pit}']")).await;
        self.played(&line, pit).await;
    }

    /// Waits until a move follows a line.
    pub async fn played(&self, line: &str, pit: &str) {
        let script = format!(
            "new URLSearchParams(location.hash.split('?')[1]).get('line')?.startsWith({})",
            json!(format!("{line}{pit}"))
        );
        self.0.wait(&format!("{pit} after {line:?}"), &script).await;
    }

    /// Shows payoffs if they are hidden, and returns pit, value and gain of each.
    pub async fn payoffs(&self) -> Vec<(String, i64, i64)> {
        if !self.0.there(".payoffs:not([hidden]) [data-value]").await {
            self.0.click("#payoff").await;
        }
        let script = "$('.payoffs:not([hidden]) [data-value]') && $$('[data-payoff]').map(it => [it.dataset.payoff, \
                      it.querySelector('[data-value]')?.dataset.value, it.querySelector('[data-gain]')?.dataset.gain])";
        let cells = self.0.wait("payoffs", script).await;
        let number = |value: &Value| value.as_str().and_then(|it| it.parse().ok());
        let cell =
            |it: &Value| Some((it[0].as_str()?.to_owned(), number(&it[1])?, number(&it[2])?));
        let mut cells: Vec<_> = cells.as_array().unwrap().iter().filter_map(cell).collect();
        cells.sort();
        cells
    }
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
