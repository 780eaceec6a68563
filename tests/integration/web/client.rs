//! A server for a test, and a minimal HTTP client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Scratch, signal, wait_until};

/// `ayo serve` in a test's folder. Dropping it kills the process.
pub struct Server {
    pub process: Child,
    pub port: u16,
    pub token: String,
    /// Printed lines, up to the address for other machines.
    pub printed: Vec<String>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub fn refusal(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        let said = self.json();
        assert_eq!(said["kind"], "error", "{self:?}");
        said["error"].as_str().unwrap().to_owned()
    }

    pub fn fine(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }
}

impl Server {
    pub fn in_new_folder() -> (Scratch, Server) {
        let scratch = Scratch::new();
        let server = Server::start(&scratch, "");
        (scratch, server)
    }

    pub fn start(scratch: &Scratch, flags: &str) -> Server {
        Server::of(scratch.command(), flags)
    }

    #[cfg(unix)]
    pub fn start_with_files(scratch: &Scratch, files: u32) -> Server {
        let mut command = scratch.command_of("sh");
        let line = format!("ulimit -n {files} && exec \"$0\" \"$@\"");
        command.args(["-c", &line]).arg(scratch.command().get_program());
        Server::of(command, "")
    }

    fn of(mut command: Command, flags: &str) -> Server {
        command.args(["serve", "--no-open"]).args(flags.split_whitespace());
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let lines_wanted = if flags.contains("--lan") { 2 } else { 1 };
        let printed: Vec<String> = lines.by_ref().take(lines_wanted).map(Result::unwrap).collect();
        let rest = printed[0].strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.split_once("/#token=").unwrap();
        let (port, token) = (port.parse().unwrap(), token.to_owned());
        Server { process, port, token, printed }
    }

    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }

    pub fn unread(&self, request: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    pub fn raw(&self, request: &str) -> Answer {
        self.raw_from(self.connect(), request)
    }

    pub fn raw_from(&self, mut stream: TcpStream, request: &str) -> Answer {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = Vec::new();
        // The server may close the connection before it has read the body.
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        Answer { status: status.unwrap_or(0), head: head.into(), body: body.into() }
    }

    fn head(&self, method: &str, path: &str, more: &str) -> String {
        let (port, token) = (self.port, &self.token);
        format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\n{more}"
        )
    }

    pub fn get(&self, path: &str) -> Answer {
        self.raw(&self.request_to_get(path))
    }

    pub fn request_to_get(&self, path: &str) -> String {
        self.head("GET", path, "") + "\r\n"
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.raw(&self.request_to_post(path, body))
    }

    pub fn request_to_post(&self, path: &str, body: &str) -> String {
        let length =
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        format!("{}\r\n{body}", self.head("POST", path, &length))
    }

    pub fn events(&self, query: &str) -> Events {
        let mut stream = self.connect();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let request = self.head("GET", &format!("/api/events{query}"), "") + "\r\n";
        stream.write_all(request.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut status = String::new();
        reader.read_line(&mut status).unwrap();
        Events { status, reader }
    }

    pub fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let mut found = Value::Null;
        wait_until(path, || {
            std::thread::sleep(Duration::from_millis(30));
            found = self.get(path).json();
            is_so(&found)
        });
        found
    }

    #[cfg(target_os = "linux")]
    pub fn seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        let ticks = |field: usize| fields[field].parse::<f64>().unwrap();
        (ticks(11) + ticks(12)) / 100.0
    }

    /// Sends SIGTERM, and returns how long the server takes to exit.
    #[cfg(unix)]
    pub fn terminate(mut self) -> Duration {
        let begun = Instant::now();
        signal(self.process.id(), "TERM");
        self.process.wait().unwrap();
        begun.elapsed()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub struct Events {
    pub status: String,
    reader: BufReader<TcpStream>,
}

impl Events {
    /// Returns the data of the next event with this name. Skips other events.
    pub fn next(&mut self, name: &str) -> Value {
        let mut current = String::new();
        loop {
            let mut line = String::new();
            assert!(
                self.reader.read_line(&mut line).unwrap() > 0,
                "the stream ended before {name}"
            );
            if let Some(event) = line.trim_end().strip_prefix("event: ") {
                current = event.to_owned();
            } else if let Some(data) = line.strip_prefix("data: ").filter(|_| current == name) {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}
