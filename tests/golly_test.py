#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Golly's bgolly as an independent oracle: every pattern of Debian's package golly that fits the rule family is run by
both programs, and the populations compared. Usage: golly_test.py MOOREA [GENERATIONS]"""
import gzip
import json
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

from parts import PARTS, in_part

PATTERNS = pathlib.Path("/usr/share/golly/Patterns")
RULES = pathlib.Path("/usr/share/golly/Rules")
moorea = sys.argv[1]
generations = int(sys.argv[2]) if len(sys.argv) > 2 else 64
largest_box = 6000 * 6000  # cells; what is larger takes bgolly's QuickLife too long here


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def run_bgolly(*command):
    return run(bgolly, "-s", f"{RULES}/", *command)


def text_of(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode(errors="replace")


def is_of_file(path):
    """Whether the rule of an RLE file is the name of a file, which Golly does not know as one of two states."""
    found = re.search(r"^x *=.*rule *= *([^,:\s]+)", text_of(path), re.M)
    return found is not None and (RULES / f"{found[1]}.rule").exists()


bgolly = shutil.which("bgolly")
if not bgolly or not PATTERNS.is_dir():
    print("skipped: bgolly is not installed (Debian package golly)")
    sys.exit(77)

compared, different, foreign, refused = 0, [], 0, []
paths = [path for path in sorted(PATTERNS.rglob("*")) if path.name.endswith((".rle", ".rle.gz", ".lif", ".life", ".cells", ".mc", ".mc.gz", ".mcl"))]
for item, path in enumerate(paths):
    if not in_part(item):
        continue
    # Macrocell files may expand to far more than their length
    info = run(moorea, "info", str(path), "--json", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (2**30, 2**30)))
    if info.returncode != 0:
        if "more than two states" in info.stderr or "the system refused" in info.stderr or "of memory, but" in info.stderr:
            foreign += 1
            continue
        refused.append(f"{path.relative_to(PATTERNS)}: {info.stderr.strip()}")
        continue
    pattern = json.loads(info.stdout)
    # Bounded grids: bgolly's edges are Moorea's only for planes and tori, which is all that Moorea accepts. Golly
    # plays B0 rules on its unbounded plane by a trick of its own; Moorea asks for a size.
    if not pattern["runs"] or pattern["rule"].startswith("B0") or pattern["width"] * pattern["height"] > largest_box:
        foreign += 1
        continue
    ours = run(moorea, "run", str(path), "-g", str(generations), "--json")
    with tempfile.TemporaryDirectory() as folder:
        # bgolly gets the pattern as Moorea writes it, so that both readers and the writer are in the comparison
        copy = pathlib.Path(folder) / "copy.rle"
        written = run(moorea, "convert", str(path), str(copy))
        tree = pathlib.Path(folder) / "copy.mc"
        # Only rules of nine cells have trees; the others have algorithms of their own
        kind = json.loads(run(moorea, "info", "--rule", pattern["rule"], "--json").stdout)
        is_wide = kind["class"] == "Larger than Life"
        has_states = kind["states"] > 2 or is_wide
        assert has_states or run(moorea, "convert", str(path), str(tree)).returncode == 0, path
        of_file = is_of_file(path)
        in_cells = "Larger than Life" if is_wide else "JvN" if kind["rule"] in ("JvN29", "Nobili32", "Hutton32") else "RuleLoader" if of_file or kind["class"] == "transitions" else "Generations" if has_states else "QuickLife"
        # QuickLife reads no macrocell files
        algorithm = "HashLife" if path.name.endswith((".mc", ".mc.gz")) and not has_states else in_cells
        how = ("-a", "RuleLoader") if of_file else ("-a", algorithm, "-r", pattern["rule"])
        theirs = run_bgolly("-m", str(generations), "-i", str(generations), *how, str(path))
        again = run_bgolly("-m", str(generations), "-i", str(generations), "-a", in_cells, str(copy))
        if not is_wide and re.search(r"^#RULE R1,C", text_of(path), re.M):
            # Moorea writes rules of radius 1 with V, which bgolly does not read with bounds
            theirs = again = run_bgolly("-m", str(generations), "-i", str(generations), "-a", "Larger than Life", str(path))
        # HashLife has no bounded grids
        bounded = ":" in pattern["rule"]
        from_tree = again if bounded or has_states or of_file else run_bgolly("-m", str(generations), "-i", str(generations), "-a", "HashLife", str(tree))
    assert ours.returncode == 0 and written.returncode == 0, (path, ours.stderr, written.stderr)

    def population(result):
        # "64: 1,234" in its last line
        return int(result.stdout.strip().splitlines()[-1].split(":")[-1].replace(",", ""))

    values = (json.loads(ours.stdout)["population"], population(theirs), population(again), population(from_tree))
    compared += 1
    if len(set(values)) != 1:
        different.append(f"{path.relative_to(PATTERNS)} {pattern['rule']}: {values[0]}, bgolly {values[1]}, from Moorea's copies {values[2]}, {values[3]}")

# Rows of macrocell files, from bgolly and to it: where cells stand on the edge of a bounded grid they decide
for name, cells in (("", "Pos=-1,-3\nx = 3, y = 1, rule = B3/S23:P8,8\n3o!\n"), ("of states ", "Pos=-2,-4\nx = 3, y = 2, rule = /2/3:P8,8\nAAB$BA!\n")):
    with tempfile.TemporaryDirectory() as folder:
        start, theirs, ours = (pathlib.Path(folder) / each for each in ("start.rle", "theirs.mc", "ours.mc"))
        start.write_text("#CXRLE " + cells)
        algorithm = ("-a", "Generations" if name else "HashLife")
        run_bgolly(*algorithm, "-m", "0", "-o", str(theirs), str(start))
        run(moorea, "convert", str(start), str(ours))
        values = [json.loads(run(moorea, "run", str(path), "-g", "3", "--json").stdout)["hash"] for path in (start, theirs, ours)]
        counts = [run_bgolly(*algorithm, "-m", "3", "-i", "3", str(path)).stdout.splitlines()[-1] for path in (start, ours)]
    compared += 1
    if len(set(values)) != 1 or len(set(counts)) != 1:
        different.append(f"macrocell {name}: {values}, {counts}")

# Position of a pattern without one in a bounded grid: by the size in its header, whose cells may be fewer
for size in ("x = 1, y = 1", "x = 9, y = 9", "x = 8, y = 5", "x = 9, y = 1", "x = 10, y = 3", "x = 3, y = 10", "x = 0, y = 0"):
    for bounds in (":P9,9", ":P10,9", ":T9,9"):
        text = f"{size}, rule = B1357/S1357{bounds}\no!\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "placed.rle"
            path.write_text(text)
            ours = run(moorea, "run", str(path), "-g", "5", "--json")
            theirs = run_bgolly("-m", "5", "-i", "5", "-a", "QuickLife", str(path))
        values = (json.loads(ours.stdout)["population"], int(theirs.stdout.strip().splitlines()[-1].split(":")[-1].replace(",", "")))
        compared += 1
        if len(set(values)) != 1:
            different.append(f"{text!r}: {values[0]}, bgolly {values[1]}")

for line in refused:
    print("refused:", line)
for line in different:
    print("different:", line)
print(f"{compared} compared at generation {generations}, {len(different)} different, {foreign} of other rules or too large, "
      f"{len(refused)} refused")
sys.exit(1 if different or refused or compared < 100 / PARTS else 0)
