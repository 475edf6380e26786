#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of docs/census.md from a results file of moorea census; --check compares it with the committed one.
Usage: tools/census_table.py [--check]

The file has the `soups_per_second` of several runs of `command`, those of HighLife, and the census of a larger one."""
import json
import math
import pathlib
import statistics

from results import write_table

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results" / "census-zen4-2026-11-25.json"
# LifeWiki, "Catagolue": objects and soups of C1 on 27 April 2019 and 25 November 2017; and frequency classes, which are base-2
# logarithms of the number of blocks per object, of the articles on these objects
PUBLISHED = {"27 April 2019": (413493174300923, 18928504510982), "25 November 2017": (209617450420454, 9708017955331)}
CLASSES = {"blinker": ("xp2_7", 0.1), "lightweight spaceship": ("xq4_6frc", 11.2)}


def speeds(name, samples):
    return f"| {name}, median of {len(samples)} ({min(samples):.0f} to {max(samples):.0f}) | {statistics.median(samples):.0f} | |"


def made():
    results = json.loads(RESULTS.read_text())
    census = results["frequencies"]
    objects, soups = census["objects"], census["soups"]
    lines = [f"{results['device']} (`bench/results/{RESULTS.name}`, revision {results['revision'][:7]}):", "", f"| | {soups:,} soups of C1 or fewer | published |", "| --- | ---: | ---: |",
             speeds("Life, soups a second", results["soups_per_second"]), speeds("HighLife, soups a second", results["highlife_3k_soups_per_second"])]
    lines += [f"| objects per soup, {date} | {census['object_count'] / soups:.2f} | {found / number:.2f} |" for date, (found, number) in PUBLISHED.items()]
    for name, (code, published) in CLASSES.items():
        # The relative error of a count is that of independent objects
        error = 1 / math.sqrt(objects[code]) / math.log(2)
        lines.append(f"| frequency class of the {name} | {math.log2(objects['xs4_33'] / objects[code]):.2f} +- {error:.2f} | {published} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_table(ROOT / "docs" / "census.md", made(), "census_table.py")
