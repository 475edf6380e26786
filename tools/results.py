# SPDX-License-Identifier: MIT
"""Results files of bench/results: JSON documents, one or several behind each other."""
import json


def documents(path):
    text, decoder, at = path.read_text(), json.JSONDecoder(), 0
    while at < len(text):
        document, at = decoder.raw_decode(text, at)
        yield document
        while at < len(text) and text[at].isspace():
            at += 1


def gpu_name(run):
    """Of the first GPU of the machine that a document is from."""
    return next(d["description"].split(",")[0] for d in run["machine"]["devices"] if d["name"].startswith("cuda"))
