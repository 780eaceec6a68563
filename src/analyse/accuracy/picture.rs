//! Picture of an accuracy test: two charts by seeds on the board, with intervals.

use arena::Accuracy as Figures;
use plotters::prelude::DrawingBackend;

use super::{AccuracyTest, PlayerAccuracy};
use crate::plot::{
    Area, Axis, Curves, Drawn, Frame, Header, INNER, Key, LARGEST, MARGIN, Mark, Picture, WIDTH,
    chart, plain, style,
};

const GAP: i32 = 48;
const CHART: i32 = 1000;
/// At each seed count, the points of the players are drawn next to each other. Together they are as wide as this
/// fraction of the distance to the next seed count.
const SPREAD: f64 = 0.4;
const MOST_PLAYERS: usize = 14;

fn check(test: &AccuracyTest) -> Result<(), String> {
    let count = test.players.len();
    if !(1..=MOST_PLAYERS).contains(&count) {
        return Err(format!("cannot draw {count} players; the limit is 1 to {MOST_PLAYERS}"));
    }
    match test.players.iter().find(|player| !is_possible(player)) {
        Some(player) => Err(format!("the values of {} are invalid", plain(&player.player))),
        None => Ok(()),
    }
}

fn is_possible(player: &PlayerAccuracy) -> bool {
    let figures = player.by_seeds.iter().map(|part| &part.figures).chain([&player.whole]);
    !player.by_seeds.is_empty() && figures.into_iter().all(are_possible)
}

fn are_possible(figures: &Figures) -> bool {
    let ordered = |figure: f64, [low, high]: [f64; 2], most: f64| {
        // The figure may lie just outside its interval, because it and the ends of the interval are rounded separately.
        let tolerance = 1e-9;
        low <= figure + tolerance && figure <= high + tolerance && low >= 0.0 && high <= most
    };
    ordered(figures.optimal, figures.optimal_ci95, 1.0)
        && ordered(figures.seeds_lost, figures.seeds_lost_ci95, LARGEST)
}

fn key(player: &PlayerAccuracy) -> String {
    let Figures { optimal, seeds_lost, .. } = player.whole;
    let share = 100.0 * optimal;
    plain(&format!("{}: {share:.1} % optimal, {seeds_lost:.3} seeds lost", player.player))
}

/// A function that returns one of the figures and its interval.
type Shown = fn(&Figures) -> (f64, [f64; 2]);

const CHARTS: [(&str, Shown); 2] = [
    ("best moves, %", |it| (100.0 * it.optimal, it.optimal_ci95.map(|end| 100.0 * end))),
    ("seeds lost per move", |it| (it.seeds_lost, it.seeds_lost_ci95)),
];

pub(crate) struct AccuracyPicture {
    players: Vec<PlayerAccuracy>,
    keys: Vec<String>,
    header: Header,
}

impl AccuracyPicture {
    pub(crate) fn new(test: &AccuracyTest) -> Result<AccuracyPicture, String> {
        check(test)?;
        let AccuracyTest { rules, proven, sample, players, .. } = test;
        let caution = if *proven { "" } else { " · heuristic values" };
        let notes =
            format!("{sample} positions from games · rules {rules}{caution} · 95 % intervals");
        Ok(AccuracyPicture {
            players: players.clone(),
            keys: players.iter().map(key).collect(),
            header: Header::new("Accuracy against perfect play", &[], &[&plain(&notes)], INNER),
        })
    }

    fn legend(&self) -> Vec<Key<'_>> {
        let keys = self.keys.iter().enumerate();
        let mark = Mark::Line(style::THICK);
        keys.map(|(index, text)| Key { mark, colour: style::series(index), text }).collect()
    }

    fn draw_chart<DB: DrawingBackend>(
        &self,
        area: &Area<DB>,
        (title, shown): (&str, Shown),
    ) -> Drawn<DB> {
        let parts = || self.players.iter().flat_map(|player| &player.by_seeds);
        let ends = parts().flat_map(|part| {
            let (figure, [low, high]) = shown(&part.figures);
            [figure, low, high]
        });
        let frame = Frame {
            x: Axis::counts(parts().map(|part| part.seeds.into()), 24),
            y: Axis::values(ends, 6),
            x_title: "seeds on the board",
            y_title: title,
            text: style::LABEL,
        };
        let room = SPREAD / self.players.len() as f64;
        let mut curves = Curves::default();
        for (index, player) in self.players.iter().enumerate() {
            let shift = room * (index as f64 - (self.players.len() - 1) as f64 / 2.0);
            let colour = style::series(index);
            for part in &player.by_seeds {
                let (figure, interval) = shown(&part.figures);
                let x = f64::from(part.seeds) + shift;
                curves.whiskers.push((colour, x, interval));
                curves.dots.push((colour, (x, figure)));
            }
        }
        curves.draw(&mut frame.draw(area)?)
    }
}

impl Picture for AccuracyPicture {
    fn size(&self) -> (u32, u32) {
        let above = self.header.height() + GAP + chart::legend_height(&self.legend(), INNER) + GAP;
        let height = 2 * MARGIN + above + CHARTS.len() as i32 * CHART;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        let mut rest = chart::legend_above(&rest, &self.legend())?.margin(GAP, 0, 0, 0);
        for chart in CHARTS {
            let (area, below) = rest.split_vertically(CHART);
            self.draw_chart(&area, chart)?;
            rest = below;
        }
        Ok(())
    }
}
