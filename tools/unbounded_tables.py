#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of docs/unbounded.md from the newest results of tools/race_hashlife.py; --check compares it with the committed one.
Usage: tools/unbounded_tables.py [--check]"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- table: made by tools/unbounded_tables.py -->\n", "<!-- end of table -->"


def generations(text):
    value = int(text)
    return f"2^{value.bit_length() - 1}" if value.bit_count() == 1 else f"{value:,}"


def table():
    path = max((ROOT / "bench" / "results").glob("hashlife-*"), key=lambda path: path.name[-15:])
    run = json.loads(path.read_text())
    cpu = run["machine"]["devices"][0]["description"]
    lifelib = any("lifelib_ratio" in row for row in run["results"])
    lines = [f"CPU time of `bgolly -a HashLife` 3.3 (Debian){' and of python-lifelib 2.5.6 (PyPI)' if lifelib else ''} divided by that of Moorea, medians of "
             f"{run['runs']} turns, one thread, {cpu}, on a machine shared with other work; geometric mean of bgolly's ratios for powers of two "
             f"{run['geometric_mean_of_powers_of_two']:.2f} (`{path.relative_to(ROOT)}`, revision {run['machine']['revision']}, `tools/race_hashlife.py`):", "",
             f"| pattern | generations | bgolly | {'lifelib | ' if lifelib else ''}memory of bgolly / Moorea, MB |", f"| --- | ---: | ---: | {'---: | ' if lifelib else ''}---: |"]
    for row in run["results"]:
        memory = f"{row['golly_bytes'] / 1e6:.0f} / {row['moorea_bytes'] / 1e6:.0f}"
        name = row["pattern"].split(",")[0] if "^" in row["pattern"] else row["pattern"]
        other = (f"{row['lifelib_ratio']:.1f} | " if "lifelib_ratio" in row else "| ") if lifelib else ""
        lines.append(f"| {name} | {generations(row['generations'])} | {row['ratio']:.1f} | {other}{memory} |")
    large = [row["moorea_bytes"] / row["nodes"] for row in run["results"] if row["nodes"] > 2e6]
    lines += ["", f"With more than two million nodes the whole process has at most {max(large):.0f} bytes for each."]
    return "\n".join(lines)


document = ROOT / "docs" / "unbounded.md"
text = document.read_text()
head, rest = text.split(BEGIN)
made = head + BEGIN + "\n" + table() + "\n\n" + END + rest.split(END)[1]
if "--check" in sys.argv[1:]:
    if made != text:
        sys.exit("docs/unbounded.md: the table is not that of the newest results; run tools/unbounded_tables.py")
else:
    document.write_text(made)
