#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea ensemble: rows against single runs, archives, interruption and continuation."""
import csv
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import time
import unittest
import zipfile

from command_case import Case, moorea
from programs import MOOREA

SOUPS = ["ensemble", "--worlds", "600", "--size", "20x12", "--random", "0.37", "--seed", "5"]


def with_value(option, value):
    """SOUPS with another value of an option."""
    place = SOUPS.index(option) + 1
    return [*SOUPS[:place], value, *SOUPS[place + 1:]]


def rows_of(path):
    with open(path, newline="") as file:
        return [dict(row) for row in csv.DictReader(file)]


def arrays_of(path):
    """The arrays of an archive as lists, with NumPy's format read by hand."""
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for name in archive.namelist():
            data = archive.read(name)
            assert data[:8] == b"\x93NUMPY\x01\x00"
            length = struct.unpack("<H", data[8:10])[0]
            assert (10 + length) % 64 == 0
            header = eval(data[10:10 + length].decode())  # a dictionary of constants, by NumPy's definition
            content, count = data[10 + length:], header["shape"][0]
            if header["descr"] == "<u8":
                arrays[name.removesuffix(".npy")] = list(struct.unpack(f"<{count}Q", content))
            else:
                size = int(re.fullmatch(r"\|S(\d+)", header["descr"])[1])
                arrays[name.removesuffix(".npy")] = [content[i * size:(i + 1) * size].rstrip(b"\0").decode() for i in range(count)]
    return arrays


def has_gpu():
    return moorea("info", "--json").stdout.find('"cuda:0"') >= 0


class Ensemble(Case):
    def alone(self, row, *options):
        return self.json("run", "--random", "0.37", "--size", "20x12", "--seed", row["seed"], "-g", row["generation"], *options)

    def test_rows_are_single_runs(self):
        table = self.file("worlds.csv")
        summary = self.json(*SOUPS, "-g", "100", "--record", "seed,population,hash,changed,box", "-o", table)
        self.assertEqual(list(pathlib.Path(self.folder).iterdir()), [pathlib.Path(table)])
        rows = rows_of(table)
        self.assertEqual([row["world"] for row in rows], [str(i) for i in range(600)])
        self.assertEqual((summary["completed_worlds"], summary["cell_generations"]), (600, 600 * 240 * 100))
        self.assertAlmostEqual(summary["mean_population"], sum(int(row["population"]) for row in rows) / 600)
        for row in (rows[0], rows[511], rows[599]):
            alone = self.alone(row)
            self.assertEqual((int(row["population"]), row["hash"]), (alone["population"], alone["hash"]))
            counts = self.file("counts.csv")
            self.alone(row, "--populations", counts, "--changes")
            self.assertEqual(rows_of(counts)[-1]["changed"], row["changed"])

    def test_where_periods_are_searched(self):
        for generations, said in (("100", "multiples of 64: worlds that become periodic after generation 64 have none"), ("640", "")):
            result = self.ok(*SOUPS, "-g", generations, "--record", "period", "-o", self.file(f"{generations}.csv"))
            self.assertIn(said, result.stderr)
            self.assertEqual("periods are searched" in result.stderr, bool(said))

    def test_rows_depend_on_the_world_alone(self):
        one, other, plane = (self.file(name) for name in ("one.csv", "other.csv", "plane.csv"))
        options = ["-g", "3000", "--until-periodic", "--max-period", "100"]
        self.ok(*SOUPS, *options, "-o", one, "--threads", "1", "--kernel", "cpu/strided")
        self.ok(*with_value("--worlds", "200"), *options, "-o", other, "--threads", "3")
        self.assertEqual(rows_of(one)[:200], rows_of(other))
        self.ok(*SOUPS, *options, "-o", plane, "--topology", "plane")
        self.assertNotEqual(rows_of(one), rows_of(plane))

    def test_periods(self):
        table = self.file("worlds.csv")
        summary = self.json(*SOUPS, "-g", "3000", "--until-periodic", "-o", table, "--record", "seed,hash")
        rows = rows_of(table)
        self.assertEqual(sum(summary["periods"].values()), 600)
        self.assertEqual(summary["periods"]["2"], sum(row["period"] == "2" for row in rows))
        for row in rows[:3]:
            self.assertEqual(row["generation"], row["period_generation"])
            begin = int(row["generation"])
            hashes = [self.alone({**row, "generation": str(begin + i)})["hash"] for i in range(int(row["period"]) + 1)]
            self.assertEqual(hashes[0], row["hash"])
            self.assertEqual([i for i in range(1, len(hashes)) if hashes[i] == hashes[0]], [int(row["period"])])

    def test_several_rules_and_archives(self):
        table, archive = self.file("worlds.csv"), self.file("worlds.npz")
        for file in (table, archive):
            self.ok(*SOUPS, "-r", "Life", "-r", "B36/S23", "-g", "50", "--record", "population,hash,period", "-o", file)
        self.assertEqual(sorted(os.listdir(self.folder)), ["worlds.csv", "worlds.npz"])
        rows, arrays = rows_of(table), arrays_of(archive)
        self.assertEqual(arrays.pop("rules"), ["B3/S23", "B36/S23"])
        self.assertEqual(list(arrays), list(rows[0]))
        for name, values in arrays.items():
            self.assertEqual(values, [int(row[name], 16 if name == "hash" else 10) for row in rows])
        self.assertEqual([row["rule"] for row in rows], ["0"] * 600 + ["1"] * 600)

    def test_histograms(self):
        table = self.file("worlds.csv")
        self.ok(*SOUPS, "-r", "Life", "-r", "B36/S23", "-g", "2000", "--record", "population,hash,period", "-o", table)
        rows = rows_of(table)
        for column in ("period", "population"):
            charts = json.loads(self.ok("plot", table, "--value", column, "-o", "-", "--format", "json").stdout)
            self.assertEqual([chart["title"] for chart in charts], [f"Worlds by {column}, rule {rule}" for rule in (0, 1)])
            for rule, chart in enumerate(charts):
                values = [int(row[column]) for row in rows if row["rule"] == str(rule)]
                for point in chart["series"][0]["points"]:
                    low, high = (point["label"].split(" to ") * 2)[:2]
                    self.assertEqual(point["y"], sum(int(low) <= value <= int(high) for value in values))
                self.assertEqual(sum(point["y"] for point in chart["series"][0]["points"]), 600)
                self.assertIn("600 worlds", chart["caption"])
        self.ok("plot", table, "-o", self.file("worlds.html"))
        self.refused(2, "expected a column of numbers of the table: generation, population, period", "plot", table, "--value", "hash", "-o", "-")
        self.refused(2, "is a table of worlds", "plot", table, "--kind", "line", "-o", "-")
        broken = self.file("broken.csv", "world,generation,population\n0,5,7\n1,5\n")
        self.refused(1, "broken.csv:3: not a row", "plot", broken, "-o", "-")
        self.refused(1, "no rows", "plot", self.file("none.csv", "world,generation,population\n"), "-o", "-")

    def test_gpu(self):
        cpu, gpu = self.file("cpu.csv"), self.file("gpu.csv")
        options = ["-g", "500", "--record", "seed,population,hash,changed,box"]
        if not has_gpu():
            self.refused(4, 'device "cuda" is not available: ', *SOUPS, *options, "--device", "cuda", "-o", gpu)
            self.skipTest("this machine has no GPU that CUDA can use")
        self.ok(*SOUPS, *options, "-o", cpu)
        self.ok(*SOUPS, *options, "--device", "cuda", "-o", gpu)
        self.assertEqual(pathlib.Path(cpu).read_bytes(), pathlib.Path(gpu).read_bytes())
        self.refused(4, "choose the device cpu", *SOUPS, "--until-periodic", "--device", "cuda", "-o", gpu)

    def interrupt(self, command, rows, table):
        process = subprocess.Popen([MOOREA, *command], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            if os.path.exists(table) and pathlib.Path(table).read_text().count("\n") > rows:
                process.send_signal(signal.SIGINT)
                break
            time.sleep(0.005)
        return process.communicate(timeout=60)[1], process.returncode

    def test_resume(self):
        for ending in ("csv", "npz"):
            table, whole = self.file(f"worlds.{ending}"), self.file(f"whole.{ending}")
            survey = ["ensemble", "--size", "16", "-g", "1500", "--max-period", "30", "--record", "population,period",
                      "--kernel", "cpu/strided", "--threads", "1"]
            rows = table if ending == "csv" else table + ".rows"
            error, code = self.interrupt([*survey, "--worlds", "1000000", "-o", table], 200, rows)
            self.assertEqual(code, 130, error)
            self.assertRegex(error, r"interrupted after \d+ of 1000000 worlds; the same command with --resume continues")
            survey += ["--worlds", "1500"]
            self.refused(2, "--worlds is given 2 times: leave all but one of them out", *survey, "--worlds", "1501", "-o", table, lines=0)
            self.refused(1, "belongs to a different survey", *survey, "-o", table, "--resume")
            # A smaller survey in the place of the one that was interrupted, so that its rest is short
            state = pathlib.Path(table + ".survey")
            state.write_text(state.read_text().replace('"worlds":1000000', '"worlds":1500'))
            kept = pathlib.Path(rows).read_text().splitlines()[:151]
            pathlib.Path(rows).write_text("\n".join(kept) + "\n150,15")  # a line that is not whole
            # It is not replaced, and its path may be another one
            self.refused(2, "exists: add --resume", *survey, "-o", table)
            summary = self.json(*survey, "-o", os.path.join(os.path.dirname(table), ".", os.path.basename(table)), "--resume")
            self.assertEqual((summary["first_world"], summary["completed_worlds"]), (150, 1350))
            self.ok(*survey, "-o", whole, "--resume")
            self.assertEqual(pathlib.Path(table).read_bytes(), pathlib.Path(whole).read_bytes())
            self.assertEqual(os.path.exists(rows), ending == "csv")
            self.assertFalse(state.exists())
            # The same command again, as of a job that was repeated; other options are another survey
            if ending == "csv":
                before = os.stat(table)
                again = moorea(*survey, "-o", table, "--resume", "--json")
                self.assertEqual((again.returncode, again.stderr), (0, f"moorea: {table} is complete\n"))
                summary = json.loads(again.stdout)
                self.assertEqual((summary["first_world"], summary["completed_worlds"], summary["interrupted"]), (1500, 0, False))
                self.assertEqual(os.stat(table), before)
                for other in (["--seed", "1"], ["--rule", "HighLife"], ["--random", "0.4"]):
                    self.refused(1, "is not the table of this survey", *survey, *other, "-o", table, "--resume")
                self.refused(1, "is not the table of this survey", *survey[:-1], "1501", "-o", table, "--resume")
            else:
                self.refused(1, "it is complete, or no survey's table", *survey, "-o", table, "--resume")

    def test_a_table_has_one_survey(self):
        table = self.file("worlds.csv")
        first = subprocess.Popen([MOOREA, "ensemble", "--size", "16", "-g", "1500", "--worlds", "1000000", "--kernel", "cpu/strided", "--threads", "1", "-o", table],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            while not os.path.exists(table + ".survey"):
                time.sleep(0.01)
            self.refused(1, "another run saves to this table", "ensemble", "--size", "16", "-g", "1500", "--worlds", "1000000", "-o", table, "--resume")
        finally:
            first.send_signal(signal.SIGINT)
            first.communicate()
        self.assertEqual(first.returncode, 130)

    def test_parquet_needs_pyarrow(self):
        """python/tests/test_parquet.py reads what pyarrow writes."""
        parquet = self.file("worlds.parquet")
        for path, reason in ((str(self.folder), "cannot run python3: No such file"), ("/usr/bin:/bin", "python3 has no pyarrow")):
            result = moorea(*SOUPS, "-o", parquet, env={**os.environ, "PATH": path})
            if "pyarrow" in reason and result.returncode == 0:
                self.skipTest("the system's Python has pyarrow")
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn(reason, result.stderr)
            self.assertIn("or choose a name that ends in .csv or .npz", result.stderr)
            self.assertFalse(os.path.exists(parquet))

    def test_refusals(self):
        table = self.file("worlds.csv")
        self.refused(2, "ends in .csv, .npz or .parquet", *SOUPS, "-o", self.file("worlds.txt"))
        self.refused(2, "would exceed 4 GiB", *with_value("--worlds", "1e9"), "-o", self.file("worlds.npz"))
        self.refused(2, '--record "colour": expected some of seed, population', *SOUPS, "-o", table, "--record", "colour")
        self.refused(2, "--worlds 0", *with_value("--worlds", "0"), "-o", table)
        self.refused(2, "expected plane or torus", *SOUPS, "--topology", "unbounded", "-o", table)
        self.refused(2, "does not advance ensembles", *SOUPS, "--kernel", "cpu/bits", "-o", table)
        self.refused(4, "cannot run B2-a/S12", *SOUPS, "--rule", "B2-a/S12", "--kernel", "cpu/strided", "-o", table)
        self.refused(2, "does not advance ensembles: expected cpu, cuda or cuda:N", *SOUPS, "--device", "opencl", "-o", table)
        self.refused(2, "expected at least 1x1", *with_value("--size", "0x12"), "-o", table)
        self.refused(1, "No such file or directory", *SOUPS, "-o", str(self.folder / "none/worlds.csv"))
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
