//! Draws charts that consist of rows. Each row has a name, bars or dots on a shared axis, and a number.

use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, RGBAColor};

use super::chart::header;
use super::{Axis, Canvas, INNER, MARGIN, Stroke, style};

const LINE: i32 = style::LABEL * 5 / 4;
const SPACE: i32 = 32;
const BAR: i32 = 60;
const DOT: i32 = 18;
const CAP: i32 = 16;
const MAX_NAME_LINES: usize = 3;

#[derive(Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// The text at the right end of the row.
    pub(crate) figure: String,
    /// Bars that are drawn one below the other, with labels at their ends.
    pub(crate) bars: Vec<(RGBAColor, f64, String)>,
    pub(crate) dots: Vec<(RGBAColor, f64)>,
    pub(crate) interval: Option<[f64; 2]>,
}

#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    pub(crate) are_numbered: bool,
    /// The title of the axis. If it's empty, then no axis is drawn except for a line at zero.
    pub(crate) axis_title: &'static str,
    pub(crate) is_compact: bool,
}

impl Rows {
    pub(crate) fn picture(&self, title: &str, names: &[String], notes: &[&str]) -> Canvas {
        let mut picture = Canvas::new(INNER);
        header(title, names, notes, &mut picture);
        self.draw(&mut picture);
        picture.with_margin(MARGIN)
    }

    pub(crate) fn draw(&self, picture: &mut Canvas) {
        let (rows, width) = (&self.rows, picture.width);
        let wrap = |row: &Row| style::wrap(&row.name, style::LABEL, width * 9 / 20, MAX_NAME_LINES);
        let names: Vec<Vec<String>> = rows.iter().map(wrap).collect();
        let number = style::width(&rows.len().to_string(), style::LABEL) + SPACE;
        let left = if self.are_numbered { number } else { 0 };
        let bars = || rows.iter().flat_map(|row| &row.bars);
        let values = rows.iter().flat_map(|row| {
            let bars = row.bars.iter().map(|bar| bar.1);
            bars.chain(row.dots.iter().map(|dot| dot.1)).chain(row.interval.into_iter().flatten())
        });
        let axis = Axis::values(values.chain([0.0]), 8);
        let label = match style::widest(bars().map(|bar| &bar.2)) {
            0 => 0,
            width => width + SPACE,
        };
        let before = if bars().any(|bar| bar.1 < 0.0) { label } else { 0 };
        let figures = style::widest(rows.iter().map(|row| &row.figure));
        let ends = [
            left + style::widest(names.iter().flatten()) + 2 * SPACE + before,
            width - figures - 2 * SPACE - label,
        ];
        let (top, gap) = (picture.height, if self.is_compact { 24 } else { 40 });
        let height = |(row, name): (&Row, &Vec<String>)| {
            (name.len() as i32 * LINE).max(row.bars.len() as i32 * BAR) + gap
        };
        picture.height += rows.iter().zip(&names).map(height).sum::<i32>();
        if self.axis_title.is_empty() {
            let bottom = picture.height;
            draw_zero(&axis, ends, [top, bottom], picture);
        } else {
            self.draw_axis(&axis, ends, top, picture);
        }
        let text = style::label(HPos::Left);
        let mut top = top;
        for ((row, name), number) in rows.iter().zip(&names).zip(1..) {
            let y = top + height((row, name)) / 2;
            top += height((row, name));
            if self.are_numbered {
                picture.text((0, y), i32::to_string(&number), text.clone());
            }
            let first = y - (name.len() as i32 - 1) * LINE / 2;
            for (line, y) in name.iter().zip((first..).step_by(LINE as usize)) {
                picture.text((left, y), line, text.clone());
            }
            picture.text((width, y), &row.figure, style::label(HPos::Right));
            row.draw_marks(&axis, ends, y, picture);
        }
    }

    fn draw_axis(&self, axis: &Axis, ends: [i32; 2], top: i32, picture: &mut Canvas) {
        let below = style::anchored(style::LABEL, style::INK, HPos::Center, VPos::Top);
        let (bottom, mut free) = (picture.height, i32::MIN);
        for &tick in &axis.ticks {
            let (x, label) = (axis.place(tick, ends), axis.label(tick));
            picture.line([(x, top), (x, bottom)], Stroke::whole(style::GRID, style::HAIR));
            let half = style::width(&label, style::LABEL) / 2;
            // Long names leave little room for the axis, so we skip labels that would overlap.
            if x - half > free {
                picture.text((x, bottom + style::LABEL / 4), label, below.clone());
                free = x + half + 16;
            }
        }
        draw_zero(axis, ends, [top, bottom], picture);
        let middle = (ends[0] + ends[1]) / 2;
        picture.text((middle, bottom + style::LABEL * 3 / 2), self.axis_title, below);
        picture.height += style::LABEL * 3;
    }
}

fn draw_zero(axis: &Axis, ends: [i32; 2], [top, bottom]: [i32; 2], picture: &mut Canvas) {
    let x = axis.place(0.0, ends);
    picture.line([(x, top), (x, bottom)], Stroke::whole(style::PALE_INK, style::THIN));
}

impl Row {
    fn draw_marks(&self, axis: &Axis, ends: [i32; 2], y: i32, picture: &mut Canvas) {
        let x = |value| axis.place(value, ends);
        let first = y - (self.bars.len() as i32 - 1) * BAR / 2;
        for ((colour, value, label), y) in self.bars.iter().zip((first..).step_by(BAR as usize)) {
            let (zero, end, half) = (x(0.0), x(*value), BAR / 2 - 2);
            picture.rectangle([(zero.min(end), y - half), (zero.max(end), y + half)], *colour);
            let (side, space) = if *value < 0.0 { (HPos::Right, -16) } else { (HPos::Left, 16) };
            picture.text((end + space, y), label, style::label(side));
        }
        let dots = || self.dots.iter().map(|dot| x(dot.1));
        if let Some((low, high)) = dots().min().zip(dots().max()) {
            picture.line([(low, y), (high, y)], Stroke::whole(style::GREY, style::THIN));
        }
        if let Some(ends) = self.interval {
            let colour = if self.dots.is_empty() { style::INK } else { style::BLUE };
            let ([low, high], stroke) = (ends.map(x), Stroke::whole(colour, style::THIN));
            picture.line([(low, y), (high, y)], stroke);
            for end in [low, high] {
                picture.line([(end, y - CAP), (end, y + CAP)], stroke);
            }
        }
        for (colour, value) in &self.dots {
            picture.circle((x(*value), y), DOT, colour.mix(0.8));
        }
    }
}
