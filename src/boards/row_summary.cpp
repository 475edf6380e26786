// SPDX-License-Identifier: MIT
#include "boards/row_summary.h"

#include <bit>

#include "model/bits.h"

namespace moorea {

RowSummary::RowSummary(const SummaryParts& parts, const Box& area, Position origin)
    : parts_(parts),
      area_(area),
      origin_(origin),
      hash_row_(parts.hash ? words_for(area.width) : 0, origin.x + area.x),
      columns_(parts.bounding_box ? static_cast<std::size_t>(words_for(area.width)) : 0) {}

void RowSummary::add(std::int64_t y, const std::uint64_t* words) {
  const std::int64_t count = words_for(area_.width);
  if (parts_.population) {
    for (std::int64_t j = 0; j < count; ++j) population_ += popcount(words[j]);
  }
  if (parts_.hash) hash_ = hash_add(hash_, hash_row_(words, origin_.y + y));
  if (!parts_.bounding_box) return;
  std::uint64_t any = 0;
  for (std::size_t j = 0; j < columns_.size(); ++j) any |= words[j], columns_[j] |= words[j];
  if (any == 0) return;
  if (top_ < 0 || y < top_) top_ = y;
  bottom_ = std::max(bottom_, y);
}

void RowSummary::merge(const RowSummary& other) {
  population_ += other.population_;
  hash_ = hash_add(hash_, other.hash_);
  for (std::size_t j = 0; j < columns_.size(); ++j) columns_[j] |= other.columns_[j];
  if (other.top_ >= 0 && (top_ < 0 || other.top_ < top_)) top_ = other.top_;
  bottom_ = std::max(bottom_, other.bottom_);
}

BoardSummary RowSummary::result() const {
  BoardSummary summary{population_, hash_, {}};
  if (bottom_ < 0) return summary;
  std::size_t left = 0, right = columns_.size() - 1;
  while (columns_[left] == 0) ++left;
  while (columns_[right] == 0) --right;
  const std::int64_t x = area_.x + static_cast<std::int64_t>(left) * 64 + std::countr_zero(columns_[left]);
  const std::int64_t end =
      area_.x + static_cast<std::int64_t>(right) * 64 + 64 - std::countl_zero(columns_[right]);
  summary.bounding_box = Box{x, top_, end - x, bottom_ - top_ + 1};
  return summary;
}

}  // namespace moorea
