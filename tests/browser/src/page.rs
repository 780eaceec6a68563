//! The page in a browser: its content, and user actions.

use std::cell::RefCell;
use std::fmt::Display;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::error::CmdError;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{sleep, timeout};
use url::{ParseError, Url};

use crate::programs::{Browser, root};
use crate::server::Server;

const TIMEOUT: Duration = Duration::from_secs(60);
const POLL_INTERVAL: Duration = Duration::from_millis(40);

pub async fn retry<T, E: Display>(mut attempt: impl AsyncFnMut() -> Result<T, E>) -> T {
    let begun = Instant::now();
    loop {
        match attempt().await {
            Ok(value) => return value,
            Err(_) if begun.elapsed() < TIMEOUT => sleep(POLL_INTERVAL).await,
            Err(error) => panic!("timeout: {error}"),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Screen {
    Wide,
    /// An emulated phone, because windows cannot be made that narrow.
    Phone,
}

impl Screen {
    pub fn width(self) -> u32 {
        match self {
            Screen::Wide => 1280,
            Screen::Phone => 360,
        }
    }

    fn capabilities(self, browser: &Browser, profile: &Path) -> Value {
        let profile = format!("--user-data-dir={}", profile.display());
        let mut options = json!({
            "binary": browser.chromium,
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900", profile],
        });
        if let Screen::Phone = self {
            let metrics = json!({ "width": self.width(), "height": 844, "pixelRatio": 2 });
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "performance": "ALL", "browser": "ALL" },
        })
    }
}

/// A chromedriver command beyond the WebDriver standard: a path relative to the session's address, and a body.
#[derive(Debug)]
struct DriverCommand(&'static str, Value);

impl WebDriverCompatibleCommand for DriverCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.1.to_string()))
    }
}

type DriverLines = Lines<BufReader<ChildStdout>>;

pub struct Page {
    client: Client,
    _driver: Child,
    expected: RefCell<Vec<&'static str>>,
    network: RefCell<Vec<Value>>,
}

/// Helper definitions that precede every expression.
const SHORT: &str = "const $ = css => document.querySelector(css), $$ = css => [...document.querySelectorAll(css)];";

impl Page {
    /// Starts chromedriver and waits until it listens. Returns its port, or `None` if it exited: with `--port=0`
    /// it takes a free port for IPv4 and then the same port for IPv6, which another process may already be using.
    async fn start_driver(
        browser: &Browser,
        profile: &Path,
    ) -> Option<(Child, DriverLines, String)> {
        let mut command = Command::new(&browser.driver);
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        // The browser creates other files next to its profile.
        command.env("TMPDIR", profile);
        let mut driver = command.kill_on_drop(true).spawn().unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        while let Some(line) = lines.next_line().await.unwrap() {
            if let Some((_, port)) = line.rsplit_once("successfully on port ") {
                return Some((driver, lines, port.trim_end_matches('.').to_owned()));
            }
        }
        None
    }

    pub async fn start(browser: &Browser, profile: &Path, screen: Screen) -> Page {
        let start = async {
            for _ in 0..5 {
                if let Some(started) = Self::start_driver(browser, profile).await {
                    return started;
                }
            }
            panic!("chromedriver did not start in five attempts");
        };
        let (driver, mut lines, port) =
            timeout(TIMEOUT, start).await.expect("chromedriver listens in time");
        // Keep reading the output so that the pipe does not fill up.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let capabilities = screen.capabilities(browser, profile);
        builder.capabilities(capabilities.as_object().unwrap().clone());
        let address = format!("http://127.0.0.1:{port}");
        let client =
            timeout(TIMEOUT, builder.connect(&address)).await.expect("chromium starts in time");
        let client = client.expect("chromium starts");
        Page { client, _driver: driver, expected: RefCell::default(), network: RefCell::default() }
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Marks browser error messages that contain these strings as expected.
    pub fn expect(&self, complaints: &[&'static str]) {
        self.expected.borrow_mut().extend(complaints);
    }

    /// Opens a view at the printed address, with the sowing animation disabled.
    pub async fn open(&self, server: &Server, hash: &str, ready: &str) {
        let before = "if (location.origin !== 'null') localStorage['ayo.speed'] ??= '0';";
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": before })).await;
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(&server.url_to(hash)).await.unwrap();
        self.shown(ready).await;
    }

    pub async fn visit(&self, hash: &str, ready: &str) {
        let script = "(() => { const view = $('#view').firstElementChild; if (view) view.dataset.stale = '1'; \
                      const before = location.href; location.hash = arguments[0]; \
                      if (location.href === before) location.reload(); })()";
        self.js_with(script, &[json!(hash)]).await;
        let script = format!("!$('#view > [data-stale]') && $({})", json!(ready));
        self.wait(&script).await;
    }

    pub async fn js(&self, expression: &str) -> Value {
        self.js_with(expression, &[]).await
    }

    pub async fn js_with(&self, expression: &str, arguments: &[Value]) -> Value {
        self.try_js(expression, arguments)
            .await
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    async fn try_js(&self, expression: &str, arguments: &[Value]) -> Result<Value, CmdError> {
        self.client.execute(&format!("{SHORT} return ({expression});"), arguments.to_vec()).await
    }

    pub async fn wait(&self, expression: &str) -> Value {
        let script = format!("(it => it instanceof Node ? true : it)({expression})");
        retry(async || match self.try_js(&script, &[]).await {
            Ok(value) if ![json!(null), json!(false), json!("")].contains(&value) => Ok(value),
            // The expression may fail while the page is loading.
            result => Err(format!("{expression} is {result:?}")),
        })
        .await
    }

    pub async fn shown(&self, css: &str) {
        self.wait(&format!("$({})", json!(css))).await;
    }

    pub async fn gone(&self, css: &str) {
        self.wait(&format!("!$({})", json!(css))).await;
    }

    pub async fn there(&self, css: &str) -> bool {
        self.js(&format!("Boolean($({}))", json!(css))).await == json!(true)
    }

    pub async fn text(&self, css: &str) -> String {
        let css = json!(css);
        let text = self.wait(&format!("$({css}) && {{ text: $({css}).textContent }}")).await;
        text["text"].as_str().unwrap().to_owned()
    }

    pub async fn click(&self, css: &str) {
        retry(async || {
            let pressed = async { self.client.find(Locator::Css(css)).await?.click().await };
            pressed.await.map_err(|error| format!("{css} cannot be clicked: {error}"))
        })
        .await;
    }

    pub async fn keys(&self, keys: &str) {
        let mut actions = KeyActions::new("keyboard".into());
        for value in keys.chars() {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    pub async fn write(&self, css: &str, text: &str) {
        self.click(css).await;
        let field = self.client.find(Locator::Css(css)).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    pub async fn choose(&self, css: &str, value: &str) {
        self.shown(&format!("{css} option[value={}]", json!(value))).await;
        // The page may draw the list again after it has been found.
        let select =
            async || self.client.find(Locator::Css(css)).await?.select_by_value(value).await;
        if select().await.is_err() {
            select().await.unwrap();
        }
    }

    pub async fn pick(&self, legend: &str, value: &str) {
        let script = format!(
            "(it => it && (it.id ||= 'picked-' + Math.random().toString(36).slice(2)))($$('fieldset').find(it => \
             it.querySelector('legend')?.textContent === '{legend}')?.querySelector('input[value={value}]'))"
        );
        let id = self.wait(&script).await;
        self.click(&format!("label:has(#{})", id.as_str().unwrap())).await;
    }

    pub async fn unfold(&self, css: &str) {
        self.wait(&format!("$({0}) && ($({0}).open = true)", json!(css))).await;
    }

    pub async fn unfold_all(&self) {
        self.js("$$('#view details').forEach(it => { it.open = true; })").await;
    }

    pub async fn set_media(&self, scheme: &str) {
        let features = [("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")];
        let features = features.map(|(name, value)| json!({ "name": name, "value": value }));
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    pub async fn resize(&self, width: u32, height: u64) {
        let view =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", view).await;
        self.wait(&format!("innerWidth === {width} && innerHeight === {height}")).await;
    }

    pub async fn devtools(&self, command: &str, parameters: Value) {
        let body = json!({ "cmd": command, "params": parameters });
        self.client.issue_cmd(DriverCommand("goog/cdp/execute", body)).await.unwrap();
    }

    /// Returns the log entries added since the last call.
    async fn log(&self, kind: &str) -> Result<Vec<Value>, CmdError> {
        let log = DriverCommand("se/log", json!({ "type": kind }));
        Ok(self.client.issue_cmd(log).await?.as_array().cloned().unwrap_or_default())
    }

    pub async fn network(&self, method: &str) -> Vec<Value> {
        let entries = self.log("performance").await.unwrap();
        let message = |entry: Value| serde_json::from_str::<Value>(entry["message"].as_str()?).ok();
        let mut network = self.network.borrow_mut();
        network.extend(entries.into_iter().filter_map(message).map(|mut it| it["message"].take()));
        let events = network.iter().filter(|event| event["method"] == method);
        events.map(|event| event["params"].clone()).collect()
    }

    pub async fn events(&self, name: &str) -> usize {
        let events = self.network("Network.eventSourceMessageReceived").await;
        events.iter().filter(|event| event["eventName"] == name).count()
    }

    pub(crate) async fn describe(&self) {
        let said = async {
            let state = "({ url: location.href, status: $('#status')?.textContent, banner: $('#banner').textContent, \
                         dialogue: $('dialog')?.id, notices: $$('.notice').map(it => it.textContent) })";
            eprintln!("the page: {:#}", self.try_js(state, &[]).await.unwrap_or_default());
            let picture = self.client.screenshot().await.ok()?;
            let folder = root().join("target/failed");
            std::fs::create_dir_all(&folder).ok()?;
            let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
            let path = folder.join(format!("{name}.png"));
            std::fs::write(&path, picture).ok()?;
            eprintln!("a picture of it: {}", path.display());
            Some(())
        };
        let _ = timeout(TIMEOUT, said).await;
    }

    /// Closes the browser, and returns unexpected errors: exceptions, failed requests, policy violations.
    pub(crate) async fn end(&self) -> Vec<String> {
        let complaints = async {
            let entries = self.log("browser").await.unwrap_or_default();
            let errors = entries.iter().filter(|entry| entry["level"] == "SEVERE");
            let texts = errors.filter_map(|entry| entry["message"].as_str());
            let expected = self.expected.take();
            let texts = texts.filter(|text| !expected.iter().any(|it| text.contains(it)));
            let texts = texts.map(str::to_owned).collect();
            let _ = self.client.clone().close().await;
            texts
        };
        timeout(TIMEOUT, complaints).await.unwrap_or_else(|_| vec!["it does not end".into()])
    }
}
