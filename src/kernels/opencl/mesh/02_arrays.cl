// SPDX-License-Identifier: MIT
// An array for each neighbour, a structure of arrays: adjacent work-items read adjacent entries.
// @summary mesh: an array for each neighbour
// @layout faces
// @item 1x1
// @group 256x1
// @mesh arrays

kernel void advance(WORLD, global const uchar* from, global uchar* to, TABLE) {
  const uint i = get_global_id(0);
  if (i >= faces) return;
  global const uchar* const cells = from + first;
  uint alive = 0;
  for (int k = 0; k < most_neighbours; ++k) alive += cells[neighbours[k * table_pitch + i]];
  (to + first)[i] = NEXT_FACE(cells[i], alive);
}
