# SPDX-License-Identifier: MIT
"""Results files of bench/results, which hold one or several JSON documents each, and the format of numbers in tables."""
import json
import sys


def documents(path):
    text, decoder, at = path.read_text(), json.JSONDecoder(), 0
    while at < len(text):
        document, at = decoder.raw_decode(text, at)
        yield document
        while at < len(text) and text[at].isspace():
            at += 1


ASLEEP = 1e16  # cells per second, reached only if every tile sleeps and no pass is made


def number(value):
    """Number as text, with three significant digits and no exponent."""
    digits = float(f"{value:.3g}")
    return f"{digits:,.0f}" if digits >= 100 else f"{digits:g}"


def speed(row, unit):
    """Cells a second of a row of `moorea bench` as text, in multiples of `unit`."""
    return number(row["cells_per_second"] / unit) if row["cells_per_second"] < ASLEEP else "all asleep"


def gpu_name(run):
    """Name of the first GPU of the machine on which a document was measured."""
    return next(d["description"].split(",")[0] for d in run["machine"]["devices"] if d["name"].startswith("cuda"))


def write_table(document, body, tool):
    """Replaces the table between the marks that name the tool; with --check it exits with an error if that changes the document."""
    begin, end = f"<!-- table: made by tools/{tool} -->\n", "<!-- end of table -->"
    old = document.read_text()
    before, rest = old.split(begin)
    new = before + begin + "\n" + body + "\n" + end + rest.split(end)[1]
    if "--check" not in sys.argv[1:]:
        document.write_text(new)
    elif new != old:
        sys.exit(f"{document.name} is not what its results say: tools/{tool} writes it")
