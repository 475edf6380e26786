// SPDX-License-Identifier: MIT
// A simulation of which this process has a part: which rows, on which device, with how high a halo.
#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "boards/rank_board.h"
#include "boards/row_balance.h"
#include "choose/backend.h"
#include "choose/plan.h"
#include "moorea/error.h"
#include "moorea/ranks.h"
#include "moorea/support/nine_cells.h"
#include "simulation_access.h"

namespace moorea {
namespace {

// Both halos are 0.8 % of a large part's work, or 1.6 % if passes would be shorter otherwise. GPUs compute
// half of their rows on average, and wait longer for messages than they compute a halo
constexpr std::int64_t rows_a_halo_row = 256, min_rows_a_halo_row = 128, min_halo = 4, max_halo = 128;
constexpr std::int64_t rows_a_halo_row_of_gpus = 64;

void require_divisible(const WorldSpec& world) {
  require_nine_cells(world.rule, "a world that is divided among ranks");
  if (world.is_surface()) {
    throw Error("a surface cannot be divided among ranks: run it in one process", ErrorKind::usage);
  }
  if (world.is_unbounded() || world.width < 1 || world.height < 1) {
    throw Error(
        "an unbounded plane cannot be divided among ranks: give the world a size, as in "
        "--size 100000x100000",
        ErrorKind::usage);
  }
}

std::vector<std::int64_t> rows_of(const RankedWorld& world, int ranks) {
  const std::vector<double> shares =
      world.shares.empty() ? std::vector<double>(static_cast<std::size_t>(ranks), 1.0) : world.shares;
  if (std::ssize(shares) != ranks) {
    throw Error(fmt::format("{} shares for {} ranks: expected one for each", shares.size(), ranks),
                ErrorKind::usage);
  }
  if (std::ranges::any_of(shares, [](double share) { return !(share > 0); }))
    throw Error("shares of ranks are numbers above 0", ErrorKind::usage);
  if (world.spec.height < ranks) {
    throw Error(fmt::format("a world of {} rows cannot be divided among {} ranks: start at most {}",
                            world.spec.height, ranks, world.spec.height),
                ErrorKind::usage);
  }
  return divide_rows(world.spec.height, shares);
}

// The device of a backend for the rank that is number `local` on its machine.
std::string device_for(const BackendDriver& driver, std::string_view backend, std::size_t local) {
  const std::size_t devices = driver.devices().size();
  return devices == 0 ? std::string(backend) : fmt::format("{}:{}", backend, local % devices);
}

// A list of devices with a number at "cuda" and "opencl" where there is none.
std::string own_devices(std::string_view devices, std::size_t local) {
  std::string own;
  while (true) {
    const std::size_t end = std::min(devices.find_first_of(",+"), devices.size());
    const std::string_view name = devices.substr(0, end);
    if (name == "cuda") {
      own += device_for(cuda_driver(), name, local);
    } else if (name == "opencl") {
      own += device_for(opencl_driver(), name, local);
    } else {
      own += name;
    }
    if (end == devices.size()) return own;
    own += devices[end];
    devices.remove_prefix(end + 1);
  }
}

PlannedChoice choose_part(const WorldSpec& part, const Options& options, std::size_t local) {
  Options own = options;
  own.device = own_devices(options.device, local);
  PlannedChoice planned = choose_planned(part, own);
  if (own.device != "auto" || planned.choice.device.backend != Backend::cuda) return planned;
  // The first GPU was selected, on each rank of this machine
  own = planned.plan.options;
  own.device = device_for(cuda_driver(), "cuda", local);
  if (own.device == planned.choice.device.str()) return planned;
  const std::string reason = planned.plan.reason;
  planned = choose_planned(part, own);
  planned.plan.reason = reason + "; the GPU is this rank's";
  return planned;
}

std::int64_t max_steps(const Choice& choice) {
  std::int64_t steps = choice.entry->kernel->max_steps;
  for (const Choice& part : choice.parts)
    steps = std::max<std::int64_t>(steps, part.entry->kernel->max_steps);
  return steps;
}

// Rows that ranks exchange: whole passes of the kernels, equal on all ranks.
std::int64_t common_halo(RankLink& link, const Choice& choice, const std::vector<std::int64_t>& rows) {
  const auto steps =
      static_cast<std::int64_t>(max_of_ranks(link, static_cast<std::uint64_t>(max_steps(choice))));
  const bool is_gpu = choice.parts.empty() && choice.device.backend == Backend::cuda;
  return halo_of_ranks(std::ranges::min(rows), steps, min_of_ranks(link, is_gpu ? 1 : 0) == 1);
}

Simulation simulate_part(const RankedWorld& world, const std::shared_ptr<RankLink>& link,
                         const Options& options) {
  require_divisible(world.spec);
  RankCut cut = {rows_of(world, link->size()), 1, world.transport};
  WorldSpec part = world.spec;
  part.height = cut.rows[static_cast<std::size_t>(link->rank())];
  const std::vector<int> neighbours = link->ranks_of_host();
  const auto local =
      static_cast<std::size_t>(std::ranges::find(neighbours, link->rank()) - neighbours.begin());
  PlannedChoice planned = choose_part(part, options, local);
  cut.halo = common_halo(*link, planned.choice, cut.rows);
  const auto make = [&](const PlannedChoice& chosen) {
    return std::make_unique<RankBoard>(
        world.spec, cut, link, [&](const WorldSpec& band) { return make_board(band, chosen.choice); });
  };
  std::unique_ptr<RankBoard> board;
  try {
    board = make(planned);
  } catch (const Error& error) {
    if (planned.plan.prediction() == nullptr) throw;
    planned = choose_instead(planned.plan, options, error.what());
    board = make(planned);
  }
  board->load_own(world.start);
  return SimulationAccess::make(std::move(planned), std::move(board), world.generation);
}

const RankBoard& ranked(const Simulation& simulation) {
  const RankBoard* const board = SimulationAccess::ranked(simulation);
  if (board == nullptr) throw Error("the simulation is not divided among ranks", ErrorKind::usage);
  return *board;
}

// The board, for rows that it has.
const RankBoard& own_rows(const Simulation& simulation, std::int64_t top, std::int64_t rows) {
  const RankBoard& board = ranked(simulation);
  const Box own = board.own();
  if (rows >= 0 && top >= own.y && top + rows <= own.bottom()) return board;
  throw Error(fmt::format("rows {} to {} are not those of this rank, {} to {}", top, top + rows - 1, own.y,
                          own.bottom() - 1),
              ErrorKind::usage);
}

}  // namespace

Simulation simulate_ranks(const RankedWorld& world, const std::shared_ptr<RankLink>& link,
                          const Options& options) {
  try {
    return simulate_part(world, link, options);
  } catch (const Error& error) {
    link->raise(error.what(), error.kind());
    throw;
  } catch (const std::exception& error) {
    link->raise(error.what(), ErrorKind::run);
    throw;
  }
}

std::int64_t halo_of_ranks(std::int64_t min_rows, std::int64_t steps, bool are_gpus) {
  const std::int64_t rows = are_gpus ? rows_a_halo_row_of_gpus : rows_a_halo_row;
  const std::int64_t wanted = std::clamp(
      std::max(min_rows / rows, std::min(steps, min_rows / min_rows_a_halo_row)), min_halo, max_halo);
  return std::min(wanted > steps ? wanted / steps * steps : wanted, min_rows);
}

Box rows_of_rank(const Simulation& simulation) { return ranked(simulation).own(); }

RankExchanges exchanges_of_rank(const Simulation& simulation) { return ranked(simulation).exchanges(); }

Grid read_rows_of_rank(const Simulation& simulation, std::int64_t top, std::int64_t rows) {
  return own_rows(simulation, top, rows).read_own(top, rows);
}

void read_rows_of_rank(const Simulation& simulation, std::int64_t top, const GridView& to) {
  own_rows(simulation, top, to.height).read_own(top, to);
}

DeviceView device_rows_of_rank(const Simulation& simulation) {
  if (std::optional<DeviceView> view = ranked(simulation).own_device_cells()) {
    view->device = SimulationAccess::choice(simulation).device;
    return *view;
  }
  throw Error(fmt::format("this rank's rows are not in the memory of a CUDA device (they are on {}); "
                          "read_rows_of_rank() copies them",
                          simulation.device()),
              ErrorKind::unavailable);
}

}  // namespace moorea
