"""Loggers for training runs. Attach one before iterating over the run: `ayo.log.tensorboard(run, "logs/")`.

Files are appended to. A resumed run repeats the generations after its checkpoint, and the last row of each counts.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable

from ._players import Path
from ._run import Champion, End, Event, Generation, Iteration, Measurement, Run


def scalars(event: Event) -> dict[str, float]:
    """Returns the numbers of an event by name, such as `generation/best` or `strength/score`."""
    if isinstance(event, Generation):
        names = ("best", "mean", "worst", "sd", "distinct", "nodes", "seconds")
        return {f"generation/{name}": getattr(event, name) for name in names}
    if isinstance(event, Measurement):
        lost = {} if event.seeds_lost is None else {"strength/seeds_lost": event.seeds_lost}
        return {"strength/score": event.score, "strength/margin": event.margin} | lost
    if isinstance(event, Champion):
        if event.generation is None or event.score is None or event.margin is None:
            return {}
        return {"champion/score": event.score, "champion/margin": event.margin}
    if isinstance(event, Iteration):
        return {"learning/loss": event.losses[-1], "learning/positions": event.positions} if event.losses else {}
    return {}


def tensorboard(run: Run, folder: Path) -> None:
    """Writes the curves of a run for TensorBoard, one point per generation. Needs tensorboardX or PyTorch."""
    _check(run)
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ModuleNotFoundError as error:
            advice = "pip install tensorboardX, or torch and tensorboard"
            raise ModuleNotFoundError(f"ayo.log.tensorboard needs a package: {advice}", name=error.name) from error
    writer = SummaryWriter(os.path.abspath(folder))

    def write(event: Event) -> None:
        for name, value in scalars(event).items():
            writer.add_scalar(name, value, getattr(event, "generation", 0))
        if isinstance(event, End):
            writer.close()

    run.observe(write)


def mlflow(run: Run, experiment: str | None = None) -> None:
    """Logs the settings, the curves and finally the champion of a run to MLflow. Needs mlflow."""
    _check(run)
    try:
        import mlflow as ml
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("ayo.log.mlflow needs a package: pip install mlflow", name=error.name) from error
    if experiment is not None:
        ml.set_experiment(experiment)
    ml.start_run(run_name=run.folder.name)
    ml.log_params(run.settings)

    def write(event: Event) -> None:
        ml.log_metrics(scalars(event), step=getattr(event, "generation", 0))
        if isinstance(event, End):
            champion = run.folder / "champion.json"
            if champion.exists():
                ml.log_artifact(str(champion))
            ml.end_run()

    run.observe(write)


def csv(run: Run, path: Path) -> None:
    """Appends the curves of a run to a file with the columns generation, name and value. Each point is a row.

    Use one file per run, since the rows do not name the run.
    """

    def rows(event: Event) -> str:
        points = scalars(event).items()
        return "".join(f"{getattr(event, 'generation', 0)},{name},{value}\n" for name, value in points)

    _append(run, path, "generation,name,value\n", rows)


def jsonl(run: Run, path: Path) -> None:
    """Appends each event to a file as a line of JSON with the key `kind`."""

    def line(event: Event) -> str:
        return json.dumps({"kind": type(event).__name__.lower()} | dataclasses.asdict(event)) + "\n"

    _append(run, path, "", line)


def _check(run: Run) -> None:
    if not isinstance(run, Run):
        raise TypeError(f"a logger is attached to a Run, not to {run!r}")
    run._check_active()


def _append(run: Run, path: Path, header: str, lines: Callable[[Event], str]) -> None:
    """Appends the lines of each event to a file, which is opened immediately. A new file begins with the header."""
    _check(run)
    file = open(path, "a", encoding="utf-8", buffering=1)
    if file.tell() == 0:
        file.write(header)

    def write(event: Event) -> None:
        file.write(lines(event))
        if isinstance(event, End):
            file.close()

    run.observe(write)
