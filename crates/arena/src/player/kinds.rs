//! The kinds and levels of players, and the creation of players from specifications.

use std::any::Any;
use std::path::Path;

use super::spec::{DEFAULT_DEPTH, Result, Spec, SpecError, one_of};
use super::{PlayableGame, Player, amdf, engine, external, minimax, rbh, simple};
use mancala::eval::{Weights, run_or_name_hint};
use mancala::game::GameKind;
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;

/// Creates a player from a specification, whose settings have valid names, but not necessarily valid values.
type Read<G> = fn(&Spec, G) -> Result<Box<dyn Player<G>>>;

struct Kind<G> {
    name: &'static str,
    settings: Vec<&'static str>,
    /// `None` if players of this kind can't play the game.
    read: Option<Read<G>>,
}

/// Returns all kinds, in the order in which messages list them. To add a kind, add a line here, and write a function
/// that creates a player from its settings.
fn kinds<G: PlayableGame>() -> Vec<Kind<G>> {
    vec![
        Kind::of::<G>("minimax", &minimax::settings::<G>(), minimax::read),
        Kind::of::<G>("engine", &engine::settings::<G>(), engine::read),
        Kind::of::<G>("plain-minimax", &minimax::plain_settings::<G>(), minimax::read_plain),
        Kind::of::<Ayo>("rbh", rbh::SETTINGS, rbh::read),
        Kind::of::<Ayo>("amdf", amdf::SETTINGS, amdf::read),
        Kind::of::<Kalah>("kansas", &["heuristics", "depth"], minimax::read_kansas),
        Kind::of::<G>("random", simple::RANDOM_SETTINGS, simple::read_random),
        Kind::of::<G>("greedy", &[], simple::read_greedy),
        Kind::of::<Ayo>(external::KIND, external::SETTINGS, external::read),
    ]
}

impl<G: PlayableGame> Kind<G> {
    fn of<Own: PlayableGame>(
        name: &'static str,
        settings: &[&'static str],
        read: Read<Own>,
    ) -> Kind<G> {
        // The cast succeeds only if `Own` and `G` are the same type.
        let read = (&read as &dyn Any).downcast_ref::<Read<G>>().copied();
        Kind { name, settings: settings.to_vec(), read }
    }
}

/// Like [`build_for`], but for ayo under the default rules.
pub fn build(spec: &str) -> Result<Box<dyn Player<Ayo>>> {
    build_for(spec, Ayo::default())
}

/// Creates a player from a specification (see `docs/players.md`). Fails if its tables are for different rules.
pub fn build_for<G: PlayableGame>(spec: &str, game: G) -> Result<Box<dyn Player<G>>> {
    spec.parse::<Spec>()?.build(game)
}

impl Spec {
    /// Creates the player, like [`build_for`].
    pub fn build<G: PlayableGame>(&self, game: G) -> Result<Box<dyn Player<G>>> {
        if let Some(level) = level_of(game.kind(), &self.kind) {
            self.expect(&[])?;
            return build_for(level.spec, game);
        }
        let kinds = kinds::<G>();
        let kind = kinds.iter().find(|kind| kind.name == self.kind);
        match kind.and_then(|kind| Some((kind, kind.read?))) {
            Some((kind, read)) => {
                self.expect(&kind.settings)?;
                read(self, game)
            }
            None => match self.named_by_weights() {
                Some(named) => named.build(game),
                None => Err(self.unknown(game, &kinds)),
            },
        }
    }

    /// Returns the full specification of a player that is specified only by weights: a named evaluator, a weights file
    /// or a run folder. The full specification keeps the other settings.
    #[must_use]
    pub fn in_full(&self) -> Spec {
        self.named_by_weights().unwrap_or_else(|| self.clone())
    }

    fn named_by_weights(&self) -> Option<Spec> {
        let name = &self.kind;
        let is_player = kinds::<Ayo>().iter().any(|kind| kind.name == name)
            || GameKind::ALL.into_iter().any(|game| level_of(game, name).is_some());
        let is_weights = || Weights::named(name).is_some() || Path::new(name).exists();
        // The name becomes the value of a setting, which cannot contain a double quote.
        if is_player || name.is_empty() || name.contains('"') || !is_weights() {
            return None;
        }
        let mut options = vec![("weights".to_owned(), name.clone())];
        if ["weights", "depth", "nodes", "movetime"].iter().all(|key| self.text(key).is_none()) {
            options.push(("depth".into(), DEFAULT_DEPTH.to_string()));
        }
        options.extend(self.options.iter().filter(|(key, _)| key != "weights").cloned());
        self.text("weights").is_none().then(|| Spec { kind: "minimax".into(), options })
    }

    fn unknown<G: PlayableGame>(&self, game: G, kinds: &[Kind<G>]) -> SpecError {
        let kind = self.kind.clone();
        let own: Vec<&str> =
            kinds.iter().filter(|kind| kind.read.is_some()).map(|kind| kind.name).collect();
        let levels = levels(game.kind()).iter().map(|level| level.name);
        let known = format!(
            "{}, a level ({}), or weights: a name such as {}, a file or a run folder",
            own.join(", "),
            one_of(&levels.clone().collect::<Vec<_>>()),
            G::WEIGHTS
        );
        let is_of_ayo = |known: &Kind<Ayo>| known.name == kind && known.read.is_some();
        if game.kind() != GameKind::Ayo && self::kinds::<Ayo>().iter().any(is_of_ayo) {
            return SpecError::usage(format!("\"{kind}\" is an ayo player: choose {known}"));
        }
        if let Some((name, settings)) = kind.split_once(',').filter(|(_, rest)| rest.contains('='))
        {
            return SpecError::usage(format!("settings follow a colon: \"{name}:{settings}\""));
        }
        let known_names = own.iter().copied().chain(levels).chain(Weights::names());
        let hint = run_or_name_hint(&kind, known_names, format!("choose {known}"));
        SpecError::usage(format!("unknown player \"{kind}\": {hint}"))
    }
}

/// Expands a specification that names weights instead of a kind of player to its full form, which is what we write to
/// results and files. Any other specification is returned unchanged.
pub fn in_full(text: &str) -> Result<String> {
    let spec: Spec = text.parse()?;
    Ok(spec.named_by_weights().map_or_else(|| text.to_owned(), |spec| spec.to_string()))
}

pub fn kind_names() -> Vec<&'static str> {
    kinds::<Ayo>().into_iter().map(|kind| kind.name).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The name, which is also a specification.
    pub name: &'static str,
    pub spec: &'static str,
    /// A short description of how the level plays.
    pub about: &'static str,
}

/// The levels of ayo, from weakest to strongest. Each level clearly beats the previous one. See `docs/players.md` for
/// the results. The levels share only their names with those of *Awale*, the opponent of Akinyemi's players (thesis,
/// 2012, table 5.1). That program is no longer available.
pub const LEVELS: [Level; 4] = [
    level("initiation", "minimax:weights=seeds,depth=1,slips=50", ABOUT_INITIATION),
    level("beginner", "minimax:weights=seeds,depth=2,slips=10", ABOUT_BEGINNER),
    level(
        "amateur",
        "minimax:weights=seeds,depth=5",
        "searches five plies for captures and makes no random moves",
    ),
    level(
        "grandmaster",
        "engine:weights=learned,nodes=5000000,book=builtin",
        "searches five million positions with learned features, in about 0.2 seconds",
    ),
];

/// The levels of kalah, weakest first. Their names and their percentages of random moves are the same as for ayo.
const KALAH_LEVELS: [Level; 4] = [
    level("initiation", "minimax:weights=stores,depth=1,slips=50", ABOUT_INITIATION),
    level("beginner", "minimax:weights=stores,depth=2,slips=10", ABOUT_BEGINNER),
    level(
        "amateur",
        "minimax:weights=stores,depth=5",
        "searches five plies to maximise its store and makes no random moves",
    ),
    level(
        "grandmaster",
        "engine:weights=h1+h2+h3+h4+h5,nodes=5000000",
        "searches five million positions, counting stores and the pits at either end",
    ),
];

const ABOUT_INITIATION: &str =
    "looks one ply ahead and plays half of its moves at random; suits a first game";
const ABOUT_BEGINNER: &str = "considers your reply and sometimes moves at random";

const fn level(name: &'static str, spec: &'static str, about: &'static str) -> Level {
    Level { name, spec, about }
}

/// Returns the levels of a game, weakest first.
pub fn levels(game: GameKind) -> &'static [Level] {
    match game {
        GameKind::Ayo => &LEVELS,
        GameKind::Kalah => &KALAH_LEVELS,
    }
}

/// Returns the published players of a game, with their default settings.
pub fn published(game: GameKind) -> &'static [Level] {
    const AYO: [Level; 2] = [
        level("rbh", "rbh", "captures and refinement, four plies ahead (Akinyemi 2012)"),
        level("amdf", "amdf", "captures and Mahalanobis distances, six plies ahead (Randle 2012)"),
    ];
    const KALAH: [Level; 1] = [level(
        "kansas",
        "kansas:heuristics=h1+h2+h3+h4+h5,depth=9",
        "five heuristics, nine plies ahead: the winner of a round robin (Gifford and others 2008)",
    )];
    match game {
        GameKind::Ayo => &AYO,
        GameKind::Kalah => &KALAH,
    }
}

pub fn level_of(game: GameKind, name: &str) -> Option<&'static Level> {
    levels(game).iter().find(|level| level.name == name)
}

#[cfg(test)]
mod tests {
    use mancala::game::{Record, Side};

    use super::*;

    fn refused(spec: &str, reason: &str) {
        let error = build(spec).err().expect(spec).to_string();
        assert!(error.contains(reason), "{spec}: {error}");
    }

    #[test]
    fn the_documentation_lists_every_kind() {
        let page = include_str!("../../../../docs/players.md");
        let lacks = |it: &Kind<Ayo>| !page.contains(&format!("\n| `{}` |", it.name));
        assert_eq!(kinds().into_iter().find(lacks).map(|it| it.name), None, "docs/players.md");
    }

    #[test]
    fn every_setting_refuses_a_wrong_value() {
        for Kind { name, settings, .. } in kinds::<Ayo>().iter().filter(|it| it.read.is_some()) {
            let needs = if *name == external::KIND { "cmd=a," } else { "" };
            for setting in settings.iter().filter(|it| **it != "option.NAME") {
                refused(&format!("{name}:{needs}{setting}=?"), setting);
            }
        }
    }

    #[test]
    fn the_next_game_does_not_depend_on_earlier_ones() {
        let kinds = kinds::<Ayo>();
        let settings = kinds.iter().flat_map(|it| it.settings.iter().map(|set| (it.name, set)));
        let settings = settings.filter(|it| *it.1 != "threads"); // several are not reproducible
        let specs = settings.map(|(name, setting)| format!("{name}:{setting}=3"));
        for spec in kinds.iter().map(|it| it.name.to_owned()).chain(specs) {
            let Ok(mut player) = build(&spec) else { continue };
            let mut game = || {
                player.new_game();
                let mut record = Record::new(Ayo::default(), Side::South);
                while record.ending().is_none() && record.plies().len() < 17 {
                    record.play(player.choose(&record, &()).unwrap().pit).unwrap();
                }
                record.line()
            };
            assert_eq!(game(), game(), "{spec}: choices depend on earlier games");
        }
    }

    #[test]
    fn wrong_specifications_are_refused_by_setting_and_value() {
        for (spec, reason) in [
            ("mini", "unknown player \"mini\""),
            ("minimax:depth", "\"depth\" is not of the form key=value"),
            ("minimax:depth=0", "depth is \"0\", not a whole number from 1 to 100"),
            ("minimax:depth=3,depth=4", "depth is set twice"),
            ("minimax:movetime=5", "movetime is \"5\", not a time such as 50ms"),
            ("minimax:weights=\"a", "unclosed double quote"),
            ("random:sed=7", "no setting \"sed\": did you mean \"seed\"?"),
            ("amateur:depth=3", "player amateur has no setting \"depth\": it has no settings"),
            ("rbh:bluff=1.5", "bluff is \"1.5\", not off or a similarity from 0 to 1"),
            ("rbh:tradeoff=49", "tradeoff is \"49\", not a number of seeds"),
            ("rbh:weights=stores", "not weights of ayo features (its features are for kalah:"),
            ("amdf:training=self-play:0", "training: \"self-play:0\" is not current, self-play:N"),
            ("amdf:training=no/such", "player amdf: training: cannot read no/such"),
            ("uci", "player uci needs cmd=\"PROGRAM ARGUMENTS\""),
            ("uci:cmd=\"a 'b\"", "cmd is \"a 'b\", not a program"),
            ("uci:cmd=a,option.=5", "no setting \"option.\""),
            ("uci:cmd=a,option.X=\"1\nquit\"", "option.X is \"1\nquit\", not one line"),
        ] {
            refused(spec, reason);
        }
    }

    #[test]
    fn unknown_kinds_are_refused_with_those_of_the_game() {
        refused("kansas:heuristics=h1", "unknown player \"kansas\": choose minimax, ");
        for (spec, said) in
            [("uci:cmd=a", "\"uci\" is an ayo player"), ("unknown", "unknown player \"unknown\"")]
        {
            let error = build_for(spec, Kalah::default()).err().expect(spec).to_string();
            let known = error.strip_prefix(&format!("{said}: choose ")).expect(&error);
            assert!(known.contains("kansas, ") && !known.contains("rbh, "), "{error}");
        }
    }

    #[test]
    fn weights_alone_are_a_player() {
        for (name, full) in [
            ("seeds", "minimax:weights=seeds,depth=5"),
            ("a9+a10:nodes=300", "minimax:weights=a9+a10,nodes=300"),
            ("src", "minimax:weights=src,depth=5"),
            ("greedy", "greedy"),
            ("grandmaster", "grandmaster"),
            ("seeds:weights=seeds", "seeds:weights=seeds"),
        ] {
            assert_eq!(in_full(name).unwrap(), full);
            assert_eq!(in_full(full).unwrap(), full);
        }
        let (short, long) =
            (build("seeds").unwrap(), build("minimax:weights=seeds,depth=5").unwrap());
        assert_eq!(short.identity(), long.identity());
        refused("src", "player minimax: src: no champion.json in this folder");
        refused("stores", "player minimax: weights is \"stores\", not weights of ayo features");
        refused("runs/a", "unknown player \"runs/a\": no such file or folder");
        refused("ov,depth=7", "settings follow a colon: \"ov:depth=7\"");
        refused("learnt", "unknown player \"learnt\": did you mean \"learned\"?");
    }
}
