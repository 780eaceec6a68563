//! Strength measurements, and the rows of `strength.csv`.

use arena::Pentanomial;
use mancala::eval::{GateTest, Strength, Weights, mean_strength};

use super::{
    MeasuredAt, Panel, Settings, TableAccuracy, against_panel, champion, gate, measured_openings,
    openings_name, past_champion,
};
use crate::optimise::{Champion, Chromosome, Coding};

/// A strength measurement of the champion of a generation.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    pub generation: u32,
    pub chromosome: Chromosome,
    /// The scores against the reference opponents, followed by the scores against champions that were measured earlier.
    pub against: Vec<Strength>,
    /// The accuracy according to endgame tables, if the run measures it.
    pub accuracy: Option<TableAccuracy>,
    /// The gating matches against the previous champion, or `None` if there is no previous champion or no gate.
    pub gate: Option<Vec<GateTest>>,
    pub is_champion: bool,
}

impl Measurement {
    pub fn panel(&self) -> &[Strength] {
        against_panel(&self.against)
    }

    /// Returns the weights, along with their provenance and the results of their gating match.
    pub fn weights(&self, settings: &Settings) -> Weights {
        let past = Champion::past(self.generation, self.chromosome.clone());
        let mut weights = champion(settings, &past);
        weights.gates = self.gate.clone().unwrap_or_default();
        weights
    }

    fn is_against(&self, opponents: Vec<String>) -> bool {
        self.against.iter().map(|it| &it.opponent).eq(&opponents)
    }

    /// Returns whether the measurement used exactly this many openings, or all openings if there are fewer of them.
    fn is_from(&self, openings: u32, all: u32) -> bool {
        self.against.iter().all(|it| it.games == 2 * u64::from(openings.min(all)))
    }

    /// Returns how many rows the measurement has in `strength.csv`.
    pub fn rows(&self) -> usize {
        self.against.len() + self.gate.as_ref().map_or(0, Vec::len)
    }

    /// Returns the mean score against the panel and the margin of its 95 % confidence interval.
    pub fn strength(&self) -> (f64, f64) {
        mean_strength(self.panel()).unwrap_or((0.5, 0.5))
    }
}

const MAX_PAST_OPPONENTS: usize = 4;

/// Returns the indices of past measurements whose champions are opponents in the next. They've all played each other.
pub fn past_opponents(before: usize) -> impl Iterator<Item = usize> {
    let mut stride = 1;
    while before.div_ceil(stride) > MAX_PAST_OPPONENTS {
        stride *= 2;
    }
    (0..before).step_by(stride)
}

/// The number of openings in the short test when a run stops. At depth 5, the test takes a fraction of a second.
const SHORT_TEST_OPENINGS: u32 = 20;

pub fn short_test(settings: &Settings) -> Settings {
    let measure_openings = SHORT_TEST_OPENINGS.min(settings.measure_openings);
    Settings { measure_at: MeasuredAt::Depth, measure_openings, ..settings.clone() }
}

/// Parses the contents of `strength.csv`, and returns the scheduled measurements up to a generation.
pub fn scheduled_until(generation: u32, text: &str, settings: &Settings) -> Vec<Measurement> {
    let (mut scheduled, _) = scheduled_and_short(text, settings);
    scheduled.retain(|measurement| measurement.generation <= generation);
    scheduled
}

/// The optional columns of a `strength.csv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// Whether there are columns for the accuracy according to endgame tables, as in a run that uses tables.
    pub accuracy: bool,
    /// Whether there is a column for the pair counts of gating matches, as in a run that has them.
    pub pairs: bool,
}

impl Columns {
    pub fn header(self) -> String {
        let accuracy = if self.accuracy { ",optimal,seeds_lost,tables" } else { "" };
        let pairs = if self.pairs { ",pairs" } else { "" };
        format!("generation,opponent,games,score,low,high,chromosome{pairs}{accuracy}\n")
    }
}

/// Formats a measurement as lines of `strength.csv`, with one line for each opponent and then one for each gate test.
pub fn strength_rows(measurement: &Measurement, columns: Columns) -> String {
    let (generation, chromosome) = (measurement.generation, measurement.chromosome.to_hex());
    let accuracy = match &measurement.accuracy {
        _ if !columns.accuracy => String::new(),
        None => ",,,".into(),
        Some(it) => format!(",{:.4},{:.4},{:08x}", it.optimal, it.seeds_lost, it.tables),
    };
    let row = |it: &Strength, pairs: &str| {
        let Strength { opponent, games, score, low, high, .. } = it;
        let pairs = if columns.pairs { format!(",{pairs}") } else { String::new() };
        format!(
            "{generation},\"{opponent}\",{games},{score:.4},{low:.4},{high:.4},{chromosome}{pairs}{accuracy}\n"
        )
    };
    let of_test = |test: &GateTest| {
        let pairs = Pentanomial::of_counts(test.pairs);
        let estimate = pairs.estimate();
        let opponent = test_name(test.against, &test.limits);
        let (games, interval) = (2 * pairs.pairs(), estimate.score_ci95);
        let counts = test.pairs.map(|count| count.to_string()).join("/");
        row(&Strength::new(opponent, "", games, estimate.score, interval), &counts)
    };
    let opponents = measurement.against.iter().map(|it| row(it, ""));
    opponents.chain(measurement.gate.iter().flatten().map(of_test)).collect()
}

fn test_name(generation: u32, limits: &str) -> String {
    format!("{} at {limits}", past_champion(generation))
}

/// Reads the valid measurements at the start of a `strength.csv`. The last one may be a short test.
pub fn read_strength(text: &str, settings: &Settings) -> Vec<Measurement> {
    let (mut measurements, short) = scheduled_and_short(text, settings);
    measurements.extend(short);
    measurements
}

/// Reads the scheduled measurements up to the first invalid one, and the short test after them, if there is one.
fn scheduled_and_short(text: &str, settings: &Settings) -> (Vec<Measurement>, Option<Measurement>) {
    let (coding, openings) = (settings.coding(), measured_openings(settings.game()));
    let short = short_test(settings);
    let rows = rows(text, &coding, openings);
    let mut scheduled: Vec<Measurement> = Vec::new();
    for group in rows.chunk_by(|one, other| one.measured == other.measured) {
        let (generation, ref chromosome, accuracy) = group[0].measured;
        let tests = group.iter().position(|row| row.pairs.is_some()).unwrap_or(group.len());
        let (against, tests) = group.split_at(tests);
        let before = scheduled.iter().rfind(|it| it.is_champion);
        let gate = gate_of(tests, chromosome, before, settings);
        let follows = scheduled.last().is_none_or(|last| last.generation < generation);
        let Some((gate, is_champion, is_whole)) = gate.filter(|_| follows) else { break };
        let (against, chromosome) =
            (against.iter().map(|row| row.strength.clone()).collect(), chromosome.clone());
        let measurement =
            Measurement { generation, chromosome, against, accuracy, gate, is_champion };
        let past = past_opponents(scheduled.len()).map(|index| scheduled[index].generation);
        let is_scheduled = is_whole
            && settings.measures(generation)
            && measurement.is_against(settings.measured_opponents(past))
            && measurement.is_from(settings.measure_openings, openings);
        if !is_scheduled {
            let is_short = (is_whole || tests.is_empty())
                && measurement.is_against(short.measured_opponents([]))
                && measurement.is_from(short.measure_openings, openings);
            return (scheduled, is_short.then_some(measurement));
        }
        scheduled.push(measurement);
    }
    (scheduled, None)
}

/// Returns the champions in a `strength.csv`. Rows with unreadable champions are skipped.
pub fn measured_champions(text: &str, settings: &Settings) -> Vec<Champion> {
    let coding = settings.coding();
    let champion = |record: csv::StringRecord| {
        let chromosome = coding.read(record.get(6)?).ok()?;
        Some(Champion::past(record.get(0)?.parse().ok()?, chromosome))
    };
    let records = csv::Reader::from_reader(text.as_bytes()).into_records();
    records.filter_map(|record| champion(record.ok()?)).collect()
}

/// Reads the gate tests against `before`, the previous champion. Also returns whether the gate was passed, and whether
/// it was finished. Returns `None` if the rows do not contain the tests of this gate.
fn gate_of(
    tests: &[Row],
    chromosome: &Chromosome,
    before: Option<&Measurement>,
    settings: &Settings,
) -> Option<(Option<Vec<GateTest>>, bool, bool)> {
    let Some(champion) = before.filter(|_| settings.panel == Panel::Second) else {
        return tests.is_empty().then_some((None, true, true));
    };
    let limits = settings.gate_limits();
    let test = |(number, row): (usize, &Row)| {
        let limits = *limits.get(number)?;
        let name = test_name(champion.generation, &limits.to_string());
        let pairs = row.pairs.filter(|_| row.strength.opponent == name)?;
        Some(gate::judged(number, champion.generation, limits, pairs))
    };
    let tests: Vec<GateTest> = tests.iter().enumerate().map(test).collect::<Option<_>>()?;
    let is_passed = gate::is_passed(&tests, settings);
    let weights = |it: &Chromosome| settings.coding().weights(it);
    let is_whole = match tests.len().checked_sub(1) {
        None => gate::are_alike(&weights(chromosome), &weights(&champion.chromosome)),
        Some(last) => is_passed || gate::first_failed(&tests) == Some(last),
    };
    Some((Some(tests), is_passed, is_whole))
}

struct Row {
    /// The measured generation, its champion and the accuracy of this champion.
    measured: (u32, Chromosome, Option<TableAccuracy>),
    strength: Strength,
    pairs: Option<Pentanomial>,
}

/// Reads the rows before the first invalid row. A row without a newline may be incomplete and is ignored.
fn rows(text: &str, coding: &Coding, openings: u32) -> Vec<Row> {
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    let reader = csv::Reader::from_reader(complete.as_bytes());
    reader.into_records().map_while(|record| row(&record.ok()?, coding, openings)).collect()
}

fn row(record: &csv::StringRecord, coding: &Coding, openings: u32) -> Option<Row> {
    let fields: Vec<&str> = record.iter().collect();
    let (&[generation, opponent, games, score, low, high, chromosome], more) =
        fields.split_first_chunk()?;
    let (pairs, accuracy) = match more {
        [] | [_, _, _] => ("", more),
        [pairs, accuracy @ ..] => (*pairs, accuracy),
    };
    let accuracy = match *accuracy {
        [] | ["", "", ""] => None,
        [optimal, seeds_lost, tables] => {
            let optimal = optimal.parse().ok().filter(|it| (0.0..=1.0).contains(it))?;
            let seeds_lost = seeds_lost.parse().ok().filter(|it| (0.0..=96.0).contains(it))?;
            let tables = u32::from_str_radix(tables, 16).ok()?;
            Some(TableAccuracy { optimal, seeds_lost, tables })
        }
        _ => return None,
    };
    let games: u64 = games.parse().ok()?;
    let pairs = match pairs {
        "" => None,
        text => Some(counts(text).filter(|pairs| pairs.pairs().checked_mul(2) == Some(games))?),
    };
    let interval = (low.parse().ok()?, high.parse().ok()?);
    let openings = openings_name(games / 2, openings);
    let strength = Strength::new(opponent, openings, games, score.parse().ok()?, interval);
    let generation = generation.parse().ok().filter(|&generation| generation > 0)?;
    let measured = (generation, coding.read(chromosome).ok()?, accuracy);
    let is_possible = games > 0 && games.is_multiple_of(2) && strength.is_possible();
    is_possible.then_some(Row { measured, strength, pairs })
}

/// Parses the pair counts of a test, as in `3/10/40/20/6`.
fn counts(text: &str) -> Option<Pentanomial> {
    let counts: Vec<u64> = text.split('/').map(|it| it.parse().ok()).collect::<Option<_>>()?;
    counts.iter().try_fold(0u64, |sum, &it| sum.checked_add(it))?;
    counts.try_into().ok().map(Pentanomial::of_counts)
}

#[cfg(test)]
pub(super) mod tests {
    use mancala::game::AnyGame;
    use mancala::search::Limits;

    use super::*;
    use crate::testing::changed;

    pub fn measurements(scores: &[(u32, f64)]) -> Vec<Measurement> {
        let openings = measured_openings(AnyGame::default());
        let of = |(index, &(generation, score)): (usize, &(u32, f64))| {
            let past = past_opponents(index).map(|index| scores[index].0);
            let against = settings().measured_opponents(past).into_iter().map(|opponent| {
                Strength::new(
                    opponent,
                    openings_name(50, openings),
                    100,
                    score,
                    (score - 0.05, score + 0.05),
                )
            });
            let chromosome = Chromosome::new(vec![generation % 2 == 0; 8]);
            let (against, accuracy) = (against.collect(), None);
            let (gate, is_champion) = (None, true);
            Measurement { generation, chromosome, against, accuracy, gate, is_champion }
        };
        scores.iter().enumerate().map(of).collect()
    }

    fn settings_with(changes: &str) -> Settings {
        changed("daoud2004", &format!("features=a9,a10 measure_openings=50 {changes}"))
    }

    fn settings() -> Settings {
        settings_with("panel=1 measure_every=1")
    }

    fn text(measurements: &[Measurement]) -> String {
        text_with(measurements, Columns { accuracy: false, pairs: false })
    }

    fn text_with(measurements: &[Measurement], columns: Columns) -> String {
        let rows = measurements.iter().map(|it| strength_rows(it, columns));
        columns.header() + &rows.collect::<String>()
    }

    #[test]
    fn past_opponents_have_played_each_other() {
        for before in 0..200 {
            let met: Vec<usize> = past_opponents(before).collect();
            assert!(met.len() <= 4 && met.first().is_none_or(|&first| first == 0));
            for (place, &later) in met.iter().enumerate() {
                let its: Vec<usize> = past_opponents(later).collect();
                assert!(met[..place].iter().all(|earlier| its.contains(earlier)), "{before}");
            }
            // A champion that was skipped is never selected again.
            assert!(past_opponents(before + 1).all(|it| it == before || met.contains(&it)));
        }
    }

    #[test]
    fn measurements_read_back() {
        let taken: Vec<_> = (1..=9).map(|n| (5 * n, 0.1 * f64::from(n))).collect();
        let taken = measurements(&taken);
        assert_eq!(read_strength(&text(&taken), &settings()), taken);
        assert_eq!(read_strength(&text(&[]), &settings()), []);
        let accuracy = TableAccuracy { optimal: 0.875, seeds_lost: 0.25, tables: 0x0123_4567 };
        let precise = |it: &Measurement| Measurement { accuracy: Some(accuracy), ..it.clone() };
        let precise: Vec<_> = taken.iter().map(precise).collect();
        // A branch may start to use tables after some measurements.
        for mixed in [precise.clone(), [&taken[..4], &precise[4..]].concat(), taken.clone()] {
            let text = text_with(&mixed, Columns { accuracy: true, pairs: false });
            assert_eq!(read_strength(&text, &settings()), mixed);
        }
        assert_eq!(read_strength(&text(&precise), &settings()), taken);
        assert_eq!(read_strength("", &settings()), []);
    }

    /// Returns the measurements of a run with gates. The second one fails its second test, and the last one passes.
    fn gated(accuracy: Option<TableAccuracy>) -> (Settings, Vec<Measurement>) {
        let settings = settings_with("measure_every=1");
        let tests = |results: &[[u64; 5]]| -> Vec<GateTest> {
            let limits = settings.gate_limits().into_iter();
            let test = |(number, (limits, &pairs)): (usize, (Limits, _))| {
                gate::judged(number, 1, limits, Pentanomial::of_counts(pairs))
            };
            limits.zip(results).enumerate().map(test).collect()
        };
        let (won, even, lost) = ([0, 0, 9, 20, 70], [9, 9, 9, 9, 9], [70, 20, 9, 0, 0]);
        let gates = [
            (None, true),
            (Some(tests(&[won, lost])), false),
            (Some(tests(&[even])), false),
            (Some(Vec::new()), false),
            (Some(tests(&[won, even, won])), true),
        ];
        let measurement = |(index, (gate, is_champion)): (usize, (_, bool))| {
            let past = past_opponents(index).map(|index| index as u32 + 1);
            let score = |name| Strength::new(name, "50 of plies:4", 100, 0.5, (0.4, 0.6));
            let against = settings.measured_opponents(past).into_iter().map(score).collect();
            // The fourth candidate has the same weights as the previous champion.
            let first_bit = index % 3 == 0;
            let bits = (0..8).map(|bit| first_bit && bit == 0 || bit > 7 - index % 3).collect();
            let (generation, chromosome) = (index as u32 + 1, Chromosome::new(bits));
            Measurement { generation, chromosome, against, accuracy, gate, is_champion }
        };
        let measurements = gates.into_iter().enumerate().map(measurement).collect();
        (settings, measurements)
    }

    #[test]
    fn gates_read_back_up_to_an_unfinished_one() {
        let accuracy = TableAccuracy { optimal: 0.5, seeds_lost: 0.25, tables: 7 };
        let (settings, taken) = gated(Some(accuracy));
        let text = text_with(&taken, Columns { accuracy: true, pairs: true });
        assert_eq!(read_strength(&text, &settings), taken);
        let (settings, taken) = gated(None);
        let whole = text_with(&taken, Columns { accuracy: false, pairs: true });
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let mut ends = vec![1];
        for it in &taken {
            ends.push(ends.last().unwrap() + it.rows());
        }
        assert_eq!(*ends.last().unwrap(), lines.len());
        for count in 1..=lines.len() {
            let good = read_strength(&lines[..count].concat(), &settings).len();
            assert_eq!(good, ends.iter().filter(|&&end| end <= count).count() - 1, "{count}");
        }
        // First change the result of a test, then the name of the champion that it was played against.
        for (is, other) in
            [("70/20/9/0/0", "0/0/9/20/70"), ("generation 1 at depth 6", "generation 2 at depth 6")]
        {
            let damaged = whole.replacen(is, other, 1);
            assert_ne!(damaged, whole);
            assert_eq!(read_strength(&damaged, &settings).len(), 1, "{other}");
        }
    }

    #[test]
    fn a_short_test_is_read_and_not_scheduled() {
        let all = settings_with("panel=1 measure_every=5");
        let taken = measurements(&[(1, 0.4), (5, 0.6)]);
        let scheduled = |all: &[Measurement], settings| scheduled_until(99, &text(all), settings);
        assert_eq!(scheduled(&taken, &all), taken);
        let short = |generation| {
            let mut it = measurements(&[(generation, 0.7)]).remove(0);
            for it in &mut it.against {
                (it.openings, it.games) = ("20 of plies:4".into(), 40);
            }
            it
        };
        // A short test is dropped even if a measurement of that generation is scheduled.
        for generation in [7, 10] {
            let stopped = [&taken[..], &[short(generation)]].concat();
            assert_eq!(read_strength(&text(&stopped), &all), stopped);
            assert_eq!(scheduled(&stopped, &all), taken);
            // Rows after a short test are ignored.
            let more = [&stopped[..], &measurements(&[(20, 0.6)])].concat();
            assert_eq!(read_strength(&text(&more), &all), stopped);
        }
        // With 20 openings, a short test of generation 1 is identical to the scheduled measurement of that generation.
        let few = settings_with("panel=1 measure_every=5 measure_openings=20");
        assert_eq!(scheduled(&[short(1)], &few), [short(1)]);
        assert_eq!(scheduled(&[short(2)], &few), []);
    }

    #[test]
    fn only_complete_measurements_before_any_damage_are_good() {
        let taken = measurements(&[(1, 0.5), (5, 0.6), (10, 0.7)]);
        let whole = text(&taken);
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let good = |text: &str| read_strength(text, &settings()).len();
        assert_eq!(lines.len(), 1 + 4 + 5 + 6);
        // If the text is truncated, then any complete measurements can still be read.
        for length in 0..whole.len() {
            let lines = whole[..length].matches('\n').count();
            let expected = usize::from(lines >= 5) + usize::from(lines >= 10);
            assert_eq!(good(&whole[..length]), expected, "{length}");
        }
        // If a line is missing, repeated or invalid, then its measurement and all later measurements are ignored.
        for line in 1..lines.len() {
            let before = [5, 10, 16].iter().filter(|end| line >= **end).count();
            for other in ["", "what\n", &lines[line].repeat(2), &lines[line].replace("0.", "7.")] {
                let mut damaged = lines.clone();
                damaged[line] = other;
                assert_eq!(good(&damaged.concat()), before, "{line} {other}");
            }
        }
    }
}
