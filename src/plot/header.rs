//! Headers for pictures of results: title, names and notes.

use plotters::prelude::DrawingBackend;

use super::{Area, Drawn, chart, style};

const TITLE: i32 = style::TITLE * 3 / 2;
const LINE: i32 = style::LABEL * 3 / 2;
const MAX_LINES: usize = 4;

/// A title above wrapped lines of text.
pub struct Header {
    title: &'static str,
    /// Names, which are drawn darker than notes.
    named: Vec<String>,
    notes: Vec<String>,
}

impl Header {
    /// Creates a header, wrapping long lines to `width`.
    pub fn new(title: &'static str, named: &[String], notes: &[&str], width: i32) -> Header {
        let fitted = |text: &str| style::wrap_code(text, style::LABEL, width, MAX_LINES);
        Header {
            title,
            named: named.iter().flat_map(|text| fitted(text)).collect(),
            notes: notes.iter().flat_map(|text| fitted(text)).collect(),
        }
    }

    pub fn height(&self) -> i32 {
        TITLE + LINE * (self.named.len() + self.notes.len()) as i32
    }

    pub fn draw<DB: DrawingBackend>(&self, area: &Area<DB>) -> Drawn<DB> {
        area.draw_text(self.title, &style::text(style::TITLE, style::INK), (0, 0))?;
        let text = |colour| style::text(style::LABEL, colour);
        chart::draw_lines(area, &self.named, &text(style::INK), (0, TITLE), LINE)?;
        let below = TITLE + LINE * self.named.len() as i32;
        chart::draw_lines(area, &self.notes, &text(style::PALE_INK), (0, below), LINE)
    }
}
