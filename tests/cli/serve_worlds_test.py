#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve: frames have the cells of the model, and rules, bounds, kernels and speed can be changed."""
import time

import shard
from serve_case import Case, GLIDER, GLIDER_RLE, SOURCE


class Worlds(Case):
    def test_frames_are_the_models_cells(self):
        noise = ("--random", "0.4", "--size", "130x97", "--seed", "3")
        self.start(*noise)
        client = self.join()
        client.look(0, 0, 130, 97)
        client.update()
        self.assertEqual(client.cells(), self.run_cells(0, *noise))
        for generation in (1, 2, 12):
            client.say("go", generation=generation)
            client.update(lambda state: state["generation"] == generation and not state["busy"])
            expected = self.run_cells(generation, *noise)
            self.assertEqual(client.cells(), expected, generation)
            self.assertEqual(client.state["population"], len(expected))
        self.assertTrue(client.frame["delta"])
        # A part, and beyond the edges, where nothing lives
        client.look(-7, 50, 60, 80)
        client.update()
        self.assertFalse(client.frame["delta"])
        self.assertEqual(client.cells(), {(x, y) for x, y in expected if -7 <= x < 53 and 50 <= y < 130})

    def test_shades_tell_how_many_live(self):
        noise = ("--random", "0.3", "--size", "100x100", "--seed", "4")
        self.start(*noise)
        client = self.join()
        client.look(0, 0, 26, 25, 4)
        client.update()
        self.assertEqual(client.frame["bits"], 4)
        cells = self.run_cells(0, *noise)
        shades = {}
        for y in range(25):
            for x in range(26):
                shade = client.squares[y * 13 + x // 2] >> 4 * (x % 2) & 15
                count = sum((4 * x + i, 4 * y + j) in cells for i in range(4) for j in range(4))
                self.assertEqual(shade == 0, count == 0)
                shades.setdefault(count, set()).add(shade)
        # Equal numbers have equal shades, and larger ones are never darker
        self.assertTrue(all(len(found) == 1 for found in shades.values()))
        ordered = [min(shades[count]) for count in sorted(shades)]
        self.assertEqual(ordered, sorted(ordered))
        self.assertGreater(len(set(ordered)), 4)

    def test_noise_is_that_of_its_seed(self):
        client = self.empty()
        client.say("fill", x=0, y=0, width=64, height=64, density=0.5, seed=9)
        client.update(lambda state: state["population"] > 0)
        self.assertEqual(client.cells(), self.run_cells(0, "--random", "0.5", "--seed", "9", "--size", "64"))
        client.say("make", topology="plane", width=33, height=20, density=0.25, seed=5)
        client.update(lambda state: state["width"] == 33)
        self.assertEqual((client.state["topology"], client.state["height"]), ("plane", 20))
        self.assertEqual(client.cells(), self.run_cells(0, "--random", "0.25", "--seed", "5", "--size", "33x20"))
        client.say("make", topology="unbounded", density=0, seed=0)
        self.assertEqual(client.update(lambda state: state["topology"] == "unbounded")["population"], 0)

    def test_rules(self):
        client = self.empty()
        for text, rule in (("highlife", "B36/S23"), ("23/3", "B3/S23"), ("T46789", "B4678/S35678")):
            client.say("check", rule=text)
            self.assertEqual(client.until("rule")[0]["rule"], rule)
        client.say("check", rule="B9/S23")
        self.assertIn("error", client.until("rule")[0])
        client.say("check", rule="B0/S23")
        self.assertTrue(client.until("rule")[0]["strobes"])
        client.say_bytes("paste", GLIDER_RLE, x=30, y=31)
        client.say("rule", rule="Seeds")
        client.update(lambda state: state["rule_name"] == "Seeds")
        self.assertEqual(client.cells(), {(x + 30, y + 31) for x, y in GLIDER})
        client.say("rule", rule="Seed")
        self.assertIn("Seed", client.until("error")[0]["text"])
        self.assertEqual(client.update()["rule_name"], "Seeds")
        # With a size in it
        client.say("rule", rule="B3/S23:P40,50")
        client.update(lambda state: state["width"] == 40)
        self.assertEqual((client.state["topology"], client.state["height"], client.state["population"]), ("plane", 50, 5))

    def test_other_bounds_keep_the_cells(self):
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=32, y=32)
        client.say("resize", topology="unbounded")
        client.update(lambda state: state["topology"] == "unbounded")
        self.assertEqual(client.state["population"], 5)
        client.say("step", generations=400)
        client.update(lambda state: state["generation"] == 400 and not state["busy"])
        client.say("live")
        self.assertEqual(client.until("live")[0]["box"], {"x": 100, "y": 100, "width": 3, "height": 3})
        client.say("resize", topology="torus", width=300, height=280)
        client.update(lambda state: state["topology"] == "torus")
        client.look(240, 230, 20, 20)
        client.update()
        self.assertEqual(client.cells(), {(x + 250, y + 240) for x, y in GLIDER})
        client.say("rule", rule="B03/S23")  # a world without end could not have it
        client.update(lambda state: state["rule"] == "B03/S23")
        client.say("resize", topology="unbounded")
        self.assertIn("B0", client.until("error")[0]["text"])
        self.assertEqual(client.update()["topology"], "torus")

    def test_what_lives_without_what_flew_off(self):
        client = self.join_unbounded()
        client.say("fill", x=0, y=0, width=40, height=40, density=0.5, seed=1)
        client.say_bytes("paste", GLIDER_RLE, x=3000, y=2000)
        client.update(lambda state: state["population"] > 500)
        client.say("live")
        live = client.until("live")[0]
        self.assertEqual(live["left_out"], 5)
        self.assertEqual((live["box"]["width"], live["box"]["height"]), (3004, 2004))
        self.assertEqual((live["most"]["width"], live["most"]["height"]), (41, 41))
        client.say("make", topology="torus", width=64, height=64, density=0, seed=0)
        client.update(lambda state: state["topology"] == "torus")
        client.say("live")
        self.assertNotIn("box", client.until("live")[0])

    def test_what_fails_changes_nothing(self):
        client = self.join_unbounded()
        client.say("engine", device="cpu", kernel="cpu/strided")  # which stores the plane densely
        client.update(lambda state: state["kernel"] == "cpu/strided")
        client.say("draw", cells=[2 ** 39, 0], state=1, first=True)
        self.assertIn("memory", client.until("error")[0]["text"])
        client.update()
        self.assertEqual((client.state["population"], client.state["undo"]), (5, False))

    def test_an_edge_is_reported(self):
        path = self.folder / "three.cells"
        path.write_text("OO\n..O\n")
        self.start(path, "--rule", "Seeds", "--memory", "300k", "--step", "12")
        client = self.join()
        client.say("stride", back=False)
        self.assertIn("met the edge of the largest plane", client.until("error")[0]["text"])
        met = client.update(lambda state: "edge_met" in state and not state["busy"])["edge_met"]
        # Also in a world that is made again from later cells, and not in one of before
        client.say("engine", device="cpu", kernel="cpu/tiles")
        self.assertEqual(client.update(lambda state: state["kernel"] == "cpu/tiles")["edge_met"], met)
        client.say("go", generation=met - 1)
        self.assertNotIn("edge_met", client.update(lambda state: state["generation"] == met - 1 and not state["busy"]))

    def test_kernels_and_devices(self):
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=10, y=20)
        client.say("kernels")
        kernels = {each["name"]: each for each in client.until("kernels")[0]["kernels"]}
        self.assertTrue(kernels["cpu/bits"]["runs"])
        client.say("engine", device="cpu", kernel="cpu/bits")
        client.update(lambda state: state["kernel"] == "cpu/bits")
        client.say("step", generations=4)
        client.update(lambda state: state["generation"] == 4)
        self.assertEqual(client.cells(), {(x + 11, y + 21) for x, y in GLIDER})
        client.say("engine", device="cpu", kernel="cpu/none")
        self.assertIn("cpu/none", client.until("error")[0]["text"])
        self.assertEqual(client.update()["kernel"], "cpu/bits")
        # A file would be compiled and run
        client.say("engine", device="cpu", kernel=str(SOURCE / "examples/kernels/mine.cpp"))
        self.assertIn("there is no kernel", client.until("error")[0]["text"])
        self.assertEqual(client.update()["kernel"], "cpu/bits")

    def test_playing(self):
        client = self.empty("--step", "3")
        client.say_bytes("paste", GLIDER_RLE, x=10, y=20)
        client.say("play")
        client.update(lambda state: state["generation"] > 100)
        self.assertTrue(client.state["playing"])
        client.say("stop")
        stopped = client.update(lambda state: not state["busy"])
        self.assertEqual(stopped["generation"] % 8, 0)
        time.sleep(0.3)
        client.say("speed", exponent=-2)
        self.assertEqual(client.update(lambda state: state["exponent"] == -2)["generation"], stopped["generation"])
        client.say("faster", by=3)
        client.say("faster", by=1)
        client.update(lambda state: state["exponent"] == 2)
        client.say("stride", back=False)
        client.update(lambda state: state["generation"] == stopped["generation"] + 4)
        client.say("stride", back=True)
        client.say("stride", back=True)
        client.update(lambda state: state["generation"] == stopped["generation"] - 4 and not state["busy"])
        client.say("speed", exponent=99)
        self.assertEqual(client.update(lambda state: state["exponent"] > 0)["exponent"], 40)
        # A long step can be stopped
        client.say("step", generations=10 ** 12)
        client.update(lambda state: state["busy"])
        client.say("stop")
        client.update(lambda state: not state["busy"])


if __name__ == "__main__":
    shard.main()
