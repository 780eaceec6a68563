use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use super::{Event, MAX_WAITING, Session};
use arena::player;
use mancala::game::ayo::{Ayo, Rules};
use mancala::game::{Record, Side};
use mancala::laws::prelude::*;

struct Talk {
    session: Session,
    events: Receiver<Event>,
}

impl Talk {
    fn with(player: &str) -> Talk {
        let (sender, events) = mpsc::sync_channel(100);
        let session = Session::new(player.parse().unwrap(), Rules::AYO, sender).unwrap();
        Talk { session, events }
    }

    fn answer(&mut self, event: Event) -> Vec<String> {
        let replies = self.session.answer(event).expect("the session continues");
        replies.iter().map(ToString::to_string).collect()
    }

    fn say(&mut self, line: &str) -> Vec<String> {
        self.answer(Event::Line(line.into()))
    }

    fn ask(&mut self, line: &str) -> Vec<String> {
        let mut replies = self.say(line);
        while !replies.last().is_some_and(|reply| reply.starts_with("bestmove")) {
            let event = self.events.recv_timeout(Duration::from_secs(60)).expect("an answer");
            replies.extend(self.answer(event));
        }
        replies
    }

    fn best_move(&mut self, line: &str) -> String {
        self.ask(line).pop().unwrap()
    }
}

const SEEDS: &str = "minimax:weights=seeds,depth=4";

#[test]
fn a_player_has_the_options_that_make_sense_for_it() {
    let rules =
        "option name Rules type combo default ayo var ayo var awari var wipe-out var no-slam";
    for (player, options) in [
        ("greedy", &[][..]),
        (
            SEEDS,
            &[
                "option name Weights type string default seeds",
                "option name Depth type spin default 4 min 1 max 100",
            ],
        ),
        (
            "engine:weights=seeds,nodes=3000,hash=1",
            &[
                "option name Weights type string default seeds",
                "option name Hash type spin default 1 min 1 max 65536",
                "option name Threads type spin default 1 min 1 max 256",
                "option name Ponder type check default false",
                "option name OwnBook type check default false",
            ],
        ),
    ] {
        let said = Talk::with(player).say("uci");
        let found: Vec<&String> = said.iter().filter(|it| it.starts_with("option")).collect();
        assert!(
            options.iter().chain([&rules]).all(|it| said.contains(&it.to_string())),
            "{said:?}"
        );
        assert!(found.len() == options.len() + 1 || player.starts_with("engine"), "{said:?}");
    }
}

#[test]
fn an_engine_has_tables_of_the_rules_that_are_set() {
    for (player, rules) in [
        // The default tables for ayo include bounds, which take seconds to compute.
        ("engine:nodes=50000,hash=1,tables=likely", "ayo"),
        ("engine:nodes=50000,hash=1", "awari"),
        ("grandmaster", "awari"),
    ] {
        let mut talk = Talk::with(player);
        talk.say(&format!("setoption name Rules value {rules}"));
        talk.say("position fen 1-0-2-0-1-2-1-2-0-0-1-0-19-19-S");
        let said = talk.ask("go");
        // Positions in the tables aren't searched.
        let iterations = said.iter().filter(|line| line.contains("depth")).count();
        assert!(iterations <= 2, "{player}, {rules}: {said:?}");
    }
}

#[test]
fn an_engine_has_memory_threads_and_a_clock() {
    let mut talk = Talk::with("engine:weights=seeds,nodes=3000,hash=1");
    for (option, refusal) in [("Hash value 2", 0), ("Threads value 2", 0), ("Hash value 0", 1)] {
        assert_eq!(talk.say(&format!("setoption name {option}")).len(), refusal, "{option}");
    }
    for go in ["go", "go wtime 600 btime 300 winc 10", "go infinite depth 3 wtime 1"] {
        let begun = std::time::Instant::now();
        talk.say(go);
        // A search that runs until `stop` has no clock.
        if go.contains("infinite") {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(talk.best_move("stop").starts_with("bestmove "), "{go}");
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
    assert_eq!(talk.say("setoption name Rules value awari"), [""; 0]);
    assert!(talk.best_move("go wtime 400").starts_with("bestmove "));
}

#[test]
fn an_engine_thinks_while_the_opponent_does() {
    let mut talk = Talk::with("engine:weights=seeds,hash=1");
    let said = talk.best_move("go movetime 50");
    let [_, best, "ponder", answer] = said.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{said}")
    };
    talk.say(&format!("position startpos moves {best}{answer}"));
    // Even if the search has finished, the answer is held back until the opponent has moved.
    for go in ["go ponder wtime 4000", "go ponder depth 1 wtime 4000"] {
        assert_eq!(talk.say(go), [""; 0]);
        while let Ok(event) = talk.events.recv_timeout(Duration::from_millis(50)) {
            assert!(talk.answer(event).iter().all(|reply| !reply.starts_with("bestmove")), "{go}");
        }
        let begun = std::time::Instant::now();
        assert!(talk.best_move("ponderhit").starts_with("bestmove "), "{go}");
        assert!(begun.elapsed() < Duration::from_secs(2), "{go}");
    }
    talk.say("go ponder wtime 4000");
    assert!(talk.best_move("stop").starts_with("bestmove "));
    assert!(talk.say("ponderhit")[0].starts_with("info string ponderhit: "));
}

#[test]
fn an_engine_shuts_its_book_when_it_is_told_to() {
    let mut talk = Talk::with("engine:weights=seeds,nodes=3000,hash=1,book=builtin");
    assert!(talk.say("uci").contains(&"option name OwnBook type check default true".into()));
    let searched = |talk: &mut Talk| {
        let replies = talk.ask("go nodes 3000");
        !replies[0].contains(" nodes 0 ")
    };
    for (option, expected) in [
        ("OwnBook value false", true),
        ("OwnBook value true", false),
        ("Rules value awari", true),
        ("Rules value ayo", false),
    ] {
        assert_eq!(talk.say(&format!("setoption name {option}")), [""; 0]);
        assert_eq!(searched(&mut talk), expected, "{option}");
    }
    // In an analysis without limits, the engine searches even if the position is in the book.
    talk.say("go infinite");
    let event = talk.events.recv_timeout(Duration::from_secs(60)).unwrap();
    let told = talk.answer(event);
    assert!(!told[0].contains(" nodes 0 "), "{told:?}");
    talk.best_move("stop");
    assert!(talk.say("setoption name OwnBook value maybe")[0].contains("OwnBook is \"maybe\""));
}

#[test]
fn players_without_iterations_answer_with_a_move() {
    for player in ["rbh:plies=12", "amdf:depth=12"] {
        let mut talk = Talk::with(player);
        talk.say("go infinite");
        assert_ne!(talk.best_move("stop"), "bestmove 0000", "{player}");
    }
    for player in ["greedy", "random:seed=3"] {
        let replies = Talk::with(player).ask("go depth 5");
        assert_eq!(replies.len(), 1, "{replies:?}");
    }
}

#[test]
fn a_search_without_end_is_answered_when_it_is_stopped() {
    let mut talk = Talk::with(SEEDS);
    assert_eq!(talk.say("go infinite"), [""; 0]);
    let busy = |said: Vec<String>| said[0].ends_with(": a search is running");
    assert!(busy(talk.say("setoption name Depth value 2")));
    assert!(talk.best_move("stop").starts_with("bestmove "));
    // We don't answer before `stop`, even if the search has finished.
    assert_eq!(talk.say("go infinite depth 1"), [""; 0]);
    loop {
        let event = talk.events.recv_timeout(Duration::from_secs(60)).unwrap();
        let over = matches!(event, Event::Found(..));
        assert!(!talk.answer(event).iter().any(|line| line.starts_with("bestmove")));
        if over {
            break;
        }
    }
    assert!(busy(talk.say("go")));
    assert!(talk.best_move("stop").starts_with("bestmove "));
    assert_eq!(talk.say("stop"), [""; 0]);
}

#[test]
fn commands_sent_during_a_search_are_obeyed_after_it() {
    let mut talk = Talk::with(SEEDS);
    for line in ["go depth 9", "setoption name Depth value 2", "position startpos moves Ff", "go"] {
        assert_eq!(talk.say(line), [""; 0], "{line}");
    }
    assert_eq!(talk.say("isready"), ["readyok"]);
    for depth in ["9", "2"] {
        let said = talk.ask("\n");
        assert_eq!(said[said.len() - 2].split(' ').nth(2), Some(depth), "{said:?}");
    }
    for script in [
        "go depth 9\nposition startpos\ngo infinite\nstop\nquit",
        "go infinite\nstop\nposition startpos\ngo infinite\nstop\nquit",
        "go depth 5\ngo ponder depth 4\nponderhit\nquit",
    ] {
        let mut talk = Talk::with(SEEDS);
        script.lines().for_each(|line| drop(talk.say(line)));
        (0..2).for_each(|_| drop(talk.ask("\n")));
        assert!(talk.session.has_ended && talk.session.waiting.is_empty(), "{script}");
    }
    talk.say("go movetime 50");
    (0..MAX_WAITING).for_each(|_| assert_eq!(talk.say("position startpos"), [""; 0]));
    assert!(talk.say("position startpos")[0].contains("too many"));
    assert!(talk.session.answer(Event::Line("quit".into())).is_none());
}

#[test]
fn no_move_is_played_in_a_game_that_is_over_or_unknown() {
    let mut talk = Talk::with(SEEDS);
    talk.say("position fen 0-0-0-0-0-0-0-0-0-0-0-1-25-22-S");
    let over = talk.ask("go");
    assert!(over[0].contains("the game is over, South wins") && over[1] == "bestmove 0000");
    for (refused, part) in [
        ("position startpos moves FfF", "ply 3: "),
        ("position", ""),
        ("position fen 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves zz", ""),
    ] {
        talk.say("position startpos");
        assert_ne!(talk.best_move("go"), "bestmove 0000");
        let refusal = talk.say(refused).remove(0);
        assert!(refusal.starts_with(&format!("info string position: {part}")), "{refusal}");
        assert_eq!(talk.ask("go"), [refusal.as_str(), "bestmove 0000"]);
    }
}

#[test]
fn options_change_the_player_and_bad_ones_do_not() {
    let mut talk = Talk::with("minimax:weights=seeds,depth=2");
    for (option, value) in [("Weights", "nobody"), ("Rules", "chess")] {
        let said = talk.say(&format!("setoption name {option} value {value}"));
        assert!(said[0].starts_with("info string setoption: ") && said[0].contains(value));
    }
    assert_eq!(talk.say("setoption name depth value 6"), [""; 0]);
    assert_eq!(talk.say("setoption name Weights value daoud2004-depth5"), [""; 0]);
    let mut same = player::build("minimax:weights=daoud2004-depth5,depth=6").unwrap();
    let record = Record::new(Ayo::default(), Side::South);
    let letter = same.choose(&record, &()).unwrap().pit.letter(Side::South);
    assert!(talk.best_move("go").starts_with(&format!("bestmove {letter}")));
    assert!(
        talk.say("uci").iter().any(|it| it.starts_with("option name Depth type spin default 6 "))
    );
}

#[test]
fn other_rules_judge_the_same_game() {
    // F captures all of North's seeds, two in each of two pits.
    let position = "position fen 0-0-0-0-0-2-1-1-0-0-0-0-22-22-S";
    let mut talk = Talk::with(SEEDS);
    talk.say(position);
    assert_ne!(talk.best_move("go"), "bestmove 0000");
    talk.say("setoption name Rules value no-slam");
    assert_eq!(talk.best_move("go"), "bestmove 0000");
    talk.say("setoption name Rules value ayo:stalemate=void");
    assert_ne!(talk.best_move("go"), "bestmove 0000");
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_text_is_answered_without_panic(
        lines in proptest::collection::vec(
            "(position (startpos|fen)|go depth 1|setoption name|isready|uci|stop)?[ a-zA-F0-9-]{0,30}", 1..8
        )
    ) {
        let mut talk = Talk::with("minimax:weights=seeds,depth=2");
        for line in lines {
            if let Some(replies) = talk.session.answer(Event::Line(line)) {
                prop_assert!(replies.iter().all(|reply| !reply.to_string().contains('\n')));
            }
        }
        talk.session.answer(Event::Line("stop".into()));
    }
}
