// SPDX-License-Identifier: MIT
#include "cli/reference_kernel.h"

namespace app {

const char* reference_kernel_for(const moorea::WorldSpec& world) {
  if (world.is_surface()) return "cpu/mesh/01_structures";
  if (world.rule.larger_than_life() != nullptr) return "cpu/wide/reference";
  if (world.rule.blocks() != nullptr) return "cpu/blocks/reference";
  return world.rule.states() > 2 ? "cpu/states/reference" : "cpu/reference";
}

}  // namespace app
