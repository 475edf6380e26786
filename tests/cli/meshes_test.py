#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Worlds on surfaces: generated meshes, OBJ files, and what is wrong with them."""
import json
import unittest

import pixels
import shard
from command_case import Case, moorea


class Meshes(Case):
    GLIDER = "x = 3, y = 3\nbo$2bo$3o!\n"

    def run_json(self, *options):
        return json.loads(self.ok("run", "--json", *options).stdout)

    def test_a_torus_of_quads_is_the_flat_torus(self):
        noise = ("--random", "0.4", "--seed", "3", "-g", "200")
        flat = self.run_json(*noise, "--size", "96x40", "--topology", "torus")
        for mesh in ("torus:96x40", "torus:96x40:shuffled"):
            surface = self.run_json(*noise, "--mesh", mesh)
            self.assertEqual((surface["topology"], surface["mesh"], surface["adjacency"]), ("surface", mesh, "vertex"))
            if mesh.endswith("0"):
                self.assertEqual((surface["hash"], surface["population"]), (flat["hash"], flat["population"]))
        glider = self.file("glider.rle", self.GLIDER)
        around = self.run_json(glider, "--mesh", "torus:20x20", "-g", "80")
        self.assertEqual(around["hash"], self.run_json(glider, "--mesh", "torus:20x20", "-g", "0")["hash"])

    def test_adjacency_and_numbering_change_what_they_say(self):
        noise = ("--random", "0.4", "--mesh", "icosphere:9", "--rule", "B2/S34", "-g", "30")
        by_vertex = self.run_json(*noise)
        by_edge = self.run_json(*noise, "--adjacency", "edge")
        self.assertNotEqual(by_vertex["hash"], by_edge["hash"])
        for numbering in ("given", "strips", "cuthill-mckee", "shuffled"):
            self.assertEqual(self.run_json(*noise, "--kernel", "cpu/mesh/words", "--numbering", numbering)["hash"], by_vertex["hash"])

    def test_facts(self):
        facts = json.loads(self.ok("info", "--json", "--mesh", "sphere:8").stdout)
        self.assertEqual({key: facts[key] for key in ("faces", "euler_characteristic", "orientable", "components", "least_neighbours", "most_neighbours")},
                         {"faces": 384, "euler_characteristic": 2, "orientable": True, "components": 1, "least_neighbours": 7, "most_neighbours": 8})
        self.assertIn("not orientable; Euler characteristic 0", self.ok("info", "--mesh", "klein:12x8").stdout)
        two = self.file("two.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 6 1 0\nf 1 2 3\nf 4 5 7 6\n")
        text = self.ok("info", "--mesh", two, "--adjacency", "edge").stdout
        self.assertIn("2: 1 triangles, 1 quads", text)
        self.assertIn("2 components", text)
        self.assertIn("0 to 0 of a face, by edges", text)

    def test_kernels_agree(self):
        for kernel in ("cpu/mesh/words", "cpu/mesh/02_arrays"):
            self.assertIn("agree up to generation 70", self.ok("verify", "--mesh", "double-torus:4", "--random", "0.4", "--kernel", kernel, "-g", "70").stdout)

    def test_pictures(self):
        picture = self.file("torus.png")
        drawn = json.loads(self.ok("render", "--json", "--mesh", "torus:48x20", "--random", "0.3", "-g", "10", "-o", picture, "--fit", "300").stdout)
        self.assertEqual((drawn["width"], drawn["height"], drawn["generation"]), (300, 224, 10))
        first = pixels.pixels_of(picture)
        background = first[0][0]
        inside = [pixel for row in first for pixel in row if pixel != background]
        self.assertGreater(len(inside), 300 * 224 // 8)
        self.assertGreater(len(set(inside)), 30)
        for options in (("--camera", "80,10"), ("--camera", "30,30,2"), ("--show", "age"), ("--palette", "ink")):
            self.ok("render", "--mesh", "torus:48x20", "--random", "0.3", "-g", "10", "-o", picture, "--fit", "300", *options)
            self.assertNotEqual(pixels.pixels_of(picture), first, options)
        film = self.file("sphere.gif")
        told = json.loads(self.ok("film", "--json", "--mesh", "icosphere:6", "--random", "0.3", "-g", "11", "--every", "2", "--fit", "120", "-o", film).stdout)
        self.assertEqual((told["frames"], told["width"], told["height"]), (6, 120, 90))
        draw = ("render", "--random", "0.3", "-o", picture)
        self.refused(2, "--camera is for surfaces", *draw, "--size", "8x8", "--camera", "1,2")
        for text in ("1", "1,", "1,2,3,4", "a,b", ",1"):
            self.refused(2, f'--camera "{text}"', *draw, "--mesh", "torus:8x8", f"--camera={text}")
        self.refused(2, "elevation of -90 to 90", *draw, "--mesh", "torus:8x8", "--camera", "0,100")
        self.refused(2, "are for flat pictures", *draw, "--mesh", "torus:8x8", "--view", "0,0,4,4")

    def test_bench(self):
        document = json.loads(self.ok("bench", "--json", "--mesh", "torus:64x48,torus:64x48:shuffled", "--kernel", "cpu/mesh/02_arrays,cpu/mesh/words",
                                      "--numbering", "given,strips", "--threads", "1", "--budget", "0.01", "--rounds", "1").stdout)
        rows = {(row["mesh"], row["kernel"], row["numbering"]): row for row in document["results"]}
        self.assertEqual(len(rows), 8)
        for row in rows.values():
            self.assertEqual((row["topology"], row["adjacency"], row["checked_with"]), ("surface", "vertex", "cpu/mesh/01_structures"))
            self.assertAlmostEqual(row["bytes_per_second"], row["bytes_per_cell"] * row["cells_per_second"], delta=row["bytes_per_second"] * 1e-6)
        words = {mesh: {numbering: rows[mesh, "cpu/mesh/words", numbering]["bytes_per_cell"] for numbering in ("given", "strips")}
                 for mesh in ("torus:64x48", "torus:64x48:shuffled")}
        # Along strips a shuffled torus moves as little as one in order; without, a whole list of neighbours per face
        self.assertLess(words["torus:64x48:shuffled"]["strips"], 3.5)
        self.assertGreater(words["torus:64x48:shuffled"]["given"], 32)
        self.assertLess(words["torus:64x48"]["given"], 3.5)
        self.assertGreater(rows["torus:64x48", "cpu/mesh/02_arrays", "given"]["bytes_per_cell"], 34)
        everything = json.loads(self.ok("bench", "--json", "--mesh", "icosphere:4", "--threads", "1", "--budget", "0.01", "--rounds", "1").stdout)
        self.assertTrue(all("/mesh/" in row["kernel"] for row in everything["results"]))
        self.refused(2, "leave --size and --topology out", "bench", "--mesh", "sphere:4", "--size", "64")
        self.refused(2, "--adjacency is for surfaces", "bench", "--adjacency", "edge", "--size", "64")
        self.refused(2, "has no configurable numbering", "bench", "--kernel", "cpu/bits", "--numbering", "strips", "--size", "64")
        flat = moorea("bench", "--kernel", "cpu/bits", "--mesh", "sphere:4")
        self.assertEqual((flat.returncode, "it supports no meshes" in flat.stderr), (4, True), flat.stderr)

    def test_what_is_wrong(self):
        noise = ("run", "--random", "0.5", "-g", "1")
        self.refused(2, "leave --size and --topology out", *noise, "--mesh", "sphere:4", "--size", "8x8")
        self.refused(2, "leave the bounded grid out of --rule", *noise, "--mesh", "sphere:4", "--rule", "B3/S23:T8")
        self.refused(2, "--adjacency is for surfaces", *noise, "--size", "8x8", "--adjacency", "edge")
        self.refused(2, "adjacency \"corner\": expected vertex or edge", *noise, "--mesh", "sphere:4", "--adjacency", "corner")
        self.refused(2, "numbering \"random\": expected given", *noise, "--mesh", "sphere:4", "--numbering", "random")
        self.refused(2, "expected torus:WxH", *noise, "--mesh", "cube:4")
        self.refused(2, "no configurable numbering", *noise, "--size", "8x8", "--kernel", "cpu/bits", "--numbering", "strips")
        self.refused(4, "it supports no meshes", *noise, "--mesh", "sphere:4", "--kernel", "cpu/bits")
        self.refused(4, "needs quads in rows and columns", *noise, "--mesh", "sphere:4", "--kernel", "cpu/mesh/03_two_steps")
        self.refused(1, "No such file", *noise, "--mesh", str(self.folder / "none.obj"))
        for text, cause in (("", "no face of three or four corners"), ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2\n", "degenerate"),
                            ("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 2\nf 1 2 3\nf 1 2 4\nf 1 2 5\n", "share an edge")):
            result = self.refused(1, cause, *noise, "--mesh", self.file("bad.obj", text))
            self.assertIn("bad.obj", result.stderr)
        self.refused(2, "expected one of a pattern, --rule, --mesh and --rules", "info", "--mesh", "sphere:4", "--rules")
        self.refused(2, "--adjacency is for --mesh", "info", "--adjacency", "edge")


if __name__ == "__main__":
    shard.main()
