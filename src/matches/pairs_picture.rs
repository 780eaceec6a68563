//! The pairs of a match, by score.

use plotters::element::{PathElement, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use crate::plot::chart::{Area, Drawn};
use crate::plot::contest::Match;
use crate::plot::header::Header;
use crate::plot::output::Picture;
use crate::plot::sheet::{INNER, MARGIN, WIDTH};
use crate::plot::style;

const ROW: i32 = 132;
const BAR: i32 = 88;
const GAP: i32 = 72;
const SPACE: i32 = 32;

/// The scores from the best, A's points first.
const SCORES: [(&str, RGBColor); 5] = [
    ("2 : 0  two wins of A", style::BLUE),
    ("1½ : ½  a win and a draw", style::SKY),
    ("1 : 1  two draws, or a win each", style::GREY),
    ("½ : 1½  a loss and a draw", style::ORANGE),
    ("0 : 2  two losses of A", style::VERMILLION),
];

/// A match, laid out.
pub(crate) struct Pairs {
    header: Header,
    /// Beside each bar.
    figures: Vec<String>,
    /// From the best score.
    counts: Vec<u64>,
    left: i32,
    right: i32,
}

impl Pairs {
    pub(crate) fn new(found: &Match) -> Pairs {
        let [a, b] = &found.players;
        let named = [format!("A {a}"), format!("B {b}")];
        let counts: Vec<u64> = found.pairs.counts().into_iter().rev().collect();
        let all = found.pairs.pairs().max(1) as f64;
        let share = |count: &u64| format!("{count} ({:.1} %)", 100.0 * *count as f64 / all);
        let figures: Vec<String> = counts.iter().map(share).collect();
        let width = |text: &str| style::width(text, style::LABEL);
        let names = SCORES.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
        let room = figures.iter().map(|figure| width(figure)).max().unwrap_or(0);
        Pairs {
            header: Header::new("Pairs of games", &named, &[&found.findings, &found.notes], INNER),
            left: names + SPACE,
            right: INNER - room - SPACE,
            counts,
            figures,
        }
    }

    fn draw_bar<DB: DrawingBackend>(&self, area: &Area<DB>, index: usize) -> Drawn<DB> {
        let (name, colour) = SCORES[index];
        let y = index as i32 * ROW + ROW / 2;
        area.draw_text(name, &style::centred(HPos::Left), (0, y))?;
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1) as f64;
        let length = self.counts[index] as f64 / most * f64::from(self.right - self.left);
        let end = self.left + length.round() as i32;
        let corners = [(self.left, y - BAR / 2), (end, y + BAR / 2)];
        area.draw(&Rectangle::new(corners, colour.filled()))?;
        let figure = &self.figures[index];
        area.draw_text(figure, &style::centred(HPos::Left), (end + SPACE / 2, y))
    }
}

impl Picture for Pairs {
    fn size(&self) -> (u32, u32) {
        let height = 2 * MARGIN + self.header.height() + GAP + SCORES.len() as i32 * ROW;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        (0..SCORES.len()).try_for_each(|index| self.draw_bar(&rest, index))?;
        let axis = vec![(self.left, 0), (self.left, SCORES.len() as i32 * ROW)];
        rest.draw(&PathElement::new(axis, style::PALE_INK.stroke_width(style::HAIR)))
    }
}
