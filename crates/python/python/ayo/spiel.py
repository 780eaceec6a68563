"""Players for OpenSpiel's game `oware`, whose rules are those of ayo. Needs open_spiel."""

from __future__ import annotations

from typing import Any

import pyspiel

from ._ayo import Player, Position


def position_of(state: Any) -> Position:
    """Returns the position of a state of OpenSpiel's `oware`, whose player 0 is South."""
    position = Position()
    for action in state.history():
        position = position.play(action)
    return position


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """A bot of OpenSpiel that plays the moves of a player of ayo, such as an `Engine`."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.player = player

    def restart(self, state: Any = None) -> None:
        """Begins a new game, at a state if one is given."""
        self.player.new_game()

    restart_at = restart

    def step(self, state: Any) -> int:
        """Returns the action of the player, the index of a pit."""
        return int(self.player.choose(position_of(state)))
