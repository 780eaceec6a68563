//! Payoffs, and games in which the user enters the moves of both sides.

use ayo_browser::{PAYOFFS, Scene, Screen, in_browser, retry};
use serde_json::{Value, json};

#[test]
fn payoffs_are_those_of_the_server() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        let line = "CfDcEe";
        let advice = "advice=weights:learned:depth=5";
        page.play(server, &format!("with=level:initiation&{advice}&line={line}")).await;
        assert_eq!(page.js("$('.payoffs').hidden").await, true);
        let body = json!({ "line": line, "player": { "weights": "learned", "depth": 5 } });
        let answer = server.post("/api/payoff", &body).await;
        let moves = answer["moves"].as_array().unwrap().iter();
        let known: Vec<_> = moves.map(|it| json!([it["pit"], it["value"], it["gain"]])).collect();
        assert_eq!(json!(page.payoffs().await), json!(known));
        let best = page.js("$('.payoff:has(.mark.best)').dataset.payoff").await;
        assert_eq!(answer["suggestion"], best);
        let best = best.as_str().unwrap();
        assert!(page.text("#payoff-caption").await.contains(&format!("Sow {best}.")));
        assert_eq!(page.js("$('#payoff').ariaPressed").await, "true");
        // A move hides the payoffs unless they are set to stay visible.
        page.sow_in_turn(best).await;
        assert_eq!(page.js("$('.payoffs').hidden").await, true);
        page.click("label:has(#keep)").await;
        page.shown(PAYOFFS).await;
        page.sow_in_turn(&page.open_pits().await[0]).await;
        page.shown(PAYOFFS).await;
    });
}

/// Four seeds are left. Both values are proven under the rules of the tables, but only one under other rules.
#[test]
fn proven_values_are_marked() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        let from = "0-1-0-0-0-1-0-0-0-0-0-2-22-22-S";
        page.play(server, "mode=two").await;
        for (rules, kinds) in [("awari", ["proven", "proven"]), ("ayo", ["proven", "likely"])] {
            let hash = format!("#/play?mode=two&rules={rules}&from={from}");
            page.visit(&hash, "button[data-pit='A']").await;
            page.status("South's turn").await;
            let player = json!({ "weights": "learned", "depth": 9 });
            let body = json!({ "rules": rules, "from": from, "player": player });
            // The tables may still be under construction.
            let known = retry(async || {
                let answer = server.post("/api/payoff", &body).await;
                let moves = answer["moves"].as_array().unwrap();
                assert_eq!(moves.len(), kinds.len(), "{answer}");
                let mark = |(it, kind): (&Value, &str)| {
                    let mark = if kind == "proven" { "✓" } else { "≈" };
                    it[kind].is_number().then(|| json!([it["pit"], mark]))
                };
                let known: Option<Vec<Value>> = moves.iter().zip(kinds).map(mark).collect();
                known.ok_or_else(|| format!("{kinds:?} under {rules}: {answer}"))
            })
            .await;
            page.payoffs().await;
            let marks = "$$('.mark.proven').map(it => [it.closest('.payoff').dataset.payoff, it.textContent[0]])";
            assert_eq!(page.js(marks).await, json!(known));
        }
    });
}

#[test]
fn two_people_play_on_one_board() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "").await;
        page.choose("#choose-mode", "two").await;
        page.start_game().await;
        page.status("It is South's turn.").await;
        page.sow("C").await;
        assert!(page.status("It is North's turn.").await.starts_with("South sowed C: 4 seeds."));
        // Clicking a pit of the other side explains why it cannot be sown.
        page.press("[data-pit='C']", "It is North's turn.").await;
        page.sow("a").await;
        page.status("It is South's turn.").await;
        assert_eq!((page.line().await.as_str(), page.counter().await), ("Ca", 2));
        page.press("[data-pit='C']", "C cannot be sown: the pit is empty.").await;
        // If enabled, the board turns to the side to move.
        assert_eq!(page.first_pit_below().await, "A");
        page.click("label:has(#turning)").await;
        page.sow("D").await;
        page.shown(".row-bottom [data-pit]:first-child[data-pit='a']").await;
    });
}

#[test]
fn an_adviser_values_the_moves_of_its_side() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "advice=weights:learned:depth=4").await;
        page.choose("#choose-mode", "adviser").await;
        page.pick("Advise", "north").await;
        page.start_game().await;
        page.status("Enter South's move.").await;
        page.press("#payoff", "Payoffs are shown for North. Enter South's move first.").await;
        page.sow("F").await;
        page.status("It is North's turn: show the payoffs, or enter its move.").await;
        let payoffs = page.payoffs().await;
        assert!(payoffs.iter().all(|(pit, ..)| pit.chars().all(char::is_lowercase)), "{payoffs:?}");
        let best = server.advised("F").await;
        assert!(page.text("#payoff-caption").await.contains(&format!("Sow {best}.")));
        page.sow(&best).await;
        page.status("Enter South's move.").await;
        // When the user enters both sides, one move is taken back at a time.
        page.answer("#cancel", "#ask-cancel", "yes").await;
        page.status("It is North's turn").await;
        assert_eq!(page.line().await, "F");
    });
}
