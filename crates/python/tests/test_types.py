"""The types of the package, if mypy is installed."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFIGURATION = Path(__file__).parents[1] / "pyproject.toml"


@pytest.mark.parametrize("command", [["mypy"], ["mypy.stubtest", "ayo._ayo", "--ignore-missing-stub"]])
def test_types(command):
    pytest.importorskip("mypy")
    option = "--config-file" if command == ["mypy"] else "--mypy-config-file"
    command = [sys.executable, "-m", *command, option, str(CONFIGURATION)]
    checked = subprocess.run(command, cwd=CONFIGURATION.parent, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
