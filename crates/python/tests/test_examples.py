"""The examples of other optimisers, with fewer games, and the documentation of the package."""

import importlib.util
import inspect
from pathlib import Path

import pytest

import ayo

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(("name", "package"), [("cma_es", "cma"), ("optuna_search", "optuna")])
def test_an_example(name, package, capsys):
    pytest.importorskip(package)
    text = (EXAMPLES / f"{name}.py").read_text()
    assert text.count("50_000") == 1 and text.count("games=1000") == 1
    exec(text.replace("50_000", "1").replace("games=1000", "games=2"), {})
    assert capsys.readouterr().out.count("MatchResult") == 3


def public(owner):
    return [(name, value) for name, value in vars(owner).items() if not name.startswith("_")]


def test_everything_is_documented():
    modules = [ayo, ayo.log]
    for needed, module in [("pettingzoo", "ayo.envs"), ("pyspiel", "ayo.spiel")]:
        modules += [importlib.import_module(module)] if importlib.util.find_spec(needed) else []
    missing = []
    for module in modules:
        items = [it for it in public(module) if getattr(it[1], "__module__", "").startswith("ayo")]
        for name, item in items:
            members = public(item) if inspect.isclass(item) else []
            fields = getattr(item, "__dataclass_fields__", {})
            missing += [name] if not item.__doc__ else []
            missing += [f"{name}.{it}" for it, value in members if it not in fields and not value.__doc__]
    assert missing == []
