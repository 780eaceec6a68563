//! The picture's file: its format, and its replacement as a whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::drawing::IntoDrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::WHITE;

use super::sheet::Sheet;
use super::{Error, style};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Red, green and blue.
const CHANNELS: usize = 3;

#[derive(Clone, Copy)]
enum Format {
    Png,
    Svg,
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Format::Png => "png",
            Format::Svg => "svg",
        }
    }
}

/// A file that a picture can be written to.
pub(super) struct Target<'a> {
    path: &'a Path,
    format: Format,
}

impl Target<'_> {
    pub(super) fn new(path: &Path) -> Result<Target<'_>, Error> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let format = [Format::Png, Format::Svg].into_iter().find(|format| {
            ending.is_some_and(|ending| ending.eq_ignore_ascii_case(format.ending()))
        });
        let format = format.ok_or_else(|| Error::Ending(path.into()))?;
        let target = Target { path, format };
        if target.folder().is_dir() {
            return Ok(target);
        }
        Err(Error::OutputFolder { path: path.to_owned(), folder: target.folder().to_owned() })
    }

    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// Draws to a neighbouring file, which takes the target's place when it is whole.
    pub(super) fn replace(&self, sheet: Sheet) -> Result<(), Error> {
        self.try_replace(sheet)
            .map_err(|source| Error::Output { path: self.path.to_owned(), source })
    }

    fn try_replace(&self, sheet: Sheet) -> Result<(), BoxError> {
        // plotters tells the format from the ending, so the ending stays last.
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!(".{stem}-{}.{}", process::id(), self.format.ending());
        let temporary = Temporary(self.folder().join(name));
        match self.format {
            Format::Png => png(&sheet, &temporary.0)?,
            Format::Svg => svg(&sheet, &temporary.0)?,
        }
        fs::rename(&temporary.0, self.path)?;
        Ok(())
    }
}

fn png(sheet: &Sheet, path: &Path) -> Result<(), BoxError> {
    let drawn = sheet.size();
    let mut pixels = vec![0; drawn.0 as usize * drawn.1 as usize * CHANNELS];
    draw(BitMapBackend::with_buffer(&mut pixels, drawn), sheet)?;
    let size = shrunk(drawn);
    let mut file = BitMapBackend::new(path, size);
    file.blit_bitmap((0, 0), size, &shrink(&pixels, drawn.0))?;
    file.present()?;
    Ok(())
}

/// Each pixel the mean of the square that stands for it.
fn shrink(pixels: &[u8], width: u32) -> Vec<u8> {
    let fineness = style::FINENESS as usize;
    let row = width as usize * CHANNELS;
    let mut shrunk = Vec::with_capacity(pixels.len() / (fineness * fineness));
    for rows in pixels.chunks_exact(row * fineness) {
        for left in (0..row).step_by(fineness * CHANNELS) {
            for channel in left..left + CHANNELS {
                let column = |x| rows.iter().skip(channel + x * CHANNELS).step_by(row);
                let square = (0..fineness).flat_map(column);
                let sum: usize = square.map(|part| usize::from(*part)).sum();
                shrunk.push((sum / (fineness * fineness)) as u8);
            }
        }
    }
    shrunk
}

/// The picture's size lies in its view box, so it can be shown at any other.
fn svg(sheet: &Sheet, path: &Path) -> Result<(), BoxError> {
    let drawn = sheet.size();
    let mut text = String::new();
    draw(SVGBackend::with_string(&mut text, drawn), sheet)?;
    let attributes = |(width, height)| format!(r#"width="{width}" height="{height}""#);
    let text = text.replacen(&attributes(drawn), &attributes(shrunk(drawn)), 1);
    fs::write(path, text)?;
    Ok(())
}

fn shrunk((width, height): (u32, u32)) -> (u32, u32) {
    (width / style::FINENESS, height / style::FINENESS)
}

fn draw<DB: DrawingBackend>(backend: DB, sheet: &Sheet) -> Result<(), BoxError>
where
    DB::ErrorType: 'static,
{
    let root = backend.into_drawing_area();
    root.fill(&WHITE)?;
    sheet.draw(&root)?;
    root.present()?;
    Ok(())
}

/// A file that is removed again unless it was renamed in time.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // It is gone if all went well, and if not, there is nothing left to try.
        let _ = fs::remove_file(&self.0);
    }
}
