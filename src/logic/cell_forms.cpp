// SPDX-License-Identifier: MIT
#include "logic/cell_forms.h"

#include <bit>
#include <cstdint>

namespace moorea {

bool next_state(const Rule& rule, unsigned cells) {
  unsigned neighbourhood = 0;
  for (unsigned k = 0; k < 9; ++k) neighbourhood |= (cells >> k & 1) << (8 - k);
  return rule.next(neighbourhood);
}

bool is_isotropic(const Rule& rule) {
  // A reflection from left to right and one at the diagonal through the north west generate all of them
  constexpr unsigned mirrored[9] = {2, 1, 0, 5, 4, 3, 8, 7, 6}, transposed[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8};
  for (const auto& places : {mirrored, transposed}) {
    for (unsigned cells = 0; cells < 512; ++cells) {
      unsigned moved = 0;
      for (unsigned k = 0; k < 9; ++k) moved |= (cells >> k & 1) << places[k];
      if (next_state(rule, cells) != next_state(rule, moved)) return false;
    }
  }
  return true;
}

Rule nearest_that_counts(const Rule& rule) {
  // By centre and count, the neighbourhoods that lead to a live cell less those that lead to a dead one
  int alive[2][9] = {};
  for (unsigned n = 0; n < 512; ++n) {
    const unsigned centre = n >> 4 & 1;
    alive[centre][static_cast<unsigned>(std::popcount(n)) - centre] += rule.next(n) ? 1 : -1;
  }
  unsigned counts[2] = {};
  for (unsigned centre = 0; centre < 2; ++centre) {
    for (unsigned count = 0; count < 9; ++count)
      counts[centre] |= (alive[centre][count] > 0 ? 1u : 0u) << count;
  }
  return {counts[0], counts[1]};
}

Rule difference(const Rule& a, const Rule& b) {
  Rule::Table table{};
  for (unsigned n = 0; n < 512; ++n) table[n / 64] |= std::uint64_t{a.next(n) != b.next(n)} << n % 64;
  return Rule(table);
}

}  // namespace moorea
