//! The player's reasons in words, as the payoff button of the thesis' program shows them (figs. 4.4 and 4.5).

use super::reasons::{Candidate, Reasons, Rule, Valued};
use super::settings::Settings;
use mancala::game::Side;

/// The reasons of the side to move.
pub(super) fn lines(
    reasons: &Reasons,
    side: Side,
    settings: &Settings,
    valued: Valued,
) -> Vec<String> {
    let plies = settings.plies;
    // The thesis counts the opponent's captures less one's own. All players here count the other way round.
    let meaning = match valued {
        Valued::BySeeds => "captures, mine less yours: more is better",
        Valued::ByWeights => "by the weights: more is better",
    };
    let best = reasons.moves.iter().map(|it| it.worth).max().unwrap_or(0);
    let mut lines = vec![
        format!("game value {best} {plies} plies ahead ({meaning})"),
        format!("pit  seeds  move gain  game value  {}", settings.metric),
    ];
    let width = settings.metric.to_string().len();
    lines.extend(reasons.moves.iter().map(|it| line(it, side, width)));
    let choice = reasons.choice.letter(side);
    let why = why(&reasons.rule, side, settings);
    lines.push(format!("{choice}: {why}"));
    lines
}

fn line(candidate: &Candidate, side: Side, width: usize) -> String {
    let Candidate { pit, seeds, captured, worth, feasible, similarity } = candidate;
    let pit = pit.letter(side);
    let mark = if *feasible { "  feasible" } else { "" };
    format!("{pit:<3}  {seeds:>5}  {captured:>9}  {worth:>10}  {similarity:>width$.3}{mark}")
}

fn why(rule: &Rule, side: Side, settings: &Settings) -> String {
    match rule {
        Rule::PlayedOut => "a completely determined game, which is played out".into(),
        Rule::Bluff { given } => {
            let threshold = settings.bluffing.map_or(0.0, |it| it.threshold);
            let metric = settings.metric;
            format!("a bluff that gives {given} away for a {metric} of {threshold} or more")
        }
        Rule::Single => "no other move is feasible".into(),
        Rule::Nearest => {
            "near a completely determined game, the feasible move most like one".into()
        }
        Rule::Unprotected => {
            let end = if side == Side::South { "tail" } else { "head" };
            format!("the {end} of the feasible moves, which is not protected")
        }
        Rule::Mobility { moves: 1 } => "no feasible move leaves more than 1 move later".into(),
        Rule::Mobility { moves } => {
            format!("the {moves} moves later that it leaves are the most of the feasible moves")
        }
        Rule::Chance => "one of the feasible moves by chance".into(),
        Rule::Lowest => "the lowest of the feasible moves".into(),
    }
}
