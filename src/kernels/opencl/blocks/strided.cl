// SPDX-License-Identifier: MIT
// Rules of blocks by the walk of opencl/strided_walk.h. Blocks begin in even and in odd columns and rows
// alternately; columns have the same parity for all bits of a word if their distance is even.
// @summary rules of blocks, 32 strided columns per word, six generations in registers
// @layout strided
// @lanes 32
// @steps 6
// @group 64x1
// @families blocks
// @walk 1
// @partition partition_strided_blocks
// @refuses odd_distance
