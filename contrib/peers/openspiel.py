#!/usr/bin/env python3
"""Plays the moves of OpenSpiel's Monte Carlo tree search, with one random playout per simulation.

    pip install open-spiel
    ayo match beginner 'uci:cmd="contrib/peers/openspiel.py --simulations 1000",timeout=60s' \\
        --openings random:10,plies=6 --threads 1
    contrib/peers/openspiel.py --check-rules 1000
"""

import argparse
import json
import os
import random
import subprocess
import sys

import pyspiel
from protocol import LETTERS, serve

GAME = pyspiel.load_game("oware")


class Player:
    def __init__(self, simulations, seed):
        self.simulations = simulations
        self.seed = seed
        self.new_game()

    def new_game(self):
        playouts = pyspiel.RandomRolloutEvaluator(1, self.seed)
        # The exploration constant and the proof of solved positions are those of OpenSpiel's own examples.
        self.bot = pyspiel.MCTSBot(GAME, playouts, 2.0, self.simulations, 1000, True, self.seed, False)

    def choose(self, line, _limits):
        state = GAME.new_initial_state()
        for letter in line:
            state.apply_action(LETTERS.index(letter) % 6)
        if state.is_terminal():
            return None
        return state.action_to_string(state.current_player(), self.bot.step(state))


def random_game(rng):
    """Returns the moves of a random game and both sides' final seeds."""
    state, line = GAME.new_initial_state(), ""
    while not state.is_terminal():
        action = rng.choice(state.legal_actions())
        line += state.action_to_string(state.current_player(), action)
        state.apply_action(action)
    return line, [round(48 * share) for share in state.observation_tensor(0)[12:]]


def check_rules(count, seed):
    """Replays random games of OpenSpiel in ayo. Both must end with the same move and seeds. After a majority, when only
    OpenSpiel hands out the seeds on the board, the winners are compared."""

    def agrees(line, seeds, game):
        ended = game["ok"] and game["decided"] and game["decided"]["ply"] == len(line)
        south, north = game["settled"] or (0, 0)
        majority = max(south, north) > 24
        return ended and ([south, north] == seeds or (majority and (south > north) == (seeds[0] > seeds[1])))

    rng = random.Random(seed)
    games = [random_game(rng) for _ in range(count)]
    ayo = [os.environ.get("AYO", "ayo"), "analyse", "-", "--json"]
    lines = "".join(line + "\n" for line, _ in games)
    replayed = json.loads(subprocess.run(ayo, input=lines, stdout=subprocess.PIPE, text=True).stdout)["games"]
    different = [
        f"{line}: {seeds} in OpenSpiel, {game['settled']} in ayo"
        for (line, seeds), game in zip(games, replayed, strict=True)
        if not agrees(line, seeds, game)
    ]
    print(*different, f"{count} games, {len(different)} of them differ", sep="\n")
    return bool(different)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=1000, help="simulations per move [default: 1000]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check-rules", type=int, metavar="N", help="compare N random games with ayo and stop")
    arguments = parser.parse_args()
    if arguments.check_rules:
        sys.exit(check_rules(arguments.check_rules, arguments.seed))
    player = Player(arguments.simulations, arguments.seed)
    serve(f"OpenSpiel MCTS {arguments.simulations}", player.choose, player.new_game)


if __name__ == "__main__":
    main()
