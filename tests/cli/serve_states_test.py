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

    def shades(self, client):
        frame, row = client.frame, (client.frame["columns"] + 1) // 2
        self.assertEqual(frame["bits"], 4)
        return {(frame["x"] + x, frame["y"] + y): shade for y in range(frame["rows"]) for x in range(frame["columns"])
                if (shade := client.squares[y * row + x // 2] >> 4 * (x % 2) & 15)}

    def test_frames_have_shades_of_dying_cells(self):
        client = self.empty("--rule", "345/2/4")
        client.say_bytes("paste", b"x = 4, y = 1, rule = 345/2/4\n.ABC!\n", x=5, y=6)
        client.update(lambda state: state["population"] == 3)
        shades = self.shades(client)
        self.assertEqual(set(shades), {(6, 6), (7, 6), (8, 6)})
        self.assertEqual(shades[6, 6], 15)
        self.assertGreater(shades[7, 6], shades[8, 6])
        # A frame of one bit a cell follows one of four, and the other way round
        client.say("rule", rule="B3/S23")
        client.update(lambda state: state["rule"].startswith("B3/S23"))
        self.assertEqual(client.cells(), {(6, 6), (7, 6), (8, 6)})
        client.say("undo")
        client.update(lambda state: state["rule"].startswith("345/2/4"))
        self.assertEqual(self.shades(client), shades)


if __name__ == "__main__":
    shard.main()
