//! `ayo play`: lets the user play against the computer in the terminal.

mod command;
mod conversation;
pub(crate) mod uci;
pub(crate) mod view;

pub use self::command::parse;

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use arena::player::{LEVELS, PlayableGame, in_full};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use mancala::game::{AnyGame, Record, Side, with_game};

use self::command::letters;
use self::conversation::{Conversation, Session};
use crate::analyse::bestmove::{DEFAULT_ENGINE, build_player, spec_error};
use crate::cli::game::Beginning;
use crate::terminal::{leave_on_signals, shown};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Computer player [default: engine:nodes=2000000,book=builtin with learned features, or only the stores in kalah]
    #[arg(long, value_name = "SPEC", default_value = DEFAULT_ENGINE, hide_default_value = true)]
    player: String,
    /// Level of the computer: initiation, beginner, amateur or grandmaster
    #[arg(long, value_parser = PossibleValuesParser::new(LEVELS.map(|it| it.name)))]
    #[arg(conflicts_with = "player")]
    level: Option<String>,
    /// Your side
    #[arg(long, value_parser = side(), ignore_case = true, default_value = "south")]
    side: Side,
    /// Side that moves first [default: South, or as given by --position and --line]
    #[arg(long, value_name = "SIDE", value_parser = side(), ignore_case = true)]
    #[arg(conflicts_with_all = ["position", "line"])]
    first: Option<Side>,
    #[command(flatten)]
    beginning: Beginning,
}

const AFTER_HELP: &str = "\
Type a pit, A-F (A-H on longer rows), or a command; help lists all commands. Moves and commands can also be piped in, \
one per line; the program exits at the end of the input.

The commands hint and payoff ask the computer player or, with --level, a grandmaster.";

fn side() -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(["south", "north"])
        .map(|name| if name.eq_ignore_ascii_case("south") { Side::South } else { Side::North })
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    leave_on_signals()?;
    with_game!(arguments.beginning.choice.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(arguments: &Arguments, game: G, out: &mut dyn Write) -> Result<()> {
    let record = match arguments.first {
        Some(first) => Record::new(game, first),
        None => arguments.beginning.record(game)?,
    };
    let spec = arguments.level.as_ref().unwrap_or(&arguments.player);
    let player = build_player(spec, game)?;
    let (side, named) = (arguments.side, Into::<AnyGame>::into(game));
    let played = match named.description() {
        ("rules", rules) => format!("the rules are {rules}"),
        (word, terms) => format!("the {word} is {terms}"),
    };
    let stdin = io::stdin();
    let mut session = Session::new(record, side, player);
    if arguments.level.is_some() {
        session.adviser = Some(build_player("grandmaster", game)?);
    }
    writeln!(
        out,
        "you are {side}, the computer is {}, {played}",
        shown(in_full(spec).map_err(spec_error)?)
    )?;
    writeln!(out, "type a pit, {}, or help", letters(session.pits()))?;
    let is_terminal = stdin.is_terminal();
    Conversation { session, input: &mut stdin.lock(), out, is_terminal }.hold()
}
