// SPDX-License-Identifier: MIT
#include "ensembles/lane_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "logic/rule_mask.h"
#include "model/bits.h"
#include "model/transpose.h"

namespace moorea {
namespace {

// Temporal blocking (docs/ensembles.md): a board that fits in this part of a second-level cache is advanced
// by whole generations, because the halo rows of a pass of several would be computed in addition. Of a larger
// one the active rows of all generations of a pass fit.
constexpr std::int64_t cached_bytes = 768 << 10;
constexpr std::int64_t wave_target_bytes = 128 << 10;
constexpr std::int64_t min_lane_wave_rows = 4;
constexpr int max_lane_steps = 4;

struct LaneShape {
  std::ptrdiff_t pitch;
  int max_steps;
  std::int64_t wave;
  std::int64_t rows;  // of memory
};

LaneShape shape_of(int lanes, Size size) {
  const int vector = lanes / 8;
  LaneShape shape{};
  // An odd number of vectors, so that the rows of a column are in different sets of the first-level cache
  shape.pitch = ((size.width + 3) | 1) * vector;
  shape.max_steps = 1;
  shape.wave = (size.height + 4) & ~std::int64_t{1};
  if (shape.pitch * size.height > cached_bytes) {
    shape.wave = std::max(wave_target_bytes / shape.pitch & ~std::int64_t{1}, min_lane_wave_rows);
    shape.max_steps = static_cast<int>(
        std::clamp<std::int64_t>(cached_bytes / (shape.wave * shape.pitch), 1, max_lane_steps));
  }
  shape.rows = size.height + 4 * shape.max_steps + 4;
  return shape;
}

int lanes_of_kernel(const kernels::Kernel& kernel) {
  return std::get<kernels::StridedContract>(kernel.contract).lanes;
}

}  // namespace

double LaneBoard::snapshot_bytes(int lanes, Size size) { return size.area() * lanes / 8; }

double LaneBoard::bytes(const kernels::Kernel& kernel, Size size) {
  const LaneShape shape = shape_of(lanes_of_kernel(kernel), size);
  return static_cast<double>(shape.pitch) * static_cast<double>(shape.rows);
}

LaneSnapshot::LaneSnapshot(const WorldSpec& world, int lanes)
    : size_(world.box().size()),
      lanes_(lanes),
      memory_(LaneBoard::snapshot_bytes(lanes, size_),
              fmt::format("{} worlds of {} x {} cells", lanes, size_.width, size_.height)) {}

LaneView LaneSnapshot::view() const {
  return {reinterpret_cast<std::uint64_t*>(memory_.begin()), size_.width * (lanes_ / 64), lanes_ / 64, size_};
}

LaneBoard::LaneBoard(const WorldSpec& world, const BoundKernel& kernel)
    : world_(world),
      binding_(std::get<kernels::StridedBinding>(kernel.binding)),
      code_(kernel.code),
      lanes_(lanes_of_kernel(*kernel.kernel)),
      vector_bytes_(lanes_ / 8),
      max_steps_(shape_of(lanes_, world.box().size()).max_steps),
      memory_(bytes(*kernel.kernel, world.box().size()),
              fmt::format("{} worlds of {} x {} cells", lanes_, world.width, world.height)),
      band_{} {
  const LaneShape shape = shape_of(lanes_, world.box().size());
  band_.memory = memory_.begin();
  band_.pitch = shape.pitch;
  band_.rows = shape.rows;
  band_.width = band_.stride = world_.width;
  band_.height = world_.height;
  band_.top = 2 * max_steps_ + 2;
  band_.torus = world_.is_torus();
  band_.dead_above = band_.dead_below = !world_.is_torus();
  band_.rule = mask_of(world_.rule);
  band_.code = kernel.pair_steps();
  band_.wave = shape.wave;
  band_.lanes_are_worlds = true;
}

LaneView LaneBoard::cells() const {
  return {reinterpret_cast<std::uint64_t*>(row(0)), band_.pitch / 8, lanes_ / 64, world_.box().size()};
}

void LaneBoard::edited() { binding_.fill_halo_columns(band_, 0, band_.height); }

// Copies a row of the worlds to a row above or below them, with its halo columns.
void LaneBoard::copy_row(std::int64_t to, std::int64_t from) {
  std::byte* const target = row(to) - vector_bytes_;
  const auto bytes = static_cast<std::size_t>((band_.stride + 2) * vector_bytes_);
  if (band_.torus) {
    std::memcpy(target, row(modulo(from, band_.height)) - vector_bytes_, bytes);
  } else {
    std::memset(target, 0, bytes);
  }
}

void LaneBoard::fill_halo_rows(int steps) {
  for (std::int64_t i = 1; i <= steps; ++i) {
    copy_row(-i, -i);
    copy_row(band_.height - 1 + i, band_.height - 1 + i);
  }
}

void LaneBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    const int steps =
        static_cast<int>(std::min<std::uint64_t>(generations, static_cast<unsigned>(max_steps_)));
    fill_halo_rows(steps);
    binding_.sweep(band_, steps);
    generations -= static_cast<unsigned>(steps);
  }
}

std::uint64_t LaneBoard::short_advance() const {
  constexpr std::int64_t bytes_a_millisecond = 16 << 20;  // of boards in a second-level cache
  const auto passes = bytes_a_millisecond / (band_.pitch * band_.rows * max_steps_);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(passes, 1) * max_steps_);
}

void LaneBoard::copy_to(std::byte* cells) const {
  const auto bytes = static_cast<std::size_t>(band_.stride * vector_bytes_);
  for (std::int64_t y = 0; y < band_.height; ++y) {
    std::memcpy(cells + static_cast<std::size_t>(y) * bytes, row(y), bytes);
  }
}

void LaneBoard::copy_from(const std::byte* cells) {
  const auto bytes = static_cast<std::size_t>(band_.stride * vector_bytes_);
  for (std::int64_t y = 0; y < band_.height; ++y) {
    std::memcpy(row(y), cells + static_cast<std::size_t>(y) * bytes, bytes);
  }
  edited();
}

LaneSet LaneBoard::differing(const LaneSnapshot& from, const LaneSet& ignored) const {
  alignas(64) std::uint64_t differ[max_lanes / 64] = {};
  for (int part = 0; part < lanes_ / 64; ++part) differ[part] = ignored.word(part);
  binding_.compare_lanes(band_, from.memory(), reinterpret_cast<std::byte*>(differ));
  LaneSet set;
  for (int part = 0; part < lanes_ / 64; ++part) set.set_word(part, differ[part] & ~ignored.word(part));
  return set;
}

// Digits of the counts are the rows of squares of bits: transposed, each word is a lane's count.
std::vector<std::uint64_t> LaneBoard::count(const kernels::Band& band) const {
  const int digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(band.width * band.height)));
  alignas(64) std::uint64_t planes[64 * max_lanes / 64];
  binding_.count_lanes(band, reinterpret_cast<std::byte*>(planes), digits);
  std::vector<std::uint64_t> counts;
  counts.reserve(static_cast<std::size_t>(lanes_));
  for (int part = 0; part < lanes_ / 64; ++part) {
    std::uint64_t square[64] = {};
    for (int digit = 0; digit < digits; ++digit) square[digit] = planes[digit * (lanes_ / 64) + part];
    transpose(square, 64);
    counts.insert(counts.end(), square, square + 64);
  }
  return counts;
}

std::vector<std::uint64_t> LaneBoard::populations() const { return count(band_); }

std::vector<std::uint64_t> LaneBoard::count_differing(const LaneSnapshot& from) const {
  const LaneView now = cells(), before = from.view();
  for (std::int64_t y = 0; y < now.size.height; ++y) {
    for (std::int64_t i = 0; i < now.size.width * now.vector; ++i) before.at(0, y)[i] ^= now.at(0, y)[i];
  }
  kernels::Band band = band_;
  band.memory = from.memory();
  band.pitch = band.stride * vector_bytes_;
  band.rows = band.height;
  band.top = 0;
  band.shifted = 2;  // no vectors before the first column's
  return count(band);
}

}  // namespace moorea
