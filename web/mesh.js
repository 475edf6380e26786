// SPDX-License-Identifier: MIT
// The geometry of a surface: from the bytes of moorea serve to the arrays that WebGL draws. Each face has corners of
// its own, so that neighbours can have different colours.

const none = 0xffffffff;  // the fourth corner of a triangle

/** Reads points (three floats each) and faces (four corners each, as differences from the face before). */
export function readMesh({ points, faces }, bytes) {
  const buffer = bytes.slice().buffer;
  const corners = new Uint32Array(buffer, 12 * points, 4 * faces);
  for (let i = 4; i < corners.length; ++i) corners[i] += corners[i - 4];
  return { points: new Float32Array(buffer, 0, 3 * points), corners, faces };
}

function length(x, y, z) { return Math.sqrt(x * x + y * y + z * z); }

/** Moves the middle to 0 and scales the points into a sphere of radius 1. */
function normalise(points) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; ++i) {
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  const middle = low.map((from, axis) => (from + high[axis]) / 2);
  let radius = 0;
  for (let i = 0; i < points.length; i += 3) radius = Math.max(radius, length(points[i] - middle[0], points[i + 1] - middle[1], points[i + 2] - middle[2]));
  for (let i = 0; i < points.length; ++i) points[i] = (points[i] - middle[i % 3]) / (radius || 1);
}

/** Normals of the faces, as long as twice their area; of a quad by its diagonals. */
function normalsOf({ points, corners, faces }) {
  const normals = new Float32Array(3 * faces), u = [0, 0, 0], v = [0, 0, 0];
  for (let face = 0; face < faces; ++face) {
    const a = corners[4 * face], b = corners[4 * face + 1], c = corners[4 * face + 2], d = corners[4 * face + 3];
    const triangle = d === none;
    for (let axis = 0; axis < 3; ++axis) {
      u[axis] = points[3 * (triangle ? b : c) + axis] - points[3 * a + axis];
      v[axis] = points[3 * (triangle ? c : d) + axis] - points[3 * (triangle ? a : b) + axis];
    }
    normals[3 * face] = u[1] * v[2] - u[2] * v[1];
    normals[3 * face + 1] = u[2] * v[0] - u[0] * v[2];
    normals[3 * face + 2] = u[0] * v[1] - u[1] * v[0];
  }
  return normals;
}

// Sum of the normals around each point. Faces of a surface that is not orientable may face each other's backs: each is
// added with the sign that agrees with those before.
function smooth({ points, corners }, normals) {
  const sums = new Float32Array(points.length);
  for (let i = 0; i < corners.length; ++i) {
    if (corners[i] === none) continue;
    const to = 3 * corners[i], from = 3 * (i >> 2);
    const agrees = sums[to] * normals[from] + sums[to + 1] * normals[from + 1] + sums[to + 2] * normals[from + 2] >= 0 ? 1 : -1;
    for (let axis = 0; axis < 3; ++axis) sums[to + axis] += agrees * normals[from + axis];
  }
  return sums;
}

/** Arrays by vertex: `position`, `normal` (signed bytes), `face`, `side` (distance from the four sides, 0 to 255), and
 * `index`, three vertices a triangle. `area` is that of all faces. Moves the points. */
export function arraysOf(mesh) {
  const { points, corners, faces } = mesh;
  normalise(points);
  const normals = normalsOf(mesh), sums = smooth(mesh, normals);
  let triangles = 0;
  for (let face = 0; face < faces; ++face) triangles += corners[4 * face + 3] === none ? 1 : 2;
  const vertices = 2 * faces + triangles;
  const position = new Float32Array(3 * vertices), normal = new Int8Array(4 * vertices), face = new Float32Array(vertices);
  const side = new Uint8Array(4 * vertices), index = new Uint32Array(3 * triangles);
  const quadSides = [[0, 255, 255, 0], [0, 0, 255, 255], [255, 0, 0, 255], [255, 255, 0, 0]];
  const triangleSides = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]];
  let vertex = 0, at = 0, area = 0;
  for (let i = 0; i < faces; ++i) {
    const number = corners[4 * i + 3] === none ? 3 : 4;
    const x = normals[3 * i], y = normals[3 * i + 1], z = normals[3 * i + 2];
    area += length(x, y, z) / 2;
    for (let corner = 0; corner < number; ++corner) {
      const to = vertex + corner, from = 3 * corners[4 * i + corner];
      const agrees = sums[from] * x + sums[from + 1] * y + sums[from + 2] * z < 0 ? -1 : 1;
      const scale = 127 * agrees / (length(sums[from], sums[from + 1], sums[from + 2]) || 1);
      for (let axis = 0; axis < 3; ++axis) {
        position[3 * to + axis] = points[from + axis];
        normal[4 * to + axis] = Math.round(scale * sums[from + axis]);
      }
      face[to] = i;
      for (let j = 0; j < 4; ++j) side[4 * to + j] = (number === 4 ? quadSides : triangleSides)[corner][j];
    }
    for (let corner = 2; corner < number; ++corner) {
      index[at++] = vertex;
      index[at++] = vertex + corner - 1;
      index[at++] = vertex + corner;
    }
    vertex += number;
  }
  return { position, normal, face, side, index, area };
}
