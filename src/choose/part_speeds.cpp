// SPDX-License-Identifier: MIT
#include "choose/part_speeds.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "choose/cost_model.h"
#include "choose/tuning_file.h"
#include "model/process_cache.h"

namespace moorea {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t default_width = 4096;
constexpr double first_cells = 1 << 20, max_cells = 1 << 28;  // of a trial's world
constexpr double long_pass = 2e-3;                            // seconds: a larger world would not be faster
constexpr double trial_seconds = 0.01;
constexpr int exchanges = 3;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Noise all over: rows of one random block, again and again.
void fill(Board& board) {
  const WorldSpec& world = board.world();
  const std::int64_t rows = std::min<std::int64_t>(world.height, 64);
  const Grid noise = Grid::random(world.width, rows, 0.5, 1);
  Grid cells(world.width, world.height);
  for (std::int64_t y = 0; y < world.height; y += rows) cells.paste(noise, {0, y}, PasteMode::replace);
  board.load(cells, {});
}

// Seconds for `passes` passes, which are complete when they are.
double passes_seconds(Board& board, int steps, int passes) {
  const auto begin = Clock::now();
  board.advance(static_cast<std::uint64_t>(steps) * static_cast<std::uint64_t>(passes));
  return seconds_since(begin);
}

// The least of a few: an exchange is short, and whatever disturbs it adds to it.
double exchange_seconds(Board& board, std::int64_t halo) {
  const WorldSpec& world = board.world();
  Grid first(world.width, halo), last(world.width, halo);
  double least = 1e9;
  for (int i = 0; i < exchanges; ++i) {
    const auto begin = Clock::now();
    board.read({0, 0, world.width, halo}, first.view());
    board.read({0, world.height - halo, world.width, halo}, last.view());
    board.write(first.view(), {0, 0}, PasteMode::replace);
    board.write(last.view(), {0, world.height - halo}, PasteMode::replace);
    board.advance(1);  // after which the cells have arrived
    least = std::min(least, seconds_since(begin));
  }
  return least;
}

PartSpeed speed_of(Board& board, int steps) {
  PartSpeed speed;
  speed.steps = steps;
  int passes = 1;
  double seconds = passes_seconds(board, steps, passes);
  while (seconds < trial_seconds && passes < 1 << 20) {
    passes *= 2;
    seconds = passes_seconds(board, steps, passes);
  }
  const auto rows = static_cast<double>(board.world().height);
  speed.rows_per_second = rows * steps * passes / seconds;
  const double exchanged = exchange_seconds(board, std::min<std::int64_t>(steps, board.world().height));
  speed.seconds_per_turn = std::max(0.0, exchanged - rows / speed.rows_per_second);
  return speed;
}

PartSpeed try_speed(const WorldSpec& world, const Choice& choice) {
  const int steps = choice.entry->kernel->max_steps;
  WorldSpec trial = world;
  trial.width = world.width > 0 ? world.width : default_width;
  const auto most = world.height > 0 ? world.height : static_cast<std::int64_t>(max_cells);
  for (double cells = first_cells;; cells *= 4) {
    const auto rows = static_cast<std::int64_t>(cells / static_cast<double>(trial.width));
    trial.height = std::min(most, std::max<std::int64_t>(rows, 2 * steps));
    const std::unique_ptr<Board> board = make_board(trial, choice);
    fill(*board);
    passes_seconds(*board, steps, 1);  // the first one may make code
    const bool is_last = trial.height == most || cells >= max_cells;
    if (is_last || passes_seconds(*board, steps, 1) > long_pass) return speed_of(*board, steps);
  }
}

std::string tiling_text(const Choice& choice) {
  if (!choice.tiling) return "";
  return fmt::format("{} {}", choice.tiling->tile.width, choice.tiling->tile.height);
}

}  // namespace

std::optional<PartSpeed> tuned_speed(const WorldSpec& world, const std::string& device) {
  const std::shared_ptr<const TuningFile> file = kept_tuning();
  if (!file->tuning || world.width == 0) return {};
  const MeasuredCosts costs(*file->tuning);
  for (const PlanCost& plan : costs.costs(world, 1)) {
    if (plan.options.device != device || !plan.options.kernel.empty() || plan.options.threads != 0) continue;
    const double seconds = *plan.seconds - plan.start_seconds;
    if (seconds > 0 && costs.is_there(plan))
      return PartSpeed{static_cast<double>(world.height) / seconds, 0, 1};
  }
  return {};
}

PartSpeed tried_speed(const WorldSpec& world, const Choice& choice) {
  static ProcessCache<std::string, PartSpeed> known(64);
  const std::string key =
      fmt::format("{}|{}|{}|{}|{}|{}|{}x{}", choice.device.str(), choice.kernels().str(), world.rule.str(),
                  to_string(world.topology), choice.threads, tiling_text(choice), world.width, world.height);
  return *known.find_or_make(key,
                             [&] { return std::make_shared<const PartSpeed>(try_speed(world, choice)); });
}

}  // namespace moorea
