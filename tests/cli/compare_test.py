#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea compare: verdicts on two files of measurements, and the reasons where there is none."""
import json

import shard
from command_case import Case, moorea


class Compare(Case):
    def test_compare(self):
        bench = ["bench", "--kernel", "cpu/bits,cpu/reference", "--size", "64,96x80", "--budget", "0.01"]
        before = self.json(*bench)
        for row in before["results"]:
            row["busy"] = False  # whatever else this machine does
        for row in before["results"]:
            self.assertEqual(len(row["sample_seconds"]), row["samples"])
        path = self.file("before.json", json.dumps(before))
        lines = self.ok("compare", path, path).stdout.splitlines()
        self.assertEqual(len(lines), 6)
        self.assertNotRegex("".join(lines), "better|worse")

        def changed(change):
            document = json.loads(json.dumps(before))
            change(document)
            return self.file("now.json", json.dumps(document))

        def scale(document, factor=2, rows=slice(0, 1)):
            for row in document["results"]:
                row["sample_seconds"], row["round_median_seconds"] = [0.01] * 9, [0.01] * 3
            for row in document["results"][rows]:
                row["sample_seconds"], row["round_median_seconds"] = [factor * 0.01] * 9, [factor * 0.01] * 3

        path = self.file("before.json", json.dumps((scale(before, 1), before)[1]))
        result = moorea("compare", path, changed(scale), "--json")
        self.assertEqual(result.returncode, 3, result.stderr)
        compared = json.loads(result.stdout)["compared"]
        self.assertEqual([row["verdict"] for row in compared], ["worse"] + 3 * ["no difference"])
        self.assertAlmostEqual(compared[0]["speed"], 0.5)
        self.assertIn("1 better, 3 no difference", self.ok("compare", path, changed(lambda document: scale(document, 0.5))).stdout)
        self.assertIn("4 no difference", self.ok("compare", path, changed(lambda document: scale(document, 1.1)), "--min-difference", "20").stdout)
        # A speed that drifts from round to round by as much is no difference
        self.assertIn("3 no difference", self.ok("compare", path, changed(lambda document: (scale(document), document["results"][0].update(
            round_median_seconds=[0.01, 0.02, 0.03])))).stdout)
        # Rows in one file only; files with several documents; without samples; standard input; other machines
        only = self.ok("compare", path, changed(lambda document: document["results"].pop(0))).stdout
        self.assertIn(f"1 only in {path}", only)
        twice = self.file("twice.json", json.dumps(before) * 2)
        self.assertEqual(len(self.json("compare", path, twice)["compared"]), 4)
        self.assertIn("4 unclear", self.ok("compare", path, changed(lambda document: [row.pop("sample_seconds") for row in document["results"]])).stdout)
        self.assertIn("4 no difference", self.ok("compare", "-", path, stdin=json.dumps(before)).stdout)
        # Reasons of the verdict unclear
        few = changed(lambda document: [row.update(sample_seconds=row["sample_seconds"][:5]) for row in document["results"]])
        self.assertIn("unclear: 5 samples, 6 are needed", self.ok("compare", path, few).stdout)
        apart = changed(lambda document: [row.update(round_median_seconds=[1, 2]) for row in document["results"]])
        self.assertIn("unclear: the speed drifts by 100 % from round to round", self.ok("compare", path, apart).stdout)
        noisy = changed(lambda document: [row.update(sample_seconds=[1, 2, 3] * 4) for row in document["results"]])
        self.assertIn("unclear: the medians are known to", self.ok("compare", noisy, noisy).stdout)
        busy = changed(lambda document: document["results"][0].update(busy=True, cpu_taken=0.5))
        result = self.json("compare", path, busy)["compared"]
        self.assertEqual([row.get("reason") for row in result], ["other processes used the CPUs now", None, None, None])
        self.assertIn("unclear: other processes used the CPUs both times", self.ok("compare", busy, busy).stdout)
        other = moorea("compare", path, changed(lambda document: document["machine"]["devices"].pop()))
        self.assertIn("were not measured on machines alike", other.stderr)
        # Speeds relative to a kernel of the same file
        related = self.json("compare", path, changed(lambda document: document["results"][0].update(cells_per_second=2e9)), "--relative-to", "cpu/reference")
        for row in related["compared"]:
            now = [each for each in before["results"] if each["width"] == row["width"] and each["kernel"] == "cpu/reference"][0]
            self.assertAlmostEqual(row["times_reference_now"] * now["cells_per_second"],
                                   2e9 if row == related["compared"][0] else row["times_reference_before"] * now["cells_per_second"], delta=1e3)
        self.assertIn("x cpu/reference before, now", self.ok("compare", path, path, "--relative-to", "cpu/reference").stdout)
        self.refused(2, "no measurement of it in the world 64x64, B3/S23, torus, random:0.5:0 of cpu/bits: it was not measured there", "compare", path, path,
                     "--relative-to", "cpu/tiles")
        # Files that are none
        self.refused(1, "none.json: cannot read: No such file or directory", "compare", path, str(self.folder / "none.json"))
        self.refused(1, "cannot read: Is a directory", "compare", path, str(self.folder))
        for text in ("{", "[]", "{}", json.dumps(before)[:-9], "moorea", json.dumps(before | {"machine": {}})):
            self.refused(1, "not a results file of moorea bench", "compare", path, self.file("wrong.json", text))
        self.refused(1, "no results in it", "compare", path, self.file("empty.json", ""))
        self.refused(1, "no configuration is in both", "compare", path, changed(lambda document: [row.update(start="random:0.5:5") for row in document["results"]]))
        self.refused(2, "standard input can be one", "compare", "-", "-")


if __name__ == "__main__":
    shard.main()
