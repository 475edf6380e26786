#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of docs/ladder.md, the CPU ladder's measurements and the registers of the CUDA ladder, from files in
bench/results; --check compares them with the committed ones. A file of a build with uncommitted changes, or one with
rows of a busy machine, is refused. Usage: tools/ladder_table.py [--check]"""
import json
import pathlib
import re
import sys

from results import number

ROOT = pathlib.Path(__file__).resolve().parents[1]
STUDIES = ROOT / "bench" / "results" / "studies-h200-2026-11-23"
LADDER, VECTORS, LAZY = STUDIES / "ladder.json", STUDIES / "vectors.json", STUDIES / "lazy.json"
GPU_LADDER = ROOT / "bench" / "results" / "gpu-ladder-h200-2026-11-23.json"
PRODUCTION = {"cpu/bits": 10, "cpu/bits_avx2": 11, "cpu/bits_avx512": 12}  # rungs that live outside the ladder's folder


def refusal(results):
    """Reason why a document must not become a table; None if it may."""
    revision = results["revision"]
    if not re.fullmatch(r"[0-9a-f]{12,40}", revision):
        return f"revision {revision}: measure again with a build of a committed state"
    busy = [row["kernel"] for row in results["results"] if row.get("busy")]
    if busy:
        return f"{', '.join(busy)} measured while other processes used the CPUs: measure again"
    return None


def place(kernel):
    """Sort key: the reference before the first rung, kernels without a rung after the last."""
    return (rung(kernel) or (0 if kernel == "cpu/reference" else 99), kernel)


def read(path):
    results = json.loads(path.read_text())
    reason = refusal(results)
    if reason:
        sys.exit(f"{path.relative_to(ROOT)}: {reason}")
    return results


def rung(kernel):
    """Number of a kernel's rung; 0 for kernels without one."""
    number = re.match(r"\w+/ladder/(\d+)_", kernel)
    return int(number.group(1)) if number else PRODUCTION.get(kernel, 0)


def head(path, results, rows, what):
    return (f"{what}, on {results['machine']['devices'][0]['description']}, in billions of cells per second (quartiles at most "
            f"{100 * max(row['spread'] for row in rows):.0f} % apart). `{path.relative_to(ROOT)}`, {results['date'][:10]}, revision {results['revision'][:12]}, "
            f"{results['compiler']}.")


def table(heads, lines):
    marks = ["---:" if i != 1 else "---" for i in range(len(heads))]
    return "\n".join("| " + " | ".join(line) + " |" for line in [heads, marks, *lines]) + "\n"


def soup():
    results, vectors = read(LADDER), read(VECTORS)
    rows = {row["kernel"]: row for row in results["results"] if row["device"] == "cpu"}
    single = {row["kernel"]: row for row in vectors["results"] if row["threads"] == 1}
    first = "cpu/ladder/01_serial"
    threads = rows[first]["threads"]
    lines = []
    for kernel in sorted(rows, key=place):
        speed = rows[kernel]["cells_per_second"]
        one = single.get(kernel)
        lines.append([str(rung(kernel) or ""), kernel, f"{number(speed / 1e9)} ({number(speed / rows[first]['cells_per_second'])})",
                      f"{number(one['cells_per_second'] / 1e9)} ({number(one['cells_per_second'] / single[first]['cells_per_second'])})" if one else "-"])
    return (head(LADDER, results, list(rows.values()), "B3/S23 on a torus of 4096 x 4096 cells, noise of density 0.5") + " One thread: "
            f"`{VECTORS.relative_to(ROOT)}`, {vectors['date'][:10]}, revision {vectors['revision'][:12]}. In brackets relative to rung 1.\n\n"
            + table(["rung", "kernel", f"{threads} threads", "1 thread"], lines))


def lazy():
    results = read(LAZY)
    rows = [row for row in results["results"] if row["device"] == "cpu" and row["width"] == 4096]
    starts = ["spaceships:512", "r-pentominoes:512", "random:0.5:0"]
    found = {(row["kernel"], row["start"]): row for row in rows}
    lines = [[str(rung(kernel) or ""), kernel, *(number(found[kernel, start]["cells_per_second"] / 1e9) for start in starts)]
             for kernel in sorted({row["kernel"] for row in rows}, key=place)]
    return head(LAZY, results, rows, f"B3/S23 on a torus of 4096 x 4096 cells, {rows[0]['threads']} threads, by starting world") + "\n\n" + table(["rung", "kernel", *starts], lines)


def registers():
    results = read(GPU_LADDER)
    gpu = next(device["description"].split(",")[0] for device in results["machine"]["devices"] if device["name"].startswith("cuda"))
    rows = [row for row in results["results"] if row["width"] == 4096 and "/ladder/" in row["kernel"]]
    lines = [[str(rung(row["kernel"])), f"`{row['kernel'].rsplit('/')[-1]}`", f"{row['block']['width']}x{row['block']['height']}",
              str(row["registers_per_thread"]), f"{100 * row['occupancy']:.0f} %"] for row in sorted(rows, key=lambda row: rung(row["kernel"]))]
    return (f"Life on {gpu}. `{GPU_LADDER.relative_to(ROOT)}`, {results['date'][:10]}, revision {results['revision'][:12]}, {results['compiler']}.\n\n"
            + table(["rung", "kernel", "thread block", "registers", "occupancy"], lines))


def made(text):
    for name, body in (("tables", soup() + "\n" + lazy()), ("registers", registers())):
        begin, end = f"<!-- {name}: made by tools/ladder_table.py -->\n", f"<!-- end of {name} -->"
        before, rest = text.split(begin)
        text = before + begin + "\n" + body + "\n" + end + rest.split(end)[1]
    return text


def check_refusals():
    clean = {"revision": "0123456789ab", "results": [{"kernel": "a", "busy": False}, {"kernel": "b"}]}
    assert refusal(clean) is None
    for revision in ("0123456789ab-dirty", "unknown", ""):
        assert "committed state" in refusal({**clean, "revision": revision}), revision
    assert refusal({**clean, "results": [{"kernel": "a", "busy": True}]}).startswith("a measured while")


if __name__ == "__main__":
    document = ROOT / "docs" / "ladder.md"
    old = document.read_text()
    new = made(old)
    if "--check" in sys.argv[1:]:
        check_refusals()
        if new != old:
            sys.exit("docs/ladder.md: the tables are not those of their results files; run tools/ladder_table.py")
    else:
        document.write_text(new)
