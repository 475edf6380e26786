// SPDX-License-Identifier: MIT
#include "boards/activity.h"

#include <cstring>

namespace moorea {

TileFlags::TileFlags(std::int64_t columns, std::int64_t rows, bool torus)
    : columns_(columns),
      rows_(rows),
      torus_(torus),
      before_(static_cast<std::size_t>((columns + 2) * (rows + 2))),
      now_(before_.size()) {}

bool TileFlags::edges_awake() const {
  for (std::int64_t column = 0; column < columns_; ++column) {
    if (awake(column, 0) || awake(column, rows_ - 1)) return true;
  }
  for (std::int64_t row = 0; row < rows_; ++row) {
    if (awake(0, row) || awake(columns_ - 1, row)) return true;
  }
  return false;
}

void TileFlags::swap() {
  before_.swap(now_);
  // The ring is still empty on a plane, and on a torus gets the opposite edge
  if (torus_) {
    for (std::int64_t row = 0; row < rows_; ++row) {
      before_[index(-1, row)] = before_[index(columns_ - 1, row)];
      before_[index(columns_, row)] = before_[index(0, row)];
    }
    const auto copy_row = [this](std::int64_t to, std::int64_t from) {
      std::memcpy(&before_[index(-1, to)], &before_[index(-1, from)], static_cast<std::size_t>(columns_ + 2));
    };
    copy_row(-1, rows_ - 1);
    copy_row(rows_, 0);
  }
  quiet_ = std::memchr(before_.data(), 1, before_.size()) == nullptr;
}

}  // namespace moorea
