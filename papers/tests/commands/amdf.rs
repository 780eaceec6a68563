//! Tests of the training rows for the player `amdf`.

use ayo::player::amdf::Training;
use mancala::game::ayo::Rules;

use crate::support::Scratch;

#[test]
fn rows_are_the_training_rows_of_the_player() {
    let scratch = Scratch::new();
    let said = scratch.text("amdf rows self-play:20 -o rows.csv");
    assert!(said.contains("good and") && said.contains("bad rows in rows.csv"), "{said}");
    let written = scratch.read("rows.csv");
    assert_eq!(scratch.text("amdf rows self-play:20"), written);
    let read = Training::from_csv("rows.csv", written.as_bytes()).unwrap();
    let expected = Training::of_games(20, Rules::default());
    assert_eq!((read.good, read.bad), (expected.good, expected.bad));
    scratch.refused("amdf rows self-play:0", 2, &["\"self-play:0\" is not"]);
    scratch.refused("amdf rows current", 2, &["no rows before a game"]);
    scratch.refused("amdf rows no/such", 1, &["no/such"]);
}
