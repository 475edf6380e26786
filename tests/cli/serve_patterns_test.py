#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve: patterns that are opened, read, pasted, copied and saved."""
import gzip
import json
import subprocess
import time

import shard
from programs import MOOREA
from serve_case import Case, GLIDER, GLIDER_RLE, SOURCE


class Patterns(Case):
    def test_copying_clearing_and_pasting(self):
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=10, y=20)
        client.say("copy", x=9, y=20, width=5, height=3)
        event, data = client.until("copied")
        self.assertEqual(data, b"x = 5, y = 3, rule = B3/S23\n2bo$3bo$b3o!\n")
        client.say("clear", x=11, y=0, width=1, height=64)
        client.update(lambda state: state["population"] < 5)
        self.assertEqual(client.cells(), {(x + 10, y + 20) for x, y in GLIDER if x != 1})
        # Pasted cells are added
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

    def test_cells_that_are_far_apart_are_saved(self):
        """As files they take some bytes, whatever the area around them; they are opened again."""
        client = self.empty()
        client.say("make", topology="unbounded", density=0, seed=0)
        for x in (0, 10**9):
            client.say_bytes("paste", GLIDER_RLE, x=x, y=x)
        client.update(lambda state: state["population"] == 10)
        for pattern_format, name in (("rle", "far.rle"), ("mc", "far.mc")):
            client.say("save", format=pattern_format)
            data = client.until("file")[1]
            self.assertLess(len(data), 4000)
            client.say_bytes("open", data, name=name)
            self.assertEqual(client.until("opened")[0]["name"], name)
            self.assertEqual(client.update(lambda state: state["population"] == 10)["generation"], 0)
            client.say("undo")
            client.update(lambda state: state["population"] == 10)
        client.say("save", format="cells")
        self.assertIn("too large for a page", client.until("error")[0]["text"])

    def test_what_was_opened(self):
        client = self.empty()
        client.say("library", name="acorn.rle")
        self.assertEqual(client.until("opened")[0]["name"], "acorn.rle")
        client.say_bytes("open", b"nothing", name="text.rle")
        client.until("error")
        # The file of a rule has no cells: the world receives the rule
        rule = b"@RULE Fading\n@TABLE\nn_states:3\nneighborhood:Moore\nsymmetries:permute\n1,0,0,0,0,0,0,0,0,2\n2,0,0,0,0,0,0,0,0,0\n"
        client.say_bytes("open", rule, name="Fading.rule")
        self.assertEqual(client.until("opened")[0], {"event": "opened", "name": "Fading.rule", "rule": "Fading"})
        self.assertEqual(client.update(lambda state: state["rule"] == "Fading")["states"], 3)
        client.say("save", format="rle")
        self.assertIn(b"@RULE Fading\n@TABLE", client.until("file")[1])
        client.say_bytes("open", b"@RULE Broken\n@TABLE\nn_states:x\n", name="Broken.rule")
        self.assertIn("Broken.rule, line 3", client.until("error")[0]["text"])

    def test_seeds(self):
        """All of 64 bits, as on the command line; as digits where JavaScript has no number."""
        client = self.empty()
        cells = {}
        for seed in (7, "7", str(2**64 - 1)):
            client.say("make", topology="torus", width=64, height=32, density=0.5, seed=seed)
            client.update(lambda state: state["height"] == 32 and state["population"] > 0)
            cells[seed] = client.cells()
            client.say("make", topology="torus", width=64, height=64, density=0, seed=0)
            client.update(lambda state: state["height"] == 64)
        self.assertEqual(cells[7], cells["7"])
        text = subprocess.run([MOOREA, "run", "--random", "0.5", "--size", "64x32", "--seed", str(2**64 - 1), "-g", "0", "--json"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(len(cells[str(2**64 - 1)]), json.loads(text)["population"])
        client.say("make", topology="torus", width=64, height=32, density=0.5, seed=str(2**64))
        with self.assertRaisesRegex(ConnectionError, "below 2\\^64"):
            client.until("never")

    def test_a_header_may_count_dead_cells(self):
        client = self.empty()
        for data, size in ((b"x = 9, y = 5\n2$2b5o!", (9, 5)), (b"x = 1000000000, y = 1000000000\n3o!", (3, 1)), (b"3o!", (3, 1))):
            client.say_bytes("read", data, name="text.rle")
            event, _ = client.until("pattern")
            self.assertEqual((event["width"], event["height"]), size)

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
        event, text = read(b"x = 3, y = 3, rule = NW1,NN2,NE1\nbo$2bo$3o!")
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

    def test_identify(self):
        """What the selection is, or all cells; of a torus, too, as on a plane. The world runs on meanwhile."""
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=10, y=20)
        client.say_bytes("paste", b"3o!", x=40, y=40)
        client.say("identify", x=5, y=15, width=20, height=20)
        found, _ = client.until("identified")
        self.assertEqual((found["text"], found["census"][0]["apgcode"]), ("spaceship: glider, period 4, c/4 diagonal", "xq4_153"))
        client.say("identify")
        found, _ = client.until("identified")
        self.assertEqual((found["kind"], {entry["name"]: entry["count"] for entry in found["census"]}), ("objects", {"blinker": 1, "glider": 1}))
        self.assertEqual(client.update(lambda state: state["population"] == 8)["generation"], 0)
        # Nothing, then a rule that has no plane
        client.say("identify", x=0, y=0, width=3, height=3)
        self.assertEqual(client.until("identified")[0]["kind"], "dies")
        client.say("rule", rule="B0/S")
        client.say("identify")
        self.assertIn("without B0", client.until("identified")[0]["error"])

    def test_identify_is_ended(self):
        """A replicator is searched for long: a second search replaces it, and the program ends at once."""
        self.start(SOURCE / "patterns/highlife-replicator.rle")
        client = self.join()
        client.look(0, 0, 64, 64)
        client.say("identify")
        client.say("step", generations=16)
        self.assertEqual(client.update(lambda state: state["generation"] == 16)["generation"], 16)
        client.say("identify", x=10**6, y=0, width=1, height=1)
        self.assertEqual(client.until("identified")[0]["kind"], "dies")
        client.say("identify")
        client.say("stop_identifying")
        client.say("identify", x=10**6, y=0, width=1, height=1)
        self.assertEqual(client.until("identified")[0]["kind"], "dies")
        client.say("identify")
        begin = time.monotonic()
        self.serve.stop()
        self.assertLess(time.monotonic() - begin, 10)

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


if __name__ == "__main__":
    shard.main()
