// SPDX-License-Identifier: MIT
#include "moorea/lab/instruments.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <variant>

#include "boards/block_guard.h"
#include "boards/instruments.h"
#include "boards/tile_trace.h"
#include "moorea/error.h"
#include "simulation_access.h"

namespace moorea {
namespace {

// A board that runs one kernel's passes is advanced by one pass at a time. Other boards say themselves in
// which generation they are, and shorter steps would wake tiles.
std::uint64_t generations_at_once(const Choice& choice) {
  const kernels::Kernel& kernel = *choice.entry->kernel;
  const bool one_pass =
      choice.parts.empty() && std::holds_alternative<kernels::BlockContract>(kernel.contract);
  return one_pass ? static_cast<std::uint64_t>(kernel.max_steps) : std::numeric_limits<std::uint64_t>::max();
}

// The board does not keep the guard, even if it cannot advance.
void advance_guarded(Board& board, BoardInstruments& instruments, BlockGuard& guard,
                     std::uint64_t generations) {
  const auto end = [](BoardInstruments* guarded) { guarded->guard(nullptr); };
  const std::unique_ptr<BoardInstruments, decltype(end)> guarding(&instruments, end);
  instruments.guard(&guard);
  board.advance(generations);
}

}  // namespace

std::vector<TileEvent> step_tracing(Simulation& simulation, std::uint64_t generations,
                                    const std::function<bool()>& go_on) {
  BoardInstruments* const instruments = SimulationAccess::board(simulation).instruments();
  if (instruments == nullptr || !instruments->record(nullptr)) {
    throw Error(
        fmt::format("kernel {} does not record which thread computes what; kernels of the CPU for flat "
                    "worlds of two states and nine cells do",
                    simulation.kernel()),
        ErrorKind::unavailable);
  }
  const Choice& choice = SimulationAccess::choice(simulation);
  // Kept for the next call, so that its lists need not grow again
  thread_local TileTrace trace;
  trace.prepare(std::max(choice.threads, static_cast<int>(choice.parts.size())));
  std::vector<TileEvent> events;
  SimulationAccess::step_with(
      simulation, generations, go_on, generations_at_once(choice), [&](std::uint64_t now) {
        trace.set_generation(simulation.generation());
        instruments->record(&trace);
        SimulationAccess::board(simulation).advance(now);
        instruments->record(nullptr);
        for (TileEvent& event : trace.take()) {
          event.tile = event.tile.translated(instruments->origin_of_tiles(simulation.origin()));
          events.push_back(event);
        }
      });
  return events;
}

bool can_guard(const Simulation& simulation) {
  BoardInstruments* const instruments = SimulationAccess::board(simulation).instruments();
  return instruments != nullptr && instruments->guard(nullptr);
}

std::optional<StrayWrite> step_guarded(Simulation& simulation, std::uint64_t generations,
                                       const std::function<bool()>& go_on) {
  if (!can_guard(simulation)) {
    throw Error(fmt::format("kernel {} does not take blocks in main memory", simulation.kernel()),
                ErrorKind::unavailable);
  }
  BoardInstruments* const instruments = SimulationAccess::board(simulation).instruments();
  BlockGuard guard;
  std::optional<StrayWrite> stray;
  const std::uint64_t at_once = generations_at_once(SimulationAccess::choice(simulation));
  SimulationAccess::step_with(simulation, generations, go_on, at_once, [&](std::uint64_t now) {
    advance_guarded(SimulationAccess::board(simulation), *instruments, guard, now);
    std::optional<StrayWrite> found = guard.take();
    if (!found || stray) return;
    const Position origin = instruments->origin_of_tiles(simulation.origin());
    stray = StrayWrite{simulation.generation(), found->cell + origin, found->block.translated(origin)};
  });
  return stray;
}

TileCounts tile_counts(const Simulation& simulation) {
  return tile_counts_of(SimulationAccess::board(simulation));
}

std::optional<KernelResources> kernel_resources(const Simulation& simulation) {
  const BoardInstruments* const instruments = SimulationAccess::board(simulation).instruments();
  return instruments != nullptr ? instruments->resources() : std::nullopt;
}

std::optional<double> bytes_per_pass(const Simulation& simulation) {
  const BoardInstruments* const instruments = SimulationAccess::board(simulation).instruments();
  return instruments != nullptr ? instruments->bytes_per_pass() : std::nullopt;
}

std::optional<ConversionTimes> time_conversion(Simulation& simulation) {
  BoardInstruments* const instruments = SimulationAccess::board(simulation).instruments();
  return instruments != nullptr ? instruments->time_conversion() : std::nullopt;
}

}  // namespace moorea
