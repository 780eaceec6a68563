//! How the sums of maximal CDG vectors near n²/π.

use plotters::prelude::DrawingBackend;

use super::axis::Axis;
use super::chart::{self, Area, Drawn, Frame};
use super::header::Header;
use super::output::Picture;
use super::sheet::{INNER, MARGIN, WIDTH};
use super::stroke::Stroke;
use super::style;

const HEIGHT: i32 = 1400;
const GAP: i32 = 72;

/// The ratio over the pits, laid out.
pub(super) struct Sums<'a> {
    header: Header,
    /// Pits a side and s(n)·π/n².
    points: &'a [(f64, f64)],
}

impl Sums<'_> {
    /// Of one point or more, by the pits.
    pub(super) fn new(points: &[(f64, f64)]) -> Sums<'_> {
        let note = "The largest CDG vector of n pits holds s(n) seeds; s(n)·π/n² goes to 1.";
        Sums { header: Header::new("Seeds of a CDG", &[], &[note], INNER), points }
    }

    fn pits(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|&(pits, _)| pits)
    }
}

impl Picture for Sums<'_> {
    fn size(&self) -> (u32, u32) {
        let height = 2 * MARGIN + self.header.height() + GAP + HEIGHT;
        (WIDTH as u32, (height as u32).next_multiple_of(style::FINENESS))
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB> {
        let sheet = root.margin(MARGIN, MARGIN, MARGIN, MARGIN);
        let (header, rest) = sheet.split_vertically(self.header.height() + GAP);
        self.header.draw(&header)?;
        let frame = Frame {
            // From zero, so that a single size has an axis too.
            x: Axis::values(self.pits().chain([0.0]), 10),
            y: Axis::values(self.points.iter().map(|&(_, ratio)| ratio).chain([1.0]), 6),
            x_title: "pits a side, n",
            y_title: "s(n)·π/n²",
            text: style::LABEL,
        };
        let mut plot = frame.draw(&rest)?;
        let last = self.pits().fold(0.0, f64::max);
        let even = Stroke::whole(style::GREY, style::HAIR);
        chart::line(&mut plot, &[(0.0, 1.0), (last, 1.0)], even)?;
        chart::line(&mut plot, self.points, Stroke::whole(style::BLUE, style::THIN))
    }
}
