#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea identify: published facts of patterns, the objects of the Life Lexicon, errors."""
import hashlib
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from command_case import Case, SANITIZED, moorea
from programs import MOOREA

SOURCE = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(SOURCE / "tools"))
import life_lexicon  # noqa: E402

PATTERNS = SOURCE / "patterns"
GUNS = pathlib.Path("/usr/share/golly/Patterns/Life/Guns")
# The lexicon's text and its drawing do not show the same thing
OTHERWISE = {
    "ants": "a wick, whose end burns",
    "boojum reflector": "drawn with the glider that it reflects",
    "buckaroo": "drawn with the glider that it reflects",
    "eater5": "drawn with the gliders that it eats",
    "natural Heisenburp": "drawn with a glider that passes",
    "p11 bumper": "drawn with the glider that it reflects",
    "p4 bumper": "drawn with the glider that it reflects",
    "p5 bouncer": "drawn with the glider that it reflects",
    "p6 bouncer": "drawn with the glider that it reflects",
    "p6 bumper": "drawn with the glider that it reflects",
    "p7 bouncer": "drawn with the glider that it reflects",
    "p7 bumper": "drawn with the glider that it reflects",
    "PPS": "drawn without its spiders",
    "Simkin glider gun": "the streams of this variant, with a snake, repeat every 240 generations",
}


def identify(name, *options):
    return json.loads(moorea("identify", str(PATTERNS / name), "--json", *options).stdout)


def census(found):
    return {entry["name"]: entry["count"] for entry in found["census"]}


def code_of_populations(name, first, period):
    """The apgcode of a pattern whose cells recur together with others in this period, from its populations."""
    lines = moorea("run", str(PATTERNS / name), "-g", str(first + 4 * period), "--populations", "-", "--quiet").stdout.splitlines()
    numbers = [int(line.split(",")[1]) for line in lines if line[:1].isdigit()][first:]
    p = next(p for p in range(1, period + 1) if all(numbers[i] + numbers[i + 2 * p] == 2 * numbers[i + p] for i in range(2 * period)))
    growths = [numbers[i + p] - numbers[i] for i in range(2 * period)]
    q = next(q for q in range(1, period + 1) if all(growths[i] == growths[i + q] for i in range(period)))
    first_power, squares, cubes = (sum((numbers[i + q] - numbers[i]) ** power for i in range(p)) for power in (1, 2, 3))
    return f"yl{p}_{q}_{first_power}_" + hashlib.md5(f"{squares}#{cubes}".encode()).hexdigest()


class Identify(Case):
    def test_methuselahs(self):
        acorn = identify("acorn.rle")
        self.assertEqual((acorn["kind"], acorn["settled"], acorn["population"]), ("methuselah", 5206, 633))
        self.assertEqual(census(acorn), {"blinker": 41, "block": 34, "beehive": 30, "glider": 13, "boat": 8, "loaf": 5, "ship": 3, "barge": 2, "pond": 2, "mango": 1})
        self.assertEqual((identify("r-pentomino.rle")["settled"], census(identify("r-pentomino.rle"))),
                         (1103, {"block": 8, "glider": 6, "blinker": 4, "beehive": 4, "boat": 1, "ship": 1, "loaf": 1}))
        self.assertEqual(identify("rabbits.rle")["settled"], 17331)
        self.assertEqual((identify("diehard.rle")["kind"], identify("diehard.rle")["settled"]), ("dies", 130))

    def test_what_grows(self):
        gun = identify("gosper-glider-gun.rle")
        self.assertEqual((gun["kind"], gun["period"], census(gun), gun["name"]), ("gun", 30, {"glider": 1}, "Gosper glider gun"))
        self.assertEqual(gun["apgcode"], code_of_populations("gosper-glider-gun.rle", 300, 30))
        gun = identify("simkin-glider-gun.rle")
        self.assertEqual((gun["kind"], gun["period"], census(gun)), ("gun", 120, {"glider": 1}))
        # A block-laying switch engine: c/12 and eight blocks
        engine = identify("five-by-five-growth.rle")
        self.assertEqual((engine["kind"], engine["period"], engine["speed"], census(engine)), ("puffer", 288, "c/12 diagonal", {"block": 8}))
        self.assertEqual((engine["apgcode"], engine["name"]), ("yl144_1_16_afb5f3db909e60548f086e22ee3353ac", "block-laying switch engine"))
        self.assertEqual(engine["apgcode"], code_of_populations("five-by-five-growth.rle", 1000, 288))
        # A glider-producing one of a soup, some of whose gliders are faster than it and fly beyond the edges of its box
        soup = "6b2o2b4o$3bobo3bobobo$2o2b2obo2b2ob3o$ob4ob4ob3o$4bobo2bob2o$2o5bob3obobo$b2o3bo3b3ob2o$5bobobo3bobo$3bobo2b5o$bobobo5b5o$b2o2bobobo4bo$4ob4ob2obobo$4bobo2b2o2b2o$2o3b2ob2o3bo$2bobo2bo3b2o2bo$obo5bo2bob3o!"
        with tempfile.NamedTemporaryFile("w", suffix=".rle") as file:
            file.write(f"x = 16, y = 16, rule = B3/S23\n{soup}\n")
            file.flush()
            engine = identify(file.name)
        self.assertEqual((engine["kind"], engine["period"], engine["speed"]), ("puffer", 384, "c/12 diagonal"))
        self.assertEqual((engine["apgcode"], engine["name"]), ("yl384_1_59_7aeb1999980c43b4945fb7fcdb023326", "glider-producing switch engine"))
        engines = identify("one-row-growth.rle")
        self.assertEqual((engines["kind"], engines["period"], engines["speed"]), ("puffer", 288, ""))
        self.assertEqual(engines["apgcode"], code_of_populations("one-row-growth.rle", 2000, 288))
        self.assertIn("puffer: block-laying switch engine, period 288", moorea("identify", str(PATTERNS / "five-by-five-growth.rle")).stdout)

    def test_published_guns_and_rakes(self):
        """Patterns of Golly, with the periods and speeds that their files and names state: gliders that fly between the parts for thousands of
        generations, streams that cross, spaceships whose phases have different populations, convoys with sparks inside of the engine."""
        if not GUNS.is_dir():
            self.skipTest("Golly's patterns are not installed (Debian package golly)")
        for name, kind, period, speed, emitted in (
                ("Guns/gun-p165mwss", "gun", 165, "", {"middleweight spaceship": 1}),
                ("Guns/vacuum-cleaner", "gun", 46, "", {"glider": 2}),
                ("Guns/period-52-glider-gun", "gun", 52, "", {"glider": 1}),
                ("Guns/p59-gun-with-Snark-reflectors", "gun", 59, "", {"glider": 1}),
                ("Rakes/2c5-engineless-rake-p185", "rake", 185, "2c/5 orthogonal", {"glider": 1}),
                ("Rakes/c3-forward-rake-p159", "rake", 159, "c/3 orthogonal", {"glider": 1}),
                ("Rakes/c5-adjustable-rake", "rake", 165, "c/5 orthogonal", {"glider": 1}),
                ("Rakes/forward-LWSS-rake-p90", "rake", 90, "c/3 orthogonal", {"middleweight spaceship": 1}),
                ("Rakes/2c5-spaceship-rake-p240", "rake", 240, "c/2 orthogonal", {"60P5H2V0": 1}),
                ("Rakes/p270-frothing-puffer-rake", "rake", 270, "c/3 orthogonal", {"glider": 1}),
                ("Rakes/spider-rake", "rake", 360, "c/5 orthogonal", {"glider": 1})):
            if SANITIZED and "rake-p" in name and kind == "rake":
                continue  # large ones, which take a minute there
            found = json.loads(moorea("identify", str(GUNS.parent / f"{name}.rle"), "--json", "-g", "6000").stdout)
            self.assertEqual((found["kind"], found["period"], found["speed"], census(found)), (kind, period, speed, emitted), name)
            if name in ("Guns/gun-p165mwss", "Rakes/2c5-engineless-rake-p185", "Rakes/forward-LWSS-rake-p90"):
                self.assertEqual(found["apgcode"], code_of_populations(str(GUNS.parent / f"{name}.rle"), 3000, 2 * period), name)

        # Guns whose streams end in eaters are oscillators
        for name, kind, period in (("pseudo-p34-gun", "object", 102), ("loafer-gun-p210", "settles", 210), ("p690-PT-Cordership-gun", "settles", 690)):
            found = json.loads(moorea("identify", str(GUNS / f"{name}.rle"), "--json", "-g", "20000").stdout)
            self.assertEqual((found["kind"], found["period"], len(found["census"])), (kind, period, 1), name)
            after = [self.json("run", str(GUNS / f"{name}.rle"), "-g", str(found["settled"] + extra))["hash"] for extra in (0, period)]
            self.assertEqual(after[0], after[1], name)

    def test_objects_of_the_lexicon(self):
        """200 published objects: name, period and speed."""
        if not life_lexicon.FOLDER.is_dir():
            self.skipTest("the Life Lexicon is not installed (Debian package golly)")
        checked = 0
        for entry in life_lexicon.objects():
            if checked == 200:
                break
            found = life_lexicon.identify(MOOREA, entry.cells)
            if entry.name in OTHERWISE:
                continue
            checked += 1
            self.assertEqual((found["period"], found["speed"]), (entry.period, entry.speed), entry.name)
            if found["kind"] == "object" and found["census"][0]["name"] != entry.name:
                # An object with two names, of which the list has one
                self.assertNotEqual(found["census"][0]["name"], "" if found["census"][0]["apgcode"] else None, entry.name)
        self.assertEqual(checked, 200)
        # Entries with several drawings have names too
        names = [census(identify(name)) for name in ("loafer.rle",)]
        self.assertEqual(names, [{"loafer": 1}])

    def test_isotropic_rules(self):
        """In tlife, B3/S2-i34q, the T-tetromino is a spaceship (LifeWiki, "OCA:tlife")."""
        path = self.file("t.rle", "x = 3, y = 2, rule = B3/S2-i34q\n3o$bo!\n")
        found = json.loads(moorea("identify", path, "--json").stdout)
        self.assertEqual((found["kind"], found["period"], found["speed"], found["apgcode"], found["name"]), ("object", 5, "c/5 orthogonal", "xq5_27", ""))
        soup = self.file("soup.rle")
        self.ok("run", "--random", "0.4", "--seed", "1", "--size", "40", "-g", "0", "-o", soup)
        found = json.loads(moorea("identify", soup, "--rule", "B3/S2-i34q", "--json").stdout)
        until = self.json("run", soup, "--rule", "B3/S2-i34q", "--topology", "unbounded", "--until", "settled")
        self.assertEqual((until["generation"], until["population"]), (found["settled"], found["population"]))

    def test_text(self):
        self.assertEqual(moorea("identify", str(PATTERNS / "glider.rle")).stdout, "spaceship: glider, period 4, c/4 diagonal\npopulation  5\napgcode     xq4_153\n")
        text = moorea("identify", str(PATTERNS / "acorn.rle")).stdout
        self.assertIn("methuselah, settles at generation 5206 with 633 live cells\n", text)
        self.assertRegex(text, r"\n +41  blinker +period 2 +xp2_7\n")
        text = moorea("identify", str(PATTERNS / "acorn.rle"), "-g", "1k").stdout
        self.assertRegex(text, r"^not identified within 1000 generations: \d+ live cells\n$")

    def test_errors(self):
        glider = str(PATTERNS / "glider.rle")
        self.refused(2, "B0", "identify", glider, "--rule", "B0/S23")
        self.refused(2, 'remove ":T30,20" from the rule', "identify", glider, "--rule", "B3/S23:T30,20")
        self.refused(1, "nothing.rle: cannot open", "identify", str(PATTERNS / "nothing.rle"))
        self.refused(2, "--generations", "identify", glider, "-g", "many")
        self.refused(2, "--max-period", "identify", glider, "--max-period", "-1")

    def test_interruption(self):
        """Ctrl-C ends the search, and what is known is printed."""
        replicator = str(PATTERNS / "highlife-replicator.rle")
        with subprocess.Popen([MOOREA, "identify", replicator, "-g", "100M"], stdout=subprocess.PIPE, text=True) as search:
            time.sleep(0.5)
            search.send_signal(signal.SIGINT)
            text = search.stdout.read()
        self.assertEqual(search.returncode, 130)
        self.assertRegex(text, "^not identified within ")


if __name__ == "__main__":
    unittest.main()
