#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the meshes of the folder meshes/: a trefoil knot of quads, and a rock of irregular triangles.

usage: tools/make_meshes.py [FOLDER]"""
import math
import pathlib
import random
import sys


def subtract(a, b):
    return tuple(x - y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def unit(a):
    length = math.sqrt(dot(a, a))
    return tuple(x / length for x in a)


def trefoil(along=160, across=14, radius=0.42):
    """A tube around a trefoil knot."""
    def centre(t):
        return (math.sin(t) + 2 * math.sin(2 * t), math.cos(t) - 2 * math.cos(2 * t), -math.sin(3 * t))

    points, faces = [], []
    for i in range(along):
        t = 2 * math.pi * i / along
        tangent = unit(subtract(centre(t + 1e-4), centre(t - 1e-4)))
        # The direction away from the axis of the knot turns with it, so that the tube closes
        side = unit(cross(tangent, (centre(t)[0], centre(t)[1], 0)))
        other = cross(tangent, side)
        for j in range(across):
            angle = 2 * math.pi * j / across
            points.append(tuple(c + radius * (math.cos(angle) * s + math.sin(angle) * o) for c, s, o in zip(centre(t), side, other)))
    for i in range(along):
        for j in range(across):
            a, b = i * across, (i + 1) % along * across
            faces.append((a + j, b + j, b + (j + 1) % across, a + (j + 1) % across))
    return points, faces


def hull(points):
    """Triangles of the convex hull of points on a sphere, point by point."""
    faces = [(0, 1, 2), (0, 2, 1)]
    for new in range(3, len(points)):
        seen = [f for f in faces
                if dot(cross(subtract(points[f[1]], points[f[0]]), subtract(points[f[2]], points[f[0]])), subtract(points[new], points[f[0]])) > 1e-12]
        edges = {(f[k], f[(k + 1) % 3]) for f in seen for k in range(3)}
        faces = [f for f in faces if f not in set(seen)]
        faces += [(a, b, new) for a, b in sorted(edges) if (b, a) not in edges]
    return faces


def rock(number=700):
    """The convex hull of random points on a sphere, which are then moved in and out."""
    chance = random.Random(5)
    sphere = []
    while len(sphere) < number:
        point = tuple(chance.gauss(0, 1) for _ in range(3))
        point = unit(point)
        # Points keep a distance, so that no triangle is a needle
        if all(dot(subtract(point, other), subtract(point, other)) > 4.5 / number for other in sphere):
            sphere.append(point)
    faces = hull(sphere)
    waves = [(unit(tuple(chance.gauss(0, 1) for _ in range(3))), chance.uniform(1.5, 4), chance.uniform(0, 6)) for _ in range(9)]
    return [tuple(x * (1 + sum(0.05 * math.sin(f * dot(d, p) + s) for d, f, s in waves)) for x in p) for p in sphere], faces


def write(path, title, mesh):
    points, faces = mesh
    lines = [f"# {title}, made by tools/make_meshes.py"]
    lines += ["v " + " ".join(f"{x:.5f}" for x in point) for point in points]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    path.write_text("\n".join(lines) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "meshes")
    write(folder / "trefoil.obj", "Trefoil knot of quads", trefoil())
    write(folder / "rock.obj", "Rock of irregular triangles", rock())


if __name__ == "__main__":
    main()
