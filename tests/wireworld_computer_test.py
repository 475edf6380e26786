#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A published fact about WireWorld: the computer by David Moore and Mark Owen (https://www.quinapalus.com/wi-index.html), which comes with
Golly, displays the prime numbers in decimal, by seven segments a digit. Its segments are read where electrons run through them.
Usage: wireworld_computer_test.py MOOREA"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMPUTER = pathlib.Path("/usr/share/golly/Patterns/WireWorld/primes.mc")
# Generations at which a number has been there for a while
PRIMES = {30000: 3, 120000: 5, 200000: 7, **({410000: 11} if os.environ.get("MOOREA_TEST_ALL") else {})}
DIGITS = (164, 255, 346, 437, 528)  # middles of the digits, from the left of all cells
SEGMENTS = {  # left, top, right and bottom of a part of each, from the middle of its digit and the top of all cells
    "a": (-10, 2, 6, 12), "b": (9, 16, 18, 32), "c": (10, 52, 22, 68), "d": (-10, 73, 6, 84),
    "e": (-31, 52, -22, 68), "f": (-29, 16, -20, 32), "g": (-10, 35, 6, 46)}
NUMERALS = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg")
LIT = 25  # electrons in a part of a segment; there are none in a dark one


def electrons(path):
    """Places of electrons, from the top left cell on, and of no other cells."""
    found, x, y = set(), 0, 0
    body = "".join(line for line in path.read_text().splitlines() if line[:1] not in "#x")
    for count, tag in re.findall(r"(\d*)([.ABC$])", body):
        count = int(count or 1)
        if tag == "$":
            x, y = 0, y + count
            continue
        if tag in "AB":
            found.update((x + i, y) for i in range(count))
        x += count
    return found


def shown(cells):
    number = 0
    for middle in DIGITS:
        def is_lit(segment):
            left, top, right, bottom = SEGMENTS[segment]
            return sum((middle + x, y) in cells for x in range(left, right) for y in range(top, bottom)) > LIT
        segments = "".join(filter(is_lit, SEGMENTS))
        if segments not in NUMERALS:
            return f"{number} and segments {segments}"
        number = 10 * number + NUMERALS.index(segments)
    return number


if not COMPUTER.exists():
    print("skipped: Golly's patterns are not installed (Debian package golly-data)")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    world, generation = COMPUTER, 0
    for goal, prime in PRIMES.items():
        later = pathlib.Path(folder) / f"{goal}.rle"
        subprocess.run([sys.argv[1], "run", str(world), "-g", str(goal - generation), "-o", str(later)], check=True, stdout=subprocess.DEVNULL)
        world, generation = later, goal
        number = shown(electrons(later))
        print(f"generation {goal}: {number}")
        if number != prime:
            sys.exit(f"generation {goal}: the display has {number} instead of {prime}")
