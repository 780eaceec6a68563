pub(crate) mod result;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use arena::player::PlayableGame;
use arena::{GamesFile, Summary};
use clap::Args;
use mancala::game::ayo::Rules;
use mancala::game::{
    AnyGame, Departure, Notated, Pit, Record, Replay, Side, Transcript, with_game,
};

use crate::analyse::bestmove::player_error;
use crate::analyse::judge::{Judge, Judged, NoJudge};
use crate::analyse::replay::result::{JudgedBy, NamedPly, ReplayedGame, Replays};
use crate::cli::game::named;
use crate::terminal::error::usage;
use crate::terminal::input::{Text, read};
use crate::terminal::interrupt::leave_on_signals;
use crate::terminal::output::print_json;
use crate::terminal::shown;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
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
    /// Name the strategies that moves serve: odu, blocking, pressure, overloading, attack, counterattack
    /// (ayo)
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
A game is written LABEL: POSITION MOVES # COMMENT, where all but the moves may be missing. Moves are \
letters, FfEaCe, or of the form 4S6, 4N6, 2S6(2) (seeds, player, pit, captured), whose numbers are \
checked too. Moves of kalah are letters, CAf; a side that moves again has two letters in a row. Lines that begin with # \
are ignored.

With --player, the player values every move up to the end of the game at its own depth. \
Points are those of its evaluation; a won or lost end within sight is shown as \"win in 5\" plies, and \
a move that gives such an end away has no number of lost points.

With --explain, the strategies of ayo that a move serves are named as Akinyemi's thesis names them (2012, section \
3.2); docs/rules.md has the definitions.

A game of ayo may go on after it is decided. A last printed capture of a side may include what the end of the \
game awards that side.

Exit codes: 0 every game replays, 1 one departs or the file cannot be read.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
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
    let mut judge = judge.transpose().map_err(judge_error)?;
    let explain = arguments.explain;
    if explain
        && game.strategies(&game.start(Side::South), Pit::new(0).expect("the first")).is_none()
    {
        return Err(usage(format!("--explain: {} has no strategies with a name", G::NAME)));
    }
    let departed = if arguments.json {
        print_all_json(&games, game, judge.as_mut(), explain, out)?
    } else {
        print_all(&games, game, judge.as_mut(), explain, out)?
    };
    Ok(ExitCode::from(u8::from(departed > 0)))
}

/// Prints every game as soon as it is judged; returns how many depart.
fn print_all<G: PlayableGame>(
    games: &[Transcript<G>],
    game: G,
    mut judge: Option<&mut Judge<G>>,
    explain: bool,
    out: &mut dyn Write,
) -> anyhow::Result<usize> {
    let mut departed = 0;
    if let Some(judge) = &judge {
        print_legend(&judge.terms(), out)?;
    }
    for (number, transcript) in (1..).zip(games) {
        let replay = game.replay(transcript.opening, &transcript.plies);
        print(number, transcript, &replay, out)?;
        if let Some(judge) = &mut judge {
            print_marks(&judge.judge(&replay, &())?, out)?;
            out.flush()?;
        }
        if explain {
            print_strategies(&NamedPly::all_in(&replay.record).unwrap_or_default(), out)?;
        }
        departed += usize::from(replay.departure.is_some());
    }
    if games.len() > 1 {
        writeln!(out, "{} of {} games replay", games.len() - departed, games.len())?;
    }
    Ok(departed)
}

/// Prints the games as JSON; returns how many depart.
fn print_all_json<G: PlayableGame>(
    games: &[Transcript<G>],
    game: G,
    mut judge: Option<&mut Judge<G>>,
    explain: bool,
    out: &mut dyn Write,
) -> anyhow::Result<usize> {
    let terms = judge.as_ref().map(|judge| judge.terms());
    let mut found = Vec::new();
    for transcript in games {
        let replay = game.replay(transcript.opening, &transcript.plies);
        let mut replayed = ReplayedGame::of(transcript, &replay);
        if let Some(judge) = &mut judge {
            judge.judge(&replay, &())?.add_to(&mut replayed);
        }
        if explain {
            replayed.strategies = NamedPly::all_in(&replay.record);
        }
        found.push(replayed);
    }
    let departed = found.iter().filter(|game| !game.ok).count();
    print_json(&Replays { judge: terms, games: found }, out)?;
    Ok(departed)
}

/// A player that cannot judge, in terms of the command line.
fn judge_error(error: NoJudge) -> anyhow::Error {
    match error {
        NoJudge::Player(error) => player_error(error),
        NoJudge::NoPayoffs(_) => usage(error),
        NoJudge::NoLimit(_) => usage(format!("{error}: give --blunder N")),
    }
}

/// The game of a file: the one that it names itself, which only rules of ayo may change.
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

/// The forfeit that a file of games notes for a game, as a sentence.
fn forfeit<G: Notated>(game: &Transcript<G>) -> Option<String> {
    GamesFile::forfeit(game.comment.as_deref()?)
}

fn stores<G: Notated>(record: &Record<G>) -> [u16; 2] {
    Side::BOTH.map(|side| record.game().store(record.position(), side))
}

/// What the marks mean.
fn print_legend(terms: &JudgedBy, out: &mut dyn Write) -> anyhow::Result<()> {
    let JudgedBy { player, blunder, reproducible } = terms;
    writeln!(
        out,
        "judged by {}, in its points, from the view of the side that moves",
        shown(player)
    )?;
    writeln!(
        out,
        "a blunder loses {blunder} or more, a game not yet lost, or a won one's advantage"
    )?;
    if !reproducible {
        writeln!(out, "The player is limited by time: its marks cannot be reproduced.")?;
    }
    Ok(())
}

fn print_strategies(plies: &[NamedPly], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "    ply move  strategy")?;
    for NamedPly { ply, played, strategies, .. } in plies {
        writeln!(out, "  {ply:>5} {played:>4}  {}", strategies.join(", "))?;
    }
    Ok(())
}

fn print_marks(judged: &Judged, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "    ply move       score best       score    lost")?;
    for it in &judged.annotations {
        let (score, best_score) = (it.score.to_string(), it.best_score.to_string());
        let (played, best) = (it.played.letter(it.side), it.best.letter(it.side));
        let lost = it.lost().map_or("-".into(), |lost| lost.to_string());
        let mark = if it.is_blunder(judged.limit) { "  blunder" } else { "" };
        let ply = it.ply;
        writeln!(
            out,
            "  {ply:>5} {played:>4} {score:>11} {best:>4} {best_score:>11} {lost:>7}{mark}"
        )?;
    }
    for side in Side::BOTH {
        let Summary { moves, same, mean_lost, blunders } = judged.summary(side);
        writeln!(
            out,
            "  {side}: moves {moves}, the player's own {same}, \
             mean lost {mean_lost:.1}, blunders {blunders}"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::game::ayo::Ayo;

    #[test]
    fn a_departure_is_one_sentence() {
        let ayo = Ayo::default();
        let game = Transcript::read(&ayo, "4S6, 4S5").unwrap();
        let replay = ayo.replay(game.opening, &game.plies);
        let found = sentence(&replay.departure.unwrap());
        let expected = "ply 2: 4S5 is printed, but it is North's turn; \
                        4N5 would fit and so does the rest of the game";
        assert_eq!(found, expected);
    }
}
