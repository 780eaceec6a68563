//! The field of a weights file that says of which layer its units are.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::eval::{Layer, LayerError};
use crate::store::{self, FileError};

/// The hash of a layer, and either the name of its file in the same folder or its bytes in hexadecimal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::eval) struct LayerField {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<String>,
}

/// Why a field leads to no layer.
#[derive(Debug, thiserror::Error)]
pub enum LayerFieldError {
    /// It says nothing of where the layer is, or too much.
    #[error("one of file and data is needed")]
    Where,
    /// It would lead out of the folder.
    #[error("file is \"{0}\", not the name of a file in the same folder")]
    Name(String),
    /// A text has no folder.
    #[error(
        "file \"{0}\" lies beside a weights file, and a text alone has none: export it standalone"
    )]
    Alone(String),
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The bytes are no hexadecimal numbers.
    #[error("data is not hexadecimal")]
    Hexadecimal,
    /// The bytes are no layer.
    #[error("{what} {error}")]
    Layer {
        /// The file or the data.
        what: String,
        /// What is wrong.
        error: LayerError,
    },
    /// The bytes are those of another layer.
    #[error("hash is \"{expected}\", that of {what} is {found}")]
    Hash {
        /// The file or the data.
        what: String,
        /// What the field says.
        expected: String,
        /// That of the layer found.
        found: String,
    },
}

impl LayerField {
    /// The field for a layer in a file beside.
    pub(in crate::eval) fn beside(layer: &Layer) -> LayerField {
        LayerField { file: Some(layer.file_name()), hash: layer.hash().into(), data: None }
    }

    /// The field that holds the layer itself.
    pub(in crate::eval) fn within(layer: &Layer) -> LayerField {
        let bytes = layer.encode();
        let data = bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        LayerField { file: None, hash: layer.hash().into(), data: Some(data) }
    }

    /// The layer, from a file in `folder` if the field names one.
    pub(super) fn read(&self, folder: Option<&Path>) -> Result<Layer, LayerFieldError> {
        let (what, bytes) = match (&self.file, &self.data) {
            (Some(name), None) => (format!("file \"{name}\""), in_folder(folder, name)?),
            (None, Some(data)) => ("data".to_owned(), bytes_of(data)?),
            _ => return Err(LayerFieldError::Where),
        };
        let layer = match Layer::decode(&bytes) {
            Ok(layer) => layer,
            Err(error) => return Err(LayerFieldError::Layer { what, error }),
        };
        if layer.hash() == self.hash {
            return Ok(layer);
        }
        let (expected, found) = (self.hash.clone(), layer.hash().into());
        Err(LayerFieldError::Hash { what, expected, found })
    }
}

fn in_folder(folder: Option<&Path>, name: &str) -> Result<Vec<u8>, LayerFieldError> {
    let is_plain = Path::new(name).file_name() == Some(OsStr::new(name));
    if !is_plain || name.contains(['/', '\\']) {
        return Err(LayerFieldError::Name(name.into()));
    }
    let folder = folder.ok_or_else(|| LayerFieldError::Alone(name.into()))?;
    Ok(store::read(&folder.join(name))?)
}

fn bytes_of(text: &str) -> Result<Vec<u8>, LayerFieldError> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let byte = |pair: &[u8]| match *pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
    bytes.ok_or(LayerFieldError::Hexadecimal)
}
