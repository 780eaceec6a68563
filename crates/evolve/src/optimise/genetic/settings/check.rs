//! Whether the settings of the genetic algorithm fit each other and the task.

use mancala::eval::Signs;
use mancala::game::{AnyGame, with_game};

use super::Setup;
use crate::optimise::genetic::choices::{FitnessSource, Selection, Share};
use crate::optimise::method::Refusal;
use crate::optimise::task::Origin;

pub(crate) fn check(setup: &Setup) -> Result<(), Refusal> {
    let checks = [
        check_game,
        check_opponents,
        check_fitness_set,
        check_elite,
        check_selection,
        check_genes,
        check_steps,
        check_founders,
    ];
    checks.iter().try_for_each(|check| check(setup))
}

fn check_game(setup: &Setup) -> Result<(), Refusal> {
    let (task, own) = (&setup.task, &setup.own);
    with_game!(task.game, game => own.openings.check(game))
        .map_err(|(opening, reason)| Refusal::new("openings", opening, reason))?;
    if task.game.name() == AnyGame::default().name() {
        return Ok(());
    }
    // One seed for all settings, so that those that fit go with any seed.
    let drawn = with_game!(task.game, game => own.openings.draw(game, 1, 1).len());
    if drawn == 0 {
        let reason = format!("no game of {} can begin so", task.game);
        return Err(Refusal::new("openings", &own.openings, reason));
    }
    if own.fitness != FitnessSource::Tournament {
        let of_ayo = format!("game is {}, and this is for ayo alone", task.game);
        return Err(Refusal::new("fitness", own.fitness, of_ayo));
    }
    Ok(())
}

/// In generation 1 there are no champions of the past yet, so that members must meet members or sparring partners.
fn check_fitness_set(setup: &Setup) -> Result<(), Refusal> {
    let own = &setup.own;
    let (population, size) = (own.population, own.fitness_set_size());
    let champions = match setup.task.origin {
        Origin::New => 0,
        Origin::Branch => own.hall_of_fame,
    };
    let others = own.sparring + champions + own.opponents.count() as u32;
    let least = usize::from(own.plays_games() && others == 0);
    if (least..=population as usize).contains(&size) {
        return Ok(());
    }
    let comes_to = match own.fitness_set {
        Share::Count(_) => String::new(),
        Share::Percent(_) => format!("of a population of {population} that is {size}; "),
    };
    let why = match own.hall_of_fame {
        0 => "",
        _ => ", since without sparring partners generation 1 has no other opponents",
    };
    let reason =
        format!("{comes_to}it must come to {least} to {population} members of the population{why}");
    Err(Refusal::new("fitness_set", own.fitness_set, reason))
}

fn check_elite(setup: &Setup) -> Result<(), Refusal> {
    let population = setup.own.population;
    if setup.own.elite_size() > population as usize {
        let reason = format!("the population has only {population} members");
        return Err(Refusal::new("elite", setup.own.elite, reason));
    }
    Ok(())
}

fn check_selection(setup: &Setup) -> Result<(), Refusal> {
    let population = setup.own.population;
    match setup.own.selection {
        Selection::Truncation(share)
            if !(1..=population as usize).contains(&share.of(population)) =>
        {
            let reason = format!("it must keep 1 to {population} members of the population");
            Err(Refusal::new("selection", setup.own.selection, reason))
        }
        Selection::Proportional
        | Selection::Rank
        | Selection::Tournament(_)
        | Selection::Truncation(_) => Ok(()),
    }
}

fn check_genes(setup: &Setup) -> Result<(), Refusal> {
    let (features, fix) = (&setup.task.features, &setup.own.fix);
    let refuse = |reason: String| Err(Refusal::new("fix", fix, reason));
    for (feature, _) in fix.weights() {
        if !features.features().contains(feature) {
            return refuse(format!("{} is not among the features {features}", feature.name()));
        }
    }
    let range = setup.own.encoding.range();
    if let Some((feature, weight)) = fix.weights().iter().find(|(_, w)| !range.contains(w)) {
        return refuse(format!(
            "{} is {weight}, but genes of encoding {} hold {} to {}{}",
            feature.name(),
            setup.own.encoding,
            range.start(),
            range.end(),
            match setup.task.signs {
                Signs::Signed => ", and signs = signed gives each the sign of its feature",
                Signs::Literal => "",
            }
        ));
    }
    if setup.free_features().next().is_none() {
        return refuse("no feature is left to evolve".into());
    }
    if setup.length_of_genes() == Some(0.0) {
        let scale = setup.own.scale;
        return refuse(format!("the fixed weights alone are as long as the scale of {scale}"));
    }
    Ok(())
}

fn check_opponents(setup: &Setup) -> Result<(), Refusal> {
    let opponents = &setup.own.opponents;
    if opponents.are_identified() {
        return Ok(());
    }
    let reason = "a run records what each stood for when it began, after a #".to_owned();
    Err(Refusal::new("opponents", opponents, reason))
}

fn check_steps(setup: &Setup) -> Result<(), Refusal> {
    let own = &setup.own;
    if own.step_floor > own.step {
        let reason = format!("it must not be longer than step, which is {:?}", own.step);
        return Err(Refusal::new("step_floor", own.step_floor, reason));
    }
    Ok(())
}

fn check_founders(setup: &Setup) -> Result<(), Refusal> {
    let own = &setup.own;
    let refuse = |reason: String| Err(Refusal::new("founders", &own.founders, reason));
    if let Err(error) = setup.founders() {
        return refuse(error.to_string());
    }
    if own.founders.0.len() > own.population as usize {
        return refuse(format!("the population has only {} members", own.population));
    }
    Ok(())
}
