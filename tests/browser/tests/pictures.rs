//! Takes the pictures for the README.

use std::fs::{self, File};
use std::io::Cursor;
use std::time::{Duration, SystemTime};

use ayo_browser::{Page, Scene, Screen, in_browser, programs};
use serde_json::json;

const WIDTH: u32 = 1200;

async fn take(page: &Page, name: &str, down_to: &str) {
    page.devtools("Emulation.setScrollbarsHidden", json!({ "hidden": true })).await;
    page.resize(WIDTH, 2000).await;
    // Remove the focus so that no element is highlighted.
    page.js("document.activeElement.blur()").await;
    page.js("scrollTo(0, 0)").await;
    let end = format!("Math.ceil($({}).getBoundingClientRect().bottom) + 16", json!(down_to));
    page.resize(WIDTH, page.js(&end).await.as_u64().unwrap()).await;
    // Curves are redrawn within two frames.
    let frames =
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";
    page.js(frames).await;
    let picture = packed(&page.client().screenshot().await.unwrap());
    fs::write(programs::root().join("plots").join(name), &picture).unwrap();
    assert!(picture.len() < 200_000, "{name} has {} bytes", picture.len());
}

/// Removes transparency and reduces a picture to 64 levels per colour, which looks the same at half the size.
fn packed(picture: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(Cursor::new(picture)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let size = info.color_type.samples();
    let step = |colour: &u8| ((u32::from(*colour) * 63 + 127) / 255 * 255 / 63) as u8;
    let colours: Vec<u8> =
        pixels.chunks_exact(size).flat_map(|pixel| &pixel[..3]).map(step).collect();
    let mut packed = Vec::new();
    let mut encoder = png::Encoder::new(&mut packed, info.width, info.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.write_header().unwrap().write_image_data(&colours).unwrap();
    packed
}

#[test]
#[ignore = "writes plots/board.png"]
fn the_board() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "with=level:amateur&line=CdEaBcBaDaEaCcDfBdEb").await;
        page.js("localStorage.setItem('ayo.speed', '2')").await;
        page.client().refresh().await.unwrap();
        page.turn().await;
        page.payoffs().await;
        page.js("$('#choose-game').closest('details').open = false").await;
        take(page, "board.png", ".table-top").await;
    });
}

#[test]
#[ignore = "writes plots/run-page.png"]
fn a_run() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        page.set_media("light").await;
        // Make the files as old as those of the original run.
        let then = SystemTime::now() - Duration::from_secs(20 * 24 * 3600);
        for entry in fs::read_dir(stage.learned("learned")).unwrap().flatten() {
            File::open(entry.path()).unwrap().set_modified(then).unwrap();
        }
        page.open(server, "#/runs/learned", "[data-chart='fitness'] canvas").await;
        page.shown("#champion-weights").await;
        let drawn = "it => it.querySelector('canvas, .absent')";
        page.wait(&format!("$$('.chart-slot:not([hidden])').every({drawn})")).await;
        take(page, "run-page.png", ".chart-slot").await;
    });
}
