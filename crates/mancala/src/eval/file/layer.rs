//! The layer field of a weights file.

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::eval::Layer;
use crate::store;

/// The hash of a layer, with either the name of its file in the same folder or its bytes in hexadecimal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::eval) struct LayerField {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    data: Option<String>,
}

impl LayerField {
    /// Creates a reference to a file in the same folder.
    pub(in crate::eval) fn reference(layer: &Layer) -> LayerField {
        LayerField { file: Some(layer.file_name()), hash: layer.hash().into(), data: None }
    }

    /// Creates a field that contains the layer.
    pub(in crate::eval) fn embedded(layer: &Layer) -> LayerField {
        let bytes = layer.encode();
        let data = bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        LayerField { file: None, hash: layer.hash().into(), data: Some(data) }
    }

    /// Reads the layer, from a file in `folder` if the field names one. Error messages are phrased to end a sentence.
    pub(super) fn read(&self, folder: Option<&Path>) -> Result<Layer, String> {
        let (source, bytes) = match (&self.file, &self.data) {
            (Some(name), None) => (format!("file \"{name}\""), read_file(folder, name)?),
            (None, Some(data)) => {
                let bytes = from_hexadecimal(data).ok_or("data is not hexadecimal")?;
                ("data".to_owned(), bytes)
            }
            _ => return Err("one of file and data is needed".into()),
        };
        let layer = Layer::decode(&bytes).map_err(|error| format!("{source} {error}"))?;
        let (expected, found) = (&self.hash, layer.hash());
        if found != expected {
            return Err(format!("hash is \"{expected}\", but {source} has {found}"));
        }
        Ok(layer)
    }
}

fn read_file(folder: Option<&Path>, name: &str) -> Result<Vec<u8>, String> {
    let is_plain = Path::new(name).file_name() == Some(OsStr::new(name));
    if !is_plain || name.contains(['/', '\\']) {
        return Err(format!("file is \"{name}\", not the name of a file in the same folder"));
    }
    let no_folder = || {
        format!("file \"{name}\" cannot be found without a folder: export the weights standalone")
    };
    let path = folder.ok_or_else(no_folder)?.join(name);
    store::read(&path).map_err(|error| error.to_string())
}

fn from_hexadecimal(text: &str) -> Option<Vec<u8>> {
    let byte = |pair: &[u8]| {
        let digits =
            str::from_utf8(pair).ok().filter(|it| it.len() == 2 && !it.starts_with('+'))?;
        u8::from_str_radix(digits, 16).ok()
    };
    text.as_bytes().chunks(2).map(byte).collect()
}
