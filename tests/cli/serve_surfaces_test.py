#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""moorea serve of a surface without a browser: its geometry, its cells in time, and what would change its mesh."""
import http.client
import struct
import subprocess
import zlib

import shard
from programs import MOOREA
from serve_case import Case, GLIDER_RLE

NONE = 0xFFFFFFFF


class Surfaces(Case):
    def surface(self, mesh, *arguments, token=None):
        """A client that sees the whole of a surface."""
        self.start("--mesh", mesh, *(arguments or ("--random", "0")))
        client = self.join(token)
        state = client.update()
        client.look(0, 0, state["width"], state["height"])
        return client

    def geometry(self, client):
        """The mesh's name, points and faces, which have three or four corners."""
        client.say("mesh")
        event, data = client.until("mesh")
        data = zlib.decompress(data) if event["deflated"] else data
        self.assertEqual(len(data), 12 * event["points"] + 16 * event["faces"])
        points = list(struct.iter_unpack("<3f", data[:12 * event["points"]]))
        faces, before = [], (0, 0, 0, 0)
        for change in struct.iter_unpack("<4I", data[12 * event["points"]:]):
            before = tuple((a + b) % 2**32 for a, b in zip(before, change))
            faces.append([corner for corner in before if corner != NONE])
        return event["name"], points, faces

    def euler_characteristic(self, points, faces):
        """Of a closed surface: each of its edges must be one of two faces."""
        edges = {}
        for face in faces:
            self.assertEqual(len(set(face)), len(face))
            for a, b in zip(face, face[1:] + face[:1]):
                edges.setdefault(frozenset((a, b)), []).append(face)
        self.assertEqual({len(of) for of in edges.values()}, {2})
        self.assertEqual(set().union(*faces), set(range(len(points))))
        return len(points) - len(edges) + len(faces)

    def test_the_geometry_is_that_of_the_mesh(self):
        for mesh, number, corners, characteristic in (("torus:9x5", 45, 4, 0), ("klein:8x6", 48, 4, 0), ("sphere:3", 54, 4, 2), ("icosphere:2", 80, 3, 2)):
            name, points, faces = self.geometry(self.surface(mesh))
            self.assertEqual((name, len(faces), {len(face) for face in faces}), (mesh, number, {corners}))
            self.assertEqual(self.euler_characteristic(points, faces), characteristic, mesh)
            self.serve.stop()

    def test_a_file_is_called_without_its_folder(self):
        path = self.folder / "tetrahedron.obj"
        path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        client = self.surface(str(path))
        self.assertEqual(client.state["mesh"], "tetrahedron.obj")
        name, points, faces = self.geometry(client)
        self.assertEqual((name, points), ("tetrahedron.obj", [(0, 0, 0), (1, 0, 0), (0, 0, 1), (0, -1, 0)]))  # up is y in the file, z in a mesh
        self.assertEqual(faces, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])

    def test_an_audience_may_fetch_it_and_a_flat_world_has_none(self):
        self.surface("torus:9x5")
        audience = self.join(self.serve.audience)
        self.assertEqual(len(self.geometry(audience)[2]), 45)
        self.serve.stop()
        flat = self.empty()
        flat.say("mesh")
        self.assertIn("flat", flat.until("error")[0]["text"])

    def test_a_mesh_that_no_browser_shows_is_refused(self):
        result = subprocess.run([MOOREA, "serve", "--port", "0", "--mesh", "torus:2048x1025"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("torus:2048x1025 has 2099200 faces, and a browser shows 2097152 at most", result.stderr)

    def test_noise_by_default(self):
        client = self.surface("torus:40x30", "--seed", "3")
        client.update()
        self.assertEqual(client.cells(), self.run_cells(0, "--mesh", "torus:40x30", "--random", "0.3", "--seed", "3"))

    def test_time_travel_stays_on_the_surface(self):
        noise = ("--mesh", "klein:24x16", "--random", "0.4", "--seed", "5")
        client = self.surface(*noise[1:])
        for generation in (30, 7, 0, 12):
            client.say("go", generation=generation)
            client.update(lambda state: state["generation"] == generation and not state["busy"])
            self.assertEqual(client.state["topology"], "surface")
            self.assertEqual(client.cells(), self.run_cells(generation, *noise), generation)
        client.say("draw", cells=[3, 4], state=1, first=True)
        client.say("clear", x=0, y=0, width=24, height=16)
        client.update(lambda state: state["population"] == 0)
        client.say("undo")
        client.say("undo")
        client.update(lambda state: state["redo"] and state["population"] > 0)
        self.assertEqual(client.cells(), self.run_cells(12, *noise))
        client.say("step", generations=8)
        client.update(lambda state: state["generation"] == 20)
        self.assertEqual(client.cells(), self.run_cells(20, *noise))
        client.say("engine", device="auto", kernel="cpu/mesh/01_structures")
        client.say("step", generations=5)
        client.update(lambda state: state["generation"] == 25)
        self.assertEqual((client.state["kernel"], client.cells()), ("cpu/mesh/01_structures", self.run_cells(25, *noise)))

    def test_its_size_and_edges_stay(self):
        client = self.surface("sphere:8")
        for what, members, why in (("make", {"topology": "torus", "width": 64, "height": 64, "density": 0.5, "seed": 1}, "--mesh"),
                                   ("make", {"topology": "unbounded", "density": 0, "seed": 1}, "--mesh"),
                                   ("resize", {"topology": "plane", "width": 64, "height": 64}, "--mesh"),
                                   ("rule", {"rule": "B36/S23:T50"}, "--mesh")):
            client.say(what, **members)
            self.assertIn(why, client.until("error")[0]["text"])
            state = client.update()
            self.assertEqual([state[name] for name in ("topology", "mesh", "width", "height", "rule", "population")], ["surface", "sphere:8", 8, 48, "B3/S23", 0])
        client.say("check", rule="B36/S23:T50")
        self.assertIn("mesh", client.until("rule")[0]["error"])
        client.say("make", topology="surface", density=0.5, seed=7)
        client.say("rule", rule="HighLife")
        client.update(lambda state: state["rule"] == "B36/S23" and state["population"] > 0)
        self.assertEqual(client.cells(), self.run_cells(0, "--mesh", "sphere:8", "--random", "0.5", "--seed", "7"))
        client.say("step", generations=6)
        client.update(lambda state: state["generation"] == 6)
        self.assertEqual(client.cells(), self.run_cells(6, "--mesh", "sphere:8", "--random", "0.5", "--seed", "7", "--rule", "HighLife"))
        self.serve.stop()
        flat = self.empty()
        flat.say("make", topology="surface", density=0.5, seed=7)
        self.assertIn("--mesh", flat.until("error")[0]["text"])

    def test_files(self):
        client = self.surface("torus:20x12")
        path = self.folder / "glider.rle"
        path.write_bytes(GLIDER_RLE)
        client.say_bytes("open", GLIDER_RLE, name="glider.rle")
        client.update(lambda state: state["population"] == 5)
        self.assertEqual((client.state["topology"], client.state["mesh"], client.state["name"]), ("surface", "torus:20x12", "glider.rle"))
        start = self.run_cells(0, "--mesh", "torus:20x12", str(path))
        self.assertEqual(client.cells(), start)
        client.say("step", generations=80)  # around the torus
        client.update(lambda state: state["generation"] == 80)
        around = self.run_cells(80, "--mesh", "torus:20x12", str(path))
        self.assertEqual(client.cells(), around)
        client.say("save", format="rle")
        client.say_bytes("open", client.until("file")[1], name="saved.rle")
        client.update(lambda state: not state["generation"] < state["first"] and state["first"] == 80)
        self.assertEqual(client.cells(), around)
        client.say("undo")
        client.say("reset")
        client.update(lambda state: state["generation"] == 0)
        self.assertEqual(client.cells(), start)
        client.say_bytes("paste", GLIDER_RLE, x=2, y=3)
        client.update(lambda state: state["population"] == 10)
        client.say_bytes("open", b"x = 100, y = 1\n100o!\n", name="long.rle")
        self.assertIn("does not fit", client.until("error")[0]["text"])
        self.assertEqual(client.update()["population"], 10)

    def test_kernels_of_flat_worlds_are_not_offered(self):
        client = self.surface("torus:20x12")
        client.say("kernels")
        runs = {kernel["name"]: kernel["runs"] for kernel in client.until("kernels")[0]["kernels"]}
        self.assertTrue(runs["cpu/mesh/words"])
        self.assertFalse(runs["cpu/bits"])

    def test_three_js_is_a_file_of_its_own(self):
        client = self.surface("torus:20x12")
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
        connection.request("GET", "/three.min.js")
        answer = connection.getresponse()
        body = answer.read()
        if not client.hello["three"]:
            self.skipTest("this build has no three.js")
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "text/javascript; charset=utf-8"))
        self.assertIn(b"WebGLRenderer", body)


if __name__ == "__main__":
    shard.main()
