#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU time (user and system) and memory of moorea run --kernel hashlife and of bgolly -a HashLife (Debian's golly package),
alternating, so that other load on the machine affects both; the populations must agree. A ratio is bgolly's CPU time in a
turn divided by moorea's. With --lifelib PYTHON, an interpreter that has python-lifelib (PyPI), lifelib takes part: from the
file to the population, without the start of Python and the compilation of the rule. Prints JSON, and a line per pattern on stderr.
Usage: tools/race_hashlife.py MOOREA [--lifelib PYTHON] [--turns N] [NAME ...] > bench/results/hashlife-MACHINE-DATE.json"""
import argparse
import datetime
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from processes import measured

GOLLY = pathlib.Path("/usr/share/golly/Patterns")
# Name, file, generations, and the ratio that must hold. bgolly divides a number of generations into powers of two, so that it
# keeps its cache; names with "one step" ask it for one step (-i), as a user does who asks for that generation
RACES = [
    ("Turing machine", "Life/Signal-Circuitry/Turing-Machine-3-state.rle", 11040, 8),
    ("Turing machine, 2^20", "Life/Signal-Circuitry/Turing-Machine-3-state.rle", 2**20, 8),
    ("p690 gun", "Life/Guns/2c5-spaceship-gun-p690.rle", 100000, 4.5),
    ("Justyna", "Life/Methuselahs/justyna.rle", 52513, 0),
    ("Justyna, one step", "Life/Methuselahs/justyna.rle", 52513, 50),
    ("rabbits, one step", "Life/Methuselahs/rabbits.lif", 17331, 50),
    ("Justyna, 2^16", "Life/Methuselahs/justyna.rle", 2**16, 0),
    ("lidka", "Life/Methuselahs/lidka-predecessor.rle", 30000, 0),
    ("breeder", "Life/Breeders/breeder.lif", 2**60, 0),
    ("metapixel-galaxy", "HashLife/metapixel-galaxy.mc.gz", 2**18, 4),
    ("mosquito5", "HashLife/mosquito5.mc", 2**24, 8),
    ("wedge-grow", "HashLife/wedge-grow.mc", 2**30, 4.5),
    ("metapixel-parity64", "HashLife/metapixel-parity64.mc.gz", 2**20, 4.5),
    ("metapixel-p216-gun", "HashLife/metapixel-p216-gun.mc.gz", 2**20, 4),
    ("jagged", "HashLife/jagged.mc", 2**24, 2.5),
    ("demonoid-c512", "HashLife/demonoid-c512-hashlife-friendly.mc.gz", 2**24, 7),
    ("unlimited-novelty", "HashLife/unlimited-novelty.mc", 2**20, 9),
    ("soup of 2048 square", "noise", 256, 60),
]
LIFELIB = """
import resource, sys
import lifelib
tree = lifelib.load_rules("b3s23").lifetree(memory=8000)
cpu = lambda: sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
start = cpu()
population = tree.load(sys.argv[1])[int(sys.argv[2])].population
print(population, cpu() - start)
"""


def noise(moorea, folder):
    """A soup on the plane as an RLE file."""
    path = str(pathlib.Path(folder) / "soup.rle")
    subprocess.run([moorea, "run", "--random", "0.4", "--size", "2048", "--seed", "1", "-g", "0", "-o", path], check=True, capture_output=True)
    text = pathlib.Path(path).read_text()
    pathlib.Path(path).write_text(re.sub(r":T[0-9,]+", "", text, count=1))
    return path


def by_lifelib(python, path, generations):
    """Seconds of CPU time and the population; lifelib prints about its compilation before. None if it cannot read the file: it has
    no Life 1.05 and 1.06, on which it ends by a signal."""
    if path.endswith(".lif"):
        return None
    output = subprocess.run([python, "-c", LIFELIB, path, str(generations)], check=True, capture_output=True, text=True).stdout
    population, seconds = output.splitlines()[-1].split()
    return float(seconds), population


def race_one(moorea, lifelib, turns, name, path, generations, floor):
    run = [moorea, "run", path, "-g", str(generations), "--kernel", "hashlife", "--json"]
    golly = ["bgolly", "-a", "HashLife", "-M", "8000", "-m", str(generations), *(["-i", str(generations)] if "one step" in name else []), path]
    pairs, others = [], []
    for _ in range(turns):
        pairs.append((measured(run), measured(golly)))
        if lifelib and (other := by_lifelib(lifelib, path, generations)):
            others.append(other)
    result = json.loads(pairs[0][0][2])
    population = str(result["population"])
    counts = re.findall(r"^([\d,]+): ([\d,]+)$", pairs[0][1][2], re.M)
    for known in [counts[-1][1].replace(",", ""), *(p for _, p in others)]:
        if known != population:
            sys.exit(f"{name}: the programs do not agree: {population} and {known}")
    row = {"pattern": name, "generations": str(generations), "population": population, "nodes": result["tree"]["nodes"],
           "ratio": statistics.median(theirs[0] / ours[0] for ours, theirs in pairs), "floor": floor,
           "moorea_cpu_seconds": statistics.median(p[0][0] for p in pairs), "golly_cpu_seconds": statistics.median(p[1][0] for p in pairs),
           "moorea_bytes": max(p[0][1] for p in pairs), "golly_bytes": max(p[1][1] for p in pairs)}
    if others:
        row["lifelib_ratio"] = statistics.median(seconds / ours[0] for (ours, _), (seconds, _) in zip(pairs, others))
    print(f"{name}: {row['ratio']:.1f}" + (f", lifelib {row['lifelib_ratio']:.1f}" if others else ""), file=sys.stderr)
    return row


def race(moorea, lifelib, turns, names):
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name, file, generations, floor in RACES:
            if names and name not in names:
                continue
            path = noise(moorea, folder) if file == "noise" else str(GOLLY / file)
            if not os.path.exists(path) or subprocess.run([moorea, "info", path], capture_output=True).returncode != 0:
                print(f"{name}: left out, because {path} is not there or cannot be read", file=sys.stderr)
                continue
            results.append(race_one(moorea, lifelib, turns, name, path, generations, floor))
    powers = [r["ratio"] for r in results if int(r["generations"]).bit_count() == 1]
    mean = math.exp(statistics.mean(math.log(r) for r in powers)) if powers else None
    return {"runs": turns, "results": results, "geometric_mean_of_powers_of_two": mean}


parser = argparse.ArgumentParser(description="HashLife against bgolly and lifelib")
parser.add_argument("moorea")
parser.add_argument("names", nargs="*")
parser.add_argument("--lifelib", metavar="PYTHON")
parser.add_argument("--turns", type=int, default=3)
arguments = parser.parse_intermixed_args()
moorea = arguments.moorea
made = race(moorea, arguments.lifelib, arguments.turns, arguments.names)
machine = json.loads(subprocess.run([moorea, "info", "--json"], check=True, capture_output=True, text=True).stdout)
print(json.dumps({"machine": machine, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), **made}, indent=2))
