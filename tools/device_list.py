#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of docs/devices.md from the lines that moorea bench --submit made, bench/devices/*.jsonl; --check compares it with
the committed one. A line of a build with uncommitted changes is refused. bench/devices/earlier.json names results files of moorea
bench from before that option was there, with the rows that make a line. Usage: tools/device_list.py [--check]"""
import json
import pathlib
import re
import sys

from results import number, write_table

ROOT = pathlib.Path(__file__).resolve().parents[1]
RULES = {"B3/S23": "Life", "B4678/S35678": "ANNEAL"}


def require_committed(revision, place):
    if not re.fullmatch(r"[0-9a-f]{12,40}", revision):
        sys.exit(f"{place}: revision {revision}: measure again with a build of a committed state")


def earlier_lines():
    """A line of each of the earlier results files, with its name."""
    path = ROOT / "bench" / "devices" / "earlier.json"
    for what in json.loads(path.read_text()) if path.exists() else ():
        document = json.loads((ROOT / "bench" / "results" / what["results"]).read_text())
        require_committed(document["revision"], what["results"])
        device, threads = document["machine"]["devices"][0], what["threads"]
        rows = [row for row in document["results"] if (row["kernel"], row["threads"], row["topology"]) == (what["kernel"], threads, "torus") and "start" not in row and row["rule"] in RULES]
        speeds = [row for row in rows if row["width"] == row["height"] and row["width"] in what["sizes"]]
        copy = next(each["copy_bytes_per_second"] for each in document["ceilings"] if each["threads"] == threads)
        yield what["results"], {"device": device["description"], "threads": threads, "copy_bytes_per_second": copy, "speeds": speeds, "date": document["date"], "revision": document["revision"]}


def lines():
    """The lines of all files, the fastest device first."""
    found = list(earlier_lines())
    for path in sorted((ROOT / "bench" / "devices").glob("*.jsonl")):
        for at, text in enumerate(path.read_text().splitlines(), 1):
            line = json.loads(text)
            require_committed(line["revision"], f"{path.relative_to(ROOT)}, line {at}")
            found.append((path.name, line))
    return sorted(found, key=lambda entry: -max(speed["cells_per_second"] for speed in entry[1]["speeds"]))


def made():
    entries = lines()
    columns = sorted({(RULES.get(speed["rule"], speed["rule"]), speed["width"]) for _, line in entries for speed in line["speeds"]}, key=lambda column: (column[0] != "Life", column))
    heads = ["device", "threads", "copy, GB/s", *(f"{rule}, {width} square" for rule, width in columns), "line"]
    rows = []
    for name, line in entries:
        speeds = {(RULES.get(speed["rule"], speed["rule"]), speed["width"]): speed["cells_per_second"] for speed in line["speeds"]}
        copy = line["copy_bytes_per_second"]
        rows.append([line["device"], str(line.get("threads", "-")), number(copy / 1e9) if copy else "-",
                     *(number(speeds[column] / 1e9) if column in speeds else "-" for column in columns), f"`{name}`, {line['date'][:10]}, {line['revision'][:12]}"])
    marks = ["---", "---:", "---:", *["---:"] * len(columns), "---"]
    body = "\n".join("| " + " | ".join(row) + " |" for row in [heads, marks, *rows]) + "\n"
    return body


if __name__ == "__main__":
    write_table(ROOT / "docs" / "devices.md", made(), "device_list.py")
