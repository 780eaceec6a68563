//! Payoffs, and games with both sides entered by hand.

use ayo_browser::board::Board;
use ayo_browser::{Scene, Screen, Stage, in_browser};
use serde_json::{Value, json};

const LINE: &str = "CfDcEe";

/// Returns the values of South's moves as printed by `ayo play`.
async fn of_terminal(stage: &Stage, player: &str) -> Vec<(String, i64)> {
    use tokio::io::AsyncWriteExt;

    let mut command = stage.command(&["play", "--player", player, "--line", LINE]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(b"payoff\nquit\n").await.unwrap();
    let output = process.wait_with_output().await.unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let lines = said.lines().filter_map(|line| line.trim().split_once(char::is_whitespace));
    let is_pit = |it: &str| it.len() == 1 && it.chars().all(|letter| letter.is_ascii_alphabetic());
    let moves = lines.filter(|(pit, _)| is_pit(pit));
    // The value in seeds follows.
    let value = |text: &str| text.split_whitespace().next()?.parse().ok();
    moves.filter_map(|(pit, text)| Some((pit.to_owned(), value(text)?))).collect()
}

#[test]
fn payoffs_are_those_of_the_terminal() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        let address =
            format!("#/play?with=level:initiation&advice=weights:learned:depth=5&line={LINE}");
        page.open(&scene.server, &address, "button[data-pit='A']").await;
        board.turn().await;
        // They are hidden until requested.
        assert_eq!(page.js("$('.payoffs').hidden").await, true);
        let shown = board.payoffs().await;
        let values: Vec<_> = shown.iter().map(|(pit, value, _)| (pit.clone(), *value)).collect();
        let player = "minimax:weights=learned,depth=5";
        assert_eq!(of_terminal(&scene.stage, player).await, values);
        let body = json!({ "line": LINE, "player": { "weights": "learned", "depth": 5 } });
        let answer = scene.server.post("/api/payoff", &body).await;
        let moves = answer["moves"].as_array().unwrap().iter();
        let told: Vec<_> = moves
            .map(|it| {
                (
                    it["pit"].as_str().unwrap().to_owned(),
                    it["value"].as_i64().unwrap(),
                    it["gain"].as_i64().unwrap(),
                )
            })
            .collect();
        assert_eq!(told, shown);
        let chosen = scene.stage.ayo(&["move", "--json", "--player", player, "--line", LINE]).await;
        let chosen: Value = serde_json::from_str(&chosen).unwrap();
        let best = page.js("$('.payoff:has(.mark.best)').dataset.payoff").await;
        assert_eq!(chosen["move"], best);
        let best = best.as_str().unwrap().to_owned();
        assert!(values.contains(&(best.clone(), chosen["score"].as_i64().unwrap())));
        assert!(page.text("#payoff-caption").await.contains(&format!("Sow {best}.")));
        assert_eq!(page.js("$('#payoff').ariaPressed").await, "true");
        // A move hides them unless they are set to stay.
        board.sow(&best).await;
        board.turn().await;
        assert_eq!(page.js("$('.payoffs').hidden").await, true);
        page.click("label:has(#keep)").await;
        page.wait("payoffs without a press", "$('.payoffs:not([hidden]) [data-value]')").await;
        board.sow(&board.open_pits().await[0]).await;
        board.turn().await;
        page.wait("payoffs of the next move", "$('.payoffs:not([hidden]) [data-value]')").await;
    });
}

/// Four seeds are left. Both values are proven under the rules of the tables; under other rules one is proven and the
/// other likely.
#[test]
fn proven_values_are_marked() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        let from = "0-1-0-0-0-1-0-0-0-0-0-2-22-22-S";
        page.open(&scene.server, "#/play?mode=two", "button[data-pit='A']").await;
        for (rules, kinds) in [("awari", ["proven", "proven"]), ("ayo", ["proven", "likely"])] {
            page.visit(
                &format!("#/play?mode=two&rules={rules}&from={from}"),
                "button[data-pit='A']",
            )
            .await;
            board.until("South's turn").await;
            let body = json!({ "rules": rules, "from": from, "player": { "weights": "learned", "depth": 9 } });
            let answer = scene.server.post("/api/payoff", &body).await;
            let moves = answer["moves"].as_array().unwrap();
            assert_eq!(moves.len(), kinds.len(), "{answer}");
            let known = moves.iter().zip(kinds).map(|(it, kind)| {
                assert!(it[kind].is_number(), "{kind} under {rules}: {answer}");
                json!([it["pit"], if kind == "proven" { "✓" } else { "≈" }])
            });
            let known: Vec<_> = known.collect();
            board.payoffs().await;
            let marks = "$$('.mark.proven').map(it => [it.closest('.payoff').dataset.payoff, it.textContent[0]])";
            assert_eq!(page.js(marks).await, json!(known));
        }
    });
}

#[test]
fn two_people_play_on_one_board() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play", "#start").await;
        board.turn().await;
        page.choose("#choose-mode", "two").await;
        page.click("#start[aria-disabled=false]").await;
        board.until("It is South's turn.").await;
        board.sow("C").await;
        assert!(board.until("It is North's turn.").await.starts_with("South sowed C: 4 seeds."));
        // A click on a pit of the other side explains why it cannot be sown.
        page.click("[data-pit='C']").await;
        board.until("It is North's turn.").await;
        board.sow("a").await;
        board.until("It is South's turn.").await;
        assert_eq!((board.line().await.as_str(), board.counter().await), ("Ca", 2));
        page.click("[data-pit='C']").await;
        board.until("C cannot be sown: the pit is empty.").await;
        // The board turns to the side to move if this is enabled.
        let below = async || page.js("$('.row-bottom [data-pit]').dataset.pit").await;
        assert_eq!(below().await, "A");
        page.click("label:has(#turning)").await;
        board.sow("D").await;
        page.wait("North's row below", "$('.row-bottom [data-pit]').dataset.pit === 'a'").await;
    });
}

#[test]
fn an_adviser_values_the_moves_of_its_side() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play?advice=weights:learned:depth=4", "#start").await;
        board.turn().await;
        page.choose("#choose-mode", "adviser").await;
        page.pick("Advise", "north").await;
        page.click("#start[aria-disabled=false]").await;
        board.until("Enter South's move.").await;
        page.click("#payoff").await;
        board.until("Payoffs are for North. Enter South's move first.").await;
        board.sow("F").await;
        board.until("It is North's turn: show the payoffs, or enter its move.").await;
        let advice = scene
            .stage
            .ayo(&["move", "--json", "--player", "minimax:weights=learned,depth=4", "--line", "F"])
            .await;
        let advice: Value = serde_json::from_str(&advice).unwrap();
        let payoffs = board.payoffs().await;
        assert!(payoffs.iter().all(|(pit, ..)| pit.chars().all(char::is_lowercase)), "{payoffs:?}");
        let best = advice["move"].as_str().unwrap();
        assert!(page.text("#payoff-caption").await.contains(&format!("Sow {best}.")));
        board.sow(best).await;
        board.until("Enter South's move.").await;
        // With both sides entered by hand, one move is taken back at a time.
        page.click("#cancel").await;
        page.click("#ask-cancel [data-answer='yes']").await;
        board.until("It is North's turn").await;
        assert_eq!(board.line().await, "F");
    });
}
