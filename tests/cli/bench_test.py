#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea bench: rows, ranges of parameters, CSV, resumption, busy machines and wrong answers."""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

import shard
from command_case import Case, LEFT_TO_OTHERS, SANITIZED, TAKES_LONG, moorea
from programs import FAULTY, MOOREA

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Bench(Case):
    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_bench(self):
        result = self.json("bench", "--kernel", "auto,cpu/bits,cpu/ladder/09_lazy,cpu/tiles", "--size", "100,70x90", "--threads", "1,2",
                           "--budget", "0.05")
        keys = ("kernel device rule topology width height threads generations samples median_seconds spread generations_per_second "
                "cells_per_second checked_with")
        self.assertGreaterEqual(len(result["results"]), 8)
        for row in result["results"]:
            for key in keys.split():
                self.assertIn(key, row)
            self.assertEqual(row["checked_with"], "cpu/reference")
            self.assertAlmostEqual(row["generations_per_second"], row["generations"] / row["median_seconds"], delta=1e-6 * row["generations_per_second"])
        self.assertIn("machine", result)
        for device in result["machine"]["devices"]:
            self.assertGreater(device["memory_bytes"], 0)
            self.assertEqual("api" in device, device["name"] != "cpu")  # as "CUDA 12.8"
            self.assertEqual("runtime" in device, device["name"].startswith("cuda"))
        self.assertIn("revision", result)
        self.assertEqual([c["threads"] for c in result["ceilings"]], [1, 2])
        self.assertIn("cpu/bits", self.ok("bench", "--kernel", "cpu/bits", "--size", "64", "--budget", "0.05").stdout)
        everything = self.json("bench", "--size", "64", "--threads", "1", "--budget", "0.01", "--rounds", "1")
        runs = {kernel["name"] for kernel in self.json("kernels")["kernels"] if kernel["runs"] and kernel["layout"] != "tree" and "/mesh/" not in kernel["name"]}
        self.assertEqual({row["kernel"] for row in everything["results"]}, runs)

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_bench_takes_ranges(self):
        rows = self.json("bench", "--kernel", "cpu/ladder/02_tiled", "--size", "64:128:x2", "--tile", "16:32:x2x8", "--chunk", "1,3", "--schedule",
                         "dynamic", "--schedule", "guided,2", "--threads", "1:2", "--budget", "0.01", "--rounds", "1")["results"]
        self.assertEqual([(row["width"], row["threads"], row["tiling"]["width"], row["tiling"]["height"], row["tiling"]["schedule"]) for row in rows],
                         [(size, threads, width, 8, schedule) for size in (64, 128) for threads in (1, 2) for width in (16, 32)
                          for schedule in ("dynamic,1", "dynamic,3", "guided,2")])
        rows = self.json("bench", "--kernel", "cpu/bits", "--size", "200", "-r", "Life,Maze", "--topology", "plane,torus", "--start",
                         "random:0.3:1,r-pentominoes:64", "--budget", "0.01", "--rounds", "1")["results"]
        self.assertEqual([(row["rule"], row["topology"], row["start"]) for row in rows],
                         [(rule, topology, start) for rule in ("B3/S23", "B3/S12345") for topology in ("plane", "torus")
                          for start in ("random:0.3:1", "r-pentominoes:64")])
        rows = self.json("bench", "--kernel", "cpu/strided", "--size", "64", "--generations-per-pass", "1,4", "--budget", "0.01")["results"]
        self.assertEqual([row["generations_per_pass"] for row in rows], [1, 4])
        self.refused(2, "its end is below its start", "bench", "--size", "64:32")
        self.refused(2, 'there is no "soup"', "bench", "--kernel", "cpu/bits", "--start", "random:0.5,soup")
        self.refused(4, 'device "bogus" is not available', "bench", "--device", "auto,bogus")
        self.refused(2, "--chunk", "bench", "--chunk", "abc")
        for option in (("--seed", "3"), ("--seed", "0"), ("--random", "0.3"), ("--random", "0.5")):
            self.refused(2, "for worlds without --start", "bench", "--start", "guns", *option)
        for command in ("bench", "tune"):
            for budget in ("0", "-1", "x", "inf", "nan"):
                self.refused(2, 'expected a number such as 0.5, not "x"' if budget == "x" else f'"{budget}": expected a number above 0', command, f"--budget={budget}", lines=2)
        self.refused(2, "more than 10000 values", "bench", "--size", "1:10000x1:10000")

    def test_bench_leaves_out_what_cannot_be(self):
        result = moorea("bench", "--kernel", "cpu/bits,cpu/ladder/02_tiled,cpu/ladder/14_bits_lazy", "--tile", "16,64", "--size", "64", "--budget", "0.01",
                        "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        # A kernel without tiles is measured once, and named
        self.assertEqual([(row["kernel"], row.get("tiling", {}).get("width")) for row in report["results"]],
                         [("cpu/bits", None), ("cpu/ladder/02_tiled", 16), ("cpu/ladder/02_tiled", 64), ("cpu/ladder/14_bits_lazy", 64)])
        self.assertEqual(report["notes"], ["cpu/bits has no configurable tile size: it is measured without this axis"])
        self.assertEqual(result.stderr.count(report["notes"][0]), 1)
        reason, = report["not_timed"]
        self.assertEqual(reason["kernel"], "cpu/ladder/14_bits_lazy")
        self.assertIn("a multiple of 64", reason["reason"])

    def test_speed_relative_to_a_kernel(self):
        path = self.folder / "related.json"
        bench = ("bench", "--kernel", "cpu/bits", "--size", "64,128", "--budget", "0.01", "--rounds", "2")
        text = self.ok(*bench, "--relative-to", "cpu/ladder/01_serial:1", "-o", str(path)).stdout
        self.assertIn("  x cpu/ladder/01_serial:1\n", text)
        rows = json.loads(path.read_text())["results"]
        # The reference is measured too, and first, so that each line has its ratio
        self.assertEqual([(row["kernel"], row["threads"], row["width"]) for row in rows[:2]], [("cpu/ladder/01_serial", 1, 64), ("cpu/ladder/01_serial", 1, 128)])
        self.assertEqual([row["times_reference"] for row in rows[:2]], [1, 1])
        for row in rows[2:]:
            reference, = [each for each in rows[:2] if each["width"] == row["width"]]
            self.assertAlmostEqual(row["times_reference"], row["cells_per_second"] / reference["cells_per_second"])
            self.assertEqual(row["relative_to"], "cpu/ladder/01_serial:1")
        self.assertEqual(len(rows), 4)
        chart = self.ok("plot", str(path), "-o", "-", "--format", "json", "--relative-to", "cpu/ladder/01_serial:1", "--x", "size").stdout
        self.assertAlmostEqual(json.loads(chart)[0]["series"][1]["points"][0]["y"], rows[2]["times_reference"])
        # One that is among the kernels is not measured twice
        rows = self.json(*bench, "--relative-to", "cpu/bits", "--csv", str(self.folder / "rows.csv"))["results"]
        self.assertEqual([row["times_reference"] for row in rows], [1, 1])
        with open(self.folder / "rows.csv", newline="") as file:
            self.assertEqual([row["relative_to"] for row in csv.DictReader(file)], ["cpu/bits", "cpu/bits"])
        self.refused(2, 'there is no kernel "cpu/bit"', *bench, "--relative-to", "cpu/bit")
        self.refused(2, "expected a kernel, or a kernel with its number of threads", *bench, "--relative-to", ":1")
        for kernel in self.json("kernels")["kernels"]:
            if not kernel["runs"]:
                self.refused(4, "it cannot run here", *bench, "--relative-to", kernel["name"])
                break

    def test_each_kernel_has_its_own_axes(self):
        bench = ("bench", "--size", "64", "--budget", "0.01", "--rounds", "1")
        report = self.json(*bench, "--kernel", "cpu/ladder/01_serial,cpu/ladder/02_tiled,cpu/strided", "--tile", "16:32:x2", "--generations-per-pass", "1,4",
                           "--threads", "1")
        self.assertEqual([(row["kernel"], row.get("tiling", {}).get("width"), row.get("generations_per_pass")) for row in report["results"]],
                         [("cpu/ladder/01_serial", None, None), ("cpu/ladder/02_tiled", 16, None), ("cpu/ladder/02_tiled", 32, None),
                          ("cpu/strided", None, 1), ("cpu/strided", None, 4)])
        self.assertEqual(report["notes"], [
            "cpu/ladder/01_serial has no configurable tile size, number of generations per pass: it is measured without these axes",
            "cpu/ladder/02_tiled has no configurable number of generations per pass: it is measured without this axis",
            "cpu/strided has no configurable tile size: it is measured without this axis"])
        # An axis of none of them is a mistake
        self.refused(2, "cpu/bits has no configurable number of bytes per thread", *bench, "--kernel", "cpu/bits,cpu/ladder/02_tiled", "--tile", "16",
                     "--bytes-per-thread", "8")
        # By default those that have all axes are measured, and the others are named
        result = moorea(*bench, "--tile", "64x8", "--threads", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("kernels without a configurable tile size are left out; --kernel NAME,... measures them too", result.stderr)

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_bench_goes_on_where_it_stopped(self):
        path = self.folder / "sweep.json"
        command = ["bench", "--kernel", "cpu/bits", "--size", "64,128,256", "--threads", "1", "--budget", "0.01", "-o", str(path)]

        def quiet():
            """Takes away the marks of a busy machine, whose rows would be measured again."""
            document = json.loads(path.read_text())
            for row in document["results"]:
                row["busy"] = False
            path.write_text(json.dumps(document))

        self.ok(*command, "--rounds", "1")
        quiet()
        first = json.loads(path.read_text())
        self.assertEqual([row["rounds"] for row in first["results"]], [1, 1, 1])
        self.refused(2, "exists already; --resume continues it", *command)
        self.refused(2, "--resume needs -o", "bench", "--resume")
        # As if it had been interrupted in the second round, behind its first row
        self.assertIn("cpu/bits", self.ok(*command, "--rounds", "2", "--resume").stdout)
        quiet()
        second = json.loads(path.read_text())
        for before, now in zip(first["results"], second["results"], strict=True):
            self.assertEqual(now["rounds"], 2)
            self.assertEqual(now["generations"], before["generations"])
            self.assertEqual(now["sample_seconds"][:len(before["sample_seconds"])], before["sample_seconds"])
            self.assertGreater(now["samples"] + now["discarded_samples"], before["samples"] + before["discarded_samples"])
        # Nothing is left to measure, and a row that is new is measured alone
        self.ok(*command, "--rounds", "2", "--resume")
        self.assertEqual([row["sample_seconds"] for row in json.loads(path.read_text())["results"]], [row["sample_seconds"] for row in second["results"]])
        self.ok(*command, "--rounds", "2", "--resume", "--size", "100")
        quiet()
        third = json.loads(path.read_text())["results"]
        self.assertEqual([row["width"] for row in third], [64, 128, 256, 100])
        self.assertEqual(third[0]["sample_seconds"], second["results"][0]["sample_seconds"])
        # Other measurements stay, fewer rounds remove nothing, and the ceilings are those of the same run
        self.ok("bench", "--kernel", "cpu/bits", "--size", "100", "--threads", "1", "--budget", "0.01", "-o", str(path), "--resume", "--rounds", "1")
        fourth = json.loads(path.read_text())
        self.assertEqual(sorted((row["width"], row["rounds"], row["sample_seconds"]) for row in fourth["results"]),
                         sorted((row["width"], row["rounds"], row["sample_seconds"]) for row in third))
        self.assertEqual(fourth["ceilings"], second["ceilings"])
        path.write_text(json.dumps(second) * 2)
        self.refused(1, "several result documents", *command, "--resume")
        path.write_text(json.dumps(second | {"revision": "another"}))
        self.refused(1, "measured with another revision", *command, "--resume")
        path.write_text("{")
        self.refused(1, "not a results file of moorea bench", *command, "--resume")
        self.assertEqual(path.read_text(), "{")
        self.refused(1, "no such folder", *command[:-1], str(self.folder / "no such folder" / "x.json"))

    def test_bench_interrupted(self):
        path = self.folder / "sweep.json"
        process = subprocess.Popen([MOOREA, "bench", "--kernel", "cpu/bits", "--size", "64,96,128", "--budget", "2", "--rounds", "20", "-o", str(path)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and (not path.exists() or not json.loads(path.read_text())["results"]):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, talk = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("--resume continues", talk)
        self.assertGreaterEqual(len(json.loads(path.read_text())["results"]), 1)
        self.assertEqual(json.loads(path.read_text())["not_timed"], [])

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_a_busy_machine_is_noticed(self):
        cpu = {min(os.sched_getaffinity(0))}
        spinner = subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=lambda: os.sched_setaffinity(0, cpu))
        self.addCleanup(spinner.wait)
        self.addCleanup(spinner.kill)

        def run(*arguments):
            return subprocess.run([MOOREA, *arguments], capture_output=True, text=True, timeout=600, preexec_fn=lambda: os.sched_setaffinity(0, cpu))

        path = self.folder / "busy.json"
        bench = ["bench", "--kernel", "cpu/bits", "--size", "512", "--budget", "0.1", "--rounds", "1"]
        result = run(*bench, "-o", str(path))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout.splitlines()[-1], r"busy, \d+ %$")
        self.assertIn("1 of 1 measurements was made while other processes used the CPUs", result.stderr)
        document = json.loads(path.read_text())
        row, = document["results"]
        self.assertTrue(row["busy"])
        self.assertGreater(row["cpu_taken"], 0.1)  # it gets half of it, and others more
        self.assertGreater(row["discarded_samples"], 0)
        self.assertIn("schedstat" if os.path.exists("/proc/self/schedstat") else "getrusage", document["cpu_contention"])
        # Such a row is measured again
        self.assertIn("made while", run(*bench, "-o", str(path), "--resume").stderr)
        lines = run(*bench, "--csv", "-").stdout.splitlines()
        self.assertEqual(lines[1].split(",")[lines[0].split(",").index("busy")], "true")
        self.assertIn(";busy;", run(*bench, "--csv", "-", "--csv-columns", "easypap").stdout)
        self.assertIn("other processes used the CPUs both times", run("compare", str(path), str(path)).stdout)
        # More threads than CPUs delay each other: such a disturbance is not reported
        self.assertIn('"busy": false', run(*bench, "--threads", "2", "--json").stdout)
        # A trace says so too
        for page in ("trace.html", "trace.json"):
            result = run("trace", "--kernel", "cpu/ladder/02_tiled", "--random", "0.5", "--size", "1024", "-g", "100", "-o", str(self.folder / page))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stderr, r"Other processes held back the threads for \d+ % of the recorded time")
        self.assertIn('<p class="warning">Other processes', (self.folder / "trace.html").read_text())
        self.assertTrue(json.loads((self.folder / "trace.json").read_text())["otherData"]["busy"])
        kept = self.folder / "tuning.json"
        tune = ["tune", "--kernel", "cpu/bits", "--size", "512", "-r", "Life", "--budget", "0.01", "-o", str(kept)]
        # Its samples are shorter than a time slice: now and then none of them is disturbed, and the result is kept
        for _ in range(6):
            result = run(*tune)
            if result.returncode != 0:
                break
            kept.unlink()
        self.assertEqual((result.returncode, result.stdout, kept.exists()), (1, "", False), result.stderr)
        self.assertIn("other processes used the CPUs", result.stderr)
        self.assertIn("end the other processes and tune again, or keep it by --allow-busy", result.stderr)

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_a_line_for_the_table_of_devices(self):
        """By the real program, into the real table. Lines of a busy machine are refused: with the priority of a real-time process, which
        root may have, other tests do not make it busy."""
        def first():
            try:
                os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
            except PermissionError:
                pass
        command = ["bench", "--submit", "--device", "cpu", "--threads", "1", "--size", "64,256", "--budget", "0.05", "--rounds", "1"]
        for _ in range(5):
            result = moorea(*command, "--rule", "Life", preexec_fn=first)
            if result.returncode == 0:
                break
            self.assertIn("measure again when they have ended", result.stderr)
            self.assertEqual(result.stdout, "")
        else:
            self.skipTest("the machine is busy, and this user may not have the priority of a real-time process")
        line = json.loads(result.stdout)
        cpu = next(device for device in json.loads(moorea("info", "--json").stdout)["devices"] if device["name"] == "cpu")
        self.assertEqual((line["name"], line["device"], line["threads"]), ("cpu", cpu["description"], 1))
        self.assertGreater(line["copy_bytes_per_second"], 1e8)
        # The rule that is named, although it is the default of other runs
        self.assertEqual([(speed["rule"], speed["width"], speed["height"]) for speed in line["speeds"]], [("B3/S23", 64, 64), ("B3/S23", 256, 256)])
        for speed in line["speeds"]:
            self.assertGreater(speed["cells_per_second"], 1e6)
            self.assertTrue(speed["kernel"].startswith("cpu/"), speed)
        # In a copy of the folders, where the table becomes one of this line
        tools, lines, docs = (self.folder / name for name in ("tools", "bench/devices", "docs"))
        for folder in (tools, lines, docs):
            folder.mkdir(parents=True)
        for name in ("device_list.py", "results.py"):
            shutil.copy(SOURCE / "tools" / name, tools)
        shutil.copy(SOURCE / "docs/devices.md", docs)
        (lines / "mine.jsonl").write_text(json.dumps(line | {"revision": "0123456789ab"}) + "\n")
        subprocess.run([sys.executable, tools / "device_list.py"], check=True)
        table = (docs / "devices.md").read_text()
        self.assertEqual(table.count(cpu["description"]), 1)
        self.assertIn("| Life, 64 square | Life, 256 square |", table)
        # One of a build with changes is refused, with its place
        (lines / "mine.jsonl").write_text(json.dumps(line | {"revision": "0123456789ab-dirty"}) + "\n")
        refused = subprocess.run([sys.executable, tools / "device_list.py"], capture_output=True, text=True)
        self.assertIn("bench/devices/mine.jsonl, line 1", refused.stderr)
        self.assertEqual((refused.returncode, (docs / "devices.md").read_text()), (1, table))

    def test_bench_samples_the_clock(self):
        root, core = self.folder / "root", min(os.sched_getaffinity(0))
        clock = root / f"sys/devices/system/cpu/cpu{core}/cpufreq/scaling_cur_freq"
        clock.parent.mkdir(parents=True)
        clock.write_text("2400000\n")
        bench = ["bench", "--kernel", "cpu/bits", "--size", "64", "--threads", "1", "--budget", "0.01", "--rounds", "2", "--min-seconds", "0.1"]
        environment = {"env": os.environ | {"MOOREA_LAB_ROOT": str(root)}}
        document = self.json(*bench, "--frequency-every", "5", **environment)
        self.assertEqual(document["core_frequency"], "sampled: cpufreq")
        frequency = document["results"][0]["frequency"]
        self.assertEqual((frequency["source"], frequency["interval_seconds"], frequency["mean"], frequency["standard_deviation"]), ("cpufreq", 0.005, 2400, 0))
        self.assertEqual(len(frequency["round_ticks"]), 2)
        # What a sampler saw: the rounds but for their ends
        self.assertGreaterEqual(frequency["seconds"], 0.05)
        text = self.ok(*bench, "--csv", "-", **environment).stdout.splitlines()
        self.assertEqual(text[1].split(",")[text[0].split(",").index("mean_megahertz")], "2400.0")
        document = self.json(*bench, "--frequency-every", "0", **environment)
        self.assertEqual(document["core_frequency"], "absent: it was not to be sampled")
        self.assertNotIn("frequency", document["results"][0])
        self.refused(2, "--frequency-every", *bench, "--frequency-every", "x")
        self.refused(2, "--min-seconds", *bench, "--min-seconds", "-1", lines=2)

    @unittest.skipIf(SANITIZED == "thread", LEFT_TO_OTHERS)
    def test_bench_csv(self):
        bench = ["bench", "--kernel", "cpu/bits,cpu/ladder/02_tiled", "--size", "64x32", "--threads", "2", "--budget", "0.05"]
        path = self.folder / "rows.csv"
        result = self.json(*bench, "--csv", str(path))
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 2)
        for row, expected in zip(rows, result["results"], strict=True):
            self.assertEqual((row["kernel"], int(row["width"]), int(row["height"]), row["start"]), (expected["kernel"], 64, 32, "random:0.5:0"))
            self.assertEqual(float(row["cells_per_second"]), expected["cells_per_second"])
        self.assertEqual([row["schedule"] for row in rows], ["", "static"])
        text = self.ok(*bench, "--csv", "-", "--csv-columns", "easypap").stdout
        rows = list(csv.DictReader(text.splitlines(), delimiter=";"))
        self.assertEqual(text.splitlines()[0], "machine;size;tilew;tileh;threads;kernel;variant;tiling;iterations;schedule;places;label;arg;time")
        self.assertGreaterEqual(len(rows), 18)  # a line for each sample
        tiled = rows[-1]
        self.assertEqual([tiled[key] for key in ("size", "threads", "kernel", "variant", "schedule", "places", "arg")],
                         ["64", "2", "B3/S23", "cpu/ladder/02_tiled", "static", "none", "random:0.5:0"])
        self.assertGreater(int(tiled["time"]), 0)
        self.refused(1, "no such folder", *bench, "--csv", str(self.folder / "no such folder" / "x.csv"))
        for output in ("-", "x.json.gz"):
            self.refused(2, "rewritten", *bench, "-o", output)
        self.refused(2, "expected moorea or easypap", *bench, "--csv", "-", "--csv-columns", "excel")
        self.refused(2, "both want standard output", *bench, "--csv", "-", "--json")
        self.refused(2, "name the same file", *bench, "--csv", str(self.folder / "both"), "-o", str(self.folder / ".." / self.folder.name / "both"))

    def test_answers_are_those_of_each_rule(self):
        """References are remembered by rule, and rules that do not count have no counts."""
        rules = ["-r", "tlife", "-r", "Snowflakes", "-r", "B2/S34H"]
        rows = self.json("bench", *rules, "--kernel", "auto", "--size", "64", "--generations", "20", "--budget", "0.01")["results"]
        self.assertEqual(len({row["rule"] for row in rows}), 3)

    def test_bench_times_no_wrong_answer(self):
        result = moorea("bench", "--kernel", "cpu/faulty,cpu/bits", "--size", "128", "--budget", "0.05", "--json", program=FAULTY)
        self.assertEqual(result.returncode, 3)
        report = json.loads(result.stdout)
        self.assertEqual([row["kernel"] for row in report["results"]], ["cpu/bits"])
        self.assertIn("wrong answer", report["not_timed"][0]["reason"])

    def test_bench_of_a_world_that_dies(self):
        # Diehards die in generation 130: each sample is their life, or its beginning on a slow machine
        bench = ("bench", "--start", "diehards:64", "--size", "64", "--kernel", "cpu/bits,cpu/tiles", "--budget", "0.01", "--rounds", "2")
        rows = self.json(*bench)["results"]
        self.assertEqual([row["kernel"] for row in rows], ["cpu/bits", "cpu/tiles"])
        for row in rows:
            self.assertLessEqual(row["generations"], 130)
            self.assertEqual(row.get("died_after", 130), 130)
        for row in self.json(*bench, "--generations", "10k")["results"]:
            self.assertEqual((row["generations"], row["died_after"], row["fixed_generations"]), (130, 130, 10_000))
        self.assertIn("dies after 130 generations", self.ok(*bench, "--generations", "10k").stdout)
        # Some live for one generation only
        row, = self.json("bench", "--random", "1", "--size", "64", "--kernel", "cpu/bits", "--budget", "0.01")["results"]
        self.assertEqual((row["generations"], row["died_after"]), (1, 1))
        # With B0 a dead world is no end
        row, = self.json("bench", "--random", "1", "--size", "64", "-r", "B0/S", "--kernel", "cpu/bits", "--budget", "0.01")["results"]
        self.assertNotIn("died_after", row)

    def test_bench_of_so_many_generations(self):
        path = self.folder / "fixed.json"
        bench = ("bench", "--kernel", "cpu/bits,cpu/tiles", "--size", "64", "--threads", "1", "--budget", "0.01", "--rounds", "2", "-o", str(path))
        self.assertIn("samples of 1000 generations from the start", self.ok(*bench, "--generations", "1000").stdout)
        rows = json.loads(path.read_text())["results"]
        self.assertEqual([(row["generations"], row["fixed_generations"], row["asked"]["generations"]) for row in rows], 2 * [(1000, 1000, 1000)])
        # Samples of another length are other measurements
        self.ok(*bench, "--generations", "500", "--resume")
        self.assertEqual([row["generations"] for row in json.loads(path.read_text())["results"]], [500, 500, 1000, 1000])
        self.assertNotIn("fixed_generations", self.json("bench", "--kernel", "cpu/bits", "--size", "64", "--budget", "0.01")["results"][0])
        # A sample that takes longer than the budget is taken all the same, once in each round
        row, = self.json("bench", "--kernel", "cpu/ladder/01_serial", "--size", "256", "--budget", "0.001", "--rounds", "1", "--generations", "300")["results"]
        self.assertEqual(row["generations"], 300)
        self.assertLessEqual(row["samples"], 3)
        self.refused(2, "a sample has at least one generation", "bench", "--generations", "0")
        self.refused(2, "a pass is longer than the 8 generations of a sample; choose shorter passes or a larger --generations", "bench", "--kernel",
                     "cpu/strided", "--generations", "8", "--generations-per-pass", "4,16")

    def test_bench_of_a_dead_world(self):
        result = moorea("bench", "--random", "0", "--size", "64", "--kernel", "cpu/bits", "--json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("every cell has died before the first sample", json.loads(result.stdout)["not_timed"][0]["reason"])


if __name__ == "__main__":
    shard.main()
