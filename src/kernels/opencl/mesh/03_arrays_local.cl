// SPDX-License-Identifier: MIT
// As opencl/mesh/02_arrays; in addition a work-group copies the cells of its own faces into local memory,
// where neighbours within the group are read.
// @summary mesh: an array for each neighbour, the group's own cells in local memory
// @layout faces
// @item 1x1
// @group 256x1
// @mesh arrays

kernel void advance(WORLD, global const uchar* from, global uchar* to, TABLE) {
  local uchar tile[GROUP_WIDTH];
  const uint i = get_global_id(0), own = get_local_id(0), first_face = i - own;
  global const uchar* const cells = from + first;
  tile[own] = i < faces ? cells[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= faces) return;
  uint alive = 0;
  for (int k = 0; k < most_neighbours; ++k) {
    const uint face = neighbours[k * table_pitch + i], in_tile = face - first_face;
    alive += in_tile < GROUP_WIDTH ? tile[in_tile] : cells[face];
  }
  (to + first)[i] = NEXT_FACE(tile[own], alive);
}
