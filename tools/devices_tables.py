#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/many-devices.md and docs/checkpoints.md from bench/results/{hybrid,cores-hybrid,parts,family-parts,out-of-core,gpu-ranks,ranks,checkpoint}-*.json;
--check compares them with the committed ones. Usage: tools/devices_tables.py [--check]"""
import json
import pathlib
import statistics
import sys

from results import gpu_name, number

ROOT = pathlib.Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- table: made by tools/devices_tables.py -->\n", "<!-- end of table -->"


def stored(kind):
    """Results files of a kind, with what they hold."""
    for path in sorted((ROOT / "bench" / "results").glob(f"{kind}-*.json")):
        yield path, json.loads(path.read_text())


def table(head, lines):
    return "\n".join(["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1), *("| " + " | ".join(line) + " |" for line in lines)]) + "\n"


def source(path, run):
    return f"{gpu_name(run)} (`{path.relative_to(ROOT)}`, revision {run['revision'][:7]}):\n\n"


def divided():
    text = ""
    for path, run in stored("hybrid"):
        rows = run["results"]
        def devices(row):
            asked = row["asked"]["device"].replace("+", ",")
            return asked if asked == row["device"] else f"{asked}: {row['device']}"

        lines = [[devices(row), ", ".join(f"{100 * part['share']:.1f} %" for part in row.get("parts", [])) or "100 %", number(row["cells_per_second"] / 1e12), f"{100 * row['spread']:.0f} %"]
                 for row in rows]
        text += (f"Life on a torus of {rows[0]['width']} square, noise, up to {max(row['threads'] for row in rows)} threads of the CPU, " + source(path, run) +
                 table(["devices", "rows", "trillions of cells per second", "spread"], lines) + "\n")
    return text


def cores_hybrid():
    text = ""
    for path, run in stored("cores-hybrid"):
        def median(speeds):
            return statistics.median(speeds) / 1e12

        turns = run["turns"]
        columns = [[median([turn[how][i]["cells_per_second"] for turn in turns]) for i in (0, 1)] for how in ("alone", "at_once")]
        shares = [1.0, run["of_sum"]["at_once"], run["of_sum"]["divided"]]
        sums = [*map(sum, columns), median([turn["divided"]["cells_per_second"] for turn in turns])]
        names = ["each alone", "both at the same time, a world of half of the rows each", "one divided world"]
        lines = [[name, *(number(value) for value in own), number(total), f"{100 * share:.0f} %"] for name, own, total, share in zip(names, [*columns, []], sums, shares)]
        lines[2][1:1] = ["", ""]
        text += (f"Life on tori of {run['size']} columns, noise, median of {len(turns)} turns, {run['threads_each']} threads for each device, trillions of cells per second, {run['machine']['devices'][0]['description']} "
                 f"(`{path.relative_to(ROOT)}`, revision {run['revision'][:7]}):\n\n" + table(["", "cpu", run["second"], "together", "of the sum of both alone"], lines) + "\n")
    return text


def out_of_core():
    text = ""
    for path, run in stored("out-of-core"):
        runs = run["runs"]
        lines = []
        for each in runs:
            plan = each.get("out_of_core")
            where = "all on the GPU" if plan is None else f"{100 * (1 - plan['resident_share']):.0f} % on the host"
            visit = "" if plan is None else f"{plan['band_rows']} rows, {plan['generations_a_visit']} generations"
            lines.append([where, visit, number(each["cells_per_second"] / 1e12), f"{100 * each['cells_per_second'] / runs[0]['cells_per_second']:.0f} %"])
        text += f"Life on a torus of {runs[0]['width']} square, noise, " + source(path, run) + table(["rows", "band and visit", "trillions of cells per second", "of in core"], lines) + "\n"
    return text


def weak_scaling(runs, several):
    """Speed of several GPUs with a part of 65536 square each, against as many single ones with such a world."""
    speeds = {run["name"]: run["cells_per_second"] for run in runs}
    alone = speeds["65536, one GPU"]
    for run in runs:
        size, _, rest = run["name"].partition(", ")
        width, _, height = size.partition("x")
        if width == "65536" and height and rest != "one GPU" and several in run["name"]:
            count = int(height) // int(width)
            yield f"Weak scaling, 65536 square per GPU, {rest}: {100 * run['cells_per_second'] / (count * alone):.1f} % of {count} single GPUs.\n"


def strong_limit(runs):
    """How much faster several GPUs could be at 65536 square if exchanges and halo rows cost nothing."""
    speeds = {run["name"]: run["cells_per_second"] for run in runs}
    name = next((name for name in speeds if name.startswith("65536x") and name.endswith("one GPU") and int(name[6:].split(",")[0]) < 65536), None)
    if name is None:
        return ""
    count = 65536 // int(name[6:].split(",")[0])
    limit = count * speeds[name] / speeds["65536, one GPU"]
    return f"Strong scaling at 65536 square: {speeds[f'65536, {count} parts'] / speeds['65536, one GPU']:.3f}, where {limit:.3f} is what {count} GPUs reach that each advance the rows of a part alone.\n"


def parts(kind="parts", rules="Life"):
    text = ""
    for path, run in stored(kind):
        lines = [[each["name"], each["device"], number(each["cells_per_second"] / 1e12), f"{100 * each['relative_speed']:.1f} %", f"{100 * each['spread']:.1f} %",
                  ", ".join(dict.fromkeys(part["path"] for part in each.get("parts", [])))] for each in run["runs"]]
        repeats = len(run["runs"][0]["speeds"])
        text += f"{rules} on tori, noise, {'one run' if repeats == 1 else f'median of {repeats} runs'} each, " + source(path, run) + table(["world", "devices", "trillions of cells per second", "of one part", "spread", "rows pass by"], lines) + "\n"
        if kind == "parts" and any("cuda:1" in each["device"] for each in run["runs"]):
            text += "".join(weak_scaling(run["runs"], "parts")) + strong_limit(run["runs"]) + "\n"
    return text


def family_parts():
    return parts("family-parts", "Rules that are not life-like")


def gpu_ranks():
    text = ""
    for path, run in stored("gpu-ranks"):
        lines = [[each["name"], number(each["cells_per_second"] / 1e12), f"{100 * each['relative_speed']:.1f} %", f"{100 * each['spread']:.1f} %",
                  ", ".join(dict.fromkeys(rank["transport"] for rank in each.get("ranks", [])))] for each in run["runs"]]
        text += (f"Life on tori, noise, median of {len(run['runs'][0]['speeds'])} turns, a GPU for each rank, " + source(path, run) +
                 table(["world", "trillions of cells per second", "of one GPU", "spread", "rows pass by"], lines) + "\n" + "".join(weak_scaling(run["runs"], "ranks")) + "\n")
    return text


def ranks():
    text = ""
    for path, run in stored("ranks"):
        lines = [[each["name"], number(each["cells_per_second"] / 1e12), f"{100 * each['relative_speed']:.1f} %", f"{100 * each['spread']:.1f} %"] for each in run["runs"]]
        cpu = next(device["description"] for device in run["machine"]["devices"] if device["name"] == "cpu")
        text += (f"Life on tori, noise, median of {len(run['runs'][0]['speeds'])} turns, {cpu} (`{path.relative_to(ROOT)}`, revision {run['revision'][:7]}):\n\n" +
                 table(["world", "trillions of cells per second", "of threads", "spread"], lines) + "\n")
    return text


def checkpoints():
    text = ""
    for path, run in stored("checkpoint"):
        without, saved = run["runs"]
        facts = saved["checkpoints"]
        lines = [["time of the run without checkpoints", f"{without['seconds']:.3g} s"], [f"with {facts['written']}", f"{saved['seconds']:.3g} s"],
                 ["run time lost to one checkpoint every ten minutes", f"{max(0.0, 100 * (saved['seconds'] - without['seconds']) / facts['written'] / 600):.2g} %"],
                 ["longest pause of the run", f"{1e3 * facts['longest_pause_seconds']:.2g} ms"], ["writing one, in the background", f"{facts['write_seconds']:.2g} s"],
                 ["copy of the cells on the GPU", f"{facts['copy_bytes'] / 2**20:.0f} MiB"], ["size of the file", f"{facts['bytes'] / 2**20:.0f} MiB"]]
        text += f"Life on a torus of {saved['width']} square, from noise, {saved['generation']} generations, " + source(path, run) + table(["", ""], lines) + "\n"
    return text


TABLES = {"many-devices.md": [divided, cores_hybrid, parts, family_parts, out_of_core, gpu_ranks, ranks], "checkpoints.md": [checkpoints]}
stale = False
for name, makers in TABLES.items():
    page = ROOT / "docs" / name
    text = page.read_text()
    begin, *sections = text.split(BEGIN)
    now = begin + "".join(BEGIN + "\n" + make() + END + part.split(END, 1)[1] for make, part in zip(makers, sections, strict=True))
    if now == text:
        continue
    if "--check" in sys.argv:
        print(f"docs/{name}: the tables are not those of bench/results; run tools/devices_tables.py")
        stale = True
    else:
        page.write_text(now)
sys.exit(stale)
