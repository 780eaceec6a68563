//! What a run folder, a checkpoint or a file of weights holds.

use evolve::optimise::Chromosome;
use mancala::book::Book;
use mancala::eval::{GateTest, Layer, Provenance, Weights};
use mancala::game::Notated;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::train::strength::{AgainstOpponent, Score, against};
use evolve::run::{self, Draft, Measurement, Settings, Summary, Trainer};

/// What something that a run left holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Inspection {
    /// A run folder.
    Run(Box<InspectedRun>),
    /// A checkpoint.
    Checkpoint(Box<InspectedCheckpoint>),
    /// A file of weights.
    Weights(Box<InspectedWeights>),
    /// A file of a layer.
    Layer(InspectedLayer),
    /// A file of an opening book.
    Book(InspectedBook),
}

/// What a run folder holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "run")]
pub struct InspectedRun {
    /// The folder.
    pub folder: String,
    /// Whether the run goes on.
    pub state: String,
    /// Generations that are safely on disk.
    pub generation: u32,
    /// The settings by name.
    pub settings: Map<String, Value>,
    /// The champion of the last generation.
    pub champion: Option<InspectedWeights>,
    /// The last measurement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// What its figures say, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// What is damaged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The command that continues it: `ayo champion` if only the final games are left.
    pub resume: String,
}

/// How strong the champion of a generation was found to be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// The generation.
    pub generation: u32,
    /// The mean score against the panel, and its interval.
    #[serde(flatten)]
    pub score: Score,
    /// What the champion scored, opponent by opponent.
    pub strength: Vec<AgainstOpponent>,
    /// How near the champion is to perfect play, in a run with tables.
    pub precision: Option<Precision>,
    /// Whether it became the champion of the run.
    pub champion: bool,
    /// The tests in which it met the champion before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gate: Vec<GateTest>,
}

/// How near to perfect play a champion is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Precision {
    /// The share of positions in which it chose a best move.
    pub optimal: f64,
    /// Seeds that a move gave away, in the mean.
    pub seeds_lost: f64,
    /// The checksum of the tables, as eight hexadecimal digits.
    pub tables: String,
}

/// What a checkpoint holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "checkpoint")]
pub struct InspectedCheckpoint {
    /// The generation.
    pub generation: u32,
    /// Games that its evaluation asked for.
    pub games_asked: u64,
    /// Games that had to be played for it.
    pub games_played: u64,
    /// The settings by name, without what the run was asked for.
    pub settings: Map<String, Value>,
    /// Its members.
    pub members: Vec<InspectedMember>,
    /// The leader of the run, where it is none of the members.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leader: Option<InspectedLeader>,
}

/// A member of a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedMember {
    /// The chromosome in hexadecimal digits.
    pub chromosome: String,
    /// Its fitness.
    pub fitness: u64,
    /// The genes, each as a number.
    pub weights: Vec<i64>,
}

/// The leader of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedLeader {
    /// The chromosome in hexadecimal digits.
    pub chromosome: String,
    /// All weights, those that do not vary included.
    pub weights: Vec<i64>,
}

/// What a file of weights holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "weights")]
pub struct InspectedWeights {
    /// The name of the weights.
    pub name: String,
    /// Which signs the weights are meant to have.
    pub signs: String,
    /// The layer that units are of, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<InspectedLayer>,
    /// The weights, feature by feature.
    pub weights: Vec<InspectedWeight>,
    /// The run that made them.
    pub provenance: Option<Provenance>,
    /// What they scored, opponent by opponent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub strength: Vec<AgainstOpponent>,
}

/// A layer of learned features.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "layer")]
pub struct InspectedLayer {
    /// The game whose positions it sees.
    pub game: &'static str,
    /// How many units it has.
    pub units: usize,
    /// In how many phases of a game its units are worth something else.
    pub phases: usize,
    /// How many inputs it has, of which a position shows one of a group.
    pub inputs: usize,
    /// Its SHA-256.
    pub hash: String,
}

/// What an opening book holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "book-file")]
pub struct InspectedBook {
    /// The game that it is for: `rules awari`, `game kalah`.
    pub game: String,
    /// The player that values its positions.
    pub player: String,
    /// What a seed is worth in its scores.
    pub seed: u32,
    /// The price of a seed that the player with the book gives away.
    pub own: u16,
    /// The price of a seed that the opponent gives away.
    pub opponent: u16,
    /// Positions whose moves it knows.
    pub expanded: usize,
    /// Positions that it has a value of.
    pub positions: usize,
    /// Its checksum, as eight hexadecimal digits.
    pub checksum: String,
}

impl<G: Notated> From<&Book<G>> for InspectedBook {
    fn from(book: &Book<G>) -> InspectedBook {
        let ((word, text), terms) = (book.game().terms(), book.terms());
        InspectedBook {
            game: format!("{word} {text}"),
            player: terms.player.clone(),
            seed: terms.priorities.ply,
            own: terms.priorities.own,
            opponent: terms.priorities.opponent,
            expanded: book.expanded(),
            positions: book.positions(),
            checksum: format!("{:08x}", book.checksum()),
        }
    }
}

impl From<&Layer> for InspectedLayer {
    fn from(layer: &Layer) -> InspectedLayer {
        InspectedLayer {
            game: layer.game().name(),
            units: layer.units(),
            phases: layer.phases().count(),
            inputs: Layer::inputs(layer.game()),
            hash: layer.hash().into(),
        }
    }
}

/// The weight of a feature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedWeight {
    /// The feature's name.
    pub feature: String,
    /// The weight as the file has it.
    pub weight: i32,
    /// The weight as a search uses it.
    pub effective: i32,
    /// What the feature counts.
    pub meaning: String,
}

impl Inspection {
    /// Whether something is damaged.
    pub fn is_damaged(&self) -> bool {
        matches!(self, Inspection::Run(run) if run.error.is_some())
    }
}

impl InspectedRun {
    /// Describes a run; `resume` is the command that continues it.
    pub fn new(run: &Summary, resume: String) -> InspectedRun {
        InspectedRun {
            folder: run.path.display().to_string(),
            state: run.state.to_string(),
            generation: run.generation,
            settings: by_name(&run.settings),
            champion: run.champion.as_ref().map(InspectedWeights::from),
            measured: run.measurements().last().map(Measured::from),
            findings: run.findings(),
            error: crate::results::joined(&run.damages),
            resume,
        }
    }
}

impl From<&Measurement> for Measured {
    fn from(it: &Measurement) -> Measured {
        let precision = it.precision.map(Precision::from);
        let (score, strength) = (Score::within(it.strength()), against(&it.against));
        let gate = it.gate.clone().unwrap_or_default();
        Measured {
            generation: it.generation,
            score,
            strength,
            precision,
            champion: it.is_champion,
            gate,
        }
    }
}

impl From<run::Precision> for Precision {
    fn from(it: run::Precision) -> Precision {
        let run::Precision { optimal, seeds_lost, tables } = it;
        Precision { optimal, seeds_lost, tables: format!("{tables:08x}") }
    }
}

impl From<&Trainer> for InspectedCheckpoint {
    fn from(trainer: &Trainer) -> InspectedCheckpoint {
        let last = trainer.last().expect("a checkpoint holds a generation");
        let mut settings = by_name(trainer.settings());
        // A checkpoint does not hold what the run was asked for.
        settings.shift_remove("generations");
        let encoding = trainer.coding().encoding();
        let member = |(member, &fitness): (&Chromosome, &u64)| InspectedMember {
            chromosome: member.to_hex(),
            fitness,
            weights: encoding.decode(member),
        };
        // A leader that is no member would be missing.
        let leader = trainer.leader().filter(|it| !last.members.contains(&it.candidate));
        InspectedCheckpoint {
            generation: last.generation,
            games_asked: last.games_asked,
            games_played: last.games_played,
            settings,
            members: last.members.iter().zip(&last.fitness).map(member).collect(),
            leader: leader.map(|leader| InspectedLeader {
                chromosome: leader.candidate.to_hex(),
                weights: trainer.coding().decode(&leader.candidate),
            }),
        }
    }
}

impl From<&Weights> for InspectedWeights {
    fn from(weights: &Weights) -> InspectedWeights {
        let features = weights.features().features().iter();
        let each = features.zip(weights.values()).zip(weights.effective());
        let each = each.map(|((feature, &weight), effective)| InspectedWeight {
            feature: feature.name().to_owned(),
            weight,
            effective,
            meaning: feature.meaning().to_owned(),
        });
        InspectedWeights {
            name: weights.name.clone(),
            signs: weights.signs().to_string(),
            layer: weights.features().layer().map(|layer| InspectedLayer::from(&**layer)),
            weights: each.collect(),
            provenance: weights.provenance.clone(),
            strength: against(&weights.strength),
        }
    }
}

/// The settings that a preset stands for; none if there is no such preset.
pub fn settings_of_preset(name: &str) -> Option<Map<String, Value>> {
    Some(by_name(&Draft::preset(name).ok()?.finish().ok()?))
}

/// Settings as `run.toml` has them; its values are JSON too.
fn by_name(settings: &Settings) -> Map<String, Value> {
    let value = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
    settings.entries().into_iter().map(|it| (it.name.to_owned(), value(it.value))).collect()
}
