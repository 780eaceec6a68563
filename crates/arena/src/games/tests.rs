use super::*;
use crate::Suite;
use mancala::eval::{FeatureSet, Signs, Weights};
use mancala::game::ayo::Ayo;
use mancala::laws::prelude::*;
use mancala::laws::{StopAfter, on_threads as on};
use mancala::search::Options;

const GAMES: [(&str, &str); 4] = [
    ("ayo", "daoud2004"),
    ("ayo", "aalina"),
    ("kalah:pits=4,seeds=3", "kalah"),
    ("kalah", "kansas"),
];

/// Generates batches with up to four players, some of which may be equal. The openings are positions after two plies.
fn batches() -> impl Strategy<Value = Batch> {
    let values = prop::collection::vec(-20i64..=20, 15);
    let players = prop::collection::vec((values, 1u32..=3), 1..=4);
    let schedule = prop::collection::vec((0u32..4, 0u32..4, 0u32..12), 0..40);
    (0..GAMES.len(), players, schedule).prop_map(|(of, players, schedule)| {
        let (game, features) = GAMES[of];
        let (game, features): (AnyGame, FeatureSet) =
            (game.parse().unwrap(), features.parse().unwrap());
        let player = |(values, depth): &(Vec<i64>, u32)| {
            let values = &values[..features.features().len()];
            let weights = Weights::new("it", features.clone(), values, Signs::Literal).unwrap();
            BatchPlayer::to_depth(&weights, *depth, Options::default())
        };
        let openings = openings(game);
        let scheduled = |&(first, second, opening): &(u32, u32, u32)| ScheduledGame {
            first: first % players.len() as u32,
            second: second % players.len() as u32,
            opening: opening % openings.len() as u32,
        };
        let schedule = schedule.iter().map(scheduled).collect();
        Batch::new(game, players.iter().map(player).collect(), openings, schedule).unwrap()
    })
}

fn openings(game: AnyGame) -> Vec<String> {
    with_game!(game, game => Suite::Plies(2).openings(game).unwrap().iter().map(ToString::to_string).collect())
}

fn played(games: &LocalGames, batch: &Batch) -> Vec<Outcome> {
    games.outcomes(batch, &()).unwrap()
}

fn equal_games(one: &[Outcome], other: &[Outcome]) -> bool {
    let game = |it: &Outcome| (it.result, it.line.clone());
    one.iter().map(game).eq(other.iter().map(game))
}

fn nodes(outcomes: &[Outcome]) -> u64 {
    outcomes.iter().map(|it| it.nodes).sum()
}

fn of_weights(names: &[&str], depth: u32) -> Vec<BatchPlayer> {
    let weights = names.iter().map(|name| Weights::named(name).unwrap());
    weights.map(|it| BatchPlayer::to_depth(&it, depth, Options::default())).collect()
}

fn pairs(players: Vec<BatchPlayer>) -> Batch {
    let openings = openings(AnyGame::default());
    let schedule =
        (0..openings.len() as u32).flat_map(|it| ScheduledGame::pair(0, 1, it)).collect();
    Batch::new(AnyGame::default(), players, openings, schedule).unwrap()
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn outcomes_depend_only_on_the_batch(batch in batches()) {
        let single = on(1, || played(&LocalGames::new(), &batch));
        prop_assert_eq!(single.len(), batch.schedule.len());
        prop_assert!(equal_games(&single, &played(&LocalGames::new(), &batch)), "outside of a pool");
        let recalling = LocalGames::with_move_cache();
        for threads in [1, 2, 5] {
            let new = LocalGames::new();
            prop_assert!(equal_games(&single, &on(threads, || played(&new, &batch))), "{}", threads);
            prop_assert!(equal_games(&single, &on(threads, || played(&recalling, &batch))), "recalled");
        }
    }

    #[test]
    fn two_halves_have_the_outcomes_of_the_whole(batch in batches(), games in 0usize..40) {
        let whole = played(&LocalGames::new(), &batch);
        let (one, other) = batch.schedule.split_at(games.min(whole.len()));
        let recalling = LocalGames::with_move_cache();
        let half = |schedule: &[ScheduledGame]| {
            let (players, schedule) = (batch.players.clone(), schedule.to_vec());
            let half = Batch::new(batch.game, players, &batch.openings, schedule);
            played(&recalling, &half.unwrap())
        };
        prop_assert!(equal_games(&whole, &[half(one), half(other)].concat()));
    }
}

#[test]
fn plain_minimax_plays_the_same_games() {
    let names = ["daoud2004-depth5", "aalina4"];
    let spec = |name| {
        let spec = format!("plain-minimax:weights={name},depth=3");
        let identity = PlayerPool::new(&spec, Ayo::default()).unwrap();
        BatchPlayer::Spec { fingerprint: identity.fingerprint(), spec }
    };
    let fast = played(&LocalGames::new(), &pairs(of_weights(&names, 3)));
    let plain = played(&LocalGames::new(), &pairs(names.map(spec).into()));
    assert!(equal_games(&fast, &plain));
    assert!(nodes(&fast) < nodes(&plain));
}

#[test]
fn moves_are_recalled_until_their_player_is_gone() {
    let (games, batch) =
        (LocalGames::with_move_cache(), pairs(of_weights(&["seeds", "aalina4"], 2)));
    let others = pairs(of_weights(&["daoud2004-depth3", "aalina4"], 2));
    let cached = |batch| nodes(&on(1, || played(&games, batch)));
    assert!(cached(&batch) > 0);
    assert_eq!(cached(&batch), 0);
    let all = nodes(&on(1, || played(&LocalGames::with_move_cache(), &others)));
    let new = cached(&others);
    assert!(0 < new && new < all, "one new opponent: {new} of {all}");
    assert!(cached(&batch) > 0 && cached(&batch) == 0);
}

#[test]
fn a_full_cache_changes_nothing() {
    let (game, batch) = (Ayo::default(), pairs(of_weights(&["seeds", "aalina4"], 2)));
    let cached = |(player, moves): (&BatchPlayer, usize)| {
        (player.clone(), pool_of(game, player, Some(moves)).unwrap())
    };
    let players: Players<Ayo> = batch.players.iter().zip([3, 0]).map(cached).collect();
    let last = Mutex::new(Some((batch.game, Box::new(players) as Box<dyn Any + Send>)));
    let found = played(&LocalGames { recalling: true, last }, &batch);
    assert!(equal_games(&found, &played(&LocalGames::new(), &batch)));
}

#[test]
fn a_stop_leaves_the_first_outcomes() {
    let batch = pairs(of_weights(&["seeds", "aalina4"], 2));
    let whole = played(&LocalGames::new(), &batch);
    assert_eq!(LocalGames::new().outcomes(&batch, &StopAfter::reports(0)), None);
    // The other thread may still be playing when the fifth game ends.
    let stop = StopAfter::reports(5);
    let stopped = on(2, || LocalGames::new().play(&batch, &stop)).unwrap();
    assert!(stopped.len() <= 6 && equal_games(&stopped, &whole[..stopped.len()]));
}

#[test]
fn the_result_is_that_of_the_player_that_moves_first() {
    let game = Ayo::default();
    let openings = Side::BOTH.map(|side| game.start(side));
    let schedule = [0, 1].map(|opening| ScheduledGame { first: 0, second: 1, opening }).to_vec();
    let players = of_weights(&["daoud2004-depth5", "seeds"], 4);
    let batch = Batch::new(game.into(), players, openings, schedule).unwrap();
    let [south, north] = played(&LocalGames::new(), &batch).try_into().unwrap();
    // The board is symmetric, so the only difference between the two games is that the sides are swapped.
    assert_eq!(south.result, north.result);
    assert_eq!(south.line.to_lowercase(), north.line.to_lowercase());
    assert_ne!(south.line, north.line);
}

#[test]
fn a_specification_of_another_player_is_refused() {
    let spec = "minimax:weights=seeds,depth=2".to_owned();
    let fingerprint = "0123abcd".to_owned();
    let batch =
        pairs(vec![BatchPlayer::Spec { spec, fingerprint }, of_weights(&["seeds"], 2).remove(0)]);
    let error = LocalGames::new().play(&batch, &());
    let said = error.unwrap_err().to_string();
    assert!(said.starts_with("minimax:weights=seeds,depth=2 has changed"), "{said}");
    assert_eq!(LocalGames::new().outcomes(&batch, &()), None);
}
