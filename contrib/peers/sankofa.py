#!/usr/bin/env python3
"""Plays the moves that Sankofa (https://github.com/YTPLGMVQ/Sankofa) recommends on its page.

SANKOFA names the program, built as its README says. It searches --seconds on one thread and
ignores the limits after `go`.

    export SANKOFA=$HOME/go/bin/sankofa
    ayo match initiation 'uci:cmd="contrib/peers/sankofa.py --seconds 0.1"' --openings random:10,plies=6 --threads 1
"""

import argparse
import os
import re
import socket
import subprocess
import time
import urllib.request

from protocol import serve

START = "1224204106872"  # Sankofa's number of the start


def free_address():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return "127.0.0.1:%d" % listener.getsockname()[1]


def wait_for(address):
    host, port = address.split(":")
    for _ in range(100):
        try:
            return socket.create_connection((host, int(port)), 1).close()
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"sankofa.py: {os.environ['SANKOFA']} does not listen on {address}")


def choose(address, line):
    """Returns the move after the current one in the table of the game."""
    path = "/".join(["", START, *line])
    with urllib.request.urlopen(f"http://{address}{path}") as answer:
        page = answer.read().decode()
    pits = "a-f" if len(line) % 2 else "A-F"
    move = re.search(rf'class="cont"[^>]*>([{pits}])\b', page) or re.search(f"after moving ([{pits}])", page)
    return move and move[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.1, help="time per move [default: 0.1]")
    arguments = parser.parse_args()
    if "SANKOFA" not in os.environ:
        parser.error("set SANKOFA to the program")
    address = free_address()
    options = ["-g", "1", "-i", address, "-t", str(arguments.seconds), "-d", os.devnull]
    server = subprocess.Popen([os.environ["SANKOFA"], *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(address)
        serve("Sankofa", lambda line, _limits: choose(address, line))
    finally:
        server.kill()


if __name__ == "__main__":
    main()
