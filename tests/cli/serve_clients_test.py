#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve with several clients: control, audience, slow clients and long passes."""
import json
import time

import shard
from serve_case import Case, GLIDER, GLIDER_RLE, SOURCE
from serve_client import Refused


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
        for what, members in (("play", {}), ("step", {"generations": 1}), ("rule", {"rule": "Seeds"}), ("save", {"format": "rle"}), ("reset", {}), ("undo", {}), ("redo", {})):
            audience.say(what, **members)
            self.assertIn("watching only", audience.until("error")[0]["text"])
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

    def test_two_views_of_which_one_is_very_far(self):
        """Squares of more cells than those of all views together can count."""
        self.start("--random", "0.5", "--size", "1024")
        near, far = self.join(), self.join()
        for scale in (1 << 16, 1 << 17, (1 << 32) + (1 << 17)):
            for _ in range(3):  # both are drawn in the same turn at least once
                far.look(0, 0, 4, 4, scale=scale)
                near.look(0, 0, 128, 128, scale=8)
                for client in (near, far):
                    client.say("ready")
                for client in (near, far):
                    client.until("update")

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


if __name__ == "__main__":
    shard.main()
