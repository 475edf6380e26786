#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of docs/serve.md from the measurements of tools/serve_check.py (bench/results/serve-*.json); --check compares it
with the committed one. Usage: tools/serve_table.py [--check]"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "serve.md"
BEGIN, END = "<!-- table: made by tools/serve_table.py -->\n", "<!-- end of table -->"


def world(arguments):
    """Rule and size as text."""
    named = dict(zip(arguments, arguments[1:]))
    return f"{named.get('--rule', 'Life')}, {named['--size']} square"


def rows():
    for path in sorted((ROOT / "bench" / "results").glob("serve-*.json")):
        found = json.loads(path.read_text())
        device = next(each for each in found["devices"] if each["name"] == found["device"])
        updates = found["updates_per_second_of_a_client"]
        yield (f"| {device['description']}{', %d threads' % found['threads'] if found['device'] == 'cpu' else ''} | {world(found['arguments'])} | {found['clients']}, {found['that_never_read']} of which never read | "
               f"{'whole world' if found['same'] else 'different parts'}, {found.get('show', 'cells')} | {100 * found['kept']:.0f} % | {updates['median']:.2g} | {found['bytes_per_update'] / 1024:.0f} KiB | "
               f"`{path.name}`, {found['revision']} |")


table = "\n".join(["| device | world | clients | view | speed relative to one client without a view | updates per second per client | size of an update | results |", "| --- | --- | --- | --- | ---: | ---: | ---: | --- |", *rows()]) + "\n"
text = PAGE.read_text()
head, rest = text.split(BEGIN)
now = head + BEGIN + "\n" + table + "\n" + END + rest.split(END, 1)[1]
if now == text:
    sys.exit(0)
if "--check" in sys.argv:
    print(f"{PAGE.name}: the table is not that of bench/results; run tools/serve_table.py")
    sys.exit(1)
PAGE.write_text(now)
