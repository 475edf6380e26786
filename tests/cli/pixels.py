# SPDX-License-Identifier: MIT
"""Decoder of the pictures that moorea writes, independent of its encoder."""
import pathlib
import struct
import zlib


def pixels_of(path):
    """The colours of a PNG file with a palette, row by row; and of a PBM file (P4) 1 where it is black."""
    data = pathlib.Path(path).read_bytes()
    if data.startswith(b"P4"):
        lines = [line for line in data.split(b"\n", 4) if not line.startswith(b"#")]
        width, height = map(int, lines[1].split())
        raw, pitch = data[-((width + 7) // 8) * height:], (width + 7) // 8
        return [[raw[y * pitch + x // 8] >> 7 - x % 8 & 1 for x in range(width)] for y in range(height)]
    chunks, at = {}, 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        chunks[name] = chunks.get(name, b"") + data[at + 8:at + 8 + size]
        at += size + 12
    width, height, depth, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, kind) == (8, 3), "no palette"
    raw, rows, before = zlib.decompress(chunks[b"IDAT"]), [], bytes(width)
    for y in range(height):
        filtered, line, row = raw[y * (width + 1)], raw[y * (width + 1) + 1:(y + 1) * (width + 1)], bytearray(width)
        for x in range(width):
            left, up, corner = (row[x - 1] if x else 0), before[x], (before[x - 1] if x else 0)
            nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[x] = line[x] + (0, left, up, (left + up) // 2, nearest)[filtered] & 255
        rows.append([tuple(chunks[b"PLTE"][3 * level:3 * level + 3]) for level in row])
        before = row
    return rows
