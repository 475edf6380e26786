// SPDX-License-Identifier: MIT
// Worlds that are out of core: which rows stay in the machine's memory, and in which bands they pass through
// the device.
#pragma once

#include <memory>
#include <string>

#include "boards/board.h"
#include "choose/choose.h"
#include "moorea/out_of_core.h"

namespace moorea {

/// Partitions a world for the device and the kernel of a choice. Throws Error (usage) for invalid numbers,
/// Error (unavailable) for worlds that cannot be out of core and if the memory does not suffice for one band.
OutOfCorePlan plan_out_of_core(const WorldSpec& world, const Choice& choice, const OutOfCore& wanted);

/// Throws Error (unavailable) if the kernel cannot have boards of the bands' size.
void require_streamed_board(const WorldSpec& world, const Choice& choice);

/// Throws as make_board(); the choice has a plan.
std::unique_ptr<Board> make_streamed_board(const WorldSpec& world, const Choice& choice);

/// Lines of RunPlan::explanation(), each after a line break.
std::string explanation_of(const OutOfCorePlan& plan);

}  // namespace moorea
