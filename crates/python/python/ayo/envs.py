"""Environments for reinforcement learning. Needs pettingzoo."""

from __future__ import annotations

import operator
from typing import Any

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("ayo.envs needs packages: pip install numpy pettingzoo", name=error.name) from error

from ._ayo import Position


class Mancala(AECEnv):  # type: ignore[misc]
    """A PettingZoo environment of ayo or kalah with the agents "South" and "North".

    An action is the index of a pit in the agent's row. An observation has the keys `observation`, the numbers of
    `Position.seeds` of shape (2 × pits + 3,), and `action_mask` of shape (pits,). The reward is 1 for a win and -1 for
    a loss. Raises `ValueError` for an illegal action or for a `render_mode` other than "ansi".
    """

    metadata = {"name": "mancala_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game: str = "ayo", rules: str | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f'render_mode is "{render_mode}": give "ansi" or None')
        self.start = self.position = Position(game=game, rules=rules)
        self.render_mode = render_mode
        self.possible_agents = ["South", "North"]
        self.agents: list[str] = []
        self.pits = len(self.start.rows[0])
        board = spaces.Box(0, sum(self.start.seeds), (len(self.start.seeds),), np.int16)
        mask = spaces.Box(0, 1, (self.pits,), np.int8)
        self._observations = spaces.Dict(observation=board, action_mask=mask)
        self._actions = spaces.Discrete(self.pits)

    def observation_space(self, agent: str) -> Any:
        """Returns the space of the observations from `observe`."""
        return self._observations

    def action_space(self, agent: str) -> Any:
        """Returns the space of actions: pit indices from 0."""
        return self._actions

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the board and a mask of legal actions. The mask is all zeros while the other agent is to act."""
        if agent not in self.possible_agents:
            raise ValueError(f"the agent is {agent!r}, not 'South' or 'North'")
        mask = np.zeros(self.pits, np.int8)
        if agent == self.position.to_move:
            mask[[int(move) for move in self.position.legal_moves()]] = 1
        return {"observation": np.array(self.position.seeds, np.int16), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. Nothing is random, so the seed does not matter."""
        self.position, self.agents = self.start, list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict(self.terminations)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.position.to_move

    def step(self, action: int | None) -> None:
        """Plays the move of the selected agent. Raises `ValueError` if it is illegal, or if no game has begun, and
        `TypeError` if the action is not an integer."""
        if not self.agents:
            raise ValueError("there is no game: call reset() before the first step and after the end of a game")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        try:
            pit = operator.index(action)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(f"the action is {action!r}: give the index of a pit from 0 to {self.pits - 1}") from None
        self._cumulative_rewards[self.agent_selection] = 0
        self.position = self.position.play(pit)
        result = self.position.result
        self._clear_rewards()
        if result is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if result.winner is not None:
                self.rewards = {agent: 1 if agent == result.winner else -1 for agent in self.agents}
        self.agent_selection = self.position.to_move
        self._accumulate_rewards()

    def close(self) -> None:
        """Does nothing, since there is no window."""

    def render(self) -> str | None:
        """Returns the board as text if the mode is "ansi"."""
        return self.position.board() if self.render_mode == "ansi" else None
