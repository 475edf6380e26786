// SPDX-License-Identifier: MIT
// Cells of a pattern at the ends of the stages of a search, and when it settled.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "moorea/identify.h"
#include "objects/cells.h"
#include "objects/search_context.h"
#include "objects/settled.h"

namespace moorea {

struct Stage {
  std::uint64_t generation = 0;
  CellList cells;
};

class Stages {
 public:
  /// Both have to remain.
  Stages(SearchContext& context, const IdentifyOptions& options) : context_(context), options_(options) {}

  /// The first one is that of generation 0.
  void add(Stage stage) { all_.push_back(std::move(stage)); }
  const Stage& last() const { return all_.back(); }
  /// The last one up to a generation.
  const Stage& before(std::uint64_t generation) const;

  /// First generation from which on the pattern equals `world`, which is that of the last stage.
  std::uint64_t first_equal(const SettledWorld& world) const;

 private:
  bool is(const Stage& stage, const SettledWorld& world) const;
  Stage later(const Stage& stage, std::uint64_t generation) const;
  std::uint64_t first_after(Stage low, std::uint64_t high, const SettledWorld& world) const;

  SearchContext& context_;
  const IdentifyOptions& options_;
  std::vector<Stage> all_;
};

}  // namespace moorea
