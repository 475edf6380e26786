# SPDX-License-Identifier: MIT
"""Results files of bench/results, which hold one or several JSON documents each, and the format of numbers in tables."""
import json


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
