//! The text printed by `ayo play`.

use std::fmt::Write;

use arena::heading_of_play;
use arena::player::PlayableGame;
use mancala::eval::Score;
use mancala::game::{Ending, Pit, Ply, Side, Verdict};

use super::command::{WORDS, letters};
use super::conversation::Session;
use crate::terminal::counted;

/// Describes the side to move, the number of moves, and how many seeds each side captured and sowed into its store.
pub(crate) fn state<G: PlayableGame>(session: &Session<G>) -> String {
    let (record, human) = (&session.record, session.human);
    let won = |side| {
        let plies = record.outcomes().filter(|ply| ply.side == side);
        plies.fold([0; 2], |[home, captured], ply| [home + ply.home, captured + ply.captured])
    };
    let [yours, mine] = [human, human.other()].map(won);
    let moves = counted(record.plies().len() as u64, "move");
    let turn = match record.ending() {
        None => format!("{} to move; ", named(record.to_move(), human)),
        Some(_) => String::new(),
    };
    let home = match [yours[0], mine[0]] {
        [0, 0] => String::new(),
        [you, computer] => format!("; sown home: you {you}, computer {computer}"),
    };
    let (you, computer) = (yours[1], mine[1]);
    format!("{turn}{moves}; captured: you {you}, computer {computer}{home}\n")
}

/// Describes the rows for a screen reader, in sowing order, e.g. `North: a 4, b 4, c 4; store 0`.
pub(crate) fn rows<G: PlayableGame>(game: &G, position: &G::Position) -> String {
    let rows = Side::BOTH.into_iter().zip(game.rows(position));
    let row = |(side, row): (Side, Vec<u16>)| {
        let pits = row.into_iter().zip((0..).filter_map(Pit::new));
        let pits: Vec<_> =
            pits.map(|(seeds, pit)| format!("{} {seeds}", pit.letter(side))).collect();
        format!("{side}: {}; store {}\n", pits.join(", "), game.store(position, side))
    };
    rows.map(row).collect()
}

/// Describes a move, e.g. `South (you) sows C: 5 seeds, captures 2`.
pub(crate) fn ply(ply: &Ply, human: Side) -> String {
    let Ply { side, pit, seeds, home, captured, again } = *ply;
    let (who, pit) = (named(side, human), pit.letter(side));
    let mut text = format!("{who} sows {pit}: {}", counted(seeds.into(), "seed"));
    if home > 0 {
        let _ = write!(text, ", brings {home} home");
    }
    if captured > 0 {
        let _ = write!(text, ", captures {captured}");
    }
    if again {
        text += " and moves again";
    }
    text + "\n"
}

/// Describes the ending, awarded seeds, final stores and winner. Returns an empty string if the game isn't over.
pub(crate) fn end<G: PlayableGame>(session: &Session<G>) -> String {
    let (record, human) = (&session.record, session.human);
    let Some((ending, settled)) = record.ending().zip(record.settlement()) else {
        return String::new();
    };
    let mut text = format!("the game is over: {ending}");
    if ending == Ending::NoMove {
        let _ = write!(text, " for {}", record.to_move());
    }
    let [south, north] = Side::BOTH
        .map(|side| settled.stores[side.index()] - record.game().store(record.position(), side));
    if south + north > 0 {
        let _ = write!(text, "\nremaining seeds: {south} to South, {north} to North");
    }
    let verdict = match settled.verdict {
        Verdict::Won(side) => format!("{} wins", named(side, human)),
        Verdict::Drawn => "a draw".into(),
    };
    let [south, north] = settled.stores;
    let _ = writeln!(text, "\nfinal stores South {south}, North {north}: {verdict}");
    text
}

/// Lists the value of each move and suggests a move. Values from endgame tables are also shown in remaining seeds.
pub(crate) fn advice<G: PlayableGame>(session: &mut Session<G>) -> Result<String, String> {
    let suggestion = session.hint()?;
    let (record, player) = session.adviser();
    let payoffs = player.payoffs(record, &());
    let seed_value = player.seed_value();
    let known = player.tables().zip(G::as_ayo(record.position()));
    let known = known.and_then(|(tables, position)| tables.move_bounds(position));
    let line = |&(pit, score): &(Pit, Score)| {
        let letter = pit.letter(record.to_move());
        let known = known.as_ref().and_then(|moves| moves.iter().find(|(sown, ..)| *sown == pit));
        let Some((_, value, certainty)) = known else {
            let seeds = in_seeds(score, seed_value);
            let seeds = seeds.map_or(String::new(), |seeds| format!("  {seeds:>12}"));
            return format!("  {letter}  {:>12}{seeds}\n", score.to_string());
        };
        let score =
            if score == Score::DRAW { format!("{certainty} draw") } else { score.to_string() };
        format!("  {letter}  {score:>18}  {value:>+3} of the remaining seeds\n")
    };
    let mut text: String = payoffs.iter().map(line).collect();
    if payoffs.is_empty() {
        text = "this player does not evaluate moves\n".into();
    }
    let suggested = payoffs.iter().find(|(pit, _)| pit.letter(record.to_move()) == suggestion);
    let is_best = suggested.map(|it| it.1) == payoffs.iter().map(|it| it.1).max();
    let source = if is_best { "" } else { " (this player does not choose by these values alone)" };
    Ok(format!("{text}suggestion: {suggestion}{source}\n"))
}

/// Formats a score, e.g. `+1.5 seeds`. Returns `None` if the score counts plies or if seeds have no value.
pub(crate) fn in_seeds(score: Score, seed_value: Option<i32>) -> Option<String> {
    let value = seed_value.filter(|_| !score.counts_plies())?;
    let seeds = format!("{:+.1} seeds", f64::from(score.0) / f64::from(value));
    Some(seeds.replace("-0.0", "+0.0"))
}

pub(crate) fn help(pits: usize) -> String {
    let letters = letters(pits);
    let either = format!("sow from this pit (also {})", letters.to_lowercase());
    let mut text = format!("  {letters:<10}{:<4}{either}\n", "");
    for (word, short, _, meaning) in WORDS {
        let _ = writeln!(text, "  {word:<10}{short:<4}{meaning}");
    }
    text
}

/// Formats a game for `ayo analyse`: its name, rules, opening (unless it's the start) and moves.
pub(crate) fn saved<G: PlayableGame>(session: &Session<G>) -> String {
    let record = &session.record;
    let (game, opening) = (record.game(), record.opening());
    let is_start = *opening == game.start(game.to_move(opening));
    let opening = if is_start { String::new() } else { format!("{opening} ") };
    format!("{}{opening}{}\n", heading_of_play(game.description()), record.line())
}

/// Formats the game so far in both notations.
pub(crate) fn line<G: PlayableGame>(session: &Session<G>) -> String {
    let record = &session.record;
    let opening = record.opening();
    let mut text = String::new();
    let game = record.game();
    if *opening != game.start(game.to_move(opening)) {
        let _ = writeln!(text, "from {opening}");
    }
    if record.plies().is_empty() {
        return text + "no moves yet\n";
    }
    let _ = writeln!(text, "{}", record.line());
    if let Some(other) = G::other_notation(record) {
        let _ = writeln!(text, "{other}");
    }
    text
}

fn named(side: Side, human: Side) -> String {
    format!("{side} ({})", if side == human { "you" } else { "computer" })
}

#[cfg(test)]
mod tests {
    use arena::player::{build, build_for};
    use mancala::game::Record;
    use mancala::game::ayo::{Ayo, Rules};
    use mancala::game::kalah::Kalah;

    use super::*;

    fn session(position: &str, rules: &str) -> Session<Ayo> {
        let rules: Rules = rules.parse().unwrap();
        let record = Record::from_position(Ayo { rules }, position.parse().unwrap());
        Session::new(record, Side::South, build("greedy").unwrap())
    }

    #[test]
    fn an_end_says_what_it_awards() {
        let told = |position, rules| {
            let session = session(position, rules);
            end(&session)
        };
        let stuck = "1-1-2-2-0-0-0-0-0-0-0-0-22-20-S";
        for (position, rules, lines, end) in [
            (stuck, "ayo", 3, "South 28, North 20: South (you) wins\n"),
            (stuck, "ayo:stalemate=void", 2, "South 22, North 20: a draw\n"),
            ("2-2-2-2-2-2-2-2-2-2-0-0-3-25-S", "ayo", 2, "North 25: North (computer) wins\n"),
        ] {
            let told = told(position, rules);
            assert!(told.ends_with(end) && told.lines().count() == lines, "{told}");
        }
    }

    #[test]
    fn a_line_names_the_position_that_it_begins_from() {
        let mut session = session("1-0-0-0-0-1-1-1-0-0-0-0-21-23-S", "ayo");
        let opened = "from 1-0-0-0-0-1-1-1-0-0-0-0-21-23-S\n";
        assert_eq!(line(&session), format!("{opened}no moves yet\n"));
        session.sow(Pit::new(5).unwrap()).unwrap();
        assert_eq!(line(&session), format!("{opened}F\n1S6(2)\n"));
    }

    #[test]
    fn seeds_sown_home_are_not_captured() {
        let kalah = Kalah::new(3, 4).unwrap();
        let record = Record::from_position(kalah, kalah.position("1-2-3-0-5-5-5-3-1").unwrap());
        let player = build_for("greedy", kalah).unwrap();
        let mut session = Session::new(record, Side::South, player);
        assert!(state(&session).ends_with("; captured: you 0, computer 0\n"));
        session.sow(Pit::new(1).unwrap()).unwrap();
        let told =
            |session: &Session<Kalah>| ply(&session.record.outcomes().next().unwrap(), Side::South);
        assert!(told(&session).ends_with("B: 2 seeds, brings 1 home and moves again\n"));
        // B is empty now. The single seed from A lands in B, and captures the five seeds in the opposite pit.
        session.sow(Pit::new(0).unwrap()).unwrap();
        assert!(told(&session).ends_with("A: 1 seed, captures 6\n"));
        assert!(state(&session).ends_with("you 6, computer 0; sown home: you 1, computer 0\n"));
    }
}
