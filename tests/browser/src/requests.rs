//! A minimal HTTP client that sends requests with the token, one after another on the same connection.

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
}

pub struct Connection {
    stream: BufReader<TcpStream>,
    port: u16,
    token: String,
}

impl Connection {
    pub async fn open(port: u16, token: &str) -> std::io::Result<Connection> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Connection { stream: BufReader::new(stream), port, token: token.into() })
    }

    pub async fn send(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> std::io::Result<()> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let Connection { port, token, .. } = self;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(head.as_bytes()).await
    }

    /// Returns the status and the length of the body.
    async fn head(&mut self) -> std::io::Result<(u16, Option<usize>)> {
        let (mut status, mut length) = (0, None);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0);
            }
            if let Some(rest) = line.strip_prefix("content-length:") {
                length = rest.trim().parse().ok();
            }
            if line.is_empty() {
                return Ok((status, length));
            }
        }
    }

    pub async fn ask(
        &mut self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> std::io::Result<Answer> {
        self.send(method, path, body).await?;
        let (status, length) = self.head().await?;
        let mut bytes = vec![0; length.unwrap_or(0)];
        self.stream.read_exact(&mut bytes).await?;
        Ok(Answer { status, body: String::from_utf8_lossy(&bytes).into_owned() })
    }
}
