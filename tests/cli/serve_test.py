#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve by what it sends: frames are the model's cells, everything the page can do is done, nobody gets in without
a token or from elsewhere, and whoever sends nonsense is closed alone."""
import gzip
import http.client
import json
import pathlib
import random
import signal
import socket
import stat
import subprocess
import tempfile
import time
import unittest

import shard
from programs import MOOREA
from serve_client import Refused, Serve, Socket
from serve_model import Model

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GLIDER = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
GLIDER_RLE = b"x = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.serve = None

    def start(self, *arguments, **more):
        self.serve = Serve(MOOREA, *arguments, **more)
        self.addCleanup(lambda: self.serve.process.poll() is None and self.serve.stop())
        return self.serve

    def join(self, token=None, **more):
        client = Socket(self.serve.port, self.serve.token if token is None else token, **more)
        self.addCleanup(client.close)
        client.hello = client.until("hello")[0]
        return client

    def join_unbounded(self):
        """A client of a glider on a plane without end."""
        path = self.folder / "glider.rle"
        path.write_bytes(GLIDER_RLE)
        self.start(path)
        return self.join()

    def empty(self, *arguments):
        """A client of an empty torus of 64 x 64."""
        self.start("--random", "0", "--size", "64", *arguments)
        client = self.join()
        client.look(0, 0, 64, 64)
        return client

    def run_cells(self, generations, *arguments):
        """The live cells of the same world run by moorea run."""
        path = self.folder / "expected.pbm"
        subprocess.run([MOOREA, "run", *arguments, "-g", str(generations), "-o", str(path)], check=True, capture_output=True)
        data = path.read_bytes()
        header, body = data.split(b"\n", 1)
        while body.startswith(b"#"):
            body = body.split(b"\n", 1)[1]
        size, body = body.split(b"\n", 1)
        width, height = map(int, size.split())
        row = (width + 7) // 8
        return {(x, y) for y in range(height) for x in range(width) if body[y * row + x // 8] >> 7 - x % 8 & 1}


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
        # The same number has the same shade, and more is never darker
        self.assertTrue(all(len(found) == 1 for found in shades.values()))
        ordered = [min(shades[count]) for count in sorted(shades)]
        self.assertEqual(ordered, sorted(ordered))
        self.assertGreater(len(set(ordered)), 4)

    def test_drawing_stepping_and_undoing(self):
        client = self.empty()
        client.say("draw", cells=[number for cell in sorted(GLIDER) for number in cell], alive=True, first=True)
        client.update(lambda state: state["population"] == 5)
        self.assertEqual(client.cells(), GLIDER)
        client.say("step", generations=4)
        client.update(lambda state: state["generation"] == 4)
        self.assertEqual(client.cells(), {(x + 1, y + 1) for x, y in GLIDER})
        client.say("draw", cells=[1, 3], alive=False, first=True)
        client.update(lambda state: state["population"] == 4)
        client.say("undo")
        client.update(lambda state: state["population"] == 5)
        self.assertEqual(client.state["generation"], 4)
        self.assertEqual(client.cells(), {(x + 1, y + 1) for x, y in GLIDER})
        client.say("undo")
        client.update(lambda state: state["population"] == 0)
        self.assertEqual(client.state["generation"], 0)
        self.assertFalse(client.state["undo"])

    def test_back_in_time_has_what_was_drawn(self):
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=0, y=0)
        client.say("go", generation=40)
        client.update(lambda state: state["generation"] == 40 and not state["busy"])
        client.say("draw", cells=[50, 5, 51, 5, 52, 5], alive=True, first=True)
        client.say("step", generations=7)
        client.update(lambda state: state["generation"] == 47 and not state["busy"])
        late = client.cells()
        client.say("go", generation=13)
        client.update(lambda state: state["generation"] == 13 and not state["busy"])
        self.assertEqual(client.state["population"], 5)  # the blinker is not there yet
        self.assertEqual(client.state["last"], 47)
        # Forth again it is as it was, also step by step
        client.say("step", generations=27)
        client.update(lambda state: state["generation"] == 40 and not state["busy"])
        self.assertEqual(client.state["population"], 8)
        client.say("go", generation=47)
        client.update(lambda state: state["generation"] == 47 and not state["busy"])
        self.assertEqual(client.cells(), late)
        client.say("reset")
        client.update(lambda state: state["generation"] == 0)
        self.assertEqual(client.cells(), GLIDER)
        # From the beginning it goes its own way
        client.say("go", generation=47)
        client.update(lambda state: state["generation"] == 47 and not state["busy"])
        self.assertEqual(client.state["population"], 5)

    def test_undo_brings_the_past_back(self):
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=0, y=0)
        client.say("go", generation=20)
        client.update(lambda state: state["generation"] == 20 and not state["busy"])
        client.say("draw", cells=[50, 5, 51, 5, 52, 5], alive=True, first=True)
        client.say("go", generation=47)
        late = client.update(lambda state: state["generation"] == 47 and not state["busy"])
        for what, members in (("library", {"name": "acorn.rle"}), ("make", {"topology": "plane", "width": 9, "height": 9, "density": 0.5, "seed": 1}), ("reset", {}),
                              ("rule", {"rule": "Seeds"}), ("resize", {"topology": "torus", "width": 80, "height": 90})):
            client.say(what, **members)
            client.update(lambda state: (state["generation"], state["rule"], state["width"], state["name"]) != (47, late["rule"], 64, ""))
            client.say("undo")
            client.update(lambda state: (state["generation"], state["rule"], state["width"], state["name"]) == (47, late["rule"], 64, ""))
            self.assertEqual(client.state["population"], late["population"], what)
            # Before what was drawn, behind it, and where it was
            for generation, population in ((13, 5), (21, 8), (20, 8), (47, late["population"])):
                client.say("go", generation=generation)
                client.update(lambda state: state["generation"] == generation and not state["busy"])
                self.assertEqual(client.state["population"], population, (what, generation))

    def test_whatever_somebody_does(self):
        """Changes, steps, ways back and forth and undoing, by chance, against a model that forgets nothing."""
        size = 32
        for seed in range(2):
            chance = random.Random(seed)
            self.start("--random", "0", "--size", size)
            client = self.join()
            client.look(0, 0, size, size)
            model = Model(size)
            done = []
            for _ in range(100):
                rule, cells = model.at(model.now)
                what = chance.choice(["draw", "draw", "paste", "clear", "rule", "undo", "undo", "reset", "step", "step", "go", "go", "go", "engine"])
                if what == "draw":
                    places = [(chance.randrange(size), chance.randrange(size)) for _ in range(chance.randrange(1, 60))]
                    alive = chance.random() < 0.8
                    drawn = sum(1 << y * size + x for x, y in set(places))
                    model.change(rule, cells | drawn if alive else cells & ~drawn)
                    client.say("draw", cells=[number for place in places for number in place], alive=alive, first=True)
                elif what == "paste":
                    x, y = chance.randrange(size - 3), chance.randrange(size - 3)
                    model.change(rule, cells | sum(1 << (y + j) * size + x + i for i, j in GLIDER))
                    client.say_bytes("paste", GLIDER_RLE, x=x, y=y)
                elif what == "clear":
                    x, y = chance.randrange(size - 9), chance.randrange(size - 9)
                    model.change(rule, cells & ~sum(1 << (y + j) * size + x + i for i in range(9) for j in range(9)))
                    client.say("clear", x=x, y=y, width=9, height=9)
                elif what == "rule":
                    rule = chance.choice(list(model.rules))
                    model.change(rule, cells)
                    client.say("rule", rule=rule)
                elif what == "undo":
                    if not model.changes:
                        continue
                    model.undo()
                    client.say("undo")
                elif what == "reset":
                    model.reset()
                    client.say("reset")
                elif what == "engine":
                    client.say("engine", device="cpu", kernel=chance.choice(["", "cpu/bits", "cpu/ladder/01_serial"]))
                elif what == "step":
                    generations = chance.randrange(1, 20)
                    model.now += generations
                    client.say("step", generations=generations)
                else:
                    model.now = chance.randrange(model.now + 40)
                    client.say("go", generation=model.now)
                done.append((what, model.now))
                client.update(lambda state: state["generation"] == model.now and not state["busy"])
                rule, cells = model.at(model.now)
                self.assertEqual(client.state["rule"], rule, (seed, done))
                self.assertEqual(client.cells(), {(i % size, i // size) for i in range(size * size) if cells >> i & 1}, (seed, done))
            self.serve.stop()
            client.close()

    def test_what_is_drawn_into_an_empty_world_goes_step_by_step(self):
        client = self.empty("--step", "20")
        client.say("stride", back=False)  # an empty world does a million generations at once
        client.update(lambda state: state["generation"] == 1 << 20 and not state["busy"])
        client.say("make", topology="torus", width=4096, height=4096, density=0, seed=0)
        client.update(lambda state: state["width"] == 4096)
        client.say("stride", back=False)
        client.update(lambda state: state["generation"] == 1 << 20 and not state["busy"])
        client.say("fill", x=0, y=0, width=4096, height=4096, density=0.5, seed=9)
        client.say("play")
        begin = time.monotonic()
        client.update(lambda state: state["generation"] > 1 << 20)
        client.say("stop")
        client.update(lambda state: not state["busy"])
        self.assertLess(time.monotonic() - begin, 30)

    def test_much_is_drawn(self):
        # More than can be remembered: the last of it is right, and what is gone is not made up
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=0, y=0)
        for i in range(80):
            client.say("draw", cells=[i % 60, 40], alive=True, first=True)
            client.say("step", generations=1)
            client.update(lambda state: state["generation"] == i + 1)
        late = client.cells()
        client.say("stride", back=True)
        client.update(lambda state: state["generation"] == 79)
        client.say("stride", back=False)
        client.update(lambda state: state["generation"] == 80)
        self.assertEqual(client.cells(), late)
        client.say("reset")
        client.update(lambda state: state["generation"] == 0)
        client.say("go", generation=40)
        client.update(lambda state: state["generation"] == 40 and not state["busy"])
        client.say("go", generation=20)
        client.update(lambda state: state["generation"] == 20 and not state["busy"])

    def test_copying_clearing_and_pasting(self):
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=10, y=20)
        client.say("copy", x=9, y=20, width=5, height=3)
        event, data = client.until("copied")
        self.assertEqual(data, b"x = 5, y = 3, rule = B3/S23\n2bo$3bo$b3o!\n")
        client.say("clear", x=11, y=0, width=1, height=64)
        client.update(lambda state: state["population"] < 5)
        self.assertEqual(client.cells(), {(x + 10, y + 20) for x, y in GLIDER if x != 1})
        # What is pasted is added
        client.say_bytes("paste", data, x=9, y=20)
        client.update(lambda state: state["population"] == 5)
        client.say_bytes("paste", b"x = 3, y = 3\n3b$bo!", x=10, y=20)
        client.update(lambda state: state["population"] == 6)
        client.say("clear", x=0, y=0, width=64, height=64)
        self.assertEqual(client.update(lambda state: state["population"] < 1)["population"], 0)
        # Beyond the edge it is cut
        client.say_bytes("paste", b"5o!", x=62, y=0)
        client.update(lambda state: state["population"] > 0)
        self.assertEqual(client.cells(), {(62, 0), (63, 0)})

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

    def test_files(self):
        client = self.empty()
        acorn = (SOURCE / "patterns/acorn.rle").read_bytes()
        for name, data in (("acorn.rle", acorn), ("acorn.rle.gz", gzip.compress(acorn))):
            client.say_bytes("open", data, name=name)
            client.update(lambda state: state["name"] == "Acorn")
            self.assertEqual((client.state["topology"], client.state["population"]), ("unbounded", 7))
            client.say("undo")
            client.update(lambda state: state["topology"] == "torus")
        client.say("library", name="gosper-glider-gun.rle")
        self.assertEqual(client.update(lambda state: state["population"] == 36)["name"], "Gosper glider gun")
        client.say("go", generation=60)
        client.update(lambda state: state["generation"] == 60 and not state["busy"])
        for pattern_format, ending in (("rle", "rle"), ("cells", "cells"), ("life106", "life"), ("pbm", "pbm")):
            client.say("save", format=pattern_format)
            event, data = client.until("file")
            path = self.folder / f"saved.{ending}"
            path.write_bytes(data)
            self.assertEqual(event["name"], f"Gosper glider gun-60.{ending}")
            told = json.loads(subprocess.run([MOOREA, "info", "--json", str(path)], check=True, capture_output=True, text=True).stdout)
            self.assertEqual(told["population"], 46, pattern_format)
        # Far apart they fit into a list, and into no picture
        client.say("make", topology="unbounded", density=0, seed=0)
        for x in (0, 30000):
            client.say_bytes("paste", GLIDER_RLE, x=x, y=x)
        client.update(lambda state: state["population"] == 10)
        for pattern_format in ("cells", "pbm", "pbm-plain"):
            client.say("save", format=pattern_format)
            self.assertIn("too large for a page", client.until("error")[0]["text"], pattern_format)
        client.say("save", format="life106")
        self.assertEqual(client.until("file")[1].count(b"\n"), 11)
        for _ in range(3):
            client.say("undo")
        client.update(lambda state: state["generation"] == 60)
        client.say_bytes("open", b"no pattern at all", name="text.rle")
        self.assertIn("text.rle", client.until("error")[0]["text"])
        client.say("pattern", name="acorn.rle")
        self.assertIn(b"bo$3bo$2o2b3o!", client.until("pattern")[1])
        client.say("library", name="../../etc/passwd")
        self.assertIn("no pattern \"../../etc/passwd\"", client.until("error")[0]["text"])
        self.assertEqual(client.update()["generation"], 60)
        names = [each["name"] for each in client.hello["patterns"]]
        self.assertIn("Acorn", names)
        self.assertGreater(len(names), 15)

    def test_patterns_are_read(self):
        client = self.empty()

        def read(data):
            client.say_bytes("read", data, name="the pasted text")
            return client.until("pattern")

        event, text = read(b"!Name: three\n..O\n.O\nO\n")  # plaintext
        self.assertEqual([event[each] for each in ("name", "width", "height", "population", "same_rule")], ["three", 3, 3, 3, True])
        self.assertIn(b"2bo$bo$o!", text)
        event, text = read(b"x = 3, y = 3, rule = B36/S23\nbo$2bo$3o!")
        self.assertEqual((event["rule"], event["same_rule"]), ("HighLife", False))
        event, text = read(b"x = 3, y = 3, rule = R5,C2,M1,S34..58,B34..45,NM\nbo$2bo$3o!")
        self.assertFalse(event["same_rule"])
        self.assertIn("rule", event["rule_error"])  # it cannot be run, whatever the world's is
        self.assertNotIn("rule_error", read(b"x = 1, y = 1, rule = B36/S23\no!")[0])
        for data, words in ((b"x = 3, y = 3\nbo$2bo", "truncated"), (b"x = 2, y = 2\n3o!", "header"), (b"nothing", "the pasted text: not a pattern"),
                            (b"x = 1000000, y = 1000000\n999999$999999bo!", "at most"),
                            (b"x = 99999, y = 99999\no99998$99998bo!", "too many"), (b"x = 0, y = 0\n!", "no cells")):
            self.assertIn(words, read(data)[0]["error"])
        client.say_bytes("paste", b"x = 1000000, y = 1000000\n999999$999999bo!", x=0, y=0)
        self.assertIn("at most", client.until("error")[0]["text"])
        # A rule with B0 needs bounds, and gets those that are there
        born = b"x = 3, y = 1, rule = B08/S4\n3o!"
        client.say_bytes("open", born, name="born.rle")
        client.update(lambda state: state["rule"] == "B08/S4")
        self.assertEqual((client.state["width"], client.state["topology"], client.state["population"]), (64, "torus", 3))
        client.say("library", name="acorn.rle")
        client.update(lambda state: state["topology"] == "unbounded")
        client.say_bytes("open", born, name="born.rle")
        self.assertIn("needs a world with a size", client.until("error")[0]["text"])

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

    def test_the_pace_is_of_one_pattern(self):
        client = self.empty("--step", "3")
        client.say("speed", exponent=9)
        client.say_bytes("paste", GLIDER_RLE, x=3, y=2)
        self.assertEqual(client.update(lambda state: state["population"] == 5)["exponent"], 9)
        client.say("library", name="acorn.rle")
        self.assertEqual(client.update(lambda state: state["name"] == "Acorn")["exponent"], 3)
        client.say("speed", exponent=5)
        client.say_bytes("open", GLIDER_RLE, name="glider.rle")
        self.assertEqual(client.update(lambda state: state["name"] == "glider.rle")["exponent"], 3)

    def test_what_fails_changes_nothing(self):
        client = self.join_unbounded()
        client.say("draw", cells=[2 ** 39, 0], alive=True, first=True)
        self.assertIn("memory", client.until("error")[0]["text"])
        client.update()
        self.assertEqual((client.state["population"], client.state["undo"]), (5, False))

    def test_ways_back_one_after_the_other(self):
        client = self.empty("--step", "4")
        client.say_bytes("paste", GLIDER_RLE, x=1, y=1)
        client.say("go", generation=320)
        client.update(lambda state: state["generation"] == 320 and not state["busy"])
        for _ in range(3):
            client.say("stride", back=True)
        client.update(lambda state: state["generation"] == 272 and not state["busy"])
        self.assertEqual(client.state["population"], 5)

    def test_an_edge_is_told(self):
        path = self.folder / "domino.cells"
        path.write_text("OO\n")
        self.start(path, "--rule", "Seeds", "--memory", "300k", "--step", "12")
        client = self.join()
        client.say("stride", back=False)
        self.assertIn("met the edge of the largest plane", client.until("error")[0]["text"])
        met = client.update(lambda state: "edge_met" in state and not state["busy"])["edge_met"]
        # Also in a world that is made again from later cells, and not in one of before
        client.say("engine", device="cpu", kernel="cpu/bits")
        self.assertEqual(client.update(lambda state: state["kernel"] == "cpu/bits")["edge_met"], met)
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


class Clients(Case):
    def test_two_see_the_same(self):
        first = self.empty()
        second = self.join()
        second.look(0, 0, 64, 64)
        second.update()
        first.say_bytes("paste", GLIDER_RLE, x=10, y=20)
        second.update(lambda state: state["population"] == 5)
        self.assertEqual(second.cells(), {(x + 10, y + 20) for x, y in GLIDER})
        self.assertEqual(second.state["clients"], 2)
        second.close()
        first.update(lambda state: state["clients"] == 1)

    def test_an_audience_changes_nothing(self):
        client = self.empty()
        audience = self.join(self.serve.audience)
        self.assertFalse(audience.hello["controls"])
        self.assertTrue(client.hello["controls"])
        self.assertEqual(client.hello["audience_token"], self.serve.audience)
        self.assertNotIn(self.serve.token, json.dumps(audience.hello))
        for what, members in (("play", {}), ("step", {"generations": 1}), ("rule", {"rule": "Seeds"}), ("save", {"format": "rle"}), ("reset", {})):
            audience.say(what, **members)
            self.assertIn("watching alone", audience.until("error")[0]["text"])
        audience.look(0, 0, 64, 64)
        client.say_bytes("paste", GLIDER_RLE, x=10, y=20)
        audience.update(lambda state: state["population"] == 5)
        self.assertEqual(audience.cells(), {(x + 10, y + 20) for x, y in GLIDER})
        self.assertEqual((audience.state["generation"], audience.state["rule_name"]), (0, "Life"))

    def test_an_audience_leaves_room_for_who_controls(self):
        self.start("--random", "0", "--size", "64")
        audience = [self.join(self.serve.audience) for _ in range(240)]
        with self.assertRaises(Refused) as refused:
            self.join(self.serve.audience)
        self.assertIn("503", str(refused.exception))
        client = self.join()
        client.update(lambda state: state["clients"] == 241)
        for each in audience[:2]:  # who controls has one of the places
            each.close()
        client.update(lambda state: state["clients"] == 239)
        self.join(self.serve.audience)

    def test_a_long_pass_keeps_nobody_waiting(self):
        # A kernel that goes on when a file is gone
        hold, kernel = self.folder / "hold", self.folder / "slow.cpp"
        mine = (SOURCE / "examples/kernels/mine.cpp").read_text()
        begin = mine.index("{", mine.index("void advance")) + 1
        kernel.write_text(mine[:begin] + f' while (access("{hold}", F_OK) == 0) usleep(1000);\n' + mine[begin:])
        kernel.write_text(kernel.read_text().replace("#include", "#include <unistd.h>\n#include", 1))
        self.start("--random", "0.5", "--size", "64", "--kernel-file", kernel)
        self.addCleanup(lambda: hold.unlink(missing_ok=True))
        first = self.join()
        first.update()
        hold.touch()
        first.say("step", generations=1)
        end = time.monotonic() + 60
        second = self.join()
        while not second.hello["busy"]:  # it takes half a second to be busy
            self.assertLess(time.monotonic(), end)
            second.close()
            time.sleep(0.1)
            second = self.join()
        self.assertEqual(second.hello["instance"], first.hello["instance"])
        hold.unlink()
        self.assertEqual(second.update(lambda state: state["generation"] == 1 and not state["busy"])["generation"], 1)

    def test_a_slow_client_stalls_nobody(self):
        self.start("--random", "0.5", "--size", "2048", "--play")
        # Never reads, with little room on the way, but asks for all it can
        slow = self.join(receive_buffer=4096)
        slow.look(0, 0, 2048, 2048)
        for _ in range(200):
            slow.say("ready")
        client = self.join()
        client.look(0, 0, 512, 512)
        begin = client.update()["generation"]
        for _ in range(10):
            now = client.update()["generation"]
        self.assertGreater(now, begin)
        self.assertEqual(client.state["clients"], 2)

    def test_what_is_unseen_is_not_sent(self):
        client = self.empty()
        client.update()
        client.say("ready")
        client.socket.settimeout(0.5)
        with self.assertRaises(TimeoutError):  # nothing has changed
            client.event()


class Safety(Case):
    def test_tokens(self):
        self.start("--random", "0", "--size", "64")
        self.assertNotEqual(self.serve.token, self.serve.audience)
        self.assertGreaterEqual(len(self.serve.token), 32)
        for token in ("", "x", self.serve.token[:-1], self.serve.token + "0", self.serve.token[:-1] + "!", self.serve.token * 2, "%00"):
            with self.assertRaises(Refused) as refused:
                self.join(token)
            self.assertIn("403", str(refused.exception))
        with self.assertRaises(Refused):
            self.join(path="/other")
        self.assertIn("Sec-WebSocket-Protocol: moorea\r\n", self.join().head + "\r\n")
        # Proxies write addresses into their logs: there it is of no use
        with self.assertRaises(Refused) as refused:
            self.join(path=f"/socket?token={self.serve.token}", protocols="moorea")
        self.assertIn("403", str(refused.exception))

    def test_pages_from_elsewhere_are_refused(self):
        self.start("--random", "0", "--size", "64")
        here = f"127.0.0.1:{self.serve.port}"
        for origin in ("http://evil.example", f"http://{here}.evil.example", "null", f"http://evil.example/?{here}", f"http://127.0.0.1:{self.serve.port + 1}"):
            with self.assertRaises(Refused) as refused:
                self.join(origin=origin)
            self.assertIn("403", str(refused.exception))
        self.join(origin=f"http://{here}")
        # As through ssh -L, with a port of its own
        self.join(origin="http://localhost:9999", host="localhost:9999")

    def test_names_that_others_made_lead_here_are_refused(self):
        # A page of evil.example that gave its own name this machine's address (DNS rebinding) asks for that name
        self.start("--random", "0", "--size", "64", "--host", "Cells.example,other.example")

        def status(host):
            connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
            connection.request("GET", "/", headers={"Host": host})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

        for host in ("evil.example", f"evil.example:{self.serve.port}", "127.0.0.1.evil.example", "localhost.evil.example", "", "xlocalhost"):
            self.assertEqual(status(host)[0], 421, host)
            self.assertIn("--host", status(host)[1])
            with self.assertRaises(Refused) as refused:
                self.join(host=host or " ", origin=f"http://{host}")
            self.assertIn("421", str(refused.exception))
        names = ("127.0.0.1", f"127.0.0.1:{self.serve.port}", "10.1.2.3:80", "[::1]:8080", "localhost", "LOCALHOST:99", "a.localhost", socket.gethostname(), "cells.example", "other.example:8443")
        for host in names:
            self.assertEqual(status(host)[0], 200, host)
        # A proxy that writes a Host of its own
        self.join(origin="https://cells.example", host="127.0.0.1:80")

    def test_loopback_unless_asked(self):
        self.start("--random", "0", "--size", "64")
        self.assertRegex(self.serve.links[0], r"^http://127\.0\.0\.1:\d+/#[0-9a-f]{32}$")
        self.assertTrue(any(f"ssh -N -L {self.serve.port}:127.0.0.1:{self.serve.port}" in line for line in self.serve.told))
        listening = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:] + pathlib.Path("/proc/net/tcp6").read_text().splitlines()[1:]
        ports = [line.split()[1] for line in listening if line.split()[3] == "0A" and line.split()[1].endswith(f":{self.serve.port:04X}")]
        self.assertEqual(ports, [f"0100007F:{self.serve.port:04X}"])
        self.serve.stop()
        self.start("--random", "0", "--size", "64", "--address", "0.0.0.0")
        self.assertTrue(any("not encrypted" in line for line in self.serve.told))

    def test_what_is_malformed_closes_that_client_alone(self):
        client = self.empty()
        for text in ("", "{", "[]", "null", "{}", '{"do":1}', '{"do":"fly"}', '{"do":"step"}', '{"do":"step","generations":0}', '{"do":"step","generations":1.5}',
                     '{"do":"step","generations":1e99}', '{"do":"step","generations":18446744073709551615}', '{"do":"look","x":0,"y":0,"columns":100000,"rows":100000,"scale":1}',
                     '{"do":"look","x":1e30,"y":0,"columns":1,"rows":1,"scale":1}', '{"do":"look","x":0,"y":0,"columns":1,"rows":1,"scale":0}',
                     '{"do":"draw","cells":[1],"alive":true,"first":true}', '{"do":"draw","cells":["a","b"],"alive":true,"first":true}',
                     '{"do":"make","topology":"klein","width":1,"height":1,"density":0,"seed":0}', '{"do":"fill","x":0,"y":0,"width":1,"height":1,"density":2,"seed":0}',
                     "[" * 100000, '{"do":"rule","rule":"' + "x" * 1000 + '"}'):
            bad = self.join()
            bad.send_frame(text.encode(), 1)
            with self.assertRaises(ConnectionError) as closed:
                bad.until("never")
            self.assertIn("malformed", str(closed.exception), text[:80])
        self.assertEqual(client.update(lambda state: state["clients"] == 1)["population"], 0)

    def test_deep_json_is_refused_at_once(self):
        self.start("--random", "0", "--size", "64")
        for text in ("[" * 2000000, '{"do":"draw","cells":' + "[" * 2000000, '{"do":' * 300000):
            bad = self.join()
            bad.send_frame(text.encode(), 1)
            with self.assertRaises(ConnectionError) as closed:
                bad.until("never")
            self.assertIn("nested too deeply", str(closed.exception))

    def test_frames_that_no_browser_sends(self):
        client = self.empty()
        random.seed(1)

        def nonsense(bad, kind):
            if kind == "unmasked":
                bad.send_frame(b'{"do":"ready"}', 1, masked=False)
            elif kind == "reserved":
                bad.send_frame(b"", 5)
            elif kind == "long ping":
                bad.send_frame(b"x" * 200, 9)
            elif kind == "continued nothing":
                bad.send_frame(b"x", 0)
            elif kind == "no UTF-8":
                bad.send_frame(b"\xff\xfe", 1)
            elif kind == "too long":
                bad.send_frame(b"", 2, length=1 << 62)
            else:
                bad.socket.sendall(random.randbytes(2000))

        for kind in ("unmasked", "reserved", "long ping", "continued nothing", "no UTF-8", "too long", *(f"noise {i}" for i in range(20))):
            bad = self.join()
            try:
                nonsense(bad, kind)
                bad.socket.shutdown(1) if kind.startswith("noise") else None  # half a frame may wait for its rest
            except OSError:
                pass
            self.assertTrue(bad.closed(), kind)
            bad.socket.close()  # the server waits a while for whom it left to leave, too
        client.say("step", generations=1)
        client.update(lambda state: state["generation"] == 1 and state["clients"] == 1)

    def test_sizes_are_bounded(self):
        self.start("--random", "0", "--size", "64")
        audience = self.join(self.serve.audience)
        audience.send_frame(b" " * 5000, 1)
        self.assertTrue(audience.closed())
        client = self.join()
        try:
            client.send_frame(b" " * (65 << 20), 2)
        except OSError:
            pass
        self.assertTrue(client.closed())
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
        connection.request("GET", "/", headers={"X-Long": "x" * 20000})
        with self.assertRaises((http.client.HTTPException, OSError)):
            connection.getresponse()
        for method, size, status in (("POST", 100000, 405), ("PUT", 10, 405), ("POST", 0, 405), ("GET", 100, 200)):
            connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
            connection.request(method, "/", body=b"x" * size)
            answer = connection.getresponse()
            self.assertEqual((answer.status, len(answer.read()) > 0), (status, True))
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", str(1 << 40))  # of which nothing comes
        connection.endheaders()
        self.assertEqual(connection.getresponse().status, 405)
        self.join()

    def test_who_says_nothing_keeps_nobody_out(self):
        self.start("--random", "0", "--size", "64")
        idle = []
        for _ in range(300):
            idle.append(socket.create_connection(("127.0.0.1", self.serve.port)))
            self.addCleanup(idle[-1].close)
        begin = time.monotonic()
        self.assertEqual(self.join().update()["population"], 0)
        # Who says something stays
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port, timeout=30)
        for _ in range(3):
            connection.request("GET", "/style.css")
            self.assertEqual(len(connection.getresponse().read()), len((SOURCE / "web/style.css").read_bytes()))
            for _ in range(200):
                idle.append(socket.create_connection(("127.0.0.1", self.serve.port)))
                self.addCleanup(idle[-1].close)
            self.join().close()  # they have been taken
        self.assertLess(time.monotonic() - begin, 10)  # each is waited for up to 15 s

    def test_files_over_http(self):
        self.start("--random", "0", "--size", "64")
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)

        def fetch(method, path):
            connection.request(method, path)
            answer = connection.getresponse()
            return answer, answer.read()

        for path in sorted((SOURCE / "web").iterdir()):
            answer, body = fetch("GET", "/" if path.name == "index.html" else f"/{path.name}")
            self.assertEqual((answer.status, body), (200, path.read_bytes()), path.name)
            self.assertIn("default-src 'none'", answer.headers["Content-Security-Policy"])
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertTrue(body.isascii())
            # Nothing from outside, and nothing that the policy would not let run
            for outside in (b"https://", b"//cdn", b"<script>", b" style=", b"onclick=\""):
                self.assertNotIn(outside, body, path.name)
        answer, body = fetch("HEAD", "/style.css")
        self.assertEqual((answer.status, body, answer.headers["Content-Type"]), (200, b"", "text/css; charset=utf-8"))
        for path in ("/nothing", "/../CMakeLists.txt", "/index.html/..", "/%2e%2e/secret"):
            self.assertEqual(fetch("GET", path)[0].status, 404)
        self.assertEqual(fetch("DELETE", "/")[0].status, 405)


class Command(Case):
    def test_the_end(self):
        path = self.folder / "end.rle"
        self.start(SOURCE / "patterns/acorn.rle", "-o", path)
        client = self.join()
        self.assertEqual(client.update()["name"], "Acorn")
        client.say("go", generation=100)
        client.update(lambda state: state["generation"] == 100 and not state["busy"])
        status, said = self.serve.stop()
        self.assertEqual(status, 0, said)
        self.assertIn("generation 100, population", said)
        expected = self.folder / "expected.rle"
        subprocess.run([MOOREA, "run", str(SOURCE / "patterns/acorn.rle"), "-g", "100", "-o", str(expected)], check=True, capture_output=True)
        self.assertEqual(path.read_text(), expected.read_text())
        self.assertTrue(client.closed())

    def test_without_a_world_it_shows_a_gun(self):
        self.start()
        state = self.join().update()
        self.assertEqual((state["population"], state["name"]), (36, "Gosper glider gun"))

    def test_tokens_that_stay(self):
        path = self.folder / "tokens"
        first = self.start("--token-file", path)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertEqual(path.read_text().split(), [first.token, first.audience])
        first.stop()
        second = self.start("--token-file", path)
        self.assertEqual([first.token, first.audience], [second.token, second.audience])
        second.stop()
        for text in ("", "short\nshorter\n", "a" * 20 + "\n" + "a" * 20 + "\n", "a" * 20 + "\n" + "b!" * 10 + "\n"):
            path.write_text(text)  # its mode stays
            done = subprocess.run([MOOREA, "serve", "--token-file", str(path)], capture_output=True, text=True)
            self.assertEqual((done.returncode, "token" in done.stderr), (1, True), done.stderr)
        # Whoever reads them controls the run
        path.write_text("a" * 20 + "\n" + "b" * 20 + "\n")
        for mode in (0o644, 0o640, 0o602):
            path.chmod(mode)
            done = subprocess.run([MOOREA, "serve", "--port", "0", "--token-file", str(path)], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, f"chmod 600 {path}" in done.stderr), (1, True), done.stderr)
        path.chmod(0o600)
        self.assertEqual(self.start("--token-file", path).token, "a" * 20)

    def test_mistakes(self):
        self.start("--random", "0", "--size", "64")
        for status, text, arguments in ((1, "--port chooses another", ("--port", str(self.serve.port))), (2, "65535", ("--port", "70000")),
                                        (2, "expected an IP address", ("--address", "nowhere", "--port", "0")), (1, "cannot", ("--address", "192.0.2.1", "--port", "0")),
                                        (1, "missing.rle", ("missing.rle",)), (2, "--step", ("--step", "41")), (2, "expected either", ("--size", "10"))):
            done = subprocess.run([MOOREA, "serve", *arguments], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(text, done.stderr)

    def test_a_file_that_cannot_be_written(self):
        if not pathlib.Path("/dev/full").is_char_device():
            self.skipTest("there is no /dev/full")
        (self.folder / "full.rle").symlink_to("/dev/full")
        self.start(SOURCE / "patterns/acorn.rle", "-o", self.folder / "full.rle")
        status, said = self.serve.stop()
        self.assertEqual(status, 1, said)
        self.assertIn("No space left", said)

    def test_interruption(self):
        self.start("--random", "0.5", "--size", "1024", "--play")
        self.serve.process.send_signal(signal.SIGINT)
        self.assertEqual(self.serve.process.wait(30), 0)


if __name__ == "__main__":
    shard.main()
