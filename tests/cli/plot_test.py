#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The charts of moorea plot, by their data: the numbers that follow from results."""
import gzip
import json
import pathlib
import re
import subprocess

import shard
from plot_case import PlotCase, document, row
from programs import MOOREA


class Plot(PlotCase):
    def test_lines_by_size(self):
        rows = [row(kernel, rate * size, width=size, height=size) for kernel, rate in (("a", 1), ("b", 100)) for size in (4096, 256, 1024)]
        chart, = self.data(rows)
        self.assertEqual((chart["kind"], chart["title"]), ("line", "Cells per second by width and height of the world"))
        self.assertEqual(chart["x"], {"label": "width and height of the world (cells)", "log": True})
        self.assertEqual(chart["y"], {"label": "cells per second", "log": True})
        self.assertEqual([series["name"] for series in chart["series"]], ["a", "b"])
        self.assertEqual(self.points(chart["series"][1]), [(256, 25600), (1024, 102400), (4096, 409600)])
        # A quarter of the samples took 0.9 of the median time or less, a quarter 1.1 or more
        first = chart["series"][0]["points"][0]
        self.assertAlmostEqual(first["low"], 256 / 1.1)
        self.assertAlmostEqual(first["high"], 256 / 0.9)
        self.assertEqual(chart["caption"], "1 thread, cpu, B3/S23, torus, random:0.5:0. Medians, with the quartiles of the samples. "
                                           "Measured on a CPU, 2026-11-21, revision 0123456789ab.")

    def test_samples_of_fixed_length_are_named(self):
        rows = [row("a", size, width=size, height=size, fixed_generations=generations) for size in (64, 128) for generations in (100, 1000)]
        self.assertEqual([series["name"] for series in self.data(rows)[0]["series"]], ["generations 100", "generations 1000"])
        self.assertIn("random:0.5:0, generations of a sample 100. Medians", self.data(rows[::2])[0]["caption"])

    def test_speed_up(self):
        rows = [row("a", rate, threads=threads) for threads, rate in ((1, 10), (2, 19), (4, 30))]
        chart, = self.data(rows)
        self.assertEqual(chart["kind"], "speedup")
        self.assertEqual(self.points(chart["series"][0]), [(1, 1), (2, 1.9), (4, 3)])
        self.assertEqual(chart["y"]["label"], "speed-up over 1 thread")
        self.assertEqual(chart["limits"], [{"name": "in proportion", "x": [1, 4], "y": [1, 4]}])
        self.assertIn("10 x 10 cells", chart["caption"])
        self.assertEqual(self.data(rows, "--kind", "line")[0]["series"][0]["points"][1]["y"], 19)
        # A series without one thread has nothing to be compared with
        chart, = self.data(rows + [row("b", rate, threads=threads) for threads, rate in ((2, 10), (4, 20))])
        self.assertEqual([series["name"] for series in chart["series"]], ["a"])
        both = [row("a", rate * size, threads=threads, width=size, height=size) for threads, rate in ((1, 10), (2, 19)) for size in (64, 128)]
        self.assertEqual(self.data(both, "--x", "size")[0]["kind"], "line")

    def test_bars_of_kernels(self):
        # Each kernel has its own tile: that is said by the kernel's name
        tiling = {"width": 64, "height": 8, "schedule": "static", "placement": "none"}
        rows = [row("slow", 10), row("fast", 1e6, tiling=tiling)]
        chart, = self.data(rows)
        self.assertEqual((chart["kind"], chart["title"]), ("bars", "Cells per second by kernel"))
        self.assertEqual([(point["label"], point["y"]) for point in chart["series"][0]["points"]], [("slow", 10), ("fast", 1e6)])
        self.assertTrue(chart["x"]["log"])
        self.assertEqual([point["y"] for point in self.data(rows, "--y", "seconds-per-generation")[0]["series"][0]["points"]], [10, 1e-4])

    def test_heat_maps_of_kernels(self):
        """A kernel's own tile, which it has in each row, divides no map; colours of speeds far apart are logarithmic."""
        rows = [row(kernel, rate * threads, threads=threads, **({} if tile is None else {"tiling": {"width": tile, "height": 64, "schedule": "static", "placement": "none"}}))
                for kernel, rate, tile in (("slow", 1, None), ("tiled", 10, 256), ("fast", 1000, 1024)) for threads in (1, 2)]
        chart, = self.data(rows, "--kind", "heatmap", "--x", "kernel", "--rows", "threads")
        self.assertEqual((chart["title"], chart["x"]["names"], len(chart["series"][0]["points"])), ("Cells per second by kernel and threads", ["slow", "tiled", "fast"], 6))
        self.assertIn("The colours are logarithmic.", chart["caption"])
        self.assertTrue(chart["log_colours"])
        chart, = self.data(rows[:4], "--kind", "heatmap", "--x", "kernel", "--rows", "threads")
        self.assertNotIn("logarithmic", chart["caption"])
        self.assertFalse(chart["log_colours"])

    def test_many_lines_are_several_charts(self):
        rows = [row(f"k{kernel}", size * threads, threads=threads, width=size, height=size) for kernel in range(7) for size in (64, 128) for threads in (1, 2)]
        charts = self.data(rows, "--kind", "speedup")
        self.assertEqual([chart["title"] for chart in charts], ["Speed-up by threads: size 64", "Speed-up by threads: size 128"])
        for chart, size in zip(charts, (64, 128)):
            self.assertEqual([series["name"] for series in chart["series"]], [f"k{kernel}" for kernel in range(7)])
            self.assertTrue(chart["caption"].startswith(f"{size} x {size} cells"), chart["caption"])
        # The axis that leaves the fewest charts; twelve lines are one chart
        charts = self.data(rows, "--x", "size", "--kind", "line")
        self.assertEqual([chart["title"] for chart in charts], ["Cells per second by width and height of the world: threads 1", "Cells per second by width and height of the world: threads 2"])
        self.assertEqual(len(self.data(rows[:24], "--kind", "speedup")), 1)
        # A size with one number of threads has no speed-up: the charts are of kernels then, and nothing is lost
        charts = self.data(rows + [row("k0", 5, width=256, height=256)], "--kind", "speedup")
        self.assertEqual((len(charts), sum(len(chart["series"]) for chart in charts)), (7, 15))

    def test_many_lines_that_cannot_be_divided(self):
        """Some parts would have no points, or a value that is none: then all are in one chart, or divided by another axis."""
        rows = [row(f"k{kernel}", size * threads, threads=threads, width=size, height=size, **({"bytes_per_second": 5.0 * threads} if size < 256 else {}))
                for kernel in range(7) for size in (64, 128, 256) for threads in (1, 2)]
        charts = self.data(rows, "--y", "bytes-per-second", "--kind", "speedup")
        self.assertEqual(sum(len(chart["series"]) for chart in charts), 14)
        for chart in charts:
            self.assertGreater(len(chart["series"]), 0)
            self.assertNotIn(None, [value for limit in chart["limits"] for value in limit["x"] + limit["y"]])
        tiles = [row(f"k{kernel}", threads, threads=threads, width=size, height=size, **({"block": {"width": kernel % 2 + 1, "height": 1}} if kernel < 4 else {}))
                 for kernel in range(7) for size in (64, 128) for threads in (1, 2)]
        for chart in self.data(tiles, "--kind", "speedup"):
            self.assertNotRegex(chart["title"], ": $")

    def test_what_was_not_timed_is_named(self):
        results = document([row("a", 5), row("b", 6)])
        results["not_timed"] = [{"kernel": name, "reason": "wrong answer"} for name in ("a", "c", "c", "d")]
        self.assertIn("Not timed: c, d.", json.loads(self.run_plot(results, "--format", "json").stdout)[0]["caption"])
        results["not_timed"] += [{"kernel": f"k{number}"} for number in range(5)]
        self.assertIn("Not timed: c, d, k0, k1, and 3 more.", json.loads(self.run_plot(results, "--format", "json").stdout)[0]["caption"])
        self.assertNotIn("Not timed", self.data([row("a", 5), row("b", 6)])[0]["caption"])

    def test_heat_maps(self):
        rows = [row("a", width * height, tiling={"width": width, "height": height, "schedule": schedule, "placement": "none"})
                for schedule in ("static", "dynamic,4") for width in (64, 8) for height in (16, 32)]
        charts = self.data(rows)
        self.assertEqual([chart["title"] for chart in charts], [f"Cells per second by tile width and tile height: {name}" for name in ("static, chunk 0", "dynamic, chunk 4")])
        self.assertEqual(charts[0]["x"]["names"], ["8", "64"])
        self.assertEqual(charts[0]["y"]["names"], ["16", "32"])
        self.assertEqual([(point["x"], point["y"], point["value"]) for point in charts[0]["series"][0]["points"]],
                         [(1, 0, 1024), (1, 1, 2048), (0, 0, 128), (0, 1, 256)])
        blocks = [row("c", threads * bytes, block={"width": threads, "height": 1}, bytes_per_thread=bytes) for threads in (32, 64) for bytes in (1, 8)]
        chart, = self.data(blocks)
        self.assertEqual((chart["kind"], chart["x"]["label"], chart["y"]["label"]), ("heatmap", "threads per block", "bytes per thread"))
        groups = [row(kernel, width * height, block={"width": width, "height": height}) for kernel in "ab" for width in (4, 16, 64) for height in (4, 16, 64)
                  if width * height <= 1024]
        charts = self.data(groups)
        self.assertEqual([(chart["kind"], chart["title"]) for chart in charts],
                         [("heatmap", f"Cells per second by width of a thread block and height of a thread block: {kernel}") for kernel in "ab"])
        self.assertEqual((charts[0]["x"]["label"], charts[0]["x"]["names"], charts[0]["y"]["names"]),
                         ("width of a thread block (threads)", ["4", "16", "64"], ["4", "16", "64"]))
        self.assertEqual(sorted(point["value"] for point in charts[1]["series"][0]["points"]), [16, 64, 64, 256, 256, 256, 1024, 1024])
        chart, = self.data(groups[:8], "--x", "block-width")
        self.assertEqual([series["name"] for series in chart["series"]], ["block-height 4", "block-height 16", "block-height 64"])
        shapes = [row("c", 10 * width, block={"width": width, "height": 256 // width}) for width in (8, 16, 32)]
        self.assertEqual([point["label"] for point in self.data(shapes)[0]["series"][0]["points"]], ["8x32", "16x16", "32x8"])
        other, = self.data(blocks, "--x", "bytes-per-thread", "--rows", "block")
        self.assertEqual(other["x"]["names"], ["1", "8"])

    def test_kernels_with_different_axes_are_in_one_chart(self):
        sizes, blocks = (1024, 4096), (32, 64)
        rows = [row("serial", size, width=size, height=size) for size in sizes]
        rows += [row("naive", size * block, width=size, height=size, block={"width": block, "height": 1}) for size in sizes for block in blocks]
        rows += [row("bits", size * block * bytes, width=size, height=size, block={"width": block, "height": 1}, bytes_per_thread=bytes)
                 for size in sizes for block in blocks for bytes in (8, 16)]
        chart, = self.data(rows)
        self.assertEqual(chart["kind"], "line")
        self.assertEqual([series["name"] for series in chart["series"]],
                         ["serial"] + [f"block {block}, naive" for block in blocks]
                         + [f"block {block}, bytes-per-thread {bytes}, bits" for block in blocks for bytes in (8, 16)])
        self.assertEqual(self.points(chart["series"][1]), [(1024, 1024 * 32), (4096, 4096 * 32)])
        # A kernel that lacks the axis is not drawn, which the caption says
        chart, = self.data(rows, "--x", "block")
        self.assertEqual(len(chart["series"]), 6)
        self.assertIn(" Not drawn: 2 of 14 measurements, which have no threads per block.", chart["caption"])
        self.assertNotIn("null", json.dumps(chart))
        maps = self.data(rows, "--x", "block", "--rows", "bytes-per-thread")
        self.assertEqual((len(maps), maps[0]["x"]["names"], maps[0]["y"]["names"]), (2, ["32", "64"], ["8", "16"]))
        self.assertIn(" Not drawn: 6 of 14 measurements, which have no threads per block or bytes per thread.", maps[0]["caption"])

    def test_speed_relative_to_a_kernel(self):
        rows = [row("serial", 10 * size, width=size, height=size, threads=threads) for size in (64, 128) for threads in (1, 4)]
        rows += [row("fast", 10 * size * factor, width=size, height=size, block={"width": block, "height": 1}, threads=4)
                 for size, factor in ((64, 3), (128, 5)) for block in (32, 64)]
        chart, = self.data(rows, "--relative-to", "serial:1")
        self.assertEqual((chart["kind"], chart["y"]["label"]), ("speedup", "times serial:1"))
        chart, = self.data(rows, "--relative-to", "serial:1", "--x", "size", "--kind", "speedup")
        self.assertEqual((chart["title"], chart["y"]["label"], chart["limits"]), ("Speed-up by width and height of the world", "times serial:1", []))
        self.assertEqual([(series["name"], self.points(series)) for series in chart["series"] if "fast" in series["name"]],
                         [(f"threads 4, block {block}, fast", [(64, 3), (128, 5)]) for block in (32, 64)])
        first = chart["series"][0]["points"][0]
        self.assertAlmostEqual(first["low"], 1 / 1.1)
        # Over categories, which nothing is in proportion to
        chart, = self.data(rows, "--relative-to", "serial", "--kind", "speedup", "--x", "kernel")
        self.assertEqual((chart["x"]["names"], chart["limits"]), (["serial", "fast"], []))
        self.assertEqual(self.data(rows, "--relative-to", "serial", "--kind", "bars")[0]["x"]["label"], "times serial")
        tiles = [row("tiled", 10 * width, tiling={"width": width, "height": height, "schedule": "static", "placement": "none"})
                 for width in (8, 16) for height in (8, 16)] + [row("serial", 20)]
        chart, = self.data(tiles, "--relative-to", "serial", "--kind", "heatmap")
        self.assertEqual((chart["value"], sorted(point["value"] for point in chart["series"][0]["points"])), ("times serial", [4, 4, 8, 8]))
        for options, words in ((("--relative-to", "serial:2"), "it was measured there with other threads: 1, 4"),
                               (("--relative-to", "other"), "it was not measured there; measure it in the same run, as moorea bench --relative-to other does"),
                               (("--relative-to", ":1"), "expected a kernel, or a kernel with its number of threads"),
                               (("--relative-to", "serial", "--y", "bytes-per-second"), "leave one of them out"),
                               (("--relative-to", "serial", "--kind", "roofline"), "--relative-to is not for rooflines"),
                               (("--kind", "speedup", "--x", "kernel"), "--relative-to KERNEL compares with a kernel")):
            result = self.run_plot(document(rows), *options)
            self.assertEqual((result.returncode, result.stdout), (2, ""), options)
            self.assertIn(words, result.stderr)

    def test_frequency_maps(self):
        def frequency(series, mean, **more):
            return {"source": "cpufreq", "mean": mean, "min": 1000, "max": 3000, "mean_of_min": mean - 200, "mean_of_max": mean + 300, "standard_deviation": 1,
                    "interval_seconds": 0.01, "seconds": 0.04, "sampler_seconds": 0.001, "round_ticks": [4], "megahertz": series} | more

        # Four ticks; core 2 misses one. In the second variant all are equal
        rows = [row("narrow", 10, frequency=frequency({"0": "3000*2 2000*2", "2": "1000 - 1400 1600"}, 2000)),
                row("wide", 20, frequency=frequency({"0": "2000*4", "2": "2000*4"}, 2100)), row("none", 30)]
        chart, = self.data(rows, "--value", "frequency")
        self.assertEqual((chart["kind"], chart["title"]), ("maps", "Clock frequency (MHz) by core and time"))
        self.assertEqual(chart["y"]["names"], ["0", "2"])
        narrow, wide = chart["series"]
        self.assertEqual([series["name"] for series in (narrow, wide)], ["narrow", "wide"])
        cells = {(round(point["x"], 6), point["y"]): point["value"] for point in narrow["points"]}
        self.assertEqual(cells, {(0, 0): 3000, (0.01, 0): 3000, (0.02, 0): 2000, (0.03, 0): 2000, (0, 1): 1000, (0.02, 1): 1400, (0.03, 1): 1600})
        self.assertEqual({point["value"] for point in wide["points"]}, {2000})
        self.assertEqual(chart["table"][1:], [["narrow", "2000.0", "1000", "3000", "1500.0", "2300.0", "709.1", "7"], ["wide", "2000.0", "2000", "2000", "2000.0", "2000.0", "0.0", "8"]])
        # A long series has means over time: 6400 ticks in 64 columns
        long = [row("long", 10, frequency=frequency({"0": "3000*50 1000*6350"}, 1000))]
        values = [point["value"] for point in self.data(long, "--y", "frequency")[0]["series"][0]["points"]]
        self.assertEqual(values, [2000] + 63 * [1000])
        bars, = self.data(rows, "--y", "frequency", "--kind", "bars")
        self.assertEqual([(point["y"], point["low"], point["high"]) for point in bars["series"][0]["points"]], [(2000, 1800, 2300), (2100, 1900, 2400)])
        page = self.folder / "maps.html"
        self.assertEqual(self.run_plot(document(rows), "--value", "frequency", output=str(page)).returncode, 0)
        self.assertIn("narrow, core 2, 0.03 s: 1600 MHz", page.read_text())
        self.assertIn(">709.1<", page.read_text())
        for options, code, words in ((("--kind", "maps"), 2, "maps of core and time are for --y frequency"), (("--y", "frequency", "--kind", "maps", "--x", "size"), 2, "--x is not for maps")):
            result = self.run_plot(document(rows), *options)
            self.assertEqual((result.returncode, result.stdout), (code, ""), options)
            self.assertIn(words, result.stderr)
        result = self.run_plot(document([row("none", 30)]), "--value", "frequency")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no row has samples of the clock frequency", result.stderr)
        for change in ({"megahertz": {"0": "3000*x"}}, {"megahertz": {"0": "1", "1": "1*2"}}, {"megahertz": 5}, {"source": 5}, {"interval_seconds": 0}, {"megahertz": {"0": "1*99999999999999"}}):
            result = self.run_plot(document([row("a", 5, frequency=frequency({"0": "3000"}, 3000, **change))]), "--value", "frequency")
            self.assertEqual((result.returncode, result.stdout), (1, ""), (change, result.stderr))

    def test_shares_of_wide_threads(self):
        rows = [row("a", rate, wide_share=share) for share, rate in ((0.125, 10), (0.5, 30), (1, 20))]
        chart, = self.data(rows)
        self.assertEqual((chart["kind"], chart["x"]["label"]), ("line", "share of threads with wide vectors"))
        self.assertEqual(self.points(chart["series"][0]), [(0.125, 10), (0.5, 30), (1, 20)])
        self.assertEqual([point["label"] for point in self.data(rows, "--kind", "bars")[0]["series"][0]["points"]], ["wide-share 0.125", "wide-share 0.5", "wide-share 1"])

    def test_roofline(self):
        rows = [row("a", 6400, operations_per_word=10, bytes_per_second=500), row("bytes", 10)]
        ceilings = [{"device": "cpu", "threads": 1, "copy_bytes_per_second": 800, "logic_words_per_second": 2400, "logic_instruction": ""}]
        chart, = self.data(rows, "--kind", "roofline", ceilings=ceilings)
        # 6400 cells per second are 100 words; 1000 operations per second on 500 bytes per second
        self.assertEqual(self.points(chart["series"][0]), [(2, 1000)])
        self.assertIn("Not drawn: 1 of 2 measurements", chart["caption"])
        self.assertEqual([(limit["name"], limit["x"], limit["y"]) for limit in chart["limits"]],
                         [("memory, cpu, 1 thread", [1, 3], [800, 2400]), ("logic, cpu, 1 thread", [3, 4], [2400, 2400])])

    def test_a_measurement_that_was_made_again_counts_once(self):
        path = self.folder / "again.json"
        path.write_text(json.dumps(document([row("a", 77)])))
        result = self.run_plot(document([row("a", 5), row("b", 6)]), "--format", "json")
        self.assertEqual(len(json.loads(result.stdout)[0]["series"][0]["points"]), 2)
        result = subprocess.run([MOOREA, "plot", f"{self.folder}/results.json,{path}", "-o", "-", "--format", "json"], capture_output=True, text=True, timeout=60)
        self.assertEqual([point["y"] for point in json.loads(result.stdout)[0]["series"][0]["points"]], [77, 6])

    def test_what_cannot_be_drawn(self):
        rows = [row("a", 5), row("b", 6)]
        for options, code, words in ((("--kind", "pie"), 2, "there is no kind of plot"), (("--x", "colour", "--kind", "line"), 2, "there is no axis"),
                                     (("--y", "beauty"), 2, "there is no value"), (("--kind", "speedup"), 2, "have one value of threads only"),
                                     (("--kind", "line"), 2, "no axis of these results has several numbers"),
                                     (("--kind", "roofline"), 1, "a roofline needs kernels on bits"),
                                     (("--x", "size", "--kind", "bars"), 2, "--x is not for bars"), (("--rows", "threads", "--kind", "bars"), 2, "--rows is for heat maps"),
                                     (("--kind", "speedup", "--y", "seconds-per-generation"), 2, "a speed-up is of speeds"),
                                     (("--y", "joules-per-billion-updates"), 1, "there is nothing to draw"), (("--format", "png"), 2, "expected svg, html or json")):
            result = self.run_plot(document(rows), *options)
            self.assertEqual((result.returncode, result.stdout), (code, ""), options)
            self.assertIn(words, result.stderr)
        self.assertEqual(self.run_plot({"results": []}).returncode, 1)
        for change in ({"tiling": None}, {"tiling": {"schedule": "static,x"}}, {"block": {}}, {"block": 7}, {"cells_per_second": 0}, {"sample_seconds": [0, 0]},
                       {"width": None}, {"threads": {}}, {"start": 5}):
            result = self.run_plot(document([row("a", 5), row("b", 6) | change]))
            self.assertIn(result.returncode, (0, 1), (change, result.stderr))
            self.assertNotIn("nan", result.stdout)
        self.assertEqual(self.run_plot(document(rows, [{"device": "cpu", "threads": 1}]), "--kind", "roofline").returncode, 1)
        self.assertEqual(self.run_plot(document(rows) | {"date": 5}).returncode, 1)
        self.assertEqual(self.run_plot(document(rows), output=str(self.folder / "x.png")).returncode, 2)
        result = self.run_plot(document(rows), output=str(self.folder / "none" / "x.svg"))
        self.assertEqual(result.returncode, 1)

    def test_populations(self):
        """A line for each table of moorea run; of many generations means and ranges of intervals."""
        acorn, cut, few = self.folder / "acorn.csv", self.folder / "cut.csv", self.folder / "few.txt"
        patterns = pathlib.Path(__file__).resolve().parents[2] / "patterns"
        subprocess.run([MOOREA, "run", "-q", patterns / "acorn.rle", "-g", "1000", "--populations", acorn, "--changes"], check=True, capture_output=True)
        subprocess.run([MOOREA, "run", "-q", patterns / "glider.rle", "-g", "30", "--populations", few], check=True, capture_output=True)
        text = acorn.read_text()
        rows = [[int(value) if value else None for value in line.split(",")] for line in text.splitlines()[1:]]
        cut.write_text(text[:-2])

        def charts(*arguments):
            result = subprocess.run([MOOREA, "plot", *arguments, "--format", "json", "-o", "-"], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
            return json.loads(result.stdout), result.stderr

        (both,), _ = charts(acorn, few)
        self.assertEqual([series["name"] for series in both["series"]], ["acorn", "few"])
        points = both["series"][0]["points"]
        self.assertLessEqual(len(points), 400)
        self.assertEqual([(points[i]["x"], points[i]["y"]) for i in (0, -1)], [tuple(rows[i][:2]) for i in (0, -1)])
        self.assertEqual(min(point["low"] for point in points), min(row[1] for row in rows))
        self.assertEqual(max(point["high"] for point in points), max(row[1] for row in rows))
        self.assertEqual([(point["x"], point["y"]) for point in both["series"][1]["points"]], [(g, 5) for g in range(31)])
        (changed,), _ = charts(acorn, "--y", "changed")
        self.assertEqual(max(point["high"] for point in changed["series"][0]["points"]), max(row[2] for row in rows[1:]))
        (chart,), stderr = charts(cut)
        self.assertIn("the last row has no end and is left out", stderr)
        self.assertEqual(stderr.count("\n"), 1)
        for table, options, words in ((acorn, ("--y", "cells-per-second"), "expected a column of"), (acorn, ("--kind", "bars"), "is a table of populations")):
            result = subprocess.run([MOOREA, "plot", table, *options, "-o", self.folder / "x.svg"], capture_output=True, text=True)
            self.assertEqual((result.returncode, words in result.stderr), (2, True), result.stderr)
        # Names with commas, the same in two folders; line ends of DOS
        (self.folder / "runs, two").mkdir(exist_ok=True)
        other = self.folder / "runs, two" / "few.txt"
        other.write_text(few.read_text().replace("\n", "\r\n") + "\r\n")
        (two,), _ = charts(few, other)
        self.assertEqual([series["name"] for series in two["series"]], [str(few), str(other)])
        self.assertEqual(two["series"][0]["points"], two["series"][1]["points"])
        measured, packed = self.folder / "measured.json", self.folder / "acorn.csv.gz"
        packed.write_bytes(gzip.compress(acorn.read_bytes()))
        measured.write_text(json.dumps(document([row("a", 5), row("b", 6)])))
        for inputs, code, words in (((acorn, measured), 2, "are of different kinds"), ((measured, acorn), 2, "are of different kinds"),
                                    ((acorn, self.folder / "none.csv"), 1, "none.csv: cannot read"), ((acorn, packed), 1, "gunzip it first")):
            result = subprocess.run([MOOREA, "plot", *inputs, "-o", self.folder / "x.svg"], capture_output=True, text=True)
            self.assertEqual((result.returncode, words in result.stderr), (code, True), result.stderr)
        for broken in ("generation,population\n0,3\n1,x\n", "generation,population\n0,3\n1,nan\n", "generation,population\n0,3\ninf,3\n", "generation,population\n0,3\n1\n", "generation,population\n"):
            few.write_text(broken)
            result = subprocess.run([MOOREA, "plot", few, "-o", self.folder / "x.svg"], capture_output=True, text=True)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertRegex(result.stderr, "few.txt:3: not a row|has no rows")
        self.assertFalse((self.folder / "x.svg").exists())

    def test_speed_is_in_proportion_to_threads_alone(self):
        tiling = {"width": 8, "height": 8, "placement": "none"}
        rows = [row("a", 10, tiling=tiling | {"schedule": f"dynamic,{chunk}"}) for chunk in (1, 2, 4)]
        self.assertEqual(self.data(rows, "--kind", "speedup", "--x", "chunk")[0]["limits"], [])

    def test_measurements_are_never_overwritten(self):
        path, link = self.folder / "results.json", self.folder / "link.json"
        link.symlink_to(path)
        for output in (path, link, self.folder / ".." / self.folder.name / "results.json"):
            result = self.run_plot(document([row("a", 5), row("b", 6)]), output=str(output))
            self.assertEqual(result.returncode, 2, output)
            self.assertIn("name the same file", result.stderr)
            self.assertEqual(len(json.loads(path.read_text())["results"]), 2)

if __name__ == "__main__":
    shard.main()
