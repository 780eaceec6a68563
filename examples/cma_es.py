"""Searches for weights with CMA-ES in Python; all games are played in Rust. Needs `pip install cma`."""

import cma
import numpy as np

import ayo

GAMES = 50_000

problem = ayo.Problem("standard", seed=1)
search = cma.CMAEvolutionStrategy(np.zeros(len(problem.features)), 1.0, {"popsize": 16, "seed": 1, "verbose": -9})
while problem.games < GAMES:
    population = search.ask()
    # Members play the mean and each other, which get stronger with them.
    search.tell(population, -problem.evaluate(population, [search.mean, *population[:5]]))

champion = problem.evaluator(search.mean)
print(problem.games, "games", champion.weights)
for opponent in ["seeds:depth=7", "aalina4:depth=5", "reference:depth=5"]:
    print(ayo.match(champion, opponent, games=1000))
