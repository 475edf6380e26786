#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the speed of two builds of moorea, kernel by kernel, alternating between them so that a drift of the machine's speed
affects both. A ratio is the new build's speed relative to the old one's, the median of the rounds' ratios. Writes JSON.
Usage: tools/compare_builds.py OLD NEW [--kernels PREFIX,...] [--size N] [--threads N] [--rounds N] [--budget S] > pairs.json
Exits with 3 if a kernel's ratio is below --min-ratio (default 0.97) in every round."""
import argparse
import json
import statistics
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("old")
parser.add_argument("new")
parser.add_argument("--kernels", default="cpu/")
parser.add_argument("--size", default="2048")
parser.add_argument("--threads", default="1")
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--budget", default="0.15")
parser.add_argument("--min-ratio", type=float, default=0.97)
options = parser.parse_args()


def command(program, *arguments):
    return json.loads(subprocess.run([program, *arguments, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout)


names = [kernel["name"] for kernel in command(options.new, "kernels")["kernels"] if kernel["runs"] and kernel["name"].startswith(tuple(options.kernels.split(",")))]
speeds = {name: {"old": [], "new": []} for name in names}
documents = {}
for round_number in range(options.rounds):
    for label, program in (("old", options.old), ("new", options.new)) if round_number % 2 == 0 else (("new", options.new), ("old", options.old)):
        document = command(program, "bench", "--kernel", ",".join(names), "--size", options.size, "--threads", options.threads, "--budget", options.budget, "--rounds", "1")
        documents[label] = document
        for row in document["results"]:
            speeds[row["kernel"]][label].append(row["cells_per_second"])
rows, slower = [], []
for name, measured in speeds.items():
    if len(measured["old"]) != options.rounds or len(measured["new"]) != options.rounds:
        continue  # one of the builds refuses such a world
    ratios = [new / old for old, new in zip(measured["old"], measured["new"])]
    rows.append({"kernel": name, "ratio": round(statistics.median(ratios), 4), "ratios": [round(r, 4) for r in ratios], "old": measured["old"], "new": measured["new"]})
    if max(ratios) < options.min_ratio:
        slower.append(name)
    print(f"{name:40} {statistics.median(ratios):6.3f}   {' '.join(f'{r:.3f}' for r in ratios)}", file=sys.stderr)
json.dump({"old_revision": documents["old"]["revision"], "new_revision": documents["new"]["revision"], "machine": documents["new"]["machine"], "date": documents["new"].get("date"),
           "size": options.size, "threads": options.threads, "budget": options.budget, "pairs": rows}, sys.stdout, indent=1)
print()
if slower:
    print(f"slower in every round: {', '.join(slower)}", file=sys.stderr)
    sys.exit(3)
