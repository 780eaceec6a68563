"""PettingZoo and OpenSpiel, if they are installed."""

import pydoc
import random
import sys
from importlib import import_module

import pytest

import ayo


def test_openspiel_is_named_if_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "ayo.spiel", raising=False)
    with pytest.raises(ModuleNotFoundError, match="pip install open_spiel"):
        import_module("ayo.spiel")
    with pytest.raises(AttributeError, match="pip install open_spiel"):
        ayo.spiel
    assert "build_tables(" in pydoc.plain(pydoc.render_doc(ayo))


@pytest.mark.parametrize("game", ["ayo", "kalah"])
def test_pettingzoo(game):
    pytest.importorskip("pettingzoo")
    from ayo.envs import Mancala
    from pettingzoo.test import api_test

    api_test(Mancala(game), num_cycles=300)
    with pytest.raises(ValueError, match="render_mode"):
        Mancala(game, render_mode="human")
    with pytest.raises(ValueError, match=r"reset\(\)"):
        Mancala(game).step(0)
    with pytest.raises(ValueError, match="East"):
        Mancala(game).observe("East")
    environment = Mancala(game)
    environment.reset()
    for action in (None, "x", 1.5):
        with pytest.raises(TypeError, match=f"the action is {action!r}"):
            environment.step(action)


def perft(state, depth):
    if depth == 0 or state.is_terminal():
        return int(depth == 0)
    return sum(perft(state.child(action), depth - 1) for action in state.legal_actions())


def test_openspiel_has_the_same_rules():
    pyspiel = pytest.importorskip("pyspiel")
    game, rng = pyspiel.load_game("oware"), random.Random(1)
    assert [perft(game.new_initial_state(), depth) for depth in range(5)] == [ayo.Position().perft(d) for d in range(5)]
    for _ in range(200):
        state, position = game.new_initial_state(), ayo.Position()
        while not state.is_terminal():
            assert [int(move) for move in position.legal_moves()] == state.legal_actions()
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            position = position.play(action)
        winner = {1.0: "South", -1.0: "North", 0.0: None}[state.returns()[0]]
        assert position.result.winner == winner, (str(state), position.line, position.result)


def test_a_bot_beats_openspiels_search():
    pyspiel = pytest.importorskip("pyspiel")
    from ayo.spiel import Bot

    game, points = pyspiel.load_game("oware"), 0.0
    for side in (0, 1):
        mcts = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, 200, 10, False, 1, False)
        bots = [Bot(ayo.Engine("learned", depth=5, tables="off")), mcts]
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player() ^ side].step(state))
        points += state.returns()[side]
    assert points == 2


def test_openspiel_plays_its_bots():
    pyspiel = pytest.importorskip("pyspiel")
    from ayo.spiel import Bot

    bots = [Bot(ayo.Engine("seeds", depth=3, tables="off")), pyspiel.make_uniform_random_bot(1, 7)]
    assert pyspiel.evaluate_bots(pyspiel.load_game("oware").new_initial_state(), bots, 3) == [1.0, -1.0]
    state = pyspiel.load_game("oware").new_initial_state()
    state.apply_action(2)
    bots[0].restart_at(state)
    assert bots[0].step(state) in state.legal_actions()


def test_a_bot_refuses_other_games_and_other_players():
    pyspiel = pytest.importorskip("pyspiel")
    from ayo.spiel import Bot

    for player in ("learned", None):
        with pytest.raises(TypeError, match="Player"):
            Bot(player)
    bot = Bot(ayo.Engine("seeds", depth=1, tables="off"))
    for game in ("tic_tac_toe", "mancala", "oware(num_seeds_per_house=3)"):
        with pytest.raises(ValueError, match="oware"):
            bot.step(pyspiel.load_game(game).new_initial_state())
    assert bot.step(pyspiel.load_game("oware(num_seeds_per_house=4)").new_initial_state()) in range(6)
