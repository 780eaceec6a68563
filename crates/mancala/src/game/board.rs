//! The board as text.

use super::{Notated, Pit, Side};

/// Draws the board as seen from South, with each store to the right of its player.
///
/// ```text
///             f   e   d   c   b   a
///           +---+---+---+---+---+---+
///           | 4 | 4 | 4 | 4 | 4 | 4 |
///  North  0 +---+---+---+---+---+---+  0 South
///           | 4 | 4 | 4 | 4 | 4 | 4 |
///           +---+---+---+---+---+---+
///             A   B   C   D   E   F
/// ```
pub fn board<G: Notated>(game: &G, position: &G::Position) -> String {
    let [south, mut north] = game.rows(position);
    north.reverse();
    let pits = south.len();
    let cells = |row: Vec<u16>| row.iter().map(|seeds| format!("{seeds:>2} |")).collect::<String>();
    let letters = |side: Side| {
        let letters = (0..pits as u8).filter_map(Pit::new).map(|pit| pit.letter(side));
        let mut letters: Vec<String> = letters.map(|letter| letter.to_string()).collect();
        if side == Side::North {
            letters.reverse();
        }
        letters.join("   ")
    };
    let (margin, rule) = (" ".repeat(10), format!("+{}", "---+".repeat(pits)));
    let stores = Side::BOTH.map(|side| game.store(position, side));
    let middle = format!(" North {:>2} {rule} {:>2} South", stores[1], stores[0]);
    [
        format!("{margin}  {}", letters(Side::North)),
        format!("{margin}{rule}"),
        format!("{margin}|{}", cells(north)),
        middle,
        format!("{margin}|{}", cells(south)),
        format!("{margin}{rule}"),
        format!("{margin}  {}\n", letters(Side::South)),
    ]
    .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ayo::Ayo;

    #[test]
    fn the_board_is_aligned_with_one_and_two_digits() {
        let position = "1-2-3-14-5-6-7-0-0-0-0-1-0-9-S".parse().unwrap();
        let expected = "
            f   e   d   c   b   a
          +---+---+---+---+---+---+
          | 1 | 0 | 0 | 0 | 0 | 7 |
 North  9 +---+---+---+---+---+---+  0 South
          | 1 | 2 | 3 |14 | 5 | 6 |
          +---+---+---+---+---+---+
            A   B   C   D   E   F
";
        assert_eq!(format!("\n{}", board(&Ayo::default(), &position)), expected);
    }
}
