#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve: squares by age, trails and activity, compared with the pictures of moorea render."""
import subprocess

import shard
from pixels import pixels_of
from programs import MOOREA
from serve_case import Case

NOISE = ("--random", "0.3", "--seed", "4", "--size", "48")


class Colours(Case):
    def rendered(self, show, generations, *world):
        """The levels of a picture: ink has 255 minus the level in each of red, green and blue."""
        path = self.folder / "expected.png"
        subprocess.run([MOOREA, "render", *world, "-g", str(generations), "--show", show, "--zoom", "1", "--palette", "ink", "-o", str(path)], check=True, capture_output=True)
        return [255 - pixel[0] for row in pixels_of(str(path)) for pixel in row]

    def look(self, client, show, columns=48, rows=48, scale=1):
        client.say("look", x=0, y=0, columns=columns, rows=rows, scale=scale, show=show)

    def steps(self, client, number, length=1):
        for _ in range(number):
            target = client.state["generation"] + length
            client.say("step", generations=length)
            client.update(lambda state: state["generation"] == target and not state["busy"])

    def test_single_generations_as_render_draws_them(self):
        self.start(*NOISE)
        for show in ("age", "trails"):
            client = self.join()
            self.look(client, show)
            client.update()
            client.say("reset")
            client.update(lambda state: state["generation"] == 0 and not state["busy"])
            self.steps(client, 30)
            self.assertEqual((client.frame["show"], client.frame["bits"], client.frame["unit"]), (show, 8, 1))
            expected = self.rendered(show, 30, *NOISE)
            # The lowest bit is that of live cells
            self.assertEqual([level & 0xFE for level in client.squares], [level & 0xFE for level in expected])
            live = {(i % 48, i // 48) for i, level in enumerate(client.squares) if level & 1}
            self.assertEqual(live, self.run_cells(30, *NOISE))
            client.close()

    def test_activity(self):
        self.start(*NOISE)
        client = self.join()
        self.look(client, "activity")
        client.update()
        self.steps(client, 12)
        expected, found = self.rendered("activity", 12, *NOISE), [level & 0xFE for level in client.squares]
        self.assertEqual([level > 0 for level in found], [level > 0 for level in expected])
        # Later generations count a little more
        self.assertLess(max(abs(a - b) for a, b in zip(found, expected)), 10)

    def test_edits_keep_it_and_jumps_end_it(self):
        client = self.empty()
        self.look(client, "trails", 64, 64)
        client.say("draw", cells=[9, 10, 10, 10, 11, 10], state=1, first=True)
        client.update(lambda state: state["population"] == 3)
        at = lambda x, y: client.squares[64 * y + x]
        self.assertEqual([at(x, 10) for x in (8, 9, 10, 11)], [0, 255, 255, 255])
        self.steps(client, 1)
        self.assertEqual([at(x, 10) for x in (9, 10, 11)], [102, 255, 102])  # 254 and 103, but for the lowest bit
        self.assertEqual([at(10, y) for y in (9, 11)], [255, 255])
        client.say("draw", cells=[10, 10], state=0, first=True)
        client.update(lambda state: state["population"] == 2)
        self.assertEqual([at(10, y) for y in (9, 10, 11)], [255, 102, 255])
        client.say("undo")
        client.update(lambda state: state["redo"])
        self.assertEqual(set(client.squares), {0, 255})  # nothing is known of the past
        self.steps(client, 5)
        self.assertIn(102, set(client.squares))
        client.say("stride", back=True)
        client.update(lambda state: state["generation"] == 5 and not state["busy"])
        self.assertLess(len(set(client.squares)), 5)

    def test_squares_of_several_cells_and_long_steps(self):
        self.start("--random", "0.3", "--size", "256")
        client, other, plain = self.join(), self.join(self.serve.audience), self.join()
        for each in (client, other):
            self.look(each, "trails", 64, 64, 4)
        plain.look(0, 0, 64, 64, 4)
        client.update()
        self.steps(client, 12, 64)
        self.assertEqual(client.frame["unit"], 64)
        plain.update(lambda state: state["generation"] == 768)
        self.assertNotIn("show", plain.frame)
        shades = [plain.squares[i // 2] >> i % 2 * 4 & 15 for i in range(64 * 64)]
        for level, shade in zip(client.squares, shades):
            self.assertEqual(level >= 104, shade > 0)
        kinds = set(client.squares)
        self.assertTrue({0, 255} < kinds and any(0 < level < 104 for level in kinds), kinds)
        # Another client of the same squares sees the same past, though it showed nothing in between
        other.update(lambda state: state["generation"] == 768)
        self.assertEqual(other.squares, client.squares)
        # What stays in view keeps its past
        before = client.squares
        client.say("look", x=40, y=20, columns=54, rows=59, scale=4, show="trails")
        client.update(lambda state: client.frame["columns"] == 54)
        self.assertEqual(client.squares, b"".join(before[64 * y + 10:64 * y + 64] for y in range(5, 64)))
        self.look(client, "cells", 64, 64, 4)
        client.update(lambda state: "show" not in client.frame)
        self.assertEqual(client.squares, plain.squares)

    def test_states_that_die_by_degrees_are_alive(self):
        client = self.empty("--rule", "/2/3")
        self.look(client, "trails", 64, 64)
        client.say_bytes("paste", b"x = 2, y = 2, rule = /2/3\n2B$2A!\n", x=10, y=20)
        client.update(lambda state: state["population"] == 4)
        self.steps(client, 3)
        self.assertEqual(sum(level & 1 for level in client.squares), client.state["population"])
        self.assertTrue(any(0 < level < 104 for level in client.squares))

    def test_malformed(self):
        self.start(*NOISE)
        for show in ("heat", 5, None):
            client = self.join()
            client.say("look", x=0, y=0, columns=4, rows=4, scale=1, show=show)
            with self.assertRaisesRegex(ConnectionError, "malformed"):
                client.say("ready")
                while True:
                    client.event()
        self.assertEqual([each["name"] for each in self.join().hello["colourings"]], ["cells", "age", "trails", "activity"])
        for palette in self.join().hello["palettes"]:
            self.assertRegex(palette["colours"], "^[0-9a-f]{1536}$")


if __name__ == "__main__":
    shard.main()
