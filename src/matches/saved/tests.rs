use std::fs;

use arena::{Contest, PlayerPool, Suite};
use mancala::game::ayo::Ayo;
use tempfile::TempDir;

use super::*;
use crate::matches::contest;

struct Bench {
    folder: TempDir,
    matches: SavedMatches,
    /// The lines of a file with 72 games.
    lines: Vec<String>,
}

impl Bench {
    fn new() -> Bench {
        let (folder, matches) = (tempfile::tempdir().unwrap(), SavedMatches::default());
        Bench { folder, matches, lines: play(["greedy", "random"]) }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("a.games")
    }

    fn write(&self, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(), bytes).unwrap();
    }

    fn listed(&self) -> ListedMatch {
        self.matches.listed("a", &self.path())
    }

    fn saved(&self) -> Value {
        self.matches.saved("a", &self.path())
    }
}

fn play(players: [&str; 2]) -> Vec<String> {
    let game = Ayo::default();
    let players = players.map(|spec| PlayerPool::new(spec, game).unwrap()).into();
    let openings = Suite::Plies(2).openings(game).unwrap();
    let contest = Contest::new(Form::Match, players, game, openings, "plies:2".into());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    contest::play(&contest, Some(&path), &(), &mut |_, _| ()).unwrap();
    let text = fs::read_to_string(path).unwrap();
    text.split_inclusive('\n').map(str::to_owned).collect()
}

#[test]
fn a_match_is_running_stopped_or_complete() {
    let bench = Bench::new();
    bench.write(bench.lines.concat());
    let ListedMatch { form, state, players, games, of, score, error, .. } = bench.listed();
    assert_eq!((form, state), (Some(Form::Match), "complete"));
    assert_eq!((players, games, of), (vec!["greedy".into(), "random".into()], 72, Some(72)));
    assert!(score.is_some() && error.is_none());
    bench.write(bench.lines[..10].concat() + &bench.lines[10][..17]);
    let ListedMatch { state, games, error, .. } = bench.listed();
    assert_eq!((state, games, error), ("stopped", 9, None));
    let lock = Log::open(&bench.path()).unwrap();
    assert_eq!((bench.listed().state, bench.listed().games), ("running", 9));
    assert!(stop(&bench.path()).unwrap());
    assert!(StopFile::beside(&bench.path()).exists());
    drop(lock);
    assert_eq!(bench.listed().state, "stopped");
    assert!(!stop(&bench.path()).unwrap());
}

#[test]
fn an_incomplete_heading_is_damage_unless_a_process_writes_it() {
    let bench = Bench::new();
    for length in [0, 5, 40] {
        bench.write(&bench.lines[0][..length]);
        let lock = Log::open(&bench.path()).unwrap();
        let ListedMatch { state, error, form, .. } = bench.listed();
        assert_eq!((state, error, form), ("running", None, None));
        drop(lock);
        assert_eq!(bench.listed().state, "damaged");
        assert!(bench.matches.games(&bench.path(), 0, 10).is_err());
        assert_eq!(bench.matches.count(&bench.path()), 0);
    }
}

#[test]
fn any_file_can_be_listed() {
    let bench = Bench::new();
    let (lines, text) = (&bench.lines, bench.lines.concat());
    for bytes in [
        b"# my games\n".to_vec(),
        vec![0xff; 100_000],
        vec![0; 100_000],
        text.replacen("\"version\":2", "\"version\":3", 1).into_bytes(),
        text.replacen("ayo ayo", "ayo chess", 1).into_bytes(),
        format!("{}{}", lines[0], "x".repeat(1 << 20)).into_bytes(),
        [lines[0].as_bytes(), &[0xff, b'\n']].concat(),
        text.replacen("\"game\":3,", "\"game\":4,", 1).into_bytes(),
    ] {
        bench.write(&bytes);
        let ListedMatch { state, error, .. } = bench.listed();
        assert!(state == "damaged" && error.is_some());
        bench.saved();
    }
    fs::remove_file(bench.path()).unwrap();
    assert!(bench.listed().error.is_some());
    fs::create_dir(bench.path()).unwrap();
    assert!(bench.listed().error.is_some());
}

#[test]
fn new_games_are_added_and_a_replaced_file_is_read_from_the_beginning() {
    let bench = Bench::new();
    let (one, other) = (&bench.lines, play(["random:seed=4", "greedy"]));
    let fresh = || SavedMatches::default().saved("a", &bench.path());
    for games in [1, 2, 30, 31, 72] {
        bench.write(one[..=games].concat());
        let counts = (bench.matches.count(&bench.path()), bench.listed().games);
        assert_eq!(counts, (games as u64, games as u64));
    }
    assert_eq!(bench.saved(), fresh());
    bench.write(one[..=3].concat());
    assert_eq!(bench.matches.count(&bench.path()), 3);
    // Overwrite the file with a longer match, without changing the file's inode.
    bench.write(other[..=40].concat());
    let saved = bench.saved();
    assert!(saved["games"] == 40 && saved["players"][1] == "greedy");
    assert_eq!(saved, fresh());
    // Write an invalid line, and then replace it with a valid one.
    bench.write(one[..=5].concat() + "no game\n");
    assert!(bench.listed().error.is_some());
    bench.write(one[..=50].concat());
    assert_eq!((bench.listed().games, bench.listed().error), (50, None));
}

#[test]
fn games_are_read_page_by_page() {
    let bench = Bench::new();
    bench.write(bench.lines.concat());
    let page = |offset, limit| bench.matches.games(&bench.path(), offset, limit).unwrap();
    let number = |game: &Value| game["number"].as_u64().unwrap();
    let numbers = |offset, limit| -> Vec<u64> {
        page(offset, limit)["games"].as_array().unwrap().iter().map(number).collect()
    };
    assert_eq!(numbers(0, 3), [1, 2, 3]);
    assert_eq!(numbers(70, 500), [71, 72]);
    assert!(numbers(72, 5).is_empty() && numbers(usize::MAX, usize::MAX).is_empty());
    assert_eq!(page(0, 1)["total"], 72);
    // Openings are two plies long, so South moves first, and the first player plays South in odd-numbered games.
    assert!(
        page(0, 72)["games"]
            .as_array()
            .unwrap()
            .iter()
            .all(|game| game["south"] == (number(game) + 1) % 2)
    );
}
