#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/ensembles.md from the measurements of tools/measure_ensembles.py on a GPU (bench/results/ensembles-*.json, the newest);
--check compares them with the committed ones. Usage: tools/ensembles_tables.py [--check]"""
import json
import pathlib
import statistics
import sys

from results import number

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "ensembles.md"
BEGIN, END = "<!-- tables: made by tools/ensembles_tables.py -->\n", "<!-- end of tables -->"


def stored(accepts):
    """The newest results that a function accepts."""
    documents = ((path, json.loads(path.read_text())) for path in sorted((ROOT / "bench" / "results").glob("ensembles-*.json"), reverse=True))
    return next((path, document) for path, document in documents if accepts(document))


def quartiles(row):
    low, _, high = statistics.quantiles(row["parts_of_logic_limit"], n=4, method="inclusive")
    return low, high


def tables():
    path, document = stored(lambda document: document["device"] != "cpu")
    core_path, core = stored(lambda document: "limit" in document)
    core_name = next(device["description"] for device in core["devices"] if device["name"] == "cpu")
    gpu = next(device["description"] for device in document["devices"] if device["name"].startswith("cuda"))
    cpu = next(device for device in document["devices"] if device["name"] == "cpu")
    soups = [f"| {cpu['description'] + ', ' + ('one thread' if row['threads'] == '1' else str(cpu['threads']) + ' threads') if row['device'] == 'cpu' else gpu} "
             f"| {number(row['worlds_per_second'])} | {number(row['cells_per_second'] / 1e12)} |" for row in document["soups"]]  # fmt: skip
    return "\n".join([
        f"`{path.name}`, revision {document['revision']}: {gpu}.",
        "",
        "| worlds | rule | T cells/s | spread |",
        "| --- | --- | ---: | ---: |",
        *(f"| {row['worlds']} of {row['size']} square | {row['rule']} | {number(row['cells_per_second'] / 1e12)} | {100 * row['spread']:.1f} % |" for row in document["results"]),
        "",
        "| with the population of every world after every generation | the kernel's speed, relative to that without |",
        "| --- | ---: |",
        *(f"| {row['worlds']} of {row['size']} square | {row['median']:.2f} |" for row in document["populations"]),
        "",
        "| soups on tori of 64 x 64 until periodic, periods up to 60 | soups/s | T cells/s |",
        "| --- | ---: | ---: |",
        *soups,
        "",
        f"One core of {core_name} (`{core_path.name}`, revision {core['revision']}), relative to the limit of its logic units, which `moorea bench` measures:",
        "",
        "| worlds | rule | of the logic limit, median | quartiles |",
        "| --- | --- | ---: | ---: |",
        *(f"| {row['worlds']} of {row['size']} square | {row['rule']} | {100 * row['median']:.0f} % | {', '.join(f'{100 * each:.0f} %' for each in quartiles(row))} |" for row in core["limit"]),
    ]) + "\n"  # fmt: skip


text = PAGE.read_text(encoding="utf-8")
head, rest = text.split(BEGIN)
now = head + BEGIN + "\n" + tables() + "\n" + END + rest.split(END, 1)[1]
if now == text:
    sys.exit(0)
if "--check" in sys.argv:
    sys.exit(f"{PAGE.name}: the tables are not those of bench/results; run tools/ensembles_tables.py")
PAGE.write_text(now, encoding="utf-8")
