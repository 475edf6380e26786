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


ASLEEP = 1e16  # cells a second: no pass was made any more


def number(value):
    """Three digits without an exponent."""
    digits = float(f"{value:.3g}")
    return f"{digits:,.0f}" if digits >= 100 else f"{digits:g}"


def speed(row, unit):
    """Cells a second of a row of `moorea bench`, in units of so many."""
    return number(row["cells_per_second"] / unit) if row["cells_per_second"] < ASLEEP else "all asleep"


def gpu_name(run):
    """Of the first GPU of the machine that a document is from."""
    return next(d["description"].split(",")[0] for d in run["machine"]["devices"] if d["name"].startswith("cuda"))
