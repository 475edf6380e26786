#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/performance.md from the newest files of bench/results; --check compares them with the committed ones.
Usage: tools/performance_tables.py [--check]"""
import json
import pathlib
import sys

import speed_chart
from results import documents, gpu_name, number, speed

ROOT = pathlib.Path(__file__).resolve().parents[1]
# The results file has more kernels and sizes. Smaller soups become ash while lazy kernels are timed.
KERNELS = ("cpu/reference", "cpu/bits", "cpu/bits_avx512", "cpu/strided", "cpu/strided_avx2", "cpu/strided_avx512", "auto")
WIDTHS = (4096, 16384)
GPU_KERNELS = ("cuda/chip", "cuda/strided")


def newest():
    files = [(json.loads(path.read_text()), path) for path in (ROOT / "bench" / "results").glob("cpu-*.json")]
    return max(files, key=lambda pair: pair[0]["date"])


def gpu_table():
    """The faster of the kernels for busy worlds, by size, from the newest results of tools/gpu_check."""
    path = max((ROOT / "bench" / "results").glob("gpu-h*.jsons"), key=lambda path: path.stem[-10:])
    runs = list(documents(path))
    fastest = {}
    for row in (row for run in runs for row in run["results"] if row["kernel"] in GPU_KERNELS):
        best = fastest.get(row["width"])
        if best is None or row["cells_per_second"] > best["cells_per_second"]:
            fastest[row["width"]] = row
    lines = [f"The same world on one {gpu_name(runs[0])}, with the faster of the two kernels for busy worlds at each size. "
             f"`{path.relative_to(ROOT)}`, {runs[0]['date'][:10]}, revision {runs[0]['revision'][:12]}.",
             "", "| kernel | world | cells per second | spread | part of the logic throughput |", "| --- | --- | ---: | ---: | ---: |"]
    lines += [f"| {r['kernel']} | {r['width']} x {r['height']} | {speed(r, 1e12)} trillion | {100 * r['spread']:.1f} % | "
              f"{percent(r['part_of_logic_throughput'])} |" for _, r in sorted(fastest.items())]
    return "\n".join(lines) + "\n"


def percent(part):
    return f"{100 * part:.0f} %" if part >= 0.1 else f"{100 * part:.2g} %"


def table(results, path):
    device = results["machine"]["devices"][0]
    first = results["results"][0]
    lines = [f"{first['rule']} on a {first['topology']}, noise of density {results['start']['density']}, on {device['description']}; each kernel's "
             f"answer was compared with the reference before it was timed. `{path.relative_to(ROOT)}`, {results['date'][:10]}, revision "
             f"{results['revision']}, {results['compiler']}.",
             "",
             "| kernel | world | threads | cells per second | spread | speed-up over the reference, one thread | part of the copy bandwidth | part of the logic throughput |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    reference = {(r["width"], r["height"]): r["cells_per_second"] for r in results["results"]
                 if r["kernel"] == "cpu/reference" and r["threads"] == 1}
    for r in results["results"]:
        if r["kernel"] not in KERNELS or r["width"] not in WIDTHS:
            continue
        logic = r["part_of_logic_throughput"]
        times = r["cells_per_second"] / reference[r["width"], r["height"]]
        lines.append(f"| {r['kernel']} | {r['width']} x {r['height']} | {r['threads']} | {speed(r, 1e9)} billion | "
                     f"{100 * r['spread']:.1f} % | {number(times)} | {'-' if r['part_of_copy_bandwidth'] is None else percent(r['part_of_copy_bandwidth'])} | "
                     f"{'-' if logic is None else percent(logic)} |")
    return "\n".join(lines) + "\n"


def sources():
    """The files and publications that docs/speed.svg is drawn from."""
    files = ", ".join(f"`{file.relative_to(ROOT)}`" for file in speed_chart.FILES)
    lines = [f"Moorea's speeds, those of the naive loops and Golly's are from {files}. Published speeds:", "",
             "| implementation | hardware | cells per second | source |", "| --- | --- | ---: | --- |"]
    lines += [f"| {name} | {hardware} | {speed_chart.scaled(cells)} | {source} |" for name, hardware, _, cells, source in speed_chart.PUBLISHED]
    return "\n".join(lines) + "\n"


document = ROOT / "docs" / "performance.md"
text = document.read_text()
made = text
for name, body in (("sources", sources()), ("tables", table(*newest()) + "\n" + gpu_table())):
    begin, end = f"<!-- {name}: made by tools/performance_tables.py -->\n", f"<!-- end of {name} -->"
    head, rest = made.split(begin)
    made = head + begin + "\n" + body + "\n" + end + rest.split(end)[1]
if "--check" in sys.argv[1:]:
    if made != text:
        sys.exit("docs/performance.md: the tables are not those of the newest results; run tools/performance_tables.py")
else:
    document.write_text(made)
