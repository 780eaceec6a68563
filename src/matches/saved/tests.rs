use std::fs;

use arena::Form;
use mancala::game::ayo::Ayo;
use tempfile::TempDir;

use crate::matches::contest::Setup;
use crate::matches::openings_choice::OpeningsChoice;
use crate::matches::saved::*;

/// A folder with a file of games.
struct Desk {
    folder: TempDir,
    matches: Matches,
}

impl Desk {
    fn new() -> Desk {
        Desk { folder: tempfile::tempdir().unwrap(), matches: Matches::default() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("a.games")
    }

    /// Plays a whole match of 72 games.
    fn play(&self, players: [&str; 2], sprt: Option<&str>) -> String {
        let suite = "plies:2".parse().unwrap();
        let openings = OpeningsChoice { suite, games: None, seed: 1 };
        let sprt = sprt.map(|it| it.parse().unwrap());
        let players = players.map(str::to_owned);
        let setup = Setup::new(Form::Match, &players, Ayo::default(), &openings, sprt).unwrap();
        let file = tempfile::tempdir().unwrap();
        let path = file.path().join("games");
        setup.play(Some(&path), &(), &mut |_| ()).unwrap();
        fs::read_to_string(path).unwrap()
    }

    fn write(&self, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(), bytes).unwrap();
    }

    fn look(&self) -> ListedMatch {
        self.matches.listed("a", &self.path())
    }

    fn count(&self) -> u64 {
        self.matches.count(&self.path())
    }
}

/// The bytes up to the end of a game.
fn up_to(text: &str, games: usize) -> usize {
    let at = text.find(&format!("game {games}: ")).unwrap();
    at + text[at..].find('\n').unwrap() + 1
}

#[test]
fn a_match_is_running_stopped_or_complete() {
    let desk = Desk::new();
    let text = desk.play(["greedy", "random"], None);
    desk.write(&text);
    let ListedMatch { form, state, players, games, of, score, error, .. } = desk.look();
    assert_eq!((form.as_deref(), state), (Some("match"), MatchState::Complete));
    assert_eq!((players, games, of), (vec!["greedy".into(), "random".into()], 72, Some(72)));
    assert!(score.is_some() && error.is_none());
    desk.write(&text[..up_to(&text, 9) + 17]);
    let ListedMatch { state, games, error, .. } = desk.look();
    assert_eq!((state, games, error), (MatchState::Stopped, 9, None));
    let lock = Log::open(&desk.path()).unwrap();
    assert_eq!((desk.look().state, desk.look().games), (MatchState::Running, 9));
    stop(&desk.path()).unwrap();
    assert!(StopFile::beside(&desk.path()).exists());
    drop(lock);
    assert_eq!(desk.look().state, MatchState::Stopped);
    assert!(matches!(stop(&desk.path()), Err(NoStop::Idle)));
}

#[test]
fn a_test_that_has_decided_leaves_nothing_to_play() {
    let desk = Desk::new();
    let text = desk.play(["minimax:depth=3", "random"], Some("elo0=0,elo1=400"));
    desk.write(&text);
    let kept = desk.matches.kept("a", &desk.path());
    let sprt = kept.sprt.unwrap();
    assert_eq!(kept.listed.state, MatchState::Complete);
    assert!(kept.listed.games < 72 && sprt.llr >= sprt.bounds.1);
    assert_eq!(sprt.walk.last(), Some(&(kept.listed.games, sprt.llr)));
    assert_eq!(sprt.walk.len() as u64, kept.listed.games / 2);
}

#[test]
fn a_match_that_is_about_to_begin_is_no_damage() {
    let desk = Desk::new();
    let text = desk.play(["greedy", "random"], None);
    for length in [0, 5, 40] {
        desk.write(&text[..length]);
        let lock = Log::open(&desk.path()).unwrap();
        let ListedMatch { state, error, form, .. } = desk.look();
        assert_eq!((state, error, form), (MatchState::Running, None, None));
        drop(lock);
        let ListedMatch { state, error, .. } = desk.look();
        let sentence = Some("its heading is not complete".to_owned());
        assert_eq!((state, error), (MatchState::Damaged, sentence));
        assert!(desk.matches.games(&desk.path(), 0, 10).is_err());
        assert_eq!(desk.count(), 0);
    }
}

#[test]
fn whatever_a_file_is_it_costs_a_sentence() {
    let desk = Desk::new();
    let text = desk.play(["greedy", "random"], None);
    let heading = &text[..text.find("game 1: ").unwrap()];
    for (bytes, words) in [
        (b"# my games\n".to_vec(), "it is no file of games of ayo"),
        (vec![0xff; 100_000], "it is no file of games of ayo"),
        (vec![0; 100_000], "it is no file of games of ayo"),
        (text.replace("games 1:", "games 2:").into_bytes(), "of version \"2\""),
        (text.replace("rules: ayo", "rules: chess").into_bytes(), "line 7: "),
        (format!("{heading}{}", "x".repeat(1 << 20)).into_bytes(), "line 10: "),
        ([heading.as_bytes(), &[0xff, b'\n']].concat(), "line 10: it is no text"),
        (text.replace("game 3: ", "game 4: ").into_bytes(), "line 12: game 3 should stand here"),
    ] {
        desk.write(&bytes);
        let ListedMatch { state, error, .. } = desk.look();
        assert_eq!(state, MatchState::Damaged, "{words}");
        assert!(error.as_deref().unwrap().contains(words), "{words}: {error:?}");
        desk.matches.kept("a", &desk.path());
    }
    fs::remove_file(desk.path()).unwrap();
    assert!(desk.look().error.unwrap().starts_with("cannot read "));
    fs::create_dir(desk.path()).unwrap();
    assert!(desk.look().error.unwrap().contains("not a regular file"));
}

#[test]
fn no_player_is_made_of_what_a_file_says() {
    let desk = Desk::new();
    let text = desk.play(["greedy", "random"], None);
    let touched = desk.folder.path().join("touched");
    let program = format!("uci:cmd=\"touch {}\"", touched.display());
    desk.write(text.replace("player 1: greedy", &format!("player 1: {program}")));
    let kept = desk.matches.kept("a", &desk.path());
    assert_eq!((kept.listed.players[0].as_str(), kept.listed.games), (program.as_str(), 72));
    desk.matches.games(&desk.path(), 0, 100).unwrap();
    assert!(!touched.exists());
}

#[test]
fn what_is_new_is_read_and_what_was_replaced_is_read_anew() {
    let desk = Desk::new();
    let one = desk.play(["greedy", "random"], None);
    let other = desk.play(["random:seed=4", "greedy"], None);
    for games in [1, 2, 30, 31, 72] {
        desk.write(&one[..up_to(&one, games)]);
        assert_eq!((desk.count(), desk.look().games), (games as u64, games as u64));
    }
    let whole = desk.matches.kept("a", &desk.path());
    let anew = Matches::default().kept("a", &desk.path());
    assert_eq!(whole, anew);
    desk.write(&one[..up_to(&one, 3)]);
    assert_eq!(desk.count(), 3);
    // Another match over it, of the same inode and longer.
    desk.write(&other[..up_to(&other, 40)]);
    let kept = desk.matches.kept("a", &desk.path());
    assert_eq!((kept.listed.games, kept.listed.players[1].as_str()), (40, "greedy"));
    assert_eq!(kept, Matches::default().kept("a", &desk.path()));
    // A line that was wrong and is mended.
    desk.write(format!("{}no game\n", &one[..up_to(&one, 5)]));
    assert!(desk.look().error.is_some());
    desk.write(&one[..up_to(&one, 50)]);
    assert_eq!((desk.look().games, desk.look().error), (50, None));
}

#[test]
fn games_are_shown_a_page_at_a_time() {
    let desk = Desk::new();
    let text = desk.play(["greedy", "random"], None);
    desk.write(&text);
    let page = |offset, limit| desk.matches.games(&desk.path(), offset, limit).unwrap();
    let numbers = |offset, limit| -> Vec<usize> {
        page(offset, limit).games.iter().map(|game| game.number).collect()
    };
    assert_eq!(numbers(0, 3), [1, 2, 3]);
    assert_eq!(numbers(70, 500), [71, 72]);
    assert!(numbers(72, 5).is_empty() && numbers(usize::MAX, usize::MAX).is_empty());
    assert_eq!(page(0, 1).total, 72);
    let games = page(0, 72).games;
    // Openings after two plies: South moves first, the first player in odd games.
    assert!(games.iter().all(|game| game.south == (game.number + 1) % 2));
    for (game, line) in games.iter().zip(text.lines().skip_while(|line| line.starts_with('#'))) {
        let [a, b] = game.stores;
        let (number, opening, moves) = (game.number, &game.opening, &game.line);
        assert!(line.starts_with(&format!("game {number}: {opening} {moves} # nodes ")));
        assert!(line.ends_with(&format!("; {}; {a}-{b}; {}", game.result, game.end)));
        assert_eq!((game.first, game.second, game.plies), (0, 1, moves.len()));
    }
}
