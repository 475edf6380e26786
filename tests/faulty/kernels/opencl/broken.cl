// SPDX-License-Identifier: MIT
// Not valid OpenCL C.
// @summary does not compile
// @layout bytes
// @item 1x1
// @group 32x1

kernel void advance(WORLD, global const uchar* from, global uchar* to) { to[0] = nobody_declared_this; }
