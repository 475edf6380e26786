// SPDX-License-Identifier: MIT
#include "boards/mesh_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <mutex>
#include <vector>

#include "boards/row_summary.h"
#include "model/bits.h"
#include "model/paste.h"

namespace moorea {
namespace {

constexpr double face_seconds = 2e-9;  // of a face and a generation, on bytes
constexpr double mesh_portion_seconds =
    0.0002;                            // of generations for which the number of threads is chosen, at least
constexpr std::int64_t padding = 128;  // bytes before the first cell and after the last word
constexpr std::uint64_t mesh_look_interval = 4096;  // generations between two checks for an empty world

kernels::MeshTable table_of(const kernels::Kernel& kernel) {
  return std::get<kernels::MeshContract>(kernel.contract).table;
}

std::int64_t buffer_bytes(bool bits, std::int64_t faces) {
  return (bits ? words_for(faces) * 8 : faces) + 2 * padding;
}

}  // namespace

double MeshBoard::bytes(const WorldSpec& world) {
  return 2 * (world.box().area() + 2.0 * padding) + layout_bytes(world);
}

MeshBoard::MeshBoard(const WorldSpec& world, const BoundKernel& kernel, int threads, Numbering numbering)
    : Board(world),
      layout_(lay_out(world, {table_of(*kernel.kernel), 64}, numbering)),
      tables_(layout_.arrays.tables()),
      step_(std::get<kernels::MeshBinding>(kernel.binding).step),
      rule_(mask_of(world.rule)),
      bits_(kernel.kernel->layout == kernels::Layout::face_bits),
      units_(bits_ ? words_for(tables_.faces) : tables_.faces),
      buffers_{Zeroed(static_cast<double>(buffer_bytes(bits_, tables_.faces)), "the cells of a mesh"),
               Zeroed(static_cast<double>(buffer_bytes(bits_, tables_.faces)), "the cells of a mesh")},
      cells_{buffers_[0].begin() + padding, buffers_[1].begin() + padding},
      threads_(threads),
      team_size_(threads, face_seconds) {}

// 64 cells of a row, those beyond its end dead.
std::uint64_t MeshBoard::cells_of(std::int64_t y, std::int64_t word) const {
  const std::byte* const cells = cells_[static_cast<std::size_t>(current_)];
  const auto* const words = reinterpret_cast<const std::uint64_t*>(cells);
  const std::int64_t first = y * world_.width + 64 * word,
                     number = std::min<std::int64_t>(64, world_.width - 64 * word);
  std::uint64_t result = 0;
  for (std::int64_t i = 0; i < number; ++i) {
    const auto face = static_cast<std::size_t>(first + i);
    const std::size_t at = layout_.numbers.empty() ? face : layout_.numbers[face];
    const std::uint64_t alive = bits_ ? words[at / 64] >> at % 64 & 1 : static_cast<std::uint64_t>(cells[at]);
    result |= alive << i;
  }
  return result;
}

void MeshBoard::set(std::int64_t face, bool alive) {
  std::byte* const cells = cells_[static_cast<std::size_t>(current_)];
  const std::size_t at = layout_.numbers.empty() ? static_cast<std::size_t>(face)
                                                 : layout_.numbers[static_cast<std::size_t>(face)];
  if (!bits_) {
    cells[at] = static_cast<std::byte>(alive);
    return;
  }
  std::uint64_t& word = reinterpret_cast<std::uint64_t*>(cells)[at / 64];
  const std::uint64_t bit = std::uint64_t{1} << at % 64;
  word = alive ? word | bit : word & ~bit;
}

void MeshBoard::load(const Grid& cells, Position at) {
  std::memset(cells_[static_cast<std::size_t>(current_)], 0,
              static_cast<std::size_t>(buffer_bytes(bits_, tables_.faces) - 2 * padding));
  const std::int64_t words = words_for(world_.width);
  const Box part = intersect({at.x, at.y, cells.width(), cells.height()}, world_.box());
  for (std::int64_t y = part.y; y < part.bottom(); ++y) {
    for (std::int64_t j = 0; j < words; ++j) {
      std::uint64_t live = cells_at(cells.row(y - at.y), cells.words_per_row(), 64 * j - at.x);
      if (j == words - 1) live &= tail_mask(world_.width);
      for (; live != 0; live &= live - 1) set(y * world_.width + 64 * j + std::countr_zero(live), true);
    }
  }
  count_moved(world_.height, words);
}

void MeshBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  if (part.empty()) return;
  const std::int64_t first = part.x / 64, end = words_for(part.right());
  for (std::int64_t y = part.y; y < part.bottom(); ++y) {
    for (std::int64_t j = first; j < end; ++j) {
      const std::uint64_t before = cells_of(y, j);
      std::uint64_t after = before;
      paste_row(mode, cells, y - at.y, at.x, j, j + 1, &after);
      std::uint64_t changed = (before ^ after) & columns_mask(j, part.x, part.right());
      for (; changed != 0; changed &= changed - 1) {
        const int i = std::countr_zero(changed);
        set(y * world_.width + 64 * j + i, (after >> i & 1) != 0);
      }
    }
  }
  count_moved(2 * part.height, end - first);
}

void MeshBoard::read(const Box& box, const GridView& to) const {
  const std::int64_t words = words_for(world_.width);
  std::vector<std::uint64_t> packed(static_cast<std::size_t>(words));
  for (std::int64_t y = box.y; y < box.bottom(); ++y) {
    const bool inside = y >= 0 && y < world_.height;
    const std::int64_t end = std::clamp<std::int64_t>(words_for(box.right()), 0, words);
    for (std::int64_t j = std::max<std::int64_t>(box.x / 64, 0); inside && j < end; ++j)
      packed[static_cast<std::size_t>(j)] = cells_of(y, j);
    extract_row(packed.data(), inside ? words : 0, box.x, box.width, to.row(y - box.y).data());
  }
  count_moved(intersect(box, world_.box()).height, words);
}

int MeshBoard::threads_for_rows(std::int64_t rows) const {
  constexpr double faces_a_thread = 1 << 16;  // some hundred microseconds
  const double faces = static_cast<double>(rows) * static_cast<double>(world_.width);
  return static_cast<int>(std::min<double>(
      {static_cast<double>(threads_), static_cast<double>(rows), 1 + faces / faces_a_thread}));
}

BoardSummary MeshBoard::summary(const SummaryParts& parts, Position origin) const {
  RowSummary all(parts, world_.box(), origin);
  std::mutex mutex;
  team(threads_for_rows(world_.height), [&](int thread, int threads) {
    RowSummary mine(parts, world_.box(), origin);
    std::vector<std::uint64_t> packed(static_cast<std::size_t>(words_for(world_.width)));
    for (std::int64_t y = world_.height * thread / threads; y < world_.height * (thread + 1) / threads; ++y) {
      for (std::size_t j = 0; j < packed.size(); ++j) packed[j] = cells_of(y, static_cast<std::int64_t>(j));
      mine.add(y, packed.data());
    }
    const std::lock_guard lock(mutex);
    all.merge(mine);
  });
  return all.result();
}

void MeshBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    const std::uint64_t part = std::min(generations, mesh_look_interval);
    // Without B0 an empty world stays empty
    if (!world_.rule.births_from_nothing() && part > 1) {
      const std::byte* const cells = cells_[static_cast<std::size_t>(current_)];
      const auto* const end = cells + buffer_bytes(bits_, tables_.faces) - 2 * padding;
      if (std::all_of(cells, end, [](std::byte each) { return each == std::byte{0}; })) return;
    }
    sweep(part);
    generations -= part;
  }
}

// Advances by some generations, after which the number of threads is chosen again.
void MeshBoard::sweep(std::uint64_t generations) {
  const auto faces = static_cast<double>(tables_.faces);
  while (generations > 0) {
    const auto portion =
        std::min(generations,
                 static_cast<std::uint64_t>(std::max(mesh_portion_seconds / (faces * face_seconds), 1.0)));
    const double units = faces * static_cast<double>(portion);
    const int wanted = team_size_.choose(units, threads_);
    const auto begin = std::chrono::steady_clock::now();
    Barrier barrier;
    const int first_buffer = current_;
    team(wanted, [&](int thread, int threads) {
      // Whole cache lines of cells for each thread
      const std::int64_t unit = bits_ ? 8 : 64, blocks = (units_ + unit - 1) / unit;
      const std::int64_t first = blocks * thread / threads * unit,
                         last = std::min(blocks * (thread + 1) / threads * unit, units_);
      for (std::uint64_t i = 0; i < portion; ++i) {
        const std::size_t from = (static_cast<std::size_t>(first_buffer) + i) % 2;
        if (first < last) step_({cells_[from], cells_[1 - from], first, last, &tables_, rule_});
        barrier.wait(threads);
      }
    });
    current_ = static_cast<int>((static_cast<std::size_t>(first_buffer) + portion) % 2);
    team_size_.measured(units,
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    generations -= portion;
  }
}

}  // namespace moorea
