// SPDX-License-Identifier: MIT
#include "boards/board.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>

#include "devices/cpu/threads.h"
#include "model/bits.h"
#include "model/level_table.h"
#include "moorea/error.h"

namespace moorea {
namespace {

// The live cells of each `scale` bits of a word, in as many bits; a power of two up to 32.
constexpr std::uint64_t counts_in(std::uint64_t cells, std::int64_t scale) {
  if (scale >= 2) cells -= cells >> 1 & 0x5555555555555555;
  if (scale >= 4) cells = (cells & 0x3333333333333333) + (cells >> 2 & 0x3333333333333333);
  if (scale >= 8) cells = (cells + (cells >> 4)) & 0x0F0F0F0F0F0F0F0F;
  if (scale >= 16) cells = (cells + (cells >> 8)) & 0x00FF00FF00FF00FF;
  if (scale >= 32) cells = (cells + (cells >> 16)) & 0x0000FFFF0000FFFF;
  return cells;
}

// Adds the live cells of a row in each of `columns` parts of `scale` cells.
template <std::int64_t scale>
void add_words(const std::uint64_t* row, std::int64_t columns, std::uint32_t* squares) {
  constexpr std::int64_t in_word = 64 / scale;
  constexpr std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
  for (std::int64_t i = 0; i < columns; i += in_word) {
    const std::uint64_t counts = counts_in(row[i / in_word], scale);
    if (counts == 0) continue;
    if (i + in_word <= columns) {
      for (std::int64_t k = 0; k < in_word; ++k)
        squares[i + k] += static_cast<std::uint32_t>(counts >> k * scale & mask);
    } else {
      for (std::int64_t k = 0; k < columns - i; ++k)
        squares[i + k] += static_cast<std::uint32_t>(counts >> k * scale & mask);
    }
  }
}

void add_row(const std::uint64_t* row, std::int64_t words, std::int64_t columns, std::int64_t scale,
             std::uint32_t* squares) {
  switch (scale) {
    case 1:
      return add_words<1>(row, columns, squares);
    case 2:
      return add_words<2>(row, columns, squares);
    case 4:
      return add_words<4>(row, columns, squares);
    case 8:
      return add_words<8>(row, columns, squares);
    case 16:
      return add_words<16>(row, columns, squares);
    case 32:
      return add_words<32>(row, columns, squares);
    default:
      break;
  }
  for (std::int64_t i = 0; i < columns; ++i) {
    std::uint64_t sum = 0;
    for (std::int64_t x = i * scale, end = x + scale; x < end; x += 64)
      sum += popcount(cells_at(row, words, x) & tail_mask(std::min<std::int64_t>(end - x, 64)));
    squares[i] += static_cast<std::uint32_t>(sum);
  }
}

// Counts the live cells of squares of whole words. The counts of a word's bytes are added up over some rows
// before they become one number: a few vector instructions for several words, where counting each word alone
// takes a dozen.
class WordSums {
 public:
  WordSums(std::int64_t columns, std::int64_t scale)
      : words_a_square_(scale / 64), bytes_(static_cast<std::size_t>(columns * words_a_square_)) {}

  void add(const std::uint64_t* row) {
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] += counts_in(row[i], 8);
    ++rows_;
  }
  bool full() const { return rows_ == 255 / 8; }

  /// Adds what was counted to a row of squares.
  void add_to(std::uint32_t* squares) {
    constexpr std::uint64_t even = 0x00FF00FF00FF00FF;
    for (std::size_t i = 0; i < bytes_.size();) {
      std::uint64_t sum = 0;
      for (std::int64_t k = 0; k < words_a_square_; ++k, ++i) {
        const std::uint64_t pairs = (bytes_[i] & even) + (bytes_[i] >> 8 & even);
        sum += pairs * 0x0001000100010001 >> 48;
        bytes_[i] = 0;
      }
      *squares++ += static_cast<std::uint32_t>(sum);
    }
    rows_ = 0;
  }

 private:
  std::int64_t words_a_square_;
  std::vector<std::uint64_t> bytes_;
  int rows_ = 0;
};

const Grid& two_states(const Cells& cells) {
  if (cells.planes() == 1) return cells.plane(0);
  throw Error(fmt::format("cells of {} states for a rule of two", cells.states()), ErrorKind::usage);
}

}  // namespace

void Board::adopt_from(const Board& other, Position by) {
  if (const std::optional<Box> live = other.bounding_box()) {
    load_states(other.states(*live), live->position() + by);
  } else {
    load(Grid(0, 0), {});
  }
}

void Board::load_states(const Cells& cells, Position at) { load(two_states(cells), at); }

void Board::write_states(const Cells& cells, Position at) {
  write(two_states(cells), at, PasteMode::replace);
}

Cells Board::states(const Box& box) const { return Cells(window(box), 2); }

void Board::write_live(const ConstGridView& cells, Position at, PasteMode mode) {
  const Box part = intersect({at.x, at.y, cells.width, cells.height}, box());
  if (part.empty()) return;
  Grid pasted(part.width, part.height);
  pasted.paste(cells, at - part.position());
  Cells present(part.width, part.height, world_.rule.states());
  if (mode != PasteMode::replace) {
    present = states(part);
    Grid added = pasted;
    added.paste(present.live(), {0, 0}, PasteMode::bitwise_and_not);
    for (int i = 0; i < present.planes() && mode != PasteMode::bitwise_or; ++i)
      present.plane(i).paste(pasted, {0, 0}, PasteMode::bitwise_and_not);
    pasted = mode == PasteMode::bitwise_and_not ? Grid(part.width, part.height) : std::move(added);
  }
  present.plane(0).paste(pasted, {0, 0}, PasteMode::bitwise_or);
  write_states(present, part.position());
}

void Board::load_squares(const CellSquares& squares) {
  Box all;
  for (const CellSquare& square : squares) all = unite(all, square.box());
  Grid cells(all.width, all.height);
  for (const CellSquare& square : squares) cells.paste(square.view(), square.corner - all.position());
  load(cells, all.position());
}

Grid Board::window(const Box& box) const {
  Grid cells(box.width, box.height);
  read(box, cells.view());
  return cells;
}

void Board::advance_counting(std::uint64_t generations, std::uint64_t* populations) {
  for (std::uint64_t g = 0; g < generations; ++g) {
    advance(1);
    populations[g] = population();
  }
}

std::vector<std::uint32_t> Board::density(const Raster& raster) const {
  return density_of(raster, world_.height, [this](const Box& box) { return window(box); });
}

std::vector<std::uint32_t> Board::density_of(const Raster& raster, std::int64_t height,
                                             const Window& window) {
  constexpr std::int64_t cells_at_once = 1 << 22, cells_a_thread = 1 << 20;
  const std::int64_t columns = raster.columns, scale = raster.scale, width = columns * scale;
  // Rows of cells, independent of squares: a square may be larger than the rows read at once
  const std::int64_t rows_at_once = std::max<std::int64_t>(1, cells_at_once / width);
  std::vector<std::uint32_t> squares(static_cast<std::size_t>(columns * raster.rows));
  // A square may be far larger than the world
  const std::int64_t first_row = -raster.y, last_row = height - raster.y;
  const std::int64_t wanted = std::min(raster.rows, raster.rows * scale * width / cells_a_thread + 1);
  const auto count_band = [&](std::int64_t begin, std::int64_t end) {
    std::optional<WordSums> sums;
    if (scale % 64 == 0) sums.emplace(columns, scale);
    begin = std::max(begin, first_row);
    end = std::min(end, last_row);
    for (std::int64_t top = begin; top < end; top += rows_at_once) {
      const Grid part = window({raster.x, raster.y + top, width, std::min(rows_at_once, end - top)});
      for (std::int64_t y = 0; y < part.height(); ++y) {
        std::uint32_t* const to = squares.data() + (top + y) / scale * columns;
        if (!sums) {
          add_row(part.row(y), part.words_per_row(), columns, scale, to);
          continue;
        }
        sums->add(part.row(y));
        if (sums->full() || y + 1 == part.height() || (top + y + 1) % scale == 0) sums->add_to(to);
      }
    }
  };
  std::mutex mutex;
  std::exception_ptr failure;  // nothing may be thrown through a team
  team(static_cast<int>(std::min<std::int64_t>(usable_threads(), wanted)), [&](int thread, int threads) {
    try {
      count_band(raster.rows * thread / threads * scale, raster.rows * (thread + 1) / threads * scale);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  });
  if (failure) std::rethrow_exception(failure);
  return squares;
}

std::vector<std::uint8_t> Board::levels(const Raster& raster, std::span<const std::uint32_t> limits) const {
  return LevelTable(limits, raster.scale * raster.scale).levels(density(raster));
}

std::uint64_t Board::advance_comparing() {
  const Cells before = states(world_.box());
  advance(1);
  // Some rows at a time, so that there is never a second copy of the world
  constexpr std::int64_t rows = 256;
  std::uint64_t changed = 0;
  for (std::int64_t top = 0; top < world_.height; top += rows) {
    const Cells now = states({0, top, world_.width, std::min(rows, world_.height - top)});
    for (std::int64_t y = 0; y < now.height(); ++y) {
      for (std::int64_t j = 0; j < now.plane(0).words_per_row(); ++j) {
        std::uint64_t differs = 0;
        for (int i = 0; i < now.planes(); ++i)
          differs |= now.plane(i).row(y)[j] ^ before.plane(i).row(top + y)[j];
        changed += popcount(differs);
      }
    }
  }
  return changed;
}

}  // namespace moorea
