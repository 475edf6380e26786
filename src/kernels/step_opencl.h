// SPDX-License-Identifier: MIT
// What OpenCL kernel files share; text, put behind the definitions that the device makes of the rule, the world and the
// work-group: WIDTH, HEIGHT (cells), TORUS (0: a plane), FIRST, PITCH (bytes), BIRTH, SURVIVAL (bit n: with n live
// neighbours), GROUP_WIDTH, GROUP_HEIGHT, the type `word` and MOOREA_NEXT, a network for two rows as in step_networks.h.
//
// A kernel file is an OpenCL C function `advance` behind these lines. Its lines that begin with "// @" say what it is:
// @summary, @layout (bytes or bits), @item (cells that a work-item makes, columns x rows) and @group (its work-group).

// The row y of cells, whose halo is filled; -1 and HEIGHT are rows of the halo.
#define ROW(type, buffer, y) ((type*)((buffer) + FIRST + (long)(y) * PITCH))

// The next state of a cell with so many live neighbours.
#define NEXT(alive, neighbours) (((alive) ? SURVIVAL : BIRTH) >> (neighbours) & 1)
