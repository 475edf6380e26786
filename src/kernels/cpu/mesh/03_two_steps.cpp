// SPDX-License-Identifier: MIT
// Quads in rows and columns store the neighbours across their four edges; a corner neighbour is found in two
// steps, as the upper neighbour of the right one. Half the table, and loads that depend on loads.
#include "kernels/kernel.h"

namespace moorea::kernels {
namespace {

void step(const MeshCall& call) {
  const auto* const from = static_cast<const std::uint8_t*>(call.from);
  auto* const to = static_cast<std::uint8_t*>(call.to);
  const MeshTables& tables = *call.tables;
  const std::uint32_t *right_of = tables.neighbours, *left_of = right_of + tables.pitch,
                      *above_of = left_of + tables.pitch, *below_of = above_of + tables.pitch;
  for (std::int64_t i = call.first; i < call.last; ++i) {
    const std::uint32_t right = right_of[i], left = left_of[i];
    const unsigned neighbours = from[right] + from[left] + from[above_of[i]] + from[below_of[i]] +
                                from[above_of[right]] + from[below_of[right]] + from[above_of[left]] +
                                from[below_of[left]];
    to[i] = static_cast<std::uint8_t>(next_cell_state(call.rule, from[i], neighbours));
  }
}

MeshBinding bind(RuleMask) { return {.step = step}; }

}  // namespace

extern const Kernel cpu_mesh_03_two_steps;
constexpr Kernel cpu_mesh_03_two_steps = {
    .summary = "mesh: the neighbours across four edges, corners found in two steps",
    .layout = Layout::faces,
    .max_steps = 1,
    .supports = {.surface = true},
    .contract = MeshContract{.bind = bind, .table = MeshTable::edges},
};

}  // namespace moorea::kernels
