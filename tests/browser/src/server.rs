//! A running `ayo serve`, and requests to it.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Child;
use tokio::time::timeout;

use crate::stage::Stage;

const TIMEOUT: Duration = Duration::from_secs(60);

pub struct Server {
    process: Child,
    pub url: String,
    pub port: u16,
    token: String,
}

impl Server {
    pub async fn start(stage: &Stage, port: u16) -> Server {
        let (runs, matches) = (stage.path("runs"), stage.path("matches"));
        let mut command = stage.command(&format!("serve --no-open --port {port}"));
        command.arg("--runs").arg(runs).arg("--matches").arg(matches);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let line =
            timeout(TIMEOUT, lines.next_line()).await.expect("the server says its address in time");
        let url = line.unwrap().expect("the server starts");
        let (address, token) = url.split_once("/#token=").expect("the first line is the address");
        let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
        Server { process, port, token: token.to_owned(), url }
    }

    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn url_to(&self, hash: &str) -> String {
        format!("{}&to={}", self.url, hash.trim_start_matches('#').replace('&', "%26"))
    }

    pub async fn end(&mut self) {
        self.process.kill().await.unwrap();
    }

    pub async fn get(&self, path: &str) -> Value {
        self.ask("GET", path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Value {
        self.ask("POST", path, Some(body)).await
    }

    pub async fn advised(&self, line: &str) -> String {
        let body = json!({ "line": line, "player": { "weights": "learned", "depth": 4 } });
        self.post("/api/play", &body).await["chosen"]["pit"].as_str().unwrap().to_owned()
    }

    async fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let Server { port, token, .. } = self;
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\
             Connection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = async {
            let mut stream = TcpStream::connect(("127.0.0.1", *port)).await?;
            stream.write_all(request.as_bytes()).await?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.map(|_| answer)
        };
        let answer = timeout(TIMEOUT, answer).await.expect("an answer in time");
        let answer = answer.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(answer.starts_with("HTTP/1.1 200 "), "{method} {path}: {answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").expect("a body").1).unwrap()
    }
}
