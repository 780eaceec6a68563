//! Writes pictures to PNG or SVG files.

use std::io::ErrorKind;
use std::path::Path;

use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::drawing::IntoDrawingArea;
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, WHITE};

use super::Error;
use super::canvas::{Canvas, Form, Shape};
use mancala::store::{self, FileError};
use mancala::text::escape_lines;

type BoxError = Box<dyn std::error::Error + Send + Sync>;

const CHANNELS: usize = 3;

/// Returns whether a picture at this path is a PNG, and not an SVG. Fails if the name ends in anything else.
pub(super) fn is_png(path: &Path) -> Result<bool, Error> {
    let ending = path.extension().unwrap_or_default();
    let is_png = ending.eq_ignore_ascii_case("png");
    match is_png || ending.eq_ignore_ascii_case("svg") {
        true => Ok(is_png),
        false => Err(Error::Ending(path.into())),
    }
}

/// Writes a picture to a PNG or SVG file, creating its folder if necessary. An existing file is replaced.
///
/// # Errors
/// If the picture cannot be drawn or written.
pub fn write(picture: &Canvas, path: &Path) -> Result<(), Error> {
    let drawn = match is_png(path)? {
        true => png(picture),
        false => svg(picture).map(String::into_bytes),
    };
    let drawn = drawn.map_err(|reason| Error::drawing(path, &reason))?;
    check_place(path)?;
    Ok(store::write_output(path, &drawn)?)
}

/// Checks before a long computation that a picture can be written to this path. Creates its folder if it is below the
/// current directory. Elsewhere, a missing folder is probably a typo.
///
/// # Errors
/// If the folder cannot or must not be created, or if the path is an existing folder.
pub fn check_place(path: &Path) -> Result<(), Error> {
    is_png(path)?;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.exists() && !store::is_below_current_folder(folder) {
        return Err(Error::NoFolder { path: path.into(), folder: folder.into() });
    }
    store::create_folder(folder)?;
    if path.is_dir() {
        return Err(FileError::of("write", path)(ErrorKind::IsADirectory.into()).into());
    }
    Ok(())
}

/// Returns the size before the picture is scaled down, a multiple of the scale factor.
fn size(picture: &Canvas) -> (u32, u32) {
    let whole = |length: i32| length as u32 / picture.fineness * picture.fineness;
    (whole(picture.width), whole(picture.height))
}

fn png(picture: &Canvas) -> Result<Vec<u8>, BoxError> {
    let (width, height) = size(picture);
    let mut pixels = vec![0; width as usize * height as usize * CHANNELS];
    draw(BitMapBackend::with_buffer(&mut pixels, (width, height)), picture)?;
    let fineness = picture.fineness;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width / fineness, height / fineness);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&shrink(&pixels, width, fineness))?;
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
pub(crate) fn svg(picture: &Canvas) -> Result<String, BoxError> {
    let ((width, height), fineness) = (size(picture), picture.fineness);
    let mut text = String::new();
    draw(SVGBackend::with_string(&mut text, (width, height)), picture)?;
    let attributes = |part| format!(r#"width="{}" height="{}""#, width / part, height / part);
    // Labels were escaped while drawing, but some characters are not allowed in an XML document even if they are
    // escaped.
    Ok(escape_lines(&text).replacen(&attributes(1), &attributes(fineness), 1))
}

fn draw<DB: DrawingBackend<ErrorType: 'static>>(
    backend: DB,
    picture: &Canvas,
) -> Result<(), BoxError> {
    let root = backend.into_drawing_area();
    root.fill(&WHITE)?;
    for Shape { points, form } in &picture.shapes {
        let points = points.clone();
        match form {
            Form::Line(stroke) => {
                let style = stroke.colour.stroke_width(stroke.width);
                match stroke.pattern {
                    Some([dash, gap]) => {
                        root.draw(&DashedPathElement::new(points, dash, gap, style))?;
                    }
                    None => root.draw(&PathElement::new(points, style))?,
                }
            }
            Form::Polygon(fill) => root.draw(&Polygon::new(points, fill.filled()))?,
            Form::Rectangle(fill) => {
                root.draw(&Rectangle::new([points[0], points[1]], fill.filled()))?;
            }
            Form::Circle(radius, fill) => {
                root.draw(&Circle::new(points[0], *radius, fill.filled()))?;
            }
            Form::Text(text, style) => root.draw_text(text, style, points[0])?,
        }
    }
    root.present()?;
    Ok(())
}
