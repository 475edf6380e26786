// SPDX-License-Identifier: MIT
#include "choose/part_speeds.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "boards/board_queue.h"
#include "choose/cost_model.h"
#include "choose/tuning_file.h"
#include "model/process_cache.h"
#include "moorea/cells.h"

namespace moorea {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t default_width = 4096;
constexpr double first_cells = 1 << 22, max_cells = 1 << 28;  // of a trial's world
constexpr double min_growth_gain = 1.05;                      // in speed, by four times as many rows
constexpr double long_pass = 2e-3;                            // seconds
constexpr double trial_seconds = 0.01;
constexpr int exchanges = 3;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Noise all over, of all states: rows of one random block, again and again.
void fill(Board& board) {
  const WorldSpec& world = board.world();
  const int states = world.rule.states();
  const std::int64_t rows = std::min<std::int64_t>(world.height, 64);
  const Cells noise = Cells::random(world.width, rows, 0.5, 1, states);
  Cells cells(world.width, world.height, states);
  for (std::int64_t y = 0; y < world.height; y += rows) cells.paste(noise, {0, y});
  board.load_states(cells, {});
}

// Seconds for `passes` passes, which are complete when they are.
double passes_seconds(Board& board, int steps, int passes) {
  const auto begin = Clock::now();
  board.advance(static_cast<std::uint64_t>(steps) * static_cast<std::uint64_t>(passes));
  return seconds_since(begin);
}

// Copies the outermost rows of a board to memory, and from there to the board.
class Exchange {
 public:
  Exchange(Board& board, std::int64_t halo) : board_(board), halo_(halo) {
    const std::size_t words = words_of_rows(board.world(), halo);
    first_ = make_row_memory(board, words);
    last_ = make_row_memory(board, words);
  }

  /// Ends when the rows have arrived, a generation later.
  void run() {
    const std::int64_t last = board_.world().height - halo_;
    read_rows(board_, 0, halo_, first_.words.get());
    read_rows(board_, last, halo_, last_.words.get());
    write_rows(board_, 0, halo_, first_.words.get());
    write_rows(board_, last, halo_, last_.words.get());
    board_.advance(1);
  }

 private:
  Board& board_;
  std::int64_t halo_;
  RowMemory first_, last_;
};

// The least of a few: an exchange is short, and whatever disturbs it adds to it.
double exchange_seconds(Board& board, std::int64_t halo) {
  Exchange exchange(board, halo);
  double least = 1e9;
  for (int i = 0; i < exchanges; ++i) {
    const auto begin = Clock::now();
    exchange.run();
    least = std::min(least, seconds_since(begin));
  }
  return least;
}

// Seconds of a generation, in passes that together take a while.
double generation_seconds(Board& board, int steps) {
  int passes = 1;
  double seconds = passes_seconds(board, steps, passes);
  while (seconds < trial_seconds && passes < 1 << 20) {
    passes *= 2;
    seconds = passes_seconds(board, steps, passes);
  }
  return seconds / (static_cast<double>(steps) * passes);
}

// Worlds of more and more rows, until more of them do not make it faster.
PartSpeed try_speed(const WorldSpec& world, const Choice& choice) {
  PartSpeed speed;
  speed.steps = choice.entry->kernel->max_steps;
  WorldSpec trial = world;
  trial.width = world.width > 0 ? world.width : default_width;
  const RowUnits units = RowUnits::of(world.rule);
  const double most = world.height > 0 ? static_cast<double>(world.height) : max_cells;
  for (double cells = first_cells; cells <= max_cells; cells *= 4) {
    const double rows = std::min(std::max(cells / static_cast<double>(trial.width), 2.0 * speed.steps), most);
    trial.height =
        std::max<std::int64_t>(static_cast<std::int64_t>(rows) / units.multiple, 1) * units.multiple;
    const std::unique_ptr<Board> board = make_board(trial, choice);
    fill(*board);
    passes_seconds(*board, speed.steps, 1);  // the first one may make code
    const double seconds = generation_seconds(*board, speed.steps);
    const double exchanged = exchange_seconds(*board, std::min(units.halo_for(speed.steps), trial.height));
    speed.seconds_per_turn = std::max(0.0, exchanged - seconds);
    const auto height = static_cast<double>(trial.height);
    if (speed.samples.empty()) {
      speed.samples.push_back({height, seconds});
      continue;
    }
    const PartSpeed::Sample before = speed.samples.back();
    if (height <= before.rows) break;
    // More rows do not take less time, and a time is the least that its rows need
    speed.samples.push_back({height, std::max(seconds, 1.001 * before.seconds_per_generation)});
    const double gain = height / before.rows * before.seconds_per_generation / seconds;
    if (gain < min_growth_gain && seconds * speed.steps > long_pass) break;
  }
  return speed;
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
      return PartSpeed::constant(static_cast<double>(world.height) / seconds);
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
