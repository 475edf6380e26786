#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golly's bgolly as an independent oracle for rules that do not count: random rules of every notation on random soups in
an unbounded plane, all cells compared, and the canonical notation. Usage: golly_rules_test.py MOOREA [CASES]"""
import base64
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

moorea = sys.argv[1]
cases = int(sys.argv[2]) if len(sys.argv) > 2 else 60
LETTERS = ["", "ce", "aceikn", "aceijknqry", "aceijknqrtwyz", "aceijknqry", "aceikn", "ce", ""]

if not shutil.which("bgolly"):
    print("skipped: bgolly is not installed (Debian package golly)")
    sys.exit(77)


def counts(chance, letters, largest):
    """Counts, each with some letters, as people write them: in any order, or by those that are left out."""
    text = ""
    for count in range(largest + 1):
        if random.random() >= chance:
            continue
        text += str(count)
        known = LETTERS[count] if letters else ""
        if known and random.random() < 0.7:
            some = random.sample(known, random.randint(1, len(known) - 1))
            text += random.choice(["", "-"]) + "".join(some)
    return text


def isotropic():
    return f"B{counts(0.4, True, 8).replace('0', '')}/S{counts(0.5, True, 8)}"


def von_neumann():
    return f"B{counts(0.5, False, 4).replace('0', '')}/S{counts(0.5, False, 4)}V"


def hexagonal():
    return f"B{counts(0.5, False, 6).replace('0', '')}/S{counts(0.5, False, 6)}H"


def random_map(bits):
    def make():
        # Birth without neighbours would fill the plane: the first bit is 0
        number = random.getrandbits(bits) & random.getrandbits(bits) & ~(1 << (bits - 1))
        return "MAP" + base64.b64encode(number.to_bytes(bits // 8, "big")).decode().rstrip("=")
    return make


def soup(rule):
    width, height = random.randint(1, 40), random.randint(1, 40)
    rows = ["".join(random.choice("bo") for _ in range(width)) for _ in range(height)]
    return f"x = {width}, y = {height}, rule = {rule}\n{'$'.join(rows)}!\n"


def cells(text):
    """Live cells of an RLE file, relative to the first row and column of them."""
    x = y = 0
    found, rule = set(), ""
    body = "".join(line for line in text.splitlines() if not line.startswith(("#", "x")))
    for line in text.splitlines():
        if line.startswith("x"):
            rule = re.search(r"rule = (\S+)", line)[1]
    for number, tag in re.findall(r"(\d*)([bo.$!A])", body):
        times = int(number or 1)
        if tag == "$":
            x, y = 0, y + times
        elif tag == "!":
            break
        else:
            if tag in "oA":
                found.update((x + i, y) for i in range(times))
            x += times
    left, top = min((c[0] for c in found), default=0), min((c[1] for c in found), default=0)
    return {(a - left, b - top) for a, b in found}, rule


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: {result.stdout}{result.stderr}")


random.seed(20261124)
kinds = [isotropic, isotropic, von_neumann, hexagonal, random_map(512), random_map(128), random_map(32)]
different = []
with tempfile.TemporaryDirectory() as folder:
    start, ours, theirs = (str(pathlib.Path(folder) / name) for name in ("start.rle", "ours.rle", "theirs.rle"))
    for case in range(cases):
        rule = kinds[case % len(kinds)]()
        pathlib.Path(start).write_text(soup(rule))
        generations = str(random.randint(1, 24))
        run(moorea, "run", start, "-g", generations, "-o", ours)
        run("bgolly", "-m", generations, "-o", theirs, start)
        mine, name = cells(pathlib.Path(ours).read_text())
        golly, known = cells(pathlib.Path(theirs).read_text())
        if mine != golly:
            different.append(f"{rule}: {len(mine)} cells, {len(golly)} of bgolly after {generations} generations")
        elif not known.startswith("MAP") and name != known and sorted(name) != sorted(known):
            different.append(f"{rule}: canonically {name}, and {known} of bgolly")
print(f"{cases} rules compared")
if different:
    sys.exit("\n".join(different))
