#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea census: soups as apgsearch makes them, counts equal to those of identify, hauls that continue."""
import collections
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import time
import unittest

import shard
from command_case import Case, SANITIZED, TAKES_LONG, limit_files, moorea
from programs import MOOREA

# Objects per soup in Catagolue on 27 April 2019: 413,493,174,300,923 in 18,928,504,510,982 soups (LifeWiki, "Catagolue")
OBJECTS_PER_SOUP = 413493174300923 / 18928504510982


def cells_of(rle):
    cells, x, y = set(), 0, 0
    body = "".join(line for line in rle.splitlines() if line[:1] not in "#x")
    for count, tag in re.findall(r"(\d*)([bo$])", body):
        count = int(count or 1)
        if tag == "$":
            x, y = 0, y + count
            continue
        if tag == "o":
            cells.update((x + i, y) for i in range(count))
        x += count
    return cells


def at_origin(cells):
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return {(x - left, y - top) for x, y in cells}


class Censuses(Case):
    def counts(self, *arguments):
        result = moorea("census", "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return {each["apgcode"]: each["count"] for each in json.loads(result.stdout)["objects"]}

    def test_soups_are_those_of_sha256(self):
        for number in (0, 7, 123):
            digest = hashlib.sha256(f"k_Example{number}".encode()).digest()
            expected = {(bit % 16, bit // 16) for bit in range(256) if digest[bit // 8] >> (7 - bit % 8) & 1}
            shown = moorea("census", "--show-soup", str(number), "--seed", "k_Example").stdout
            self.assertEqual(cells_of(shown), at_origin(expected))

    def test_soups_are_symmetric(self):
        flip_x, flip_y, swap = (lambda x, y: (-x, y)), (lambda x, y: (x, -y)), (lambda x, y: (y, x))
        turn, quarter = (lambda x, y: (-x, -y)), (lambda x, y: (y, -x))
        groups = {"C2_1": [turn], "C2_2": [turn], "C2_4": [turn], "C4_1": [quarter], "C4_4": [quarter], "D2_+1": [flip_y],
                  "D2_+2": [flip_y], "D2_x": [swap], "D4_+1": [flip_x, flip_y], "D4_+2": [flip_x, flip_y], "D4_+4": [flip_x, flip_y],
                  "D4_x1": [swap, turn], "D4_x4": [swap, turn], "D8_1": [swap, quarter], "D8_4": [swap, quarter]}
        for name, images in groups.items():
            cells = cells_of(moorea("census", "--show-soup", "5", "--symmetry", name).stdout)
            self.assertGreater(len(cells), 40)
            for image in images:
                self.assertEqual(at_origin({image(x, y) for x, y in cells}), at_origin(cells), name)

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_counts_equal_those_of_identify(self):
        for rule, symmetry, soups in (("B3/S23", "C1", 120), ("B3/S23", "D8_1", 20), ("B36/S125", "C1", 20), ("B2-a/S12", "C1", 20), ("B3/S2-i34q", "D4_x1", 8)):
            options = ("--rule", rule, "--symmetry", symmetry, "--seed", "exact")
            expected = collections.Counter()
            for number in range(soups):
                soup = moorea("census", "--show-soup", str(number), *options).stdout
                found = json.loads(moorea("identify", "-", "--json", stdin=soup).stdout)
                self.assertIn(found["kind"], ("dies", "object", "objects", "settles", "methuselah"))
                for each in found["census"]:
                    expected[each["apgcode"]] += each["count"]
            self.assertEqual(self.counts("--soups", str(soups), *options), dict(expected))

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_published_frequency(self):
        soups = 3000
        counts = self.counts("--soups", str(soups), "--seed", "published")
        # The standard deviation of a soup's number of objects is about 30
        self.assertAlmostEqual(sum(counts.values()) / soups, OBJECTS_PER_SOUP, delta=3 * 30 / math.sqrt(soups))

    def test_threads_and_resumption_change_nothing(self):
        one, two, page = self.file("one.txt"), self.file("two.txt"), self.file("page.html")
        self.ok("census", "--soups", "700", "--threads", "2", "-o", one, "--page", page)
        moorea("census", "--soups", "300", "--threads", "1", "-o", two)
        self.assertNotEqual((self.folder / "one.txt").read_text(), (self.folder / "two.txt").read_text())
        self.assertEqual(moorea("census", "--soups", "700", "-o", two).returncode, 2)  # exists
        self.assertEqual(moorea("census", "--soups", "700", "--threads", "1", "-o", two, "--resume").returncode, 0)
        haul = (self.folder / "one.txt").read_text()
        self.assertEqual((self.folder / "two.txt").read_text(), haul)
        head = dict(line[1:].split(" ", 1) for line in haul.splitlines()[:7])
        self.assertEqual((head["ROOT"], head["RULE"], head["SYMMETRY"], head["NUM_SOUPS"]), ("moorea", "b3s23", "C1", "700"))
        self.assertEqual(head["MD5"], hashlib.md5(b"moorea").hexdigest())
        table = re.search(r"@CENSUS TABLE\n(.*?)\n\n", haul, re.S).group(1).splitlines()
        self.assertEqual(sum(int(line.split()[1]) for line in table), int(head["NUM_OBJECTS"]))
        # A sample soup has the object
        samples = haul.split("@SAMPLE_SOUPIDS\n")[1].splitlines()
        code, *soups = samples[-1].split()
        soup = moorea("census", "--show-soup", soups[0]).stdout
        self.assertIn(code, moorea("identify", "-", stdin=soup).stdout)
        text = (self.folder / "page.html").read_text()
        for word in ("<svg", "xs4_33", f"--show-soup {soups[0]} --seed moorea"):
            self.assertIn(word, text)
        self.assertIn("<h1>Census of B3/S23</h1>", text)
        other = moorea("census", "--soups", "900", "--seed", "other", "-o", two, "--resume")
        self.assertEqual(other.returncode, 2)
        self.assertIn("--seed moorea", other.stderr)

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_the_last_generation_is_the_same_for_all(self):
        """Which soups have not settled at generation -g depends on nothing but the soups."""
        options = ("--symmetry", "D4_x4", "--seed", "t820483", "-g", "300")
        hauls = set()
        for name, threads in (("one", "1"), ("two", "2"), ("three", "3"), ("parts", "2")):
            if name == "parts":
                self.ok("census", "--soups", "150", *options, "-o", self.file(name))
            self.ok("census", "--soups", "400", *options, "--threads", threads, "-o", self.file(name), "--resume")
            hauls.add((self.folder / name).read_text())
        self.assertEqual(len(hauls), 1)
        samples = re.search(r"^PATHOLOGICAL ([\d ]+)$", hauls.pop().split("@SAMPLE_SOUPIDS\n")[1], re.M)[1].split()
        for number in range(int(samples[-1]) + 1):
            soup = moorea("census", "--show-soup", str(number), *options[:4]).stdout
            settled = json.loads(moorea("identify", "-", "--json", stdin=soup).stdout)["settled"]
            self.assertEqual(settled > 300, str(number) in samples, (number, settled))
        self.assertEqual(self.counts("--rule", "B3/S", "--soups", "5", "-g", "1"), {"PATHOLOGICAL": 5})

    def test_interruption_keeps_whole_soups(self):
        haul = self.file("haul.txt")
        process = subprocess.Popen([MOOREA, "census", "--soups", "1e9", "-o", haul], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, errors)
        soups = int(re.search(r"@NUM_SOUPS (\d+)", (self.folder / "haul.txt").read_text()).group(1))
        whole = self.file("whole.txt")
        moorea("census", "--soups", str(soups + 100), "-o", whole)
        self.assertEqual(moorea("census", "--soups", str(soups + 100), "-o", haul, "--resume").returncode, 0)
        self.assertEqual((self.folder / "haul.txt").read_text(), (self.folder / "whole.txt").read_text())

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_an_error_keeps_the_soups_before_it(self):
        haul, whole = self.file("haul.txt"), self.file("whole.txt")
        options = ("--soups", "4000", "--threads", "1")
        for megabytes in range(30, 200, 5):  # the address space suffices for the beginning, not for all soups
            limit = megabytes << 20
            ended = moorea("census", *options, "-o", haul, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            found = (self.folder / "haul.txt").read_text() if os.path.exists(haul) else "@NUM_SOUPS 0"
            soups = int(re.search(r"@NUM_SOUPS (\d+)", found).group(1))
            if soups > 0:
                break
            pathlib.Path(haul).unlink(missing_ok=True)
        self.assertEqual((ended.returncode, ended.stderr), (1, "moorea: out of memory\n"))
        self.assertTrue(0 < soups < 4000, soups)
        self.ok("census", "--soups", "4000", "-o", haul, "--resume")
        self.ok("census", *options, "-o", whole)
        self.assertEqual((self.folder / "haul.txt").read_text(), (self.folder / "whole.txt").read_text())

    @unittest.skipIf(SANITIZED, TAKES_LONG)
    def test_slow_soups_count_one_by_one(self):
        """Of a batch of soups that do not all end in time: those from the first one on."""
        haul = self.file("slow.txt")
        for limit in (0.1 * 1.3 ** i for i in range(20)):  # the first one in which this machine completes some
            ended = moorea("census", "--rule", "B3/S2345", "--soups", "40", "-g", "4000", "--threads", "1", "--time-limit", f"{limit:.3f}s", "-o", haul)
            self.assertEqual(ended.returncode, 124, ended.stderr)
            found = (self.folder / "slow.txt").read_text() if os.path.exists(haul) else "@NUM_SOUPS 0"
            soups = int(re.search(r"@NUM_SOUPS (\d+)", found).group(1))
            if soups > 0:
                break
            pathlib.Path(haul).unlink(missing_ok=True)
        self.assertTrue(0 < soups < 32, soups)
        # Without any, how to get some
        ended = moorea("census", "--rule", "B3/S2345", "--soups", "40", "--time-limit", "0.1s")
        self.assertIn("-g 1000 counts those as PATHOLOGICAL", ended.stderr)

    def test_ships_at_the_speed_of_light(self):
        self.assertEqual(self.counts("--rule", "B2/S", "--soups", "40", "-g", "400"), {"PATHOLOGICAL": 40})

    def test_damaged_hauls_are_refused(self):
        """A haul that was cut off or put together wrongly would be saved with what is missing, or counted twice."""
        haul = self.file("haul.txt")
        self.ok("census", "--soups", "400", "-o", haul)
        text = pathlib.Path(haul).read_text()
        begin = text.index("@SAMPLE_SOUPIDS")
        last = text.rindex("\n", 0, -1)
        for broken, message in ((text[:-20], "incomplete|not in the table"), (text[:begin + (len(text) - begin) // 2], "incomplete|not in the table"),
                                (text[:last + 1], "the haul is incomplete: no soup of"), (text[:-1], "the haul is incomplete: its last line does not end"),
                                (text.replace("@NUM_SOUPS 400", "@NUM_SOUPS 100"), "is none of the first 100, as @NUM_SOUPS says"),
                                (text.replace("\nxs4_33 ", "\nxs4_33 3\nxs4_33 ", 1), "the table has xs4_33 twice")):
            self.assertNotEqual(broken, text, message)
            pathlib.Path(haul).write_text(broken)
            result = moorea("census", "--soups", "500", "-o", haul, "--resume")
            self.assertEqual(result.returncode, 1, message)
            self.assertRegex(result.stderr, message)
            self.assertEqual(pathlib.Path(haul).read_text(), broken)

    def test_a_haul_is_all_that_resume_needs(self):
        haul, whole = self.file("haul.txt"), self.file("whole.txt")
        for rule, name in (("HighLife", "b36s23"), ("B2-a/S12", "b2-as12")):
            options = ("--rule", rule, "--symmetry", "D8_1", "--seed", "other")
            self.ok("census", "--soups", "20", *options, "-o", haul)
            self.assertIn(f"\n@RULE {name}\n", pathlib.Path(haul).read_text())
            self.ok("census", "--soups", "40", "-o", haul, "--resume")
            self.ok("census", "--soups", "40", *options, "-o", whole)
            self.assertEqual(pathlib.Path(haul).read_text(), pathlib.Path(whole).read_text())
            pathlib.Path(haul).unlink(), pathlib.Path(whole).unlink()

    def test_soups_are_cut_off_beyond_the_reach(self):
        """What is not cut off has the objects that it has on an unbounded plane."""
        haul, whole, page = self.file("haul.txt"), self.file("whole.txt"), self.file("page.html")
        options = ("--seed", "reach", "--reach", "64")
        self.ok("census", "--soups", "30", *options, "--threads", "1", "-o", haul)
        first = pathlib.Path(haul).read_text()
        self.assertIn("\n@REACH 64\n", first)
        cut = {int(soup) for soup in re.search(r"^zz_CUT_OFF ([\d ]+)$", first.split("@SAMPLE_SOUPIDS\n")[1], re.M)[1].split()}
        counts = collections.Counter({"zz_CUT_OFF": int(re.search(r"^zz_CUT_OFF (\d+)$", first, re.M)[1])})
        self.assertGreater(counts["zz_CUT_OFF"], 10)
        # Soups up to the tenth that was cut off
        for number in range(max(cut) + 1):
            if number not in cut:
                soup = moorea("census", "--show-soup", str(number), "--seed", "reach").stdout
                counts.update({each["apgcode"]: each["count"] for each in json.loads(moorea("identify", "-", "--json", stdin=soup).stdout)["census"]})
        counts["zz_CUT_OFF"] = len(cut)
        found = self.counts("--soups", str(max(cut) + 1), *options)
        self.assertEqual(found, dict(counts))
        resumed = moorea("census", "--soups", "400", "-o", haul, "--resume", "--page", page)
        cut_off = re.search(r"^zz_CUT_OFF (\d+)$", pathlib.Path(haul).read_text(), re.M)[1]
        note = f"{cut_off} of 400 soups cut off, because they left the middle 64 columns and rows."
        self.assertIn(note, resumed.stdout)
        self.assertIn(note, pathlib.Path(page).read_text())
        self.ok("census", "--soups", "400", *options, "-o", whole)
        self.assertEqual(pathlib.Path(haul).read_text(), pathlib.Path(whole).read_text())
        result = json.loads(moorea("census", "--soups", "400", *options, "--json").stdout)
        self.assertEqual((result["reach"], result["cut_off"]), (64, int(cut_off)))
        self.assertNotIn("reach", json.loads(moorea("census", "--soups", "5", "--json").stdout))
        self.refused(2, "is the haul of --reach 64", "census", "--soups", "500", "-o", haul, "--resume", "--reach", "96")
        self.refused(2, "is the haul of --reach 64", "census", "--soups", "500", "-o", haul, "--resume", "--reach", "0")
        pathlib.Path(haul).unlink()
        self.ok("census", "--soups", "5", "-o", haul)
        self.refused(2, "is the haul of a census without --reach", "census", "--soups", "500", "-o", haul, "--resume", "--reach", "64")
        text = pathlib.Path(whole).read_text()
        for broken, message in ((text.replace("@REACH 64\n", ""), "zz_CUT_OFF without @REACH"), (text.replace("@REACH 64", "@REACH 65"), "@REACH 65: expected a multiple"),
                                (text.replace("@REACH 64", "@REACH 18446744073709551552"), "expected a multiple"), (text.replace("@REACH 64", "@REACH far"), "expected a number")):
            pathlib.Path(whole).write_text(broken)
            self.refused(1, message, "census", "--soups", "500", "-o", whole, "--resume")
        # All soups of a rule that grows
        self.assertEqual(self.counts("--rule", "B34/S34", "--soups", "40", "--reach", "96"), {"zz_CUT_OFF": 40})
        for reach in ("63", "72", "48", "5000"):
            self.refused(2, "a multiple of 16 from 64 to 1024", "census", "--soups", "5", "--reach", reach)
        self.refused(2, "--reach", "census", "--soups", "5", "--reach", "far")

    def test_a_soup_in_a_file(self):
        self.ok("census", "--show-soup", "17", "--seed", "speed", "-o", self.file("soup.rle"))
        self.assertEqual((self.folder / "soup.rle").read_text(), moorea("census", "--show-soup", "17", "--seed", "speed").stdout)
        self.refused(2, "leave --page", "census", "--show-soup", "17", "--page", self.file("page.html"))

    def test_counts_are_printed_on_a_full_disk(self):
        page = self.file("page.html")
        full = moorea("census", "--soups", "40", "--page", page, "--json", preexec_fn=lambda: limit_files(100))
        self.assertEqual((full.returncode, json.loads(full.stdout)["soups"]), (1, 40), full.stderr)
        self.assertFalse(os.path.exists(page))

    def test_refusals(self):
        self.refused(2, "expected C1, C2_1", "census", "--symmetry", "Q")
        self.refused(2, "ends in .html", "census", "--page", self.file("page.txt"))
        both = self.file("both.html")
        self.refused(2, "name the same file", "census", "-o", both, "--page", both)
        for arguments, code, reason in ((("--symmetry", "D4_x2"), 2, "did you mean"), (("--rule", "B0/S1"), 2, "without B0"),
                                        (("--rule", "B2/S34H"), 2, "rotations and reflections"), (("--rule", "345/2/4"), 2, "a census"), (("--device", "cuda:99"), 4, "is not available"),
                                        (("--device", "opencl"), 2, "expected cpu, cuda"),
                                        (("--seed", "two words"), 2, "expected letters"), (("--resume",), 2, "needs -o")):
            result = moorea("census", "--soups", "10", *arguments)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertIn(reason, result.stderr)
        # A census that cannot begin leaves no haul that the next one would have to continue
        for arguments in (("--symmetry", "Q"), ("--rule", "B0/S1"), ("--device", "cuda:99"), ("--page", str(self.folder / "nowhere/page.html"))):
            self.assertNotEqual(moorea("census", "--soups", "10", "-o", str(self.folder / "none.txt"), *arguments).returncode, 0)
            self.assertEqual(list(self.folder.glob("none.txt*")), [], arguments)
        broken = self.file("broken.txt", "@ROOT moorea\nxs4_33 many\n")
        self.assertEqual(moorea("census", "-o", broken, "--resume").returncode, 1)
        for output in ("-", self.file("haul.txt.gz"), "/dev/null"):
            self.refused(2, "expected an uncompressed file", "census", "--soups", "10", "-o", output)
        haul = self.file("haul.txt")
        begun = moorea("census", "--soups", "10", "-o", haul, "--resume")
        self.assertEqual((begun.returncode, "there is no " in begun.stderr), (0, True), begun.stderr)
        text = (self.folder / "haul.txt").read_text()
        self.file("other.txt", text.replace("@ROOT moorea", "@ROOT other"))
        self.refused(1, "@MD5 is not that of @ROOT", "census", "--soups", "20", "-o", self.file("other.txt"), "--resume")
        self.file("quoted.txt", re.sub("@MD5 .*\n", "", text).replace("@ROOT moorea", "@ROOT a;ls"))
        self.refused(1, "expected letters", "census", "--soups", "20", "-o", self.file("quoted.txt"), "--resume")
        if os.geteuid() != 0:
            (self.folder / "haul.txt").chmod(0o200)
            self.refused(1, "cannot read: Permission denied", "census", "--soups", "20", "-o", haul, "--resume")

    def test_what_nobody_reads_is_saved(self):
        """A report that cannot be printed, and a standard output that is closed, cost no soups."""
        haul, page = self.folder / "haul.txt", self.folder / "page.html"
        command = [MOOREA, "census", "--soups", "300", "-o", str(haul), "--page", str(page), "--threads", "1"]
        with open("/dev/full", "w") as full:
            result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((result.returncode, result.stderr), (1, "moorea: standard output: cannot write\n"))
        self.assertIn("@NUM_SOUPS 300", haul.read_text())
        self.assertTrue(page.exists())
        haul.unlink()
        process = subprocess.Popen([*command[:3], "1e9", *command[4:], "--jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdout.readline()
        process.stdout.close()
        process.wait(30)
        self.assertEqual(process.returncode, 141, process.stderr.read())
        process.stderr.close()
        self.assertGreater(int(re.search(r"@NUM_SOUPS (\d+)", haul.read_text())[1]), 100)

    def test_a_haul_has_one_census(self):
        haul = self.folder / "haul.txt"
        first = subprocess.Popen([MOOREA, "census", "--soups", "1e9", "-o", str(haul), "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            while not haul.exists():
                time.sleep(0.01)
            self.refused(1, "another run saves to this haul", "census", "--soups", "1e9", "-o", str(haul), "--resume")
        finally:
            first.send_signal(signal.SIGINT)
            first.communicate()
        self.assertEqual(first.returncode, 130)
        self.assertFalse(os.path.exists(f"{haul}.lock"))
        self.assertEqual(moorea("census", "--soups", "1e9", "--time-limit", "1s", "-o", str(haul), "--resume").returncode, 124)


if __name__ == "__main__":
    shard.main()
