#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The colours of moorea view: trails, palettes, and terminals without colours."""
import re
import subprocess

from programs import MOOREA
from view_case import ACORN, Case, main


class ViewColours(Case):
    def colours(self):
        """The colours of the picture, by number: (in the foreground, in the background)."""
        text = self.tmux("capture-pane", "-p", "-e").stdout
        return set(re.findall(r"38;5;(\d+)", text)), set(re.findall(r"48;5;(\d+)", text))

    def test_trails_and_palettes(self):
        """A glider and the trail behind it, by options and by keys; no trail after a step back in time."""
        glider = self.folder / "glider.cells"
        glider.write_text(".O.\n..O\nOOO\n")
        self.start(str(glider), "--show", "trails", "--palette", "viridis")
        self.wait_for_text("trails, viridis")
        alive = self.at_origin(self.dots(self.screen()))
        for generation in range(1, 5):
            self.press("Space")
            self.wait_for_text(f"generation {generation}  ")
        self.wait_for(lambda lines: len(self.dots(lines)) > len(alive), "a trail")
        front, _ = self.colours()
        # Yellow is new; a trail is bluish; the ground dark violet
        self.assertIn("220", front)
        self.assertGreaterEqual(len(front), 3)
        self.press("c")
        self.wait_for_text("activity, viridis")
        self.press("c", "p")
        self.wait_for_text("generation 4  ")
        self.wait_for(lambda lines: any(line.startswith("cividis") for line in lines), "cells in cividis")
        self.assertEqual(len(self.dots(self.screen())), len(alive))
        self.press("c", "c")
        self.wait_for_text("trails, cividis")
        self.press("p")
        self.wait_for(lambda lines: "trails  ?" in "".join(lines), "the default colours")
        self.press("Space", "Space")
        self.wait_for(lambda lines: len(self.dots(lines)) > len(alive), "a trail")
        self.press(",")
        self.wait_for_text("generation 5  ")
        self.wait_for(lambda lines: len(self.dots(lines)) == len(alive), "no trail")
        self.press("+", "+", "+", ".")
        self.wait_for_text("trails per 8 generations")
        self.press("q")
        self.wait_for_text("status 0")

    def test_trails_without_colours(self):
        """Where there are no colours a trail would look alive: it is not drawn."""
        glider = self.folder / "glider.cells"
        glider.write_text(".O.\n..O\nOOO\n")
        for variables in ("NO_COLOR=1", "TERM=linux", "TERM=vt100"):
            with self.subTest(variables):
                self.start(str(glider), "--show", "trails", variables=variables)
                self.wait_for_text("generation 0")
                for generation in range(1, 9):
                    self.press("Space")
                    self.wait_for_text(f"generation {generation}  ")
                    self.wait_for_cells(self.at_origin(self.model(generation, str(glider))), 4)
                self.assertEqual(self.colours(), (set(), set()))
                self.press("q")
                self.wait_for_text("status 0")
                self.tmux("kill-server")
        # An explicit palette is a wish for colours
        self.start(str(glider), "--palette", "viridis", variables="NO_COLOR=1")
        self.wait_for_text("viridis")
        self.wait_for(lambda _: "220" in self.colours()[0], "a colour")
        self.press("q")
        self.wait_for_text("status 0")

    def test_unknown_colours(self):
        for text, *arguments in (("expected one of cells, age, trails", "--show", "heat"), ("expected one of night", "--palette", "rainbow")):
            result = subprocess.run([MOOREA, "view", ACORN, *arguments], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 2)
            self.assertIn(text, result.stderr)


if __name__ == "__main__":
    main()
