// SPDX-License-Identifier: MIT
// Rules of more than two states by the walk of opencl/strided_walk.h, with four generations in registers,
// because the digits of the states need registers, too.
// @summary 3 to 256 states, 32 strided columns per word and digit, four generations in registers
// @layout digits
// @lanes 32
// @steps 4
// @group 64x1
// @families generations | nine_cell_generations | wires | history | nine_cell_history
// @walk 1
// @partition partition_strided_states
