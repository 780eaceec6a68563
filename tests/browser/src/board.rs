//! Actions and checks on the page's board.

use serde_json::{Value, json};

use crate::page::Page;
use crate::server::Server;

pub const PAYOFFS: &str = ".payoffs:not([hidden]) [data-value]";

impl Page {
    pub async fn play(&self, server: &Server, setup: &str) {
        self.open(server, &format!("#/play?{setup}"), "button[data-pit]").await;
        self.status("turn").await;
    }

    pub async fn start_game(&self) {
        self.click("#start[aria-disabled=false]").await;
    }

    pub async fn status(&self, text: &str) -> String {
        self.status_if(&format!("it.includes({})", json!(text))).await
    }

    pub async fn turn(&self) -> String {
        self.status_if("/your turn|The game is over/.test(it)").await
    }

    async fn status_if(&self, condition: &str) -> String {
        let script = format!("(it => it && {condition} && it)($('#status')?.textContent)");
        self.wait(&script).await.as_str().unwrap().to_owned()
    }

    /// Plays South's game to the end with the moves of a good player, and checks the result.
    pub async fn play_to_end(&self, server: &Server, mut make: impl AsyncFnMut(&str, &str)) {
        let mut status = self.turn().await;
        while !status.contains("The game is over") {
            let line = self.line().await;
            let pit = server.advised(&line).await;
            make(&line, &pit).await;
            self.played(&line, &pit).await;
            status = self.turn().await;
        }
        let line = self.line().await;
        let over = server.post("/api/play", &json!({ "line": line })).await["over"].take();
        assert!(status.contains(over["verdict"].as_str().unwrap()), "{status}");
        assert!(status.contains("South wins"), "{status}");
        assert_eq!(self.counter().await, line.len() as u64);
        self.check_stores(&over).await;
    }

    pub async fn line(&self) -> String {
        self.parameter("line").await.unwrap_or_default()
    }

    pub async fn parameter(&self, name: &str) -> Option<String> {
        let script =
            format!("new URLSearchParams(location.hash.split('?')[1]).get({})", json!(name));
        self.js(&script).await.as_str().map(str::to_owned)
    }

    pub async fn counter(&self) -> u64 {
        self.text("#counter strong").await.parse().unwrap()
    }

    pub async fn seeds(&self, pit: &str) -> u64 {
        self.text(&format!("[data-pit='{pit}'] .count")).await.parse().unwrap()
    }

    pub async fn store(&self, side: &str) -> u64 {
        self.text(&format!("[data-store='{side}'] .count")).await.parse().unwrap()
    }

    pub async fn check_stores(&self, board: &Value) {
        for side in ["south", "north"] {
            assert_eq!(json!(self.store(side).await), board["stores"][side], "{side}");
        }
    }

    pub async fn first_pit_below(&self) -> Value {
        self.js("$('.row-bottom [data-pit]').dataset.pit").await
    }

    pub async fn open_pits(&self) -> Vec<String> {
        let script = "$$('button[data-pit][aria-disabled=false]').map(it => it.dataset.pit)";
        serde_json::from_value(self.js(script).await).unwrap()
    }

    /// Sows with the mouse, and waits until the move appears in the address.
    pub async fn sow(&self, pit: &str) {
        let line = self.line().await;
        self.click(&format!("[data-pit='{pit}']")).await;
        self.played(&line, pit).await;
    }

    /// Sows with the mouse, and waits until it is the user's turn again or the game has ended.
    pub async fn sow_in_turn(&self, pit: &str) {
        self.sow(pit).await;
        self.turn().await;
    }

    pub async fn press(&self, css: &str, status: &str) -> String {
        self.click(css).await;
        self.status(status).await
    }

    pub async fn answer(&self, css: &str, dialogue: &str, answer: &str) {
        self.click(css).await;
        self.click(&format!("{dialogue} [data-answer='{answer}']")).await;
    }

    pub async fn played(&self, line: &str, pit: &str) {
        let script = format!(
            "new URLSearchParams(location.hash.split('?')[1]).get('line')?.startsWith({})",
            json!(format!("{line}{pit}"))
        );
        self.wait(&script).await;
    }

    pub async fn counted(&self, moves: u64) {
        self.wait(&format!("$('#counter strong').textContent === '{moves}'")).await;
    }

    /// Shows the payoffs if they are hidden, and returns the pit, value and gain of each.
    pub async fn payoffs(&self) -> Vec<(String, i64, i64)> {
        if !self.there(PAYOFFS).await {
            self.click("#payoff").await;
        }
        self.shown(PAYOFFS).await;
        let script = "$$('[data-payoff]:has([data-value])').map(it => [it.dataset.payoff, \
                      Number(it.querySelector('[data-value]').dataset.value), \
                      Number(it.querySelector('[data-gain]').dataset.gain)]).sort()";
        serde_json::from_value(self.js(script).await).unwrap()
    }
}
