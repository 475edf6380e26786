// SPDX-License-Identifier: MIT
// Worlds that are divided among boards of named kernels, and what is expected of their cells.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "boards/split_board.h"
#include "choose/choose.h"
#include "definition.h"
#include "expect_cells.h"

namespace moorea::test {

// Of which a world has one part at most, because threads that run kernels on one OpenCL device at the same
// time make PoCL 3.1 fail in an assertion.
inline bool is_opencl(const std::string& kernel) { return kernel.starts_with("opencl/"); }

// Makes boards of one kernel.
inline BandBoard::Factory boards_of(const std::string& kernel, const WorldSpec& world) {
  Options options;
  options.kernel = kernel;
  options.threads = 2;
  return [choice = choose(world, options)](const WorldSpec& band) { return make_board(band, choice); };
}

// Parts with kernels in turn.
inline std::vector<SplitPart> parts_of(const WorldSpec& world, const std::vector<std::int64_t>& heights,
                                       const std::vector<std::string>& kernels) {
  std::vector<SplitPart> parts;
  for (std::size_t i = 0; i < heights.size(); ++i)
    parts.push_back({heights[i], boards_of(kernels[i % kernels.size()], world)});
  return parts;
}

}  // namespace moorea::test
