#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve: records of which thread computed which tile, while the world runs."""
import json
import subprocess

import shard
from programs import MOOREA
from serve_case import Case


class Tiles(Case):
    def record(self, client):
        client.say("tiles")
        return client.until("tiles")[0]

    def test_records_are_of_the_run(self):
        world = ("--random", "0.3", "--size", "256", "--seed", "7")
        self.start(*world, "--kernel", "cpu/ladder/09_lazy", "--tile", "64x32", "--threads", "2")
        client = self.join()
        client.say("play")
        record = self.record(client)
        self.assertEqual(record["kernel"], "cpu/ladder/09_lazy")
        self.assertEqual(len(record["busy"]), 2)
        self.assertGreater(sum(record["busy"]), 0)
        # All tiles are awake at the beginning
        self.assertEqual({tuple(tile[:4]) for tile in record["tiles"]}, {(x, y, 64, 32) for x in range(0, 256, 64) for y in range(0, 256, 32)})
        self.assertEqual(record["computed"], 32 * record["generations"])
        self.assertTrue(all(tile[4] in (0, 1) and tile[5] >= 0 for tile in record["tiles"]))
        record = self.record(client)
        client.say("stop")
        state = client.update(lambda state: not state["busy"])
        # Recording changes no cell
        ran = json.loads(subprocess.run([MOOREA, "run", *world, "-g", str(state["generation"]), "--json"], check=True, capture_output=True).stdout)
        self.assertEqual(state["population"], ran["population"])

    def test_what_sleeps_has_no_tiles(self):
        pattern = self.folder / "blinkers.rle"
        pattern.write_text("x = 3, y = 1, rule = B3/S23:T512,512\n3o!\n")
        self.start(pattern, "--kernel", "cpu/tiles", "--step", "5")
        client = self.join()
        client.say("play")
        for _ in range(3):
            record = self.record(client)
        self.assertEqual(record["tiles"], [])
        self.assertGreater(record["asleep"], 0)
        self.assertEqual(record["computed"], 0)

    def test_many_tiles_are_squares(self):
        self.start("--random", "0.5", "--size", "2048", "--kernel", "cpu/ladder/02_tiled", "--tile", "16x16")
        client = self.join()
        client.say("play")
        record = self.record(client)
        self.assertLessEqual(len(record["tiles"]), 1500)
        cells = sum(width * height for _, _, width, height, *_ in record["tiles"])
        self.assertEqual(cells, 2048 * 2048)

    def test_what_is_not_recorded(self):
        self.start("--random", "0.5", "--size", "64", "--rule", "/2/3")
        client = self.join()
        client.say("play")
        self.assertIn("does not record", self.record(client)["reason"])
        # It runs on
        client.update(lambda state: state["generation"] > 20)
        # Until something runs, nothing is sent, and a client that leaves is forgotten
        client.say("stop")
        client.update(lambda state: not state["busy"])
        client.say("tiles")
        client.say("live")
        client.until("live")
        client.close()
        other = self.join()
        other.say("step", generations=1)
        other.update(lambda state: not state["busy"])


if __name__ == "__main__":
    shard.main()
