//! A tour of all views and dialogues on the page.

use std::fs;

use ayo_browser::runs::until_recorded;
use ayo_browser::{Page, Scene, Stage};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::Child;

const PLAYERS: &str = "minimax:weights=learned,depth=1 minimax:weights=seeds,depth=1";

/// A learned run of seconds, with every file that such a run has.
const SHORT: &str = "--preset learned --features u1..u8 --population 6 --generations 4 --depth 2 --set panel=1 \
                     --set positions=200 --set epochs=1 --set fit_every=2 --set label_depth=1 --set gate_openings=1 \
                     --set measure_every=4 --set measure_openings=2 --set finalist_games=0";

/// Creates runs in every state, and matches. The active run's process sleeps.
pub async fn furnish(stage: &Stage) -> Child {
    stage.learned("learned");
    stage.ayo(&format!("train --quiet {SHORT} --out runs/short")).await;
    let trainer = stage.training("running", 2, 100_000);
    stage.trained("small", 1, 12).await;
    let broken = stage.run("broken");
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join("run.toml"), "this is no configuration").unwrap();
    let end = "--quiet --games-out matches";
    let line = format!("match {PLAYERS} --games 60 --sprt elo0=0,elo1=200 {end}/shallow.games");
    stage.ayo(&line).await;
    let line = format!("tournament {PLAYERS} greedy --openings plies:1 {end}/table.games");
    stage.ayo(&line).await;
    until_recorded(&stage.run("running"), |generations| generations > 0).await;
    kill(Pid::from_raw(trainer.id().unwrap() as i32), Signal::SIGSTOP).unwrap();
    trainer
}

/// Calls `check` with the name of each view and dialogue while it is shown.
pub async fn everywhere(scene: &Scene, mut check: impl AsyncFnMut(&str)) {
    let Scene { page, server, .. } = scene;
    page.play(server, "with=level:initiation&advice=weights:learned:depth=4").await;
    page.unfold(".choices").await;
    check("a new game").await;
    games(page, &mut check).await;
    dialogues(page, &mut check).await;
    runs(page, &mut check).await;
    matches(page, &mut check).await;
}

async fn game(page: &Page, setup: &str, status: &str) {
    page.visit(&format!("#/play?{setup}"), "[data-pit='A']").await;
    page.status(status).await;
}

async fn games(page: &Page, check: &mut impl AsyncFnMut(&str)) {
    let opponent = "with=level:initiation&advice=weights:learned:depth=4";
    game(page, &format!("{opponent}&line=CfDcEeAa"), "your turn").await;
    page.payoffs().await;
    page.unfold(".advice").await;
    check("payoffs").await;
    page.click("#judge").await;
    page.shown("#judged").await;
    check("judged moves").await;
    page.press("[data-ply='3']", "Showing move 3").await;
    check("an earlier move").await;
    game(page, "mode=two&from=0-0-0-0-0-1-0-0-0-0-0-0-25-22-S", "The game is over").await;
    check("a game that is over").await;
    game(page, "mode=two&game=kalah:pits=8,seeds=5&line=D", "and moves again").await;
    check("kalah").await;
    game(page, "mode=look&line=CfDc&title=A game of a match", "South is to move").await;
    check("a game that is looked at").await;
    game(page, &format!("{opponent}&line=CfDc"), "your turn").await;
    page.unfold(".choices").await;
}

async fn dialogue(page: &Page, button: &str, dialogue: &str, check: &mut impl AsyncFnMut(&str)) {
    page.click(button).await;
    page.shown(&format!("{dialogue}[open]")).await;
    check(dialogue).await;
    page.js(&format!("$('{dialogue}').close()")).await;
    page.gone("dialog").await;
}

async fn dialogues(page: &Page, check: &mut impl AsyncFnMut(&str)) {
    dialogue(page, "#cancel", "#ask-cancel", check).await;
    dialogue(page, "#retry", "#ask-retry", check).await;
    dialogue(page, "#help", "#help-dialogue", check).await;
    dialogue(page, "#start[aria-disabled=false]", "#ask-start", check).await;
    page.press("[data-ply='2']", "Showing move 2").await;
    dialogue(page, "#play-on", "#ask-play-on", check).await;
    page.answer("#paste", "#ask-paste", "yes").await;
    page.shown("#ask-paste .problem:not(:empty)").await;
    check("#ask-paste").await;
    page.js("$('#ask-paste').close()").await;
    game(page, "mode=look&line=CfDc", "South is to move").await;
    dialogue(page, "#play-on", "#ask-seats", check).await;
}

async fn runs(page: &Page, check: &mut impl AsyncFnMut(&str)) {
    page.visit("#/runs", "[data-run='broken']").await;
    page.shown("[data-run=running][data-state=running]").await;
    check("the list of runs").await;
    page.visit("#/runs/learned", "[data-run='learned'] [data-chart='fitness'] canvas").await;
    page.shown("#champion-weights").await;
    page.unfold("[data-chart='fitness'] .chart-twin").await;
    page.unfold("[data-chart='weights'] .chart-legend details").await;
    check("a run").await;
    page.visit("#/runs/short", "[data-run='short'] [data-chart='fitness'] canvas").await;
    page.unfold_all().await;
    let filled = "it => it.closest('[hidden]') || it.querySelector('tbody tr')";
    page.wait(&format!("$$('.chart-twin').every({filled})")).await;
    check("a run with all its tables").await;
    page.visit("#/runs/small", "[data-run='small']").await;
    dialogue(page, "#resume", "#resume-dialogue", check).await;
    page.visit("#/runs/running", "[data-run='running']").await;
    check("a run that is running").await;
    dialogue(page, "#stop", "#stop-dialogue", check).await;
    page.expect(&["/api/runs/broken", "/api/runs/absent", "ApiError"]);
    page.visit("#/runs/broken", ".notice.bad").await;
    check("a damaged run").await;
    page.visit("#/compare?runs=learned,small", "#differences").await;
    page.unfold_all().await;
    check("a comparison of runs").await;
    page.visit("#/begin", "#begin").await;
    page.unfold("#all-settings").await;
    check("the start of a run").await;
    page.visit("#/runs/absent", ".notice.bad").await;
    check("a run that is not there").await;
}

async fn matches(page: &Page, check: &mut impl AsyncFnMut(&str)) {
    page.visit("#/matches", "[data-match='table']").await;
    page.unfold("#start-match").await;
    page.shown("#begin-match").await;
    check("the list of matches").await;
    page.visit("#/matches/shallow", "#games-list tbody tr").await;
    page.shown("#sprt").await;
    check("a match").await;
    page.visit("#/matches/table", "#crosstable tbody tr").await;
    check("a tournament").await;
}
