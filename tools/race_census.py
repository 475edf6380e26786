#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU time (user and system) of moorea census on one thread and of lifelib, the library of apgsearch, on the same soups, alternating, so
that other load on the machine affects both. lifelib's headers (PyPI's python-lifelib) are compiled for this machine with
lifelib_soups.cpp. When a soup has settled is that program's decision, by numbers that are chosen here first: of those with which at most
MAX_UNEQUAL of the objects are counted differently, the fastest ones in turns. lifelib counts few gliders and boats differently with all of
them, because it separates objects by all cells that were alive in some generations. Prints JSON, and progress on stderr.
Usage: tools/race_census.py MOOREA --device NAME [--soups N] [--turns N] [--lifelib FOLDER] > bench/results/census-race-MACHINE-DATE.json"""
import argparse
import datetime
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from processes import measured

SOURCE = pathlib.Path(__file__).with_name("lifelib_soups.cpp")
FLAGS = ["-O3", "-march=native", "-std=c++17", "-w"]
# Generations between looks at the population, for which it has to be the same, and percent of the age that are added to these
SETTLED = [(12, 240, 0), (30, 240, 0), (12, 180, 0), (12, 180, 5), (12, 120, 10), (30, 120, 10), (12, 120, 5), (30, 120, 5), (6, 120, 5), (12, 90, 5)]
MAX_UNEQUAL = 5e-4


def downloaded(folder):
    """lifelib's sources from PyPI."""
    subprocess.run([sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--no-binary", ":all:", "-d", folder, "python-lifelib"], check=True, stdout=sys.stderr)
    archive, = pathlib.Path(folder).glob("python*lifelib-*.tar.gz")
    subprocess.run(["tar", "xzf", archive, "-C", folder], check=True)
    return pathlib.Path(str(archive).removesuffix(".tar.gz"))


def by_moorea(moorea, root, soups):
    seconds, _, output = measured([moorea, "census", "--soups", str(soups), "--seed", root, "--threads", "1", "--json"])
    return seconds, {each["apgcode"]: each["count"] for each in json.loads(output)["objects"]}


def by_lifelib(program, root, soups, settled):
    seconds, _, output = measured([program, root, str(soups), *map(str, settled)])
    return seconds, {code: int(count) for count, code in (line.split() for line in output.splitlines() if re.match(r"[0-9]+ [a-zA-Z]", line))}


def unequal(mine, theirs):
    """Objects that one of both has and the other one has not, as [mine, theirs]; and their share of all."""
    differ = {code: [mine.get(code, 0), theirs.get(code, 0)] for code in sorted({*mine, *theirs}) if mine.get(code, 0) != theirs.get(code, 0)}
    return differ, sum(abs(one - other) for one, other in differ.values()) / sum(mine.values())


def fastest(moorea, program, soups, turns):
    """The numbers for lifelib, and what was measured of each."""
    times = {settled: [] for settled in SETTLED}
    errors = dict.fromkeys(SETTLED, 0)
    for turn in range(turns):
        _, mine = by_moorea(moorea, f"choose{turn}_", soups)
        for settled in SETTLED:
            seconds, theirs = by_lifelib(program, f"choose{turn}_", soups, settled)
            times[settled].append(seconds)
            errors[settled] += unequal(mine, theirs)[1] / turns
    rows = [{"settled": settled, "soups_per_second": soups / statistics.median(times[settled]), "unequal": errors[settled]} for settled in SETTLED]
    right = [row for row in rows if row["unequal"] <= MAX_UNEQUAL]
    if not right:
        sys.exit(f"race_census: lifelib counts more than {MAX_UNEQUAL} of the objects differently with all numbers: {rows}")
    return max(right, key=lambda row: row["soups_per_second"])["settled"], rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("moorea")
    parser.add_argument("--device", required=True, help="name of the machine")
    parser.add_argument("--lifelib", type=pathlib.Path, metavar="FOLDER", help="python-lifelib's sources; by default they are downloaded from PyPI")
    parser.add_argument("--soups", type=int, default=40000, help="in a turn (%(default)s)")
    parser.add_argument("--turns", type=int, default=9)
    arguments = parser.parse_args()
    version = subprocess.run([arguments.moorea, "--version"], check=True, capture_output=True, text=True).stdout
    turns = []
    with tempfile.TemporaryDirectory() as folder:
        sources = arguments.lifelib or downloaded(folder)
        release = re.search(r"^Version: (.+)$", (sources / "PKG-INFO").read_text(), re.MULTILINE)[1]
        program = str(pathlib.Path(folder) / "lifelib_soups")
        subprocess.run(["g++", *FLAGS, f"-I{sources}", str(SOURCE), "-o", program], check=True)
        settled, choice = fastest(arguments.moorea, program, arguments.soups // 2, 3)
        print(f"settled: {settled}", file=sys.stderr)
        for turn in range(arguments.turns):
            root = f"race{turn}_"
            # Each is the first one in half of the turns
            calls = [lambda: by_moorea(arguments.moorea, root, arguments.soups), lambda: by_lifelib(program, root, arguments.soups, settled)]
            found = [calls[i]() for i in ([0, 1] if turn % 2 == 0 else [1, 0])]
            (my_time, mine), (their_time, theirs) = found if turn % 2 == 0 else reversed(found)
            turns.append({"root": root, "moorea": arguments.soups / my_time, "lifelib": arguments.soups / their_time, "objects": sum(mine.values()), "unequal": unequal(mine, theirs)[0]})
            print(f"{root} {turns[-1]['moorea']:.0f} {turns[-1]['lifelib']:.0f} {len(turns[-1]['unequal'])} kinds differ", file=sys.stderr)
    ratios = [turn["moorea"] / turn["lifelib"] for turn in turns]
    print(json.dumps({"date": datetime.date.today().isoformat(), "revision": version.split()[-1], "device": arguments.device, "lifelib": release, "flags": FLAGS, "soups": arguments.soups,
                      "settled": settled, "choice": choice, "turns": turns, "ratio": statistics.median(ratios)}, indent=1))


if __name__ == "__main__":
    main()
