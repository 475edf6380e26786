#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of docs/course.md from a results file of moorea bench; --check compares it with the committed one.
Usage: tools/course_table.py [--check]

The file is made in the root of the project by
  moorea bench --kernel cpu/ladder/01_serial,cpu/ladder/02_tiled,cpu/ladder/03_vectorised,cpu/ladder/04_avx2,cpu/bits,cpu/ladder/13_bits_temporal,cpu/ladder/14_bits_lazy
    --kernel-file examples/kernels/mine.cpp,examples/kernels/mine_bits.cpp --size 2048 --threads 1,2,8 --start random:0.5:0,r-pentominoes:512 -o FILE"""
import pathlib

from ladder_table import head, read, table
from results import number, write_table

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results" / "course-xeon-2026-11-27.json"
EXERCISES = {1: ("cpu/ladder/01_serial", "examples/kernels/mine.cpp"), 2: ("cpu/ladder/02_tiled",), 3: ("cpu/ladder/03_vectorised", "cpu/ladder/04_avx2"),
             4: ("examples/kernels/mine_bits.cpp", "cpu/bits"), 5: ("cpu/ladder/13_bits_temporal", "cpu/ladder/14_bits_lazy")}
NOISE, SPARSE = "random:0.5:0", "r-pentominoes:512"


def made():
    results = read(RESULTS)
    rows = {(row["kernel"], row["threads"], row["start"]): row for row in results["results"]}
    first = rows["cpu/ladder/01_serial", 1, NOISE]["cells_per_second"]
    threads = sorted({row["threads"] for row in results["results"]})
    lines = []
    for exercise, kernels in EXERCISES.items():
        for kernel in kernels:
            speeds = [rows[kernel, number_of, NOISE]["cells_per_second"] for number_of in threads]
            sparse = rows[kernel, threads[-1], SPARSE]["cells_per_second"]
            lines.append([str(exercise), f"`{kernel}`", *(f"{number(speed / 1e9)} ({number(speed / first)})" for speed in speeds), number(sparse / 1e9)])
    heads = ["exercise", "solution", *(f"{each} thread{'s' if each > 1 else ''}" for each in threads), f"few live cells, {threads[-1]} threads"]
    body = (head(RESULTS, results, list(rows.values()), "B3/S23 on a torus of 2048 x 2048 cells, noise of density 0.5, and an r-pentomino every 512 cells")
            + " In brackets relative to the first line's one thread.\n\n" + table(heads, lines))
    return body


if __name__ == "__main__":
    write_table(ROOT / "docs" / "course.md", made(), "course_table.py")
