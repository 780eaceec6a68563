//! The page in a browser: its content and the user's actions.

use std::cell::RefCell;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::{sleep, timeout};

use crate::programs::Browser;
use crate::server::Server;
use crate::webdriver::DriverCommand;

/// Timeout of all waits.
const TIMEOUT: Duration = Duration::from_secs(40);
const POLL_INTERVAL: Duration = Duration::from_millis(40);

/// The screen that shows the page.
#[derive(Debug, Clone, Copy)]
pub enum Screen {
    /// A window with a width and a height.
    Window(u32, u32),
    /// An emulated phone with a width: windows cannot be that narrow.
    Phone(u32),
}

impl Screen {
    pub const WIDE: Screen = Screen::Window(1280, 900);
    pub const NARROW: Screen = Screen::Phone(360);

    pub fn width(self) -> u32 {
        let (Screen::Window(width, _) | Screen::Phone(width)) = self;
        width
    }

    fn capabilities(self, browser: &Browser, profile: &Path) -> Value {
        let mut arguments = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-dev-shm-usage".into(),
            format!("--user-data-dir={}", profile.display()),
        ];
        let mut options = json!({ "binary": browser.chromium });
        match self {
            Screen::Window(width, height) => {
                arguments.push(format!("--window-size={width},{height}"))
            }
            Screen::Phone(width) => {
                let metrics = json!({ "width": width, "height": 844, "pixelRatio": 2 });
                options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
            }
        }
        options["args"] = json!(arguments);
        json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "performance": "ALL", "browser": "ALL" },
        })
    }
}

/// The output of chromedriver.
type DriverLines = Lines<BufReader<ChildStdout>>;

pub struct Page {
    client: Client,
    _driver: Child,
    /// Parts of error messages that a test expects.
    expected: RefCell<Vec<&'static str>>,
    /// The recorded network events.
    noted: RefCell<Vec<Value>>,
}

/// The prefix of every expression.
const SHORT: &str = "const $ = css => document.querySelector(css), $$ = css => [...document.querySelectorAll(css)];";

impl Page {
    /// Starts chromedriver and waits until it listens. Returns its port, or `None` if it ended: with `--port=0` it takes
    /// a free port for IPv4 and then the same port for IPv6, which another process may have taken.
    async fn start_driver(
        browser: &Browser,
        profile: &Path,
    ) -> Option<(Child, DriverLines, String)> {
        let mut command = Command::new(&browser.driver);
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Other files of the browser are created next to its profile.
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
        // Its later output must be read.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let Value::Object(capabilities) = screen.capabilities(browser, profile) else {
            unreachable!()
        };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities);
        let address = format!("http://127.0.0.1:{port}");
        let client =
            timeout(TIMEOUT, builder.connect(&address)).await.expect("chromium starts in time");
        let client = client.expect("chromium starts");
        Page { client, _driver: driver, expected: RefCell::default(), noted: RefCell::default() }
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Expects an error message of the browser that contains this text.
    pub fn expect(&self, complaint: &'static str) {
        self.expected.borrow_mut().push(complaint);
    }

    /// Opens the printed address and a view, without animation of seeds.
    pub async fn open(&self, server: &Server, hash: &str, ready: &str) {
        let before = "if (location.origin !== 'null') localStorage['ayo.speed'] ??= '0';";
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": before })).await;
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(&server.url_to(hash)).await.unwrap();
        self.wait(&format!("{ready} in {hash}"), &format!("$({})", json!(ready))).await;
    }

    /// Navigates to another view, as a link does.
    pub async fn visit(&self, hash: &str, ready: &str) {
        let script = "(() => { const view = $('#view').firstElementChild; if (view) view.dataset.stale = '1'; \
                      const before = location.href; location.hash = arguments[0]; \
                      if (location.href === before) location.reload(); })()";
        self.js_with(script, &[json!(hash)]).await;
        let script = format!("!$('#view > [data-stale]') && $({})", json!(ready));
        self.wait(&format!("{ready} in {hash}"), &script).await;
    }

    /// Returns the value of an expression.
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

    /// Returns the value of a promise.
    pub async fn resolved(&self, expression: &str) -> Value {
        let script = format!(
            "{SHORT} const done = arguments[arguments.length - 1]; \
             Promise.resolve({expression}).then(done, error => done({{ error: String(error) }}));"
        );
        self.client
            .execute_async(&script, Vec::new())
            .await
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// Waits until an expression is truthy, and returns its value.
    pub async fn wait(&self, what: &str, expression: &str) -> Value {
        let begun = Instant::now();
        loop {
            // The expression may fail while the page is loading.
            let last = self
                .try_js(&format!("(it => it instanceof Node ? true : it)({expression})"), &[])
                .await;
            let is_there = |value: &Value| {
                !matches!(value, Value::Null | Value::Bool(false)) && *value != json!("")
            };
            match last {
                Ok(value) if is_there(&value) => return value,
                _ if begun.elapsed() < TIMEOUT => sleep(POLL_INTERVAL).await,
                Ok(value) => panic!("timeout while waiting for {what}: {expression} is {value}"),
                Err(error) => panic!("timeout while waiting for {what}: {expression}: {error}"),
            }
        }
    }

    pub async fn there(&self, css: &str) -> bool {
        self.js(&format!("Boolean($({}))", json!(css))).await == json!(true)
    }

    /// Waits for an element, and returns its text.
    pub async fn text(&self, css: &str) -> String {
        let css = json!(css);
        let text = self
            .wait(
                &format!("{css} on the page"),
                &format!("$({css}) && {{ text: $({css}).textContent }}"),
            )
            .await;
        text["text"].as_str().unwrap().to_owned()
    }

    /// Clicks an element as soon as it can be clicked.
    pub async fn click(&self, css: &str) {
        let begun = Instant::now();
        loop {
            let pressed = async { self.client.find(Locator::Css(css)).await?.click().await }.await;
            match pressed {
                Ok(()) => return,
                // It does not exist yet, is being redrawn, or is covered.
                Err(_) if begun.elapsed() < TIMEOUT => sleep(POLL_INTERVAL).await,
                Err(error) => panic!("{css} cannot be clicked: {error}"),
            }
        }
    }

    /// Presses keys in order at the element with the focus.
    pub async fn keys(&self, keys: &str) {
        let mut actions = KeyActions::new("keyboard".into());
        for value in keys.chars() {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Replaces the text of a field.
    pub async fn write(&self, css: &str, text: &str) {
        self.click(css).await;
        let field = self.client.find(Locator::Css(css)).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Selects an option of a list by its value.
    pub async fn choose(&self, css: &str, value: &str) {
        self.wait(
            &format!("{value} in {css}"),
            &format!("$('{css} option[value={}]')", json!(value)),
        )
        .await;
        let list = self.client.find(Locator::Css(css)).await.unwrap();
        list.select_by_value(value).await.unwrap();
    }

    /// Selects a radio button by the legend of its group and its value.
    pub async fn pick(&self, legend: &str, value: &str) {
        let group = format!(
            "$$('fieldset').find(it => it.querySelector('legend')?.textContent === {})",
            json!(legend)
        );
        let script = format!("{group}?.querySelector('input[value={value}]')");
        self.wait(&format!("{legend}: {value}"), &script).await;
        let id = self
            .js(&format!(
                "(it => it.id ||= 'picked-' + Math.random().toString(36).slice(2))({script})"
            ))
            .await;
        self.click(&format!("label:has(#{})", id.as_str().unwrap())).await;
    }

    /// Unfolds a `details` element.
    pub async fn unfold(&self, css: &str) {
        self.wait(&format!("{css} on the page"), &format!("$({})", json!(css))).await;
        self.js(&format!("void ($({}).open = true)", json!(css))).await;
    }

    /// Sets the media features of the system: a colour scheme and reduced motion.
    pub async fn set_media(&self, scheme: &str) {
        let wish = |name: &str, value: &str| json!({ "name": name, "value": value });
        let features =
            [wish("prefers-color-scheme", scheme), wish("prefers-reduced-motion", "reduce")];
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.client.issue_cmd(DriverCommand::devtools(command, parameters)).await.unwrap()
    }

    /// Returns all network events so far: method and parameters.
    pub async fn network(&self) -> Vec<Value> {
        let log = self.client.issue_cmd(DriverCommand::log("performance")).await.unwrap();
        let entries = log.as_array().cloned().unwrap_or_default();
        let message =
            |entry: &Value| serde_json::from_str::<Value>(entry["message"].as_str()?).ok();
        self.noted
            .borrow_mut()
            .extend(entries.iter().filter_map(message).map(|mut it| it["message"].take()));
        self.noted.borrow().clone()
    }

    /// Returns the number of server-sent events of a name received so far.
    pub async fn events(&self, name: &str) -> usize {
        let came = |it: &Value| {
            it["method"] == "Network.eventSourceMessageReceived"
                && it["params"]["eventName"] == name
        };
        self.network().await.iter().filter(|it| came(it)).count()
    }

    pub async fn screenshot(&self) -> Vec<u8> {
        self.client.screenshot().await.unwrap()
    }

    /// Describes the state of the page when a test failed.
    pub(crate) async fn describe(&self) {
        let said = async {
            let state = "({ url: location.href, status: $('#status')?.textContent, banner: $('#banner').textContent, \
                         dialogue: $('dialog')?.id, notices: $$('.notice').map(it => it.textContent) })";
            eprintln!("the page: {:#}", self.try_js(state, &[]).await.unwrap_or_default());
            let picture = self.client.screenshot().await.ok()?;
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/failed");
            std::fs::create_dir_all(&folder).ok()?;
            let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
            let path = folder.join(format!("{name}.png"));
            std::fs::write(&path, picture).ok()?;
            eprintln!("a picture of it: {}", path.display());
            Some(())
        };
        let _ = timeout(TIMEOUT, said).await;
    }

    /// Ends the browser, and returns unexpected error messages: exceptions, failed requests, violations of the page's
    /// content security policy.
    pub(crate) async fn end(&self) -> Vec<String> {
        let complaints = async {
            let log =
                self.client.issue_cmd(DriverCommand::log("browser")).await.unwrap_or_default();
            let entries = log.as_array().cloned().unwrap_or_default();
            let bad = entries.iter().filter(|entry| entry["level"] == "SEVERE");
            let texts = bad.filter_map(|entry| Some(entry["message"].as_str()?.to_owned()));
            let expected = self.expected.take();
            let texts: Vec<String> =
                texts.filter(|text| !expected.iter().any(|it| text.contains(it))).collect();
            let _ = self.client.clone().close().await;
            texts
        };
        timeout(TIMEOUT, complaints).await.unwrap_or_else(|_| vec!["it does not end".into()])
    }
}
