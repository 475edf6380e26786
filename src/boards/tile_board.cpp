// SPDX-License-Identifier: MIT
#include "boards/tile_board.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <mutex>

#include "boards/tile_internals.h"
#include "model/bits.h"
#include "model/hash.h"
#include "model/paste.h"

namespace moorea {
namespace {

using kernels::tile_halo;
using kernels::tile_side;

// A torus narrower than the halo is repeated side by side, which changes nothing
std::int64_t repeated(Topology topology, std::int64_t cells) {
  return topology == Topology::torus && cells < tile_halo ? cells * ((tile_halo + cells - 1) / cells) : cells;
}

std::int64_t column_words(std::int64_t rows) { return (rows_above + rows + rows_below + 7) / 8 * 8; }

std::int64_t columns_of(std::int64_t width) { return (width + tile_side - 1) / tile_side; }

double buffer_bytes(std::int64_t width, std::int64_t height) {
  return static_cast<double>(columns_of(width)) * static_cast<double>(column_words(height)) * 8;
}

}  // namespace

double TileBoard::bytes(const WorldSpec& world) {
  const std::int64_t width = repeated(world.topology, world.width),
                     height = repeated(world.topology, world.height);
  const double tiles = static_cast<double>(columns_of(width)) * static_cast<double>(height / tile_rows + 1);
  return 2 * buffer_bytes(width, height) + tiles * (4 * sizeof(std::uint64_t) + sizeof(Place) + 0.125);
}

// Columns whose widths differ by one cell at most.
TileBoard::Cuts TileBoard::cut_columns(std::int64_t cells) {
  Cuts cuts{cells, {}};
  const std::int64_t parts = columns_of(cells);
  // cells * i would overflow in the widest worlds
  for (std::int64_t i = 0; i <= parts; ++i) {
    cuts.begin.push_back(cells / parts * i + cells % parts * i / parts);
  }
  return cuts;
}

// Rows that begin at multiples of 8; the last is no lower than a halo.
TileBoard::Cuts TileBoard::cut_rows(std::int64_t cells) {
  Cuts cuts{cells, {}};
  for (std::int64_t y = 0; y < cells; y += tile_rows) cuts.begin.push_back(y);
  if (cuts.begin.size() > 1 && cells - cuts.begin.back() < tile_halo) cuts.begin.back() -= 8;
  cuts.begin.push_back(cells);
  return cuts;
}

TileBoard::TileBoard(const WorldSpec& world, const BoundKernel& kernel, int threads)
    : TiledBoard(world),
      step_(std::get<kernels::TileBinding>(kernel.binding).step),
      code_(kernel.code),
      step_window_(kernel.step_window()),
      rule_(mask_of(world.rule)),
      lanes_(std::get<kernels::TileContract>(kernel.kernel->contract).lanes / 64),
      team_(threads, lanes_),
      columns_(cut_columns(repeated(world_.topology, world_.width))),
      rows_(cut_rows(repeated(world_.topology, world_.height))),
      column_words_(column_words(rows_.cells)),
      buffers_{Zeroed(buffer_bytes(columns_.cells, rows_.cells),
                      fmt::format("{} x {} cells", world_.width, world_.height)),
               Zeroed(buffer_bytes(columns_.cells, rows_.cells),
                      fmt::format("{} x {} cells", world_.width, world_.height))},
      dead_column_(static_cast<double>(column_words_) * 8, "a column of cells"),
      woken_(static_cast<std::size_t>(columns_.parts() * words_for(rows_.parts()))),
      words_a_column_(words_for(rows_.parts())),
      column_woken_(static_cast<std::size_t>(columns_.parts())),
      used_(woken_.size()) {
  for (std::size_t i = 0; i < 2; ++i) {
    row_zero_[i] = reinterpret_cast<std::uint64_t*>(buffers_[i].begin()) + rows_above;
  }
  for (Known& known : known_) {
    known.population.assign(tiles(), Known::unknown);
    known.hash.assign(tiles(), Known::unknown);
  }
}

void TileBoard::clear() {
  for_used(0, columns_.parts(), [&](Place place) {
    for (int buffer = 0; buffer < 2; ++buffer) {
      Known& known = known_[static_cast<std::size_t>(buffer)];
      known.population[index(place)] = known.hash[index(place)] = Known::unknown;
      std::fill_n(row_zero(buffer, place.column) + rows_.begin[static_cast<std::size_t>(place.row)],
                  rows_.size(place.row), 0);
      copy_ends(buffer, place);
    }
  });
  std::fill(used_.begin(), used_.end(), 0);
  written_ += tiles();
}

// Adds live cells to a row of a column; dead words are not written and so need no memory.
void TileBoard::put(std::int64_t column, std::int64_t y, std::uint64_t cells) {
  if (cells == 0) return;
  row_zero(current_, column)[y] |= cells;
  const std::int64_t tile = rows_.part_of(y);
  used_[static_cast<std::size_t>(column * words_a_column_ + tile / 64)] |= std::uint64_t{1} << tile % 64;
}

// Call after the last put().
void TileBoard::begin() {
  for (std::int32_t column = 0; column < columns_.parts(); ++column) {
    copy_ends(current_, {column, 0});
    copy_ends(current_, {column, static_cast<std::int32_t>(rows_.parts() - 1)});
  }
  wake_all();
}

void TileBoard::load(const Grid& cells, Position at) {
  clear();
  count_moved(cells.height(), cells.words_per_row());
  // Repeated cells are in all rows and columns
  const Box board = {0, 0, columns_.cells, rows_.cells};
  const Box part = repeats() ? board : intersect({at.x, at.y, cells.width(), cells.height()}, board);
  for (std::int64_t column = 0; column < columns_.parts(); ++column) {
    const std::int64_t left = columns_.begin[static_cast<std::size_t>(column)], first = left - at.x;
    if (left >= part.right() || left + columns_.size(column) <= part.x) continue;
    const std::uint64_t mask = tile_mask(columns_.size(column));
    for (std::int64_t row = part.y; row < part.bottom(); ++row) {
      const std::int64_t from = row % world_.height - at.y;
      if (from < 0 || from >= cells.height()) continue;
      std::uint64_t word = cells_at(cells.row(from), cells.words_per_row(), first);
      if (columns_.cells > world_.width) {
        word &= tile_mask(static_cast<int>(world_.width));
        for (std::int64_t filled = world_.width; filled < columns_.cells; filled *= 2) word |= word << filled;
      }
      put(column, row, word & mask);
    }
  }
  begin();
}

void TileBoard::write(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, world_.box());
  if (part.empty()) return;
  if (repeats()) {  // narrower than a halo: a few cells times the other side
    Grid all = window(world_.box());
    all.paste(cells, at, mode);
    load(all, {});
    return;
  }
  const std::int64_t source_words = words_for(cells.width);
  const std::int64_t first_row = rows_.part_of(part.y), last_row = rows_.part_of(part.bottom() - 1);
  for (std::int64_t column = columns_.part_of(part.x); column <= columns_.part_of(part.right() - 1);
       ++column) {
    const std::int64_t begin = columns_.begin[static_cast<std::size_t>(column)];
    const std::uint64_t mask =
        columns_mask(0, part.x - begin, part.right() - begin) & tile_mask(columns_.size(column));
    std::uint64_t* const words = row_zero(current_, column);
    for (std::int64_t row = first_row; row <= last_row; ++row) {
      const auto index_of_row = static_cast<std::size_t>(row);
      const std::int64_t top = std::max(part.y, rows_.begin[index_of_row]),
                         end = std::min(part.bottom(), rows_.begin[index_of_row] + rows_.size(row));
      bool changed = false;
      for (std::int64_t y = top; y < end; ++y) {
        const std::uint64_t* const from = cells.words + (y - at.y) * cells.words_per_row;
        const std::uint64_t pasted =
            paste_word(mode, words[y], cells_at(from, source_words, begin - at.x), mask);
        if (pasted == words[y]) continue;  // dead rows that stay dead cost no memory
        words[y] = pasted;
        changed = true;
      }
      // Tiles that stay as they are stay asleep, too: as halo rows of a part where nothing happens
      if (!changed) continue;
      const Place place = {static_cast<std::int32_t>(column), static_cast<std::int32_t>(row)};
      used_[static_cast<std::size_t>(column * words_a_column_ + row / 64)] |= std::uint64_t{1} << row % 64;
      Known& known = known_[static_cast<std::size_t>(current_)];
      known.population[index(place)] = known.hash[index(place)] = Known::unknown;
      copy_ends(current_, place);
      edited_.push_back(place);
    }
  }
  const std::int64_t columns = columns_.part_of(part.right() - 1) - columns_.part_of(part.x) + 1;
  count_moved(2 * part.height, columns);
  written_ += static_cast<std::uint64_t>(columns * (last_row - first_row + 1));
  wake_edited();
}

// The rows above and below a torus are copies of those at the other end, made by whoever writes these.
void TileBoard::copy_ends(int buffer, Place place) {
  if (world_.topology == Topology::plane) return;
  std::uint64_t* first = row_zero(buffer, place.column);
  const auto copy = [](std::uint64_t* to, const std::uint64_t* from) {
    constexpr std::size_t bytes = tile_halo * sizeof(std::uint64_t);
    if (std::memcmp(to, from, bytes) != 0) std::memcpy(to, from, bytes);
  };
  if (place.row == 0) copy(first + rows_.cells, first);
  if (place.row == rows_.parts() - 1) copy(first - tile_halo, first + rows_.cells - tile_halo);
}

bool TileBoard::lives(Place place) const {
  for (int buffer = 0; buffer < 2; ++buffer) {
    const std::uint64_t* row =
        row_zero(buffer, place.column) + rows_.begin[static_cast<std::size_t>(place.row)];
    if (std::any_of(row, row + rows_.size(place.row), [](std::uint64_t word) { return word != 0; }))
      return true;
  }
  return false;
}

// All tiles are to be computed, but for those that nothing lives in or near.
void TileBoard::wake_all() {
  list_awake();  // forgets who was woken
  Marker marker(*this);
  if (world_.rule.births_from_nothing()) {
    for (std::int32_t column = 0; column < columns_.parts(); ++column) {
      for (std::int32_t row = 0; row < rows_.parts(); ++row) marker.wake({column, row}, all_changes);
    }
  } else {
    for_used(0, columns_.parts(), [&](Place place) {
      if (lives(place)) marker.wake(place, all_changes);
    });
  }
  marker.flush();
  list_awake();
  steps_ = 0;
}

// Adds the edited tiles and all that read them to those that the next pass computes.
void TileBoard::wake_edited() {
  Marker marker(*this);
  for (const Place& place : awake_) marker.wake(place, kernels::tile_changed);
  for (const Place& place : edited_) marker.wake(place, all_changes);
  marker.flush();
  list_awake();
}

// The tiles that were woken, column by column; none is woken any more.
void TileBoard::list_awake() {
  awake_.clear();
  for (std::int64_t column = 0; column < columns_.parts(); ++column) {
    std::atomic<bool>& woken = column_woken_[static_cast<std::size_t>(column)];
    if (!woken.load(std::memory_order_relaxed)) continue;
    woken.store(false, std::memory_order_relaxed);
    for (std::int64_t word = 0; word < words_a_column_; ++word) {
      const auto at = static_cast<std::size_t>(column * words_a_column_ + word);
      std::uint64_t bits = woken_[at].load(std::memory_order_relaxed);
      if (bits == 0) continue;
      woken_[at].store(0, std::memory_order_relaxed);
      used_[at] |= bits;
      for (; bits != 0; bits &= bits - 1) {
        awake_.push_back({static_cast<std::int32_t>(column),
                          static_cast<std::int32_t>(word * 64 + std::countr_zero(bits))});
      }
    }
  }
}

double TileBoard::awake_cells() const {
  return static_cast<double>(awake_.size()) / static_cast<double>(tiles()) *
         static_cast<double>(columns_.cells) * static_cast<double>(rows_.cells);
}

void TileBoard::read(const Box& box, const GridView& to) const {
  for (std::int64_t y = 0; y < box.height; ++y) std::ranges::fill(to.row(y), 0);
  const Box part = intersect(box, world_.box());
  if (part.empty()) return;
  const std::int64_t first_column = columns_.part_of(part.x),
                     last_column = columns_.part_of(part.right() - 1);
  const std::int64_t first_row = rows_.part_of(part.y), last_row = rows_.part_of(part.bottom() - 1);
  count_moved(part.height, last_column - first_column + 1);
  for (std::int64_t column = first_column; column <= last_column; ++column) {
    const std::int64_t x = columns_.begin[static_cast<std::size_t>(column)];
    const std::int64_t first = std::max(x, part.x), end = std::min(x + columns_.size(column), part.right());
    const std::int64_t target_column = first - box.x;
    const int shift = static_cast<int>(target_column % 64);
    const std::uint64_t* const words = row_zero(current_, column);
    for (std::int64_t row = first_row; row <= last_row; ++row) {
      if (!is_used(column, row)) continue;
      const std::int64_t top = rows_.begin[static_cast<std::size_t>(row)];
      const std::int64_t bottom = std::min(top + rows_.size(row), part.bottom());
      for (std::int64_t y = std::max(top, part.y); y < bottom; ++y) {
        const std::uint64_t cells = words[y] >> (first - x) & tile_mask(static_cast<int>(end - first));
        if (cells == 0) continue;
        std::uint64_t* target = to.row(y - box.y).data() + target_column / 64;
        target[0] |= cells << shift;
        if (shift != 0 && cells >> (64 - shift) != 0) target[1] |= cells >> (64 - shift);
      }
    }
  }
}

}  // namespace moorea
