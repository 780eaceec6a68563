//! Writes plots to PNG or SVG files.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::drawing::IntoDrawingArea;
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, WHITE};

use super::canvas::{Canvas, Form, Shape};
use crate::terminal::usage;
use mancala::store::{self, FileError};
use mancala::text::escape_lines;

const CHANNELS: usize = 3;

/// Returns whether the path ends in `.png` rather than `.svg`. Any other extension is an error.
pub(super) fn is_png(path: &Path) -> Result<bool> {
    let ending = path.extension().unwrap_or_default();
    let is_png = ending.eq_ignore_ascii_case("png");
    match is_png || ending.eq_ignore_ascii_case("svg") {
        true => Ok(is_png),
        false => {
            let path = path.display();
            Err(usage(format!("cannot plot to {path}: the file name must end in .png or .svg")))
        }
    }
}

/// Writes a picture to a PNG or SVG file, creating its folder if necessary. Replaces an existing file.
///
/// # Errors
/// If the picture cannot be drawn or written.
pub fn write(picture: &Canvas, path: &Path) -> Result<()> {
    let drawn = match is_png(path)? {
        true => png(picture),
        false => svg(picture).map(String::into_bytes),
    };
    let drawn = drawn.with_context(|| format!("cannot draw {}", path.display()))?;
    check_place(path)?;
    Ok(store::write_output(path, &drawn)?)
}

/// Checks that a plot can be written to this path, so that we can fail early. Creates the parent folder if it is below
/// the current directory.
///
/// # Errors
/// If the parent folder is missing and cannot be created, or if the path is an existing folder.
pub fn check_place(path: &Path) -> Result<()> {
    is_png(path)?;
    store::create_folder_of(path)?;
    if path.is_dir() {
        return Err(FileError::of("write", path)(ErrorKind::IsADirectory.into()).into());
    }
    Ok(())
}

/// Returns the size at which the picture is drawn, rounded down to a multiple of the scale factor.
fn size(picture: &Canvas) -> (u32, u32) {
    let whole = |length: i32| length as u32 / picture.fineness * picture.fineness;
    (whole(picture.width), whole(picture.height))
}

fn png(picture: &Canvas) -> Result<Vec<u8>> {
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

/// Scales an image down by averaging each square of pixels.
fn shrink(pixels: &[u8], width: u32, fineness: u32) -> Vec<u8> {
    let (row, fineness) = (width as usize * CHANNELS, fineness as usize);
    let mut shrunk = Vec::with_capacity(pixels.len() / (fineness * fineness));
    for rows in pixels.chunks_exact(row * fineness) {
        let mut sums = vec![0; row / fineness];
        for line in rows.chunks_exact(row) {
            let squares = line.chunks_exact(fineness * CHANNELS);
            for (sums, square) in sums.chunks_exact_mut(CHANNELS).zip(squares) {
                for (place, byte) in square.iter().enumerate() {
                    sums[place % CHANNELS] += usize::from(*byte);
                }
            }
        }
        shrunk.extend(sums.into_iter().map(|sum| (sum / (fineness * fineness)) as u8));
    }
    shrunk
}

/// Draws an SVG at full size. Only the `width` and `height` attributes of the image are scaled down, not its view box.
pub(crate) fn svg(picture: &Canvas) -> Result<String> {
    let ((width, height), fineness) = (size(picture), picture.fineness);
    let mut text = String::new();
    draw(SVGBackend::with_string(&mut text, (width, height)), picture)?;
    let attributes = |part| format!(r#"width="{}" height="{}""#, width / part, height / part);
    // Labels are already escaped, but XML forbids some characters even in escaped form.
    Ok(escape_lines(&text).replacen(&attributes(1), &attributes(fineness), 1))
}

fn draw<DB: DrawingBackend<ErrorType: Send + Sync + 'static>>(
    backend: DB,
    picture: &Canvas,
) -> Result<()> {
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
