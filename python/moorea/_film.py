# SPDX-License-Identifier: MIT
"""Films: animated PNG, which browsers show without an extension, and other formats by ffmpeg."""

from __future__ import annotations

import base64
import contextlib
import itertools
import os
import shutil
import struct
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import _moorea
from ._errors import RunError, UnavailableError, UsageError, write_error
from ._picture import Picture, write_file

if TYPE_CHECKING:
    from ._simulation import Simulation

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG = (".png", ".apng")
_CODECS = {
    ".mp4": ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-movflags", "+faststart"],
    ".webm": ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p"],
    ".gif": ["-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse"],
}


class Film:
    """Pictures of a world in time; notebooks show it.

    Attributes
    ----------
    frames : list of Picture
        All of one size.
    fps : float
        Frames per second.
    """

    __slots__ = ("frames", "fps")

    def __init__(self, frames: list[Picture], fps: float) -> None:
        self.frames = frames
        self.fps = fps

    @property
    def png(self) -> bytes:
        """Contents of an animated PNG file."""
        return _animated([frame.png for frame in self.frames], self.fps)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes .png (animated), or .mp4, .webm or .gif by the program ffmpeg.

        Raises
        ------
        UsageError
            For another extension.
        UnavailableError
            If ffmpeg is not installed.
        RunError
            If ffmpeg fails; the text has its messages.
        """
        extension = os.path.splitext(os.fspath(path))[1].lower()
        if extension in _PNG:
            write_file(path, self.png)
        else:
            encode(path, iter(self.frames), self.fps)

    def _repr_html_(self) -> str:
        height, width = self.frames[0].levels.shape
        data = base64.b64encode(self.png).decode()
        return f'<img alt="film of {len(self.frames)} frames" width="{width}" height="{height}" src="data:image/png;base64,{data}">'

    def __len__(self) -> int:
        return len(self.frames)

    def __repr__(self) -> str:
        height, width = self.frames[0].levels.shape
        return f"<moorea.Film of {len(self.frames)} frames, {width} x {height} pixels>"


def animate(
    simulation: Simulation,
    generations: int = 100,
    *,
    every: int = 1,
    fps: float = 25,
    box: tuple[int, int, int, int] | None = None,
    pixels: int = 400,
    zoom: int = 8,
    palette: str | None = None,
) -> Film:
    """Advances a world and returns a film of it, which Jupyter shows without an extension.

    Parameters
    ----------
    simulation : Simulation
        Is at a later generation afterwards.
    generations : int
        Generations of the film.
    every : int
        Generations from frame to frame.
    fps : float
        Frames per second.
    box, pixels, zoom, palette
        As of `Simulation.render`. By default the box is that of the first frame.

    Returns
    -------
    Film
        With the first and every later frame; `Film.save` writes a file.
    """
    return Film(list(frames_of(simulation, generations, every, fps, box, pixels, zoom, palette)), fps)


def film(
    simulation: Simulation,
    path: str | os.PathLike[str],
    generations: int = 100,
    *,
    every: int = 1,
    fps: float = 25,
    box: tuple[int, int, int, int] | None = None,
    pixels: int = 800,
    zoom: int = 8,
    palette: str | None = None,
) -> int:
    """As `Simulation.film`."""
    frames = frames_of(simulation, generations, every, fps, box, pixels, zoom, palette)
    if os.path.splitext(os.fspath(path))[1].lower() not in _PNG:
        return encode(path, frames, fps)
    made = Film(list(frames), fps)
    made.save(path)
    return len(made)


def frames_of(
    simulation: Simulation,
    generations: int,
    every: int,
    fps: float,
    box: tuple[int, int, int, int] | None,
    pixels: int,
    zoom: int,
    palette: str | None,
) -> Iterator[Picture]:
    """Advances a world and yields its pictures, all of one box."""
    if not fps > 0:
        raise UsageError(f"{fps} frames per second: expected more than 0")
    box = box or _moorea.frame(simulation._engine)
    yield simulation.render(box, pixels, zoom, palette)
    for now in simulation.iterate(generations, every):
        yield now.render(box, pixels, zoom, palette)


def encode(path: str | os.PathLike[str], frames: Iterator[Picture], fps: float) -> int:
    """Passes frames to ffmpeg as they come; returns their number. No partial file remains under the name."""
    name = os.fspath(path)
    extension = os.path.splitext(name)[1].lower()
    if extension not in _CODECS:
        raise UsageError(f"{name}: expected a name that ends in .png, .mp4, .webm or .gif")
    program = shutil.which("ffmpeg")
    if program is None:
        raise UnavailableError("ffmpeg was not found: install it, or choose a name that ends in .png, an animated PNG")
    partial = f"{name}.partial{extension}"
    try:
        open(partial, "wb").close()  # before the first frame is computed
    except OSError as error:
        raise write_error(name, error) from None
    try:
        return _encode_as(partial, name, frames, fps, program)
    finally:
        _remove(partial)


def _encode_as(partial: str, name: str, frames: Iterator[Picture], fps: float, program: str) -> int:
    extension = os.path.splitext(name)[1].lower()
    first = next(frames)
    height, width = first.levels.shape
    source = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(fps), "-i", "-"]
    filters = [] if extension == ".gif" else ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"]  # the codecs need even sides
    command = [program, "-v", "error", "-y", *source, *filters, *_CODECS[extension], partial]
    number = 0
    with tempfile.TemporaryFile() as messages:
        encoder = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=messages)
        assert encoder.stdin is not None
        try:
            for frame in itertools.chain([first], frames):
                encoder.stdin.write(frame.rgb.tobytes())
                number += 1
            encoder.stdin.close()
            failed = encoder.wait() != 0
        except BrokenPipeError:  # the messages have the reason
            encoder.wait()
            failed = True
        except BaseException:
            encoder.kill()
            encoder.wait()
            raise
        if failed:
            messages.seek(0)
            raise RunError(f"ffmpeg did not write {name}: {messages.read().decode(errors='replace').strip()}")
    os.replace(partial, name)
    return number


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)


def _chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    """Names and contents of a PNG file's chunks."""
    chunks, at = [], len(_SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        chunks.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + length]))
        at += length + 12
    return chunks


def _chunk(name: bytes, contents: bytes) -> bytes:
    return struct.pack(">I", len(contents)) + name + contents + struct.pack(">I", zlib.crc32(name + contents))


def _animated(frames: list[bytes], fps: float) -> bytes:
    """Animated PNG (PNG specification, third edition, 11.3.6) of PNG files of one size and palette."""
    parts, number = [_SIGNATURE], 0
    for i, frame in enumerate(frames):
        chunks = _chunks(frame)
        width, height = struct.unpack_from(">II", chunks[0][1])
        if i == 0:
            parts.append(_chunk(*chunks[0]) + _chunk(b"acTL", struct.pack(">II", len(frames), 0)))
            parts += [_chunk(*each) for each in chunks[1:] if each[0] in (b"PLTE", b"tRNS")]
        delay = max(round(1000 / fps), 1)
        parts.append(_chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, min(delay, 65535), 1000, 0, 0)))
        number += 1
        for name, contents in chunks:
            if name != b"IDAT":
                continue
            if i == 0:
                parts.append(_chunk(b"IDAT", contents))
            else:
                parts.append(_chunk(b"fdAT", struct.pack(">I", number) + contents))
                number += 1
    return b"".join(parts) + _chunk(b"IEND", b"")
