#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea view in a real terminal, tmux's: what the screen shows is compared with the model, key by key, and the terminal is as it
was whatever ended the program."""
import os
import pathlib
import re
import signal
import subprocess
import time

from programs import MOOREA
from view_case import ACORN, Case, main


class View(Case):
    def test_a_glider_step_by_step(self):
        glider = self.folder / "glider.cells"
        glider.write_text(".O.\n..O\nOOO\n")
        self.start(str(glider))
        lines = self.wait_for_text("generation 0  population 5")
        # Half blocks, as large as they fit: four dots a cell
        self.assertIn("4:1", "".join(lines))
        for generation in range(1, 4):
            self.press("Space")
            self.wait_for_text(f"generation {generation}  population 5")
            expected = self.at_origin(self.model(generation, str(glider)))
            self.wait_for_cells(expected, 4)
        for _ in range(2):
            self.press("[")
        self.wait_for_text("1:1")
        before = self.dots(self.wait_for_cells(expected))
        self.press("Right")  # a tenth of the screen: what is seen goes to the left
        self.wait_for(lambda now: self.dots(now) == {(x - 6, y) for x, y in before}, "moved by 6")
        self.press("b")
        self.wait_for(lambda now: any("⠀" < character <= "⣿" for line in now for character in line), "braille")
        self.wait_for_cells(expected)
        self.press("q")
        self.wait_for_text("status 0")

    def test_trees_at_any_scale(self):
        """A gun's gliders at generation 2^40, from a cell to the whole; hyperspeed."""
        gun, far = str(pathlib.Path(ACORN).with_name("gosper-glider-gun.rle")), self.folder / "far.mc"
        subprocess.run([MOOREA, "run", gun, "-g", "2^40", "-o", str(far)], check=True, capture_output=True)
        self.start(str(far), "--step", "40")
        for text in (f"generation {2**40}", "a tree", "1:2^33"):
            self.wait_for_text(text)
        self.press("Tab")
        self.wait_for_text(f"generation {2**41}")
        for _ in range(36):
            self.press("]")
        self.wait_for_text("8:1")
        self.press("-")
        self.wait_for_text("step 2^39")
        for _ in range(40):
            self.press("-")
        self.wait_for_text("1 every")
        self.press("h")
        self.wait_for_text("hyperspeed")
        self.press("Enter")
        self.wait_for(lambda lines: "step 2^" in "".join(lines), "longer steps")
        self.press("q")
        self.wait_for_text("status 0")

    def test_steps_and_playing(self):
        self.start(ACORN)
        self.wait_for_text("generation 0  population 7")
        for key in "+++":
            self.press(key)
        self.wait_for_text("step 8")
        self.press("Tab")
        self.wait_for_text("generation 8 ")
        self.press("Tab")
        self.wait_for_text(f"generation 16  population {len(self.model(16, ACORN))}")
        self.press("Enter")
        lines = self.wait_for(lambda lines: "generations/s" in "".join(lines), "playing")
        # Nothing is cut off in 60 columns
        for item in ("generation ", "population ", "step 8", "4:1", "? help", "Life on cpu"):
            self.assertIn(item, " ".join(lines[-4:]).replace("1:1", "4:1").replace("2:1", "4:1"))
        self.press("Enter")
        lines = self.wait_for_text("stopped")
        # The displayed numbers are correct
        time.sleep(0.3)
        status = next(line for line in self.screen() if "generation" in line).split()
        generation, population = int(status[1]), int(status[3])
        self.assertGreater(generation, 16)
        self.assertEqual(population, len(self.model(generation, ACORN)))
        self.assertRegex(self.screen()[-2 if self.screen()[-1] == "" else -1], "[▁▂▃▄▅▆▇█]{3}")
        self.press("r")
        self.wait_for_text("generation 0  population 7")
        self.press("?")
        self.wait_for_text("one generation")
        self.press("q")
        lines = self.wait_for_text("status 0")
        self.assertTrue(any("before" in line for line in lines), "the screen of before is not back")

    def test_help_in_a_small_terminal(self):
        self.start(ACORN, columns=40, lines=12)
        self.wait_for_text("generation 0")
        for page in (("play, stop", "one generation", "undo a restart", "more keys"), ("closer, farther", "another palette", "more keys"), ("hyperspeed", "quit")):
            self.press("?")
            self.wait_for(lambda lines: all(text in "".join(lines) for text in page), f"the page of {page}")  # all of it is drawn
        self.press("?")
        self.wait_for(lambda lines: not any("quit" in line for line in lines), "the help has ended")
        self.press("q")
        self.wait_for_text("status 0")

    def test_back_in_time_and_forth_again(self):
        self.start(ACORN, "--step", "4")
        self.wait_for_text("generation 0  population 7")
        for generation in (16, 32, 48):
            self.press("Tab")
            self.wait_for_text(f"generation {generation} ")
        for generation in (32, 16):
            self.press(",")
            self.wait_for_text(f"generation {generation}  population {len(self.model(generation, ACORN))} ")
        self.press("-", "-", "-", "-", ",")  # a generation between the steps
        lines = self.wait_for_text(f"generation 15  population {len(self.model(15, ACORN))} ")
        self.assertIn("stopped", "".join(lines))
        self.press(".")
        self.wait_for_text("generation 16 ")
        # Not before the beginning
        self.press("+", "+", "+", "+", "+", "+", ",")
        self.wait_for_text("generation 0  population 7")
        self.press(",", "Space")
        self.wait_for_text("generation 1 ")
        # While it plays, too
        self.press("Enter")
        self.wait_for_text("generations/s")
        self.press(",")
        self.wait_for_text("stopped")
        self.press("q")
        self.wait_for_text("status 0")

    def test_a_restart_is_undone_and_redone(self):
        self.start(ACORN)
        self.wait_for_text("generation 0  population 7")
        self.press("u", "U")  # there is nothing to undo
        self.press("+", "+", "+", "+", "+")
        self.wait_for_text("step 32")
        self.press("Tab")
        late = f"generation 32  population {len(self.model(32, ACORN))} "
        self.wait_for_text(late)
        for _ in range(2):
            self.press("r")
            self.wait_for_text("generation 0  population 7")
            self.press("u")
            self.wait_for_text(late)
            self.press("U")
            self.wait_for_text("generation 0  population 7")
            self.press("u")
            self.wait_for_text(late)
        self.press("?")
        lines = self.wait_for_text("one step back")
        self.assertIn("undo a restart", "".join(lines))
        self.press("q")
        self.wait_for_text("status 0")

    def test_sequences_that_are_no_keys(self):
        """Answers of a terminal, pastes, focus, mice, and keys with Alt: none of their characters is a key."""
        self.start(ACORN)
        self.wait_for_text("generation 0")
        before = self.screen()
        for sequence in ("\033q", "\033[?62;22c", "\033[I", "\033[O", "\033[200~q +b\033[201~", "\033[97;5u", "\033[M !!", "\033]11;rgb:0/0/0\033\\", "\033P>|q\033\\", "\033Xq\033\\", "\033\033[1;3A"):
            self.tmux("send-keys", "-H", *(f"{byte:02x}" for byte in sequence.encode()))
            time.sleep(0.2)
            self.assertEqual(self.screen(), before, repr(sequence))
        # Arrows as some terminals send them; Escape alone is a key that does nothing here
        self.tmux("send-keys", "-H", "1b", "5b", "41")
        self.wait_for(lambda lines: lines != before, "the view moves")
        self.press("Escape")
        time.sleep(0.2)
        self.press("Space")
        self.wait_for_text("generation 1 ")
        self.press("q")
        self.wait_for_text("status 0")

    def test_stops_where_it_should(self):
        self.start(ACORN, "-g", "100", "--step", "5", "--play")
        self.wait_for(lambda lines: "generation 100 " in "".join(lines) and "stopped at the end" in "".join(lines), "the end")
        self.press("q")
        self.wait_for_text("generation 100, population")

    def test_the_whole_of_a_large_world(self):
        self.start("--random", "0.3", "--size", "3000x3000")
        lines = self.wait_for_text("generation 0")
        self.assertIn("1:128", "".join(lines))
        # Not a dead dot in the world, and none beside it; a block of two shades looks like an upper one here
        blocks = [line.strip() for line in lines[:self.LINES - 2] if line.strip()]
        self.assertEqual({len(line) for line in blocks}, {-(-3000 // 128)})
        self.assertIn(len(blocks), (12, 13))
        self.assertEqual(set("".join(blocks)) - set("▀▄█"), set())
        self.press("q")
        self.wait_for_text("status 0")
        # A cell a braille dot, where that is enough for all of them
        self.start("--random", "0.3", "--size", "110x60")
        self.wait_for_text("1:1")
        self.wait_for_cells(self.at_origin(self.model(0, "--random", "0.3", "--size", "110x60")))
        self.press("q")
        self.wait_for_text("status 0")

    def test_states_have_their_colours(self):
        """WireWorld's in the 256 colours of the terminal, as half blocks and as braille."""
        wire = self.folder / "wire.rle"
        wire.write_text("x = 5, y = 1, rule = WireWorld\nBA3C!\n")
        self.start(str(wire))
        self.wait_for_text("generation 0  population 5")
        colours = lambda: set(re.findall(r"38;5;(\d+)", self.tmux("capture-pane", "-p", "-e").stdout))
        # Light blue, white and orange; the background is dark grey
        self.wait_for(lambda _: {"33", "231", "208"} <= colours(), "three colours")
        self.assertIn("48;5;236m", self.tmux("capture-pane", "-p", "-e").stdout)
        self.press("q")
        self.wait_for_text("status 0")
        # A braille character has the colour of the lowest live state, here the head's
        wire.write_text("x = 1, y = 8, rule = WireWorld\nA$C$A$C$A$C$A$C!\n")
        self.start(str(wire))
        self.wait_for_text("generation 0  population 8")
        self.assertIn("208", colours())
        self.press("[", "b")
        self.wait_for_cells({(0, y) for y in range(8)})
        self.assertTrue({"33"} <= colours() <= {"33", "236"}, colours())
        self.press("q")
        self.wait_for_text("status 0")

    def test_small_terminals(self):
        self.start(ACORN, columns=12, lines=3)
        self.wait_for_text("larger")
        self.tmux("resize-window", "-x", "60", "-y", "20")
        self.wait_for_text("generation 0")
        self.press("q")
        self.wait_for_text("status 0")

    def test_the_terminal_is_clean_whatever_happens(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, 137)):
            with self.subTest(number.name):
                self.start(ACORN, "--play")
                self.wait_for_text("generations/s")
                pane = self.tmux("display-message", "-p", "#{pane_pid}").stdout.strip()
                child = subprocess.run(["pgrep", "-P", pane, "moorea"], capture_output=True, text=True).stdout.split()[0]
                os.kill(int(child), number)
                lines = self.wait_for_text(f"status {status}")
                self.assertTrue(any("before" in line for line in lines))
                self.wait_for(lambda _: self.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").stdout.strip() == "0 1", "a cursor")
                self.press("echo typed", "Enter")  # echoed, and read by lines
                lines = self.wait_for(lambda now: "typed" in [line.strip() for line in now], "typed")
                self.assertTrue(any("echo typed" in line for line in lines))
                self.tmux("kill-server")

    def test_stop_and_go_on(self):
        """Ctrl-Z stops it each time, wherever it is."""
        self.start("--random", "0.4", "--size", "400x400", "--play", "--step", "3")
        for _ in range(10):
            self.wait_for_text("generations/s")
            self.press("C-z")
            self.wait_for(lambda lines: any("topped" in line for line in lines) and not any("generations/s" in line for line in lines), "stopped")
            self.press("fg", "Enter")
        self.wait_for_text("generations/s")
        self.press("q")
        self.wait_for_text("moorea: generation")

    def test_keys_come_from_the_terminal(self):
        self.start("-", "<", ACORN)
        self.wait_for_text("generation 0")
        self.press("Space")
        self.wait_for_text("generation 1 ")
        self.press("q")
        self.wait_for_text("status 0")

    def test_a_job_in_the_background(self):
        self.start("--help > /dev/null")
        self.wait_for_text("status 0")
        self.press(f"set -m; {MOOREA} view {ACORN} -g 500 --step 4 &", "Enter")
        self.wait_for_text("generation 500, population")

    def test_without_a_terminal(self):
        result = subprocess.run([MOOREA, "view", ACORN, "-g", "500", "--step", "4"], capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout.splitlines()[-1], f"generation 500, population {len(self.model(500, ACORN))}, .* generations/s")

    def test_terminals_that_cannot_be(self):
        self.start(ACORN, "2>&1")
        self.press("q")
        self.wait_for_text("status 0")
        # (ncurses itself loses some memory there, which the address sanitizer would tell)
        self.tmux("send-keys", f"ASAN_OPTIONS=detect_leaks=0 TERM=nonsense {MOOREA} view {ACORN}; echo again $?", "Enter")
        self.wait_for_text("names no terminal")
        self.wait_for_text("again 4")
        self.tmux("send-keys", f"ASAN_OPTIONS=detect_leaks=0 TERM=dumb {MOOREA} view {ACORN}; echo dumb $?", "Enter")
        self.wait_for_text("cannot move its cursor")
        self.wait_for_text("dumb 4")


if __name__ == "__main__":
    main()
