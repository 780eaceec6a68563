//! Finished commands and their results.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// If a program takes longer, we assume that it hangs.
const LONGEST: Duration = Duration::from_secs(600);

#[derive(Debug)]
pub struct Ended {
    line: String,
    output: Output,
}

impl Ended {
    /// Runs the command to completion with `input` as standard input, without a terminal.
    pub fn of(mut command: Command, input: impl Into<Vec<u8>>) -> Ended {
        let (line, input) = (format!("{command:?}"), input.into());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{line}: {e}"));
        let id = child.id().to_string();
        let (report, reported) = mpsc::channel();
        thread::spawn(move || {
            // The program may exit before it has read all input.
            let _ = child.stdin.take().unwrap().write_all(&input);
            report.send(child.wait_with_output())
        });
        let output = reported.recv_timeout(LONGEST).unwrap_or_else(|_| {
            let _ = Command::new("kill").args(["-9", &id]).status();
            panic!("{line} does not end")
        });
        Ended { output: output.unwrap(), line }
    }

    pub fn output(&self) -> &Output {
        &self.output
    }

    pub fn stdout(&self) -> String {
        String::from_utf8(self.output.stdout.clone()).unwrap()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8(self.output.stderr.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.output.stdout).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    #[track_caller]
    pub fn success(self) -> Ended {
        self.code(0)
    }

    #[track_caller]
    pub fn code(self, code: i32) -> Ended {
        let Ended { line, output } = &self;
        assert_eq!(output.status.code(), Some(code), "{line}: {output:?}");
        self
    }
}
