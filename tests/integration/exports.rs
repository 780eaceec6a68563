//! Exports from run folders: their content, weights in every format, pictures, and the printed commands.

use mancala::eval::{Signs, Weights};

use crate::support::{Scratch, TINY, Training, holds};

#[cfg(unix)]
#[test]
fn the_commands_that_a_run_prints_in_the_end_work_as_they_stand() {
    let scratch = Scratch::new();
    // In a shell, this name needs quotes.
    let folder = "of today's, 1";
    let train = format!("train --preset daoud2004 --out \"{folder}\" {TINY} --generations 3");
    let out = scratch.shell(&format!("\"$0\" {train}")).success().stdout();
    let lines = out.lines().skip_while(|line| *line != "next:").skip(1);
    let next: Vec<&str> = lines.map(|line| line.split("  # ").next().unwrap()).collect();
    assert_eq!(next.len(), 5, "{out}");
    let (serve, next) = next.split_last().unwrap();
    assert!(serve.ends_with(" serve --runs ."), "{out}");
    let mut shell = scratch.command_of("sh");
    shell.args(["-c", &format!("exec {serve} --no-open <&-")]);
    let mut server = Training::start(shell);
    assert!(server.first_line().starts_with("http://127.0.0.1:"));
    assert!(server.kill());
    for command in next {
        scratch.shell(&format!("{command} <&-")).success();
    }
    assert!(scratch.path(&format!("plots/{folder}.png")).exists());
}

#[test]
fn a_run_named_like_weights_is_itself() {
    let scratch = Scratch::new();
    let out = scratch.text(&format!("train --preset daoud2004 --out seeds {TINY} --generations 3"));
    holds(&out, &["champion seeds/champion.json, fitness", "ayo export ./seeds -o champion.toml"]);
    let run = scratch.json("inspect seeds --json");
    assert_eq!(run["champion"]["weights"].as_array().unwrap().len(), 12);
    assert_eq!(scratch.text("export ./seeds"), scratch.read("seeds/champion.json"));
    let named = mancala::eval::read(&scratch.text("export seeds"), "").unwrap();
    assert_eq!(named, Weights::named("seeds").unwrap().with_signs(Signs::Signed));
}

#[test]
fn csv_files_are_played_as_in_training_with_the_options_that_export_prints() {
    let scratch = Scratch::new();
    let said = scratch.ayo("export reference -o r.csv").success().stderr();
    let options = said.trim_end().split_once("FILE:").unwrap().1;
    let search = |player: &str| scratch.text(&format!("bestmove --player {player},depth=6"));
    assert_eq!(search(&format!("r.csv:{options}")), search("minimax:weights=reference"));
    assert_ne!(search("minimax:weights=r.csv"), search("minimax:weights=reference"));
}

#[test]
fn folders_are_created_below_the_current_one_alone() {
    let scratch = Scratch::new();
    scratch.ayo("plot seeds -o pictures/of/seeds.svg").success();
    scratch.ayo("plot seeds -o ./more/./seeds.png").success();
    assert!(scratch.path("pictures/of/seeds.svg").exists() && scratch.path("more").exists());
    let missing = scratch.path("mistyped");
    for output in [missing.join("seeds.svg"), "../nowhere-at-all/seeds.svg".into()] {
        let parts = "does not exist | only folders below the current directory are created";
        for command in ["1 plot seeds", "1 export seeds --format c"] {
            scratch.refuses(command, &format!("-o {} => {parts}", output.display()));
        }
    }
    assert!(!missing.exists());
    scratch.ayo(&format!("plot seeds -o {}", scratch.path("more/2.svg").display())).success();
}
