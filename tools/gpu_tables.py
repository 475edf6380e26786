#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/cuda.md and docs/surfaces.md from the newest results of a GPU; --check compares them with the committed ones.
Usage: tools/gpu_tables.py [--check]"""
import pathlib
import sys

from results import documents, gpu_name, number, speed

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- table: made by tools/gpu_tables.py -->\n", "<!-- end of table -->"


def newest(kind, device=""):
    return max((p for p in (ROOT / "bench" / "results").glob(f"{kind}-{device}*") if p.name.count("-") == kind.count("-") + 4),
               key=lambda path: path.stem[-10:])


def title(text, path, runs):
    revisions = list(dict.fromkeys(run["revision"][:7] for run in runs))
    return f"{text}, {gpu_name(runs[0])} (`{path.relative_to(ROOT)}`, {'revision' if len(revisions) == 1 else 'revisions'} {', '.join(revisions)}):"


def table(head, rows):
    return ["", "| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)] + ["| " + " | ".join(row) + " |" for row in rows]


def by_size(kind, text):
    path = newest(kind)
    runs = list(documents(path))
    rows = [row for run in runs for row in run["results"]]
    sizes = sorted({row["width"] for row in rows})
    found = {(row["kernel"], row["width"]): row for row in rows}
    kernels = list(dict.fromkeys(row["kernel"] for row in rows))
    lines = [[kernel] + [speed(found[kernel, size], 1e12) if (kernel, size) in found else "-" for size in sizes] for kernel in kernels]
    first = {row["kernel"]: row for row in reversed(rows)}
    for line in lines:
        row = first[line[0]]
        line += [str(row["registers_per_thread"]), "-" if row["occupancy"] is None else f"{100 * row['occupancy']:.0f} %"]
    return [title(text, path, runs)] + table(["kernel"] + [f"{size} square" for size in sizes] + ["registers per thread", "occupancy"], lines)


def queries():
    """Times of the population, the hash and the conversions to and from packed rows, next to that of a generation."""
    path = newest("gpu-ash")
    runs = list(documents(path))
    rows = [row for run in runs for row in run["results"] if row["kernel"] == "cuda/strided"]
    queried = [("population_seconds", "population"), ("hash_seconds", "hash"), ("encode_seconds", "from packed rows"),
             ("decode_seconds", "to packed rows")]
    lines = [[name] + [number(1e3 * row[key]) for row in rows] for key, name in queried]
    lines.append(["a generation"] + [number(1e3 / row["generations_per_second"]) for row in rows])
    return [title("Queries of a board with cuda/strided, here in ash, milliseconds; the hash is that of a repeated query", path, runs)] + table(
        ["query"] + [f"{row['width']} square" for row in rows], lines)


def rules():
    path = newest("gpu-rules")
    runs = list(documents(path))
    sizes = [row["width"] for row in runs[0]["results"]]
    life = {row["width"]: row["cells_per_second"] for row in runs[0]["results"]}
    lines = [[run["results"][0]["rule"]] + [f"{speed(row, 1e12)} ({row['cells_per_second'] / life[row['width']]:.2f})" for row in run["results"]]
             for run in runs]
    return [title("Rules with cuda/strided: trillions of cells per second, in brackets relative to Life", path, runs)] + table(
        ["rule"] + [f"{size} square" for size in sizes], lines)


def cell_rules(device):
    path = newest("gpu-cell-rules", device)
    runs = list(documents(path))
    found = {(row["rule"], row["kernel"], row["width"]): row for run in runs for row in run["results"]}
    columns = [(kernel, size) for kernel, sizes in (("cuda/strided", (16384, 65536)), ("cuda/strided_two", (16384, 65536)), ("cuda/chip", (4096,))) for size in sizes]
    rules = dict.fromkeys(rule for rule, _, _ in found)
    lines = [[rule if len(rule) < 50 else f"a random MAP ({rule[:12]}...)"] + [speed(found[rule, *column], 1e12) if (rule, *column) in found else "-" for column in columns] for rule in rules]
    return [title("Rules that do not count, trillions of cells per second", path, runs)] + table(["rule"] + [f"{kernel}, {size}" for kernel, size in columns], lines)


def states(name, what, device=""):
    path = newest(name, device)
    runs = list(documents(path))
    rows = [row for run in runs for row in run["results"]]
    found = {(row["rule"], row["width"]): row for row in rows}
    sizes = sorted({row["width"] for row in rows})
    kernels = {row["rule"]: row for row in rows}
    lines = [[rule, row["kernel"]] + [speed(found[rule, size], 1e12) if (rule, size) in found else "-" for size in sizes] +
             [str(row["registers_per_thread"])] for rule, row in kernels.items()]
    return [title(f"{what}, trillions of cells per second", path, runs)] + table(
        ["rule", "kernel"] + [f"{size} square" for size in sizes] + ["registers per thread"], lines)


def reductions():
    path = newest("gpu-reductions")
    runs = list(documents(path))
    most = max(row["values"] for row in runs[0]["results"])
    lines = [[row["reduction"], f"{row['bytes_per_second'] / 1e9:.0f}", f"{100 * row['part_of_copy_bandwidth']:.0f} %"]
             for row in runs[0]["results"] if row["values"] == most]
    return [title(f"Reductions of {most} values of 32 bits", path, runs)] + table(
        ["reduction", "billions of bytes per second", "part of the copy bandwidth"], lines)


def meshes():
    """A quad torus of 2^24 faces, in order and shuffled, by the order of its faces in memory."""
    path = newest("mesh")
    runs = list(documents(path))
    lines = [[row["kernel"], "shuffled" if row["mesh"].endswith(":shuffled") else "in order", row["numbering"], number(row["cells_per_second"] / 1e9), f"{row['bytes_per_cell']:.3g}",
              f"{100 * row['part_of_copy_bandwidth']:.0f} %"] for run in runs for row in run["results"]]
    faces = runs[0]["results"][0]["width"] * runs[0]["results"][0]["height"]
    head = ["kernel", "faces of the mesh", "numbering", "billions of cells per second", "bytes per cell", "of the copy bandwidth"]
    return [title(f"Life on a torus of {faces} quads", path, runs)] + table(head, lines)


life = "Life on a torus, noise of density 0.5, trillions of cells per second"
tables = {
    "cuda.md": [by_size("gpu", life), by_size("gpu-ash", "The same world after 100,000 generations, when it is ash"), queries(), rules(),
                cell_rules("h200"), cell_rules("h100"), states("gpu-states", "Rules with more than two states, beside Life"),
                states("gpu-families", "Wires, block rules and Larger than Life", "h200"),
                states("gpu-families", "The same with history and wide rules of more states", "h100"),
                by_size("gpu-ladder", "The ladder: " + life), reductions()],
    "surfaces.md": [meshes()],
}
for name, parts in tables.items():
    document = ROOT / "docs" / name
    text = document.read_text()
    head, rest = text.split(BEGIN)
    made = head + BEGIN + "\n" + "\n\n".join("\n".join(part) for part in parts) + "\n\n" + END + rest.split(END)[1]
    if "--check" not in sys.argv[1:]:
        document.write_text(made)
    elif made != text:
        sys.exit(f"docs/{name}: the tables are not those of the newest results; run tools/gpu_tables.py")
