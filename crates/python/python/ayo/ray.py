"""Training on a Ray cluster: `ayo.train(..., on="ray://HOST:10001")` or `python -m ayo.ray train PRESET NAME=VALUE…`.

Ray schedules the tasks of a run, repeats those of lost nodes, and shows them on its dashboard. All nodes need the same
build of `ayo`. A sample of the answers is computed again on another node, if there is one, and compared.
"""

from __future__ import annotations

import hashlib
import secrets
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

try:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
except ModuleNotFoundError as error:
    raise ModuleNotFoundError('ayo.ray needs a package: pip install "ray[client]"', name=error.name) from error


# A task that loses more processes probably kills them itself, for example because it needs too much memory.
MAX_RETRIES = 20


class Cluster(Executor):
    """Runs tasks on the Ray cluster at `address`: "auto", "ray://HOST:10001", or "local" for this machine.

    `check` is the share of tasks that are computed twice. They are selected with a secret that nodes do not know. This
    detects a node that repeatedly computes wrong answers, but not a single wrong answer.
    """

    def __init__(self, address: str = "auto", *, check: float = 0.01) -> None:
        if not ray.is_initialized():
            ray.init(address=address, log_to_driver=False)
        # Ray repeats tasks whose node or process was lost, but not tasks that fail, because they would fail again.
        options: dict[str, Any] = {"num_cpus": 1, "max_retries": MAX_RETRIES}
        self._compute = ray.remote(**options)(_compute)
        self._compute_at = ray.remote(**options)(_compute_at)
        self._check = check
        self._secret = secrets.token_bytes(16)
        self._checks = ThreadPoolExecutor(max_workers=256)

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Computes `function(task)` on a node."""
        (task,) = args
        if self._is_checked(task):
            return self._checks.submit(self._compute_twice, function, task)
        answer = self._compute.remote(function, task)
        future: Future[Any] = answer.future()

        def cancel(future: Future[Any]) -> None:
            if future.cancelled():
                ray.cancel(answer)

        future.add_done_callback(cancel)
        return future

    def _is_checked(self, task: bytes) -> bool:
        drawn = hashlib.blake2b(task, key=self._secret, digest_size=8).digest()
        return int.from_bytes(drawn, "big") < self._check * 2**64

    def _compute_twice(self, function: Callable[[bytes], bytes], task: bytes) -> bytes:
        answer: bytes
        node, answer = ray.get(self._compute_at.remote(function, task))
        other, repeated = ray.get(self._elsewhere(node).remote(function, task))
        if repeated != answer:
            raise RuntimeError(f"nodes {node} and {other} computed different answers to the same task")
        return answer

    def _elsewhere(self, node: str) -> Any:
        # Ray's function has no type annotations.
        nodes: list[dict[str, Any]] = getattr(ray, "nodes")()
        others = [it["NodeID"] for it in nodes if it["Alive"] and it["NodeID"] != node and it["Resources"].get("CPU")]
        if not others:
            return self._compute_at
        other = NodeAffinitySchedulingStrategy(secrets.choice(others), soft=True)
        return self._compute_at.options(scheduling_strategy=other)


def _compute(function: Callable[[bytes], bytes], task: bytes) -> bytes:
    return function(task)


def _compute_at(function: Callable[[bytes], bytes], task: bytes) -> tuple[str, bytes]:
    return ray.get_runtime_context().get_node_id(), function(task)


def main(arguments: list[str]) -> None:
    """Trains like `ayo.train`: `train PRESET [NAME=VALUE…]`. Other names are `out`, `on`, `check` and `max_time`."""
    import ayo

    if len(arguments) < 2 or arguments[0] != "train" or not all("=" in it for it in arguments[2:]):
        raise SystemExit("usage: python -m ayo.ray train PRESET [on=ADDRESS] [out=DIR] [NAME=VALUE …]")
    options: dict[str, Any] = dict(it.split("=", 1) for it in arguments[2:])
    try:
        on, check = options.pop("on", "auto"), float(options.pop("check", "0.01"))
        if "max_time" in options:
            options["max_time"] = float(options["max_time"])
        run = ayo.train(arguments[1], on=Cluster(on, check=check), **options)
        print(f"run {run.folder}", flush=True)
        for event in run:
            if isinstance(event, ayo.Generation):
                print(f"generation {event.generation}: best {event.best} of {event.best_possible}", flush=True)
            elif isinstance(event, ayo.End):
                print(event.end)
    except (OSError, TypeError, ValueError) as error:
        raise SystemExit(f"ayo.ray: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
