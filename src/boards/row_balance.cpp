// SPDX-License-Identifier: MIT
#include "boards/row_balance.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "moorea/error.h"

namespace moorea {
namespace {

constexpr std::int64_t max_turn = 256;     // generations between two exchanges
constexpr double window_seconds = 0.02;    // of the busiest part, between two looks at the speeds
constexpr std::uint64_t window_turns = 3;  // at least
constexpr double min_gain = 0.02;          // of a generation's time: less is noise
constexpr double min_return = 20;          // lost seconds for each second of a move
constexpr double new_weight = 0.5;         // of the latest window in the mean
constexpr double other_speed = 0.25;       // relative difference with which a speed is another one, not noise
constexpr double fixed_part_of_pass = 0.25;  // of a whole pass's time, in a pass of fewer generations

// By what factor a generation takes longer in passes of at most `halo` generations.
double short_pass_factor(const PartSpeed& part, std::int64_t halo) {
  if (halo >= part.steps) return 1;
  return fixed_part_of_pass * part.steps / static_cast<double>(halo) + 1 - fixed_part_of_pass;
}

struct Halo {
  std::int64_t rows, generations;
  Halo(std::int64_t halo, const RowUnits& units) : rows(halo), generations(halo / units.reach) {}
};

double turn_seconds(double rows, const Halo& halo, const PartSpeed& part) {
  return part.seconds_per_generation(rows + 2 * static_cast<double>(halo.rows)) *
             static_cast<double>(halo.generations) * short_pass_factor(part, halo.generations) +
         part.seconds_per_turn;
}

// Rows, not whole ones, that a part can advance in a turn of some seconds.
double rows_in(double seconds, const Halo& halo, const PartSpeed& part) {
  const double computing = std::max(seconds - part.seconds_per_turn, 0.0);
  const double rows = part.rows_for(
      computing / (static_cast<double>(halo.generations) * short_pass_factor(part, halo.generations)));
  return std::max(rows - 2 * static_cast<double>(halo.rows), static_cast<double>(halo.rows));
}

double all_rows_in(double seconds, const Halo& halo, std::span<const PartSpeed> parts) {
  double rows = 0;
  for (const PartSpeed& part : parts) rows += rows_in(seconds, halo, part);
  return rows;
}

std::int64_t rounded_down(std::int64_t rows, std::int64_t multiple) { return rows - rows % multiple; }

// Whole rows, at least `min_rows` of each part, next to what is wanted. Parts begin at multiples, of which
// `min_rows` is one.
std::vector<std::int64_t> whole_rows(std::int64_t height, std::int64_t min_rows, std::int64_t multiple,
                                     std::span<const double> wanted) {
  const double all = std::accumulate(wanted.begin(), wanted.end(), 0.0);
  const auto parts = std::ssize(wanted);
  std::vector<std::int64_t> rows;
  std::int64_t top = 0;
  double sum = 0;
  for (std::int64_t i = 0; i < parts; ++i) {
    sum += wanted[static_cast<std::size_t>(i)];
    const double share = sum / all / static_cast<double>(multiple);
    const std::int64_t next = std::llround(static_cast<double>(height) * share) * multiple;
    // At least so many for this part and for each that follows
    const std::int64_t last = rounded_down(height - (parts - 1 - i) * min_rows, multiple);
    const std::int64_t bottom = i + 1 == parts ? height : std::clamp(next, top + min_rows, last);
    rows.push_back(bottom - top);
    top = bottom;
  }
  return rows;
}

}  // namespace

std::int64_t RowUnits::halo_for(std::int64_t generations) const {
  const std::int64_t min_rows = std::lcm(reach, multiple);
  return std::max(rounded_down(generations * reach, min_rows), min_rows);
}

double PartSpeed::seconds_per_generation(double rows) const {
  const auto above = std::ranges::lower_bound(samples, rows, {}, &Sample::rows);
  if (above == samples.begin()) return above->seconds_per_generation * rows / above->rows;
  const Sample& below = *std::prev(above);
  if (above == samples.end()) return below.seconds_per_generation * rows / below.rows;
  const double part = (rows - below.rows) / (above->rows - below.rows);
  return std::lerp(below.seconds_per_generation, above->seconds_per_generation, part);
}

double PartSpeed::rows_for(double seconds) const {
  const auto above = std::ranges::lower_bound(samples, seconds, {}, &Sample::seconds_per_generation);
  if (above == samples.begin()) return above->rows * seconds / above->seconds_per_generation;
  const Sample& below = *std::prev(above);
  if (above == samples.end()) return below.rows * seconds / below.seconds_per_generation;
  const double part = (seconds - below.seconds_per_generation) /
                      (above->seconds_per_generation - below.seconds_per_generation);
  return std::lerp(below.rows, above->rows, part);
}

std::vector<std::int64_t> divide_rows(std::int64_t height, std::span<const double> shares,
                                      const RowUnits& units) {
  const auto parts = std::ssize(shares);
  const std::int64_t min_rows = units.halo_for(1);
  if (height < parts * min_rows) {
    throw Error(
        fmt::format("a world of {} rows cannot be divided among {} devices: it needs at least {} rows",
                    height, parts, parts * min_rows),
        ErrorKind::unavailable);
  }
  return whole_rows(height, min_rows, units.multiple, shares);
}

Division balance_rows(std::int64_t height, std::int64_t halo_rows, std::span<const PartSpeed> speeds,
                      const RowUnits& units) {
  const Halo halo(halo_rows, units);
  const std::int64_t min_height = halo.rows * std::ssize(speeds);
  if (height < min_height) {
    throw Error(fmt::format("a world of {} rows cannot be divided among {} devices with halos of {} rows: it "
                            "needs at least {} rows",
                            height, speeds.size(), halo.rows, min_height),
                ErrorKind::unavailable);
  }
  double low = 0, high = 1e-6;
  while (all_rows_in(high, halo, speeds) < static_cast<double>(height)) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (all_rows_in(middle, halo, speeds) < static_cast<double>(height) ? low : high) = middle;
  }
  std::vector<double> wanted;
  for (const PartSpeed& part : speeds) wanted.push_back(rows_in(high, halo, part));
  Division division{whole_rows(height, halo.rows, units.multiple, wanted), halo.rows, 0, units};
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    const double seconds = turn_seconds(static_cast<double>(division.rows[i]), halo, speeds[i]);
    division.seconds = std::max(division.seconds, seconds / static_cast<double>(halo.generations));
  }
  return division;
}

Division balance_rows(std::int64_t height, std::span<const PartSpeed> speeds, const RowUnits& units) {
  const std::int64_t max_generations = height / std::ssize(speeds) / units.reach;
  const auto balanced = [&](std::int64_t generations) {
    return balance_rows(height, units.halo_for(generations), speeds, units);
  };
  Division best = balanced(std::min(max_generations, units.min_turn()));
  int steps = 1;
  for (const PartSpeed& part : speeds) steps = std::max(steps, part.steps);
  const auto consider = [&](std::int64_t generations) {
    if (generations < units.min_turn() || generations > std::min(max_generations, max_turn)) return;
    if (Division division = balanced(generations); division.seconds < best.seconds)
      best = std::move(division);
  };
  for (std::int64_t generations = units.min_turn(); generations < steps; generations *= 2)
    consider(generations);
  for (std::int64_t generations = steps; generations <= max_turn; generations *= 2) consider(generations);
  return best;
}

RowBalance::RowBalance(Division division, std::vector<PartSpeed> speeds, double move_seconds)
    : division_(std::move(division)),
      move_seconds_(move_seconds),
      busy_seconds_(division_.rows.size()),
      before_(std::move(speeds)),
      slowness_(division_.rows.size()) {
  if (before_.empty()) before_.assign(division_.rows.size(), PartSpeed::constant(1));
}

std::int64_t RowBalance::height() const {
  return std::accumulate(division_.rows.begin(), division_.rows.end(), std::int64_t{0});
}

void RowBalance::measure_slowness() {
  const Halo halo(division_.halo, division_.units);
  for (std::size_t i = 0; i < slowness_.size(); ++i) {
    const double predicted = turn_seconds(static_cast<double>(division_.rows[i]), halo, before_[i]) *
                             static_cast<double>(generations_) / static_cast<double>(halo.generations);
    const double now = std::max(busy_seconds_[i], 1e-9) / predicted;
    double& mean = slowness_[i];
    const bool is_new = mean == 0 || std::abs(now - mean) > other_speed * mean;
    mean = is_new ? now : new_weight * now + (1 - new_weight) * mean;
  }
}

std::vector<PartSpeed> RowBalance::speeds_now() const {
  std::vector<PartSpeed> speeds = before_;
  for (std::size_t i = 0; i < speeds.size(); ++i) {
    speeds[i].seconds_per_turn *= slowness_[i];
    for (PartSpeed::Sample& sample : speeds[i].samples) sample.seconds_per_generation *= slowness_[i];
  }
  return speeds;
}

std::optional<Division> RowBalance::add(std::span<const PartWork> work, std::uint64_t generations) {
  for (std::size_t i = 0; i < work.size(); ++i) busy_seconds_[i] += work[i].busy_seconds;
  generations_ += generations;
  const double busiest = std::ranges::max(busy_seconds_);
  const Halo halo(division_.halo, division_.units);
  if (busiest < window_seconds || generations_ < window_turns * static_cast<std::uint64_t>(halo.generations))
    return {};
  measure_slowness();
  const Division better = balance_rows(height(), division_.halo, speeds_now(), division_.units);
  const double gain = busiest - better.seconds * static_cast<double>(generations_);
  lost_seconds_ = gain < min_gain * busiest ? 0 : lost_seconds_ + gain;
  generations_ = 0;
  std::ranges::fill(busy_seconds_, 0);
  if (lost_seconds_ < min_return * move_seconds_ || better.rows == division_.rows) return {};
  return better;
}

void RowBalance::moved(const Division& to, double seconds) {
  division_ = to;
  move_seconds_ = seconds;
  lost_seconds_ = 0;
}

}  // namespace moorea
