//! Writes pictures to PNG or SVG files.

use std::io::ErrorKind;
use std::path::Path;

use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::drawing::IntoDrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::WHITE;

use super::{Area, Drawn, Error, style};
use mancala::store::{self, FileError};
use mancala::text::escape_lines;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

pub trait Picture {
    /// Returns the width and height before the picture is scaled down.
    fn size(&self) -> (u32, u32);

    /// Returns the factor by which the picture is scaled down.
    fn fineness(&self) -> u32 {
        style::FINENESS
    }

    fn draw<DB: DrawingBackend>(&self, root: &Area<DB>) -> Drawn<DB>;
}

const CHANNELS: usize = 3;

/// A file to which a picture can be written.
pub struct Target<'a> {
    path: &'a Path,
    is_png: bool,
}

impl Target<'_> {
    /// Creates a target for a path that ends in `.png` or `.svg`.
    ///
    /// # Errors
    /// If the path ends in anything else.
    pub fn new(path: &Path) -> Result<Target<'_>, Error> {
        let ending = path.extension().unwrap_or_default();
        let is_png = ending.eq_ignore_ascii_case("png");
        match is_png || ending.eq_ignore_ascii_case("svg") {
            true => Ok(Target { path, is_png }),
            false => Err(Error::Ending(path.into())),
        }
    }

    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// Draws the picture and replaces the file, creating its folder if necessary.
    ///
    /// # Errors
    /// If the picture cannot be drawn or written.
    pub fn replace(&self, picture: &impl Picture) -> Result<(), Error> {
        let drawn = match self.is_png {
            true => png(picture),
            false => svg(picture).map(String::into_bytes),
        };
        let drawn = drawn.map_err(|reason| Error::drawing(self.path, &reason))?;
        self.check_place()?;
        Ok(store::write_output(self.path, &drawn)?)
    }

    /// Creates the folder of the picture if it is below the current directory. Elsewhere, a missing folder is probably
    /// a typo.
    ///
    /// # Errors
    /// If the folder cannot or must not be created, or if the picture's path is an existing folder.
    pub fn check_place(&self) -> Result<(), Error> {
        if !self.folder().exists() && !store::is_below_current_folder(self.folder()) {
            return Err(Error::NoFolder { path: self.path.into(), folder: self.folder().into() });
        }
        store::create_folder(self.folder())?;
        if self.path.is_dir() {
            let reason = ErrorKind::IsADirectory.into();
            return Err(FileError::of("write", self.path)(reason).into());
        }
        Ok(())
    }
}

fn png(picture: &impl Picture) -> Result<Vec<u8>, BoxError> {
    let drawn = picture.size();
    let mut pixels = vec![0; drawn.0 as usize * drawn.1 as usize * CHANNELS];
    draw(BitMapBackend::with_buffer(&mut pixels, drawn), picture)?;
    let fineness = picture.fineness();
    let (width, height) = shrunk(drawn, fineness);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&shrink(&pixels, drawn.0, fineness))?;
    Ok(file)
}

/// Replaces each square of pixels with its mean. Most of a picture is blank, so stretches of blank pixels are handled
/// separately, which is faster.
fn shrink(pixels: &[u8], width: u32, fineness: u32) -> Vec<u8> {
    let fineness = fineness as usize;
    let row = width as usize * CHANNELS;
    let run = 16 * fineness * CHANNELS;
    let blank = vec![u8::MAX; run];
    let mut shrunk = Vec::with_capacity(pixels.len() / (fineness * fineness));
    for rows in pixels.chunks_exact(row * fineness) {
        for left in (0..row).step_by(run) {
            let right = row.min(left + run);
            let blank = &blank[..right - left];
            if rows.chunks_exact(row).all(|line| &line[left..right] == blank) {
                shrunk.extend_from_slice(&blank[..blank.len() / fineness]);
            } else {
                for first in (left..right).step_by(fineness * CHANNELS) {
                    shrunk.extend_from_slice(&mean(rows, row, first, fineness));
                }
            }
        }
    }
    shrunk
}

/// Returns the mean of the square that starts at byte `first` in each row. The loops are simple, so that they are fast
/// enough in tests, which are compiled without optimisation.
fn mean(rows: &[u8], row: usize, first: usize, fineness: usize) -> [u8; CHANNELS] {
    let [mut red, mut green, mut blue] = [0; CHANNELS];
    let mut line = first;
    while line < rows.len() {
        let pixels = &rows[line..line + fineness * CHANNELS];
        let mut place = 0;
        while place < pixels.len() {
            red += pixels[place] as usize;
            green += pixels[place + 1] as usize;
            blue += pixels[place + 2] as usize;
            place += CHANNELS;
        }
        line += row;
    }
    [red, green, blue].map(|sum| (sum / (fineness * fineness)) as u8)
}

/// Draws an SVG. The view box keeps the original size, so the picture scales to any size.
pub(crate) fn svg(picture: &impl Picture) -> Result<String, BoxError> {
    let drawn = picture.size();
    let mut text = String::new();
    draw(SVGBackend::with_string(&mut text, drawn), picture)?;
    let attributes = |(width, height)| format!(r#"width="{width}" height="{height}""#);
    // Labels were escaped while drawing, but some characters are not allowed in an XML document even if they are
    // escaped.
    let text = escape_lines(&text);
    Ok(text.replacen(&attributes(drawn), &attributes(shrunk(drawn, picture.fineness())), 1))
}

fn shrunk((width, height): (u32, u32), fineness: u32) -> (u32, u32) {
    (width / fineness, height / fineness)
}

fn draw<DB: DrawingBackend>(backend: DB, picture: &impl Picture) -> Result<(), BoxError>
where
    DB::ErrorType: 'static,
{
    let root = backend.into_drawing_area();
    root.fill(&WHITE)?;
    picture.draw(&root)?;
    root.present()?;
    Ok(())
}
