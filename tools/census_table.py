#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/census.md from a results file of moorea census and those of tools/race_census.py; --check compares them
with the committed ones.
Usage: tools/census_table.py [--check]

The first file has the `speeds` of several runs, and the counts of a large census."""
import json
import math
import pathlib
import statistics

from results import write_table

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results" / "census-2026-11-30.json"
# LifeWiki, "Catagolue": objects and soups of C1 on 27 April 2019 and 25 November 2017
PUBLISHED = {"27 April 2019": (413493174300923, 18928504510982), "25 November 2017": (209617450420454, 9708017955331)}
# Frequency classes of the objects' articles in LifeWiki, rounded there to one digit: the base-2 logarithm of the number of blocks per
# object in the census of C1 ("Frequency class"). All classes of which a text was at hand; the article on gliders has none
CLASSES = {"xp2_7": ("blinker", 0.1),
           "xs6_696": ("beehive", 0.9),
           "xs7_2596": ("loaf", 2.7),
           "xs5_253": ("boat", 2.8),
           "xs6_356": ("ship", 3.3),
           "xs4_252": ("tub", 5.0),
           "xs8_6996": ("pond", 5.0),
           "xs7_25ac": ("long boat", 6.6),
           "xp2_7e": ("toad", 7.1),
           "xs12_g8o653z11": ("ship-tie", 7.6),
           "xp2_318c": ("beacon", 8.8),
           "xs14_g88m952z121": ("half-bakery", 9.2),
           "xs8_69ic": ("mango", 10.3),
           "xq4_6frc": ("lightweight spaceship", 11.2),
           "xs6_39c": ("aircraft carrier", 12.0),
           "xq4_27dee6": ("middleweight spaceship", 13.2),
           "xs16_g88m996z1221": ("bi-pond", 14.1),
           "xq4_27deee6": ("heavyweight spaceship", 15.7),
           "xs9_25ako": ("very long boat", 15.7),
           "xs8_178k8": ("tub with tail", 15.8),
           "xp15_4r4z4r4": ("pentadecathlon", 18.6),
           "xp2_2a54": ("clock", 19.4),
           "yl144_1_16_afb5f3db909e60548f086e22ee3353ac": ("block-laying switch engine", 19.6),
           "xs14_4a9m88gzx121": ("bi-loaf 2", 22.7),
           "xs28_0g8ka9m88gz122dia521": ("O quad-loaf", 23.6),}
ROUNDING = 0.05


def speeds(run):
    samples = run["soups_per_second"]
    spread = f"{min(samples):,.0f} to {max(samples):,.0f}" if len(samples) > 1 else "one run"
    what = run["what"] + (f", {100 * run['cut_off_share']:.1f} % cut off" if "cut_off_share" in run else "")
    if "clock_GHz" in run:  # iterations of a loop of one instruction, which a core begins in each cycle
        what += ", a thread at {} to {} GHz".format(*run["clock_GHz"])
    return f"| {what} | {run['device']} | {run['revision'][:7]} | {statistics.median(samples):,.0f} | {spread} |"


def races():
    """Rows of Moorea and lifelib, and how far their counts differ."""
    rows = ["| machine | revision | Moorea, soups a second of CPU time | lifelib | ratio, median | range | objects counted differently |", "| --- | --- | ---: | ---: | ---: | --- | ---: |"]
    for path in sorted(RESULTS.parent.glob("census-race-*.json")):
        race = json.loads(path.read_text())
        turns = race["turns"]
        ratios = [turn["moorea"] / turn["lifelib"] for turn in turns]
        unequal = sum(abs(mine - theirs) for turn in turns for mine, theirs in turn["unequal"].values())
        median = lambda name: statistics.median(turn[name] for turn in turns)
        rows.append(f"| {race['device']} | {race['revision'][:7]} | {median('moorea'):,.0f} | {median('lifelib'):,.0f} | {statistics.median(ratios):.2f} | {min(ratios):.2f} to {max(ratios):.2f} "
                    f"| {unequal:,} of {sum(turn['objects'] for turn in turns):,} |")
    return rows


def made():
    results = json.loads(RESULTS.read_text())
    census = results["frequencies"]
    objects, soups = census["objects"], census["soups"]
    blocks = objects["xs4_33"]
    lines = [f"`bench/results/{RESULTS.name}`, revision {results['revision'][:7]}:", "", "| run | machine | revision | soups a second, median | range |", "| --- | --- | --- | ---: | ---: |"]
    lines += [speeds(run) for run in results["speeds"]]
    lines += ["", "`tools/race_census.py`, one thread each, the same soups of Life in turns:", "", *races()]
    lines += ["", f"{soups:,} soups of C1 ({census['device']}, peak resident memory {census['peak_memory_GB']:.1f} GB); a frequency class is the base-2 logarithm of the number of blocks per object, with its standard error:", "",
              "| | census | published | |", "| --- | ---: | ---: | --- |"]
    lines += [f"| objects per soup | {census['object_count'] / soups:.3f} | {found / number:.3f}, {date} | |" for date, (found, number) in PUBLISHED.items()]
    for code, (name, published) in CLASSES.items():
        count = objects.get(code, 0)
        if count == 0:
            continue
        # The relative error of a count is that of independent objects
        error = 1 / math.sqrt(count) / math.log(2)
        measured = math.log2(blocks / count)
        outside = abs(measured - published) > ROUNDING + 3 * error
        lines.append(f"| {name}, `{code}` | {measured:.3f} +- {error:.3f} | {published} | {'differs' if outside else 'equal when rounded' if round(measured, 1) == published else 'within three errors'} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write_table(ROOT / "docs" / "census.md", made(), "census_table.py")
