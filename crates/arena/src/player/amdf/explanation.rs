//! The player's reasons in words.

use super::classes::Nearness;
use super::reasons::{Reasons, Rule, Strategy};
use mancala::game::Side;

/// The reasons of the side to move, which looked so many plies ahead and learnt from rows of this origin,
/// so many good and so many bad ones.
pub(super) fn lines(
    reasons: &Reasons,
    side: Side,
    depth: u32,
    rows: Option<(&str, usize, usize)>,
) -> Vec<String> {
    let gains = reasons.gains.iter().map(|(pit, gain)| format!("{} {gain:+}", pit.letter(side)));
    let gains: Vec<String> = gains.collect();
    let mut lines =
        vec![format!("captures {depth} plies ahead, mine less yours: {}", gains.join(", "))];
    lines.push(match rows {
        Some((origin, good, bad)) => format!("classes: {good} good and {bad} bad rows, {origin}"),
        None => "classes: the feasible moves themselves".into(),
    });
    lines.extend(reasons.feasible.iter().map(|strategy| line(strategy, side)));
    let choice = reasons.choice.letter(side);
    lines.push(match reasons.rule {
        Rule::Single => format!("{choice}: no other move captures as much"),
        Rule::Distance => format!("{choice}: the largest D"),
        Rule::EmptyClass => format!("{choice}: a class is empty, so the lowest of equal moves"),
    });
    lines
}

fn line(strategy: &Strategy, side: Side) -> String {
    let Strategy { pit, row, class, nearness } = strategy;
    let row: Vec<String> = row.iter().map(u8::to_string).collect();
    let nearness = nearness.map_or("no distances".into(), |it| {
        let Nearness { good, bad } = it;
        format!("D_g {good:.3}  D_b {bad:.3}  D {:.3}", it.d())
    });
    format!("{} leaves {} ({class})  {nearness}", pit.letter(side), row.join("-"))
}
