// SPDX-License-Identifier: MIT
// Moves of bits to adjacent lanes of a machine word, for halo columns. Include inside an unnamed namespace,
// after defining `word`.
#ifndef MOOREA_KERNELS_STEP_SHIFTS_H
#define MOOREA_KERNELS_STEP_SHIFTS_H

static inline word lanes_up(word v) { return v << 1; }
static inline word lanes_down(word v) { return v >> 1; }
static inline word rotate_up(word v) { return v << 1 | v >> 63; }
static inline word rotate_down(word v) { return v >> 1 | v << 63; }

#endif
