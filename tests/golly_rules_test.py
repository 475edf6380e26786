#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golly's bgolly as an independent oracle for rules that do not count, for Generations, Larger than Life, rules of blocks and rules by transitions: random rules of
every notation, and the files of rules that come with Golly, on random soups in an unbounded plane or, with more than two
states, on a torus, all cells with their states compared, and the canonical notation. Usage: golly_rules_test.py MOOREA [CASES]"""
import base64
import itertools
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

moorea = sys.argv[1]
cases = int(sys.argv[2]) if len(sys.argv) > 2 else 80
RULES = pathlib.Path("/usr/share/golly/Rules")
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


def generations():
    """Survivals, births and the number of states, in a third of the cases on a torus, which then has the soup's size."""
    states = random.choice([3, 4, 5, 8, 25, 256, random.randint(3, 255)])
    return f"{counts(0.4, False, 8)}/{counts(0.4, False, 8).replace('0', '')}/{states}"


def larger_than_life():
    """Counts around those in noise; neighbourhoods that bgolly 3.3 knows."""
    radius, shape = random.randint(2, 9), random.choice("MNC")
    cells = {"M": (2 * radius + 1) ** 2, "N": 2 * radius * (radius + 1) + 1, "C": 3.14 * (radius + 0.5) ** 2}[shape]
    first, second = random.randint(1, int(cells / 2)), random.randint(1, int(cells / 2))
    limits = f"S{first}..{first + random.randint(0, int(cells / 3))},B{second}..{second + random.randint(0, int(cells / 3))}"
    return f"R{radius},C{random.choice([0, 0, 2, 3, 5])},M{random.randint(0, 1)},{limits},N{shape}"


def history():
    """Golly has a file for this one."""
    return "LifeHistory"


def from_file():
    """Files of rules in turn."""
    return next(names)


def automaton_of_von_neumann():
    """Golly has them built in."""
    return random.choice(["JvN29", "Nobili32", "Hutton32"])


def states_of(rule):
    return json.loads(subprocess.run([moorea, "info", "--rule", rule, "--json"], capture_output=True, check=True).stdout)["states"]


def letters(state):
    """A state in RLE, as Golly writes it."""
    if state == 0:
        return "."
    return (chr(ord("p") + (state - 25) // 24) if state > 24 else "") + chr(ord("A") + (state - 1) % 24)


def soup(rule):
    width, height = random.randint(1, 40), random.randint(1, 40)
    states = states_of(rule)
    alphabet = ["b", "o"] if states == 2 else [letters(state) for state in range(states)]
    # Enough live cells, whatever the number of states
    weights = [1] * states if states < 6 else [states, states] + [1] * (states - 2)
    rows = ["".join(random.choices(alphabet, weights, k=width)) for _ in range(height)]
    bounds = f":T{width + random.randint(0, 9)},{height + random.randint(0, 9)}" if states > 2 and random.random() < 0.3 else ""
    if rule.startswith("R"):
        # At least twice the radius, as bgolly makes smaller worlds larger
        bounds = random.choice(["", f":T{width + 20},{height + 18}", f":P{width + 18},{height + 20}"])
    return f"x = {width}, y = {height}, rule = {rule}{bounds}\n{'$'.join(rows)}!\n"


def state_of(tag):
    """The inverse of letters(), also for files of two states."""
    if tag in "bo.":
        return 1 if tag == "o" else 0
    return ord(tag[-1]) - ord("A") + 1 + (24 * (ord(tag[0]) - ord("p") + 1) if len(tag) == 2 else 0)


def cells(text):
    """Cells of an RLE file that are not dead, with their states, relative to the first row and column of them."""
    x = y = 0
    found, rule = {}, ""
    body = "".join(line for line in text.splitlines() if not line.startswith(("#", "x =")))
    for line in text.splitlines():
        if line.startswith("x ="):
            rule = re.search(r"rule = (\S+)", line)[1]
    for number, tag in re.findall(r"(\d*)([p-y]?[A-X]|[bo.$!])", body):
        times = int(number or 1)
        if tag == "$":
            x, y = 0, y + times
        elif tag == "!":
            break
        else:
            if state_of(tag) != 0:
                found.update(((x + i, y), state_of(tag)) for i in range(times))
            x += times
    return moved(found), rule


def moved(found):
    """Cells relative to the first row and column of them."""
    left, top = min((c[0] for c in found), default=0), min((c[1] for c in found), default=0)
    return {(a - left, b - top): state for (a, b), state in found.items()}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: {result.stdout}{result.stderr}")


random.seed(20261124)
names = itertools.cycle(sorted(path.stem for path in RULES.glob("*.rule")))
kinds = [larger_than_life, history, isotropic, isotropic, von_neumann, hexagonal, generations, from_file, generations, from_file, generations, random_map(512), automaton_of_von_neumann, larger_than_life, random_map(128), random_map(32)]
different = []
with tempfile.TemporaryDirectory() as folder:
    start, ours, theirs = (str(pathlib.Path(folder) / name) for name in ("start.rle", "ours.rle", "theirs.rle"))
    for case in range(cases):
        kind = kinds[case % len(kinds)]
        rule = kind()
        pathlib.Path(start).write_text(soup(rule))
        generations_to_run = str(random.randint(1, 40))
        run(moorea, "run", start, "-g", generations_to_run, "-o", ours)
        algorithm = {generations: ["-a", "Generations"], larger_than_life: ["-a", "Larger than Life"], from_file: ["-a", "RuleLoader", "-s", f"{RULES}/"], history: ["-a", "RuleLoader", "-s", f"{RULES}/"], automaton_of_von_neumann: ["-a", "JvN"]}.get(kind, [])
        run("bgolly", *algorithm, "-m", generations_to_run, "-o", theirs, start)
        mine, name = cells(pathlib.Path(ours).read_text())
        golly, known = cells(pathlib.Path(theirs).read_text())
        if mine != golly:
            different.append(f"{rule}: {len(mine)} cells, {len(golly)} of bgolly after {generations_to_run} generations")
        elif kind not in (from_file, larger_than_life) and not known.startswith("MAP") and name != known and sorted(name) != sorted(known):
            different.append(f"{rule}: canonically {name}, and {known} of bgolly")
    # Rules of blocks: Golly has files that emulate them with two more states for the cells where blocks begin
    for name, emulation in (("BBM", "BBM-Margolus-emulated"), ("Critters", "CrittersMargolus_emulated"),
                            ("HPP Gas", "HPPMargolus_emulated"), ("Tron", "TripATronMargolus_emulated")):
        for _ in range(max(1, cases // 80)):
            width, height, generations_to_run = 2 * random.randint(1, 30), 2 * random.randint(1, 30), str(random.randint(1, 40))
            alive = [[random.random() < 0.4 for _ in range(width)] for _ in range(height)]
            rows = ["".join("bo"[cell] for cell in row) for row in alive]
            pathlib.Path(start).write_text(f"x = {width}, y = {height}, rule = {name}:T{width},{height}\n{'$'.join(rows)}!\n")
            run(moorea, "run", start, "-g", generations_to_run, "-o", ours)
            rows = ["".join(letters(1 + (x % 2 or y % 2) + 2 * cell) for x, cell in enumerate(row)) for y, row in enumerate(alive)]
            pathlib.Path(start).write_text(f"x = {width}, y = {height}, rule = {emulation}:T{width},{height}\n{'$'.join(rows)}!\n")
            run("bgolly", "-a", "RuleLoader", "-s", f"{RULES}/", "-m", generations_to_run, "-o", theirs, start)
            mine, golly = cells(pathlib.Path(ours).read_text())[0], cells(pathlib.Path(theirs).read_text())[0]
            if set(mine) != set(moved({place: state for place, state in golly.items() if state > 2})):
                different.append(f"{name} on {width} x {height}: not the cells of bgolly after {generations_to_run} generations")
    # C. G. Langton, "Self-reproduction in cellular automata", Physica D 10 (1984): the loop has a copy after 151 generations
    loop = RULES.parent / "Patterns/Loops/Langtons-Loops.rle"
    run(moorea, "run", str(loop), "-g", "151", "-o", ours)
    first, later = cells(loop.read_text())[0], cells(pathlib.Path(ours).read_text())[0]
    copies = [(x, y) for x in range(40) for y in range(40) if all(later.get((x + a, y + b)) == state for (a, b), state in first.items())]
    if len(first) != 86 or len(copies) != 1:
        different.append(f"Langton's loop: {len(first)} cells, and {len(copies)} copies after 151 generations")
print(f"{cases} rules compared")
if different:
    sys.exit("\n".join(different))
