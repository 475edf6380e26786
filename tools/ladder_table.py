#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the newest ladder results (bench/results/ladder-*.json, made by moorea bench --json) of each density into
docs/ladder.md as its tables; with --check only says whether they are there. Usage: tools/ladder_table.py [--check]"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- tables: made by tools/ladder_table.py -->\n", "<!-- end of tables -->"
PRODUCTION = {"cpu/bits": 10, "cpu/bits_avx2": 11, "cpu/bits_avx512": 12}  # rungs that live outside the ladder's folder


def rung(kernel):
    """The number of a kernel's rung; the reference stands before the first."""
    number = re.match(r"cpu/ladder/(\d+)_", kernel)
    return int(number.group(1)) if number else PRODUCTION.get(kernel, 0)


def density_of(results):
    """Of the noise that all rows began with; results of older versions say it once."""
    return results["start"]["density"] if "start" in results else float(results["results"][0]["start"].split(":")[1])


def newest_of_each_density():
    files = {}
    for path in (ROOT / "bench" / "results").glob("ladder-*.json"):
        results = json.loads(path.read_text())
        density = density_of(results)
        if density not in files or results["date"] > files[density][0]["date"]:
            files[density] = (results, path)
    return [files[density] for density in sorted(files, reverse=True)]


def rate(row):
    return f"{row['cells_per_second'] / 1e9:.3g}"


def table(results, path):
    rows = results["results"]
    cases = sorted({(r["width"], r["height"], r["threads"]) for r in rows})
    found = {(r["kernel"], r["width"], r["height"], r["threads"]): r for r in rows}
    kernels = sorted({r["kernel"] for r in rows}, key=lambda name: (rung(name), name))
    lines = [f"{rows[0]['rule']} on a {rows[0]['topology']}, noise of density {density_of(results)}, on "
             f"{results['machine']['devices'][0]['description']}, in billions of cells a second (quartiles at most "
             f"{100 * max(r['spread'] for r in rows):.0f} % apart), and in brackets against rung 1. "
             f"`{path.relative_to(ROOT)}`, {results['date'][:10]}, revision {results['revision']}, {results['compiler']}.",
             "",
             "| rung | kernel | " + " | ".join(f"{w} x {h}, {'1 thread' if t == 1 else f'{t} threads'}" for w, h, t in cases) + " |",
             "| ---: | --- |" + " ---: |" * len(cases)]
    for kernel in kernels:
        cells = []
        for case in cases:
            row, first = found.get((kernel, *case)), found.get(("cpu/ladder/01_serial", *case))
            times = f" ({row['cells_per_second'] / first['cells_per_second']:.3g})" if row and first else ""
            cells.append(rate(row) + times if row else "-")
        lines.append(f"| {rung(kernel) or ''} | {kernel} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


document = ROOT / "docs" / "ladder.md"
text = document.read_text()
head, rest = text.split(BEGIN)
made = head + BEGIN + "\n" + "\n".join(table(*file) for file in newest_of_each_density()) + "\n" + END + rest.split(END)[1]
if "--check" in sys.argv[1:]:
    if made != text:
        sys.exit("docs/ladder.md: the tables are not those of the newest results files; run tools/ladder_table.py")
else:
    document.write_text(made)
