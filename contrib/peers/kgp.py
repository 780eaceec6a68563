#!/usr/bin/env python3
"""Plays Kalah on a server of the Kalah Game Protocol with `ayo bestmove`.

    contrib/peers/kgp.py kalah.example.org:2671 --player engine:movetime=1s --name ayo --token SECRET

The protocol is described in the folder `spec` of https://github.com/KWARC/kalah-game. This client plays in the mode
"freeplay". The server shows each board with this client as South and stops the search when the time is over. A greedy
move is therefore sent first and the player's move, once it is known, replaces it. Boards that ayo does not support
(more than 8 pits per side, or a number of seeds that is not a multiple of the number of pits) get the greedy move only.
"""

import argparse
import json
import re
import socket
import subprocess
import sys
import threading

COMMAND = re.compile(r"(?:(\d+)?(?:@(\d+))?\s+)?([A-Za-z0-9]+)\s*(.*)")
BOARD = re.compile(r"<\d{1,5}(?:,\d{1,5})+>$", re.ASCII)
MAX_LINE = 1 << 14
MAX_SEARCHES = 4  # at the same time


def read_board(text):
    """Returns the stores and rows of a board, South's first, or None if the text is not a board."""
    if not BOARD.match(text) or len(text) > MAX_LINE:
        return None
    pits, *seeds = map(int, text[1:-1].split(","))
    if pits < 1 or len(seeds) != 2 * pits + 2:
        return None
    return seeds[:2], [seeds[2:2 + pits], seeds[2 + pits:]]


def greedy(rows):
    """Returns the pit (from 1) whose move ends in the store, else the rightmost one with seeds, or None."""
    pits, south = len(rows[0]), rows[0]
    legal = [pit for pit in range(pits) if south[pit] > 0]
    again = [pit for pit in legal if south[pit] % (2 * pits + 1) == pits - pit]
    return (again or legal)[-1] + 1 if legal else None


def position(stores, rows):
    """Returns the game and the position as ayo writes them, or None if ayo does not support the board."""
    pits, total = len(rows[0]), sum(stores) + sum(map(sum, rows))
    if pits > 8 or total % (2 * pits) or not 1 <= total // (2 * pits) <= 24:
        return None
    fields = [*rows[0], stores[0], *rows[1], stores[1], 1]
    return f"kalah:pits={pits},seeds={total // (2 * pits)}", "-".join(map(str, fields))


class Client:
    def __init__(self, connection, arguments):
        self.connection, self.arguments = connection, arguments
        self.lock, self.next_id, self.searches = threading.Lock(), 1, {}

    def send(self, command, ref=None):
        with self.lock:
            line = f"{self.next_id}{f'@{ref}' if ref else ''} {command}"
            self.next_id += 2
            if self.arguments.verbose:
                print(">", repr(line), file=sys.stderr)
            self.connection.sendall((line + "\r\n").encode())

    def search(self, ref, process):
        """Sends the player's move when its process ends, and says that there will be no better one."""
        output, error = process.communicate()
        with self.lock:
            if self.searches.get(ref) is not process:
                return  # The server has stopped the search.
            del self.searches[ref]
        if process.returncode == 0:
            self.send(f"move {ord(json.loads(output)['move']) - ord('A') + 1}", ref)
        else:
            print(f"kgp.py: ayo bestmove: {error.strip()}", file=sys.stderr)
        self.send("yield", ref)

    def state(self, ref, text):
        board = read_board(text)
        if board is None:
            return self.send('error "not a board"', ref)
        stores, rows = board
        move = greedy(rows)
        if move is None:
            return
        self.stop(ref)
        self.send(f"move {move}", ref)
        supported = position(stores, rows) if len(self.searches) < MAX_SEARCHES else None
        if supported is None or sum(seeds > 0 for seeds in rows[0]) == 1 or not any(rows[1]):
            self.send("yield", ref)
            return
        game, where = supported
        command = [self.arguments.ayo, "bestmove", "--json", "--game", game, "--position", where]
        command += ["--player", self.arguments.player]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with self.lock:
            self.searches[ref] = process
        threading.Thread(target=self.search, args=(ref, process), daemon=True).start()

    def stop(self, ref):
        with self.lock:
            process = self.searches.pop(ref, None)
        if process is not None:
            process.kill()
            process.wait()

    def begin(self, version):
        if version.split()[:1] != ["1"]:
            sys.exit(f"kgp.py: the server speaks version {version[:40]!r} of the protocol, not 1")
        self.send(f"set info:name {json.dumps(self.arguments.name)}")
        if self.arguments.token:
            self.send(f"set auth:token {json.dumps(self.arguments.token)}")
        self.send("mode freeplay")

    def run(self):
        with self.connection.makefile(encoding="utf-8", errors="replace", newline="\n") as lines:
            for line in iter(lambda: lines.readline(MAX_LINE), ""):
                if self.arguments.verbose:
                    print("<", repr(line.strip()), file=sys.stderr)
                match = COMMAND.match(line.strip())
                number, ref, command, rest = match.groups() if match else [""] * 4
                if command == "kgp":
                    self.begin(rest)
                elif command == "state":
                    self.state(number, rest)
                elif command == "stop":
                    self.stop(ref)
                elif command == "ping":
                    self.send(f"pong {rest}".strip(), number)
                elif command == "error":
                    print(f"kgp.py: the server reports {rest[:200]!r}", file=sys.stderr)
                elif command == "goodbye":
                    break

    def end(self):
        for ref in list(self.searches):
            self.stop(ref)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", metavar="HOST:PORT")
    parser.add_argument("--player", default="engine:movetime=1s", metavar="SPEC", help="player of ayo")
    parser.add_argument("--ayo", default="ayo", metavar="PROGRAM")
    parser.add_argument("--name", default="ayo")
    parser.add_argument("--token", help="identifies this client over several connections")
    parser.add_argument("--verbose", action="store_true", help="print the commands of both sides")
    arguments = parser.parse_args()
    host, _, port = arguments.server.rpartition(":")
    try:
        with socket.create_connection((host, int(port))) as connection:
            client = Client(connection, arguments)
            try:
                client.run()
            finally:
                client.end()
    except (OSError, ValueError) as error:
        sys.exit(f"kgp.py: {arguments.server}: {error}")


if __name__ == "__main__":
    main()
