// SPDX-License-Identifier: MIT
// A world that is divided by rows among several devices: which device has which rows, with which kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "boards/board.h"
#include "boards/row_balance.h"
#include "choose/choose.h"

namespace moorea {

/// The choice for each device of the list. Of kernels with commas between them each device runs the first of
/// its backend; CPU threads are divided among the parts on the CPU. Throws Error as choose() does.
Choice choose_parts(const WorldSpec& world, const Options& options);

struct PartPlan {
  const Choice* choice;
  std::int64_t rows;    ///< own rows
  WorldSpec with_halo;  ///< the part with the halo rows of its neighbours
};

struct PartPlans {
  Division division;
  std::vector<PartPlan> parts;
};

/// Throws Error (unavailable) if the world has too few rows.
PartPlans divide(const WorldSpec& world, const Choice& choice);

std::unique_ptr<Board> make_split_board(const WorldSpec& world, const Choice& choice);

}  // namespace moorea
