// SPDX-License-Identifier: MIT
// Generations before the present one, under rules that can be reversed.
#include <fmt/core.h>

#include <optional>

#include "moorea/error.h"
#include "moorea/simulation.h"
#include "simulation_access.h"

namespace moorea {

std::uint64_t Simulation::step_back(std::uint64_t generations, const std::function<bool()>& go_on) {
  const std::optional<Rule> inverse = rule().inverse();
  if (!inverse) {
    throw Error(
        fmt::format("{} has no inverse: only rules of blocks that never make two blocks equal, such as "
                    "Critters, lead back",
                    rule().str()),
        ErrorKind::usage);
  }
  if (!grows() && world().topology == Topology::plane) {
    throw Error(
        "blocks at the edges of a plane lose cells, so that no rule leads back: choose a torus or an "
        "unbounded "
        "plane",
        ErrorKind::usage);
  }
  const std::uint64_t now = generation();
  if (generations > now) {
    throw Error(fmt::format("there are no {} generations before generation {}", generations, now),
                ErrorKind::usage);
  }
  Options options;
  options.device = device();
  options.kernel = kernel();
  options.threads = threads();
  WorldSpec spec = world();
  spec.rule = *inverse;
  const Box cells = grows() ? bounding_box().value_or(Box()) : box();
  Pattern start;
  start.cells = window(cells);
  start.position = cells.position();
  Simulation back = grows() ? unbounded(*inverse, start, options) : Simulation(spec, start.cells, options);
  // Blocks of the generation before begin where those of the one after the present one do
  back.set_generation(now + 1);
  const std::uint64_t done = back.step(generations, go_on);
  const Box reached = grows() ? back.bounding_box().value_or(Box()) : box();
  reset(back.window(reached), reached.position());
  set_generation(now - done);
  SimulationAccess::add_cell_updates(*this, back.cell_updates());
  return done;
}

}  // namespace moorea
