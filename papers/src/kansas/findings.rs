//! Compares the games against the random player and the look-ahead table with the report's claims.

use arena::ScheduledGame;
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::Kalah;
use mancala::progress::Progress;
use serde::{Serialize, Serializer};

use super::LOOK_AHEAD;
use super::against_random::{AgainstRandom, Figure, against_random};
use super::games::{Counts, play};
use super::printed::{
    PRINTED_GAMES, PrintedLookAhead, PrintedRandom, counted, printed_look_ahead, printed_random,
    printed_sums,
};
use super::statistics::{Measure, rank_correlation};
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::partial::{PartialResults, StudyError};

/// Two games between players with the same heuristic. Each player moves first in one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LookAhead {
    /// The heuristic used by both sides.
    pub heuristics: Heuristics,
    /// Each side's search depth.
    pub plies: [u32; 2],
    /// Each side's share of wins in the two games.
    pub wins: [f64; 2],
}

/// Plays the games in the look-ahead table (section IV F), in the order of its rows. Returns `None` if interrupted.
/// Progress counts games. Games that are already saved are skipped.
pub fn look_ahead(
    partial: &PartialResults,
    progress: &dyn Progress,
) -> Result<Option<Vec<LookAhead>>, StudyError> {
    let rows = printed_look_ahead();
    let players: Vec<(Heuristics, u32)> =
        rows.iter().flat_map(|row| row.plies.map(|plies| (row.heuristics, plies))).collect();
    let pairings: Vec<[u32; 2]> = (0..rows.len() as u32).map(|it| [2 * it, 2 * it + 1]).collect();
    let games =
        play(Kalah::KANSAS, &players, &ScheduledGame::all(&pairings, 1), partial, progress)?;
    let Some(games) = games else { return Ok(None) };
    let (pairs, _) = games.as_chunks::<2>();
    let row = |(row, pair): (&PrintedLookAhead, &[[Counts; 2]; 2])| {
        let &PrintedLookAhead { heuristics, plies, .. } = row;
        let [[first, second], [other_first, other_second]] = pair;
        let wins = [first.wins + other_second.wins, second.wins + other_first.wins];
        LookAhead { heuristics, plies, wins: wins.map(|wins| wins as f64 / 2.0) }
    };
    Ok(Some(rows.iter().zip(pairs).map(row).collect()))
}

/// How well a figure agrees with the report over all combinations for which it is printed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    #[serde(skip)]
    pub figure: Figure,
    /// The number of combinations with a printed figure.
    pub rows: usize,
    /// Spearman's rank correlation between our figures and the printed ones, or `None` if either is constant.
    #[serde(rename = "rank_correlation")]
    pub correlation: Option<f64>,
    /// The number of combinations whose printed figure lies in our 95 % interval. Printed figures have an error as
    /// well, so with the report's number of games, we can only expect about 83 of 100.
    pub within: usize,
    /// The combinations with a significant difference (95 %). We expect 5 of 100, or fewer if shares are near 0 or 1.
    #[serde(serialize_with = "as_digits")]
    pub beyond: Vec<Heuristics>,
}

fn as_digits<S: Serializer>(rows: &[Heuristics], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(rows.iter().map(Heuristics::to_string))
}

/// Returns the agreement for each printed figure.
pub fn agreement(results: &[AgainstRandom]) -> Vec<Agreement> {
    Figure::ALL.into_iter().filter(|it| it.is_printed()).map(|it| of(it, results)).collect()
}

fn of(figure: Figure, results: &[AgainstRandom]) -> Agreement {
    let rows: Vec<(&AgainstRandom, Measure, f64)> = results
        .iter()
        .zip(printed_random())
        .filter_map(|(ours, printed)| Some((ours, ours.measure(figure), printed.figure(figure)?)))
        .collect();
    let pairs: Vec<(f64, f64)> = rows.iter().map(|row| (row.1.value(), row.2)).collect();
    let lies_within = |(_, ours, printed): &&(_, Measure, f64)| {
        let [low, high] = ours.interval();
        (low..=high).contains(printed)
    };
    let is_beyond = |(row, ours, printed): &(&AgainstRandom, Measure, f64)| {
        let size = f64::from(PRINTED_GAMES) / row.games() as f64;
        (!ours.agrees_with(*printed, size)).then_some(row.heuristics)
    };
    Agreement {
        figure,
        rows: rows.len(),
        correlation: rank_correlation(&pairs),
        within: rows.iter().filter(lies_within).count(),
        beyond: rows.iter().filter_map(is_beyond).collect(),
    }
}

pub fn look_ahead_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let Some(rows) = look_ahead(notebook.partial(), progress)? else { return Ok(None) };
    let printed = printed_look_ahead();
    let same = rows.iter().zip(&printed).filter(|(ours, it)| ours.wins == it.wins).count();
    let level: Vec<_> = rows.iter().filter(|row| row.plies[0] == row.plies[1]).collect();
    let tied = level.iter().filter(|row| row.wins == [0.5, 0.5]).count();
    let of = |wins: [f64; 2]| rows.iter().filter(|row| row.wins == wins).count();
    let whole = [of([1.0, 0.0]), rows.iter().filter(|row| row.wins[1] == 1.0).count()];
    Ok(Some(vec![
        Finding::new(
            "kansas/f-table",
            Verdict::exact_if(same == rows.len()),
            format!("all {same} rows"),
        ),
        Finding::new(
            "kansas/f-ties",
            Verdict::holds_if(tied == level.len()),
            format!("{tied} of {}", level.len()),
        )
        .with_note("look-ahead 3 is the only equal pair in the table"),
        Finding::new(
            "kansas/f-counts",
            Verdict::exact_if(whole == [1, 14]),
            format!("{} and {}", whole[0], whole[1]),
        ),
    ]))
}

/// The number of games per combination against the random player, the search depth, and the seed.
const AGAINST_RANDOM: (u32, u32, u64) = (PRINTED_GAMES, LOOK_AHEAD, 1);

pub fn random_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let (games, plies, seed) = AGAINST_RANDOM;
    let results = against_random(games, plies, seed, notebook.partial(), progress)?;
    let Some(results) = results else { return Ok(None) };
    let found = agreement(&results);
    let of = |figure| found.iter().find(|it| it.figure == figure).expect("it is printed");
    let win = of(Figure::Win);
    let verdict = Verdict::of_several(win.rows, win.beyond.len());
    let like_figure_1 = |claim| Finding::new(claim, verdict, "as in figure 1");
    let mut findings = vec![
        counts("kansas/b-figure-1", &results, win),
        like_figure_1("kansas/b-figure-2").with_note("rounded"),
        like_figure_1("kansas/b-figures-3-5").with_note("`ayo-papers kalah` draws the charts"),
        agrees("kansas/b-figure-6", of(Figure::StonesPerMove)),
        agrees("kansas/b-figure-8", of(Figure::CapturesPerMove)),
        agrees("kansas/b-figure-10", of(Figure::GoAgainsPerMove)),
        sums(&results),
        single(&results),
        not_always(&results),
        first(&results),
        margin(&results),
        best(&results),
        worst(&results),
        least(&results),
    ];
    findings.extend(sentences());
    Ok(Some(findings))
}

fn agrees(claim: &str, it: &Agreement) -> Finding {
    let beyond = it.beyond.len();
    let ours = format!(
        "{} of {} within our 95 % interval, rank correlation {:.3}",
        it.within,
        it.rows,
        it.correlation.unwrap_or(0.0)
    );
    Finding::new(claim, Verdict::of_several(it.rows, beyond), ours).with_note(format!(
        "{beyond} differ significantly at the 95 % level, {:.1} expected",
        0.05 * it.rows as f64
    ))
}

/// For each heuristic, counts the combinations that include it and win nearly every game, and compares the count with
/// the printed one.
fn counts(claim: &str, results: &[AgainstRandom], win: &Agreement) -> Finding {
    let most = 0.99875 - 1e-9;
    let ours = Heuristics::NUMBERS.map(|heuristic| {
        let with = results.iter().filter(|row| row.heuristics.contains(heuristic));
        with.filter(|row| row.measure(Figure::Win).value() >= most).count()
    });
    let printed = counted(most);
    let ours =
        format!("{ours:?} combinations with H1 to H6 win at least 799 of 800; printed {printed:?}");
    Finding::new(claim, Verdict::of_several(win.rows, win.beyond.len()), ours)
}

fn sums(results: &[AgainstRandom]) -> Finding {
    let [captures, again] = [Figure::CapturesPerMove, Figure::GoAgainsPerMove]
        .map(|it| move |row: &AgainstRandom| row.measure(it));
    let printed = printed_sums();
    let mut inside = 0;
    for (row, (_, both)) in results.iter().zip(&printed) {
        let (a, b) = (captures(row), again(row));
        let half = |it: &Measure| (it.interval()[1] - it.interval()[0]) / 2.0;
        // We assume that the two figures are independent.
        let reach = half(&a).hypot(half(&b)) * 2_f64.sqrt();
        inside += usize::from((a.value() + b.value() - both).abs() <= reach);
    }
    let ours = format!("{inside} of {} within the 95 % interval of the difference", printed.len());
    let verdict = Verdict::of_several(printed.len(), printed.len() - inside);
    Finding::new("kansas/b-figure-12", verdict, ours)
        .with_note("all 64 printed sums are those of figures 8 and 10")
}

/// Returns how many combinations have a printed figure that agrees with ours, and how many have a printed figure.
fn agreeing(results: &[AgainstRandom], figure: Figure, of: &[Heuristics]) -> (usize, usize) {
    let rows = results.iter().zip(printed_random()).filter(|(row, _)| of.contains(&row.heuristics));
    let agree = |(row, printed): (&AgainstRandom, PrintedRandom)| {
        let printed = printed.figure(figure)?;
        Some(row.measure(figure).agrees_with(printed, 1.0))
    };
    let agreements: Vec<bool> = rows.filter_map(agree).collect();
    (agreements.iter().filter(|agrees| **agrees).count(), agreements.len())
}

fn named(digits: &str) -> Heuristics {
    digits.parse().expect("six digits")
}

fn single(results: &[AgainstRandom]) -> Finding {
    let rows = ["000001", "000010", "000100", "000111", "111000", "001000", "010000", "100000"];
    let (inside, of) = agreeing(results, Figure::Win, &rows.map(named));
    let ours = format!("{inside} of {of} agree within the error");
    Finding::new("kansas/d-single", Verdict::of_several(of, of - inside), ours)
}

fn not_always(results: &[AgainstRandom]) -> Finding {
    let with = results.iter().filter(|row| row.heuristics.contains(1));
    let not: Vec<String> = with
        .filter(|row| row.measure(Figure::Win).value() < 1.0)
        .map(|it| format!("({})", it.heuristics.names()))
        .collect();
    // Figure 1 counts the combinations with H1 that won every game.
    let counted = 32 - counted(1.0)[0];
    let verdict = match not.len() == LISTED_WITH_H1 {
        true if counted == LISTED_WITH_H1 => Verdict::Exact,
        _ => Verdict::misprint_if(counted != LISTED_WITH_H1),
    };
    Finding::new("kansas/d-h1", verdict, format!("{}: {}", not.len(), not.join(", "))).with_note(format!(
        "figure 1 of section B counts {counted}; its fifth is (H1, H3, H5) or (H1, H3, H4, H5). Which combinations lose a \
         game is random"
    ))
}

/// The number of combinations with H1 in the second table of section D.
const LISTED_WITH_H1: usize = 4;

fn first(results: &[AgainstRandom]) -> Finding {
    let with: Vec<_> = results.iter().filter(|row| row.heuristics.contains(1)).collect();
    let all = with.iter().filter(|row| row.measure(Figure::WinFirst).value() == 1.0).count();
    let other = with.iter().filter(|row| !row.measure(Figure::WinFirst).agrees_with(1.0, 1.0));
    let several = Verdict::of_several(with.len(), other.count());
    let verdict = if all == with.len() { Verdict::Holds } else { several };
    Finding::new("kansas/d-first", verdict, format!("{all} of {} win all 400", with.len()))
}

fn margin(results: &[AgainstRandom]) -> Finding {
    let row = results.iter().find(|row| row.heuristics == named("100000")).expect("one of 64");
    let [stones, by] = [Figure::Stones, Figure::WinMargin].map(|it| row.measure(it));
    let near = |it: &Measure, printed: f64| {
        let [low, high] = it.interval();
        // The printed integer may have been truncated or rounded.
        low - 1.0 <= printed && printed <= high + 0.5
    };
    let fits = [near(&stones, 38.0), near(&by, 29.0)];
    let verdict = Verdict::of_several(2, fits.iter().filter(|fits| !**fits).count());
    Finding::new("kansas/d-margin", verdict, format!("{:.2} and {:.2}", stones.value(), by.value()))
}

fn extremes(claim: &str, results: &[AgainstRandom], rows: [&str; 5]) -> Finding {
    let rows = rows.map(named);
    let (stones, of) = agreeing(results, Figure::Stones, &rows);
    let (wins, of_wins) = agreeing(results, Figure::Win, &rows);
    let ours =
        format!("{stones} of {of} stones and {wins} of {of_wins} wins agree within the error");
    let beyond = of - stones + of_wins - wins;
    Finding::new(claim, Verdict::of_several(of + of_wins, beyond), ours)
}

fn best(results: &[AgainstRandom]) -> Finding {
    extremes("kansas/e-best", results, ["101000", "111000", "111101", "111100", "100000"])
        .with_note("chosen by the same games, which makes them look better")
}

fn worst(results: &[AgainstRandom]) -> Finding {
    let found =
        extremes("kansas/e-worst", results, ["000010", "000111", "000001", "000101", "000110"]);
    // Section E prints the share of (H5) for (H5, H6).
    let [of_h5, of_both] = ["000010", "000011"].map(|row| printed_win(named(row)));
    let verdict = if of_h5 == of_both { found.verdict } else { Verdict::Misprint };
    Finding { verdict, ..found }.with_note(
        "figure 1 of section B shows that the row of (H5, H6) is that of (H5); compared as (H5)",
    )
}

/// Returns the printed share of games that a combination won against the random player.
fn printed_win(heuristics: Heuristics) -> Option<f64> {
    let row = printed_random().into_iter().find(|row| row.heuristics == heuristics);
    row.and_then(|row| row.wins[0])
}

fn has_strong(row: Heuristics) -> bool {
    [1, 2, 3].iter().any(|it| row.contains(*it))
}

fn least(results: &[AgainstRandom]) -> Finding {
    let with = results.iter().filter(|row| has_strong(row.heuristics));
    let share = |row: &&AgainstRandom| row.measure(Figure::Win).value();
    let lowest = with.min_by(|a, b| share(a).total_cmp(&share(b))).expect("56 of 64");
    let printed = printed_random();
    let printed = printed.iter().filter(|row| has_strong(row.heuristics));
    let least = printed.filter_map(|row| row.wins[0]).fold(1.0, f64::min);
    let ours = format!("{:.2} % of ({})", 100.0 * share(&lowest), lowest.heuristics.names());
    let verdict = match share(&lowest) >= 0.97 {
        true => Verdict::Holds,
        false => Verdict::misprint_if(least < 0.97),
    };
    Finding::new("kansas/e-97", verdict, ours).with_note(format!(
        "the lowest share that figure 1 of section B prints for them is {:.3} %",
        100.0 * least
    ))
}

/// Checks three sentences about figures 8 and 12 of section B against the printed figures themselves.
fn sentences() -> [Finding; 3] {
    let mut captures = printed_random();
    captures.sort_by(|a, b| b.per_move[1].total_cmp(&a.per_move[1]));
    let rank = |digits: &str| {
        1 + captures.iter().position(|row| row.heuristics == named(digits)).expect("one of 64")
    };
    let (of, h1, h2) = (captures.len(), rank("100000"), rank("010000"));
    // We allow one more rank, because the sentence says "barely".
    let is_third = h1 <= of / 3 + 1;
    let upper = &captures[..of / 2];
    let needs = [2, 4];
    let lacks = |row: Heuristics| row.contains(3) && !needs.iter().all(|it| row.contains(*it));
    let alone = (1..).zip(upper).filter(|(_, row)| lacks(row.heuristics));
    let alone: Vec<String> = alone.map(|(rank, _): (usize, _)| rank.to_string()).collect();
    let mut sums = printed_sums();
    sums.sort_by(|a, b| b.1.total_cmp(&a.1));
    let best = &sums[..of * 15 / 100];
    let with = best.iter().filter(|(row, _)| {
        let [h1, h2, h3] = [1, 2, 3].map(|it| row.contains(it));
        h3 && (h1 || h2)
    });
    let with = with.count();
    let share = with as f64 / best.len() as f64;
    let verdict = |is_true| if is_true { Verdict::Holds } else { Verdict::Misprint };
    let own = "by the report's own figures";
    [
        Finding::new(
            "kansas/b-h1-third",
            verdict(is_third),
            format!("rank {h1} of {of}, (H2) rank {h2}"),
        )
        .with_note(own),
        Finding::new(
            "kansas/b-h3-half",
            verdict(alone.is_empty()),
            format!("ranks {} have H3 without both", alone.join(", ")),
        )
        .with_note(own),
        Finding::new(
            "kansas/b-h3-top",
            verdict((0.70..0.80).contains(&share)),
            format!("{with} of {}", best.len()),
        )
        .with_note(own),
    ]
}
