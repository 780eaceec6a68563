//! The settings of a run that do not depend on its optimiser.

use mancala::search::MAX_DEPTH;

use crate::optimise::{Key, MOST_GENERATIONS, first, late, parsed, quoted, taken_over, whole};
use crate::run::settings::Settings;

pub(super) static KEYS: [Key<Settings>; 20] = [
    Key::new(
        10,
        "preset",
        "the preset that the settings began from",
        |s| quoted(&s.preset),
        // Only the name: its values were set when the draft began.
        |s, v| parsed(v).map(|x| s.preset = x),
    ),
    Key::new(
        20,
        "parent",
        "the run that this one branched off from: its settings and generation",
        |s| quoted(&s.parent),
        |s, v| parsed(v).map(|x| s.parent = x),
    ),
    first(Key::new(
        30,
        "seed",
        "seed of all random streams",
        |s| s.seed.to_string(),
        |s, v| whole(v, 0..=i64::MAX as u64).map(|n| s.seed = n),
    )),
    Key::new(
        40,
        "generations",
        "generations in all, a step of the optimiser each",
        |s| s.generations.to_string(),
        |s, v| whole(v, 1..=MOST_GENERATIONS.into()).map(|n| s.generations = n as u32),
    ),
    taken_over(first(Key::new(
        290,
        "features",
        "what is weighed: a set or names joined by commas",
        |s| quoted(&s.features),
        |s, v| parsed(v).map(|f| s.features = f),
    ))),
    taken_over(late(Key::new(
        295,
        "layer",
        "the learned layer that units among the features are of, by its first digits; empty for none",
        |s| quoted(&s.layer),
        |s, v| layer_name(v).map(|name| s.layer = name),
    ))),
    taken_over(first(Key::new(
        310,
        "signs",
        "how weights are read: signed or literal",
        |s| quoted(s.signs),
        |s, v| parsed(v).map(|signs| s.signs = signs),
    ))),
    late(Key::new(
        320,
        "game",
        "what is played: ayo, or kalah with its rules",
        |s| quoted(s.game),
        |s, v| parsed(v).map(|game| s.game = game),
    )),
    first(Key::new(
        330,
        "rules",
        "the rules of ayo that games are played by",
        |s| quoted(s.rules),
        |s, v| parsed(v).map(|rules| s.rules = rules),
    )),
    first(Key::new(
        340,
        "depth",
        "plies that every move is searched",
        |s| s.depth.to_string(),
        |s, v| whole(v, 1..=MAX_DEPTH.into()).map(|n| s.depth = n as u32),
    )),
    late(Key::new(
        341,
        "perspective",
        "from whose view leaves are valued: of the side that moved last (mover) or at the root (root)",
        |s| quoted(s.options.perspective),
        |s, v| parsed(v).map(|it| s.options.perspective = it),
    )),
    late(Key::new(
        342,
        "quiescence",
        "which leaves are searched on: none (off) or those at which something can be captured (captures)",
        |s| quoted(s.options.quiescence),
        |s, v| parsed(v).map(|it| s.options.quiescence = it),
    )),
    late(Key::new(
        343,
        "ties",
        "which of the best moves is played: the lowest pit (lowest) or by a hash of the position (hash)",
        |s| quoted(s.options.ties),
        |s, v| parsed(v).map(|it| s.options.ties = it),
    )),
    late(Key::new(
        345,
        "nodes",
        "positions that a move may enter, in place of plies; 0 for plies",
        |s| s.nodes.to_string(),
        |s, v| whole(v, 0..=1_000_000_000).map(|n| s.nodes = n),
    )),
    Key::new(
        360,
        "measure_every",
        "generations from one measurement of strength to the next; 0 for none",
        |s| s.measure_every.to_string(),
        |s, v| whole(v, 0..=1_000_000).map(|n| s.measure_every = n as u32),
    ),
    late(Key::new(
        365,
        "measure_early",
        "which generations are measured before measure_every: the first (first), or those at its halves too (halves)",
        |s| quoted(s.measure_early),
        |s, v| parsed(v).map(|early| s.measure_early = early),
    )),
    Key::new(
        370,
        "measure_openings",
        "openings of plies:4 that a measurement during the run begins from",
        |s| s.measure_openings.to_string(),
        |s, v| whole(v, 1..=1014).map(|n| s.measure_openings = n as u32),
    ),
    late(Key::new(
        375,
        "measure_at",
        "what champions are measured at: the depth of the run (depth), or a ply more and a number of \
         nodes too (budgets)",
        |s| quoted(s.measure_at),
        |s, v| parsed(v).map(|at| s.measure_at = at),
    )),
    late(Key::new(
        376,
        "panel",
        "version of the opponents outside the run: 2 has graded ones, and gates for champions",
        |s| s.panel.to_string(),
        |s, v| parsed(v).map(|panel| s.panel = panel),
    )),
    Key::new(
        380,
        "finalist_games",
        "games in which the last and past champions compete to be the champion; 0 for none",
        |s| s.finalist_games.to_string(),
        |s, v| whole(v, 0..=100_000_000).map(|n| s.finalist_games = n as u32),
    ),
];

fn layer_name(text: &str) -> Result<String, String> {
    let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let is_name = text.is_empty() || text.len() == 8 && text.chars().all(is_digit);
    let why = "give features as learned:FILE, which says which layer it is";
    is_name.then(|| text.into()).ok_or_else(|| why.into())
}
