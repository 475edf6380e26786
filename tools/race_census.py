#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Soups per second of moorea census on one thread and of lifelib, the library of apgsearch, alternating, so that other load on the
machine affects both. lifelib's headers (PyPI's python-lifelib) are compiled for this machine in the program lifelib_soups.cpp. The counts of
all objects are compared: sets of soups with a puffer, which both count differently, are left out, and of all other objects one of 1,000 may
be counted differently, because lifelib's steps are approximate: a boat that something has flown by may count as a glider. A ratio is that of
both speeds in a turn. Prints JSON.
Usage: tools/race_census.py MOOREA --lifelib PYTHON --device NAME [--soups N] [--turns N]

PYTHON is an interpreter that has python-lifelib. The output is the `race` of the results of docs/census.md."""
import argparse
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).with_name("lifelib_soups.cpp")
# Makes the headers for Life, and prints the folder to include
PREPARE = """
import pathlib
import lifelib
from lifelib.autocompile import reset_tree
reset_tree("b3s23")
print(pathlib.Path(lifelib.__file__).parents[1])
print(lifelib.__version__)
"""
MAX_UNEQUAL = 1e-3
FLAGS = ["-O3", "-march=native", "-std=c++17", "-w"]


def compiled(python, folder):
    """The program, and lifelib's version."""
    include, version = subprocess.run([python, "-c", PREPARE], check=True, capture_output=True, text=True).stdout.split()[-2:]
    program = str(pathlib.Path(folder) / "lifelib_soups")
    subprocess.run(["g++", *FLAGS, f"-I{include}", str(SOURCE), "-o", program], check=True)
    return program, version


def by_moorea(moorea, root, soups):
    output = subprocess.run([moorea, "census", "--soups", str(soups), "--seed", root, "--threads", "1", "--json"], check=True, capture_output=True, text=True).stdout
    result = json.loads(output)
    return result["soups_per_second"], {each["apgcode"]: each["count"] for each in result["objects"]}


def by_lifelib(program, root, soups):
    lines = subprocess.run([program, root, str(soups)], check=True, capture_output=True, text=True).stdout.splitlines()
    speed = next(i for i, line in enumerate(lines) if line.replace(".", "").isdigit())
    return float(lines[speed]), {code: int(count) for count, code in (line.split() for line in lines[speed + 1:])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("moorea")
    parser.add_argument("--lifelib", required=True, metavar="PYTHON")
    parser.add_argument("--soups", type=int, default=40000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--device", required=True, help="name of the machine")
    options = parser.parse_args()
    turns = []
    with tempfile.TemporaryDirectory() as folder:
        program, version = compiled(options.lifelib, folder)
        left_out = 0
        while len(turns) < options.turns:
            if left_out > 3 * options.turns:
                sys.exit("most sets have a soup that does not settle: use smaller ones, with --soups")
            root = f"race{len(turns) + left_out}_"
            mine, objects = by_moorea(options.moorea, root, options.soups)
            theirs, others = by_lifelib(program, root, options.soups)
            if any(code.startswith(("PATHOLOGICAL", "zz_")) for code in {*objects, *others}):
                print(f"{root}: left out, because a soup does not settle", file=sys.stderr)
                left_out += 1
                continue
            unequal = {code: [objects.get(code, 0), others.get(code, 0)] for code in sorted({*objects, *others}) if objects.get(code) != others.get(code)}
            if sum(abs(mine - theirs) for mine, theirs in unequal.values()) > sum(objects.values()) * MAX_UNEQUAL:
                sys.exit(f"{root}: the counts differ, moorea's and lifelib's: {unequal}")
            turns.append({"root": root, "moorea": mine, "lifelib": theirs, "objects": sum(objects.values()), "unequal": unequal})
            print(f"{root}: {mine:.0f} and {theirs:.0f} soups a second, ratio {mine / theirs:.2f}", file=sys.stderr)
    revision = subprocess.run(["git", "-C", str(SOURCE.parent), "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True).stdout.strip()
    print(json.dumps({"date": datetime.date.today().isoformat(), "revision": revision, "device": options.device, "lifelib": version, "soups": options.soups, "flags": FLAGS, "left_out": left_out, "turns": turns,
                      "ratio": statistics.median(turn["moorea"] / turn["lifelib"] for turn in turns)}, indent=1))


if __name__ == "__main__":
    main()
