// SPDX-License-Identifier: MIT
// The neighbours of a face together, as an array of structures: an index leads to the first of them. Adjacent
// work-items read entries that lie a structure apart.
// @summary mesh: the neighbours of a face together, found through an index
// @layout faces
// @item 1x1
// @group 256x1
// @mesh structures

kernel void advance(WORLD, global const uchar* from, global uchar* to, TABLE) {
  const uint i = get_global_id(0);
  if (i >= faces) return;
  global const uchar* const cells = from + first;
  uint alive = 0;
  for (uint k = begins[i]; k < begins[i + 1]; ++k) alive += cells[neighbours[k]];
  (to + first)[i] = NEXT_FACE(cells[i], alive);
}
