//! The measurements of a run, and the rows of `strength.csv`.

use evolution::optimise::{Chromosome, Coding};
use evolution::player::PANEL_SIZE;
use mancala::eval::{Strength, mean_strength};

use crate::run::precision::Precision;
use crate::run::settings::Settings;
use crate::run::yardstick::{Conditions, MeasuredAt, MeasuredOpenings};

/// How strong a generation's champion was found to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The generation that was measured.
    pub generation: u32,
    /// Its champion.
    pub chromosome: Chromosome,
    /// What it scored: against the panel, then against champions of measurements before.
    pub against: Vec<Strength>,
    /// How near it is to perfect play, if the run uses tables.
    pub precision: Option<Precision>,
}

/// What a champion scored against the panel, of all that it was measured against: those come first.
pub fn against_panel(against: &[Strength]) -> &[Strength] {
    &against[..PANEL_SIZE.min(against.len())]
}

impl Measurement {
    /// What it scored against the panel.
    pub fn panel(&self) -> &[Strength] {
        against_panel(&self.against)
    }

    fn is_against(&self, opponents: Vec<String>) -> bool {
        self.against.iter().map(|it| &it.opponent).eq(&opponents)
    }

    /// Whether it was taken from this many openings, or from all if there are fewer.
    fn is_from(&self, openings: u32, all: MeasuredOpenings) -> bool {
        self.against.iter().all(|it| it.games == 2 * u64::from(openings.min(all.all())))
    }

    /// The mean score against the panel, and half the width of its 95 % interval.
    pub fn strength(&self) -> (f64, f64) {
        mean_strength(self.panel()).unwrap_or((0.5, 0.5))
    }
}

/// A champion meets no more of the past than so many.
const MOST_ANCESTORS: usize = 4;

/// From the measurements before one, the numbers of those whose champions are met in it: every one at
/// first, then every second, every fourth. One that is met was met by all that are met and came later, so
/// that they all have met each other. One that is passed over once is not needed again.
pub(crate) fn ancestors(before: usize) -> impl Iterator<Item = usize> {
    let mut stride = 1;
    while before.div_ceil(stride) > MOST_ANCESTORS {
        stride *= 2;
    }
    (0..before).step_by(stride)
}

/// Openings of the short test when a run stops. It takes a fraction of a second at depth 5.
const SHORT_TEST: u32 = 20;

/// Returns the conditions of a short test, which is against the panel alone, and its openings.
pub(crate) fn short_test(settings: &Settings) -> (Conditions, u32) {
    let conditions = Conditions { at: MeasuredAt::Depth, ..settings.conditions() };
    (conditions, SHORT_TEST.min(settings.measure_openings))
}

/// Drops the last measurement if it is a short test, which is not on the schedule.
pub(crate) fn scheduled(
    mut measurements: Vec<Measurement>,
    settings: &Settings,
) -> Vec<Measurement> {
    let Some((last, before)) = measurements.split_last() else { return measurements };
    let met = ancestors(before.len()).map(|index| before[index].generation);
    let is_scheduled = settings.measures(last.generation)
        && last.is_against(settings.conditions().opponents(met))
        && last.is_from(settings.measure_openings, MeasuredOpenings::of(settings.game()));
    if !is_scheduled {
        measurements.pop();
    }
    measurements
}

/// The columns of a `strength.csv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Columns {
    /// Games only.
    Plain,
    /// And how near to perfect play, in a run that uses tables.
    WithPrecision,
}

impl Columns {
    /// The header line.
    pub(crate) fn header(self) -> String {
        let precision = match self {
            Columns::Plain => "",
            Columns::WithPrecision => ",optimal,seeds_lost,tables",
        };
        format!("generation,opponent,games,score,low,high,chromosome{precision}\n")
    }
}

/// The lines of `strength.csv` for one measurement.
pub(crate) fn strength_rows(measurement: &Measurement, columns: Columns) -> String {
    let (generation, chromosome) = (measurement.generation, measurement.chromosome.to_hex());
    let precision = match (columns, &measurement.precision) {
        (Columns::Plain, _) => String::new(),
        (Columns::WithPrecision, None) => ",,,".into(),
        (Columns::WithPrecision, Some(it)) => {
            format!(",{:.4},{:.4},{:08x}", it.optimal, it.seeds_lost, it.tables)
        }
    };
    let row = |it: &Strength| {
        let Strength { opponent, games, score, low, high, .. } = it;
        format!(
            "{generation},\"{opponent}\",{games},{score:.4},{low:.4},{high:.4},{chromosome}{precision}\n"
        )
    };
    measurement.against.iter().map(row).collect()
}

/// The measurements in the text of a `strength.csv` that can be relied on: whole ones from the first
/// on, each with the opponents that were due in a run of these settings. The last one may be a short test.
pub fn read_strength(text: &str, settings: &Settings) -> Vec<Measurement> {
    let game = settings.game();
    let (coding, openings) = (settings.coding(), MeasuredOpenings::of(game));
    let (short, short_openings) = short_test(settings);
    let mut rows = rows(text, &coding, openings).into_iter().peekable();
    let mut measurements: Vec<Measurement> = Vec::new();
    while let Some(first) = rows.peek() {
        let (generation, chromosome) = (first.generation, first.chromosome.clone());
        let precision = first.precision;
        let met = ancestors(measurements.len()).map(|index| measurements[index].generation);
        let due = settings.conditions().opponents(met);
        let of_this = |row: &Row| {
            row.generation == generation
                && row.chromosome == chromosome
                && row.precision == precision
        };
        let mut against = Vec::new();
        while let Some(row) = rows.next_if(of_this) {
            against.push(row.strength);
        }
        let follows = measurements.last().is_none_or(|last| last.generation < generation);
        let measurement = Measurement { generation, chromosome, against, precision };
        let is_due = measurement.is_against(due);
        let is_short = || {
            measurement.is_against(short.opponents([]))
                && measurement.is_from(short_openings, openings)
        };
        if follows && (is_due || is_short()) {
            measurements.push(measurement);
        }
        if !follows || !is_due {
            break;
        }
    }
    measurements
}

struct Row {
    generation: u32,
    chromosome: Chromosome,
    strength: Strength,
    precision: Option<Precision>,
}

/// The rows up to the first that is none. An unterminated last line is one that is being written.
fn rows(text: &str, coding: &Coding, openings: MeasuredOpenings) -> Vec<Row> {
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    let reader = csv::Reader::from_reader(complete.as_bytes());
    reader.into_records().map_while(|record| row(&record.ok()?, coding, openings)).collect()
}

fn row(record: &csv::StringRecord, coding: &Coding, openings: MeasuredOpenings) -> Option<Row> {
    let fields: Vec<&str> = record.iter().collect();
    let &[generation, opponent, games, score, low, high, chromosome, ref precision @ ..] =
        fields.as_slice()
    else {
        return None;
    };
    let precision = match precision {
        [] | ["", "", ""] => None,
        [optimal, seeds_lost, tables] => {
            let (optimal, seeds_lost) = (optimal.parse().ok()?, seeds_lost.parse().ok()?);
            let tables = u32::from_str_radix(tables, 16).ok()?;
            Some(Precision { optimal, seeds_lost, tables })
                .filter(Precision::is_possible)
                .map(Some)?
        }
        _ => return None,
    };
    let games: u64 = games.parse().ok()?;
    let interval = (low.parse().ok()?, high.parse().ok()?);
    let openings = openings.name(games / 2);
    let strength = Strength::new(opponent, openings, games, score.parse().ok()?, interval);
    let generation = generation.parse().ok().filter(|&generation| generation > 0)?;
    let chromosome = coding.read(chromosome).ok()?;
    let is_possible = games > 0 && games.is_multiple_of(2) && strength.is_possible();
    is_possible.then_some(Row { generation, chromosome, strength, precision })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::run::Draft;
    use mancala::game::AnyGame;

    /// Measurements of these generations with these scores against every opponent.
    pub(crate) fn measurements(scores: &[(u32, f64)]) -> Vec<Measurement> {
        let openings = MeasuredOpenings::of(AnyGame::default());
        let of = |(index, &(generation, score)): (usize, &(u32, f64))| {
            let met = ancestors(index).map(|index| scores[index].0);
            let against = settings().conditions().opponents(met).into_iter().map(|opponent| {
                Strength::new(opponent, openings.name(50), 100, score, (score - 0.05, score + 0.05))
            });
            let chromosome = Chromosome::new(vec![generation % 2 == 0; 8]);
            Measurement { generation, chromosome, against: against.collect(), precision: None }
        };
        scores.iter().enumerate().map(of).collect()
    }

    /// Of a run whose chromosomes have eight bits.
    fn settings() -> Settings {
        let mut draft = Draft::preset("daoud2004").unwrap();
        draft.set("features", "a9,a10").unwrap();
        draft.finish().unwrap()
    }

    fn text(measurements: &[Measurement]) -> String {
        text_with(measurements, Columns::Plain)
    }

    fn text_with(measurements: &[Measurement], columns: Columns) -> String {
        let rows = measurements.iter().map(|it| strength_rows(it, columns));
        columns.header() + &rows.collect::<String>()
    }

    #[test]
    fn all_who_are_met_have_met_each_other() {
        for before in 0..200 {
            let met: Vec<usize> = ancestors(before).collect();
            assert!(met.len() <= MOST_ANCESTORS && met.first().is_none_or(|&first| first == 0));
            for (place, &later) in met.iter().enumerate() {
                let its: Vec<usize> = ancestors(later).collect();
                assert!(met[..place].iter().all(|earlier| its.contains(earlier)), "{before}");
            }
            // None that was passed over comes back.
            assert!(ancestors(before + 1).all(|it| it == before || met.contains(&it)));
        }
    }

    #[test]
    fn measurements_read_back() {
        let taken: Vec<_> = (1..=9).map(|n| (5 * n, 0.1 * f64::from(n))).collect();
        let taken = measurements(&taken);
        assert_eq!(read_strength(&text(&taken), &settings()), taken);
        assert_eq!(read_strength(&Columns::Plain.header(), &settings()), []);
        let precision = Precision { optimal: 0.875, seeds_lost: 0.25, tables: 0x0123_4567 };
        let precise = |it: &Measurement| Measurement { precision: Some(precision), ..it.clone() };
        let precise: Vec<_> = taken.iter().map(precise).collect();
        // A branch may begin to go by tables after some measurements.
        for mixed in [precise.clone(), [&taken[..4], &precise[4..]].concat(), taken.clone()] {
            assert_eq!(
                read_strength(&text_with(&mixed, Columns::WithPrecision), &settings()),
                mixed
            );
        }
        assert_eq!(read_strength(&text(&precise), &settings()), taken);
        assert_eq!(read_strength("", &settings()), []);
    }

    #[test]
    fn a_short_test_is_read_and_not_of_the_schedule() {
        let settings = |changes: &[(&str, &str)]| {
            let mut draft = Draft::preset("daoud2004").unwrap();
            let usual =
                [("features", "a9,a10"), ("measure_every", "5"), ("measure_openings", "50")];
            usual.iter().chain(changes).for_each(|(key, value)| draft.set(key, value).unwrap());
            draft.finish().unwrap()
        };
        let all = settings(&[]);
        let taken = measurements(&[(1, 0.4), (5, 0.6)]);
        assert_eq!(scheduled(taken.clone(), &all), taken);
        let short = |generation| {
            let mut it = measurements(&[(generation, 0.7)]).remove(0);
            it.against.iter_mut().for_each(|it| {
                *it =
                    Strength::new(&*it.opponent, "20 of plies:4", 40, it.score, (it.low, it.high));
            });
            it
        };
        // A short test is dropped even if the schedule has a measurement of that generation.
        for generation in [7, 10] {
            let stopped = [&taken[..], &[short(generation)]].concat();
            assert_eq!(read_strength(&text(&stopped), &all), stopped);
            assert_eq!(scheduled(stopped.clone(), &all), taken);
            // Rows after a short test are not read.
            let more = [&stopped[..], &measurements(&[(20, 0.6)])].concat();
            assert_eq!(read_strength(&text(&more), &all), stopped);
        }
        // With few openings the first measurement is the same as a short test.
        let few = settings(&[("measure_openings", "20")]);
        assert_eq!(scheduled(vec![short(1)], &few), [short(1)]);
        assert_eq!(scheduled(vec![short(2)], &few), []);
    }

    #[test]
    fn only_whole_measurements_before_any_damage_are_good() {
        let taken = measurements(&[(1, 0.5), (5, 0.6), (10, 0.7)]);
        let whole = text(&taken);
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let good = |text: &str| read_strength(text, &settings()).len();
        assert_eq!(lines.len(), 1 + 4 + 5 + 6);
        // Every truncation leaves the measurements that are whole.
        for length in 0..whole.len() {
            let lines = whole[..length].matches('\n').count();
            let expected = usize::from(lines >= 5) + usize::from(lines >= 10);
            assert_eq!(good(&whole[..length]), expected, "{length}");
        }
        // A line less, twice, or of something else ends what is good.
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
