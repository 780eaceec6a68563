//! The ratings of a tournament: a dot a player, with a whisker to either end of its interval.

use plotters::element::{Circle, PathElement};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, RGBColor};

use crate::plot::axis::{Axis, minus};
use crate::plot::chart::{Area, Drawn};
use crate::plot::contest::{Rated, Tournament};
use crate::plot::header::Header;
use crate::plot::output::Picture;
use crate::plot::sheet::{INNER, MARGIN, WIDTH};
use crate::plot::style;

const LINE: i32 = style::LABEL * 5 / 4;
const GAP: i32 = 40;
const SPACE: i32 = 32;
/// Below the rows: the ticks' labels, then what they mean.
const FOOT: i32 = style::LABEL * 3;
/// A name takes so many lines and this share of the width at most.
const MOST_LINES: usize = 3;
const MOST_WIDTH: i32 = INNER * 9 / 20;
const DOT: i32 = 17;
const CAP: i32 = 16;

/// A tournament, laid out.
pub(crate) struct Ratings<'a> {
    players: &'a [Rated],
    header: Header,
    /// Each name in lines that fit.
    names: Vec<Vec<String>>,
    figures: Vec<String>,
    axis: Axis,
    /// Left edge of the names, and both ends of the axis.
    name: i32,
    left: i32,
    right: i32,
}

impl Ratings<'_> {
    pub(crate) fn new(tournament: &Tournament) -> Ratings<'_> {
        let players = &tournament.players;
        let name = style::width(&players.len().to_string(), style::LABEL) + SPACE;
        let fitted =
            |it: &Rated| style::wrap_code(&it.player, style::LABEL, MOST_WIDTH, MOST_LINES);
        let names: Vec<_> = players.iter().map(fitted).collect();
        let figures: Vec<_> = players.iter().map(figure).collect();
        let ends = players.iter().flat_map(|it| it.interval);
        Ratings {
            players,
            header: Header::new("Ratings", &[], &[&tournament.notes], INNER),
            name,
            left: name + widest(names.iter().flatten()) + 2 * SPACE,
            right: INNER - widest(figures.iter()) - 2 * SPACE,
            names,
            figures,
            axis: Axis::values(ends.chain([0.0]), 8),
        }
    }

    /// Upper edge of each row, and the lower one of the last.
    fn edges(&self) -> Vec<i32> {
        let mut edges = vec![0];
        let rows = self.names.iter().map(|lines| lines.len() as i32 * LINE + GAP);
        edges.extend(rows.scan(0, |sum, row| {
            *sum += row;
            Some(*sum)
        }));
        edges
    }

    fn rows_height(&self) -> i32 {
        self.edges()[self.players.len()]
    }

    fn x(&self, elo: f64) -> i32 {
        let range = &self.axis.range;
        let share = (elo - range.start) / (range.end - range.start);
        self.left + (share * f64::from(self.right - self.left)).round() as i32
    }

    fn draw_grid<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        let bottom = self.rows_height();
        let upright = |x, colour: RGBColor, width| {
            PathElement::new(vec![(x, 0), (x, bottom)], colour.stroke_width(width))
        };
        let below = style::text(style::LABEL, style::INK).pos(Pos::new(HPos::Center, VPos::Top));
        let mut free = i32::MIN;
        for &tick in &self.axis.ticks {
            let (x, label) = (self.x(tick), self.axis.label(tick));
            area.draw(&upright(x, style::GRID, style::HAIR))?;
            let half = style::width(&label, style::LABEL) / 2;
            // Long names leave the axis little room.
            if x - half > free {
                area.draw_text(&label, &below, (x, bottom + style::LABEL / 4))?;
                free = x + half + SPACE / 2;
            }
        }
        area.draw(&upright(self.x(0.0), style::PALE_INK, style::THIN))?;
        let middle = (self.left + self.right) / 2;
        let title = "Elo, with 95 % intervals";
        area.draw_text(title, &below, (middle, bottom + style::LABEL * 3 / 2))
    }

    fn draw_row<DB: DrawingBackend>(&self, area: &Area<DB>, index: usize, y: i32) -> Drawn<DB> {
        let left = style::centred(HPos::Left);
        area.draw_text(&(index + 1).to_string(), &left, (0, y))?;
        let lines = &self.names[index];
        let first = y - (lines.len() as i32 - 1) * LINE / 2;
        for (line, y) in lines.iter().zip((first..).step_by(LINE as usize)) {
            area.draw_text(line, &left, (self.name, y))?;
        }
        area.draw_text(&self.figures[index], &style::centred(HPos::Right), (INNER, y))?;
        self.draw_rating(area, &self.players[index], y)
    }

    fn draw_rating<DB: DrawingBackend>(&self, area: &Area<DB>, it: &Rated, y: i32) -> Drawn<DB> {
        let [low, high] = it.interval.map(|end| self.x(end));
        let line = |points| PathElement::new(points, style::BLUE.stroke_width(style::THIN));
        area.draw(&line(vec![(low, y), (high, y)]))?;
        for end in [low, high] {
            area.draw(&line(vec![(end, y - CAP), (end, y + CAP)]))?;
        }
        area.draw(&Circle::new((self.x(it.elo), y), DOT, style::BLUE.filled()))
    }
}

impl Picture for Ratings<'_> {
    fn size(&self) -> (u32, u32) {
        let height = 2 * MARGIN + self.header.height() + GAP + self.rows_height() + FOOT;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        self.draw_grid(&rest)?;
        for (index, edges) in self.edges().windows(2).enumerate() {
            self.draw_row(&rest, index, (edges[0] + edges[1]) / 2)?;
        }
        Ok(())
    }
}

/// `+123 ± 45`.
fn figure(it: &Rated) -> String {
    let margin = (it.interval[1] - it.interval[0]) / 2.0;
    let elo = minus(&format!("{:+.0}", it.elo));
    format!("{} ± {margin:.0}", if elo == "+0" { "0" } else { &elo })
}

fn widest<'a>(texts: impl Iterator<Item = &'a String>) -> i32 {
    texts.map(|text| style::width(text, style::LABEL)).max().unwrap_or(0)
}
