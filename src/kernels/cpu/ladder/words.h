// SPDX-License-Identifier: MIT
// One plain machine word of 64 cells as the vector of cpu/rows.h and cpu/ladder/rows_temporal.h. Include
// inside an unnamed namespace.
#ifndef MOOREA_KERNELS_STEP_WORDS_H
#define MOOREA_KERNELS_STEP_WORDS_H

using word = std::uint64_t;
constexpr int lanes = 1;

static inline word spread(unsigned bit) { return 0 - std::uint64_t{bit}; }
static inline word load(const std::uint64_t* p) { return *p; }
static inline void store(std::uint64_t* p, word value) { *p = value; }
static inline word load_first(const std::uint64_t* p, int n) { return n > 0 ? *p : 0; }
static inline void store_first(std::uint64_t* p, word value, int n) {
  if (n > 0) *p = value;
}

// Left or right neighbour of each cell, from the words that begin one word before or after.
static inline word left_of(word cells, word before) { return cells << 1 | before >> 63; }
static inline word right_of(word cells, word after) { return cells >> 1 | after << 63; }

#endif
