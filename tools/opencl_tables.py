#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/opencl.md from the newest OpenCL results of tools/measure_cpu.sh and tools/gpu_check; --check compares them
with the committed ones. Usage: tools/opencl_tables.py [--check]"""
import pathlib
import sys

from results import documents, number

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- table: made by tools/opencl_tables.py -->\n", "<!-- end of table -->"
# The CPU or CUDA kernel that an OpenCL kernel is compared with
PEERS = {"opencl/bits": ("cpu/bits_avx512", "cuda/bits"), "opencl/bits_vector": ("cpu/bits_avx512",),
         "opencl/strided": ("cpu/strided_avx512", "cuda/strided"), "opencl/strided_vector": ("cpu/strided_avx512",)}


def newest(kind):
    return max((ROOT / "bench" / "results").glob(f"{kind}-*"), key=lambda path: path.stem[-10:], default=None)


def table(path):
    rows = [row for run in documents(path) for row in run["results"]]
    first = next(documents(path))
    devices = {device["name"]: device["description"] for device in first["machine"]["devices"]}
    used = next(row["device"] for row in rows if row["device"].startswith("opencl"))
    sizes = sorted({row["width"] for row in rows})
    speeds = {(row["kernel"], row["width"]): row["cells_per_second"] for row in rows}
    lines = [f"Life on a torus, noise of density 0.5, billions of cells per second, in brackets relative to the corresponding CPU or CUDA kernel "
             f"of the same run; {devices[used]} (`{path.relative_to(ROOT)}`, revision {first['revision'][:12]}):", "",
             "| kernel | " + " | ".join(f"{size} square" for size in sizes) + " |", "| --- |" + " ---: |" * len(sizes)]
    for kernel in dict.fromkeys(row["kernel"] for row in rows):
        cells = []
        for size in sizes:
            speed = speeds.get((kernel, size))
            peer = next((speeds[name, size] for name in PEERS.get(kernel, ()) if (name, size) in speeds), None)
            cells.append("-" if speed is None else number(speed / 1e9) + (f" ({speed / peer:.2f} x {next(n for n in PEERS[kernel] if (n, size) in speeds)})"
                                                                           if peer else ""))
        lines.append(f"| {kernel} | " + " | ".join(cells) + " |")
    return lines


def families(path):
    runs = list(documents(path))
    rows = [row for run in runs for row in run["results"]]
    speeds = {(row["rule"], row["kernel"].split("/")[0]): row["cells_per_second"] for row in rows}
    kernels = {row["rule"]: row["kernel"] for row in rows if row["kernel"].startswith("opencl")}
    devices = {device["name"]: device["description"] for device in runs[0]["machine"]["devices"]}
    lines = [f"Rules of more states, of blocks and of wide neighbourhoods, {rows[0]['width']} square, billions of cells per second; {devices['opencl:0']} "
             f"(`{path.relative_to(ROOT)}`, revision {runs[0]['revision'][:12]}):", "",
             "| rule | kernel | speed | relative to CUDA |", "| --- | --- | ---: | ---: |"]
    for rule, kernel in kernels.items():
        lines.append(f"| {rule} | {kernel} | {number(speeds[rule, 'opencl'] / 1e9)} | {speeds[rule, 'opencl'] / speeds[rule, 'cuda']:.2f} |")
    return lines


document = ROOT / "docs" / "opencl.md"
text = document.read_text()
head, rest = text.split(BEGIN)
if newest("opencl") is None:
    sys.exit("bench/results has no results of OpenCL kernels")
parts = [table(path) for path in (newest("gpu-opencl"), newest("opencl")) if path is not None] + [families(newest("gpu-families-opencl"))]
made = head + BEGIN + "\n" + "\n\n".join("\n".join(part) for part in parts) + "\n\n" + END + rest.split(END)[1]
if "--check" in sys.argv[1:]:
    if made != text:
        sys.exit("docs/opencl.md: the tables are not those of the newest results; run tools/opencl_tables.py")
else:
    document.write_text(made)
