"""Players for OpenSpiel's game `oware`, which has the same rules as ayo. Needs open_spiel."""

from __future__ import annotations

from typing import Any

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("ayo.spiel needs a package: pip install open_spiel", name=error.name) from error

from ._ayo import Player, Position


def position_of(state: Any) -> Position:
    """Returns the position in a state of OpenSpiel's `oware`. Its player 0 is South.

    Raises `ValueError` if the state is of another game, or of `oware` with another board.
    """
    game = state.get_game()
    if game.get_type().short_name != "oware" or game.get_parameters() != pyspiel.load_game("oware").get_parameters():
        raise ValueError(f"the state is of the game {game}, not oware()")
    position = Position()
    for action in state.history():
        position = position.play(action)
    return position


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """An OpenSpiel bot that plays the moves of an ayo player, such as an `Engine`."""

    def __init__(self, player: Player) -> None:
        super().__init__()
        if not isinstance(player, Player):
            raise TypeError(f"a Bot needs a Player, such as an Engine, not {player!r}")
        self.player = player

    def restart(self, state: Any = None) -> None:
        """Begins a new game, from `state` if it is given."""
        self.player.new_game()

    restart_at = restart

    def step(self, state: Any) -> int:
        """Returns the player's action, which is the index of a pit."""
        return int(self.player.choose(position_of(state)))
