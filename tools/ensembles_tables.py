#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/ensembles.md from the measurements of tools/measure_ensembles.py on a GPU (bench/results/ensembles-*.json, the newest);
--check compares them with the committed ones. Usage: tools/ensembles_tables.py [--check]"""
import json
import pathlib
import sys

from results import number

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "ensembles.md"
BEGIN, END = "<!-- tables: made by tools/ensembles_tables.py -->\n", "<!-- end of tables -->"


def newest():
    documents = ((path, json.loads(path.read_text())) for path in sorted((ROOT / "bench" / "results").glob("ensembles-*.json"), reverse=True))
    return next((path, document) for path, document in documents if document["device"] != "cpu")


def tables():
    path, document = newest()
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
    ]) + "\n"  # fmt: skip


text = PAGE.read_text(encoding="utf-8")
head, rest = text.split(BEGIN)
now = head + BEGIN + "\n" + tables() + "\n" + END + rest.split(END, 1)[1]
if now == text:
    sys.exit(0)
if "--check" in sys.argv:
    sys.exit(f"{PAGE.name}: the tables are not those of bench/results; run tools/ensembles_tables.py")
PAGE.write_text(now, encoding="utf-8")
