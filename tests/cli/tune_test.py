#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea tune: the file that it writes, and the choice of a kernel from it."""
import json
import os
import subprocess
import unittest

import shard
from command_case import Case, LEFT_TO_OTHERS, SANITIZED, TAKES_LONG
from programs import MOOREA


class Tune(Case):
    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_a_prediction_that_was_missed_is_dropped(self):
        cache = self.folder / "cache"
        path = cache / "moorea" / "tuning.json"
        env = {**os.environ, "XDG_CACHE_HOME": str(cache)}

        def run(*arguments):
            return subprocess.run([MOOREA, *arguments], capture_output=True, text=True, timeout=600, env=env)

        tuned = run("tune", "--kernel", "cpu/bits,cpu/strided", "--size", "64", "-r", "Life", "--budget", "0.01", "--allow-busy")
        self.assertEqual(tuned.returncode, 0, tuned.stderr)
        kept = json.loads(path.read_text())
        kept["devices"] = {"cpu": {"description": "", "start_seconds": 0, "quiet": ""}}
        # The reference takes some hundred milliseconds for this; on a busy machine the prediction stays, and that is said
        noise = ["run", "--random", "0.4", "--size", "1000", "-g", "100"]
        wrong = {"plan": {"kernel": "cpu/reference", "device": "cpu", "threads": 1}, "times": [{"rule": "B3/S23", "cells": 1000000, "seconds": 1e-9}]}
        auto = {"plan": {"kernel": "auto", "device": "cpu", "threads": 0}, "times": [{"rule": "B3/S23", "cells": 1000000, "seconds": 1e9}]}
        path.write_text(json.dumps({**kept, "plans": [wrong, auto]}))
        said = run(*noise).stderr
        self.assertIn("where moorea tune had predicted 0.0001 ms for cpu/reference on cpu, 1 threads", said)
        left = [plan["plan"]["kernel"] for plan in json.loads(path.read_text())["plans"]]
        if "other processes used the CPUs" in said:
            self.assertEqual(left, ["cpu/reference", "auto"])
        else:
            self.assertIn("that prediction is dropped, and moorea tune measures again", said)
            self.assertEqual(left, ["auto"])
        # One that holds is not spoken of
        path.write_text(json.dumps({**kept, "plans": [auto]}))
        self.assertEqual(run(*noise).stderr, "")

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_tune(self):
        cache = self.folder / "cache"
        env = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        noise = ["run", "--random", "0.4", "--size", "100x80", "-g", "50"]

        def run(*arguments):
            return subprocess.run([MOOREA, *arguments], capture_output=True, text=True, timeout=600, env=env)

        plain = run(*noise, "--explain", "--json")
        self.assertIn("moorea tune was not run here yet", plain.stderr)
        before = json.loads(plain.stdout)
        results = self.folder / "results.json"
        sizes = "64" if SANITIZED else "64,128"
        tuned = run("tune", "--kernel", "cpu/bits,cpu/strided", "--size", sizes, "-r", "Life", "--budget", "0.01", "--results", str(results), "--allow-busy")
        self.assertEqual(tuned.returncode, 0, tuned.stderr)
        rows = json.loads(results.read_text())["results"]
        self.assertIn("cpu/strided", {row["kernel"] for row in rows})
        kept = json.loads((cache / "moorea" / "tuning.json").read_text())
        def key(asked, cells):
            return json.dumps([asked.get(each) for each in ("kernel", "device", "tile", "block", "generations_per_pass")]), cells

        times = {key(plan["plan"], time["cells"]): time["seconds"] for plan in kept["plans"] for time in plan["times"]}
        for row in rows:
            self.assertAlmostEqual(times[key(row["asked"], row["width"] * row["height"])] * row["generations_per_second"], 1)
        # In a small world Moorea begins in tiles, which is another time than that of its kernel for busy ones
        own = before["kernel"].split(" + ")[0]
        both = [times[key({"kernel": kernel, "device": "cpu"}, 64 * 64)] for kernel in ("auto", own)]
        self.assertNotEqual(*both)
        explained = run(*noise, "--explain", "--json")
        after = json.loads(explained.stdout)
        self.assertEqual(after["hash"], before["hash"])
        lines = explained.stderr.splitlines()
        self.assertEqual(sum(line.endswith(": taken") for line in lines), 1)
        self.assertEqual(len(lines) - 2, len(kept["plans"]))
        self.assertIn("cpu/bits on cpu: ", explained.stderr)

        # Predictions from known times
        def plan(kernel, device, **times):
            return {"plan": {"kernel": kernel, "device": device, "threads": 0},
                    "times": [{"rule": rule, "cells": cells, "seconds": seconds} for rule, pairs in times.items() for cells, seconds in pairs]}

        life, dear = "B3/S23", "B36/S124"
        document = {**kept, "devices": {"cpu": {"description": "", "start_seconds": 0}, "cuda:99": {"description": "a dream", "start_seconds": 0.5}},
                    "gates_per_word": {life: 7.5, dear: 9},
                    "plans": [plan("auto", "cpu", **{life: [(100, 1e-3), (10000, 4e-3)], dear: [(100, 8e-3)]}), plan("cpu/bits", "cpu", **{life: [(1000, 1e-3)]}),
                             plan("cpu/strided", "cpu", **{life: [(1000, 2e-3)]}), plan("cpu/bits_avx2", "cpu", **{life: [(1000, 3e-3)]}),
                             plan("auto", "cuda:99", **{life: [(1000, 1e-6)]})]}

        def predicted(*arguments, document=document):
            (cache / "moorea" / "tuning.json").write_text(document if isinstance(document, str) else json.dumps(document))
            return run("run", "--random", "0.4", *arguments, "--explain").stderr

        # 1000 cells lie in the middle between 100 and 10000 of a power law: 2 ms
        text = predicted("--size", "50x20", "-g", "1000")
        for line in ("2 s  auto on cpu: taken", "2 s  cpu/strided on cpu: takes as long", "3 s  cpu/bits_avx2 on cpu: 1.5 times as long",
                     "1 s  cpu/bits on cpu: 100 % faster while all is busy", "0.501 s  auto on cuda:99: its device is not there now", " on cpu: predicted to be done first"):
            self.assertIn(line, text)
        # If another kernel has the quiet times, any plan may be chosen that is clearly faster
        takes = {**document, "devices": {"cpu": {"description": "", "start_seconds": 0, "quiet": "cpu/tiles"}}}
        text = predicted("--size", "50x20", "-g", "1000", document=takes)
        self.assertIn("1 s  cpu/bits on cpu: taken", text)
        self.assertIn("cpu/bits + cpu/tiles on cpu: predicted to be done first", text)
        self.assertIn("2 s  auto on cpu: 2 times as long", text)
        takes["plans"] = [plan("auto", "cpu", **{life: [(1000, 2e-3)]}), plan("cpu/bits", "cpu", **{life: [(1000, 1.94e-3)]})]
        text = predicted("--size", "50x20", "-g", "1000", document=takes)
        self.assertIn("2 s  auto on cpu: taken", text)
        self.assertIn("3 % faster, too little", text)
        takes["plans"][1] = {"plan": {"kernel": "cpu/ladder/02_tiled", "device": "cpu", "threads": 0, "tile": [1 << 40, 1]},
                            "times": [{"rule": life, "cells": 1000, "seconds": 1e-6}]}
        self.assertIn("the predicted plan cannot run here: tile 1099511627776x1", predicted("--size", "50x20", "-g", "1000", document=takes))
        self.assertIn("40 s  auto on cpu: taken", predicted("--size", "1000x100", "-g", "1000"))  # in proportion beyond 10000 cells
        for rule, seconds in (("HighLife", 8), ("Anneal", 1), (dear, 8)):  # of 9 and of 6.5 gates per word
            self.assertIn(f"{seconds} s  auto on cpu: taken", predicted("--size", "10x10", "-g", "1000", "-r", rule))
        for arguments, words in ((("--threads", "1"), "how it runs was named"), (("--kernel", "cpu/bits"), "cpu/bits on cpu: how it runs was named"),
                                 (("-g", "0"), "there is nothing to compute"), (("--populations", os.devnull), "every generation is counted")):
            self.assertIn(words, predicted("--size", "50x20", *arguments))
        (self.folder / "dot.cells").write_text("O\n")
        self.assertIn("a plane that grows", run("run", str(self.folder / "dot.cells"), "-g", "1", "--explain").stderr)
        # Nothing is taken from a file that is broken or of another machine
        other = {**document, "machine": {**document["machine"], "threads": 99999}}
        for broken, words in ((json.dumps(other), "on another machine"), ("{", "cannot be used"), ("[]", "cannot be used"),
                              ({**document, "plans": [{**plan("auto", "cpu"), "times": []}]}, "a plan without times"), ({**document, "plans": []}, "no plan"),
                              ({**document, "plans": [plan("auto", "cpu", **{life: [(1000, -1)]})]}, "cannot be used"),
                              ({**document, "plans": [plan("auto", "cpu", **{"B9": [(1000, 1)]})]}, "a rule without its gates")):
            self.assertIn(words, predicted("--size", "50x20", document=broken))
        self.refused(2, "there is no kernel", "tune", "--kernel", "cpu/none", "-o", str(self.folder / "x.json"))
        self.refused(2, "skips inactive regions", "tune", "--kernel", "cpu/tiles", "-o", str(self.folder / "x.json"))
        self.refused(2, "standard output has the table", "tune", "-o", "-")
        self.assertFalse((self.folder / "x.json").exists())


if __name__ == "__main__":
    shard.main()
