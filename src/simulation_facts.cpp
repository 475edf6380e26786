// SPDX-License-Identifier: MIT
// How a simulation is run: device, threads, parts, tiles and launches.
#include <optional>
#include <string>
#include <vector>

#include "boards/instruments.h"
#include "choose/choose.h"
#include "choose/plan.h"
#include "moorea/simulation.h"
#include "simulation_access.h"

namespace moorea {

std::string Simulation::device() const { return SimulationAccess::choice(*this).device_names(); }
int Simulation::threads() const { return SimulationAccess::choice(*this).threads; }

std::vector<PartState> Simulation::parts() const {
  const BoardInstruments* const instruments = SimulationAccess::board(*this).instruments();
  std::vector<PartFacts> facts;
  if (instruments != nullptr) facts = instruments->parts();
  std::vector<PartState> states;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const PlannedPart& planned = plan().parts[i];
    states.push_back({planned.device, planned.kernel, planned.threads, facts[i].y, facts[i].rows,
                      facts[i].busy_seconds, facts[i].idle_seconds, facts[i].row_generations,
                      facts[i].path_below ? to_string(*facts[i].path_below) : ""});
  }
  return states;
}

const std::optional<Tiling>& Simulation::tiling() const { return SimulationAccess::choice(*this).tiling; }
const std::optional<LaunchShape>& Simulation::launch_shape() const {
  return SimulationAccess::choice(*this).launch_shape;
}
std::optional<Numbering> Simulation::numbering() const {
  const bool is_of_meshes =
      mesh_table_of(*SimulationAccess::choice(*this).entry->kernel) != kernels::MeshTable::none;
  return is_of_meshes ? std::optional(SimulationAccess::choice(*this).numbering) : std::nullopt;
}

}  // namespace moorea
