# SPDX-License-Identifier: MIT
"""The objects of the Life Lexicon (S. A. Silver and others) that come with Debian's package golly, as far as an entry draws
one of them and states its period and speed."""
import dataclasses
import html
import json
import pathlib
import re
import subprocess

FOLDER = pathlib.Path("/usr/share/golly/Help/Lexicon")


@dataclasses.dataclass
class Object:
    name: str
    period: int
    speed: str  # "c/4 diagonal"; empty if it does not move
    cells: str  # a picture, in the plaintext format


def text_of(markup):
    return " ".join(html.unescape(re.sub("<[^>]*>", "", markup)).split())


def objects(several=False):
    """Entries with one drawing whose text begins with "(p5)" or "(c/4 diagonally, p4)"; with `several` also the first drawings
    of those that have more, where they may show the object or a use of it."""
    for path in sorted(FOLDER.glob("lex_?.htm")):
        for entry in re.split(r"<p><a name=", path.read_text(errors="replace"))[1:]:
            head = re.match(r"[^>]*>:</a><b>(.*?)</b>(.*)", entry, re.S)
            drawings = re.findall(r'<pre><a href="lexpatt:">\s*(.*?)</a></pre>', head[2], re.S) if head else []
            if not drawings or (len(drawings) > 1 and not several) or not re.fullmatch(r"[.O\s]+", drawings[0]):
                continue
            stated = re.match(r"\((?:(?P<speed>[^()]*c/\d+ (?:orthogonally|diagonally)), )?p(?P<period>\d+)\)", text_of(head[2]))
            if stated:
                speed = re.sub("ly$", "", stated["speed"] or "")
                yield Object(text_of(head[1]), int(stated["period"]), speed, "!\n" + drawings[0].strip() + "\n")


def identify(moorea, cells, generations=2000):
    command = [moorea, "identify", "-", "--json", "--threads", "1", "--generations", str(generations)]
    result = subprocess.run(command, input=cells, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)
