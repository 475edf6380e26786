// SPDX-License-Identifier: MIT
#include "boards/row_exchange.h"

#include <algorithm>

namespace moorea {

RowExchange::RowExchange(std::int64_t halo, std::span<BandBoard* const> parts)
    : halo_(halo), parts_(parts.size()), phases_(static_cast<int>(parts.size())) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].board = parts[i];
    parts_[i].queue = parts[i]->queue();
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (RowMemory& box : parts_[i].above) box = make_box(parts_[i], upper(i));
    for (RowMemory& box : parts_[i].below) box = make_box(parts_[i], lower(i));
  }
}

RowMemory RowExchange::make_box(const Part& from, const Part& to) const {
  const std::size_t words = words_of_rows(from.board->world(), halo_);
  if (to.queue != nullptr) return to.queue->make_row_memory(words, from.queue);
  return make_row_memory(*from.board, words);
}

void RowExchange::send(std::size_t i) {
  const Part& part = parts_[i];
  const std::size_t slot = next_slot(i);
  const std::int64_t last = part.board->world().height - halo_;
  if (!part.board->halo_above().empty()) read_rows(*part.board, 0, halo_, part.above[slot].words.get());
  if (!part.board->halo_below().empty()) read_rows(*part.board, last, halo_, part.below[slot].words.get());
}

SentAgain RowExchange::sends_again(std::size_t i) const {
  const Part& part = parts_[i];
  if (part.queue != nullptr) return {};
  const std::size_t words = words_of_rows(part.board->world(), halo_);
  const auto is_same = [&](const std::array<RowMemory, 2>& boxes) {
    return std::equal(boxes[0].words.get(), boxes[0].words.get() + words, boxes[1].words.get());
  };
  return {is_same(part.above), is_same(part.below)};
}

void RowExchange::pass(std::size_t i, const QueueMark* full) {
  Part& part = parts_[i];
  part.slot = next_slot(i);  // also of a part that has failed: all change their slots together
  part.full[part.slot] = full;
  phases_.next(static_cast<int>(i), static_cast<int>(parts_.size()));
}

void RowExchange::wait(std::size_t i) {
  const Part& part = parts_[i];
  const auto wait_for = [&](const Part& sender) {
    const QueueMark* const mark = sender.full[part.slot];
    if (mark == nullptr) return;
    if (part.queue != nullptr) {
      part.queue->wait_for(*mark);
    } else {
      mark->wait();
    }
  };
  if (!part.board->halo_above().empty()) wait_for(upper(i));
  if (!part.board->halo_below().empty()) wait_for(lower(i));
}

void RowExchange::receive(std::size_t i) {
  const Part& part = parts_[i];
  const Box above = part.board->halo_above(), below = part.board->halo_below();
  if (!above.empty()) write_rows(*part.board, above.y, halo_, upper(i).below[part.slot].words.get());
  if (!below.empty()) write_rows(*part.board, below.y, halo_, lower(i).above[part.slot].words.get());
  part.board->halo_filled();
}

}  // namespace moorea
