#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times whole runs of moorea against bgolly (Debian's golly package), both on one thread and from the start of the process to
its end, and compares the populations they reach. Prints JSON, and a line per pattern on stderr. Life runs against QuickLife;
--families: Generations and Larger than Life against Golly's algorithms of these names.
Usage: tools/race.py MOOREA [--families] [--runs N] [--only WORDS] > bench/results/[family-]races-MACHINE-DATE.json"""
import argparse
import datetime
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PATTERNS = pathlib.Path("/usr/share/golly/Patterns")
RUNS = 11
R_PENTOMINO = "x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n"
SOUP = 4096
# Name, file of Golly's patterns of Life (None: made here), generations
RACES = [
    ("r-pentomino", None, 1103),
    ("acorn", "Methuselahs/acorn.lif", 5206),
    ("Justyna", "Methuselahs/justyna.rle", 52513),
    ("breeder", "Breeders/breeder.lif", 16384),
    ("3-state Turing machine", "Signal-Circuitry/Turing-Machine-3-state.rle", 11040),
    ("ark1", "Methuselahs/ark1.rle", 60000),
    ("ark2", "Methuselahs/ark2.rle", 60000),
    ("blom", "Methuselahs/blom.rle", 23314),
    ("Iwona", "Methuselahs/iwona.rle", 28786),
    ("Lidka", "Methuselahs/lidka-predecessor.rle", 29053),
    ("natural LWSS", "Methuselahs/natural-LWSS.rle", 10000),
    ("rabbits", "Methuselahs/rabbits.lif", 17331),
    ("rabbits 17423", "Methuselahs/rabbits-relation-17423.rle", 17423),
    ("rabbits 17465", "Methuselahs/rabbits-relation-17465.rle", 17465),
    ("temporary pulsars", "Methuselahs/temp-pulsars-big-s.rle", 10000),
    ("2c/5 spaceship gun", "Guns/2c5-spaceship-gun-p416.rle", 5000),
    ("Cordership gun", "Guns/Cordership-gun-p784.rle", 5000),
    ("golly ticker", "Guns/golly-ticker.rle", 5000),
    ("loafer gun", "Guns/loafer-gun-p210.rle", 10000),
    ("p59 gun", "Guns/p59-gun-with-Snark-reflectors.rle", 20000),
    ("period-52 gun", "Guns/period-52-glider-gun.rle", 20000),
    ("vacuum cleaner", "Guns/vacuum-cleaner.rle", 10000),
    ("c/4 diagonal puffer", "Puffers/c4-diagonal-puffer.rle", 5000),
    ("line puffer", "Puffers/line-puffer-superstable.rle", 2000),
    ("p100 H-track puffer", "Puffers/p100-H-track-puffer.rle", 10000),
    ("pi fuse puffer", "Puffers/pi-fuse-puffer.rle", 5000),
    ("puffer 2c/5", "Puffers/puffer-2c5.rle", 5000),
    ("puffer train", "Puffers/puffer-train.rle", 20000),
    ("LWSS breeder", "Breeders/LWSS-breeder.rle", 5000),
    ("spacefiller", "Breeders/spacefiller.rle", 1500),
    ("switch engine breeder", "Breeders/switch-engine-breeder.rle", 10000),
    ("soup of 4096 square", None, 500),
]
# Golly's algorithm and folder, file, generations
FAMILY_RACES = [
    ("Generations", "Banner.mcl", 5000),
    ("Generations", "Burst.mcl", 50000),
    ("Generations", "Delta.rle", 3000),
    ("Generations", "Fireworks.mcl", 1000),
    ("Generations", "MeteorGuns.mcl", 5000),
    ("Generations", "Sawfish.rle", 3000),
    ("Generations", "Steeplechase.mcl", 50000),
    ("Generations", "What-a-mess.mcl", 2000),
    ("Larger than Life", "Bosco.mcl", 200000),
    ("Larger than Life", "BugGun.rle", 50000),
    ("Larger than Life", "BugReactions.rle", 20000),
    ("Larger than Life", "Globe.mcl", 20000),
    ("Larger than Life", "GunCollection.rle", 5000),
    ("Larger than Life", "ModernArt.mcl", 30000),
    ("Larger than Life", "R100-NN-bug.rle", 500),
    ("Larger than Life", "R100-alien-bug.rle", 5000),
    ("Larger than Life", "R500-alien-bug.rle", 100),
    ("Larger than Life", "SlowShip.rle", 300000),
    ("Larger than Life", "SoldierBugs.rle", 50000),
    ("Larger than Life", "Waffle.mcl", 5000),
]


def seconds(command):
    """Wall-clock time and CPU time of a process."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    end = time.perf_counter()
    if status != 0:
        sys.exit(f"{command}: exit status {status}")
    return end - begin, usage.ru_utime + usage.ru_stime


def population(moorea, path):
    return json.loads(subprocess.run([moorea, "info", "--json", str(path)], check=True, capture_output=True, text=True).stdout)["population"]


def write_start(name, moorea, path):
    if name == "r-pentomino":
        path.write_text(R_PENTOMINO)
        return
    noise = path.with_name("noise.rle")
    subprocess.run([moorea, "run", "--random", "0.5", "--size", str(SOUP), "--seed", "1", "-g", "0", "-o", str(noise)], check=True, stdout=subprocess.DEVNULL)
    with noise.open() as source, path.open("w") as target:  # an unbounded plane
        for line in source:
            target.write(f"x = {SOUP}, y = {SOUP}, rule = B3/S23\n" if line.startswith("x =") else line)


def race(moorea, algorithm, name, file, generations, runs, folder):
    path = PATTERNS / file if file else folder / "start.rle"
    if not file:
        write_start(name, moorea, path)
    ours, theirs = folder / "ours.rle", folder / "theirs.rle"
    run = [moorea, "run", str(path), "-g", str(generations), "--threads", "1"]
    golly = ["bgolly", "-a", algorithm, "-q", "-q", "-m", str(generations), str(path)]
    subprocess.run(run + ["-o", str(ours)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(golly[:-1] + ["-o", str(theirs), golly[-1]], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if population(moorea, ours) != population(moorea, theirs):
        sys.exit(f"{name}: the two do not agree")
    # Alternating, so that other load on the machine affects both
    times = [(seconds(run), seconds(golly)) for _ in range(runs)]
    result = {"pattern": name, "algorithm": algorithm, "generations": generations, "population": population(moorea, ours),
              "moorea_seconds": statistics.median(t[0][0] for t in times), "golly_seconds": statistics.median(t[1][0] for t in times),
              "ratio": statistics.median(t[1][0] / t[0][0] for t in times), "cpu_ratio": statistics.median(t[1][1] / t[0][1] for t in times)}
    print(f"{name:25} {result['moorea_seconds']:8.3f} s {result['golly_seconds']:8.3f} s, {result['ratio']:6.2f}, of CPU time {result['cpu_ratio']:6.2f}", file=sys.stderr)
    return result


def geometric_mean(results, key):
    return math.exp(statistics.fmean(math.log(result[key]) for result in results))


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("moorea")
parser.add_argument("--families", action="store_true")
parser.add_argument("--runs", type=int, default=RUNS)
parser.add_argument("--only", default="", help="patterns whose names contain this")
options = parser.parse_args()
moorea = options.moorea
races = [("QuickLife", name, file and f"Life/{file}", generations) for name, file, generations in RACES]
if options.families:
    races = [(algorithm, file.partition(".")[0], f"{algorithm.replace(' ', '-')}/{file}", generations) for algorithm, file, generations in FAMILY_RACES]
with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    results = [race(moorea, *each, options.runs, folder) for each in races if options.only in each[1]]
machine = json.loads(subprocess.run([moorea, "info", "--json"], check=True, capture_output=True, text=True).stdout)
mean = geometric_mean(results, "cpu_ratio")
print(f"geometric mean of the ratios {geometric_mean(results, 'ratio'):.2f}, of CPU time {mean:.2f}", file=sys.stderr)
print(json.dumps({"machine": machine, "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "runs": options.runs,
                  "geometric_mean": geometric_mean(results, "ratio"), "geometric_mean_cpu": mean, "results": results}, indent=2))
