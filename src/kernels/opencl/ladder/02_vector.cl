// SPDX-License-Identifier: MIT
// Sixteen cells per work-item in OpenCL's own vectors: nine unaligned loads, eight additions, a shift of the
// rule by each count. Compilers for CPUs generate vector instructions; compilers for GPUs scalarise them
// again.
// @summary ladder: sixteen cells per work-item, explicit vectors
// @layout bytes
// @item 16x1
// @group 16x4

uchar16 states_of(uchar16 alive, uchar16 neighbours) {
  const ushort16 rules =
      select((ushort16)(BIRTH), (ushort16)(SURVIVAL), convert_short16(alive) != (short16)(0));
  return convert_uchar16(rules >> convert_ushort16(neighbours) & (ushort16)(1));
}

kernel void advance(WORLD, global const uchar* from, global uchar* to) {
  const int x = 16 * get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  global const uchar* above = ROW(global const uchar, from, y - 1) + x;
  global const uchar* at = ROW(global const uchar, from, y) + x;
  global const uchar* below = ROW(global const uchar, from, y + 1) + x;

  const uchar16 neighbours = vload16(0, above - 1) + vload16(0, above) + vload16(0, above + 1) +
                             vload16(0, at - 1) + vload16(0, at + 1) + vload16(0, below - 1) +
                             vload16(0, below) + vload16(0, below + 1);
  const uchar16 made = states_of(vload16(0, at), neighbours);

  global uchar* row = ROW(global uchar, to, y) + x;
  if (x + 16 <= width) {
    vstore16(made, 0, row);
  } else {
    uchar cells[16];
    vstore16(made, 0, cells);
    for (int i = 0; x + i < width; ++i) row[i] = cells[i];
  }
}
