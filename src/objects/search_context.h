// SPDX-License-Identifier: MIT
// What all parts of a search share: the rule, limits, and the question whether it is still wanted.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "moorea/rule.h"
#include "objects/bitboard.h"

namespace moorea {

/// Thrown out of a search whose caller no longer wants it.
struct SearchStopped {};

/// Thrown out of a part of a search that takes more work than it may.
struct TooMuchWork {};

class SearchContext {
 public:
  explicit SearchContext(const Rule& rule, std::uint64_t max_period = 5'000, std::function<bool()> go_on = {})
      : rule_(rule), four_cells_(rule), max_period_(max_period), go_on_(std::move(go_on)) {}

  const Rule& rule() const { return rule_; }
  /// A bitboard one generation later; `counts` are those of count_neighbours().
  Bitboard next_state(const Surroundings& all, const NeighbourCounts& counts) const {
    return four_cells_.empty() ? moorea::next_state(rule_, all[4], counts) : four_cells_.next_state(all);
  }
  std::uint64_t max_period() const { return max_period_; }  ///< largest period that is searched

  /// Call in all loops. `work` counts bitboards that were evolved, or what takes as long. Asks the caller
  /// about once per millisecond; throws SearchStopped or TooMuchWork.
  void add_work(std::uint64_t work) {
    if (work > work_left_) throw TooMuchWork();
    work_left_ -= work;
    since_asked_ += work;
    if (since_asked_ >= work_until_asked) ask();
  }
  /// From now on.
  void limit_work(std::uint64_t work) { work_left_ = work; }
  std::uint64_t work_left() const { return work_left_; }
  void ask() {
    since_asked_ = 0;
    if (go_on_ && !go_on_()) throw SearchStopped();
  }

 private:
  static constexpr std::uint64_t work_until_asked = 1 << 15;  // of about 30 ns each
  Rule rule_;
  FourCells four_cells_;
  std::uint64_t max_period_;
  std::function<bool()> go_on_;
  std::uint64_t work_left_ = UINT64_MAX;
  std::uint64_t since_asked_ = 0;
};

}  // namespace moorea
