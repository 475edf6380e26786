#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every study in its quick form: its report is whole and needs nothing else, and its numbers are those
that it says it measured."""
import html
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import shard
from command_case import NEEDS_CPUS, ONE_CPU
from programs import FAULTY, MOOREA

NAMES = "ladder threads tiles schedule vectors frequency blocks groups lazy lazy-gpu registers timeline hybrid reduction anneal".split()
NEED_CUDA = ("blocks", "groups", "lazy-gpu", "reduction")


def documents(text):
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text.rstrip()):
        document, at = decoder.raw_decode(text, at)
        found.append(document)
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


class Study(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="moorea_study_"))
        self.addCleanup(shutil.rmtree, self.folder)

    @unittest.skipIf(ONE_CPU, NEEDS_CPUS)
    def test_interrupted(self):
        page = self.folder / "threads.html"
        command = ["threads", "--quick", "-o", str(page)]
        running = subprocess.Popen([MOOREA, "study", *command], stderr=subprocess.PIPE, text=True)
        part = pathlib.Path(f"{page}.threads-quick-1.json")
        for _ in range(6000):
            if part.exists() and len(json.loads(part.read_text())["results"]) >= 2:
                break
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        self.assertIn("--resume continues", running.communicate()[1])
        self.assertEqual(running.returncode, 130)
        self.assertEqual([path.name for path in self.folder.iterdir()], [part.name])
        kept = {json.dumps(row["asked"]): row["median_seconds"] for row in json.loads(part.read_text())["results"]
                if not row["busy"]}  # those are measured again
        result = self.study(*command)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--resume continues it", result.stderr)
        results = self.folder / "threads.json"
        result = self.study(*command, "--resume", "--results", str(results))
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = {json.dumps(row["asked"]): row["median_seconds"] for document in documents(results.read_text()) for row in document["results"]}
        self.assertGreater(len(rows), 2)
        self.assertEqual({asked: rows[asked] for asked in kept}, kept)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), [page.name, results.name])

    def study(self, *arguments):
        return subprocess.run([MOOREA, "study", *arguments], capture_output=True, text=True, timeout=600)

    def quick_form(self, name):
        page, results = self.folder / f"{name}.html", self.folder / f"{name}.json"
        result = self.study(name, "--quick", "-o", str(page), "--results", str(results))
        if name in NEED_CUDA and result.returncode == 4:
            self.assertIn("on an NVIDIA GPU", result.stderr)
            self.assertEqual(list(self.folder.glob(f"{name}.*")), [])
            self.skipTest(f"no CUDA: {result.stderr.strip()}")
        if name == "threads" and ONE_CPU:
            self.assertEqual((result.returncode, result.stderr), (4, "moorea: this machine offers one thread\n"))
            self.skipTest(NEEDS_CPUS)
        if name == "hybrid" and result.returncode == 4:
            self.skipTest(f"one device: {result.stderr.strip()}")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        if name == "hybrid":
            self.assertIn("Chosen, ", result.stderr)
        text = page.read_text()
        self.assertEqual(results.exists(), name not in ("anneal", "timeline"))  # which time nothing
        measured = documents(results.read_text()) if results.exists() else []
        rows = [row for document in measured for row in document["results"]]
        self.assertGreaterEqual(text.count("<canvas" if name == "timeline" else "<svg"), 1)
        findings = re.findall(r"<li>(.*?)</li>", text[text.index('class="findings"'):text.index("</ul>")])
        self.assertGreaterEqual(len(findings), 1)
        # The terminal and the report have the same findings
        said = [line.removeprefix("moorea: ") for line in result.stderr.splitlines() if "times nothing" not in line]
        said = [line for line in said if not re.match(r"\d+ of \d+, .* left", line)]  # a slow machine's progress, a line a minute
        if said and said[0].endswith("measure again when they have ended."):
            self.assertIn(f"<strong>A busy machine:</strong> {html.escape(said.pop(0), quote=False)}", text)
        self.assertEqual(said, [html.unescape(each) for each in findings])
        for row in rows:
            self.assertIn(row["reduction" if name == "reduction" else "kernel"], text)
            self.assertIn("sum" if name == "reduction" else "checked_with", row)
        self.assertIn(f"moorea study {name} --quick -o report.html", text)
        if name == "ladder":
            self.climbs(text, rows)
        if name == "vectors":
            self.assertNotIn("cpu/ladder/08_balanced_x86", text)  # which on one thread is rung 6
            self.has_borders(text, rows, findings)
        if name == "timeline":
            self.assertEqual(re.findall(r"<h3>Schedule (.*?)<", text), ["static", "static,1", "dynamic,4", "guided"])
        self.assertIn("revision", text)
        self.assertRegex(text, r"threads, [0-9.]+ \w+ memory available of [0-9.]+ \w+")
        self.assertEqual(set(re.findall(r"https?://[^\"]*", text)) - {"http://www.w3.org/2000/svg"}, set())
        self.assertNotRegex(text, r"<script src|<link|url\(|@import|src=\"(?!data:)")
        self.shown(page, 4 * ["tiles computed"] if name == "timeline" else text.count("<svg") * ["<svg"])

    def has_borders(self, text, rows, findings):
        """All threads at widths that are multiples of a vector or not, what borders cost as the rows say, with and without masks."""
        every = {(row["kernel"], row["width"]): row for row in rows if row["asked"]["threads"] == 0}
        self.assertEqual({row["threads"] for row in every.values()}, {len(os.sched_getaffinity(0))})
        kernels = {kernel for kernel, _ in every}
        self.assertEqual(set(every), {(kernel, width) for kernel in kernels for width in (256, 1000, 1001, 1024)})
        if "cpu/ladder/04_avx2" in kernels:
            self.assertIn("cpu/ladder/07_masked_borders_avx2", kernels)
        self.assertEqual("cpu/ladder/06_avx512" in kernels, "cpu/ladder/07_masked_borders_avx512" in kernels)
        for kernel in kernels:
            said, = (html.unescape(each) for each in findings if each.startswith(f"Borders of {kernel}: "))
            if any(every[kernel, width]["busy"] for width in (1000, 1001, 1024)):
                self.assertIn("other processes used the CPUs", said)
                continue
            numbers = re.search(r"a cell takes ([0-9.,]+) times at 1000 square and ([0-9.,]+) times at 1001 square as long as at 1024", said).groups()
            for width, number in zip((1000, 1001), numbers):
                speed = every[kernel, 1024]["cells_per_second"] / every[kernel, width]["cells_per_second"]
                self.assertAlmostEqual(float(number.replace(",", "")) / speed, 1, delta=0.01)
        chart = text[text.index("What borders cost"):]
        for kernel in kernels:
            self.assertIn(f">{kernel.split('/')[-1]} at 1001<", chart)

    def climbs(self, text, rows):
        """The chart has every kernel, by device and rung, and what each gains over a rung before."""
        numbers = re.search(r"The ladder, rung by rung</h2>.*?<table.*?>(.*?)</table>", text, re.S).group(1)
        bars = [html.unescape(re.search(r"<td.*?>(.*?)</td>", line).group(1)) for line in numbers.split("<tr>")[1:]]
        self.assertEqual(len(bars), len(rows))
        rungs = [int(bar[:2]) for bar in bars[:sum(row["device"] == "cpu" for row in rows)] if bar[:2].isdigit()]
        self.assertEqual(rungs, sorted(rungs))
        self.assertEqual(rungs[0], 1)
        self.assertIn("10_bits", bars)
        picture = text[text.index("The ladder, rung by rung</h2>"):text.index("</svg>")]
        two = [row for row in rows if row["kernel"] in ("cpu/ladder/01_serial", "cpu/ladder/02_tiled") and row["asked"]["threads"] == 0]
        # The sequential kernel on one thread is there too, with which all are compared
        self.assertIn("01_serial, 1 thread", bars)
        self.assertEqual([row["threads"] for row in rows if row["kernel"] == "cpu/ladder/01_serial" and row["times_reference"] == 1], [1])
        self.assertIn(">x cpu/ladder/01_serial:1<", text)
        factor = "" if any(row["busy"] for row in two) else "[0-9.,]+ times 01_serial: "
        self.assertRegex(picture, f">{factor}one cell after the other, in tiles<")
        self.assertEqual(re.findall(r'font-weight="600" ?>(\w[\w:]*)<', picture), sorted({row["device"] for row in rows}))

    def shown(self, page, words):
        browser = shutil.which("chromium")
        if browser is None:
            self.skipTest("chromium is not installed")
        result = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom",
                                 f"--user-data-dir={self.folder}/profile", page.as_uri()], capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count(words[0]), len(words) + (1 if page.stem == "timeline" else 0))  # there also in the script

    def test_speed_relative_to_a_kernel(self):
        page, results = self.folder / "r.html", self.folder / "r.json"
        result = self.study("registers", "--quick", "-o", str(page), "--results", str(results), "--relative-to", "cpu/ladder/01_serial:1")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = documents(results.read_text())[0]["results"]
        self.assertEqual({(row["kernel"], row["threads"]) for row in rows if row["times_reference"] == 1}, {("cpu/ladder/01_serial", 1)})
        text = page.read_text()
        self.assertIn(">x cpu/ladder/01_serial:1<", text)
        self.assertIn("times cpu/ladder/01_serial:1", text[:text.index("All measurements")])
        self.assertNotIn("01_serial", result.stderr)  # it is no part of the question
        self.assertIn("moorea study registers --quick --relative-to cpu/ladder/01_serial:1 -o report.html", text)
        result = self.study("timeline", "--quick", "-o", str(page), "--relative-to", "cpu/bits")
        self.assertEqual(result.returncode, 2)
        self.assertIn("study timeline times no kernels", result.stderr)

    def frequencies(self, files):
        """The frequency study of a machine whose files below /proc and /sys are these."""
        root = self.folder / "root"
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        page, results = self.folder / "frequency.html", self.folder / "frequency.json"
        result = subprocess.run([MOOREA, "study", "frequency", "--quick", "-o", str(page), "--results", str(results)], capture_output=True, text=True, timeout=600,
                                env=os.environ | {"MOOREA_LAB_ROOT": str(root)})
        self.assertEqual(result.returncode, 0, result.stderr)
        return page.read_text(), documents(results.read_text())[0], result.stderr

    def test_frequencies_of_known_cores(self):
        # The first core runs at 3 GHz, the others at 2 GHz
        cores = sorted(os.sched_getaffinity(0))
        clocks = [3000] + [2000] * (len(cores) - 1)
        page, document, said = self.frequencies({f"sys/devices/system/cpu/cpu{core}/cpufreq/scaling_cur_freq": f"{1000 * clock}\n" for core, clock in zip(cores, clocks)})
        self.assertEqual(document["core_frequency"], "sampled: cpufreq")
        kernels = [row["kernel"] for row in document["results"]]
        self.assertIn("cpu/ladder/03_vectorised", kernels)
        table = re.search(r"Clock frequency of each variant</h2>.*?<table.*?>(.*?)</table>", page, re.S).group(1)
        lines = [re.findall(r"<td.*?>(.*?)</td>", line) for line in table.split("<tr>")[1:]]
        names = [row["kernel"] + (f", {row['wide_share']} of the threads wide" if "wide_share" in row else "") for row in document["results"]]
        self.assertEqual([line[0] for line in lines], names)
        if "cpu/ladder/06_avx512" in kernels:
            shares = [row["wide_share"] for row in document["results"] if "wide_share" in row]
            self.assertEqual(shares, ([0.125] if len(cores) >= 8 else [0.25] if len(cores) >= 4 else []) + [0.5])
        for line, row in zip(lines, document["results"], strict=True):
            series = row["frequency"]["megahertz"]
            self.assertEqual(sorted(series, key=int), [str(core) for core in cores])
            counts = []
            for core, clock in zip(cores, clocks):
                words = [word.partition("*") for word in series[str(core)].split()]
                self.assertLessEqual({word[0] for word in words}, {str(clock), "-"})
                counts.append(sum(int(word[2] or 1) for word in words if word[0] != "-"))
            self.assertEqual(len(set(counts)), 1)
            # Equally many samples of each core: the mean of all is that of the cores
            mean = sum(clocks) / len(clocks)
            deviation = (sum((clock - mean) ** 2 for clock in clocks) / len(clocks)) ** 0.5
            self.assertEqual(line[1:], [f"{mean:.1f}", str(min(clocks)), "3000", f"{mean:.1f}", f"{mean:.1f}", f"{deviation:.1f}", str(sum(counts))])
            self.assertEqual(row["frequency"]["interval_seconds"], 0.01)
            # Quick studies sample each variant for a moment that has several ticks
            self.assertGreaterEqual(sum(row["frequency"]["round_ticks"]), 5)
            self.assertGreater(row["frequency"]["sampler_seconds"], 0)
            self.assertLess(row["frequency"]["sampler_seconds"], 0.2 * row["frequency"]["seconds"])
            self.assertEqual(row["core_megahertz"], {str(core): clock for core, clock in zip(cores, clocks)})
        self.assertIn(f"cpu/ladder/03_vectorised: {mean:.0f} MHz on average, {min(clocks)} to 3000.", said)
        self.assertRegex(said, r"The sampling thread used [0-9.]+ % of one CPU")
        maps = page[page.index("Clock frequency by core and time"):page.index("Speed of the same")]
        self.assertEqual(set(re.findall(r"core (\d+), [^<]* s: \d+ MHz", maps)), {str(core) for core in cores})

    def test_frequencies_of_a_machine_that_reports_none(self):
        page, document, said = self.frequencies({})
        self.assertNotIn("frequency", document["results"][0])
        self.assertIn("This machine does not report the clock frequency of its cores", said)
        for source in ("scaling_cur_freq", "/proc/cpuinfo has no line", "perf_event_paranoid"):
            self.assertIn(source, said)
        self.assertNotIn("by core and time", page)
        self.assertIn("Speed of the same measurements", page)

    def test_frequencies_that_are_nominal(self):
        cores = max(os.sched_getaffinity(0)) + 1
        page, document, said = self.frequencies({"proc/cpuinfo": "".join(f"processor\t: {core}\nflags\t: fpu\ncpu MHz\t\t: 2300.000\n\n" for core in range(cores))})
        self.assertIn("reports the nominal frequency of its cores only", said)
        self.assertEqual(document["results"][0]["frequency"]["source"], "nominal")
        self.assertIn("2300", page)
        self.assertNotIn("MHz on average", page)  # nor what a constant is relative to itself
        self.assertRegex(page, r"cpu/ladder/0\S+(: \S+ times as many cells per second as| was measured while)")

    def test_no_report_of_wrong_answers(self):
        result = subprocess.run([FAULTY, "study", "ladder", "--quick", "-o", str(self.folder / "x.html")], capture_output=True, text=True, timeout=600)
        self.assertEqual(result.returncode, 3)
        self.assertIn("wrong answer", result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_mistakes(self):
        result = self.study("astrology", "-o", str(self.folder / "x.html"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("ladder", result.stderr)
        self.assertEqual(self.study("ladder").returncode, 2)
        for arguments, said in ((("-o", "x.pdf"), "a page's name ends in .html"), (("-o", "x.html", "--results", "x.html"), "the same file")):
            result = self.study("anneal", "--quick", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(said, result.stderr)
        result = self.study("anneal", "--quick", "-o", str(self.folder / "none" / "x.html"))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(list(self.folder.iterdir()), [])


def quick_form_of(name):
    return lambda self: self.quick_form(name)


for each in NAMES:
    setattr(Study, f"test_quick_{each}", quick_form_of(each))

if __name__ == "__main__":
    shard.main()
