//! The pictures of the README.

use std::fs::{self, File};
use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, SystemTime};

use ayo_browser::board::Board;
use ayo_browser::{Page, Scene, Screen, in_browser, programs};
use serde_json::json;

const WIDTH: u32 = 1200;

/// Takes a picture of the page from the top to the end of an element.
async fn take(page: &Page, name: &str, down_to: &str) {
    let view = |height: u64| json!({ "width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": false });
    page.devtools("Emulation.setScrollbarsHidden", json!({ "hidden": true })).await;
    page.devtools("Emulation.setDeviceMetricsOverride", view(2000)).await;
    // No element is highlighted.
    page.js("document.activeElement.blur()").await;
    page.js("scrollTo(0, 0)").await;
    let end = format!("Math.ceil($({}).getBoundingClientRect().bottom) + 16", json!(down_to));
    let end = page.js(&end).await.as_u64().unwrap();
    page.devtools("Emulation.setDeviceMetricsOverride", view(end)).await;
    page.wait("the new size", &format!("innerHeight === {end}")).await;
    // Curves are redrawn within two frames.
    page.resolved(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
    )
    .await;
    let picture = packed(&page.screenshot().await);
    let path = programs::root().join("plots").join(name);
    fs::write(&path, &picture).unwrap();
    assert!(picture.len() < 200_000, "{name} has {} bytes", picture.len());
}

/// Returns a picture without transparency and with 64 levels per colour, which look the same and halve the size.
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

/// Sets the times of files to those of the original run.
fn age(folder: &Path) {
    let then = SystemTime::now() - Duration::from_secs(20 * 24 * 3600);
    for entry in fs::read_dir(folder).unwrap().flatten() {
        File::open(entry.path()).unwrap().set_modified(then).unwrap();
    }
}

#[test]
#[ignore = "writes plots/board.png"]
fn the_board() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        let address = "#/play?with=level:amateur&line=CdEaBcBaDaEaCcDfBdEb";
        page.open(&scene.server, address, "button[data-pit='A']").await;
        page.js("localStorage.setItem('ayo.speed', '2')").await;
        page.client().refresh().await.unwrap();
        board.turn().await;
        board.payoffs().await;
        page.js("$('#choose-game').closest('details').open = false").await;
        take(page, "board.png", ".table-top").await;
    });
}

#[test]
#[ignore = "writes plots/run-page.png"]
fn a_run() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let page = &scene.page;
        page.set_media("light").await;
        age(&scene.stage.learned("learned"));
        page.open(&scene.server, "#/runs/learned", "[data-chart='fitness'] canvas").await;
        page.wait("the champion", "$('#champion-weights')").await;
        page.wait(
            "all curves",
            "$$('.chart-slot:not([hidden])').every(it => it.querySelector('canvas, .absent'))",
        )
        .await;
        take(page, "run-page.png", ".chart-slot").await;
    });
}
