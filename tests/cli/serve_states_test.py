#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve: worlds of more than two states keep them when they are edited, undone, saved and opened."""
import shard
from serve_case import Case

SHIP = b"x = 2, y = 2, rule = /2/3\n2B$2A!\n"


class States(Case):
    def saved(self, client):
        client.say("save", format="rle")
        return client.until("file")[1].decode()

    def test_edits_and_undo_keep_states(self):
        client = self.empty("--rule", "/2/3")
        client.say_bytes("paste", SHIP, x=10, y=20)
        client.update(lambda state: state["population"] == 4)
        ship = self.saved(client)
        self.assertTrue(ship.endswith("2B$2A!\n"), ship)
        # A dead cell of what is pasted leaves a dying one
        client.say_bytes("paste", b"x = 2, y = 1, rule = /2/3\n.A!\n", x=10, y=20)
        client.update(lambda state: state["redo"] is False and state["undo"])
        self.assertIn("BA$2A!", self.saved(client))
        client.say("undo")
        client.update(lambda state: state["redo"])
        self.assertEqual(self.saved(client), ship)
        client.say("step", generations=5)
        client.update(lambda state: state["generation"] == 5 and not state["busy"])
        late = self.saved(client)
        client.say("go", generation=0)
        client.update(lambda state: state["generation"] == 0 and not state["busy"])
        self.assertEqual(self.saved(client), ship)
        client.say("go", generation=5)
        client.update(lambda state: state["generation"] == 5 and not state["busy"])
        self.assertEqual(self.saved(client), late)
        # Another size keeps the states, a rule of two states the cells that are not dead
        client.say("resize", topology="torus", width=100, height=90)
        client.update(lambda state: state["width"] == 100)
        self.assertIn("2A", self.saved(client))
        self.assertIn("2B", self.saved(client))
        client.say("rule", rule="Seeds")
        client.update(lambda state: state["population"] == 4 and state["rule"] != "/2/3")
        self.assertIn("2o$2o!", self.saved(client))
        client.say("undo")
        client.update(lambda state: state["rule"].startswith("/2/3"))
        self.assertIn("2B", self.saved(client))

    def states(self, client, bits=4):
        """The cells that are not dead, by the last frame."""
        frame = client.frame
        self.assertEqual(frame["bits"], bits)
        row = (frame["columns"] * bits + 7) // 8
        return {(frame["x"] + x, frame["y"] + y): state for y in range(frame["rows"]) for x in range(frame["columns"])
                if (state := client.squares[y * row + x * bits // 8] >> bits * x % 8 & (1 << bits) - 1)}

    def test_frames_have_states(self):
        client = self.empty("--rule", "345/2/4")
        client.say_bytes("paste", b"x = 4, y = 1, rule = 345/2/4\n.ABC!\n", x=5, y=6)
        state = client.update(lambda state: state["population"] == 3)
        self.assertEqual((state["states"], state["colours"]), (4, None))
        abc = {(6, 6): 1, (7, 6): 2, (8, 6): 3}
        self.assertEqual(self.states(client), abc)
        # A frame of one bit a cell follows one of four, and the other way round
        client.say("rule", rule="B3/S23")
        client.update(lambda state: state["rule"].startswith("B3/S23"))
        self.assertEqual(client.cells(), set(abc))
        client.say("undo")
        client.update(lambda state: state["rule"].startswith("345/2/4"))
        self.assertEqual(self.states(client), abc)
        # More than 16 states take a byte
        client.say("rule", rule="345/2/40")
        client.update(lambda state: state["states"] == 40)
        client.say("draw", cells=[9, 6], state=39, first=True)
        client.update(lambda state: state["population"] == 4)
        self.assertEqual(self.states(client, 8), {**abc, (9, 6): 39})

    def test_cells_are_drawn_in_a_state(self):
        client = self.empty("--rule", "WireWorld")
        state = client.update(lambda state: True)
        self.assertEqual(state["colours"], ["#303030", "#0080ff", "#ffffff", "#ff8000"])
        wire = [number for x in range(10, 20) for number in (x, 7)]
        client.say("draw", cells=wire, state=3, first=True)
        client.say("draw", cells=[11, 7], state=2, first=True)
        client.say("draw", cells=[12, 7], state=1, first=True)
        client.update(lambda state: state["edits"] == 3)
        expected = {(x, 7): 3 for x in range(10, 20)} | {(11, 7): 2, (12, 7): 1}
        self.assertEqual(self.states(client), expected)
        client.say("step", generations=5)
        client.update(lambda state: state["generation"] == 5 and not state["busy"])
        self.assertEqual(self.states(client), {(x, 7): 3 for x in range(10, 20)} | {(16, 7): 2, (17, 7): 1})
        client.say("draw", cells=[17, 7, 18, 7], state=0, first=True)
        client.update(lambda state: state["population"] == 8)
        client.say("undo")
        client.update(lambda state: state["population"] == 10)
        self.assertEqual(self.states(client)[17, 7], 1)
        client.say("draw", cells=[0, 0], state=4, first=True)
        self.assertIn("cells in state 4", client.until("error")[0]["text"])


if __name__ == "__main__":
    shard.main()
