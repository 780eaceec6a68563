"""The scripts in contrib, with a substitute for the program `ayo`."""

import os
import pathlib
import socket
import subprocess
import sys
import time

import pytest

CONTRIB = pathlib.Path(__file__).parents[3] / "contrib"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the substitutes are scripts")

SCHEDULE = """
anchor = "a"
round_games = 2
matches = [["a", "b-0.5", 2], ["b-0.5", "c", 2]]
players = { a = "random", "b-0.5" = "greedy", c = "beginner" }
"""

MATCH = """
import json, sys, zlib
_, _, a, b, _, openings, *_, games, _ = sys.argv
open(games, "w").write(openings)
win = zlib.crc32(openings.encode()) % 2
pairs = {"ll": 1 - win, "ld": 0, "dd_wl": 0, "wd": 0, "ww": win}
print(json.dumps({"a": a, "b": b, "games": 2, "score": float(win), "pairs": pairs}))
"""

SEARCH = """
import os, sys, time
with open(sys.argv[0] + ".started", "a") as file:
    print(os.getpid(), file=file)
time.sleep(60)
"""


def program(path, code):
    path.write_text(f"#!{sys.executable}\n{code}")
    path.chmod(0o755)
    return str(path)


def contents(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_ladder_writes_damaged_results_again(tmp_path):
    def run(out, *options):
        command = [sys.executable, CONTRIB / "ladder.py", "--schedule", tmp_path / "schedule.toml", "--out", tmp_path / out]
        environment = os.environ | {"AYO": program(tmp_path / "ayo", MATCH)}
        return subprocess.run([*command, *options], env=environment, capture_output=True, text=True)

    (tmp_path / "schedule.toml").write_text(SCHEDULE)
    assert run("whole").returncode == 0
    whole = contents(tmp_path / "whole")
    assert len(whole) == 4 + 4 + 1
    assert run("parts").returncode == 0
    for number, damaged in enumerate(["", '{"a": "random"', "[]", "null"]):
        pair = ["a-b-0.5", "b-0.5-c"][number // 2]
        (tmp_path / "parts" / f"{pair}-{number % 2}.json").write_text(damaged)
    (tmp_path / "parts" / "ratings.json").write_text("{")
    found = run("parts")
    assert (found.returncode, found.stderr.count("is damaged")) == (0, 4)
    assert contents(tmp_path / "parts") == whole
    (tmp_path / "parts" / "a-b-0.5-0.json").unlink()
    (tmp_path / "parts" / "a-b-0.5-1.json").unlink()
    # Without games of the anchor, there are no ratings.
    assert "no games of a" in run("parts", "--rate-only").stderr


HOSTILE = [
    b"kgp 1 0 1\r\n", b" " * 16000 + b"\n", b"x" + b" " * 16000 + b"y\n", b"9" * 16000 + b"\n", b'error "\x1b[31m"\r\n',
    b"\xff\xfe\0\n", b"1 state <9999999999,0,0>\n", b"2 state <3," + b"9" * 9000 + b">\n", b"3@x ping\n", b"kgp 1 0 1",
]


def test_a_hostile_server_does_not_confuse_the_kalah_client(tmp_path):
    ayo = program(tmp_path / "ayo", SEARCH)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        command = [sys.executable, CONTRIB / "peers" / "kgp.py", address, "--ayo", ayo, "--verbose"]
        client = subprocess.Popen(command, stderr=subprocess.PIPE)
        connection, _ = server.accept()
        with connection:
            for number in range(10):
                connection.sendall(b"%d state <3,0,0,3,3,3,3,3,3>\n" % (number % 8))
            started = tmp_path / "ayo.started"
            while not started.exists() or started.read_text().count("\n") < 4:
                time.sleep(0.05)
            for line in HOSTILE:
                connection.sendall(line)
            connection.shutdown(socket.SHUT_WR)
            _, errors = client.communicate(timeout=60)
    assert client.returncode == 0 and b"Traceback" not in errors
    assert errors.decode().replace("\n", "").isprintable()
    pids = started.read_text().split()
    assert len(pids) <= 6
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
