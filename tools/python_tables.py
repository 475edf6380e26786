#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/python.md from the measurements of tools/measure_python.py (bench/results/python-*.json, the newest); --check
compares them with the committed ones. Usage: tools/python_tables.py [--check]"""
import json
import pathlib
import statistics
import sys

from results import number

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "python.md"
BEGIN, END = "<!-- tables: made by tools/python_tables.py -->\n", "<!-- end of tables -->"


def rates(found):
    """Cells per second of CellPyLib and Moorea, by worlds, and the ratios of each."""
    for side in dict.fromkeys(row["side"] for row in found):
        rows = {row["program"]: row for row in found if row["side"] == side}
        generations = rows["Moorea"]["generations"]
        cells = side * side * generations
        columns = [number(cells / statistics.median(rows[name]["seconds"]) / 1e6) for name in ("CellPyLib", "CellPyLib, memoize", "Moorea")]
        ratios = [number(rows[name]["ratio"]["median"]) for name in ("CellPyLib", "CellPyLib, memoize")]
        yield f"| {side} square, {generations} generations | {' | '.join(columns + ratios)} |"


def percent(ratio):
    """A ratio and its quartiles as differences from 1."""
    low, high = (f"{100 * (each - 1):+.1f} %" for each in ratio["quartiles"])
    return f"{100 * (ratio['median'] - 1):+.1f} % (quartiles {low}, {high})"


def facts(document):
    for row in document["command"]:
        yield f"| `simulation.step({row['generations']})` of {row['side']} square, `{row['kernel']}`, compared with `moorea run` | processor time {percent(row['ratio'])} |"
    low, call, high = statistics.quantiles(document["calls"], n=4, method="inclusive")
    yield f"| a call of `simulation.step(0)` | {1e9 * call:.0f} ns (quartiles {1e9 * low:.0f}, {1e9 * high:.0f}), 2 % of {number(1e6 * call / 0.02)} us |"
    for row in document["ensembles"]:
        yield (f"| `Ensemble` of {row['worlds']} worlds of {row['side']} square, `{row['kernel']}`, {row['generations']} generations, compared with one simulation "
               f"that is reset for each | {number(row['ratio']['median'])} times as fast "
               f"(quartiles {', '.join(map(number, row['ratio']['quartiles']))}) |")
    for name, delays in document["interrupts"].items():
        yield f"| from Ctrl-C to `KeyboardInterrupt`, `{name}` | median {1e3 * statistics.median(delays):.0f} ms, maximum of {len(delays)} {1e3 * max(delays):.0f} ms |"
    if "wheel" in document:
        yield f"| size of the wheel `{document['wheel']['name']}` | {document['wheel']['bytes'] / 1e6:.1f} MB |"


def tables():
    path = sorted((ROOT / "bench" / "results").glob("python-*.json"))[-1]
    document = json.loads(path.read_text())
    machine, versions = document["machine"], document["versions"]
    return "\n".join([
        f"`{path.name}`: {machine['cpu']}, {machine['threads']} threads, Python {machine['python']}, Moorea {versions['moorea']},",
        f"CellPyLib {versions['cellpylib']}. The machine was shared with other work. What is compared ran turn by turn, on one thread; times are processor times, ratios are",
        "medians of the turns' ratios.",
        "",
        "| world | CellPyLib, M cells/s | with `memoize=True` | Moorea | times as fast | with `memoize=True` |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        *rates(document["cellpylib"]),
        "",
        "| measurement | result |",
        "| --- | --- |",
        *facts(document),
    ]) + "\n"  # fmt: skip


text = PAGE.read_text(encoding="utf-8")
head, rest = text.split(BEGIN)
now = head + BEGIN + "\n" + tables() + "\n" + END + rest.split(END, 1)[1]
if now == text:
    sys.exit(0)
if "--check" in sys.argv:
    sys.exit(f"{PAGE.name}: the tables are not those of bench/results; run tools/python_tables.py")
PAGE.write_text(now, encoding="utf-8")
