// SPDX-License-Identifier: MIT
#include "boards/strided_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>

#include "boards/row_summary.h"
#include "boards/strided_rows.h"
#include "boards/tile_trace.h"
#include "devices/cpu/threads.h"
#include "model/bits.h"
#include "model/paste.h"

namespace moorea {
namespace {

// Minimum rows of a band per generation of a pass, which bounds the work done twice at its borders.
constexpr std::int64_t rows_per_step = 4;

constexpr double word_seconds = 1.5e-9;     // of 64 cells and a generation, on plain words
constexpr double portion_seconds = 0.0002;  // of passes for which the number of threads is chosen, at least

constexpr std::uint64_t look_interval = 4096;  // generations between two checks for an empty world

int lanes_of(const kernels::Kernel& kernel) {
  return std::get<kernels::StridedContract>(kernel.contract).lanes;
}

std::int64_t stride_of(int lanes, std::int64_t width) { return (width + lanes - 1) / lanes; }

std::ptrdiff_t pitch_of(int lanes, std::int64_t width) {
  std::ptrdiff_t pitch = (stride_of(lanes, width) + 3) * (lanes / 8);
  // Rows that lie a multiple of half a page apart would share their places in the first-level cache
  while (pitch % 2048 == 0) pitch += lanes / 8;
  return pitch;
}

std::int64_t memory_rows(const kernels::Kernel& kernel, std::int64_t height) {
  return height + 4 * kernel.max_steps + 4;
}

std::int64_t bands_for(const kernels::Kernel& kernel, std::int64_t height, int threads) {
  return std::clamp<std::int64_t>(height / (rows_per_step * kernel.max_steps), 1, threads);
}

}  // namespace

double StridedBoard::bytes(const kernels::Kernel& kernel, Size size, int threads) {
  const std::int64_t bands = bands_for(kernel, size.height, threads);
  const double rows = static_cast<double>(size.height) + static_cast<double>(bands * memory_rows(kernel, 0));
  return static_cast<double>(pitch_of(lanes_of(kernel), size.width)) * rows;
}

StridedBoard::StridedBoard(const WorldSpec& world, const BoundKernel& kernel, int threads)
    : Board(world),
      binding_(std::get<kernels::StridedBinding>(kernel.binding)),
      code_(kernel.code),
      max_steps_(kernel.kernel->max_steps),
      lanes_(lanes_of(*kernel.kernel)),
      stride_(stride_of(lanes_, world_.width)),
      vector_bytes_(lanes_ / 8),
      team_size_(threads, word_seconds) {
  const std::int64_t bands = bands_for(*kernel.kernel, world_.height, threads);
  const std::ptrdiff_t pitch = pitch_of(lanes_, world_.width);
  const bool torus = world.is_torus();
  for (std::int64_t i = 0; i < bands; ++i) {
    const std::int64_t y = world_.height * i / bands, rows = world_.height * (i + 1) / bands - y;
    Zeroed memory(static_cast<double>(pitch) * static_cast<double>(memory_rows(*kernel.kernel, rows)),
                  fmt::format("{} rows of {} cells", rows, world_.width));
    kernels::Band band{memory.begin(),
                       pitch,
                       memory_rows(*kernel.kernel, rows),
                       world_.width,
                       stride_,
                       rows,
                       2 * max_steps_ + 2,
                       0,
                       torus,
                       !torus && i == 0,
                       !torus && i == bands - 1,
                       mask_of(world.rule),
                       kernel.pair_steps()};
    parts_.push_back({std::move(memory), band, y});
  }
}

// The band that has a row of the world.
std::size_t StridedBoard::part_of(std::int64_t y) const {
  std::size_t i = static_cast<std::size_t>((y * std::ssize(parts_)) / world_.height);
  while (y < parts_[i].y) --i;
  while (y >= parts_[i].y + parts_[i].band.height) ++i;
  return i;
}

// The vectors of a row of the world.
const std::uint64_t* StridedBoard::vectors(std::int64_t y) const {
  const Part& part = parts_[part_of(y)];
  return reinterpret_cast<const std::uint64_t*>(kernels::band_row(part.band, y - part.y, vector_bytes_));
}

// Threads for one visit of each word.
int StridedBoard::threads_to_read() const {
  constexpr std::int64_t words_a_thread = 8192;  // some ten microseconds
  return static_cast<int>(std::clamp<std::int64_t>(words_for(world_.width) * world_.height / words_a_thread,
                                                   1, std::ssize(parts_)));
}

// Calls body(y, packed) for some rows, with memory for a packed row. No more threads than in the last pass:
// one if its cells were few, or if other processes occupied the CPUs.
template <class Body>
void StridedBoard::for_rows(std::int64_t begin, std::int64_t end, const Body& body) const {
  constexpr std::int64_t words_a_thread = 1024;  // some ten microseconds, if they are converted
  const std::int64_t words = words_for(world_.width), rows = end - begin;
  team(static_cast<int>(std::clamp<std::int64_t>(words * rows / words_a_thread, 1, last_threads_)),
       [&](int thread, int threads) {
         std::vector<std::uint64_t> packed(static_cast<std::size_t>(words));
         for (std::int64_t y = begin + rows * thread / threads; y < begin + rows * (thread + 1) / threads;
              ++y)
           body(y, packed.data());
       });
}

void StridedBoard::load(const Grid& cells, Position at) {
  const std::int64_t words = words_for(world_.width);
  team(threads_to_read(), [&](int thread, int threads) {
    std::vector<std::uint64_t> packed(static_cast<std::size_t>(words));
    for (std::size_t i = static_cast<std::size_t>(thread); i < parts_.size();
         i += static_cast<std::size_t>(threads)) {
      Part& part = parts_[i];
      for (std::int64_t row = 0; row < part.band.height; ++row) {
        auto* target = reinterpret_cast<std::uint64_t*>(kernels::band_row(part.band, row, vector_bytes_));
        const std::int64_t from = part.y + row - at.y;
        if (from < 0 || from >= cells.height()) {
          std::memset(target, 0, static_cast<std::size_t>(stride_ * vector_bytes_));
          continue;
        }
        for (std::int64_t j = 0; j < words; ++j) {
          packed[static_cast<std::size_t>(j)] =
              cells_at(cells.row(from), cells.words_per_row(), j * 64 - at.x);
        }
        packed.back() &= tail_mask(world_.width);
        to_strided(packed.data(), world_.width, target, stride_, lanes_);
      }
      binding_.fill_halo_columns(part.band, 0, part.band.height);
    }
  });
  count_moved(world_.height, words);
}

// A row's cells are spread over all its vectors, so whole rows are converted.
void StridedBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  if (part.empty()) return;
  const std::int64_t words = words_for(world_.width);
  const bool replaces_rows = mode == PasteMode::replace && part.width == world_.width;
  for_rows(part.y, part.bottom(), [&](std::int64_t y, std::uint64_t* packed) {
    Part& owner = parts_[part_of(y)];
    if (!replaces_rows) read_row(y, packed);
    paste_row(mode, cells, y - at.y, at.x, part.x / 64, words_for(part.right()), packed + part.x / 64);
    packed[words - 1] &= tail_mask(world_.width);
    auto* const target =
        reinterpret_cast<std::uint64_t*>(kernels::band_row(owner.band, y - owner.y, vector_bytes_));
    to_strided(packed, world_.width, target, stride_, lanes_);
    binding_.fill_halo_columns(owner.band, y - owner.y, 1);
  });
  count_moved(2 * part.height, words);
}

// Copies a row of the world to a row above or below a band, with its halo columns.
void StridedBoard::copy_row(Part& part, std::int64_t to, std::int64_t from) const {
  std::byte* target = kernels::band_row(part.band, to, vector_bytes_) - vector_bytes_;
  if (world_.topology == Topology::plane && (from < 0 || from >= world_.height)) {
    std::memset(part.band.memory + (part.band.top + to) * part.band.pitch, 0,
                static_cast<std::size_t>(part.band.pitch));
  } else {
    std::memcpy(target, vectors(modulo(from, world_.height)) - vector_bytes_ / 8,
                static_cast<std::size_t>((stride_ + 2) * vector_bytes_));
  }
}

// Fills the rows above and below a band; all other bands must hold the same generation.
void StridedBoard::exchange(Part& part, int steps) const {
  for (std::int64_t i = 1; i <= steps; ++i) {
    copy_row(part, -i, part.y - i);
    copy_row(part, part.band.height - 1 + i, part.y + part.band.height - 1 + i);
  }
}

void StridedBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    // Without B0 an empty world stays empty
    const bool births = world_.rule.births_from_nothing();
    if (!births && generations >= static_cast<unsigned>(max_steps_) && is_empty()) return;
    const std::uint64_t part = std::min(generations, look_interval);
    sweep(part);
    generations -= part;
  }
}

// Advances by some passes, after which the number of threads is chosen again.
void StridedBoard::sweep(std::uint64_t generations) {
  const auto depth = static_cast<std::uint64_t>(max_steps_);
  const double words =
      static_cast<double>(stride_ * (vector_bytes_ / 8)) * static_cast<double>(world_.height);
  while (generations > 0) {
    const double pass = words * static_cast<double>(std::min(depth, generations)) * word_seconds;
    const auto passes = static_cast<std::uint64_t>(std::max(portion_seconds / pass, 1.0));
    const std::uint64_t portion = std::min(generations, passes * depth);
    const double units = words * static_cast<double>(portion);
    const int threads = team_size_.choose(units, static_cast<int>(parts_.size()));
    const auto begin = std::chrono::steady_clock::now();
    sweep(portion, threads);
    last_threads_ = threads;
    team_size_.measured(units,
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    generations -= portion;
  }
}

void StridedBoard::sweep(std::uint64_t generations, int wanted) {
  Phases phases(wanted);
  team(wanted, [&](int thread, int threads) {
    const std::size_t first =
        parts_.size() * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
    const std::size_t last =
        parts_.size() * (static_cast<std::size_t>(thread) + 1) / static_cast<std::size_t>(threads);
    for (std::uint64_t left = generations; left > 0;) {
      const int steps = static_cast<int>(std::min<std::uint64_t>(left, static_cast<unsigned>(max_steps_)));
      for (std::size_t i = first; i < last; ++i) exchange(parts_[i], steps);
      phases.next(thread, threads);
      for (std::size_t i = first; i < last; ++i) {
        Part& part = parts_[i];
        const double begin = trace_ != nullptr ? trace_->now() : 0;
        binding_.sweep(part.band, steps);
        if (trace_ != nullptr)
          trace_->record(thread, {0, part.y, world_.width, part.band.height}, begin, false,
                         passed_ + generations - left);
      }
      phases.next(thread, threads);
      left -= static_cast<unsigned>(steps);
    }
  });
  passed_ += generations;
}

void StridedBoard::read_row(std::int64_t y, std::uint64_t* packed) const {
  from_strided(vectors(y), stride_, lanes_, packed, world_.width);
}

// Visits a row's 64-bit words with their index, cleared of bits that are not cells: lanes beyond the last
// cell are undefined.
template <class PerWord>
void StridedBoard::for_words(std::int64_t y, const PerWord& per_word) const {
  const int words = lanes_ / 64;
  const std::uint64_t* vector = vectors(y);
  for (std::int64_t j = 0; j < stride_; ++j, vector += words) {
    const std::int64_t lanes = (world_.width - j + stride_ - 1) / stride_;
    for (int i = 0; i < words && i * 64 < lanes; ++i) {
      per_word(lanes - i * 64 >= 64 ? vector[i] : vector[i] & tail_mask(lanes - i * 64), j * words + i);
    }
  }
}

bool StridedBoard::is_empty() const {
  std::uint64_t any = 0;
  for (std::int64_t y = 0; y < world_.height && any == 0; ++y) {
    for_words(y, [&](std::uint64_t cells, std::int64_t) { any |= cells; });
  }
  return any == 0;
}

std::uint64_t StridedBoard::population_of(std::int64_t y) const {
  std::uint64_t count = 0;
  for_words(y, [&](std::uint64_t cells, std::int64_t) { count += popcount(cells); });
  return count;
}

// Each row is read once. The population needs no packed row.
BoardSummary StridedBoard::summary(const SummaryParts& parts, Position origin) const {
  const bool packs = parts.hash;
  const SummaryParts packed_parts = {false, parts.hash, packs && parts.bounding_box};
  RowSummary all(packed_parts, world_.box(), origin);
  std::uint64_t population = 0;
  std::mutex mutex;
  team(threads_to_read(), [&](int thread, int threads) {
    RowSummary mine(packed_parts, world_.box(), origin);
    std::vector<std::uint64_t> packed(static_cast<std::size_t>(words_for(world_.width)));
    std::uint64_t count = 0;
    for (std::int64_t y = world_.height * thread / threads; y < world_.height * (thread + 1) / threads; ++y) {
      if (parts.population) count += population_of(y);
      if (!packs) continue;
      read_row(y, packed.data());
      mine.add(y, packed.data());
    }
    const std::lock_guard lock(mutex);
    all.merge(mine);
    population += count;
  });
  BoardSummary result = all.result();
  result.population = population;
  if (parts.bounding_box && !packs) result.bounding_box = find_box();
  return result;
}

// Rows are combined as they are stored, and only the combination is packed.
std::optional<Box> StridedBoard::find_box() const {
  const SummaryParts parts = {.bounding_box = true};
  RowSummary all(parts, world_.box(), {});
  std::mutex mutex;
  team(threads_to_read(), [&](int thread, int threads) {
    RowSummary mine(parts, world_.box(), {});
    std::vector<std::uint64_t> any(static_cast<std::size_t>(stride_ * lanes_ / 64)),
        packed(static_cast<std::size_t>(words_for(world_.width)));
    std::int64_t top = -1, bottom = -1;
    for (std::int64_t y = world_.height * thread / threads; y < world_.height * (thread + 1) / threads; ++y) {
      std::uint64_t row = 0;
      for_words(y, [&](std::uint64_t cells, std::int64_t at) {
        any[static_cast<std::size_t>(at)] |= cells;
        row |= cells;
      });
      if (row == 0) continue;
      if (top < 0) top = y;
      bottom = y;
    }
    if (top < 0) return;
    from_strided(any.data(), stride_, lanes_, packed.data(), world_.width);
    mine.add(top, packed.data());
    mine.add(bottom, packed.data());
    const std::lock_guard lock(mutex);
    all.merge(mine);
  });
  return all.result().bounding_box;
}

void StridedBoard::read(const Box& box, const GridView& to) const {
  const std::int64_t words = words_for(world_.width);
  for_rows(box.y, box.bottom(), [&](std::int64_t y, std::uint64_t* packed) {
    const bool inside = y >= 0 && y < world_.height;
    if (inside) read_row(y, packed);
    extract_row(packed, inside ? words : 0, box.x, box.width, to.row(y - box.y).data());
  });
  count_moved(intersect(box, world_.box()).height, words);
}

}  // namespace moorea
