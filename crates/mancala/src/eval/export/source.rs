//! Evaluators as self-contained source code: tables of numbers, feature functions, and an `evaluate` function.

use super::language::Language;
use super::{strength_lines, title};
use crate::eval::{Layer, Perspective, Quiescence, Weights};
use crate::game::{Feature, GameKind, Material, PitCount, ayo, kalah};

pub(super) fn source(weights: &Weights, language: Language) -> String {
    let game = weights.features().game();
    let tables = Tables::of(weights);
    let second = weights.features().layer().and_then(|layer| layer.second_layer());
    let neurons = second.map(|_| format!(" + {}neurons(units, output)", language.prefix()));
    let template = format!("{}\n{}", language.shared(), language.template(game))
        .replace("HEAD", &tables.output(language, game))
        .replace("DEEPER", &neurons.unwrap_or_default());
    let functions: Vec<&str> = template.split("\n\n").map(str::trim_end).collect();
    let (evaluate, helpers) = functions.split_last().expect("a template ends in `evaluate`");
    let terms = terms(weights, &tables, language);
    let mut code = evaluate.replace("TERMS\n", &terms);
    for helper in helpers.iter().rev() {
        if code.contains(&format!("{}(", name_of(helper))) {
            code = format!("{helper}\n{}{code}", language.gap());
        }
    }
    let head = language.head(&head(weights));
    let tables = tables.text(language);
    let code = format!("{tables}{}{code}\n", if tables.is_empty() { "" } else { language.gap() });
    match language {
        Language::Rust | Language::Python => format!("{head}\n{code}"),
        Language::C => {
            let prefix = identifier(&weights.name);
            let guarded = "#ifndef PREFIX_H\n#define PREFIX_H\n";
            format!("{head}{guarded}\n{code}\n#endif\n")
                .replace("prefix_", &format!("{prefix}_"))
                .replace("PREFIX_", &format!("{}_", prefix.to_uppercase()))
        }
    }
}

/// Returns a program that plays Oware Abapa on CodinGame.
pub(super) fn bot(weights: &Weights) -> String {
    let is_for_root = perspective(weights) == Perspective::Root;
    let search = include_str!("codingame.rs.in").replace("PERSPECTIVE", &is_for_root.to_string());
    source(weights, Language::Rust) + &search
}

/// Returns the prefix for C names: the weights' name in lower case, with `_` for `-`, `.` and ` `, up to other signs.
fn identifier(name: &str) -> String {
    let letter = |c: char| match c {
        '-' | '_' | '.' | ' ' => Some('_'),
        c => c.is_ascii_alphanumeric().then_some(c.to_ascii_lowercase()),
    };
    let identifier: String = name.chars().map_while(letter).collect();
    match identifier.trim_matches('_') {
        "" => "weights".into(),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("weights_{name}"),
        name => name.into(),
    }
}

/// Returns the name of a function, which is the word before the first parenthesis outside comments.
fn name_of(function: &str) -> &str {
    let code = function.lines().find(|line| !line.starts_with('/')).unwrap_or(function);
    let before = code.split('(').next().unwrap_or(code);
    before.rsplit(' ').next().unwrap_or(before)
}

fn perspective(weights: &Weights) -> Perspective {
    let game = weights.features().game();
    weights.provenance.as_ref().map_or(Perspective::of(game), |it| it.perspective(game))
}

fn head(weights: &Weights) -> Vec<String> {
    let provenance = weights.provenance.as_ref();
    let mut lines = vec![title(weights)];
    lines.extend(strength_lines(weights));
    lines.extend(
        match perspective(weights) {
            Perspective::Mover => [
                "A search with these weights evaluates leaves for the player who just moved, so `mine` holds the pits",
                "of the player who is not to move. The opponent's value is the negative.",
            ],
            Perspective::Root => [
                "A search with these weights evaluates every leaf for the player to move at its root, whichever player is",
                "to move at the leaf.",
            ],
        }
        .map(String::from),
    );
    if provenance.is_some_and(|it| it.quiescence() == Quiescence::Captures) {
        lines.push("Its quiescence search follows captures without counting plies.".into());
    }
    lines
}

fn terms(weights: &Weights, tables: &Tables, language: Language) -> String {
    let game = weights.features().game();
    let add = |term: &str, note: &str| language.statement(&format!("value += {term}"), note);
    let expression = |term| language.expression(term, game);
    let mut text = String::new();
    for (&feature, weight) in weights.features().features().iter().zip(weights.effective()) {
        let note = format!("{}: {}", feature.name(), feature.meaning());
        match (term(feature), feature) {
            (Some(term), _) => {
                text += &add(&format!("{weight} * {}", expression(term)), &note);
            }
            (None, Feature::Bias) => text += &add(&weight.to_string(), &note),
            (None, _) => {}
        }
    }
    if tables.pit_counts.is_some() {
        text += &add(&expression("contents(mine, theirs)"), "values of pits by number of seeds");
    }
    if tables.units.is_none() {
        return text;
    }
    if !text.is_empty() {
        let clamped = format!("value = {}clamped(value)", language.prefix());
        text += &language.statement(&clamped, "before the units are added");
    }
    text + &add(&expression("units(mine, theirs, stores, my_move)"), "learned units")
}

struct Tables<'a> {
    /// The values of all pits, mine first, indexed by the number of seeds in the pit.
    pit_counts: Option<Vec<i16>>,
    /// The layer and the weights of its hidden neurons, if there is a layer.
    units: Option<(&'a Layer, Vec<i16>)>,
}

impl Tables<'_> {
    fn of(weights: &Weights) -> Tables<'_> {
        let features = weights.features();
        let weight = |holds: PitCount| {
            let of = features.features().iter().position(|&it| it == Feature::from(holds));
            of.map_or(0, |place| weights.effective()[place] as i16)
        };
        let has_counts = features.features().iter().any(|it| matches!(it, Feature::PitCount(_)));
        let pit_counts = has_counts.then(|| PitCount::all().map(weight).collect());
        let units = weights.units().map(|(layer, output)| (&**layer, output));
        Tables { pit_counts, units }
    }

    /// Returns the expression for the output weights that apply to a position.
    fn output(&self, language: Language, game: GameKind) -> String {
        let output = format!("{}OUTPUT", language.prefix().to_uppercase());
        match &self.units {
            Some((layer, _)) if layer.phases().count() > 1 => {
                let material = language.expression("fullness(mine, theirs, stores)", game);
                format!("{output}[{material}]")
            }
            _ => output,
        }
    }

    fn text(&self, language: Language) -> String {
        let mut parts = Vec::new();
        if let Some(numbers) = &self.pit_counts {
            let meaning = "Values of my pits, then the opponent's, by number of seeds. The last column also covers more.";
            parts.push(language.table("HOLDS", meaning, numbers, usize::from(PitCount::MAX) + 1));
        }
        if let Some((layer, output)) = &self.units {
            let meaning = format!("Units in layer {}.", layer.hash());
            parts.push(match language {
                Language::C => {
                    format!("/* {meaning} */\nenum {{ PREFIX_COUNT = {} }};\n", layer.units())
                }
                Language::Rust => format!("// {meaning}\n"),
                Language::Python => format!("# {meaning}\n"),
            });
            parts.push(match layer.phases().count() {
                1 => language.list("OUTPUT", "Output weights.", output),
                _ => {
                    let at = |material| layer.phases().weights(output, material);
                    let all: Vec<i16> = Material::all().flat_map(at).collect();
                    let meaning = "Output weights, with row n for n/48 of all seeds on the board.";
                    language.table("OUTPUT", meaning, &all, layer.outputs())
                }
            });
            parts.push(language.list("BIAS", "Biases of the units, in 1/255.", layer.bias()));
            let meaning = "Weights of the units for each input, in 1/255.";
            parts.push(language.table("ROWS", meaning, layer.rows(), layer.units()));
            if let Some(second) = layer.second_layer() {
                let meaning = "Biases of the second layer, in 1/8128.";
                parts.push(language.list("SECOND_BIAS", meaning, second.bias()));
                let meaning = "Weights of the units for each second-layer neuron, in 1/64.";
                parts.push(language.table("SECOND", meaning, second.weights(), second.units()));
            }
        }
        parts.join("\n")
    }
}

/// Returns the expression for a feature of the player with the pits `mine`. `None` for the bias and feature families.
fn term(feature: Feature) -> Option<&'static str> {
    match feature {
        Feature::Ayo(feature) => Some(ayo_term(feature)),
        Feature::Kalah(feature) => Some(kalah_term(feature)),
        Feature::Bias | Feature::PitCount(_) | Feature::HiddenNeuron(_) => None,
    }
}

fn ayo_term(feature: ayo::Feature) -> &'static str {
    use ayo::Feature::*;
    match feature {
        TheirThreatsOf2 => "threats(theirs, mine, 2)",
        TheirThreatsOf3 => "threats(theirs, mine, 3)",
        MyThreatsOf2 => "threats(mine, theirs, 2)",
        MyThreatsOf3 => "threats(mine, theirs, 3)",
        TheirReach => "reach(theirs)",
        MyReach => "reach(mine)",
        TheirKroo => "holding(theirs, 13, 48)",
        MyKroo => "holding(mine, 13, 48)",
        TheirSeeds => "stores[1]",
        MySeeds => "stores[0]",
        TheirEmpty => "holding(theirs, 0, 0)",
        MyEmpty => "holding(mine, 0, 0)",
        TheirWeak => "holding(theirs, 1, 2)",
        MyWeak => "holding(mine, 1, 2)",
    }
}

fn kalah_term(feature: kalah::Feature) -> &'static str {
    use kalah::Feature::*;
    match feature {
        Lead => "(stores[0] - stores[1])",
        MyStore => "stores[0]",
        TheirStore => "stores[1]",
        Near => "third(mine, 2)",
        Far => "third(mine, 0)",
        Middle => "third(mine, 1)",
        TheirAgain => "again(theirs)",
        MyAgain => "again(mine)",
        TheirCapture => "capture(theirs, mine)",
        MyCapture => "capture(mine, theirs)",
        TheirReach => "reach(theirs)",
        MyReach => "reach(mine)",
        TheirEmpty => "empty(theirs)",
        MyEmpty => "empty(mine)",
        TheirRow => "seeds(theirs)",
    }
}
