#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve: planes that are trees are seen at any scale, advanced by powers of two and taken back."""
import gzip
import subprocess
import unittest

from programs import MOOREA
from serve_case import Case, SOURCE

GUN = str(SOURCE / "patterns" / "gosper-glider-gun.rle")
START = 2**40
LOOK = (-40, -30, 120, 90)


class Trees(Case):
    def setUp(self):
        super().setUp()
        self.far = self.folder / "far.mc"
        subprocess.run([MOOREA, "run", GUN, "-g", str(START), "-o", str(self.far)], check=True, capture_output=True)
        self.start(self.far)
        self.client = self.join()
        self.client.look(*LOOK)
        self.client.update(lambda state: state["population"] is not None)

    def cells_of_run(self, generation):
        """The live cells of the window by moorea run."""
        path = self.folder / "window.lif"
        x, y, width, height = LOOK
        subprocess.run([MOOREA, "run", GUN, "-g", str(generation), "--kernel", "hashlife", "-o", str(path), "--format", "life106",
                        "--window", f"{x},{y},{width},{height}"], check=True, capture_output=True)
        return {tuple(map(int, line.split())) for line in path.read_text().splitlines() if not line.startswith("#")}

    def test_steps_are_exact_in_both_directions(self):
        client = self.client
        self.assertTrue(client.state["is_tree"])
        self.assertEqual(client.state["generation"], START)
        self.assertEqual(client.cells(), self.cells_of_run(START))
        client.say("speed", exponent=30)
        client.say("faster", by=1)
        client.say("stride", back=False)
        there = START + 2**31
        client.update(lambda state: state["generation"] == there and not state["busy"])
        self.assertEqual(client.cells(), self.cells_of_run(there))
        client.say("step", generations=12345)
        client.update(lambda state: state["generation"] == there + 12345 and not state["busy"])
        self.assertEqual(client.cells(), self.cells_of_run(there + 12345))
        client.say("go", generation=there)
        client.update(lambda state: state["generation"] == there and not state["busy"])
        self.assertEqual(client.cells(), self.cells_of_run(there))
        # An edit, and back
        before = client.cells()
        client.say("draw", cells=[50, 50, 51, 50], state=1, first=True)
        client.update(lambda state: state["undo"])
        self.assertEqual(client.cells(), before | {(50, 50), (51, 50)})
        client.say("undo")
        client.update(lambda state: state["redo"])
        self.assertEqual(client.cells(), before)

    def test_all_of_a_very_large_world_is_selected(self):
        """What is too much at once is refused, and the client remains."""
        client = self.client
        client.say("live")
        box = client.until("live")[0]["box"]
        self.assertGreater(box["width"], 2**37)
        client.say("copy", **box)
        self.assertIn("too many at once", client.until("error")[0]["text"])
        client.say("identify", **box)
        self.assertIn("select fewer", client.until("identified")[0]["error"])
        client.say("clear", x=-100, y=-100, width=2**33, height=2**33)
        self.assertIn("too many at once", client.until("error")[0]["text"])
        client.say("clear", **box)
        client.update(lambda state: state["population"] == 0)
        self.assertEqual(client.state["generation"], START)
        client.say("undo")
        client.update(lambda state: state["population"] not in (0, None))

    def test_is_seen_at_any_scale(self):
        # Gliders fly to the lower right: squares on the diagonal up to a quarter of the generation
        scale = 2**34
        self.client.look(-4 * scale, -4 * scale, 32, 32, scale)
        self.client.update()
        frame = self.client.frame
        self.assertEqual((frame["scale"], frame["bits"]), (scale, 4))
        live = {(x - 4, y - 4) for y in range(32) for x in range(32) if self.client.squares[y * 16 + x // 2] >> 4 * (x % 2) & 15}
        self.assertLessEqual({(i, i) for i in range(16)}, live)
        self.assertTrue(all(abs(x - y) <= 1 and -1 <= x <= 16 for x, y in live), live)

    def test_opened_files_stay_trees(self):
        """A gun after 2^40 generations has 2^39 columns: its file is opened and advanced without the cells between."""
        client, data = self.client, self.far.read_bytes()
        for name, content in (("far.mc", data), ("far.mc.gz", gzip.compress(data))):
            client.say("library", name="glider.rle")
            client.update(lambda state: state["population"] == 5)
            client.say_bytes("open", content, name=name)
            client.update(lambda state: state["generation"] == START and state["population"] != 5)
            self.assertTrue(client.state["is_tree"])
            self.assertEqual((client.state["name"], client.cells()), ("Gosper glider gun", self.cells_of_run(START)))
            client.say("step", generations=2**31)
            client.update(lambda state: state["generation"] == START + 2**31 and not state["busy"])
            self.assertEqual(client.cells(), self.cells_of_run(START + 2**31))
            client.say("reset")
            client.update(lambda state: state["generation"] == START and not state["busy"])
            self.assertEqual(client.cells(), self.cells_of_run(START))
        # A file that is too large says why
        client.say_bytes("open", b"[M2]\n#R B3/S23\n$$..*$\n" + b"".join(b"%d %d 0 0 0\n" % (level, level - 3) for level in range(4, 80)), name="huge.mc")
        self.assertIn("beyond the coordinate 2^60", client.until("error")[0]["text"])
        self.assertEqual(client.state["generation"], START)

    def test_hyperspeed_doubles_steps(self):
        client = self.client
        client.say("hyperspeed", on=True)
        self.assertTrue(client.update(lambda state: state["hyperspeed"])["hyperspeed"])
        client.say("play")
        client.update(lambda state: state["exponent"] >= 15)
        client.say("hyperspeed", on=False)
        client.say("stop")
        client.update(lambda state: not state["busy"] and not state["hyperspeed"])
        self.assertGreater(client.state["generation"], START + 2**14)


if __name__ == "__main__":
    unittest.main()
