// SPDX-License-Identifier: MIT
// Quads in rows and columns store the neighbours across their four edges; a corner neighbour is found in two
// steps, as the upper neighbour of the right one.
// @summary mesh: the neighbours across four edges, corners found in two steps
// @layout faces
// @item 1x1
// @group 256x1
// @mesh edges

kernel void advance(WORLD, global const uchar* from, global uchar* to, TABLE) {
  const uint i = get_global_id(0);
  if (i >= faces) return;
  global const uchar* const cells = from + first;
  global const uint* const right_of = neighbours;
  global const uint* const left_of = right_of + table_pitch;
  global const uint* const above_of = left_of + table_pitch;
  global const uint* const below_of = above_of + table_pitch;
  const uint right = right_of[i], left = left_of[i];
  const uint alive = cells[right] + cells[left] + cells[above_of[i]] + cells[below_of[i]] +
                     cells[above_of[right]] + cells[below_of[right]] + cells[above_of[left]] +
                     cells[below_of[left]];
  (to + first)[i] = NEXT(cells[i], alive);
}
