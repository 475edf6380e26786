# SPDX-License-Identifier: MIT
"""Base of the tests of moorea view in a real terminal, tmux's: starts it, presses keys, and reads the screen."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import shard
from programs import MOOREA

ACORN = str(pathlib.Path(__file__).parents[2] / "patterns" / "acorn.rle")
BRAILLE = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


class Case(unittest.TestCase):
    COLUMNS, LINES = 60, 20

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.socket = ""
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="xterm-256color", PS1="$ ", HISTFILE="/dev/null")

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-S", self.socket, *arguments], capture_output=True, text=True, env=self.environment, timeout=60)

    def start(self, *arguments, columns=COLUMNS, lines=LINES, variables=""):
        """A shell in a terminal, in which the program is started with these variables."""
        self.socket = str(self.folder / f"tmux{len(list(self.folder.glob('tmux*')))}")
        result = self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines), "sh")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.addCleanup(self.tmux, "kill-server")
        self.tmux("send-keys", f"echo before; {variables} {MOOREA} view {' '.join(arguments)}; s=$?; sleep 0.3; echo status $s", "Enter")

    def screen(self):
        return self.tmux("capture-pane", "-p").stdout.split("\n")

    def wait_for(self, holds, what):
        """The screen once it is as it should be and, unless it always changes, all of it has been drawn."""
        for _ in range(300):
            lines = self.screen()
            if holds(lines):
                break
            time.sleep(0.05)
        else:
            self.fail(f"{what}:\n" + "\n".join(lines))
        for _ in range(5):
            time.sleep(0.02)
            later = self.screen()
            if later == lines or not holds(later):
                break
            lines = later
        return lines

    def wait_for_text(self, text):
        return self.wait_for(lambda lines: any(text in line for line in lines), text)

    def wait_for_cells(self, cells, scale=1):
        """The screen once its picture has just these cells, `scale` dots each: the terminal may be seen while it is being drawn."""
        return self.wait_for(lambda lines: {(x // scale, y // scale) for x, y in self.at_origin(self.dots(lines))} == cells, f"the cells {sorted(cells)}")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def model(self, generations, *arguments):
        path = self.folder / "model.lif"
        subprocess.run([MOOREA, "run", *arguments, "-g", str(generations), "-o", str(path), "--format", "life106"], check=True, capture_output=True)
        return {tuple(map(int, line.split())) for line in path.read_text().splitlines() if not line.startswith("#")}

    def dots(self, lines):
        """The live dots of the picture, half blocks or braille, from its upper left one on."""
        live = set()
        for row, line in enumerate(lines[:self.LINES - 2]):
            for column, character in enumerate(line):
                if character in "▀▄█":
                    live |= {(column, 2 * row + half) for half in (0, 1) if character in ("▀█", "▄█")[half]}
                elif "⠀" <= character <= "⣿":
                    set_bits = ord(character) - 0x2800
                    live |= {(2 * column + x, 4 * row + y) for x in (0, 1) for y in range(4) if set_bits & BRAILLE[x][y]}
        return live

    def at_origin(self, cells):
        left, top = min((x for x, _ in cells), default=0), min((y for _, y in cells), default=0)
        return {(x - left, y - top) for x, y in cells}


def main():
    if subprocess.run(["sh", "-c", "command -v tmux"], capture_output=True).returncode != 0:
        print("tmux is not installed: the terminal view is not tested")
        sys.exit(77)
    shard.main()
