use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde_json::{Value, json};

use super::game::named;
use super::interrupt::leave_on_signals;
use super::judge::Judge;
use super::usage;
use crate::arena::GamesFile;
use crate::player::PlayableGame;
use mancala::game::ayo::Rules;
use mancala::game::{
    AnyGame, Departure, Ending, Notated, Record, Replay, Side, Transcript, Verdict, with_game,
};
use mancala::store;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// File of games, one a line; - reads standard input
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier] [default: the one
    /// that a file of "ayo match" names, else ayo]
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
    /// Rules of ayo: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=… [default: those
    /// that a file of "ayo match" names, else ayo]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
    /// Mark each move with this player's best one, and what it lost
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    /// Points from which a lost score is a blunder [default: what three captured seeds are worth to
    /// the player]
    #[arg(long, value_name = "N", requires = "player", value_parser = clap::value_parser!(i32).range(1..))]
    blunder: Option<i32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
A game is written LABEL: POSITION MOVES # COMMENT, where all but the moves may be missing. Moves are \
letters, FfEaCe, or of the form 4S6, 4N6, 2S6(2) (seeds, player, pit, captured), whose numbers are \
checked too. Moves of kalah are letters, CAf: who moves again has two in a row. Lines that begin with # \
are ignored.

With --player every move up to the end of the game is valued as far as the player looks ahead. \
Points are those of his evaluation; a won or lost end within sight is shown as \"win in 5\" plies, and \
a move that gives such an end away has no number of lost points.

A game of ayo may go on after it is decided. A last printed capture of a side may include what the end of the \
game awards that side.

Exit codes: 0 every game replays, 1 one departs or the file cannot be read.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    leave_on_signals()?;
    let file = read(&arguments.file)?;
    with_game!(game_of(arguments, &file)?, game => replay_all(arguments, game, &file, out))
}

fn replay_all<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    file: &Text,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let name = &file.name;
    let games =
        Transcript::all_in(&game, &file.text).map_err(|error| anyhow!("{name}: {error}"))?;
    if games.is_empty() {
        bail!("{name}: no game in it");
    }
    let judge = arguments.player.as_deref().map(|spec| Judge::new(spec, game, arguments.blunder));
    let mut judge = judge.transpose()?;
    let departed = if arguments.json {
        print_json(&games, game, judge.as_mut(), out)?
    } else {
        print_all(&games, game, judge.as_mut(), out)?
    };
    Ok(ExitCode::from(u8::from(departed > 0)))
}

/// Prints every game as soon as it is judged; returns how many depart.
fn print_all<G: PlayableGame>(
    games: &[Transcript<G>],
    game: G,
    mut judge: Option<&mut Judge<G>>,
    out: &mut dyn Write,
) -> anyhow::Result<usize> {
    let mut departed = 0;
    if let Some(judge) = &judge {
        judge.print_legend(out)?;
    }
    for (number, transcript) in (1..).zip(games) {
        let replay = game.replay(transcript.opening, &transcript.plies);
        print(number, transcript, &replay, out)?;
        if let Some(judge) = &mut judge {
            judge.judge(&replay)?.print(out)?;
            out.flush()?;
        }
        departed += usize::from(replay.departure.is_some());
    }
    if games.len() > 1 {
        writeln!(out, "{} of {} games replay", games.len() - departed, games.len())?;
    }
    Ok(departed)
}

/// Prints the games as JSON; returns how many depart.
fn print_json<G: PlayableGame>(
    games: &[Transcript<G>],
    game: G,
    mut judge: Option<&mut Judge<G>>,
    out: &mut dyn Write,
) -> anyhow::Result<usize> {
    let mut departed = 0;
    let mut found = Vec::new();
    for transcript in games {
        let replay = game.replay(transcript.opening, &transcript.plies);
        let mut value = as_json(transcript, &replay);
        if let Some(judge) = &mut judge {
            judge.judge(&replay)?.add_to(&mut value);
        }
        departed += usize::from(replay.departure.is_some());
        found.push(value);
    }
    let mut report = json!({});
    if let Some(judge) = judge {
        judge.add_to(&mut report);
    }
    report["games"] = found.into();
    writeln!(out, "{report:#}")?;
    Ok(departed)
}

/// A file of games as text.
struct Text {
    name: String,
    text: String,
}

fn read(file: &Path) -> anyhow::Result<Text> {
    if file == Path::new("-") {
        let text = io::read_to_string(io::stdin()).context("cannot read standard input")?;
        return Ok(Text { name: "standard input".into(), text });
    }
    Ok(Text { name: file.display().to_string(), text: store::read_text(file)? })
}

/// The game of a file: the one that it names itself, which nobody may gainsay but for rules of ayo.
fn game_of(arguments: &Arguments, Text { name, text }: &Text) -> anyhow::Result<AnyGame> {
    let found = GamesFile::game(text).transpose().map_err(|reason| anyhow!("{name}: {reason}"))?;
    let wanted = arguments.game;
    if let (Some(found), Some(wanted)) = (found, wanted)
        && found.to_string() != wanted.to_string()
    {
        return Err(usage(format!("--game {wanted}: the games in {name} are of {found}")));
    }
    named(found.or(wanted).unwrap_or_default(), arguments.rules)
}

fn print<G: Notated>(
    number: usize,
    game: &Transcript<G>,
    replay: &Replay<G>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let label = game.label.clone().unwrap_or_else(|| format!("game {number}"));
    let plies = match game.plies.len() {
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    };
    match &replay.departure {
        None => writeln!(out, "{label}: {plies}, all as printed")?,
        Some(departure) => {
            writeln!(out, "{label}: {plies}, departs at ply {}", departure.ply)?;
            writeln!(out, "  {}", sentence(departure))?;
        }
    }
    for award in &replay.awards {
        let (ply, side, seeds) = (award.ply, award.side, award.seeds);
        writeln!(
            out,
            "  award: of what ply {ply} prints as captured, the end gives {side} {seeds}"
        )?;
    }
    if let Some(decided) = &replay.decided {
        let [south, north] = decided.settlement.stores;
        let (verdict, ending, ply) = (decided.settlement.verdict, decided.ending, decided.ply);
        writeln!(out, "  decided at ply {ply}: {verdict}, {south}-{north} ({ending})")?;
    }
    if let Some(forfeit) = forfeit(game) {
        writeln!(out, "  {forfeit}")?;
    }
    let position = replay.record.position();
    let [south, north] = stores(&replay.record);
    let left: u16 = replay.record.game().rows(position).iter().flatten().sum();
    let ply = replay.record.plies().len();
    writeln!(out, "  after ply {ply}: {south}-{north}, {left} seeds on the board, {position}")?;
    Ok(())
}

/// `ply 9: 2S4(2) is printed, but pit D holds 7; 2S6(2) would fit`.
fn sentence<G: Notated>(departure: &Departure<G>) -> String {
    let Departure { ply, printed, reason, fits, .. } = departure;
    let mut sentence = format!("ply {ply}: {printed} is printed, but {reason}");
    for (index, fit) in fits.iter().enumerate() {
        sentence += if index == 0 { "; " } else { ", " };
        sentence += &format!("{} would fit", fit.ply);
        if fit.complete {
            sentence += " and so does the rest of the game";
        }
    }
    sentence
}

/// Who lost for another reason than the moves, as a file of games tells.
fn forfeit<G: Notated>(game: &Transcript<G>) -> Option<String> {
    GamesFile::forfeit(game.comment.as_deref()?)
}

fn stores<G: Notated>(record: &Record<G>) -> [u16; 2] {
    Side::BOTH.map(|side| record.game().store(record.position(), side))
}

fn as_json<G: Notated>(game: &Transcript<G>, replay: &Replay<G>) -> Value {
    let decided = replay.decided.as_ref();
    let departure = replay.departure.as_ref().map(|departure| {
        json!({
            "ply": departure.ply,
            "printed": departure.printed.to_string(),
            "reason": departure.reason.to_string(),
            "position": departure.position.to_string(),
            "fits": departure.fits.iter().map(|fit| fit.ply.to_string()).collect::<Vec<_>>(),
        })
    });
    let awards = replay.awards.iter().map(
        |award| json!({ "ply": award.ply, "side": award.side.to_string(), "seeds": award.seeds }),
    );
    json!({
        "label": game.label,
        "plies": game.plies.len(),
        "ok": replay.departure.is_none(),
        "departure": departure,
        "decided": decided.map(|decided| json!({
            "ply": decided.ply,
            "by": name(decided.ending),
            "winner": winner(decided.settlement.verdict),
        })),
        "awards": awards.collect::<Vec<_>>(),
        "position": replay.record.position().to_string(),
        "stores": stores(&replay.record),
        "settled": replay.record.settlement().map(|settled| settled.stores),
        "verdict": decided.map(|decided| decided.settlement.verdict.to_string()),
        "forfeit": forfeit(game),
        "line": replay.record.line(),
    })
}

fn name(ending: Ending) -> &'static str {
    match ending {
        Ending::Majority => "majority",
        Ending::Even => "even",
        Ending::NoMove => "no-move",
        Ending::Repetition => "repetition",
        Ending::EmptyRow => "empty-row",
    }
}

fn winner(verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::Won(side) => Some(side.to_string()),
        Verdict::Drawn => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::ayo::Ayo;

    fn replayed(text: &str) -> (Transcript<Ayo>, Replay<Ayo>) {
        let ayo = Ayo::default();
        let game = Transcript::read(&ayo, text).unwrap();
        let replay = ayo.replay(game.opening, &game.plies);
        (game, replay)
    }

    #[test]
    fn a_departure_is_one_sentence() {
        let (_, replay) = replayed("4S6, 4S5");
        let found = sentence(&replay.departure.unwrap());
        let expected = "ply 2: 4S5 is printed, but it is North's turn; \
                        4N5 would fit and so does the rest of the game";
        assert_eq!(found, expected);
    }

    #[test]
    fn json_has_every_field_in_order() {
        let (game, replay) = replayed("one: 1-1-2-2-0-0-0-0-0-0-0-0-22-20-S");
        let expected = r#"{"label":"one","plies":0,"ok":true,"departure":null,"decided":{"ply":0,"by":"no-move","winner":"South"},"awards":[],"position":"1-1-2-2-0-0-0-0-0-0-0-0-22-20-S","stores":[22,20],"settled":[28,20],"verdict":"South wins","forfeit":null,"line":""}"#;
        assert_eq!(as_json(&game, &replay).to_string(), expected);
        let (game, replay) = replayed("4S6, 4S5");
        let expected = r#"{"label":null,"plies":2,"ok":false,"departure":{"ply":2,"printed":"4S5","reason":"it is North's turn","position":"4-4-4-4-4-0-5-5-5-5-4-4-0-0-N","fits":["4N5"]},"decided":null,"awards":[],"position":"4-4-4-4-4-0-5-5-5-5-4-4-0-0-N","stores":[0,0],"settled":null,"verdict":null,"forfeit":null,"line":"F"}"#;
        assert_eq!(as_json(&game, &replay).to_string(), expected);
    }
}
