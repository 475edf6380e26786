#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/unbounded.md from the newest results of tools/race_hashlife.py and tools/race_threads.py; --check compares
them with the committed ones.
Usage: tools/unbounded_tables.py [--check]"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- table: made by tools/unbounded_tables.py -->\n", "<!-- end of table -->"
THREADS_BEGIN = "<!-- table of threads: made by tools/unbounded_tables.py -->\n"


def generations(text):
    value = int(text)
    return f"2^{value.bit_length() - 1}" if value.bit_count() == 1 else f"{value:,}"


def newest(pattern):
    return max((ROOT / "bench" / "results").glob(pattern), key=lambda path: path.name[-15:])


def threads_tables():
    """Of every machine whose newest results are there."""
    machines = sorted({path.name.split("-")[2] for path in (ROOT / "bench" / "results").glob("tree-threads-*")}, reverse=True)
    return "\n\n".join(threads_table(newest(f"tree-threads-{machine}-*")) for machine in machines)


def threads_table(path):
    run = json.loads(path.read_text())
    more = [str(n) for n in run["threads"] if n > 1]
    if "1 again" in run["results"][0]["ratios"]:
        more.insert(0, "1 again")
    lines = [f"Time of one thread divided by that of several, medians and ranges of {min(row['turns'] for row in run['results'])} turns or more, "
             f"{run['machine']['devices'][0]['description']}, load average at the end {run['load_average']:.1f} (`{path.relative_to(ROOT)}`, "
             f"revision {run['machine']['revision']}, `tools/race_threads.py`):", "",
             f"| pattern | generations | one thread, s | {' | '.join('one thread again' if n == '1 again' else n + ' threads' for n in more)} |", f"| --- | ---: | ---: |{' ---: |' * len(more)}"]
    for row in run["results"]:
        ratios = [f"{r['median']:.2f} ({r['min']:.2f} to {r['max']:.2f})" for r in (row["ratios"][n] for n in more)]
        lines.append(f"| {row['pattern']} | {generations(row['generations'])} | {row['seconds']['1']['median']:.2f} | {' | '.join(ratios)} |")
    return "\n".join(lines)


def table():
    path = newest("hashlife-*")
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
made = text
for begin, written in ((BEGIN, table()), (THREADS_BEGIN, threads_tables())):
    head, rest = made.split(begin)
    made = head + begin + "\n" + written + "\n\n" + END + rest.split(END, 1)[1]
if "--check" in sys.argv[1:]:
    if made != text:
        sys.exit("docs/unbounded.md: the tables are not those of the newest results; run tools/unbounded_tables.py")
else:
    document.write_text(made)
