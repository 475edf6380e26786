// SPDX-License-Identifier: MIT
// Six generations in registers by the walk of opencl/strided_walk.h.
// @summary 32 strided columns per word, six generations in registers
// @layout strided
// @lanes 32
// @steps 6
// @group 64x1
// @cells 1
// @walk 1
// @partition partition_strided
