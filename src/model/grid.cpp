// SPDX-License-Identifier: MIT
#include "moorea/grid.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

#include "model/bits.h"
#include "model/coordinates.h"
#include "model/hash.h"
#include "model/memory.h"
#include "model/paste.h"
#include "moorea/error.h"

namespace moorea {

void require_coordinates(std::int64_t x, std::int64_t y, const char* what) {
  const auto fits = [](std::int64_t value) { return value >= -max_coordinate && value <= max_coordinate; };
  if (fits(x) && fits(y)) return;
  throw Error(fmt::format("{} at ({}, {}): expected coordinates from -2^60 to 2^60", what, x, y),
              ErrorKind::usage);
}

void require_box(const Box& box, const char* what) {
  require_coordinates(box.x, box.y, what);
  const auto fits = [](std::int64_t side) { return side >= 0 && side <= max_coordinate; };
  if (fits(box.width) && fits(box.height)) return;
  throw Error(
      fmt::format("{} of {} x {} cells: expected sides of 0 to 2^60 cells", what, box.width, box.height),
      ErrorKind::usage);
}

void Grid::Free::operator()(std::uint64_t* p) const noexcept { std::free(p); }

Grid::Grid(std::int64_t width, std::int64_t height) : width_(width), height_(height) {
  if (width < 0 || height < 0) {
    throw Error(fmt::format("invalid size {} x {}: the width and height of a world must not be negative",
                            width, height),
                ErrorKind::usage);
  }
  const std::string what = fmt::format("a world of {} x {} cells", width, height);
  const double bytes = grid_bytes(width, height);
  if (bytes > 1 << 20) require_memory(bytes, what);
  words_ = words_for(width);
  // calloc returns pages that occupy no memory until they are written
  const auto count = static_cast<std::size_t>(words_ * height);
  cells_.reset(
      static_cast<std::uint64_t*>(std::calloc(std::max<std::size_t>(count, 1), sizeof(std::uint64_t))));
  if (!cells_) {
    throw Error(fmt::format("{}: the system refused {} of memory", what, human_bytes(bytes)),
                ErrorKind::memory);
  }
}

Grid::Grid(const Grid& other) : Grid(other.width_, other.height_) {
  if (!other.empty()) {
    std::memcpy(cells_.get(), other.cells_.get(),
                static_cast<std::size_t>(words_ * height_) * sizeof(std::uint64_t));
  }
}

Grid& Grid::operator=(const Grid& other) {
  if (this != &other) *this = Grid(other);
  return *this;
}

Grid::Grid(Grid&& other) noexcept { *this = std::move(other); }

Grid& Grid::operator=(Grid&& other) noexcept {
  width_ = std::exchange(other.width_, 0);
  height_ = std::exchange(other.height_, 0);
  words_ = std::exchange(other.words_, 0);
  cells_ = std::move(other.cells_);
  return *this;
}

void Grid::set(std::int64_t x, std::int64_t y, bool alive) {
  const std::uint64_t bit = std::uint64_t{1} << (x & 63);
  std::uint64_t& word = row(y)[x >> 6];
  word = alive ? word | bit : word & ~bit;
}

std::uint64_t Grid::population() const {
  std::uint64_t count = 0;
  for (std::int64_t i = 0; i < words_ * height_; ++i)
    count += static_cast<unsigned>(std::popcount(cells_[i]));
  return count;
}

std::optional<Box> Grid::bounding_box() const { return bounding_box_of(*this); }

std::uint64_t Grid::hash(Position origin) const {
  require_coordinates(origin.x, origin.y, "a hash of cells");
  if (empty()) return 0;
  const RowHasher hash_row(words_, origin.x);
  std::uint64_t sum = 0;
  for (std::int64_t y = 0; y < height_; ++y) sum = hash_add(sum, hash_row(row(y), origin.y + y));
  return sum;
}

Grid Grid::crop(const Box& box) const {
  require_box(box, "a box");
  Grid result(box.width, box.height);
  result.paste(*this, -box.position());
  return result;
}

void Grid::paste(const ConstGridView& source, Position at, PasteMode mode) {
  require_coordinates(at.x, at.y, "cells");
  const Box part = intersect({at.x, at.y, source.width, source.height}, {0, 0, width_, height_});
  if (part.empty()) return;
  if (std::less_equal()(row(0), source.words) && std::less()(source.words, row(0) + words_ * height_)) {
    Grid copy(source.width,
              source.height);  // of a part of this grid, whose rows are written before they are read
    copy.paste(source, {});
    return paste(copy, at, mode);
  }
  const std::int64_t first = part.x / 64, end = words_for(part.right());
  const std::uint64_t tail = tail_mask(width_);
  for (std::int64_t y = part.y; y < part.bottom(); ++y) {
    paste_row(mode, source, y - at.y, at.x, first, end, row(y) + first);
    row(y)[words_ - 1] &= tail;
  }
}

bool Grid::operator==(const Grid& other) const {
  if (width_ != other.width_ || height_ != other.height_) return false;
  return empty() || std::equal(row(0), row(height_), other.row(0));
}

}  // namespace moorea
