use super::*;
use crate::{Contest, GamesFile, Openings, Suite, Tally, Team};
use mancala::game::Notated;
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;

use crate::games_file::heading::Entrant;
use crate::player::PlayableGame;

/// The file that a contest between three players leaves, of few plies so that draws and short games occur.
fn file<G: PlayableGame + Notated>(game: G, sprt: Option<&str>) -> (String, Vec<Finished>) {
    let specs = ["greedy", "random", "random:seed=2"];
    let teams: Vec<_> = specs.iter().map(|spec| Team::new(spec, game).unwrap()).collect();
    let suite: Suite = "random:30,plies=4".parse().unwrap();
    let openings: Openings<G::Position> = suite.openings(game).unwrap();
    let pairings = vec![[0, 1], [0, 2], [1, 2]];
    let heading = Heading {
        form: crate::Form::RoundRobin,
        players: specs.map(|it| Entrant { spec: it.into(), identity: it.into() }).into(),
        pairings: pairings.clone(),
        game: game.into(),
        openings: suite.to_string(),
        positions: openings.positions().len(),
        checksum: openings.checksum(),
        sprt: sprt.map(|it| it.parse().unwrap()),
    };
    let contest = Contest { teams: &teams, pairings, game, openings: &openings };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let (mut file, _) = GamesFile::open(&path, &heading, &contest).unwrap();
    let mut games = Vec::new();
    contest
        .play::<crate::GamesError>(0, &contest.local_games(), &(), &mut |game| {
            file.add(&game).unwrap();
            games.push(game);
            Ok(std::ops::ControlFlow::Continue(()))
        })
        .unwrap();
    file.flush().unwrap();
    (std::fs::read_to_string(&path).unwrap(), games)
}

fn begun(text: &str) -> KeptGames {
    let (heading, rest) = Heading::read(text).unwrap();
    KeptGames::new(heading, (text.len() - rest.len()) as u64)
}

fn kept(text: &str) -> KeptGames {
    let mut kept = begun(text);
    kept.read_on(&mut &text.as_bytes()[kept.end() as usize..]).unwrap();
    kept
}

fn counts_are_those_of_the_games<G: PlayableGame + Notated>(game: G) {
    let (text, games) = file(game, None);
    let kept = kept(&text);
    assert_eq!((kept.wrong(), kept.len(), kept.is_complete()), (None, 180, true));
    assert_eq!(kept.end(), text.len() as u64);
    for (meetings, games) in kept.meetings().iter().zip(games.chunks(60)) {
        let Tally { pairs, wins, draws, losses, .. } = Tally::of(games);
        assert_eq!(*meetings, Meetings { pairs, wins, draws, losses });
    }
    let place = kept.place(70..90);
    let piece = &text.as_bytes()[place.start as usize..place.end as usize];
    let read = kept.read(piece, 70).unwrap();
    let line = |game: &Finished| (game.index, game.pairing, game.line.clone(), game.stores());
    assert!(read.iter().map(line).eq(games[70..90].iter().map(line)));
    assert_eq!(kept.place(175..500), kept.place(175..180));
    assert!(kept.place(500..600).is_empty());
}

#[test]
fn counts_are_those_of_the_games_in_every_game() {
    counts_are_those_of_the_games(Ayo::default());
    counts_are_those_of_the_games(Kalah::default());
}

#[test]
fn a_file_that_grows_is_read_on_from_wherever_it_was_cut() {
    let (text, _) = file(Ayo::default(), Some("elo0=0,elo1=400"));
    let whole = kept(&text);
    assert!(!whole.walk().is_empty() && whole.walk().len() <= 90);
    let mut growing = begun(&text);
    let begins = growing.end() as usize;
    for length in (begins..text.len()).step_by(197).chain([text.len()]) {
        let end = growing.end() as usize;
        growing.read_on(&mut &text.as_bytes()[end..length]).unwrap();
        assert_eq!(growing.wrong(), None);
    }
    assert_eq!(growing.meetings(), whole.meetings());
    assert_eq!((growing.walk(), growing.decision()), (whole.walk(), whole.decision()));
    assert_eq!(growing.end(), whole.end());
}

#[test]
fn a_walk_ends_where_the_test_decides() {
    let (text, games) = file(Ayo::default(), Some("elo0=0,elo1=50"));
    let kept = kept(&text);
    let pairs = games.as_chunks::<2>().0.iter().map(|[one, two]| pair_score([one, two]));
    let judgement = kept.heading().sprt.unwrap().first_crossing(pairs);
    assert_eq!(kept.walk().len() as u64, judgement.pairs.pairs());
    assert_eq!(kept.walk().last(), Some(&judgement.llr));
    assert_eq!(kept.decision(), judgement.decision);
}

#[test]
fn a_line_that_is_no_game_is_named_and_ends_the_reading() {
    let (text, _) = file(Ayo::default(), None);
    let fourth = text.find("game 4: ").unwrap();
    let end = fourth + text[fourth..].find('\n').unwrap() + 1;
    let line = text[fourth..end].to_owned();
    let opening = line.split(' ').nth(2).unwrap();
    let other = line.replace(opening, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
    for (instead, words) in [
        ("no game\n", "game 4 should stand here"),
        ("\n", "game 4 should stand here"),
        ("game 4: \u{0}\u{1b}[2J # x\n", "15 fields"),
        (
            &line.replace("; 1-0; ", "; 2-0; ").replace("; 0-1; ", "; 2-0; "),
            "not that of the moves",
        ),
        (&other, ""),
        (&"x".repeat(1 << 17), "longer than any game"),
        (&format!("{line}{line}"), "game 5 should stand here"),
    ] {
        let text = format!("{}{instead}{}", &text[..fourth], &text[end..]);
        let kept = kept(&text);
        let wrong = kept.wrong().unwrap_or_else(|| panic!("{instead}")).to_string();
        let good = if instead.matches("game 4").count() == 2 { 4 } else { 3 };
        assert_eq!(kept.len(), good, "{wrong}");
        let number = text[..fourth].lines().count() + good - 2;
        assert!(wrong.starts_with(&format!("line {number}: ")) && wrong.contains(words), "{wrong}");
        assert!(!wrong.contains('\u{1b}'));
    }
    let beyond = kept(&format!("{text}game 181: 4-4\n"));
    assert!(beyond.wrong().unwrap().reason.contains("no more than 180 games"));
    let mut bytes = text.into_bytes();
    let last = bytes.len() - 3;
    bytes[last] = 0xff;
    let mut kept = begun(&String::from_utf8_lossy(&bytes));
    kept.read_on(&mut &bytes[kept.end() as usize..]).unwrap();
    assert_eq!((kept.len(), kept.wrong().unwrap().reason.as_str()), (179, "it is no text"));
}
