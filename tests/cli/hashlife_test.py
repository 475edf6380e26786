#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea run --kernel hashlife: numbers of any size, limits of memory, worlds that are refused."""
import gzip
import json
import pathlib
import re
import resource
import signal
import subprocess
import time
import unittest

from command_case import ACORN, MOOREA, Case, GLIDER, SANITIZED, catches, output_after, wait_until

GOLLY = pathlib.Path("/usr/share/golly/Patterns")
# Patterns of tools/race_hashlife.py that take less than a second
RACED = {
    "Turing machine": "Life/Signal-Circuitry/Turing-Machine-3-state.rle",
    "Turing machine, 2^20": "Life/Signal-Circuitry/Turing-Machine-3-state.rle",
    "p690 gun": "Life/Guns/2c5-spaceship-gun-p690.rle",
    "Justyna": "Life/Methuselahs/justyna.rle",
    "Justyna, 2^16": "Life/Methuselahs/justyna.rle",
    "rabbits, one step": "Life/Methuselahs/rabbits.lif",
    "lidka": "Life/Methuselahs/lidka-predecessor.rle",
    "breeder": "Life/Breeders/breeder.lif",
    "metapixel-galaxy": "HashLife/metapixel-galaxy.mc.gz",
    "mosquito5": "HashLife/mosquito5.mc",
    "wedge-grow": "HashLife/wedge-grow.mc",
    "metapixel-parity64": "HashLife/metapixel-parity64.mc.gz",
}
GUN = str(pathlib.Path(ACORN).with_name("gosper-glider-gun.rle"))


class HashLife(Case):
    def test_equals_the_other_kernels(self):
        for arguments in ([ACORN, "-g", "5206"], ["--random", "0.4", "--size", "128x64", "-g", "333"],
                          [ACORN, "-r", "HighLife", "-g", "300"], [ACORN, "--size", "256x512", "--topology", "torus", "-g", "777"]):
            tree = self.json("run", *arguments, "--kernel", "hashlife")
            other = self.json("run", *arguments)
            for key in ("rule", "topology", "generation", "population", "hash"):
                self.assertEqual(tree[key], other[key], (key, arguments))
            self.assertEqual(tree["kernel"], "hashlife")
        self.ok("verify", ACORN, "--kernel", "hashlife", "-g", "200")

    def test_threads_do_not_change_results(self):
        soup = ["run", "--random", "0.4", "--size", "1024", "-g", "64", "--kernel", "hashlife"]
        one, two = self.json(*soup), self.json(*soup, "--threads", "2")
        self.assertEqual((one["threads"], two["threads"]), (1, 2))
        for key in ("population", "hash"):
            self.assertEqual(one[key], two[key])
        for key in ("nodes", "evaluations"):
            self.assertEqual(one["tree"][key], two["tree"][key])
        self.assertIn("hashlife on cpu, up to 2 threads", self.ok(*soup, "--threads", "2").stdout)

    def test_numbers_beyond_2_to_53_are_text(self):
        # A gun of 36 cells: each 30 generations add a glider
        far = self.json("run", GUN, "-g", "30e30", "--kernel", "hashlife")
        self.assertEqual(far["generation"], "3" + 31 * "0")
        self.assertEqual(far["population"], str(36 + 5 * 10**30))
        near = self.json("run", GUN, "-g", "3e9", "--kernel", "hashlife")
        self.assertEqual((near["generation"], near["population"]), (3 * 10**9, 36 + 5 * 10**8))
        text = self.ok("run", GUN, "-g", str(30 * 10**40), "--kernel", "hashlife").stdout
        self.assertIn(f"generation {30 * 10**40}, population {36 + 5 * 10**40}\n", text)
        glider = self.file("g.rle", GLIDER)
        self.assertEqual(self.json("run", glider, "-g", "2^60", "--kernel", "hashlife")["generation"], str(2**60))
        for wrong in ("x", "1.5", "2^99999"):
            self.refused(2, "number", "run", GUN, f"--generations={wrong}", "--kernel", "hashlife")
        self.refused(2, "has no inverse", "run", GUN, "--generations=-5")

    def test_large_numbers_of_generations_from_standard_input(self):
        for generations in (5_000_000_000, 5 * 10**18, 10**20):
            result = json.loads(self.ok("run", "-", "-g", str(generations), "--json", stdin=GLIDER).stdout)
            self.assertEqual((int(result["generation"]), result["population"]), (generations, 5))
        # A pattern that is read for a world of another kind
        grid = json.loads(self.ok("run", "-", "-g", "5000000000", "--json", stdin="x = 3, y = 3, rule = B3/S23:T5,6\n3o!\n").stdout)
        self.assertEqual((grid["generation"], grid["topology"], grid["population"]), (5_000_000_000, "torus", 3))

    def test_writes_patterns_within_coordinates(self):
        glider, out = self.file("g.rle", GLIDER), self.file("out.rle")
        self.ok("run", glider, "-g", "4000", "--kernel", "hashlife", "-o", out)
        self.assertEqual(self.json("run", out, "-g", "0")["hash"], self.json("run", glider, "-g", "4000")["hash"])
        self.refused(1, "beyond coordinates of 2^60", "run", GUN, "-g", "2^70", "--kernel", "hashlife", "-o", out, lines=0, report="generation 1180591620717411303424,")

    def test_trees_of_files_are_not_expanded(self):
        """Two gliders 2^80 cells apart, from file to file."""
        lines = [".*$..*$***$"] + [f"{level} {level - 3} 0 0 0" for level in range(4, 79)]
        far = self.file("far.mc", "[M2] (by hand)\n#C a comment\n#R B3/S23\n#G 12\n" + "\n".join(lines) + "\n79 76 0 0 76\n80 77 0 0 0\n")
        info = self.json("info", far)
        self.assertEqual((info["population"], info["generation"], info["comments"], info["tree"]["level"]), (10, 12, ["a comment"], 80))
        self.assertEqual(info["width"], str(2**78 + 3))
        self.assertEqual(info["position"], [str(-(2**79)), str(1 - 2**79)])
        self.assertIn("different squares", self.ok("info", far).stdout)
        # The content decides, not the name
        data = pathlib.Path(far).read_bytes()
        for name, content in (("far.txt", data), ("packed", gzip.compress(data))):
            nameless, again = self.file(name), self.file("again.mc")
            pathlib.Path(nameless).write_bytes(content)
            self.assertEqual({**self.json("info", nameless), "pattern": far}, {**info, "pattern": far}, name)
            self.ok("convert", nameless, again)
            self.assertEqual(self.json("info", again)["position"], info["position"])
            self.assertEqual(self.json("run", nameless, "-g", "2^70", "--kernel", "hashlife")["population"], 10)
        out, copy = self.file("out.mc.gz"), self.file("copy.mc")
        result = self.json("run", far, "-g", "2^70", "--kernel", "hashlife", "-o", out)
        self.assertEqual((result["population"], result["width"]), (10, str(2**78 + 3)))
        self.assertEqual(self.json("info", out)["position"], [str(2**68 - 2**79), str(1 + 2**68 - 2**79)])
        self.ok("convert", far, copy)
        for key in ("population", "generation", "comments", "width", "position", "rule"):
            self.assertEqual(self.json("info", copy)[key], info[key], key)
        self.assertEqual(self.json("run", far, "-g", "2^70")["width"], str(2**78 + 3))
        # Other kernels, pictures and formats need coordinates of 64 bits
        for command in (("run", far, "-g", "1", "--kernel", "cpu/tiles"), ("run", far, "-g", "1", "--receipt", self.file("r.json")),
                        ("convert", far, self.file("far.rle")), ("render", far, "-o", self.file("far.png")),
                        ("film", far, "-o", self.file("far.gif"), "-g", "3"), ("view", far)):
            self.refused(1, "beyond the coordinate 2^60", *command)
        # The tree under another rule, and in a world with a size
        near = self.file("near.mc", "[M2]\n.*$..*$***$\n4 1 0 0 0\n")
        self.assertEqual(self.json("run", near, "-g", "8", "--kernel", "hashlife", "-r", "B36/S23")["rule"], "B36/S23")
        # The bounded grid of the file holds for another rule
        bounded = self.file("bounded.mc", "[M2]\n#R B3/S23:T32,16\n.*$..*$***$\n4 1 0 0 0\n")
        for options in ((), ("--kernel", "hashlife"), ("--until", "population=5")):
            found = self.json("run", bounded, "-g", "90", "-r", "B36/S23", *options)
            self.assertEqual((found["rule"], found["topology"], found["width"], found["height"]), ("B36/S23", "torus", 32, 16), options)
        klein = self.file("klein.mc", "[M2]\n#R B3/S23:K32,16\n.*$..*$***$\n4 1 0 0 0\n")
        self.refused(1, 'asks for the bounded grid ":K32,16"', "run", klein, "-g", "9", "-r", "B36/S23")
        torus = self.json("run", near, "--size", "64", "--topology", "torus", "-g", "256", "--kernel", "hashlife")
        self.assertEqual(torus["hash"], self.json("run", near, "--size", "64", "--topology", "torus", "-g", "0")["hash"])

    def test_limits_memory(self):
        result = self.json("run", ACORN, "-g", "5206", "--kernel", "hashlife", "--memory", "1M")
        self.assertEqual(result["population"], 633)
        self.assertGreater(result["tree"]["collections"], 0)
        self.assertLess(result["tree"]["bytes"], 1.25 * 2**20)
        self.refused(1, "raise the limit of memory", "run", "--random", "0.5", "--size", "512", "-g", "1000", "--kernel", "hashlife", "--memory", "100K")

    @unittest.skipUnless(GOLLY.is_dir(), "Debian's golly-data is not installed")
    @unittest.skipIf(SANITIZED, "takes long: for builds without a sanitizer")
    def test_populations_are_those_of_bgolly(self):
        """Those of the results of tools/race_hashlife.py, which bgolly and lifelib have computed as well."""
        results = max((pathlib.Path(__file__).parents[2] / "bench" / "results").glob("hashlife-*"), key=lambda path: path.name[-15:])
        rows = {row["pattern"]: row for row in json.loads(results.read_text())["results"]}
        for name, file in RACED.items():
            row = rows[name]
            report = self.json("run", str(GOLLY / file), "-g", row["generations"], "--kernel", "hashlife")
            self.assertEqual(str(report["population"]), row["population"], name)

    @unittest.skipIf(SANITIZED, "sanitizers need more address space")
    def test_needs_little_address_space(self):
        """No address space is reserved: where it is limited, as by ulimit -v or strict overcommit, tables grow all the same."""
        run = ["run", "--random", "0.5", "--size", "1024", "-g", "500", "--kernel", "hashlife"]
        free = self.json(*run)
        limited = self.json(*run, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30)))
        self.assertEqual(limited["hash"], free["hash"])
        self.assertGreater(free["tree"]["bytes"], 2**24)

    def test_explains_and_refuses(self):
        self.assertIn("hashlife on cpu", self.ok("run", ACORN, "-g", "1", "--kernel", "hashlife", "--explain").stderr)
        self.refused(4, "powers of two", "run", "--random", "0.5", "--size", "100", "-g", "1", "--kernel", "hashlife")
        self.refused(4, "edge of a bounded plane", "run", ACORN, "--size", "64", "-g", "1", "--kernel", "hashlife")
        self.refused(2, "does not run on device", "run", ACORN, "--device", "opencl", "-g", "1", "--kernel", "hashlife")
        self.refused(2, "neither bands nor passes", "run", ACORN, "--generations-per-pass", "2", "-g", "1", "--kernel", "hashlife")

    def test_background_of_rules_with_b0(self):
        glider = self.file("g.rle", GLIDER)
        odd = self.json("run", glider, "-r", "B01/S", "-g", "7", "--kernel", "hashlife")
        even = self.json("run", glider, "-r", "B01/S", "-g", "8", "--kernel", "hashlife")
        self.assertEqual((odd.get("background"), even.get("background")), ("alive", None))
        text = self.ok("run", glider, "-r", "B01/S", "-g", "7", "--kernel", "hashlife").stdout
        self.assertIn("dead cells", text)
        self.refused(2, "or HashLife", "run", glider, "-r", "B01/S", "-g", "7", "--kernel", "cpu/bits")
        # A window of such a plane has an end
        window = ("-r", "B01/S", "-g", "7", "--window", "-9,-8,17,15", "-o", "-")
        shown = self.ok("run", glider, "--kernel", "hashlife", *window).stdout
        torus = self.ok("run", glider, "--size", "64", "--topology", "torus", *(word.replace("-9,-8", "23,24") for word in window)).stdout
        cells = lambda text: re.sub(r"(?s).*?\nx = [^\n]*\n|\n", "", text)
        self.assertEqual(cells(shown), cells(torus))
        self.assertGreater(cells(shown).count("o"), 10)

    def test_stops_when_it_is_interrupted(self):
        # Seeds never settles
        soup = self.file("soup.rle")
        self.ok("run", "--random", "0.5", "--size", "300", "-g", "0", "-o", soup)
        process = subprocess.Popen([MOOREA, "run", soup, "-r", "B2/S", "--topology", "unbounded", "-g", "2^60", "--kernel", "hashlife"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: catches(process, signal.SIGINT))
        time.sleep(1)
        output, _ = output_after(process, signal.SIGINT, 120)
        self.assertEqual(process.returncode, 130)
        self.assertIn("generation 0, ", output)


class WithoutANamedKernel(Case):
    def test_numbers_have_any_size(self):
        far = self.json("run", GUN, "-g", "30e30")
        self.assertEqual((far["generation"], far["population"], far["kernel"]), ("3" + 31 * "0", str(36 + 5 * 10**30), "hashlife"))
        change = far["changes"][-1]
        self.assertEqual(change["to"], "hashlife")
        self.assertGreater(change["hashlife_generations_per_second"], change["cells_generations_per_second"])
        self.assertIn("generations/s by hashlife", self.ok("run", GUN, "-g", "2^40", "--explain").stderr)
        self.assertIn("changes hashlife after", self.ok("run", GUN, "-g", "2^40").stdout)
        out = self.file("part.rle")
        self.json("run", GUN, "-g", "2^80", "-o", out, "--window", "-50,-50,100,100")
        near = self.file("near.rle")
        self.json("run", GUN, "-g", "2^80", "--kernel", "hashlife", "-o", near, "--window", "-50,-50,100,100")
        self.assertEqual(pathlib.Path(out).read_text(), pathlib.Path(near).read_text())
        until = self.json("run", GUN, "-g", "2^70", "--until", "box=2^60x2^60")
        self.assertGreaterEqual(int(until["width"]), 2**60)

    def test_files_of_trees_begin_as_trees(self):
        tree = self.file("gun.mc")
        self.ok("run", GUN, "-g", "2^50", "-o", tree)
        result = self.json("run", tree, "-g", "100")
        self.assertEqual((result["generation"], result["kernel"]), (2**50 + 100, "hashlife"))
        self.assertEqual(result["hash"], self.json("run", GUN, "-g", str(2**50 + 100))["hash"])

    def test_a_soup_remains_cells(self):
        soup = self.file("soup.rle")
        self.ok("run", "--random", "0.4", "--size", "512", "-g", "0", "-o", soup)
        result = self.json("run", soup, "--topology", "unbounded", "-g", "3000")
        self.assertNotIn("changes", result)

    def test_says_why_numbers_end(self):
        self.refused(2, "the world has a size", "run", ACORN, "--size", "100", "-g", "2^70")
        self.refused(2, "cpu/strided on cpu was named", "run", ACORN, "--kernel", "cpu/strided", "-g", "2^70")
        self.refused(2, "with --populations generations end", "run", ACORN, "--populations", self.file("p.csv"), "-g", "2^70")
        self.refused(2, "are born under B0/S23", "run", ACORN, "-r", "B0/S23", "-g", "2^70")


if __name__ == "__main__":
    unittest.main()
