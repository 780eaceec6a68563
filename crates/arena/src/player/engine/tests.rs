use super::*;
use crate::player::{build, build_for};
use mancala::endgame::{self, BuildPlan};
use mancala::game::Game;
use mancala::game::ayo::{Ayo, Rules};
use mancala::game::kalah::Kalah;

fn game<G: PlayableGame>(player: &mut dyn Player<G>, game: G) -> Vec<Choice> {
    player.new_game();
    play(player, Record::new(game, Side::South))
}

fn play<G: PlayableGame>(player: &mut dyn Player<G>, mut record: Record<G>) -> Vec<Choice> {
    let mut choices = Vec::new();
    while record.ending().is_none() && choices.len() < 30 {
        let choice = player.choose(&record, &()).unwrap();
        let line = player.variation(&record, &choice);
        assert_eq!(line[0], (record.to_move(), choice.pit));
        record.play(choice.pit).unwrap();
        choices.push(choice);
    }
    choices
}

#[test]
fn games_can_be_repeated() {
    let spec = "engine:weights=seeds,nodes=5000,hash=1,tables=likely";
    let mut player = build(spec).unwrap();
    let first = game(&mut *player, Ayo::default());
    assert_eq!(game(&mut *player, Ayo::default()), first);
    assert_eq!(game(&mut *build(spec).unwrap(), Ayo::default()), first);
    assert!(first.iter().all(|choice| choice.nodes < 5300), "{first:?}");
    let mut kalah = build_for("engine:nodes=5000,hash=1", Kalah::default()).unwrap();
    let first = game(&mut *kalah, Kalah::default());
    assert_eq!(game(&mut *kalah, Kalah::default()), first);
}

/// A position with 26 seeds, from which games soon reach positions in the tables.
const FEW: &str = "2-3-2-0-4-2-1-3-0-5-2-2-11-11-S";

fn engine(tables: Option<&DefaultTables>, limits: Limits) -> Engine<Ayo> {
    let weights = Weights::named("seeds").unwrap();
    let (options, table) = (Options::for_weights(&weights), Table::try_with_mebibytes(1).unwrap());
    let mut engine = Engine { hash: 1, ..Engine::new(&weights, options, limits, table) };
    engine.evaluator.provided = tables.cloned();
    engine
}

fn ending(tables: Option<&DefaultTables>, limits: &Limits) -> Vec<Choice> {
    let record = Record::from_position(Ayo::default(), FEW.parse().unwrap());
    play(&mut engine(tables, *limits), record)
}

fn unbuilt() -> DefaultTables {
    DefaultTables::built(Rules::AYO, false).unwrap()
}

#[test]
fn a_game_does_not_depend_on_when_tables_are_ready() {
    let nodes = Limits { nodes: Some(3000), ..Limits::default() };
    let provided = unbuilt();
    let cold = ending(Some(&provided), &nodes);
    assert_eq!(ending(Some(&provided), &nodes), cold);
    let filed = DefaultTables::open(Arc::clone(provided.ready().unwrap()));
    assert_eq!(ending(Some(&filed), &nodes), cold);
    assert_ne!(ending(None, &nodes), cold);
}

#[test]
fn a_player_with_a_time_limit_does_not_wait_for_tables() {
    let provided = unbuilt();
    provided.never();
    let limits = Limits { movetime: Some(Duration::from_millis(1)), ..Limits::default() };
    assert!(!ending(Some(&provided), &limits).is_empty());
    let record = Record::from_position(Ayo::default(), FEW.parse().unwrap());
    let mut player = full_width(&provided, Limits::depth(5));
    let choice = player.analyse(&record, &limits, &(), &mut |_| {}).unwrap();
    assert!(!player.variation(&record, &choice).is_empty());
}

fn full_width(provided: &DefaultTables, limits: Limits) -> Engine<Ayo> {
    Engine { selectivity: Selectivity::NONE, ..engine(Some(provided), limits) }
}

#[test]
fn values_without_tables_are_not_mixed_with_theirs() {
    let provided = unbuilt();
    let start = Record::from_position(Ayo::default(), FEW.parse().unwrap());
    let after = |record: &Record<Ayo>| -> Vec<Record<Ayo>> {
        let child = |pit| {
            let mut record = record.clone();
            record.play(pit).unwrap();
            record
        };
        record.game().moves(record.position()).map(child).collect()
    };
    let score =
        |player: &mut Engine<Ayo>, record: &_| player.choose(record, &()).unwrap().score.unwrap();
    for record in after(&start).iter().flat_map(after) {
        let mut player = full_width(&provided, Limits::depth(9));
        score(&mut player, &start);
        player.limits = Limits::depth(7);
        let fresh = score(&mut full_width(&provided, Limits::depth(7)), &record);
        assert_eq!(score(&mut player, &record), fresh, "{}", record.position());
    }
}

#[test]
fn results_decided_by_bounds_are_proven() {
    let record =
        Record::from_position(Ayo::default(), "0-0-0-0-1-2-1-1-0-0-0-0-21-22-S".parse().unwrap());
    let plan = BuildPlan::in_memory(Rules::AYO, 7).unwrap();
    for (has_bounds, expected) in [(true, "proven loss by 6"), (false, "likely loss by 6")] {
        let mut tables = endgame::build(&plan, &(), |_| ()).unwrap().unwrap();
        if has_bounds {
            tables.compute_bounds().unwrap();
        }
        let mut player = full_width(&DefaultTables::open(Arc::new(tables)), Limits::depth(3));
        assert_eq!(player.choose(&record, &()).unwrap().score.unwrap().to_string(), expected);
    }
}

#[test]
fn different_searches_have_different_identities() {
    let identity = |settings: &str| build(&format!("engine:hash=1{settings}")).unwrap().identity();
    let settings = ",book=builtin ,selective=off ,probcut_depth=40 ,probcut_margin=76 ,nodes=5";
    let tables = ["", ",tables=off", ",tables=likely"];
    let all: Vec<String> = tables.into_iter().chain(settings.split(' ')).map(identity).collect();
    assert_eq!(all.iter().collect::<std::collections::HashSet<_>>().len(), all.len(), "{all:?}");
    assert!(all[0].ends_with(" tables ayo 12 bounds") && !all[1].contains("tables"), "{all:?}");
    assert!(all[2].ends_with(" tables ayo 12"), "{all:?}");
    let awari = build_for("engine:hash=1", Ayo { rules: Rules::AWARI }).unwrap().identity();
    assert!(awari.ends_with(" tables awari 12"), "{awari}");
}

#[test]
fn time_limits_and_threads_are_not_reproducible() {
    for (limit, expected) in [("depth=3", true), ("movetime=3ms", false), ("threads=2", false)] {
        let player = build(&format!("engine:nodes=3000,{limit},hash=1")).unwrap();
        assert!(player.is_reproducible() == expected && !player.is_recallable(), "{limit}");
    }
}

#[test]
fn payoffs_are_those_of_minimax() {
    let game = Ayo::default();
    let record = Record::new(game, Side::South);
    let mut player = build("engine:weights=seeds,depth=4,hash=1").unwrap();
    let mut plain = build("minimax:weights=seeds,depth=4").unwrap();
    assert_eq!(player.payoffs(&record, &()), plain.payoffs(&record, &()));
    let with = |book| build(&format!("engine:nodes=2000,hash=1,book={book}")).unwrap();
    let [found, expected] = ["builtin", "off"].map(|book| with(book).payoffs(&record, &()));
    assert!(found == expected && found.len() == 6, "{found:?} {expected:?}");
}
