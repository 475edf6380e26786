// SPDX-License-Identifier: MIT
#include "choose/out_of_core.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "boards/streamed_board.h"
#include "choose/backend.h"
#include "model/memory.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// docs/many-devices.md derives these numbers
constexpr std::int64_t band_cells = std::int64_t{1} << 31, min_band_rows = 8192;
constexpr std::int64_t bands_wanted = 6;        // so that the pipeline is full most of the time
constexpr std::int64_t rows_a_generation = 43;  // so that halo rows are 5 % of a band's work
constexpr std::int64_t min_generations = 4, max_generations = 256;
constexpr double share_of_available = 0.9;
constexpr std::int64_t min_bytes = 1 << 20;  // that are looked for before they are allocated

// Bands on the device at the same time: on CUDA devices one is uploaded, one computed, one downloaded, and
// one begins or ends. On the CPU nothing is transferred, and each has a part of the threads. Threads that run
// kernels on one OpenCL device at the same time make PoCL 3.1 fail in an assertion.
int bands_at_once(const Choice& choice) {
  switch (choice.device.backend) {
    case Backend::cpu:
      return std::clamp(choice.threads, 1, 3);
    case Backend::cuda:
      return 4;
    case Backend::opencl:
      return 1;
  }
  return 1;
}

// The choice of the boards: in core, with a part of the CPU's threads.
Choice choice_inside(const Choice& choice) {
  Choice inside = choice;
  inside.out_of_core.reset();
  if (choice.device.backend == Backend::cpu)
    inside.threads = std::max(1, choice.threads / bands_at_once(choice));
  return inside;
}

// The choice of the boards that bands visit: first in the device's order, since the resident rows have work
// as long as there is any.
Choice choice_for_bands(const Choice& choice) {
  Choice band = choice_inside(choice);
  band.urgent = true;
  return band;
}

double available_on(const DeviceRef& device) {
  for (const DeviceInfo& info : driver_of(device.backend).devices())
    if (info.name == device.str()) return share_of_available * static_cast<double>(info.memory);
  return 0;
}

void require_valid(const WorldSpec& world, const OutOfCore& wanted) {
  if (world.is_surface())
    throw Error("a surface cannot be out of core: its faces are not divided", ErrorKind::unavailable);
  if (world.width == 0)
    throw Error("a plane that grows cannot be out of core: give it a size", ErrorKind::unavailable);
  if (wanted.host_share && !(*wanted.host_share > 0 && *wanted.host_share <= 1)) {
    throw Error(fmt::format("host share {}: expected a number above 0, at most 1", *wanted.host_share),
                ErrorKind::usage);
  }
  if (wanted.band_rows && *wanted.band_rows < 1)
    throw Error(fmt::format("bands of {} rows: expected at least one", *wanted.band_rows), ErrorKind::usage);
  if (wanted.generations_a_visit && *wanted.generations_a_visit < 1) {
    throw Error(fmt::format("{} generations per visit: expected at least one", *wanted.generations_a_visit),
                ErrorKind::usage);
  }
}

// Searches a partition that fits in the memory.
class Partition {
 public:
  Partition(const WorldSpec& world, const Choice& choice, const OutOfCore& wanted)
      : world_(world),
        inside_(choice_inside(choice)),
        visited_(choice_for_bands(choice)),
        wanted_(wanted),
        at_once_(bands_at_once(choice)),
        max_bytes_(max_bytes(choice)) {}

  OutOfCorePlan plan() const {
    if (!wanted_.host_share && std::isfinite(max_bytes_) && bytes(world_.height) <= max_bytes_)
      return {0, world_.height, 0, 0, 0, 0, bytes(world_.height)};
    std::int64_t rows = first_band_rows();
    // Half of the memory for bands, unless the resident rows are given
    const double max_first = wanted_.host_share ? max_bytes_ : max_bytes_ / 2;
    while (rows > 1 && !wanted_.band_rows && plan_for(rows).device_bytes > max_first) rows = (rows + 1) / 2;
    OutOfCorePlan plan = plan_for(rows);
    if (plan.device_bytes > max_bytes_) {
      throw Error(
          fmt::format("bands of {} rows of {} cells take {} of the memory of device {}, {} may be used: "
                      "allow more, lower bands or a larger share of rows on the host",
                      plan.band_rows, world_.width, human_bytes(plan.device_bytes), inside_.device.str(),
                      human_bytes(max_bytes_)),
          ErrorKind::unavailable);
    }
    if (wanted_.host_share || !std::isfinite(max_bytes_)) return plan;
    return plan_for(rows, resident_rows(max_bytes_ - plan.device_bytes, plan.generations_a_visit));
  }

 private:
  double max_bytes(const Choice& choice) const {
    if (wanted_.device_memory != 0) return static_cast<double>(wanted_.device_memory);
    return in_main_memory(inside_) ? std::numeric_limits<double>::infinity() : available_on(choice.device);
  }

  // Of a board of so many rows.
  double bytes(std::int64_t rows, const Choice& choice) const {
    WorldSpec board = world_;
    board.height = rows;
    return board_bytes(board, choice);
  }
  double bytes(std::int64_t rows) const { return bytes(rows, inside_); }

  std::int64_t wanted_resident_rows() const {
    if (!wanted_.host_share) return 0;
    const auto host =
        static_cast<std::int64_t>(std::llround(static_cast<double>(world_.height) * *wanted_.host_share));
    return world_.height - std::clamp<std::int64_t>(host, 1, world_.height);
  }

  std::int64_t first_band_rows() const {
    if (wanted_.band_rows) return std::min(*wanted_.band_rows, world_.height);
    const std::int64_t host = world_.height - wanted_resident_rows(),
                       rows = std::max(min_band_rows, band_cells / world_.width);
    return std::clamp<std::int64_t>((host + bands_wanted - 1) / bands_wanted, 1, rows);
  }

  // As many as fit; so few that they have no use count as none.
  std::int64_t resident_rows(double max_bytes, std::int64_t halo) const {
    std::int64_t fit = 0, too_many = world_.height;
    while (too_many - fit > 1) {
      const std::int64_t rows = fit + (too_many - fit) / 2;
      (bytes(rows + 2 * halo) <= max_bytes ? fit : too_many) = rows;
    }
    return fit < halo ? 0 : fit;
  }

  OutOfCorePlan plan_for(std::int64_t rows) const { return plan_for(rows, wanted_resident_rows()); }

  OutOfCorePlan plan_for(std::int64_t rows, std::int64_t resident) const {
    OutOfCorePlan plan;
    plan.resident_rows = resident;
    plan.host_rows = world_.height - resident;
    plan.bands = (plan.host_rows + rows - 1) / rows;
    plan.band_rows = (plan.host_rows + plan.bands - 1) / plan.bands;
    plan.generations_a_visit = static_cast<int>(generations(plan));
    plan.bands_at_once = static_cast<int>(std::min<std::int64_t>(at_once_, plan.bands));
    const std::int64_t halos = 2 * plan.generations_a_visit;
    plan.device_bytes = plan.bands_at_once * bytes(plan.band_rows + halos, visited_);
    if (resident > 0) plan.device_bytes += bytes(resident + halos);
    return plan;
  }

  // Whole passes of the kernel, and not more than the rows of any part.
  std::int64_t generations(const OutOfCorePlan& plan) const {
    std::int64_t number = wanted_.generations_a_visit.value_or(0);
    if (number == 0) {
      const std::int64_t steps = inside_.entry->kernel->max_steps;
      number = std::clamp(plan.band_rows / rows_a_generation, min_generations, max_generations);
      if (number > steps) number = number / steps * steps;
    }
    number = std::min(number, plan.host_rows / plan.bands);
    return plan.resident_rows > 0 ? std::min(number, plan.resident_rows) : number;
  }

  WorldSpec world_;
  Choice inside_, visited_;
  OutOfCore wanted_;
  int at_once_;
  double max_bytes_;
};

StreamedSpec spec_of(const WorldSpec& world, const Choice& choice) {
  const OutOfCorePlan& plan = *choice.out_of_core;
  return {world,
          plan.host_rows,
          plan.bands,
          plan.generations_a_visit,
          plan.bands_at_once,
          choice.device.backend == Backend::opencl};
}

}  // namespace

OutOfCorePlan plan_out_of_core(const WorldSpec& world, const Choice& choice, const OutOfCore& wanted) {
  require_valid(world, wanted);
  return Partition(world, choice, wanted).plan();
}

void require_streamed_board(const WorldSpec& world, const Choice& choice) {
  const Choice inside = choice_inside(choice);
  if (choice.out_of_core->bands == 0) return require_board(world, inside);
  WorldSpec board = world;
  board.height = StreamedBoard::board_rows(spec_of(world, choice));
  require_board(board, inside);
  if (choice.out_of_core->resident_rows == 0) return;
  board.height = choice.out_of_core->resident_rows +
                 choice.out_of_core->generations_a_visit * (world.is_torus() ? 2 : 1);
  require_board(board, inside);
}

std::unique_ptr<Board> make_streamed_board(const WorldSpec& world, const Choice& choice) {
  const Choice inside = choice_inside(choice);
  if (choice.out_of_core->bands == 0) return make_board(world, inside);
  const BackendDriver& driver = driver_of(choice.device.backend);
  const auto host_memory = [&](std::size_t words) {
    const double bytes = static_cast<double>(words) * 8;
    if (bytes > min_bytes)
      require_memory(
          bytes, fmt::format("{} rows of {} cells out of core", choice.out_of_core->host_rows, world.width));
    return driver.host_memory(choice.device.index, words);
  };
  const Choice band = choice_for_bands(choice);
  const auto boards_of = [](const Choice& own) {
    return [own](const WorldSpec& board) { return make_board(board, own); };
  };
  return std::make_unique<StreamedBoard>(spec_of(world, choice),
                                         StreamedFactories{boards_of(band), boards_of(inside), host_memory});
}

std::string explanation_of(const OutOfCorePlan& plan) {
  if (plan.bands == 0)
    return fmt::format("\n  out of core: not needed, all {} rows fit in the device's memory",
                       plan.resident_rows);
  std::string text = fmt::format(
      "\n  out of core: {} rows on the host in {} band{} of up to {} rows, {} at a time on the device, {} "
      "generation{} per visit",
      plan.host_rows, plan.bands, plan.bands == 1 ? "" : "s", plan.band_rows, plan.bands_at_once,
      plan.generations_a_visit, plan.generations_a_visit == 1 ? "" : "s");
  const std::int64_t rows = plan.host_rows + plan.resident_rows;
  return text + fmt::format("\n  {} rows ({:.1f} %) resident; {} of the device's memory", plan.resident_rows,
                            100.0 * static_cast<double>(plan.resident_rows) / static_cast<double>(rows),
                            human_bytes(plan.device_bytes));
}

}  // namespace moorea
