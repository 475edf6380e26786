#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve: drawing, going back and forth in time, undo and redo."""
import random
import time

import shard
from serve_case import Case, GLIDER, GLIDER_RLE
from serve_model import Model


class History(Case):
    def test_drawing_stepping_and_undoing(self):
        client = self.empty()
        client.say("draw", cells=[number for cell in sorted(GLIDER) for number in cell], state=1, first=True)
        client.update(lambda state: state["population"] == 5)
        self.assertEqual(client.cells(), GLIDER)
        client.say("step", generations=4)
        client.update(lambda state: state["generation"] == 4)
        self.assertEqual(client.cells(), {(x + 1, y + 1) for x, y in GLIDER})
        client.say("draw", cells=[1, 3], state=0, first=True)
        client.update(lambda state: state["population"] == 4)
        client.say("undo")
        client.update(lambda state: state["population"] == 5)
        self.assertEqual(client.state["generation"], 4)
        self.assertEqual(client.cells(), {(x + 1, y + 1) for x, y in GLIDER})
        client.say("undo")
        client.update(lambda state: state["population"] == 0)
        self.assertEqual(client.state["generation"], 0)
        self.assertFalse(client.state["undo"])
        client.say("redo")
        client.update(lambda state: state["population"] == 5)
        self.assertEqual((client.state["generation"], client.state["undo"], client.state["redo"]), (4, True, True))
        client.say("redo")
        client.update(lambda state: state["population"] == 4)
        self.assertEqual((client.state["generation"], client.state["redo"]), (4, False))
        self.assertEqual(client.cells(), {(x + 1, y + 1) for x, y in GLIDER} - {(1, 3)})
        client.say("redo")
        self.assertEqual(client.until("error")[0]["text"], "there is nothing to redo")
        # Another edit clears what could be redone
        client.say("undo")
        client.update(lambda state: state["redo"])
        client.say("draw", cells=[30, 30], state=1, first=True)
        client.update(lambda state: state["population"] == 6)
        self.assertFalse(client.state["redo"])

    def test_back_in_time_has_what_was_drawn(self):
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=0, y=0)
        client.say("go", generation=40)
        client.update(lambda state: state["generation"] == 40 and not state["busy"])
        client.say("draw", cells=[50, 5, 51, 5, 52, 5], state=1, first=True)
        client.say("step", generations=7)
        client.update(lambda state: state["generation"] == 47 and not state["busy"])
        late = client.cells()
        client.say("go", generation=13)
        client.update(lambda state: state["generation"] == 13 and not state["busy"])
        self.assertEqual(client.state["population"], 5)  # the blinker is not there yet
        self.assertEqual(client.state["last"], 47)
        # Going forward again restores it, also step by step
        client.say("step", generations=27)
        client.update(lambda state: state["generation"] == 40 and not state["busy"])
        self.assertEqual(client.state["population"], 8)
        client.say("go", generation=47)
        client.update(lambda state: state["generation"] == 47 and not state["busy"])
        self.assertEqual(client.cells(), late)
        client.say("reset")
        client.update(lambda state: state["generation"] == 0)
        self.assertEqual(client.cells(), GLIDER)
        # A run from the beginning has no later edits
        client.say("go", generation=47)
        client.update(lambda state: state["generation"] == 47 and not state["busy"])
        self.assertEqual(client.state["population"], 5)

    def test_undo_brings_the_past_back(self):
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=0, y=0)
        client.say("go", generation=20)
        client.update(lambda state: state["generation"] == 20 and not state["busy"])
        client.say("draw", cells=[50, 5, 51, 5, 52, 5], state=1, first=True)
        client.say("go", generation=47)
        late = client.update(lambda state: state["generation"] == 47 and not state["busy"])
        for what, members in (("library", {"name": "acorn.rle"}), ("make", {"topology": "plane", "width": 9, "height": 9, "density": 0.5, "seed": 1}), ("reset", {}),
                              ("rule", {"rule": "Seeds"}), ("resize", {"topology": "torus", "width": 80, "height": 90})):
            client.say(what, **members)
            client.update(lambda state: (state["generation"], state["rule"], state["width"], state["name"]) != (47, late["rule"], 64, ""))
            client.say("undo")
            client.update(lambda state: (state["generation"], state["rule"], state["width"], state["name"]) == (47, late["rule"], 64, ""))
            self.assertEqual(client.state["population"], late["population"], what)
            # Before, after and at the generation of the drawing
            for generation, population in ((13, 5), (21, 8), (20, 8), (47, late["population"])):
                client.say("go", generation=generation)
                client.update(lambda state: state["generation"] == generation and not state["busy"])
                self.assertEqual(client.state["population"], population, (what, generation))

    def test_random_actions(self):
        """Random edits, steps, time travel, undo and redo, compared with the model."""
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
                what = chance.choice(["draw", "draw", "paste", "clear", "rule", "undo", "undo", "redo", "redo", "reset", "step", "step", "go", "go", "go", "engine"])
                if what == "draw":
                    places = [(chance.randrange(size), chance.randrange(size)) for _ in range(chance.randrange(1, 60))]
                    alive = chance.random() < 0.8
                    drawn = sum(1 << y * size + x for x, y in set(places))
                    model.change(rule, cells | drawn if alive else cells & ~drawn)
                    client.say("draw", cells=[number for place in places for number in place], state=int(alive), first=True)
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
                elif what == "redo":
                    if not model.undone:
                        continue
                    model.redo()
                    client.say("redo")
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
                self.assertEqual((client.state["undo"], client.state["redo"]), (bool(model.changes), bool(model.undone)), (seed, done))
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
        # More than the history holds: the last generations are correct, and dropped ones are not invented
        client = self.empty()
        client.say_bytes("paste", GLIDER_RLE, x=0, y=0)
        for i in range(80):
            client.say("draw", cells=[i % 60, 40], state=1, first=True)
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

    def test_consecutive_steps_back(self):
        client = self.empty("--step", "4")
        client.say_bytes("paste", GLIDER_RLE, x=1, y=1)
        client.say("go", generation=320)
        client.update(lambda state: state["generation"] == 320 and not state["busy"])
        for _ in range(3):
            client.say("stride", back=True)
        client.update(lambda state: state["generation"] == 272 and not state["busy"])
        self.assertEqual(client.state["population"], 5)


if __name__ == "__main__":
    shard.main()
