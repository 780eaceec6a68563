//! A Redis server of one test's own.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use redis::{Client, Connection};
use tempfile::TempDir;

/// A server on a free port, killed in the end.
pub struct Server {
    child: Option<Child>,
    port: u16,
    options: Vec<String>,
    _folder: TempDir,
}

impl Server {
    /// A server, or `None` and a loud word where none is installed.
    pub fn start(options: &[&str]) -> Option<Server> {
        let is_there = Command::new("redis-server").arg("--version").stdout(Stdio::null()).status();
        if is_there.is_err() {
            eprintln!("SKIPPED: there is no redis-server; apt-get install redis-server");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let mut server = Server {
            child: None,
            port,
            options: options.iter().map(|it| (*it).to_owned()).collect(),
            _folder: folder,
        };
        server.run();
        Some(server)
    }

    /// Starts it, empty, on the same port.
    pub fn run(&mut self) {
        let mut command = Command::new("redis-server");
        command.args(["--port", &self.port.to_string(), "--bind", "127.0.0.1", "--save", ""]);
        command.args(["--enable-debug-command", "yes"]).arg("--dir").arg(self._folder.path());
        command.args(&self.options).stdout(Stdio::null()).stderr(Stdio::null());
        self.child = Some(command.spawn().unwrap());
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "redis-server does not answer");
            sleep(Duration::from_millis(5));
        }
    }

    /// `SIGKILL`.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Stops it or lets it go on.
    pub fn signal(&self, name: &str) {
        let id = self.child.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    /// A number that its `INFO` has behind some words.
    fn told(&self, section: &str, words: &str) -> i64 {
        let info: String = redis::from_redis_value(self.say(&["INFO", section])).unwrap();
        let found = info.lines().find_map(|line| line.strip_prefix(words));
        let digits: String =
            found.unwrap_or_default().chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    }

    /// Bytes that it has heard and said.
    pub fn bytes(&self) -> i64 {
        ["total_net_input_bytes:", "total_net_output_bytes:"]
            .iter()
            .map(|words| self.told("stats", words))
            .sum()
    }

    /// How often it was asked for something.
    pub fn calls(&self, command: &str) -> i64 {
        self.told("commandstats", &format!("cmdstat_{command}:calls="))
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        url(self.port)
    }

    pub fn connect(&self) -> Connection {
        Client::open(self.url()).unwrap().get_connection().unwrap()
    }

    /// Says something to the server, which answers.
    pub fn say(&self, words: &[&str]) -> redis::Value {
        let mut command = redis::cmd(words[0]);
        command.arg(&words[1..]);
        command.query(&mut self.connect()).unwrap()
    }

    /// The same of a number.
    pub fn number(&self, words: &[&str]) -> i64 {
        redis::from_redis_value(self.say(words)).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

pub fn url(port: u16) -> String {
    format!("redis://127.0.0.1:{port}/")
}

/// Waits until something is so.
pub fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(30), "never: {what}");
        sleep(Duration::from_millis(10));
    }
}
