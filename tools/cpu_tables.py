#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/cpu.md from the newest results of tools/measure_cpu.sh; --check compares them with the committed ones.
Usage: tools/cpu_tables.py [--check]"""
import pathlib
import sys

from results import ASLEEP, documents, number, speed

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- table: made by tools/cpu_tables.py -->\n", "<!-- end of table -->"


LOOKED_UP = ("states/lookup", "states/reference")  # kernels of rules by transitions, which have a table of their own


def newest(kind):
    return max((ROOT / "bench" / "results").glob(f"{kind}-*"), key=lambda path: path.name.split("-", 1)[1][-16:])


def rules():
    path = newest("rules")
    runs = list(documents(path))
    first = runs[0]
    life = {row["kernel"]: row["cells_per_second"] for row in first["results"]}
    lines = [f"Rules at 4096 square on a torus, one thread: billions of cells per second, in brackets relative to Life "
             f"(`{path.relative_to(ROOT)}`, revision {first['revision']}):", "",
             "| rule | " + " | ".join(life) + " |", "| --- |" + " ---: |" * len(life)]
    for run in runs:
        cells = [f"{speed(row, 1e9)} ({row['cells_per_second'] / life[row['kernel']]:.2f})" for row in run["results"]]
        lines.append(f"| {run['results'][0]['rule']} | " + " | ".join(cells) + " |")
    return lines


def generations(row):
    return number(row["generations_per_second"]) if row["cells_per_second"] < ASLEEP else "-"


def share(row):
    part = row["part_of_logic_throughput"]
    return "-" if part is None else f"{100 * part:.0f} %"


def states():
    path = newest("generations")
    runs = list(documents(path))
    lines = [f"Rules with more than two states at 4096 square on a torus, one thread, beside Life: billions of cells per second, and the share of what the CPU's "
             f"logic reaches for births and survivals alone (`{path.relative_to(ROOT)}`, revision {runs[0]['revision']}):", "",
             "| rule | kernel | billions of cells per second | of logic |", "| --- | --- | ---: | ---: |"]
    return lines + [f"| {row['rule']} | {row['kernel']} | {speed(row, 1e9)} | {share(row)} |" for run in runs for row in run["results"] if not row["kernel"].endswith(LOOKED_UP)]


def transitions():
    path = newest("transitions")
    runs = list(documents(path))
    lines = [f"Rules by transitions at 4096 square on a torus, one thread: billions of cells per second, and the share of what the CPU's logic reaches (`{path.relative_to(ROOT)}`, revision {runs[0]['revision']}):", "",
             "| rule | kernel | billions of cells per second | of logic |", "| --- | --- | ---: | ---: |"]
    return lines + [f"| {row['rule']} | {row['kernel']} | {speed(row, 1e9)} | {share(row)} |" for run in runs for row in run["results"]]


def families():
    path = newest("families")
    runs = list(documents(path))
    lines = [f"Block rules, Larger than Life and a rule with history at 4096 square on a torus, one thread, beside Life: billions of cells per second (`{path.relative_to(ROOT)}`, revision {runs[0]['revision']}):",
             "", "| rule | kernel | billions of cells per second |", "| --- | --- | ---: |"]
    return lines + [f"| {row['rule']} | {row['kernel']} | {speed(row, 1e9)} |" for run in runs for row in run["results"]]


def wide():
    """Kernels of Larger than Life by the width of the world."""
    path = newest("wide")
    runs = list(documents(path))
    kernels = [row["kernel"] for row in runs[0]["results"]]
    lines = [f"Larger than Life on a torus that is square, one thread: billions of cells per second (`{path.relative_to(ROOT)}`, revision {runs[0]['revision']}):",
             "", "| rule | width | " + " | ".join(kernels) + " |", "| --- | ---: |" + " ---: |" * len(kernels)]
    for run in runs:
        speeds = {row["kernel"]: speed(row, 1e9) for row in run["results"]}
        lines.append(f"| {run['results'][0]['rule']} | {run['results'][0]['width']} | " + " | ".join(speeds[name] for name in kernels) + " |")
    return lines


def family_races():
    path = newest("family-races")
    (run,) = documents(path)
    lines = [f"Generations and Larger than Life: whole processes from start to end on one thread, alternating with bgolly 3.3 of Debian, medians of {run['runs']} runs; "
             f"geometric mean of the ratios {number(run['geometric_mean'])} (`{path.relative_to(ROOT)}`, `tools/race.py --families`):", "",
             "| pattern of Golly | generations | population | Moorea | bgolly |", "| --- | ---: | ---: | ---: | ---: |"]
    return lines + [f"| {row['algorithm'].replace(' ', '-')}/{row['pattern']} | {row['generations']} | {row['population']} | {number(row['moorea_seconds'] * 1000)} ms | "
                    f"{number(row['golly_seconds'] * 1000)} ms |" for row in run["results"]]


def worlds(kind, what):
    path = newest(kind)
    (run,) = documents(path)
    lines = [f"{what} (`{path.relative_to(ROOT)}`, revision {run['revision']}):", "",
             "| kernel | threads | billions of cells per second | generations per second |", "| --- | ---: | ---: | ---: |"]
    return lines + [f"| {row['kernel']} | {row['threads']} | {speed(row, 1e9)} | {generations(row)} |" for row in run["results"]]


def gates():
    path = newest("gates")
    (run,) = documents(path)
    lines = [f"Logic instructions on 512-bit vectors, one thread, billions a second; the operands were computed shortly before, except for two "
             f"old ones in the first row (`{path.relative_to(ROOT)}`, `tools/measure_gates.cpp`):", "", "| instructions | rate |", "| --- | ---: |"]
    labels = {"three inputs, two of them settled": "three inputs, two of them old", "three and two by turns": "three and two inputs, alternating"}
    return lines + [f"| {labels.get(name, name)} | {number(rate / 1e9)} |" for name, rate in run["instructions_per_second"].items()]


def races():
    path = newest("races")
    (run,) = documents(path)
    lines = [f"Whole processes from start to end on one thread, alternating with `bgolly -a QuickLife` 3.3 of Debian, medians of {run['runs']} runs "
             f"(`{path.relative_to(ROOT)}`):", "",
             "| pattern | generations | population | Moorea | QuickLife |", "| --- | ---: | ---: | ---: | ---: |"]
    return lines + [f"| {row['pattern']} | {row['generations']} | {row['population']} | {number(row['moorea_seconds'] * 1000)} ms | "
                    f"{number(row['golly_seconds'] * 1000)} ms |" for row in run["results"]]


def sparse_races():
    path = newest("sparse-races")
    (run,) = documents(path)
    lines = [f"Unbounded planes, as in the first table, on a machine with other work: CPU time of QuickLife divided by that of Moorea in the same "
             f"turn, medians of {run['runs']} turns; geometric mean {run['geometric_mean_cpu']:.2f} (`{path.relative_to(ROOT)}`, `tools/race.py`):", "",
             "| pattern | generations | population | QuickLife / Moorea |", "| --- | ---: | ---: | ---: |"]
    return lines + [f"| {row['pattern']} | {row['generations']} | {row['population']} | {row['cpu_ratio']:.2f} |" for row in run["results"]]


def busy():
    path = newest("busy")
    (run,) = documents(path)
    plans = list(run["results"][0]["seconds"])
    labels = {"before, all threads": "OpenMP, all threads"}
    lines = [f"Whole runs on two CPUs shared with 0, 1 and 4 processes that compute without end, milliseconds, medians of {run['pairs']} alternating "
             f"runs; \"OpenMP\" is the last revision that used it (`{path.relative_to(ROOT)}`, `tools/busy_check`, {run['cpu']}, revision {run['revision']}):", "",
             f"| world | other processes | {' | '.join(labels.get(plan, plan) for plan in plans)} |", "| --- | ---: |" + " ---: |" * len(plans)]
    return lines + [f"| {row['world']} | {row['spinning']} | " + " | ".join(number(1e3 * row["seconds"][plan]["median"]) for plan in plans) + " |"
                    for row in run["results"]]


document = ROOT / "docs" / "cpu.md"
text = document.read_text()
head, rest = text.split(BEGIN)
parts = [races(), sparse_races(), busy(), worlds("large", "Life in a world larger than every cache: a soup on a torus, 65536 square"),
         worlds("ash", "Life in ash: a soup on a torus, 16384 square, after 50,000 generations, where every tile sleeps"), rules(), states(), transitions(), families(), wide(), family_races(), gates()]
made = head + BEGIN + "\n" + "\n\n".join("\n".join(part) for part in parts) + "\n\n" + END + rest.split(END)[1]
if "--check" in sys.argv[1:]:
    if made != text:
        sys.exit("docs/cpu.md: the tables are not those of the newest results; run tools/cpu_tables.py")
else:
    document.write_text(made)
