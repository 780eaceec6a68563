//! Error messages, and errors that change the exit code.

use std::io;

/// Incorrect usage of the command line. All other errors are failures, with a different exit code.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(String);

/// Converts an error to a [`Usage`] error, for use in `map_err`.
pub(crate) fn usage(error: impl std::fmt::Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// Formats an error with its causes, except those that its message already contains.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    error.chain().map(|cause| cause.to_string()).fold(String::new(), |said, cause| {
        match said.as_str() {
            "" => cause,
            _ if said.ends_with(&cause) => said,
            _ => format!("{said}: {cause}"),
        }
    })
}

pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_of_an_error_is_named_once() {
        let missing = mancala::store::read(std::path::Path::new("no/such/file")).unwrap_err();
        let said = sentence(&anyhow::Error::from(missing).context("the run stopped"));
        assert_eq!(said.matches("cannot read no/such/file: ").count(), 1, "{said}");
        assert_eq!(said.matches("os error").count(), 1, "{said}");
        assert!(said.starts_with("the run stopped: cannot read"), "{said}");
    }
}
