#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How moorea plot draws: marks, ticks, legends, and pages that a browser opens without a network where Debian's chromium is installed."""
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import shard
from plot_case import PlotCase, document, row


class Drawings(PlotCase):
    def test_busy_rows_are_pale(self):
        rows = [row("quiet", 5), row("busy", 6, busy=True, cpu_taken=0.45)]
        chart, = self.data(rows)
        self.assertEqual([point.get("busy", False) for point in chart["series"][0]["points"]], [False, True])
        self.assertIn("Pale: 1 of 2 measurements was made while other processes used the CPUs (for up to 45 % of the time)", chart["caption"])
        picture = self.run_plot(document(rows)).stdout
        self.assertEqual(picture.count('opacity="0.4"'), 1)
        self.assertIn("6 (busy)", picture)
        tiles = [row("a", width, busy=width == 8, cpu_taken=0.45, tiling={"width": width, "height": height, "schedule": "static", "placement": "none"})
                 for width in (8, 64) for height in (16, 32)]
        picture = self.run_plot(document(tiles)).stdout
        self.assertEqual((picture.count("<g opacity=\"0.4\"><rect"), picture.count("measured on a busy machine")), (2, 2))
        # The table below says it too, and has no column for it where nothing is to be said
        page = self.run_plot(document(tiles), "--format", "html").stdout
        self.assertEqual((page.count(">remarks</th>"), page.count(">busy machine</td>")), (1, 2))
        self.assertNotIn("remarks", self.run_plot(document(rows[:1]), "--format", "html").stdout)

    def test_each_axis_has_ticks_and_each_line_a_name(self):
        rows = [row("a", rate, width=size, height=size) for size, rate in ((64, 2.2e9), (100, 4.1e9), (1000, 2.3e9))]
        ceilings = [{"device": "cpu", "threads": 1, "copy_bytes_per_second": 6e8, "logic_words_per_second": 0, "logic_instruction": ""}]
        picture = ElementTree.fromstring(self.run_plot(document(rows, ceilings), "--kind", "line").stdout)
        texts = [text.text or "" for text in picture.iter("{http://www.w3.org/2000/svg}text")]
        self.assertNotIn("", texts)
        self.assertGreaterEqual(len([text for text in texts if re.fullmatch(r"[\d.]+ G", text)]), 3, texts)

    def test_the_caption_names_what_was_measured(self):
        results = document([row("a", 5), row("b", 6)])
        results["machine"]["devices"].append({"name": "opencl:0", "description": "a card"})
        self.assertNotIn("a card", self.run_plot(results).stdout)
        results["results"][1]["device"] = "cpu,opencl:0"
        self.assertIn("a CPU; a card", self.run_plot(results).stdout)

    def test_lines_upon_each_other_are_seen(self):
        rows = [row(name, rate * size, width=size, height=size) for name, rate in (("under", 10), ("upper", 10.01), ("other", 40)) for size in (64, 128, 256)]
        picture = self.run_plot(document(rows), "--kind", "line").stdout
        # In the picture and in its legend
        self.assertEqual([picture.count(f'stroke-width="{width}"') for width in (2, 6)], [4, 2])

    def test_long_names_do_not_overlap(self):
        rows = [row(kernel, rate, start=f"a-start-with-a-long-name:{i}") for kernel, rate in (("a", 1), ("b", 2)) for i in range(6)]
        picture = ElementTree.fromstring(self.run_plot(document(rows), "--kind", "speedup", "--relative-to", "a", "--x", "start").stdout)
        heights = [float(text.get("y")) for text in picture.iter("{http://www.w3.org/2000/svg}text") if (text.text or "").startswith("a-start")]
        self.assertEqual([y - heights[0] for y in heights], [0, 14, 0, 14, 0, 14])

    def test_numbers_have_no_exponent(self):
        page = self.folder / "x.html"
        self.run_plot(document([row("a", 4.592e9), row("b", 2.16e15)]), output=str(page))
        self.assertIn(">4.592 G<", page.read_text())
        self.assertNotRegex(page.read_text(), r"\de\+\d")

    def pages(self):
        tiles = [row("a<b>&\"c\"", width * height, tiling={"width": width, "height": height, "schedule": "static", "placement": "none"})
                 for width in (8, 64) for height in (16, 32)]
        sizes = [row(f"kernel{i}", (i + 1) * size, width=size, height=size) for i in range(12) for size in (64, 128, 256)]
        ceilings = [{"device": "cpu", "threads": 1, "copy_bytes_per_second": 800, "logic_words_per_second": 2400, "logic_instruction": ""}]
        roof = [row(f"k{i}", 640 * (i + 1), operations_per_word=10, bytes_per_second=500) for i in range(2)]
        return {"tiles": (tiles, ()), "sizes": (sizes, ()), "threads": ([row("a", t, threads=t) for t in (1, 2, 3)], ()), "one": ([row("a", 5)], ()),
                "roof": (roof, ("--kind", "roofline"))}, ceilings

    def test_pictures_are_whole_and_need_nothing_else(self):
        pages, ceilings = self.pages()
        for name, (rows, options) in pages.items():
            path = self.folder / f"{name}.svg"
            self.assertEqual(self.run_plot(document(rows, ceilings), *options, output=str(path)).returncode, 0, name)
            picture = ElementTree.parse(path).getroot()
            marks = picture.findall(".//{http://www.w3.org/2000/svg}title")
            self.assertGreaterEqual(len(marks), len(rows), name)
            width, height = (float(picture.get(key)) for key in ("width", "height"))
            for text in picture.iter("{http://www.w3.org/2000/svg}text"):
                self.assertTrue(0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height, text.text)
            page = self.folder / f"{name}.html"
            self.assertEqual(self.run_plot(document(rows, ceilings), *options, output=str(page)).returncode, 0, name)
            text = page.read_text()
            self.assertEqual(set(re.findall(r"https?://[^\"]*", text)), {"http://www.w3.org/2000/svg"})
            self.assertNotRegex(text, r"<script|<link|src=|url\(|@import|nan|inf[^o]")

    def test_names_of_kernels_fit(self):
        """Beside a heat map and, when they are wider than its columns, aslant below it; a long title has several lines."""
        names = [f"cpu/ladder/{number}_a_name" for number in range(8)] + ["submissions/of/somebody/with/a/very/long/path/to/mine.cpp"]
        names += ["submissions/" + "\u00fc" * 40 + ".cpp", "submissions/a" + "\u00fc" * 40 + ".cpp"]
        rows = [row(name, threads, threads=threads) for name in names for threads in (1, 2)]
        for axes in (("kernel", "threads"), ("threads", "kernel")):
            path = self.folder / "map.svg"
            title = "A title of many words " * 8
            self.assertEqual(self.run_plot(document(rows), "--kind", "heatmap", "--x", axes[0], "--rows", axes[1], "--title", title, output=str(path)).returncode, 0)
            picture = ElementTree.parse(path).getroot()
            texts = list(picture.iter("{http://www.w3.org/2000/svg}text"))
            slanting = [text for text in texts if "rotate(-40)" in text.get("transform", "")]
            self.assertEqual(len(slanting), 11 if axes[0] == "kernel" else 0)
            self.assertIn("...th/a/very/long/path/to/mine.cpp", "".join(text.text for text in texts if text.text.startswith("...")))
            self.assertEqual(len([text for text in texts if text.get("font-weight") == "600"]), 2)
            for text in texts:
                # About seven pixels a letter
                if text.get("text-anchor") == "end" and "transform" not in text.attrib:
                    self.assertGreater(float(text.get("x")), 7 * len(text.text), text.text)

    def test_a_browser_shows_the_pages(self):
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("chromium is not installed")
        pages, ceilings = self.pages()
        for name, (rows, options) in pages.items():
            page = self.folder / f"{name}.html"
            self.run_plot(document(rows, ceilings), *options, output=str(page))
            result = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom",
                                     f"--user-data-dir={self.folder}/profile", page.as_uri()], capture_output=True, text=True, timeout=120)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout.count("<svg"), 1, name)
            # Every row stands in the table below the picture
            self.assertEqual(len(re.findall("<tr[ >]", result.stdout)), len(rows) + 1, name)


if __name__ == "__main__":
    shard.main()
