"""Players for OpenSpiel's game `oware`, which has the same rules as ayo. Needs open_spiel."""

from __future__ import annotations

from typing import Any

import pyspiel

from ._ayo import Player, Position


def position_of(state: Any) -> Position:
    """Returns the position in a state of OpenSpiel's `oware`. Its player 0 is South."""
    position = Position()
    for action in state.history():
        position = position.play(action)
    return position


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """An OpenSpiel bot that plays the moves of an ayo player, such as an `Engine`."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.player = player

    def restart(self, state: Any = None) -> None:
        """Begins a new game, from `state` if it is given."""
        self.player.new_game()

    restart_at = restart

    def step(self, state: Any) -> int:
        """Returns the player's action, which is the index of a pit."""
        return int(self.player.choose(position_of(state)))
