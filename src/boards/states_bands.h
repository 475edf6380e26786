// SPDX-License-Identifier: MIT
// Bands of rows in which a world of several states is advanced.
#pragma once

#include <cstdint>

#include "boards/state_rows.h"

namespace moorea {

/// Of 64 cells and a generation on plain words, approximately.
constexpr double state_word_seconds = 4e-9;

constexpr int max_pass_steps = 16;

struct StateBands {
  int steps = 1;            ///< generations of a pass
  std::int64_t rows = 2;    ///< of a band, an even number
  std::int64_t wave = 2;    ///< rows that a generation computes before the next one follows, an even number
  std::int64_t number = 1;  ///< of bands
  std::int64_t reach = 1;   ///< Rule::reach()
  /// Rows of memory after the last one: kernels compute pairs of rows and read the rows after them.
  std::int64_t spare_rows() const { return 2 + reach; }
  /// Rows of a band in one of its two buffers, with those around it that its cells depend on.
  std::int64_t buffer_rows() const { return rows + 2 * steps * reach + spare_rows(); }
  std::int64_t scratch_rows() const { return 2 * buffer_rows(); }
};

/// Bands for a world of `height` rows; each thread has one if there are enough rows.
StateBands bands_for(const StateRowForm& form, std::int64_t height, int max_steps, int threads);

}  // namespace moorea
