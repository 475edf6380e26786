#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes docs/anneal.png, the picture of docs/rules.md: noise under ANNEAL at four generations, run by Moorea.
Usage: tools/picture.py [MOOREA]"""
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
GENERATIONS = (0, 4, 64, 512)
SIZE, GAP = 256, 8
DEAD, ALIVE, PAPER = (246, 241, 229), (24, 64, 92), (255, 255, 255)


def panel(program, generation):
    """The rows of a bitmap, as lists of 0 and 1."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "world.pbm"
        subprocess.run([program, "run", "--random", "0.5", "--size", f"{SIZE}x{SIZE}", "--seed", "6", "--rule", "Anneal", "-g",
                        str(generation), "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
        data = path.read_bytes()
    cells = data[-SIZE * SIZE // 8:]
    return [[cells[(y * SIZE + x) // 8] >> (7 - x % 8) & 1 for x in range(SIZE)] for y in range(SIZE)]


def png(rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "moorea")
panels = [panel(program, generation) for generation in GENERATIONS]
image = []
for y in range(SIZE):
    row = []
    for index, cells in enumerate(panels):
        row += [PAPER] * (GAP if index else 0) + [ALIVE if cell else DEAD for cell in cells[y]]
    image.append(row)
(ROOT / "docs" / "anneal.png").write_bytes(png(image))
