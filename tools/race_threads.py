#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""HashLife with one thread against several: seconds of moorea run --kernel hashlife --threads 1, 2, 4, ... (as many as there are
CPUs, at most 16), alternating, so that other load on the machine affects all; population, hash and box must agree. The patterns are
made by moorea from noise and from patterns/; those of Golly (Debian's golly-data) take part where they are installed, and files
named on the command line. Ends after --seconds (default 110) with as many turns as that allows. A ratio is the time of one thread
divided by that of several in the same turn; one thread takes part twice, which shows what is noise. Prints JSON, and a line per pattern on stderr.
Usage: tools/race_threads.py MOOREA [--seconds N] [FILE=GENERATIONS ...] > bench/results/tree-threads-MACHINE-DATE.json"""
import argparse
import datetime
import json
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
GOLLY = pathlib.Path("/usr/share/golly/Patterns")
MAX_THREADS, MAX_TURNS, MIN_TURNS = 16, 9, 3
PITCH, META = 2048, 2058  # distance of OTCA metapixels, whose edges overlap, and their size
GOLLY_RACES = [
    ("Turing machine", "Life/Signal-Circuitry/Turing-Machine-3-state.rle", 2**22),
    ("metapixel-galaxy", "HashLife/metapixel-galaxy.mc.gz", 2**18),
    ("mosquito5", "HashLife/mosquito5.mc", 2**24),
    ("wedge-grow", "HashLife/wedge-grow.mc", 2**30),
    ("jagged", "HashLife/jagged.mc", 2**21),
    ("demonoid-c512", "HashLife/demonoid-c512-hashlife-friendly.mc.gz", 2**20),
    ("unlimited-novelty", "HashLife/unlimited-novelty.mc", 2**19),
]


def runs_of(path):
    """Rows of an RLE file as lists of (first column, length) of live runs; row number to runs."""
    body = "".join(line for line in path.read_text().splitlines() if line[:1] not in "#x")
    rows, x, y = {}, 0, 0
    for count, kind in re.findall(r"(\d*)([bo$!])", body):
        n = int(count or 1)
        if kind == "$":
            x, y = 0, y + n
        elif kind == "o":
            rows.setdefault(y, []).append((x, n))
        x += n if kind in "bo" else 0
    return rows


def soup(moorea, path, size, seed, density=0.4, rule="B3/S23", torus=False):
    command = [moorea, "run", "--random", str(density), "--size", str(size), "--seed", str(seed), "-r", rule, "-g", "0", "-o", path]
    subprocess.run(command, check=True, capture_output=True)
    if not torus:
        pathlib.Path(path).write_text(re.sub(r":T[0-9,]+", "", pathlib.Path(path).read_text(), count=1))


def metapixels(moorea, path, side, seed):
    """A square of OTCA metapixels, alive at random, as a macrocell file: rows of bits, through a bitmap."""
    random_source = random.Random(seed)
    kinds = [runs_of(ROOT / "patterns" / f"otca-{name}.rle") for name in ("off", "on")]
    width = PITCH * (side - 1) + META
    bits = [[sum(((1 << n) - 1) << (META - x - n) for x, n in kind.get(y, [])) for y in range(META)] for kind in kinds]
    rows = [0] * width
    for tile_row in range(side):
        for tile_column in range(side):
            shift = PITCH * (side - 1 - tile_column)
            for y, row in enumerate(bits[random_source.randrange(2)]):
                rows[PITCH * tile_row + y] |= row << shift
    bytes_per_row = (width + 7) // 8
    bitmap = pathlib.Path(path).with_suffix(".pbm")
    with open(bitmap, "wb") as file:
        file.write(f"P4\n{width} {width}\n".encode())
        for row in rows:
            file.write((row << (8 * bytes_per_row - width)).to_bytes(bytes_per_row, "big"))
    subprocess.run([moorea, "convert", str(bitmap), path], check=True, capture_output=True)
    bitmap.unlink()


def scattered(moorea, path, count, extent, seed):
    """Rows that grow without end (patterns/one-row-growth.rle) at random places of a square."""
    random_source = random.Random(seed)
    (row,) = runs_of(ROOT / "patterns" / "one-row-growth.rle").values()
    cells = {(x0 + x + i, y0) for x0, y0 in ((random_source.randrange(extent), random_source.randrange(extent)) for _ in range(count))
             for x, n in row for i in range(n)}
    pathlib.Path(path).with_suffix(".lif").write_text("#Life 1.06\n" + "".join(f"{x} {y}\n" for x, y in sorted(cells)))
    subprocess.run([moorea, "convert", str(pathlib.Path(path).with_suffix(".lif")), path], check=True, capture_output=True)


MADE = [
    ("soup of 2048 square, torus", 2**11, lambda m, p: soup(m, p, 2048, 1, torus=True)),
    ("soup of 4096 square", 2**9, lambda m, p: soup(m, p, 4096, 2)),
    ("soup of 1024 square", 2**15, lambda m, p: soup(m, p, 1024, 3)),
    ("soup of 2048 square, HighLife", 2**10, lambda m, p: soup(m, p, 2048, 4, rule="B36/S23")),
    ("12 x 12 metapixels", 2**17, lambda m, p: metapixels(m, p, 12, 5)),
    ("64 growing rows", 2**16, lambda m, p: scattered(m, p, 64, 2**13, 6)),
]


class Race:
    """The times of one pattern; a turn runs it with each number of threads."""

    def __init__(self, name, path, generations):
        self.name, self.path, self.generations = name, path, generations
        self.seconds, self.answer, self.facts, self.cost = {}, None, {}, 0.0

    def turn(self, moorea, threads, number):
        begun = time.monotonic()
        entrants = [*threads, "1 again"]
        for n in entrants[number % len(entrants):] + entrants[:number % len(entrants)]:
            command = [moorea, "run", self.path, "-g", str(self.generations), "--kernel", "hashlife", "--threads", str(n).split()[0], "--json"]
            result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            answer = {key: result[key] for key in ("generation", "population", "hash", "width", "height")}
            if self.answer not in (None, answer):
                sys.exit(f"{self.name}: {n} threads have another result: {answer}, but before {self.answer}")
            self.answer, self.facts = answer, result["tree"]
            self.seconds.setdefault(n, []).append(result["seconds"])
        self.cost = time.monotonic() - begun

    def row(self):
        ratios = {n: [one / some for one, some in zip(self.seconds[1], times)] for n, times in self.seconds.items() if n != 1}
        return {"pattern": self.name, "generations": str(self.generations), "population": str(self.answer["population"]), "hash": self.answer["hash"],
                "nodes": self.facts["nodes"], "evaluations": self.facts["evaluations"], "turns": len(self.seconds[1]),
                "seconds": {str(n): {"median": statistics.median(times), "min": min(times), "max": max(times)} for n, times in self.seconds.items()},
                "ratios": {str(n): {"median": statistics.median(r), "min": min(r), "max": max(r)} for n, r in ratios.items()}}


def find_races(moorea, folder, named):
    for number, (name, generations, make) in enumerate(MADE):
        path = str(pathlib.Path(folder) / f"{number}.mc")
        make(moorea, path)
        yield Race(name, path, generations)
    for name, file, generations in GOLLY_RACES:
        if (GOLLY / file).exists():
            yield Race(name, str(GOLLY / file), generations)
    for text in named:
        path, _, generations = text.rpartition("=")
        yield Race(pathlib.Path(path).name, path, int(generations))


def measure(moorea, seconds, named):
    begun = time.monotonic()
    threads = [n for n in (1, 2, 4, 8, 16) if n <= min(MAX_THREADS, len(os.sched_getaffinity(0)))]
    if len(threads) < 2:
        sys.exit("this machine has one CPU: there is nothing to compare")
    with tempfile.TemporaryDirectory() as folder:
        races = list(find_races(moorea, folder, named))
        for turn in range(MAX_TURNS):
            for race in races:
                if time.monotonic() - begun + race.cost <= seconds:
                    race.turn(moorea, threads, turn)
    rows = [race.row() for race in races if len(race.seconds.get(1, [])) >= MIN_TURNS]
    for race in races:
        if len(race.seconds.get(1, [])) < MIN_TURNS:
            print(f"{race.name}: left out, because {seconds:g} s do not allow {MIN_TURNS} turns", file=sys.stderr)
    for row in rows:
        print(f"{row['pattern']}: {row['turns']} turns; " + ", ".join(f"threads {n}: {r['median']:.2f} ({r['min']:.2f} to {r['max']:.2f})"
                                                                     for n, r in row["ratios"].items()), file=sys.stderr)
    return {"threads": threads, "load_average": os.getloadavg()[0], "wall_seconds": time.monotonic() - begun, "results": rows}


parser = argparse.ArgumentParser(description="HashLife with one thread against several")
parser.add_argument("moorea")
parser.add_argument("named", nargs="*", metavar="FILE=GENERATIONS")
parser.add_argument("--seconds", type=float, default=110)
arguments = parser.parse_intermixed_args()
made = measure(arguments.moorea, arguments.seconds, arguments.named)
machine = json.loads(subprocess.run([arguments.moorea, "info", "--json"], check=True, capture_output=True, text=True).stdout)
print(json.dumps({"machine": machine, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), **made}, indent=2))
