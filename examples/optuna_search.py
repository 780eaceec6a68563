"""Searches for weights with Optuna; all games are played in Rust. Needs `pip install optuna`."""

import optuna

import ayo

GAMES = 50_000

optuna.logging.set_verbosity(optuna.logging.WARNING)
problem = ayo.Problem("standard", opponents=["seeds", "aalina4"], seed=1)
study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1, n_startup_trials=200))
best = None
while problem.games < GAMES:
    trials = [study.ask() for _ in range(16)]
    population = [[trial.suggest_float(name, -1, 1) for name in problem.features] for trial in trials]
    for trial, fitness in zip(trials, problem.evaluate(population, best)):
        study.tell(trial, fitness)
    best = [[study.best_params[name] for name in problem.features]]

champion = problem.evaluator(best[0])
print(problem.games, "games", champion.weights)
for opponent in ["seeds:depth=7", "aalina4:depth=5", "reference:depth=5"]:
    print(ayo.match(champion, opponent, games=1000))
