#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times whole runs of moorea against bgolly -a QuickLife (Debian's golly package), both on one thread and from the start of
the process to its end, and compares the populations they reach. Prints JSON.
Usage: tools/race.py MOOREA > bench/results/races-MACHINE-DATE.json"""
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PATTERNS = pathlib.Path("/usr/share/golly/Patterns/Life")
RUNS = 11
R_PENTOMINO = "x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n"
RACES = [
    ("r-pentomino", None, 1103),
    ("acorn", "Methuselahs/acorn.lif", 5206),
    ("Justyna", "Methuselahs/justyna.rle", 52513),
    ("breeder", "Breeders/breeder.lif", 16384),
    ("3-state Turing machine", "Signal-Circuitry/Turing-Machine-3-state.rle", 11040),
]


def seconds(command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begin


def population(moorea, path):
    return json.loads(subprocess.run([moorea, "info", "--json", str(path)], check=True, capture_output=True, text=True).stdout)["population"]


moorea = sys.argv[1]
results = []
with tempfile.TemporaryDirectory() as folder:
    for name, file, generations in RACES:
        path = PATTERNS / file if file else pathlib.Path(folder) / "start.rle"
        if not file:
            path.write_text(R_PENTOMINO)
        ours, theirs = pathlib.Path(folder) / "ours.rle", pathlib.Path(folder) / "theirs.rle"
        run = [moorea, "run", str(path), "-g", str(generations), "--threads", "1"]
        golly = ["bgolly", "-a", "QuickLife", "-q", "-q", "-m", str(generations), str(path)]
        subprocess.run(run + ["-o", str(ours)], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(golly[:-1] + ["-o", str(theirs), golly[-1]], check=True, stdout=subprocess.DEVNULL)
        if population(moorea, ours) != population(moorea, theirs):
            sys.exit(f"{name}: the two do not agree")
        # Alternating, so that other load on the machine affects both
        times = [(seconds(run), seconds(golly)) for _ in range(RUNS)]
        results.append({"pattern": name, "generations": generations, "population": population(moorea, ours),
                        "moorea_seconds": statistics.median(t[0] for t in times), "golly_seconds": statistics.median(t[1] for t in times)})
machine = json.loads(subprocess.run([moorea, "info", "--json"], check=True, capture_output=True, text=True).stdout)
print(json.dumps({"machine": machine, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "runs": RUNS,
                  "results": results}, indent=2))
