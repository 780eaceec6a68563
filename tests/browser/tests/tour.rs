//! A tour of all views and dialogues of the page.

use std::fs;

use ayo_browser::board::Board;
use ayo_browser::runs::{recorded, until};
use ayo_browser::{Page, Scene, Stage};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::Child;

/// Creates runs in each state, and matches. The process of the active run sleeps.
pub async fn furnish(stage: &Stage) -> Child {
    stage.learned("learned");
    let trainer = stage.training("running", 2, 100_000);
    stage.trained("small", 1, 12).await;
    let broken = stage.run("broken");
    fs::create_dir(&broken).unwrap();
    fs::write(broken.join("run.toml"), "this is no configuration").unwrap();
    let games = "matches/shallow.games";
    let players = ["minimax:weights=learned,depth=1", "minimax:weights=seeds,depth=1"];
    let sprt = "elo0=0,elo1=200";
    stage
        .ayo(&[
            "match",
            players[0],
            players[1],
            "--games",
            "60",
            "--sprt",
            sprt,
            "--quiet",
            "--games-out",
            games,
        ])
        .await;
    let third = "greedy";
    let table = "matches/table.games";
    stage
        .ayo(&[
            "tournament",
            players[0],
            players[1],
            third,
            "--openings",
            "plies:1",
            "--quiet",
            "--games-out",
            table,
        ])
        .await;
    until("the history of a run", || (recorded(&stage.run("running")) > 0).then_some(())).await;
    kill(Pid::from_raw(trainer.id().unwrap() as i32), Signal::SIGSTOP).unwrap();
    trainer
}

/// Calls `check` with the name of each view and dialogue when it is shown.
pub async fn everywhere(scene: &Scene, mut check: impl AsyncFnMut(&str)) {
    games(scene, &mut check).await;
    questions(scene, &mut check).await;
    runs(&scene.page, &mut check).await;
    matches(&scene.page, &mut check).await;
}

async fn games(scene: &Scene, check: &mut impl AsyncFnMut(&str)) {
    let (page, board) = (&scene.page, Board(&scene.page));
    let pit = "button[data-pit='A']";
    page.open(&scene.server, "#/play?with=level:initiation&advice=weights:learned:depth=4", pit)
        .await;
    board.turn().await;
    page.unfold(".choices").await;
    check("a new game").await;
    page.visit("#/play?with=level:initiation&advice=weights:learned:depth=4&line=CfDcEeAa", pit)
        .await;
    board.turn().await;
    board.payoffs().await;
    page.unfold(".advice").await;
    check("payoffs").await;
    page.click("#judge").await;
    page.wait("the judgement", "$('#judged')").await;
    check("judged moves").await;
    page.click("[data-ply='3']").await;
    board.until("Looking at move 3").await;
    check("an earlier move").await;
    page.visit("#/play?mode=two&from=0-0-0-0-0-1-0-0-0-0-0-0-25-22-S", "#status.over").await;
    check("a game that is over").await;
    page.visit("#/play?mode=two&game=kalah:pits=8,seeds=5&line=D", "[data-pit='H']").await;
    board.until("and moves again").await;
    check("kalah").await;
    page.visit("#/play?mode=look&line=CfDc&title=A game of a match", "[data-pit='A']").await;
    board.until("South is to move").await;
    check("a game that is looked at").await;
}

/// Opens a dialogue with a button, and closes it.
async fn asked(page: &Page, button: &str, dialogue: &str, check: &mut impl AsyncFnMut(&str)) {
    page.click(button).await;
    page.wait(dialogue, &format!("$('{dialogue}[open]')")).await;
    check(dialogue).await;
    page.js(&format!("$('{dialogue}').close()")).await;
    page.wait("no dialogue", "!$('dialog')").await;
}

async fn questions(scene: &Scene, check: &mut impl AsyncFnMut(&str)) {
    let (page, board) = (&scene.page, Board(&scene.page));
    page.visit(
        "#/play?with=level:initiation&advice=weights:learned:depth=4&line=CfDc",
        "button[data-pit='A']",
    )
    .await;
    board.turn().await;
    page.unfold(".choices").await;
    for (button, dialogue) in
        [("#cancel", "#ask-cancel"), ("#retry", "#ask-retry"), ("#help", "#help-dialogue")]
    {
        asked(page, button, dialogue, check).await;
    }
    asked(page, "#start[aria-disabled=false]", "#ask-start", check).await;
    page.click("[data-ply='2']").await;
    board.until("Looking at move 2").await;
    asked(page, "#play-on", "#ask-play-on", check).await;
    page.click("#paste").await;
    page.click("#ask-paste [data-answer='yes']").await;
    page.wait("what is wrong", "$('#ask-paste .problem').textContent").await;
    check("#ask-paste").await;
    page.js("$('#ask-paste').close()").await;
    page.visit("#/play?mode=look&line=CfDc", "[data-pit='A']").await;
    board.until("South is to move").await;
    asked(page, "#play-on", "#ask-seats", check).await;
}

async fn runs(page: &Page, check: &mut impl AsyncFnMut(&str)) {
    page.visit("#/runs", "[data-run='broken']").await;
    page.wait("the run that is running", "$('[data-run=running][data-state=running]')").await;
    check("the list of runs").await;
    page.visit("#/runs/learned", "[data-run='learned'] [data-chart='fitness'] canvas").await;
    page.wait("the champion", "$('#champion-weights')").await;
    check("a run").await;
    page.js("$$('#view details').forEach(it => { it.open = true; })").await;
    page.wait(
        "its tables",
        "$$('.chart-twin').every(it => it.closest('[hidden]') || it.querySelector('tbody tr'))",
    )
    .await;
    check("a run with all its tables").await;
    page.visit("#/runs/small", "[data-run='small']").await;
    asked(page, "#resume", "#resume-dialogue", check).await;
    page.visit("#/runs/running", "[data-run='running']").await;
    check("a run that is running").await;
    asked(page, "#stop", "#stop-dialogue", check).await;
    page.expect("/api/runs/broken");
    page.visit("#/runs/broken", ".notice.bad").await;
    check("a damaged run").await;
    page.visit("#/compare?runs=learned,small", "#differences").await;
    page.js("$$('#view details').forEach(it => { it.open = true; })").await;
    check("a comparison of runs").await;
    page.visit("#/begin", "#begin").await;
    page.unfold("#all-settings").await;
    check("the start of a run").await;
    page.expect("/api/runs/absent");
    page.expect("ApiError");
    page.visit("#/runs/absent", ".notice.bad").await;
    check("a run that is not there").await;
}

async fn matches(page: &Page, check: &mut impl AsyncFnMut(&str)) {
    page.visit("#/matches", "[data-match='table']").await;
    page.unfold("#start-match").await;
    page.wait("the form", "$('#begin-match')").await;
    check("the list of matches").await;
    page.visit("#/matches/shallow", "#games-list tbody tr").await;
    page.wait("the walk", "$('#sprt')").await;
    check("a match").await;
    page.visit("#/matches/table", "#crosstable tbody tr").await;
    check("a tournament").await;
}
