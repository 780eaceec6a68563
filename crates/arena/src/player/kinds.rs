//! The kinds of players, and players by specification.

use std::any::Any;
use std::path::Path;

use super::levels::{level_of, levels};
use super::settings::DEFAULT_DEPTH;
use super::spec::{Spec, SpecError};
use super::{PlayableGame, Player, amdf, engine, external, greedy, kansas, minimax, random, rbh};
use mancala::eval::{Weights, in_runs};
use mancala::game::GameKind;
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::text::did_you_mean;

/// Makes the player of a specification whose settings are all known to its kind.
type Read<G> = fn(&Spec, G) -> Result<Box<dyn Player<G>>, SpecError>;

/// A kind of player.
struct Kind<G> {
    name: &'static str,
    settings: Vec<&'static str>,
    /// `None` if the kind is of another game.
    read: Option<Read<G>>,
}

/// The kinds, in the order in which messages name them. A new kind is a line here and a file that reads its
/// settings.
fn kinds<G: PlayableGame>() -> Vec<Kind<G>> {
    vec![
        Kind::any("minimax", &minimax::settings::<G>(), minimax::read),
        Kind::any("engine", &engine::settings::<G>(), engine::read),
        Kind::any("plain-minimax", &minimax::plain_settings::<G>(), minimax::read_plain),
        Kind::of::<Ayo>("rbh", rbh::SETTINGS, rbh::read),
        Kind::of::<Ayo>("amdf", amdf::SETTINGS, amdf::read),
        Kind::of::<Kalah>("kansas", kansas::SETTINGS, kansas::read),
        Kind::any("random", random::SETTINGS, random::read),
        Kind::any("greedy", &[], greedy::read),
        Kind::of::<Ayo>(external::KIND, external::SETTINGS, external::read),
    ]
}

impl<G: PlayableGame> Kind<G> {
    /// A kind that plays every game.
    fn any(name: &'static str, settings: &[&'static str], read: Read<G>) -> Kind<G> {
        Kind { name, settings: settings.to_vec(), read: Some(read) }
    }

    /// A kind that plays the game `Own` alone.
    fn of<Own: PlayableGame>(
        name: &'static str,
        settings: &[&'static str],
        read: Read<Own>,
    ) -> Kind<G> {
        // The two types are the same if the games are.
        let read = (&read as &dyn Any).downcast_ref::<Read<G>>().copied();
        Kind { name, settings: settings.to_vec(), read }
    }
}

/// The player that a specification describes, for games under the default rules.
///
/// # Errors
/// As [`build_for`].
pub fn build(spec: &str) -> Result<Box<dyn Player<Ayo>>, SpecError> {
    build_for(spec, Ayo::default())
}

/// The player that a specification describes, for some game. Its rules matter to endgame tables alone,
/// which are refused if they are of others.
///
/// | kind | settings |
/// |---|---|
/// | `minimax` | `weights=NAME\|FILE\|DIR`, `depth=5`, `nodes=N`, `movetime=50ms`, `signs=signed`, `slips=20` moves of a hundred by chance, `seed=1`, in ayo `tables=DIR` |
/// | `engine` | those of `minimax` but `ties`, and `threads=1`, `hash=64` mebibytes, `book=off\|builtin\|FILE`, `selective=on\|off` and its parameters, in ayo `tables=DIR\|likely\|off` |
/// | `plain-minimax` | `weights`, `depth`, `signs` and `tables`, searched without pruning |
/// | `rbh` | in ayo: `plies=4`, `metric=correlation\|canberra\|angular`, `bluff=0.99\|off`, `tradeoff=1`, `weights=NAME\|FILE\|DIR`, `cdg=on\|off`, `refine=on\|off\|chance` |
/// | `amdf` | in ayo: `depth=6`, `training=self-play:N\|tables:DIR\|FILE\|current` |
/// | `kansas` | in kalah: `heuristics=h1+h2`, `depth=5` |
/// | `initiation`, `beginner`, `amateur`, `grandmaster` | none: [`levels`](super::levels()) |
/// | `random` | `seed=1` |
/// | `greedy` | none |
/// | `NAME\|FILE\|DIR` of weights | those of `minimax` but `weights`: `minimax:weights=NAME\|FILE\|DIR,depth=5` |
/// | `uci` | in ayo: `cmd="PROGRAM ARGUMENTS"`, `depth=5`, `nodes=N`, `movetime=50ms`, `timeout=10s`, `option.NAME=VALUE` |
///
/// # Errors
/// One sentence that names the player, the setting and the value.
pub fn build_for<G: PlayableGame>(spec: &str, game: G) -> Result<Box<dyn Player<G>>, SpecError> {
    spec.parse::<Spec>()?.build(game)
}

impl Spec {
    /// The player that this describes, as [`build_for`] makes it.
    ///
    /// # Errors
    /// One sentence that names the player, the setting and the value.
    pub fn build<G: PlayableGame>(&self, game: G) -> Result<Box<dyn Player<G>>, SpecError> {
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

    /// The same player by kind and settings where weights alone stand for it: a named evaluator, a weights file or
    /// a run folder. What else is set goes with them.
    ///
    /// ```
    /// use arena::player::Spec;
    /// let named: Spec = "seeds".parse().unwrap();
    /// assert_eq!(named.in_full().to_string(), "minimax:weights=seeds,depth=5");
    /// let deeper: Spec = "seeds:depth=7".parse().unwrap();
    /// assert_eq!(deeper.in_full().to_string(), "minimax:weights=seeds,depth=7");
    /// let level: Spec = "amateur".parse().unwrap();
    /// assert_eq!(level.in_full(), level);
    /// ```
    #[must_use]
    pub fn in_full(&self) -> Spec {
        self.named_by_weights().unwrap_or_else(|| self.clone())
    }

    fn named_by_weights(&self) -> Option<Spec> {
        let name = &self.kind;
        let is_player = kinds::<Ayo>().iter().any(|kind| kind.name == name)
            || GameKind::ALL.into_iter().any(|game| level_of(game, name).is_some());
        let is_weights = || Weights::named(name).is_some() || Path::new(name).exists();
        // A quote in a name could not be written as a setting.
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

    /// The error that this kind of player is not one of this game.
    fn unknown<G: PlayableGame>(&self, game: G, kinds: &[Kind<G>]) -> SpecError {
        let kind = self.kind.clone();
        let own: Vec<&str> =
            kinds.iter().filter(|it| it.read.is_some()).map(|it| it.name).collect();
        let levels = levels(game.kind()).iter().map(|it| it.name);
        let known = format!(
            "{}, a level ({}), or weights: a name such as {}, a file or a run folder",
            own.join(", "),
            one_of(&levels.clone().collect::<Vec<_>>()),
            G::WEIGHTS
        );
        let is_of_ayo = |it: &Kind<Ayo>| it.name == kind && it.read.is_some();
        if game.kind() != GameKind::Ayo && self::kinds::<Ayo>().iter().any(is_of_ayo) {
            return SpecError::OfAyo { kind, known };
        }
        let known_names = own.iter().copied().chain(levels).chain(Weights::names());
        // What looks like a path is one that leads nowhere.
        let hint = match in_runs(&kind) {
            Some(run) => format!("did you mean \"{run}\"?"),
            None if kind.contains(['/', '\\']) => "there is no such file or folder".into(),
            None => did_you_mean(&kind, known_names, format!("choose {known}")),
        };
        SpecError::Kind { kind, hint }
    }
}

/// A specification as results and files have it: the text itself, or in full if it is the name of weights alone.
///
/// # Errors
/// If the text is not of the form of a specification.
pub fn in_full(text: &str) -> Result<String, SpecError> {
    let spec: Spec = text.parse()?;
    Ok(spec.named_by_weights().map_or_else(|| text.to_owned(), |it| it.to_string()))
}

/// The names of all kinds of players, of whatever game.
pub fn kind_names() -> Vec<&'static str> {
    kinds::<Ayo>().into_iter().map(|kind| kind.name).collect()
}

/// `a, b or c`.
fn one_of(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(spec: &str, reason: &str) {
        let error = build(spec).err().expect(spec).to_string();
        assert!(error.contains(reason), "{spec}: {error}");
    }

    #[test]
    fn wrong_specifications_are_refused_by_setting_and_value() {
        refused("", "unknown player \"\"");
        refused("mini", "unknown player \"mini\"");
        refused("minimax:depth", "\"depth\" is not of the form key=value");
        refused("minimax:depth=0", "depth is \"0\", not a whole number from 1 to 100");
        refused("minimax:depth=3,depth=4", "depth is set twice");
        refused("minimax:weights=nobody", "no weights \"nobody\"");
        refused("minimax:weights=seeds,signs=odd", "signs is \"odd\"");
        refused("minimax:nodes=0", "nodes is \"0\"");
        refused("minimax:movetime=5", "movetime is \"5\", not a time such as 50ms");
        refused("plain-minimax:nodes=5", "no setting \"nodes\"");
        refused("random:sed=7", "no setting \"sed\": did you mean \"seed\"?");
        refused("greedy:seed=7", "there is none");
        refused("minimax:weights=\"a", "quote is not closed");
        refused("engine:hash=0", "hash is \"0\", not a whole number from 1 to 65536");
        refused("engine:threads=0", "threads is \"0\", not a whole number from 1 to 256");
        refused("engine:selective=no", "selective is \"no\", not on or off");
        refused("engine:ties=hash", "no setting \"ties\"");
        refused("minimax:slips=101", "slips is \"101\", not a percentage from 0 to 100");
        refused("amateur:depth=3", "player amateur has no setting \"depth\": there is none");
        refused("amdf:depth=21", "depth is \"21\", not a whole number from 1 to 12");
        refused("rbh:plies=0", "player rbh: plies is \"0\", not a whole number from 1 to 12");
        refused("rbh:metric=cosine", "metric is \"cosine\", not correlation, canberra or angular");
        refused("rbh:bluff=1.5", "bluff is \"1.5\", not off or a similarity from 0 to 1");
        refused("rbh:bluff=NaN", "bluff is \"NaN\"");
        refused("rbh:tradeoff=49", "tradeoff is \"49\", not a number of seeds");
        refused("rbh:refine=no", "refine is \"no\", not on, off or chance");
        refused("rbh:weights=nobody", "player rbh: no weights \"nobody\"");
        refused(
            "amdf:training=self-play:0",
            "training is \"self-play:0\", not current, self-play:N",
        );
        refused("amdf:training=no/such", "player amdf: training: cannot read no/such");
        refused("uci", "player uci needs cmd=\"PROGRAM ARGUMENTS\"");
        refused("uci:cmd=", "cmd is \"\", not a program and its arguments");
        refused("uci:cmd=\"a 'b\"", "cmd is \"a 'b\", not a program");
        refused("uci:cmd=a,timeout=5", "timeout is \"5\", not a time such as 50ms");
        refused("uci:cmd=a,option.=5", "no setting \"option.\"");
        refused("uci:cmd=a,option.X=\"1\nquit\"", "option.X is \"1\nquit\", not one line");
    }

    #[test]
    fn kinds_are_told_by_the_games_that_they_play() {
        refused(
            "kansas:heuristics=h1",
            "unknown player \"kansas\": choose minimax, engine, plain-minimax, rbh, amdf, random, greedy, uci, \
             a level (initiation, beginner, amateur or grandmaster), or weights: a name such as learned, a file or \
             a run folder",
        );
        let known = "choose minimax, engine, plain-minimax, kansas, random, greedy, a level (initiation, beginner, \
                     amateur or grandmaster), or weights: a name such as stores, a file or a run folder";
        for (spec, said) in
            [("uci:cmd=a", "\"uci\" is a player of ayo"), ("nobody", "unknown player \"nobody\"")]
        {
            let error = build_for(spec, Kalah::default()).err().expect(spec).to_string();
            assert_eq!(error, format!("{said}: {known}"));
        }
    }

    #[test]
    fn weights_alone_are_a_player() {
        for (name, full) in [
            ("seeds", "minimax:weights=seeds,depth=5"),
            ("a9+a10:nodes=300", "minimax:weights=a9+a10,nodes=300"),
            ("src", "minimax:weights=src,depth=5"),
            ("greedy", "greedy"),
            ("kansas", "kansas"),
            ("grandmaster", "grandmaster"),
            ("seeds:weights=seeds", "seeds:weights=seeds"),
            ("minimax", "minimax"),
        ] {
            assert_eq!(in_full(name).unwrap(), full);
            assert_eq!(in_full(full).unwrap(), full);
        }
        let (short, long) =
            (build("seeds").unwrap(), build("minimax:weights=seeds,depth=5").unwrap());
        assert_eq!(short.identity(), long.identity());
        refused("src", "player minimax: src: no champion.json in this folder");
        refused("stores", "player minimax: weights is \"stores\", not weights of ayo features");
        refused("seeds:wings=2", "player minimax has no setting \"wings\"");
        refused("runs/a", "unknown player \"runs/a\": there is no such file or folder");
        refused("learnt", "unknown player \"learnt\": did you mean \"learned\"?");
    }

    #[test]
    fn every_game_has_its_levels() {
        let ayo = levels(GameKind::Ayo).iter().map(|it| it.name);
        assert!(ayo.eq(levels(GameKind::Kalah).iter().map(|it| it.name)));
        for level in levels(GameKind::Kalah) {
            let player = build_for(level.name, Kalah::default()).unwrap();
            assert_eq!(
                player.identity(),
                build_for(level.spec, Kalah::default()).unwrap().identity()
            );
        }
    }

    #[test]
    fn weights_of_another_game_are_refused() {
        let expected = "not weights of ayo features (it weighs those of kalah)";
        refused("minimax:weights=stores", expected);
        refused("rbh:weights=stores", expected);
    }
}
