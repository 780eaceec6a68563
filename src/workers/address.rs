//! Where a Redis server is, and who may use it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use redis::{Client, Connection, ConnectionInfo, IntoConnectionInfo, RedisError};

/// How long a connection may take to come about.
const CONNECTING: Duration = Duration::from_secs(3);
/// How long an answer may take. No command waits longer on its own.
const ANSWER: Duration = Duration::from_secs(5);

/// The address of a Redis server, with the user and the password if it has them. Neither is ever shown.
///
/// ```
/// use ayo::workers::Address;
/// let address: Address = "redis://ann:secret@table.lan/".parse().unwrap();
/// assert_eq!(address.to_string(), "redis://table.lan:6379/0");
/// assert!(!format!("{address:?}").contains("secret"));
/// ```
#[derive(Clone)]
pub struct Address(ConnectionInfo);

/// A text that is no address. The text is not repeated, since a password may stand in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not of the form.
    #[error("write the address of the server as redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE]")]
    Form,
    /// Encrypted by the server itself.
    #[error(
        "this ayo speaks to Redis without TLS: lead the connection through ssh -L, WireGuard or stunnel, \
         and write redis://"
    )]
    Tls,
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        match text.split_once("://").map(|(scheme, _)| scheme) {
            Some("redis" | "redis+unix" | "unix") => {
                text.into_connection_info().map(Address).map_err(|_| AddressError::Form)
            }
            Some("rediss") => Err(AddressError::Tls),
            _ => Err(AddressError::Form),
        }
    }
}

impl Address {
    /// The same address with a password, unless it has one.
    #[must_use]
    pub fn or_password(self, password: Option<&str>) -> Address {
        let settings = self.0.redis_settings().clone();
        match password.filter(|it| !it.is_empty() && settings.password().is_none()) {
            Some(it) => Address(self.0.set_redis_settings(settings.set_password(it))),
            None => self,
        }
    }

    /// A new connection, none of whose commands waits for ever.
    pub(super) fn connect(&self) -> Result<Connection, RedisError> {
        let connection = Client::open(self.0.clone())?.get_connection_with_timeout(CONNECTING)?;
        connection.set_read_timeout(Some(ANSWER))?;
        connection.set_write_timeout(Some(ANSWER))?;
        Ok(connection)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "redis://{}/{}", self.0.addr(), self.0.redis_settings().db())
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}
