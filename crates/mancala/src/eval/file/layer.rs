//! The layer field of a weights file.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::eval::{Layer, LayerError};
use crate::store::{self, FileError};

/// The hash of a layer, and either the name of a file in the same folder or the bytes in hexadecimal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::eval) struct LayerField {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<String>,
}

/// Errors from reading the layer of a weights file.
#[derive(Debug, thiserror::Error)]
pub enum LayerFieldError {
    #[error("one of file and data is needed")]
    Source,
    #[error("file is \"{0}\", not the name of a file in the same folder")]
    Name(String),
    /// The weights do not come from a file, so there is no folder.
    #[error("file \"{0}\" cannot be found without a folder: export the weights standalone")]
    Folder(String),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("data is not hexadecimal")]
    Hexadecimal,
    /// `source_name` is the file or the data.
    #[error("{source_name} {error}")]
    Layer { source_name: String, error: LayerError },
    #[error("hash is \"{expected}\", that of {source_name} is {found}")]
    Hash { source_name: String, expected: String, found: String },
}

impl LayerField {
    /// Refers to a file in the same folder.
    pub(in crate::eval) fn reference(layer: &Layer) -> LayerField {
        LayerField { file: Some(layer.file_name()), hash: layer.hash().into(), data: None }
    }

    /// Contains the layer.
    pub(in crate::eval) fn embedded(layer: &Layer) -> LayerField {
        let bytes = layer.encode();
        let data = bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        LayerField { file: None, hash: layer.hash().into(), data: Some(data) }
    }

    /// Reads the layer, from a file in `folder` if the field names one.
    pub(super) fn read(&self, folder: Option<&Path>) -> Result<Layer, LayerFieldError> {
        let (source_name, bytes) = match (&self.file, &self.data) {
            (Some(name), None) => (format!("file \"{name}\""), read_file(folder, name)?),
            (None, Some(data)) => ("data".to_owned(), from_hexadecimal(data)?),
            _ => return Err(LayerFieldError::Source),
        };
        let layer = match Layer::decode(&bytes) {
            Ok(layer) => layer,
            Err(error) => return Err(LayerFieldError::Layer { source_name, error }),
        };
        if layer.hash() == self.hash {
            return Ok(layer);
        }
        let (expected, found) = (self.hash.clone(), layer.hash().into());
        Err(LayerFieldError::Hash { source_name, expected, found })
    }
}

fn read_file(folder: Option<&Path>, name: &str) -> Result<Vec<u8>, LayerFieldError> {
    let is_plain = Path::new(name).file_name() == Some(OsStr::new(name));
    if !is_plain || name.contains(['/', '\\']) {
        return Err(LayerFieldError::Name(name.into()));
    }
    let folder = folder.ok_or_else(|| LayerFieldError::Folder(name.into()))?;
    Ok(store::read(&folder.join(name))?)
}

fn from_hexadecimal(text: &str) -> Result<Vec<u8>, LayerFieldError> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let byte = |pair: &[u8]| match *pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
    bytes.ok_or(LayerFieldError::Hexadecimal)
}
