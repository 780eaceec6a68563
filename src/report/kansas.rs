//! The Kansas study beside the report: a dot a combination, our figure over the printed one.

use std::fs;
use std::path::Path;

use plotters::element::{Circle, PathElement};
use plotters::prelude::DrawingBackend;
use plotters::style::Color;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame};
use super::header::Header;
use super::output::Picture;
use super::sheet::{INNER, MARGIN, WIDTH};
use super::{Error, style};
use crate::store::FileError;

const GAP: i32 = 48;
const PANEL: i32 = 1300;
const DOT: i32 = 9;
/// 95 % of a normal distribution lie within so many standard errors.
const TWO_SIDED_95: f64 = 1.96;
const MOST_ROWS: usize = 64;

/// A combination: the printed figure, ours, and half of our 95 % interval.
type Dot = [f64; 3];

/// The study, laid out.
pub(super) struct Kansas {
    header: Header,
    panels: [Panel; 4],
}

struct Panel {
    title: &'static str,
    dots: Vec<Dot>,
}

/// A panel: its title, its file, and the columns of its dots; without the last they are certain.
const PANELS: [(&str, &str, &str, &str, Option<&str>); 4] = [
    ("round robin: share of games won", "round-robin.csv", "printed_win", "win", None),
    (
        "against random: stones a move",
        "random.csv",
        "printed_stones_per_move",
        "stones_per_move",
        Some("stones_per_move_error"),
    ),
    (
        "against random: captures a move",
        "random.csv",
        "printed_captures_per_move",
        "captures_per_move",
        Some("captures_per_move_error"),
    ),
    (
        "against random: go-agains a move",
        "random.csv",
        "printed_go_agains_per_move",
        "go_agains_per_move",
        Some("go_agains_per_move_error"),
    ),
];

impl Kansas {
    /// The tables of a folder.
    pub(super) fn read(folder: &Path) -> Result<Kansas, Error> {
        let mut panels = Vec::new();
        for (title, file, printed, ours, error) in PANELS {
            let path = folder.join(file);
            let text = fs::read_to_string(&path).map_err(FileError::of("read", &path))?;
            let refused =
                |reason| Error::Results { path: path.clone(), kind: "Kalah study", reason };
            panels.push(Panel {
                title,
                dots: dots(&text, [Some(printed), Some(ours), error]).map_err(refused)?,
            });
        }
        let notes = "printed figure to the right, ours upward with its 95 % interval; on the line they are equal";
        Ok(Kansas {
            header: Header::new(
                "Heuristics for Kalah, against Gifford et al. 2008",
                &[],
                &[notes],
                INNER,
            ),
            panels: panels.try_into().unwrap_or_else(|_| unreachable!("a panel for each")),
        })
    }
}

/// The named columns of a table; one without a name is 0.
fn dots(text: &str, columns: [Option<&str>; 3]) -> Result<Vec<Dot>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let mut places = [None; 3];
    for (place, column) in places.iter_mut().zip(columns) {
        let Some(column) = column else { continue };
        let found = header.iter().position(|name| name == column);
        *place = Some(found.ok_or_else(|| format!("there is no column {column}"))?);
    }
    let mut dots = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let mut dot = [0.0; 3];
        for (figure, place) in dot.iter_mut().zip(places) {
            let Some(place) = place else { continue };
            let number = record.get(place).and_then(|text| text.parse::<f64>().ok());
            let number = number.filter(|it| it.is_finite() && it.abs() < 1e6);
            *figure = number.ok_or_else(|| {
                format!("row {} of {} is no number", dots.len() + 1, &header[place])
            })?;
        }
        dot[2] *= TWO_SIDED_95;
        dots.push(dot);
    }
    match dots.len() {
        1..=MOST_ROWS => Ok(dots),
        count => Err(format!("{count} rows cannot be drawn, from 1 to {MOST_ROWS} can")),
    }
}

impl Panel {
    fn draw<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        let ends = |&[printed, ours, half]: &Dot| [printed, ours - half, ours + half];
        let axis = Axis::values(self.dots.iter().flat_map(ends), 6);
        let frame = Frame {
            x: axis.clone(),
            y: axis.clone(),
            x_title: self.title,
            y_title: "",
            text: style::LABEL,
        };
        let mut plot = frame.draw(area)?;
        let (low, high) = (axis.range.start, axis.range.end);
        chart::line(&mut plot, &[(low, low), (high, high)], style::GREY, style::HAIR)?;
        for &[printed, ours, half] in &self.dots {
            let bar = vec![(printed, ours - half), (printed, ours + half)];
            let plot = plot.plotting_area();
            plot.draw(&PathElement::new(bar, style::SKY.stroke_width(style::THIN)))?;
            plot.draw(&Circle::new((printed, ours), DOT, style::BLUE.filled()))?;
        }
        Ok(())
    }
}

impl Picture for Kansas {
    fn size(&self) -> (u32, u32) {
        let height = 2 * MARGIN + self.header.height() + GAP + 2 * PANEL;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        for (panel, area) in self.panels.iter().zip(rest.split_evenly((2, 2))) {
            panel.draw(&area)?;
        }
        Ok(())
    }
}
