#!/usr/bin/env python3
"""Predicts how well islands use many cores.

Reads the times of generations from the cost.csv of a run with one island, groups them into tasks of --migrate
generations, and simulates a run on cores whose speeds differ. An island's next task can start as soon as the island and
its neighbour on the ring have finished their last ones, unless the island is --lead tasks ahead of another. A free core
takes the island that is furthest behind. The efficiency is the time in which all cores together could have done the
work, divided by the time that they take.

    contrib/predict_efficiency.py populations/x/cost.csv --migrate 10 --cores 2 16 64 1000
"""

import argparse
import csv
import heapq
import random


def task_times(path, generations):
    """Returns the seconds of consecutive tasks, without the first, which includes the start of the program."""
    with open(path, newline="") as file:
        seconds = [float(row["seconds"]) for row in csv.DictReader(file)]
    tasks = range(generations, len(seconds) - generations + 1, generations)
    times = [sum(seconds[at : at + generations]) for at in tasks]
    if not times:
        raise SystemExit(f"{path}: fewer than {2 * generations} generations")
    return times


def efficiency(times, cores, islands_per_core, epochs, lead, spread, overhead, rng):
    speeds = [rng.uniform(1 - spread, 1 + spread) for _ in range(cores)]
    islands = cores * islands_per_core
    finished = [0] * islands  # the tasks that each island has finished
    running = [True] * islands
    ready = [(0, island) for island in range(islands)]
    free = [(-speed, core) for core, speed in enumerate(speeds)]
    heapq.heapify(free)
    busy = []  # (end, core, island)
    now = work = 0.0

    at = [islands] + [0] * epochs  # number of islands that have finished so many tasks
    slowest = 0

    def offer(island):
        done = finished[island]
        if not running[island] and done < min(epochs, slowest + lead) and finished[island - 1] >= done:
            running[island] = True
            heapq.heappush(ready, (done, island))

    while ready or busy:
        while ready and free:
            (_, island), (speed, core) = heapq.heappop(ready), heapq.heappop(free)
            seconds = rng.choice(times)
            work += seconds
            heapq.heappush(busy, (now + seconds / -speed + overhead, core, island))
        now, core, island = heapq.heappop(busy)
        heapq.heappush(free, (-speeds[core], core))
        at[finished[island]] -= 1
        finished[island] += 1
        at[finished[island]] += 1
        running[island] = False
        offer(island)
        offer((island + 1) % islands)
        if at[slowest] == 0:
            slowest += 1
            for other in range(islands):
                offer(other)
    return work / (now * sum(speeds))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cost", help="cost.csv of a run with one island on one thread")
    parser.add_argument("--cores", type=int, nargs="+", default=[2, 16, 64, 1000])
    parser.add_argument("--migrate", type=int, default=10, help="generations per task")
    parser.add_argument("--islands-per-core", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=100, help="tasks per island")
    parser.add_argument("--lead", type=int, default=8, help="tasks by which an island may be ahead of another")
    parser.add_argument("--spread", type=float, default=0.2, help="speeds of cores differ by this much from 1")
    parser.add_argument("--overhead", type=float, default=0.0, help="seconds per task for sending and starting it")
    options = parser.parse_args()
    times = task_times(options.cost, options.migrate)
    mean = sum(times) / len(times)
    print(f"{len(times)} tasks of {mean:.2f} s on average, {min(times):.2f} to {max(times):.2f} s")
    for cores in options.cores:
        predicted = efficiency(
            times, cores, options.islands_per_core, options.epochs, options.lead, options.spread, options.overhead,
            random.Random(cores),
        )
        print(f"{cores:5} cores: {predicted:.3f}")


if __name__ == "__main__":
    main()
