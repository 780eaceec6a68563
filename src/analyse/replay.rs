//! `ayo analyse`: checks that recorded games are legal and, if requested, analyses their moves with a player.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use arena::player::{self, PlayableGame, Player};
use arena::{Annotation, GamesFile, Scores, Summary, annotate};
use clap::Args;
use mancala::game::ayo::Rules;
use mancala::game::{
    AnyGame, Notated, Pit, Record, Replay, ReplayError, Side, Transcript, Verdict, with_game,
};
use mancala::progress::Progress;
use serde_json::{Value, json};

use super::bestmove::spec_error;
use crate::cli::game::{in_file, named};
use crate::terminal::{Text, leave_on_signals, print_json, read_input, shown, usage};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// File with one game per line; - reads standard input
    #[arg(value_name = "FILE|-")]
    file: PathBuf,
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier] [default: the game named in a
    /// file from "ayo match", else ayo]
    #[arg(long, value_name = "GAME")]
    game: Option<AnyGame>,
    /// Rules of ayo: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=… [default: the rules named in a
    /// file from "ayo match", else ayo]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
    /// Annotate each move with this player's own move and the points lost
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    /// A move that loses at least N points is a blunder [default: the player's value of three captured seeds]
    #[arg(long, value_name = "N", requires = "player", value_parser = clap::value_parser!(i32).range(1..))]
    blunder: Option<i32>,
    /// Name the strategies behind each move: odu, blocking, pressure, overloading, attack, counterattack (ayo only)
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
A game is written LABEL: POSITION MOVES # COMMENT. Everything but the moves is optional. Moves are letters, as in \
FfEaCe, or have the form 4S6, 4N6, 2S6(2) (seeds, player, pit, captured), whose numbers are also checked. Kalah moves \
are letters, as in CAf; a side that moves again has two letters in a row. Lines that start with # are ignored.

With --player, the player chooses its own move at every ply and, if it can, evaluates moves at its own depth. Points \
are in units of its evaluation. A forced win or loss within its horizon is shown as \"win in 5\" plies; a move that \
misses such a win has no number of lost points.

With --explain, the strategies of ayo are named as in Akinyemi's thesis (2012, section \
3.2); docs/rules.md has the definitions.

A game of ayo may continue after it is decided. The last printed capture of a side may include seeds awarded to that \
side at the end of the game.

Exit codes: 0 if every game replays, 1 if a game does not replay or the file cannot be read.";

/// The ply number (starting from 1), the side, the pit, and the names of the strategies that the move follows.
type StrategicPly = (usize, Side, char, Vec<&'static str>);

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<ExitCode> {
    leave_on_signals()?;
    let file = read_input(&arguments.file)?;
    with_game!(game_of(arguments, &file)?, game => replay_all(arguments, game, &file, out))
}

/// Returns the game named in the file or, if none is named, the game given by `--game`. Also applies `--rules`.
fn game_of(arguments: &Arguments, Text { name, text }: &Text) -> Result<AnyGame> {
    let found = GamesFile::game(text).transpose().map_err(|reason| anyhow!("{name}: {reason}"))?;
    named(in_file(found, arguments.game, name)?, arguments.rules)
}

fn replay_all<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    file: &Text,
    out: &mut dyn Write,
) -> Result<ExitCode> {
    let Arguments { explain, json, blunder, .. } = *arguments;
    let name = &file.name;
    let games = GamesFile::transcripts(&game, &file.text).map_err(|it| anyhow!("{name}: {it}"))?;
    if games.is_empty() {
        bail!("{name} contains no games");
    }
    let judge = arguments.player.as_ref().map(|spec| {
        let spec = player::in_full(spec).map_err(spec_error)?;
        let player = player::build_for(&spec, game).map_err(spec_error)?;
        let judge = Judge::new(&spec, player, game, blunder);
        judge.map_err(|error| usage(format!("{error}: use --blunder N")))
    });
    let mut judge = judge.transpose()?;
    if explain
        && game.strategies(&game.start(Side::South), Pit::new(0).expect("the first pit")).is_none()
    {
        return Err(usage(format!("--explain: there are no named strategies for {}", G::NAME)));
    }
    if let Some(judge) = judge.as_ref().filter(|_| !json) {
        print_legend(judge, out)?;
    }
    let (mut departed, mut replayed) = (0, Vec::new());
    for (number, transcript) in (1..).zip(&games) {
        let replay = game.replay(transcript.opening, &transcript.plies);
        departed += usize::from(replay.error.is_some());
        if !json {
            print_game(number, transcript, &replay, out)?;
        }
        let judged = judge.as_mut().map(|judge| judge.judge(&replay.record, &())).transpose()?;
        let strategies = if explain { strategic_plies(&replay.record) } else { None };
        if json {
            replayed.push(replayed_game(transcript, &replay, judged, strategies));
            continue;
        }
        if let Some(judged) = judged {
            print_judged(&judged, out)?;
            out.flush()?;
        }
        if let Some(strategies) = strategies {
            writeln!(out, "    ply move  strategy")?;
            for (ply, _, played, strategies) in strategies {
                writeln!(out, "  {ply:>5} {played:>4}  {}", strategies.join(", "))?;
            }
        }
    }
    if json {
        let mut result = json!({ "kind": "replay" });
        if let Some(Judge { spec, blunder, reproducible, .. }) = &judge {
            result["player"] = json!(spec);
            result["blunder"] = json!(blunder);
            result["reproducible"] = json!(reproducible);
        }
        result["games"] = replayed.into();
        print_json(&result, out)?;
    } else if games.len() > 1 {
        writeln!(out, "{} of {} games replay", games.len() - departed, games.len())?;
    }
    Ok(ExitCode::from(u8::from(departed > 0)))
}

/// Returns the plies that follow a strategy, or `None` if the game has no named strategies.
fn strategic_plies<G: Notated>(record: &Record<G>) -> Option<Vec<StrategicPly>> {
    let game = *record.game();
    let mut position = *record.opening();
    let mut plies = Vec::new();
    for (ply, &(side, pit)) in (1..).zip(record.plies()) {
        let strategies = game.strategies(&position, pit)?;
        if !strategies.is_empty() {
            plies.push((ply, side, pit.letter(side), strategies));
        }
        position = game.play(&position, pit);
    }
    Some(plies)
}

fn replayed_game<G: Notated>(
    game: &Transcript<G>,
    replay: &Replay<G>,
    judged: Option<Judged>,
    strategies: Option<Vec<StrategicPly>>,
) -> Value {
    let record = &replay.record;
    let departure = replay.error.as_ref().map(|departure| {
        json!({
            "ply": departure.ply,
            "printed": departure.printed.to_string(),
            "reason": departure.reason.to_string(),
            "position": departure.position.to_string(),
            // The legal moves that may have been intended instead of the printed one.
            "fits": departure.corrections.iter().map(|fit| fit.ply.to_string()).collect::<Vec<_>>(),
        })
    });
    let verdict = replay.decided.as_ref().map(|decided| decided.settlement.verdict);
    let decided = replay.decided.as_ref().map(|decided| {
        let winner = match decided.settlement.verdict {
            Verdict::Won(side) => Some(side.to_string()),
            Verdict::Drawn => None,
        };
        json!({ "ply": decided.ply, "by": decided.ending, "winner": winner })
    });
    // The captures in the transcript that seem to include seeds that were awarded at the end of the game.
    let awards = replay.awards.iter().map(
        |award| json!({ "ply": award.ply, "side": award.side.to_string(), "seeds": award.seeds }),
    );
    let mut replayed = json!({
        "label": game.label,
        "plies": game.plies.len(),
        "ok": replay.error.is_none(),
        "departure": departure,
        "decided": decided,
        "awards": awards.collect::<Vec<_>>(),
        "position": record.position().to_string(),
        "stores": Side::BOTH.map(|side| record.game().store(record.position(), side)),
        "settled": record.settlement().map(|settled| settled.stores),
        "verdict": verdict.map(|verdict| verdict.to_string()),
        "forfeit": game.comment.as_deref().and_then(GamesFile::forfeit),
        "line": record.line(),
    });
    if let Some(judged) = judged {
        replayed["moves"] = judged.moves_as_json().into();
        replayed["summary"] = judged.summary_as_json();
    }
    if let Some(strategies) = strategies {
        let ply = |(ply, side, played, strategies): StrategicPly| {
            let side = side.to_string();
            json!({ "ply": ply, "side": side, "move": played, "strategies": strategies })
        };
        replayed["strategies"] = strategies.into_iter().map(ply).collect();
    }
    replayed
}

fn print_game<G: Notated>(
    number: usize,
    game: &Transcript<G>,
    replay: &Replay<G>,
    out: &mut dyn Write,
) -> Result<()> {
    let label = game.label.clone().unwrap_or_else(|| format!("game {number}"));
    let plies = match game.plies.len() {
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    };
    match &replay.error {
        None => writeln!(out, "{label}: {plies}, all verified")?,
        Some(ReplayError { ply, printed, reason, corrections, .. }) => {
            writeln!(out, "{label}: {plies}, mismatch at ply {ply}")?;
            write!(out, "  ply {ply}: printed as {printed}, but {reason}")?;
            for (index, fit) in corrections.iter().enumerate() {
                let separator = if index == 0 { "; " } else { ", " };
                let rest = if fit.complete { " and so does the rest of the game" } else { "" };
                write!(out, "{separator}{} would fit{rest}", fit.ply)?;
            }
            writeln!(out)?;
        }
    }
    for award in &replay.awards {
        let (ply, side, seeds) = (award.ply, award.side, award.seeds);
        writeln!(
            out,
            "  award: {seeds} of the seeds captured in ply {ply} are awarded to {side} at the end"
        )?;
    }
    if let Some(decided) = &replay.decided {
        let [south, north] = decided.settlement.stores;
        let (verdict, ending, ply) = (decided.settlement.verdict, decided.ending, decided.ply);
        writeln!(out, "  decided at ply {ply}: {verdict}, {south}-{north} ({ending})")?;
    }
    if let Some(forfeit) = game.comment.as_deref().and_then(GamesFile::forfeit) {
        writeln!(out, "  {forfeit}")?;
    }
    let (game, position) = (replay.record.game(), replay.record.position());
    let [south, north] = Side::BOTH.map(|side| game.store(position, side));
    let left: u16 = game.rows(position).iter().flatten().sum();
    let ply = replay.record.plies().len();
    Ok(writeln!(out, "  after ply {ply}: {south}-{north}, {left} seeds on the board, {position}")?)
}

fn print_legend<G: PlayableGame>(judge: &Judge<G>, out: &mut dyn Write) -> Result<()> {
    let Judge { spec, blunder, reproducible, .. } = judge;
    let player = shown(spec);
    writeln!(out, "evaluated by {player}, in its points, from the mover's point of view")?;
    match blunder {
        Some(blunder) => writeln!(
            out,
            "a blunder loses at least {blunder} points, loses the game or misses a win"
        )?,
        None => writeln!(out, "the player does not evaluate moves")?,
    }
    if !reproducible {
        writeln!(out, "The player has a time limit, so these judgements cannot be reproduced.")?;
    }
    Ok(())
}

fn print_judged(judged: &Judged, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "    ply move       score  own best       score   lost seeds")?;
    for annotation in &judged.moves {
        let Annotation { ply, side, played, choice, scores } = *annotation;
        let (played, choice) = (played.letter(side), choice.letter(side));
        let unknown = || "-".to_owned();
        let score = scores.map_or_else(unknown, |it| it.played.to_string());
        let best = scores.map_or('-', |Scores { best, .. }| best.letter(side));
        let best_score = scores.map_or_else(unknown, |it| it.best_score.to_string());
        let lost = annotation.lost().map_or_else(unknown, |lost| lost.to_string());
        let seeds = annotation.lost().zip(judged.seed_value);
        let seeds = seeds.map_or_else(unknown, |(lost, value)| {
            format!("{:.1}", f64::from(lost) / f64::from(value))
        });
        let mark = if judged.is_blunder(annotation) { "  blunder" } else { "" };
        writeln!(
            out,
            "  {ply:>5} {played:>4} {score:>11} {choice:>4} {best:>4} {best_score:>11} {lost:>6} {seeds:>5}{mark}"
        )?;
    }
    for (side, summary) in Side::BOTH.into_iter().zip(judged.summaries) {
        let Summary { moves, same, mean_lost, blunders } = summary;
        writeln!(
            out,
            "  {side}: moves {moves}, same as the player's {same}, mean lost {mean_lost:.1}, blunders {blunders}"
        )?;
    }
    Ok(())
}

/// The default threshold for a blunder, in captured seeds.
const BLUNDER_SEEDS: i32 = 3;

/// A player that judges the moves in a game by comparing them with the moves that it would have chosen.
pub(crate) struct Judge<G: PlayableGame> {
    player: Box<dyn Player<G>>,
    pub(crate) spec: String,
    /// A move that loses at least this many points is a blunder. `None` if the player does not evaluate moves.
    pub(crate) blunder: Option<i32>,
    /// Whether the player evaluates moves in the same way on any machine.
    pub(crate) reproducible: bool,
}

pub(crate) struct Judged {
    pub(crate) moves: Vec<Annotation>,
    /// The summaries of South's moves and of North's moves.
    pub(crate) summaries: [Summary; 2],
    /// The blunder threshold in points, copied from [`Judge::blunder`].
    pub(crate) blunder: Option<i32>,
    /// The value of a captured seed in points, if the player assigns one.
    seed_value: Option<i32>,
}

impl Judged {
    /// Returns the moves as JSON. Scores are from the mover's point of view.
    pub(crate) fn moves_as_json(&self) -> Vec<Value> {
        let json = |it: &Annotation| {
            let score = it.scores.map(|scores| scores.played);
            let best = it.scores.map(|Scores { best, best_score, .. }| (best, best_score));
            json!({
                "ply": it.ply,
                "side": it.side.to_string(),
                "move": it.played.letter(it.side),
                "choice": it.choice.letter(it.side),
                "score": score.map(|score| score.0),
                "score_text": score.map(|score| score.to_string()),
                "best": best.map(|(pit, _)| pit.letter(it.side)),
                "best_score": best.map(|(_, score)| score.0),
                "best_score_text": best.map(|(_, score)| score.to_string()),
                // This is null if the move gives away a win or a draw, because points can't express such a loss.
                "lost": it.lost(),
                "blunder": self.is_blunder(it),
            })
        };
        self.moves.iter().map(json).collect()
    }

    pub(crate) fn summary_as_json(&self) -> Value {
        let [south, north] = self.summaries;
        json!({ "South": south, "North": north })
    }

    pub(crate) fn is_blunder(&self, annotation: &Annotation) -> bool {
        self.blunder.is_some_and(|limit| annotation.is_blunder(limit))
    }
}

impl<G: PlayableGame> Judge<G> {
    /// Creates a judge. `limit` is the blunder threshold in points. The default is the player's value of three captured
    /// seeds. Fails if `limit` is `None`, and the player evaluates moves but assigns no value to captured seeds.
    pub(crate) fn new(
        spec: &str,
        mut player: Box<dyn Player<G>>,
        game: G,
        limit: Option<i32>,
    ) -> Result<Judge<G>> {
        let record = Record::from_position(game, game.shallow());
        let blunder = if player.payoffs(&record, &()).is_empty() {
            None
        } else {
            let of_seeds = player.seed_value().map(|value| BLUNDER_SEEDS * value);
            let no_value = || anyhow!("player {spec} assigns no value to a captured seed");
            Some(limit.or(of_seeds).ok_or_else(no_value)?)
        };
        let reproducible = player.is_reproducible();
        Ok(Judge { player, spec: spec.into(), blunder, reproducible })
    }

    /// Judges all moves up to the game's end. Fails if the player can't choose a move or `progress` requests a stop.
    pub(crate) fn judge(
        &mut self,
        record: &Record<G>,
        progress: &dyn Progress,
    ) -> mancala::text::Result<Judged> {
        let mut replayed = Record::from_position(*record.game(), *record.opening());
        let is_before_end =
            |&&(_, pit): &&(Side, Pit)| replayed.ending().is_none() && replayed.play(pit).is_ok();
        let plies = record.plies().iter().take_while(is_before_end).count();
        let moves = annotate(&mut *self.player, record, plies, progress)?;
        let blunder = self.blunder;
        let limit = blunder.unwrap_or(i32::MAX);
        let summaries = Side::BOTH.map(|side| Summary::of(&moves, side, limit));
        let seed_value = self.player.seed_value();
        Ok(Judged { moves, summaries, blunder, seed_value })
    }
}
