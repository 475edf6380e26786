#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws docs/speed.svg, the chart of the README: Moorea against published implementations and against Golly, on logarithmic axes.
Moorea's speeds and Golly's come from the newest files of bench/results, the published ones from PUBLISHED below; --check compares the
drawing with the committed one. Usage: tools/speed_chart.py [--check]"""
import math
import pathlib
import sys
from xml.sax.saxutils import escape

from results import documents, gpu_name, number

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "bench" / "results"
CHART = ROOT / "docs" / "speed.svg"

# Cells a second of Life in dense worlds, as published: implementation, hardware, CPU or GPU, speed, source
PUBLISHED = [
    ("binary-banter, SIMD", "Core i9-11900K, one thread", "CPU", 48.266e9, "https://binary-banter.github.io/game-of-life/, 2023"),
    ("binary-banter, SIMD", "Core i9-11900K, all threads", "CPU", 296.019e9, "https://binary-banter.github.io/game-of-life/, 2023"),
    # 1024 generations of 16384 x 16384 cells in 0.163 s
    ("Fujita et al. 2015", "GTX TITAN X", "GPU", 1024 * 16384**2 / 0.163, "https://doi.org/10.1109/CANDAR.2015.11"),
    # 0.152559 ps a cell, 15360 x 17472 cells: results/H100/_h100_with_max_throughput.csv of github.com/matyas-brabec/2026-cellato-journal
    ("Cellato, Brabec et al. 2026", "H100", "GPU", 1 / 0.152559e-12, "https://doi.org/10.1016/j.parco.2026.103226"),
    ("binary-banter, CUDA", "A40", "GPU", 11.720e12, "https://binary-banter.github.io/game-of-life/, 2023"),
]
SOUP = 4096  # width of the CPU's world: smaller soups become ash while they are timed
NAIVE_SOUP = 16384  # width of the naive CUDA kernel's world, its faster one

FILES = [max(RESULTS.glob(pattern), key=lambda path: path.stem[-10:])
         for pattern in ("cpu-*.json", "gpu-h*.jsons", "gpu-ladder-*.json", "races-*.json")]

LABELS, PLOT, RIGHT, ROW = 330, 430, 100, 26
WIDTH = LABELS + PLOT + RIGHT
STYLE = """
    .page { fill: #ffffff; } text { fill: #1f2328; font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
    .title { font-weight: 600; font-size: 15px; } .soft { fill: #59636e; } .small { font-size: 11.5px; } .grid { stroke: #d1d9e0; }
    .other { fill: #818b98; stroke: #818b98; } .ours { fill: #0a7d70; stroke: #0a7d70; } text.ours { stroke: none; font-weight: 600; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; } text { fill: #f0f6fc; } .soft { fill: #9198a1; } .grid { stroke: #3d444d; }
      .other { fill: #9198a1; stroke: #9198a1; } .ours { fill: #2dd4bf; stroke: #2dd4bf; }
    }
"""


def rows(runs, kernel, width=None):
    return [row for run in runs for row in run["results"] if row["kernel"] == kernel and width in (None, row["width"])]


def speeds():
    """CPU and GPU entries by speed: (name, hardware, cells per second, whether it is Moorea's)."""
    cpu, gpu, ladder = (list(documents(path)) for path in FILES[:3])
    name = cpu[0]["machine"]["devices"][0]["description"].split(",")[0]
    threads = {1: "one thread", 2: "two threads"}
    groups = {"CPU": [], "GPU": []}
    for each in PUBLISHED:
        groups[each[2]].append((each[0], each[1], each[3], False))
    plain = next(row for row in rows(cpu, "cpu/reference", SOUP) if row["threads"] == 1)
    groups["CPU"].append(("Plain C++ loop", f"{name}, one thread", plain["cells_per_second"], False))
    for row in rows(cpu, "auto", SOUP):
        groups["CPU"].append(("Moorea", f"{name}, {threads[row['threads']]}", row["cells_per_second"], True))
    naive = rows(ladder, "cuda/ladder/02_naive_bool", NAIVE_SOUP)[0]
    groups["GPU"].append(("Naive CUDA kernel, a byte per cell", gpu_name(ladder[0]).removeprefix("NVIDIA "), naive["cells_per_second"], False))
    best = max(row["cells_per_second"] for kernel in ("cuda/chip", "cuda/strided") for row in rows(gpu, kernel))
    groups["GPU"].append(("Moorea", gpu_name(gpu[0]).removeprefix("NVIDIA "), best, True))
    return {kind: sorted(entries, key=lambda entry: entry[2]) for kind, entries in groups.items()}


def scaled(value):
    for unit, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if value >= unit:
            return f"{number(value / unit)} {name}"
    return number(value)


class Drawing:
    def __init__(self):
        self.parts = []
        self.y = 0

    def text(self, x, y, text, classes="", anchor="start"):
        self.parts.append(f'<text x="{x:g}" y="{y:g}" class="{classes}" text-anchor="{anchor}">{escape(text)}</text>')

    def heading(self, title, subtitle):
        self.y += 26
        self.text(16, self.y, title, "title")
        self.y += 18
        self.text(16, self.y, subtitle, "soft small")
        self.y += 8

    def axis(self, first, last, count, names):
        """Grid lines at powers of ten from 10^first to 10^last, over so many rows, with the names of some of them below."""
        bottom = self.y + count * ROW + 4
        for power in range(first, last + 1):
            x = LABELS + PLOT * (power - first) / (last - first)
            self.parts.append(f'<line x1="{x:g}" y1="{self.y:g}" x2="{x:g}" y2="{bottom:g}" class="grid"/>')
            if power in names:
                self.text(x, bottom + 15, names[power], "soft small", "middle")
        return lambda value: LABELS + PLOT * (math.log10(value) - first) / (last - first)

    def label(self, name, detail, ours):
        y = self.y + ROW / 2 + 4.5
        kind = "ours" if ours else ""
        self.parts.append(f'<text x="{LABELS - 12}" y="{y:g}" class="{kind}" text-anchor="end">{escape(name)}'
                          f'<tspan class="soft small" font-weight="400">  {escape(detail)}</tspan></text>')
        return self.y + ROW / 2

    def dot(self, x, y, kind):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:g}" r="5.5" class="{kind}"/>')

    def line(self, x1, x2, y, kind):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y:g}" x2="{x2:.1f}" y2="{y:g}" class="{kind}" stroke-width="3"/>')


def draw():
    drawing = Drawing()
    groups = speeds()
    drawing.heading("Dense soup: cells per second, Conway's Life", "CPUs above, GPUs below; published figures on the hardware of their authors")
    gap = 0.5
    x = drawing.axis(8, 14, sum(map(len, groups.values())) + gap, {8: "100 million", 9: "1 billion", 10: "10", 11: "100", 12: "1 trillion", 13: "10", 14: "100"})
    for entries in groups.values():
        for name, hardware, speed, ours in entries:
            y = drawing.label(name, hardware, ours)
            kind = "ours" if ours else "other"
            drawing.line(LABELS, x(speed), y, kind)
            drawing.dot(x(speed), y, kind)
            drawing.text(x(speed) + 12, y + 4.5, scaled(speed), "ours" if ours else "")
            drawing.y += ROW
        drawing.y += gap * ROW
    drawing.y += 26

    (run,) = documents(FILES[3])
    machine = run["machine"]["devices"][0]["description"].split(",")[0]
    drawing.heading("Patterns: generations per second against Golly's QuickLife",
                    f"{machine}, one thread each, whole processes from start to end (bgolly 3.3; HashLife is not compared)")
    entries = run["results"]
    drawing.y += 20
    for at, name, kind in ((LABELS, "Golly", "other"), (LABELS + 80, "Moorea", "ours")):
        drawing.dot(at + 6, drawing.y - 6, kind)
        drawing.text(at + 17, drawing.y - 1.5, name, "small")
    drawing.y += 6
    x = drawing.axis(3, 6, len(entries), {3: "1000", 4: "10,000", 5: "100,000", 6: "1 million"})
    for entry in sorted(entries, key=lambda entry: entry["golly_seconds"] / entry["moorea_seconds"]):
        y = drawing.label(entry["pattern"], f"{entry['generations']:,} generations", False)
        ours, theirs = (entry["generations"] / entry[key] for key in ("moorea_seconds", "golly_seconds"))
        drawing.line(x(theirs), x(ours), y, "other")
        drawing.dot(x(theirs), y, "other")
        drawing.dot(x(ours), y, "ours")
        drawing.text(WIDTH - 16, y + 4.5, f"{ours / theirs:.1f} times", "ours", "end")
        drawing.y += ROW
    drawing.y += 44
    drawing.text(16, drawing.y, "Drawn by tools/speed_chart.py; results files and sources are named in docs/performance.md", "soft small")
    height = drawing.y + 16
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" role="img" '
            f'aria-label="Speed of Moorea, of published implementations of Life and of Golly">\n<style>{STYLE}</style>\n'
            f'<rect width="100%" height="100%" rx="8" class="page"/>\n' + "\n".join(drawing.parts) + "\n</svg>\n")


if __name__ == "__main__":
    made = draw()
    if "--check" in sys.argv[1:]:
        if not CHART.exists() or CHART.read_text() != made:
            sys.exit("docs/speed.svg is not drawn from the newest results; run tools/speed_chart.py")
    else:
        CHART.write_text(made)
