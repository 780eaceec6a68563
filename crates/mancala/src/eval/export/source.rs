//! An evaluator as source code: its numbers, the features that it weighs, and a function `evaluate`. It needs nothing
//! but the language.

use super::language::Language;
use super::terms::{Term, term};
use super::{measured, title};
use crate::eval::{Layer, Perspective, Quiescence, Weights};
use crate::game::{Feature, Fullness, GameKind, Holds};

/// The weights as a file of a language.
pub(super) fn source(weights: &Weights, language: Language) -> String {
    let game = weights.features().game();
    let tables = Tables::of(weights);
    let template = language.template(game).replace("HEAD", &tables.output(language, game));
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

/// What begins the names in a header of C: the name of the weights in small letters, as far as it is one of letters,
/// digits and what joins them.
fn identifier(name: &str) -> String {
    let fit = |c: char| match c {
        '-' | '_' | '.' | ' ' => Some('_'),
        c => c.is_ascii_alphanumeric().then_some(c.to_ascii_lowercase()),
    };
    let fit: String = name.chars().map_while(fit).collect();
    match fit.trim_matches('_') {
        "" => "weights".into(),
        name if name.starts_with(|c: char| c.is_ascii_digit()) => format!("weights_{name}"),
        name => name.into(),
    }
}

/// The name of a function, which stands before the first bracket outside comments.
fn name_of(function: &str) -> &str {
    let code = function.lines().find(|line| !line.starts_with('/')).unwrap_or(function);
    let before = code.split('(').next().unwrap_or(code);
    before.rsplit(' ').next().unwrap_or(before)
}

/// What the file says of itself.
fn head(weights: &Weights) -> Vec<String> {
    let game = weights.features().game();
    let (provenance, usual) = (weights.provenance.as_ref(), Perspective::of(game));
    let perspective = provenance.map_or(usual, |it| it.perspective(game));
    let mut lines = vec![title(weights)];
    lines.extend(measured(weights));
    lines.extend(
        match perspective {
            Perspective::Mover => [
                "A search with these weights takes the value of a leaf for whoever has just moved there: `mine` are",
                "the pits of that player, and it is not its move. To the opponent the leaf is worth the negative.",
            ],
            Perspective::Root => [
                "A search with these weights takes the value of every leaf for the player to move at its root, whoever",
                "is to move at the leaf.",
            ],
        }
        .map(String::from),
    );
    if provenance.is_some_and(|it| it.quiescence() == Quiescence::Captures) {
        lines.push("It searches on where a capture is possible, without counting plies.".into());
    }
    lines
}

/// Statements that add what every feature is worth.
fn terms(weights: &Weights, tables: &Tables, language: Language) -> String {
    let game = weights.features().game();
    let add = |what: &str, note: &str| language.statement(&format!("value += {what}"), note);
    let call = |name, arguments| language.expression(Term::Call(name, arguments), game);
    let mut text = String::new();
    for (&feature, weight) in weights.features().features().iter().zip(weights.effective()) {
        let note = format!("{}: {}", feature.name(), feature.meaning());
        match (term(feature), feature) {
            (Some(term), _) => {
                text += &add(&format!("{weight} * {}", language.expression(term, game)), &note);
            }
            (None, Feature::Bias(_)) => text += &add(&weight.to_string(), &note),
            (None, _) => {}
        }
    }
    if tables.holds.is_some() {
        text += &add(&call("contents", "mine, theirs"), "what single pits hold");
    }
    if tables.units.is_none() {
        return text;
    }
    if !text.is_empty() {
        let clamped = format!("value = {}clamped(value)", language.prefix());
        text += &language.statement(&clamped, "without the units");
    }
    text + &add(&call("units", "mine, theirs, stores, my_move"), "learned units")
}

/// The weights that are no terms of their own.
struct Tables<'a> {
    /// By pit, mine first, and by what it holds.
    holds: Option<(Vec<i16>, usize)>,
    /// The layer, and what its units weigh.
    units: Option<(&'a Layer, Vec<i16>)>,
}

impl Tables<'_> {
    fn of(weights: &Weights) -> Tables<'_> {
        let features = weights.features();
        let weight = |holds: Holds| {
            let of = features.features().iter().position(|&it| it == Feature::from(holds));
            of.map_or(0, |place| weights.effective()[place] as i16)
        };
        let holds =
            features.features().iter().any(|it| matches!(it, Feature::Holds(_))).then(|| {
                let all: Vec<Holds> = Holds::all(features.game()).collect();
                let contents = all.iter().filter(|it| it.pit() == 0).count() / 2;
                (all.into_iter().map(weight).collect(), contents)
            });
        let units = weights.units().map(|(layer, mut output)| {
            output.resize(layer.units(), 0);
            (&**layer, output)
        });
        Tables { holds, units }
    }

    /// The expression of what units weigh in a position.
    fn output(&self, language: Language, game: GameKind) -> String {
        let output = format!("{}OUTPUT", language.prefix().to_uppercase());
        match &self.units {
            Some((layer, _)) if layer.phases().count() > 1 => {
                let fullness = Term::Call("fullness", "mine, theirs, stores");
                format!("{output}[{}]", language.expression(fullness, game))
            }
            _ => output,
        }
    }

    fn text(&self, language: Language) -> String {
        let mut parts = Vec::new();
        if let Some((numbers, contents)) = &self.holds {
            let meaning = "What a pit is worth by what it holds, the last also by more: my pits, then the opponent's.";
            parts.push(language.table("HOLDS", meaning, numbers, *contents));
        }
        if let Some((layer, output)) = &self.units {
            let meaning = format!("Units of the layer {}.", layer.hash());
            parts.push(match language {
                Language::C => {
                    format!("/* {meaning} */\nenum {{ PREFIX_COUNT = {} }};\n", layer.units())
                }
                Language::Rust => format!("// {meaning}\n"),
                Language::Python => format!("# {meaning}\n"),
            });
            parts.push(match layer.phases().count() {
                1 => language.list("OUTPUT", "What a unit weighs.", output),
                _ => {
                    let at = |fullness| layer.phases().weights(output, fullness);
                    let all: Vec<i16> = Fullness::all().flat_map(at).collect();
                    let meaning =
                        "What a unit weighs, by the 48ths of all seeds that are on the board.";
                    language.table("OUTPUT", meaning, &all, layer.units())
                }
            });
            parts.push(language.list("BIAS", "In 1/255.", layer.bias()));
            let meaning = "In 1/255, what each input adds to the units.";
            parts.push(language.table("ROWS", meaning, layer.rows(), layer.units()));
        }
        parts.join("\n")
    }
}
