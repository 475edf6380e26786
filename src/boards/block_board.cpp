// SPDX-License-Identifier: MIT
#include "boards/block_board.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <mutex>
#include <vector>

#include "boards/row_summary.h"
#include "boards/tile_trace.h"
#include "devices/cpu/placement.h"
#include "devices/cpu/threads.h"
#include "model/bits.h"
#include "model/paste.h"

namespace moorea {
namespace {

using kernels::Layout;

constexpr int box_interval = 64;  // generations between two searches for the live cells' box

// Words (64 cells) that keep a thread busy for some ten microseconds, more than starting it costs.
constexpr std::int64_t words_per_thread_bits = 4096;
constexpr std::int64_t words_per_thread_bytes = 128;

}  // namespace

BlockBoard::BlockBoard(const WorldSpec& world, const kernels::Kernel& kernel,
                       const kernels::BlockBinding& binding, int threads, const Tiling& tiling)
    : Board(world),
      kernel_(&kernel),
      contract_(&std::get<kernels::BlockContract>(kernel.contract)),
      step_(binding.step),
      wide_step_(binding.wide_step),
      rule_(mask_of(world.rule)),
      threads_(threads),
      buffers_{FieldBuffer(kernel.layout, world_.width, world_.height, kernel.max_steps),
               FieldBuffer(kernel.layout, world_.width, world_.height, kernel.max_steps)},
      tiling_(tiling) {
  const kernels::TileShape usual = contract_->tile;
  if (usual.width == 0) return;
  TileSize& tile = tiling_.tile;
  if (tile.width == 0) tile = {usual.width, usual.height};
  if (tiling_.placement != Placement::none) cpus_.emplace();
  if (contract_->activity == kernels::Activity::skipped) {
    assert(kernel.max_steps == 1);  // what happens in a tile reaches its neighbours, and no further
    activity_.emplace((world_.width + tile.width - 1) / tile.width,
                      (world_.height + tile.height - 1) / tile.height, world.is_torus());
  }
}

BlockBoard::Area BlockBoard::whole() const { return {0, words_for(world_.width), 0, world_.height}; }

// The words that hold `box` and `margin` cells around it, as far as they lie in the world.
BlockBoard::Area BlockBoard::around(const Box& box, std::int64_t margin) const {
  const Box area = intersect(box.expanded(margin), world_.box());
  return {area.x / 64, words_for(area.right()), area.y, area.bottom()};
}

void BlockBoard::load(const Grid& cells, Position at) {
  const auto index = static_cast<std::size_t>(current_);
  const Field& field = buffers_[index].field();
  clear_outside(field, used_[index], {});
  used_[index] = {};
  since_box_ = 0;
  box_ = cells.bounding_box();
  if (activity_) {
    // Tiles that are not computed must be dead in both buffers
    clear_outside(buffers_[1 - index].field(), used_[1 - index], {});
    used_[1 - index] = {};
    wake(box_ ? around(box_->translated(at), 0) : Area{});
  }
  if (!box_) return;
  // Only the live cells' box is written: pages that are never written need no memory
  const Box from = *box_;
  box_ = box_->translated(at);
  const Area area = around(*box_, 0);
  Grid row((area.right - area.left) * 64, 1);
  for (std::int64_t line = 0; line < from.height; ++line) {
    const std::uint64_t* source = cells.row(from.y + line);
    for (std::int64_t j = area.left; j < area.right; ++j) {
      row.row(0)[j - area.left] = cells_at(source, cells.words_per_row(), j * 64 - at.x);
    }
    std::byte* target = field.row(box_->y + line);
    if (field.layout == Layout::bits) {
      std::memcpy(target + area.left * 8, row.row(0), static_cast<std::size_t>(area.right - area.left) * 8);
    } else {
      const std::int64_t end = std::min(area.right * 64, world_.width);
      for (std::int64_t i = area.left * 64; i < end; ++i) {
        target[i] = static_cast<std::byte>(row.alive(i - area.left * 64, 0));
      }
    }
  }
  used_[index] = area;
  count_moved(area.bottom - area.top, area.right - area.left);
}

// Makes the tiles active that hold the area, which has all live cells; with B0 dead cells are active too.
void BlockBoard::wake(const Area& area) {
  const Area live = world_.rule.births_from_nothing() ? whole() : area;
  const TileSize tile = tiling_.tile;
  for (std::int64_t row = 0; row < activity_->rows(); ++row) {
    const bool in_rows = row * tile.height < live.bottom && (row + 1) * tile.height > live.top;
    for (std::int64_t column = 0; column < activity_->columns(); ++column) {
      const bool in_columns =
          column * tile.width < live.right * 64 && (column + 1) * tile.width > live.left * 64;
      activity_->report(column, row, in_rows && in_columns && !live.empty());
    }
  }
  activity_->swap();
  loaded_ = true;
}

int BlockBoard::threads_for(const Area& area) const {
  const std::int64_t words = (area.right - area.left) * (area.bottom - area.top);
  const std::int64_t enough =
      kernel_->layout == Layout::bits ? words_per_thread_bits : words_per_thread_bytes;
  return static_cast<int>(
      std::clamp<std::int64_t>(std::min(words / enough, area.bottom - area.top), 1, threads_));
}

BlockBoard::Area BlockBoard::reach(int steps) {
  if (world_.rule.births_from_nothing()) return whole();
  if (since_box_ >= box_interval && (!activity_ || activity_->quiet())) {
    box_ = find_box();
    since_box_ = 0;
  }
  if (!box_) return {};
  if (activity_) return whole();
  const std::int64_t margin = since_box_ + steps;
  const bool crosses = box_->x < margin || box_->y < margin ||
                       box_->x + box_->width + margin > world_.width ||
                       box_->y + box_->height + margin > world_.height;
  return crosses && world_.is_torus() ? whole() : around(*box_, margin);
}

bool BlockBoard::reads_halo(const Area& area, int steps) const {
  return area.left * 64 < steps || area.right * 64 > world_.width - steps || area.top < steps ||
         area.bottom > world_.height - steps;
}

void BlockBoard::advance(std::uint64_t generations) {
  while (generations > 0) {
    int steps =
        static_cast<int>(std::min<std::uint64_t>(generations, static_cast<unsigned>(kernel_->max_steps)));
    Area area = reach(steps);
    if (area.empty()) return;  // all cells stay dead
    // No cell may be born beyond a plane's edge, but kernels of several generations would allow it
    if (world_.topology == Topology::plane && steps > 1 && !contract_->plane_steps && reads_halo(area, steps))
      area = reach(steps = 1);
    pass(area, steps);
    since_box_ += steps;
    generations -= static_cast<unsigned>(steps);
  }
}

void BlockBoard::clear_words(const Field& field, std::int64_t y, std::int64_t left,
                             std::int64_t right) const {
  if (left >= right) return;
  if (field.layout == Layout::bits) {
    std::fill(field.words(y) + left, field.words(y) + right, 0);
  } else {
    std::fill(field.row(y) + left * 64, field.row(y) + std::min(right * 64, world_.width), std::byte{0});
  }
}

void BlockBoard::clear_outside(const Field& field, const Area& used, const Area& kept) const {
  if (used.left >= kept.left && used.right <= kept.right && used.top >= kept.top &&
      used.bottom <= kept.bottom)
    return;
  for (std::int64_t y = used.top; y < used.bottom; ++y) {
    if (y < kept.top || y >= kept.bottom) {
      clear_words(field, y, used.left, used.right);
    } else {
      clear_words(field, y, used.left, std::min(used.right, kept.left));
      clear_words(field, y, std::max(used.left, kept.right), used.right);
    }
  }
}

void BlockBoard::read_words(std::int64_t y, std::int64_t left, std::int64_t right,
                            std::uint64_t* words) const {
  const Field& field = buffers_[static_cast<std::size_t>(current_)].field();
  for (std::int64_t j = left; j < right; ++j) {
    if (field.layout == Layout::bits) {
      words[j - left] = field.words(y)[j];
      continue;
    }
    std::uint64_t word = 0;
    const std::int64_t cells = std::min<std::int64_t>(world_.width - j * 64, 64);
    for (std::int64_t i = 0; i < cells; ++i)
      word |= std::to_integer<std::uint64_t>(field.row(y)[j * 64 + i]) << i;
    words[j - left] = word;
  }
  if (right == words_for(world_.width) && left < right) words[right - left - 1] &= tail_mask(world_.width);
}

// The inverse of read_words, for words whose bits beyond the width are 0.
void BlockBoard::write_words(std::int64_t y, std::int64_t left, std::int64_t right,
                             const std::uint64_t* words) {
  const Field& field = buffers_[static_cast<std::size_t>(current_)].field();
  if (field.layout == Layout::bits) {
    std::copy(words, words + (right - left), field.words(y) + left);
    return;
  }
  std::byte* const target = field.row(y);
  for (std::int64_t x = left * 64; x < std::min(right * 64, world_.width); ++x)
    target[x] = static_cast<std::byte>(words[x / 64 - left] >> x % 64 & 1);
}

void BlockBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  if (part.empty()) return;
  Area& used = used_[static_cast<std::size_t>(current_)];
  const Area written = around(part, 0);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(written.right - written.left));
  for (std::int64_t y = part.y; y < part.bottom(); ++y) {
    read_words(y, written.left, written.right, words.data());
    paste_row(mode, cells, y - at.y, at.x, written.left, written.right, words.data());
    if (written.right == words_for(world_.width)) words.back() &= tail_mask(world_.width);
    write_words(y, written.left, written.right, words.data());
  }
  count_moved(2 * part.height, std::ssize(words));
  used = used.empty() ? written
                      : Area{std::min(used.left, written.left), std::max(used.right, written.right),
                             std::min(used.top, written.top), std::max(used.bottom, written.bottom)};
  // The box of earlier live cells may have grown since it was found; one more box only makes it larger
  if (!box_) since_box_ = 0;
  box_ = unite(box_.value_or(Box()), part);
  if (activity_) wake(whole());
}

// Each row that may hold live cells is read once, on as many threads as pay.
BoardSummary BlockBoard::summary(const SummaryParts& parts, Position origin) const {
  const Area& area = used_[static_cast<std::size_t>(current_)];
  BoardSummary result;
  if (area.empty()) return result;
  if (parts.population || parts.hash) {
    const SummaryParts by_rows = {parts.population, parts.hash, false};
    const Box rows_box = {area.left * 64, area.top, (area.right - area.left) * 64, area.bottom - area.top};
    RowSummary all(by_rows, rows_box, origin);
    std::mutex mutex;
    team(threads_for(area), [&](int thread, int threads) {
      RowSummary mine(by_rows, rows_box, origin);
      std::vector<std::uint64_t> words(static_cast<std::size_t>(area.right - area.left));
      const std::int64_t rows = rows_box.height;
      for (std::int64_t y = rows * thread / threads; y < rows * (thread + 1) / threads; ++y) {
        read_words(area.top + y, area.left, area.right, words.data());
        mine.add(area.top + y, words.data());
      }
      const std::lock_guard lock(mutex);
      all.merge(mine);
    });
    result = all.result();
  }
  if (parts.bounding_box) result.bounding_box = find_box();
  return result;
}

// Searches each row from both ends and skips what cannot change the box: with a byte per cell, packing rows
// would take longer than a generation.
std::optional<Box> BlockBoard::find_box() const {
  const Area& area = used_[static_cast<std::size_t>(current_)];
  std::vector<std::uint64_t> words(1);
  const auto word = [&](std::int64_t y, std::int64_t j) {
    read_words(y, j, j + 1, words.data());
    return words[0];
  };
  std::int64_t left = world_.width, right = -1, top = -1, bottom = -1;
  for (std::int64_t y = area.top; y < area.bottom; ++y) {
    // From both ends inwards, and no further than where earlier rows have live cells already
    std::int64_t first = area.left, last = area.right - 1;
    while (first < area.right && first * 64 < left && word(y, first) == 0) ++first;
    while (last >= area.left && last * 64 + 63 > right && word(y, last) == 0) --last;
    bool lives = false;
    if (first < area.right) {
      if (const std::uint64_t cells = word(y, first); cells != 0) {
        left = std::min<std::int64_t>(left, first * 64 + std::countr_zero(cells));
        lives = true;
      }
    }
    if (last >= area.left) {
      if (const std::uint64_t cells = word(y, last); cells != 0) {
        right = std::max<std::int64_t>(right, last * 64 + 63 - std::countl_zero(cells));
        lives = true;
      }
    }
    for (std::int64_t j = first; !lives && j <= last; ++j) lives = word(y, j) != 0;
    if (!lives) continue;
    if (top < 0) top = y;
    bottom = y;
  }
  if (top < 0) return std::nullopt;
  return Box{left, top, right - left + 1, bottom - top + 1};
}

void BlockBoard::read(const Box& box, const GridView& to) const {
  const Box part = intersect(box, world_.box());
  const std::int64_t first = part.x / 64, last = std::max(first, words_for(part.right()));
  std::vector<std::uint64_t> words(static_cast<std::size_t>(last - first));
  for (std::int64_t y = box.y; y < box.bottom(); ++y) {
    const bool inside = part.contains(Position{part.x, y});
    if (inside) read_words(y, first, last, words.data());
    extract_row(words.data(), inside ? last - first : 0, box.x - first * 64, box.width,
                to.row(y - box.y).data());
  }
  count_moved(part.height, last - first);
}

}  // namespace moorea
