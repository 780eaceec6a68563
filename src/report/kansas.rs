//! The Kansas study beside the report: a dot a combination, our figure over the printed one.

use std::fs;
use std::path::Path;

use evolution::arena::QUANTILE_975;
use mancala::store::FileError;
use plotters::element::{Circle, PathElement};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use super::axis::Axis;
use super::chart::{Area, Drawn, Frame};
use super::error::Error;
use super::header::Header;
use super::output::Picture;
use super::sheet::{INNER, MARGIN, WIDTH};
use super::style;

const GAP: i32 = 48;
const PANEL: i32 = 1300;
const DOT: i32 = 9;
const MOST_ROWS: usize = 64;

/// A combination.
struct Dot {
    printed: f64,
    ours: f64,
    /// Our 95 % interval.
    interval: [f64; 2],
}

/// The study, laid out.
pub(super) struct Kansas {
    header: Header,
    panels: Vec<Panel>,
}

struct Panel {
    title: &'static str,
    dots: Vec<Dot>,
}

/// How sure a column is.
#[derive(Clone, Copy)]
enum Certainty {
    /// It is deterministic.
    Certain,
    /// The 95 % interval is in `_low` and `_high`.
    Interval,
    /// The standard error is in `_error`.
    Error,
}

/// Panels in two columns: the title, the file and the column that is set beside its `printed_` one.
const PANELS: [(&str, &str, &str, Certainty); 6] = [
    ("round robin: share of games won", "round-robin.csv", "win", Certainty::Certain),
    ("against random: share of games won", "random.csv", "win", Certainty::Interval),
    ("against random: stones a game", "random.csv", "stones", Certainty::Error),
    ("against random: stones a move", "random.csv", "stones_per_move", Certainty::Error),
    ("against random: captures a move", "random.csv", "captures_per_move", Certainty::Error),
    ("against random: go-agains a move", "random.csv", "go_agains_per_move", Certainty::Error),
];

impl Kansas {
    /// The tables of a folder.
    pub(super) fn read(folder: &Path) -> Result<Kansas, Error> {
        let mut panels = Vec::new();
        for (title, file, column, certainty) in PANELS {
            let path = folder.join(file);
            let text = fs::read_to_string(&path).map_err(FileError::of("read", &path))?;
            let refused =
                |reason| Error::Results { path: path.clone(), kind: "Kalah study", reason };
            let dots = dots(&text, column, certainty).map_err(refused)?;
            panels.push(Panel { title, dots });
        }
        let notes = [
            "printed figure to the right, ours upward with its 95 % interval; on the line they are equal",
            "figures against random are of chance, the printed ones too (800 games)",
        ];
        Ok(Kansas {
            header: Header::new(
                "Heuristics for Kalah, against Gifford et al. 2008",
                &[],
                &notes,
                INNER,
            ),
            panels,
        })
    }
}

/// The rows of a table for which a figure is printed.
fn dots(text: &str, column: &str, certainty: Certainty) -> Result<Vec<Dot>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let place = |column: String| {
        let found = header.iter().position(|name| name == column);
        found.ok_or_else(|| format!("there is no column {column}"))
    };
    let (printed, ours) = (place(format!("printed_{column}"))?, place(column.to_owned())?);
    let ends = match certainty {
        Certainty::Certain => [ours; 2],
        Certainty::Interval => [place(format!("{column}_low"))?, place(format!("{column}_high"))?],
        Certainty::Error => [place(format!("{column}_error"))?; 2],
    };
    let mut dots = Vec::new();
    for (row, record) in reader.records().enumerate() {
        let record = record.map_err(|error| error.to_string())?;
        if row >= MOST_ROWS {
            return Err(format!("more than {MOST_ROWS} rows cannot be drawn"));
        }
        if record.get(printed) == Some("") {
            continue;
        }
        let number = |place: usize| {
            let number = record.get(place).and_then(|text| text.parse::<f64>().ok());
            let number = number.filter(|it| it.is_finite() && it.abs() < 1e6);
            number.ok_or_else(|| format!("row {} of {} is no number", row + 1, &header[place]))
        };
        let (printed, ours, [low, high]) = (number(printed)?, number(ours)?, ends.map(number));
        let (low, high) = (low?, high?);
        let interval = match certainty {
            Certainty::Error => [ours - QUANTILE_975 * low, ours + QUANTILE_975 * high],
            Certainty::Certain | Certainty::Interval => [low, high],
        };
        dots.push(Dot { printed, ours, interval });
    }
    if dots.is_empty() { Err(format!("there is no row with printed_{column}")) } else { Ok(dots) }
}

impl Panel {
    fn draw<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        let values = |dot: &Dot| [dot.printed, dot.interval[0], dot.interval[1]];
        let axis = Axis::values(self.dots.iter().flat_map(values), 6);
        let frame = Frame {
            x: axis.clone(),
            y: axis.clone(),
            x_title: self.title,
            y_title: "",
            text: style::LABEL,
        };
        let plot = frame.draw(area)?;
        let (low, high) = (axis.range.start, axis.range.end);
        let plot = plot.plotting_area();
        let bar = |ends: [(f64, f64); 2], colour: RGBColor, width| {
            plot.draw(&PathElement::new(ends.to_vec(), colour.stroke_width(width)))
        };
        bar([(low, low), (high, high)], style::GREY, style::HAIR)?;
        for &Dot { printed, interval: [low, high], .. } in &self.dots {
            bar([(printed, low), (printed, high)], style::SKY, style::THIN)?;
        }
        for &Dot { printed, ours, .. } in &self.dots {
            plot.draw(&Circle::new((printed, ours), DOT, style::BLUE.filled()))?;
        }
        Ok(())
    }
}

impl Picture for Kansas {
    fn size(&self) -> (u32, u32) {
        let height = 2 * MARGIN + self.header.height() + GAP + 3 * PANEL;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        for (panel, area) in self.panels.iter().zip(rest.split_evenly((3, 2))) {
            panel.draw(&area)?;
        }
        Ok(())
    }
}
