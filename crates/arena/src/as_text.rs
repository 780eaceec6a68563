//! Modules for serde's `with` attribute that write games and weights as text, for formats that aren't self-describing.

/// Serialises a game as its key and its description.
pub mod game {
    use mancala::game::AnyGame;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes the description of a game.
    pub fn serialize<S: Serializer>(game: &AnyGame, serializer: S) -> Result<S::Ok, S::Error> {
        game.description().serialize(serializer)
    }

    /// Reads a game. Fails if its description is invalid.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AnyGame, D::Error> {
        let (key, text) = <(String, String)>::deserialize(deserializer)?;
        AnyGame::described(&key, &text).map_err(Error::custom)
    }
}

/// Serialises weights as JSON, including their hidden layer.
pub mod weights {
    use mancala::eval::{Format, Weights, export_standalone, read};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes weights as JSON.
    pub fn serialize<S: Serializer>(it: &Weights, serializer: S) -> Result<S::Ok, S::Error> {
        export_standalone(it, Format::Json).serialize(serializer)
    }

    /// Reads weights. Fails if they are invalid.
    pub fn deserialize<'de, D: Deserializer<'de>>(it: D) -> Result<Box<Weights>, D::Error> {
        read(&String::deserialize(it)?, "").map(Box::new).map_err(Error::custom)
    }
}
